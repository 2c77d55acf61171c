"""OpenCode: what the plugin of ours tells (`install.texts`), a JSON object an event.

`tool.execute.after` is any call that was answered; a command's `metadata.exit` says how it ended. `tool.error` is one
that was not answered at all. What is to be said stands under one key, and the plugin puts it behind the output.
"""

from __future__ import annotations

from engrain.capture.adapters import fields, word
from engrain.capture.session import SHELLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engrain.capture.adapters import Said

SHOWS = frozenset(("session.created", "chat.message", "tool.execute.after"))
_SHELL = {"bash": "Bash", "shell": "Bash"}
_REFUSED = ("the user rejected permission", "the user has rejected", "the user has specified a rule")
_STOPPED = ("tool execution aborted", "aborted", "user aborted the command")


def said(event: str, given: Said) -> Said | None:
    """What it told, in Claude Code's words."""
    tell = _TOLD.get(event)
    if tell is None:
        return None
    return {"session_id": word(given, "session_id"), "cwd": word(given, "cwd"), **tell(given)}


def answer(_event: str, text: str) -> Said:
    """What the plugin reads."""
    return {"additionalContext": text}


def _started(_given: Said) -> Said:
    return {"hook_event_name": "SessionStart", "source": "startup"}


def _prompted(given: Said) -> Said:
    about = {"prompt": word(given, "prompt"), "prompt_id": word(given, "prompt_id")}
    return {"hook_event_name": "UserPromptSubmit", **about}


def _called(given: Said) -> Said:
    call, text, about = _call(given), word(given, "output"), fields(given, "metadata")
    code = about.get("exit")
    if type(code) is int and code:
        return {**call, "hook_event_name": "PostToolUseFailure", "error": text, "exit_code": code}
    if call["tool_name"] in SHELLS and type(code) is int:
        return {**call, "hook_event_name": "PostToolUse", "tool_response": {"stdout": text}}
    return {**call, "hook_event_name": "PostToolUse", "tool_response": text, "unsure": call["tool_name"] in SHELLS}


def _broke(given: Said) -> Said:
    error = word(given, "error")
    lower = error.lower().removeprefix("error: ")
    if lower.startswith(_REFUSED):
        return {**_call(given), "hook_event_name": "PostToolUse", "tool_response": error, "refused": True}
    stopped = lower.startswith(_STOPPED)
    return {**_call(given), "hook_event_name": "PostToolUseFailure", "error": error, "is_interrupt": stopped}


def _call(given: Said) -> Said:
    tool = word(given, "tool")
    return {
        "tool_name": _SHELL.get(tool, tool),
        "tool_input": given.get("args"),
        "tool_use_id": word(given, "call_id"),
    }


def _replied(given: Said) -> Said:
    return {"hook_event_name": "Stop", "last_assistant_message": word(given, "text")}


def _ended(_given: Said) -> Said:
    return {"hook_event_name": "SessionEnd", "reason": "deleted"}


_TOLD = {
    "session.created": _started,
    "chat.message": _prompted,
    "tool.execute.after": _called,
    "tool.error": _broke,
    "session.idle": _replied,
    "session.deleted": _ended,
}
