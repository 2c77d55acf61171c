"""Cursor: events of its own, in its own names.

A shell that failed is `postToolUse` with an `exitCode` in `tool_output`, which is JSON within JSON, or
`postToolUseFailure` with a message: its documentation does not say which, so both are taken. At the first it reads
`additional_context`; at the second none is documented, and it is offered all the same. Who the user is
(`user_email`) is never looked at.

It runs the hooks of Claude Code's settings, too: these are silent there (`hook.door`).
"""

from __future__ import annotations

from engrain import light
from engrain.capture.adapters import fields, first, milliseconds, word
from engrain.capture.session import SHELLS
from engrain.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engrain.capture.adapters import Said

SHOWS = frozenset(("sessionStart", "postToolUse", "postToolUseFailure"))
_EXIT = r"(?i)\bexit(?:ed)?(?: with)?(?: code| status)?:? (\d{1,3})\b"
_OUTPUTS = ("output", "stdout", "stderr", "content", "result", "text", "error")


def said(event: str, given: Said) -> Said | None:
    """What it told, in Claude Code's words."""
    tell = _TOLD.get(event)
    if tell is None:
        return None
    about = {
        "session_id": word(given, "conversation_id", "session_id"),
        "cwd": word(given, "cwd") or first(given.get("workspace_roots")),
        "prompt_id": word(given, "generation_id"),
        "transcript_path": word(given, "transcript_path"),
    }
    return {**about, **tell(given)}


def answer(_event: str, text: str) -> Said:
    """What it reads."""
    return {"additional_context": text}


def _started(given: Said) -> Said:
    return {"hook_event_name": "SessionStart", "source": "startup", "model": word(given, "model")}


def _prompted(given: Said) -> Said:
    return {"hook_event_name": "UserPromptSubmit", "prompt": word(given, "prompt")}


def _called(given: Said) -> Said:
    answer = _unpacked(given.get("tool_output"))
    code = answer.get("exitCode", answer.get("exit_code")) if isinstance(answer, dict) else None
    call = _call(given)
    text = _text(answer)
    if type(code) is int and code:
        return {**call, "hook_event_name": "PostToolUseFailure", "error": text, "exit_code": code}
    if call["tool_name"] in SHELLS and type(code) is not int:
        return {**call, "hook_event_name": "PostToolUse", "tool_response": text, "unsure": True}
    return {**call, "hook_event_name": "PostToolUse", "tool_response": {"stdout": text} if code == 0 else text}


def _failed(given: Said) -> Said:
    error = "\n".join(filter(None, (word(given, "error_message"), _text(_unpacked(given.get("tool_output"))))))
    if word(given, "failure_type") == "permission_denied":
        return {**_call(given), "hook_event_name": "PostToolUse", "tool_response": error, "refused": True}
    found = compiled(_EXIT).search(error[:2000])
    about = {"is_interrupt": given.get("is_interrupt") is True, "exit_code": int(found[1]) if found else None}
    return {**_call(given), "hook_event_name": "PostToolUseFailure", "error": error, **about}


def _call(given: Said) -> Said:
    asked = given.get("tool_input")
    return {
        "tool_name": word(given, "tool_name"),
        "tool_input": _unpacked(asked) if isinstance(asked, str) else asked,
        "tool_use_id": word(given, "tool_use_id"),
        "duration_ms": milliseconds(given, "duration"),
    }


def _replied(given: Said) -> Said:
    return {"hook_event_name": "Reply", "last_assistant_message": word(given, "text")}


def _stopped(_given: Said) -> Said:
    return {"hook_event_name": "Stop"}


def _ended(given: Said) -> Said:
    return {"hook_event_name": "SessionEnd", "reason": word(given, "reason", "final_status")}


_TOLD = {
    "sessionStart": _started,
    "beforeSubmitPrompt": _prompted,
    "postToolUse": _called,
    "postToolUseFailure": _failed,
    "afterAgentResponse": _replied,
    "stop": _stopped,
    "sessionEnd": _ended,
}


def _unpacked(value: Any) -> Any:
    """JSON within JSON; a text that is none stays one."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "["):
        return value
    try:
        return light.loads(value)
    except (ValueError, RecursionError):
        return value


def _text(value: Any, depth: int = 0) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and depth < 4:
        return "\n".join(filter(None, (_text(each, depth + 1) for each in value)))
    if isinstance(value, dict) and depth < 4:
        named = {name: value[name] for name in _OUTPUTS if name in value}
        return "\n".join(filter(None, (_text(each, depth + 1) for each in named.values()))) or _whole(value, depth)
    return ""


def _whole(value: Said, depth: int) -> str:
    rest = {name: each for name, each in value.items() if name not in ("exitCode", "exit_code")}
    return light.dumps(rest) if rest and not depth and not fields(rest, "image") else ""
