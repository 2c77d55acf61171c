"""Gemini CLI: what a tool answered is what the model is told, a text with headings (`Output:`, `Error:`, `Exit Code:`).

A call has no name of its own: it is known by the moment that the agent gives for it, and by what was asked. Nothing but
JSON may stand on its standard output.
"""

from __future__ import annotations

from engrain import light
from engrain.capture.adapters import fields, nested, word
from engrain.capture.session import SHELLS
from engrain.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engrain.capture.adapters import Said

SHOWS = frozenset(("SessionStart", "BeforeAgent", "AfterTool"))
_EXIT = r"(?m)^Exit Code: (-?\d{1,10}|\(none\))\s*$"
_SIGNAL = r"(?m)^Signal: (?!\(none\)|0\b)(\S.*)$"
_HEADS = (
    r"(?m)^(?:Command|Directory|Signal|Background PIDs|Process Group PGID|Exit Code): .*(?:\n|$)"
    r"|^Error: \(none\)(?:\n|$)|^(?:Stdout|Stderr|Output): (?:\((?:none|empty)\)(?:\n|$))?"
)
_STOPPED = ("command was cancelled by user", "command cancelled by user", "command was aborted", "user aborted")

answer = nested


def said(event: str, given: Said) -> Said | None:
    """What it told, in Claude Code's words."""
    tell = _TOLD.get(event)
    if tell is None:
        return None
    about = {name: word(given, name) for name in ("session_id", "cwd", "transcript_path")}
    return {**about, **tell(given)}


def _started(given: Said) -> Said:
    return {"hook_event_name": "SessionStart", "source": word(given, "source"), "model": word(given, "model")}


def _prompted(given: Said) -> Said:
    name = _name(given, "prompt") if word(given, "timestamp") else ""
    return {"hook_event_name": "UserPromptSubmit", "prompt": word(given, "prompt"), "prompt_id": name}


def _called(given: Said) -> Said:
    answer = fields(given, "tool_response")
    text = _text(answer.get("llmContent")) or _text(answer.get("returnDisplay"))
    call = {
        "tool_name": word(given, "tool_name"),
        "tool_input": given.get("tool_input"),
        "tool_use_id": _name(given, "tool_name", "tool_input"),
    }
    error = answer.get("error")
    wrong = _text(error.get("message")) if isinstance(error, dict) else _text(error)
    if call["tool_name"] in SHELLS:
        return {**call, **_ran(text, wrong)}
    if wrong:
        both = wrong if wrong in text or not text else f"{text}\n{wrong}"
        return {**call, "hook_event_name": "PostToolUseFailure", "error": both}
    return {**call, "hook_event_name": "PostToolUse", "tool_response": text}


def _ran(text: str, wrong: str) -> Said:
    """A command: its output without the headings, and how it ended."""
    found = compiled(_EXIT).search(text)
    code = int(found[1]) if found and found[1] != "(none)" else None
    output = compiled(_HEADS).sub("", text).strip("\n")
    if wrong and wrong not in output:
        output = f"{output}\n{wrong}".strip("\n")
    stopped = text.lower().startswith(_STOPPED)
    if code or wrong or stopped or compiled(_SIGNAL).search(text):
        about = {"error": output, "exit_code": code, "is_interrupt": stopped}
        return {"hook_event_name": "PostToolUseFailure", **about}
    # A command that ended well has no line for it.
    return {"hook_event_name": "PostToolUse", "tool_response": {"stdout": output}}


def _replied(given: Said) -> Said:
    return {"hook_event_name": "Stop", "last_assistant_message": word(given, "prompt_response")}


def _ended(given: Said) -> Said:
    return {"hook_event_name": "SessionEnd", "reason": word(given, "reason")}


_TOLD = {
    "SessionStart": _started,
    "BeforeAgent": _prompted,
    "AfterTool": _called,
    "AfterAgent": _replied,
    "SessionEnd": _ended,
}


def _name(given: Said, *what: str) -> str:
    said = light.dumps([word(given, "timestamp"), *(given.get(name) for name in what)], ordered=True)
    return light.sha256(said.encode("utf-8", "replace"))[:32]


def _text(value: Any, depth: int = 0) -> str:
    """The texts of what the model is told: a text, a part, or a list of them."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and depth < 4:
        return "\n".join(filter(None, (_text(each, depth + 1) for each in value)))
    return _text(value.get("text"), depth + 1) if isinstance(value, dict) and depth < 4 else ""
