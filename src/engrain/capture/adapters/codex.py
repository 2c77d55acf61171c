"""Codex: its hooks look like Claude Code's, but no event says that a command failed, and no answer has an exit code.

What a command wrote is all that `PostToolUse` tells of it (`tool_response`, a text). So whether it failed is told
from that (`unsure`), and set right from the rollout, which has the exit code, when the turn is over. Where an
answer does say how a command ended (older forms: `Exit code: 1`, an object), that holds.

Edits come as a patch in `tool_input.command`: a file's content, and no command.

The output is read strictly: an unknown key makes all of it void.
"""

from __future__ import annotations

from engrain.capture.adapters import fields, nested, word
from engrain.capture.session import SHELLS
from engrain.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engrain.capture.adapters import Said

SHOWS = frozenset(("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"))
_KNOWN = SHOWS | {"Stop", "SubagentStop", "SessionEnd"}

_EXIT = r"(?m)^(?:Process exited with code|Exit code:) (-?\d{1,10})$"
_HEAD = 1000
_PATCHED = r"(?m)^\*\*\* (?:Add|Update|Delete) File: (.+)$"
_REFUSED = ("exec command rejected", "rejected by user", "patch rejected by user", "user rejected", "approval denied")
_FAILED = ("apply_patch verification failed", "failed to parse function arg", "execution error", "tool call error")
"""How answers begin that are no output."""
_OUTCOMES = (("is_error", True), ("isError", True), ("success", False))
_TEXTS = ("output", "stdout", "stderr", "content", "text")

answer = nested


def said(event: str, given: Said) -> Said | None:
    """What it told, in Claude Code's words."""
    if event not in _KNOWN:
        return None
    told = {**given, "hook_event_name": event, "prompt_id": word(given, "turn_id"), "tool_input": _input(given)}
    return _ended(told) if event == "PostToolUse" else told


def _input(given: Said) -> Any:
    asked = given.get("tool_input")
    patch = asked.get("command") if isinstance(asked, dict) else None
    if word(given, "tool_name") != "apply_patch" or not isinstance(patch, str):
        return asked
    files = compiled(_PATCHED).findall(patch)
    return {"file_path": files[0], "files": files, "patch": patch} if files else {"patch": patch}


def _ended(told: Said) -> Said:
    """How a call ended, as far as that is said."""
    text, code, failed = _answer(told.get("tool_response"))
    if text.lower().startswith(_REFUSED):
        return {**told, "tool_response": text, "refused": True}
    if code is None and failed is None and word(told, "tool_name") in SHELLS:
        return {**told, "tool_response": text, "unsure": True}
    if failed or code or text.startswith(_FAILED):
        return {**told, "hook_event_name": "PostToolUseFailure", "error": text, "exit_code": code}
    return {**told, "tool_response": text if code is None else {"stdout": text}}


def _answer(value: Any) -> tuple[str, int | None, bool | None]:
    """What was seen of a call, how it ended, and whether it is called a failure."""
    if isinstance(value, dict):
        about = fields(value, "metadata")
        code = next((each for each in (value.get("exit_code"), about.get("exit_code")) if type(each) is int), None)
        said = [value[name] is worse for name, worse in _OUTCOMES if isinstance(value.get(name), bool)]
        return _text(value), code, said[0] if said else None
    text = _text(value)
    head, split, rest = text.partition("\nOutput:\n")
    found = compiled(_EXIT).search(head[:_HEAD]) if split or compiled(_EXIT).match(text) else None
    return (rest if split else text, int(found[1]), None) if found else (text, None, None)


def _text(value: Any, depth: int = 0) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and depth < 4:
        return "\n".join(filter(None, (_text(each, depth + 1) for each in value)))
    if isinstance(value, dict) and depth < 4:
        return "\n".join(filter(None, (_text(value.get(name), depth + 1) for name in _TEXTS)))
    return ""
