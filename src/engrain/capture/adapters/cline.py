"""Cline: what happens in a task, recorded alone. Who the user is (`userId`) is never looked at.

A call has no name of its own: it is known by the moment that the agent gives for it, and by what was asked.
"""

from __future__ import annotations

from engrain import light
from engrain.capture.adapters import fields, first, milliseconds, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engrain.capture.adapters import Said

SHOWS: frozenset[str] = frozenset()


def said(event: str, given: Said) -> Said | None:
    """What it told, in Claude Code's words."""
    tell = _TOLD.get(event)
    if tell is None:
        return None
    return {"session_id": word(given, "taskId"), "cwd": first(given.get("workspaceRoots")), **tell(given)}


def answer(_event: str, _text: str) -> None:
    """Nothing: it is asked for none."""


def _started(given: Said) -> Said:
    source = "resume" if word(given, "hookName") == "TaskResume" else "startup"
    return {"hook_event_name": "SessionStart", "source": source}


def _prompted(given: Said) -> Said:
    prompt = word(fields(given, "userPromptSubmit"), "prompt")
    return {"hook_event_name": "UserPromptSubmit", "prompt": prompt, "prompt_id": _name(given, prompt)}


def _called(given: Said) -> Said:
    about = fields(given, "postToolUse")
    tool, asked = word(about, "toolName"), about.get("parameters")
    call = {
        "tool_name": tool,
        "tool_input": asked,
        "tool_use_id": _name(given, [tool, asked]),
        "duration_ms": milliseconds(about, "executionTimeMs"),
    }
    answer = about.get("result")
    if about.get("success") is False:
        text = answer if isinstance(answer, str) else light.dumps(answer)
        return {**call, "hook_event_name": "PostToolUseFailure", "error": text}
    return {**call, "hook_event_name": "PostToolUse", "tool_response": answer}


def _completed(_given: Said) -> Said:
    return {"hook_event_name": "Stop"}


def _cancelled(_given: Said) -> Said:
    return {"hook_event_name": "SessionEnd", "reason": "cancelled"}


_TOLD = {
    "TaskStart": _started,
    "TaskResume": _started,
    "UserPromptSubmit": _prompted,
    "PostToolUse": _called,
    "TaskComplete": _completed,
    "TaskCancel": _cancelled,
}


def _name(given: Said, what: object) -> str:
    told = light.dumps([given.get("timestamp"), what], ordered=True)
    return light.sha256(told.encode("utf-8", "replace"))[:32]
