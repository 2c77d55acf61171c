"""Adapters: what an agent tells its hooks → what happened, as events of its session.

    claude_code   Claude Code: its words are the ones that the others are put into, and become events
    codex         Codex: no event for a failure, no exit code
    cursor        Cursor: an answer in JSON within JSON
    gemini        Gemini CLI: the exit code stands in the text
    opencode      OpenCode, through a plugin of ours
    windsurf      Windsurf: recorded alone
    cline         Cline: recorded alone

An adapter has three names:

    said(event, given)     what the agent told, in Claude Code's words; None where that is nothing to us
    answer(event, text)    what the agent reads as context, as its schema wants it
    SHOWS                  the agent's events at which it reads such an answer

In those words `hook_event_name`, `session_id`, `cwd`, `tool_name`, `tool_input`, `tool_use_id`, `tool_response` or
`error`, `prompt`, `prompt_id` and so on mean what Claude Code's documentation says, and four more are ours:

    exit_code   how a command ended, where that is no part of its output
    unsure      whether a command failed is not said: its output has to tell
    guessed     it was told so from its output
    refused     somebody did not allow the call

An adapter reads what its agent says today and takes it well that it says more tomorrow: unknown fields are left out,
unknown events are nothing. On the hook's path.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Said = dict[str, Any]

FIRST = "claude-code"
NAMES = (FIRST, "codex", "cursor", "gemini", "opencode", "windsurf", "cline")


def adapter(name: str) -> Any:
    """The adapter of an agent, by its name; None where there is none."""
    if name not in NAMES:
        return None
    module = f"engrain.capture.adapters.{name.replace('-', '_')}"
    return __import__(module, fromlist=["said"])


def word(given: Said, *names: str) -> str:
    """The first of these fields that is a text with something in it."""
    for name in names:
        value = given.get(name)
        if isinstance(value, str) and value:
            return value
    return ""


def fields(given: Said, name: str) -> Said:
    """A field that is an object; an empty one where it is none."""
    value = given.get(name)
    return value if isinstance(value, dict) else {}


def first(value: Any) -> str:
    """The first text of a list."""
    return next((each for each in value if isinstance(each, str)), "") if isinstance(value, list) else ""


def milliseconds(given: Said, *names: str) -> float | None:
    """How long it took, where that is said."""
    for name in names:
        value = given.get(name)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0:
            return value
    return None


def nested(event: str, text: str) -> Said:
    """An answer as Claude Code, Codex and Gemini CLI read it."""
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}
