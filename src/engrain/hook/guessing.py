"""Whether a command failed, told from what it wrote alone: for agents that do not say how it ended.

It failed if its output is one that a parser of failures understands, and it is no command that only looks: what
`cat`, `grep` and `git log` print may be anybody's failure. When unsure it did not fail: silence costs less than a
fix for nothing. How well that does is measured (`python -m bench wiring`); what was guessed is marked, and set
right when the agent's own record is read.
"""

from __future__ import annotations

from engrain.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

END = 1500
"""Characters of the end of an output that are looked at: whoever fails says so last."""

_SIGNS = (
    r"(?i)error|exception|fail|traceback|panic|fatal|not found|no such|denied|cannot|can't|could not|undefined|unknown"
    r"|unresolved|missing|invalid|unable|abort|segmentation|killed|refused|no rule"
)
"""Words without which nothing is a failure: most outputs have none of them, and are not looked at any further."""

_WELL = (
    r"(?im)^.{0,80}(?<![\d.])0 (?:fail|error|problem|issue)|^.{0,40}\b(?:all (?:checks|tests)|tests?) pass"
    r"|^=+ [^\n]{0,60}\d passed|^ok\b|\bno (?:issues|problems|errors) found|^(?:done|built) in "
    r"|\b(?:successfully|succeeded|up to date)\b"
)
"""What says in the last lines that all went well."""
_LAST = 400

_SHOWS = r"(?:\S*/)?(?:curl|wget|jq|gh|tmux|psql|sqlite3|bd|strings|man|docker logs|journalctl)\s"

_FAILED = r"(?i)(?<![\d.])[1-9]\d* (?:fail|error)|\bfailed\b|^error\b|exit(?:ed)?(?: with)? (?:code|status) [1-9]"


def judged(said: dict[str, Any]) -> dict[str, Any]:
    """What an agent told of a command, with how it ended."""
    text = said.get("tool_response")
    given = said.get("tool_input")
    command = given.get("command") if isinstance(given, dict) else ""
    rest = {**{key: value for key, value in said.items() if key != "unsure"}, "guessed": True}
    if isinstance(text, str) and isinstance(command, str) and failed(text, command):
        return {**rest, "hook_event_name": "PostToolUseFailure", "error": text}
    return rest


def _shows(step: str) -> bool:
    """Whether a command shows what is written elsewhere."""
    return bool(compiled(_SHOWS).match(step))


def failed(text: str, command: str) -> bool:
    """Whether the output of a command is that of a failure."""
    end = text.rstrip()[-END:]
    if not end or not compiled(_SIGNS).search(end):
        return False
    last = end[-_LAST:]
    if compiled(_WELL).search(last) and not compiled(_FAILED).search(last):
        return False
    from engrain.fingerprint import fingerprint
    from engrain.learn.commands import only_looks, parts

    simple = parts(command)
    if not simple or only_looks(command) or any(only_looks(step) or _shows(step) for step in simple[-1:]):
        return False
    return fingerprint(end, command, None).known
