"""Windsurf: what Cascade did, recorded alone, for it shows nothing that a hook says.

Its hooks come after what went well; how a command ended, and what it wrote, they tell where they tell it.
"""

from __future__ import annotations

from engrain import light
from engrain.capture.adapters import fields, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engrain.capture.adapters import Said

SHOWS: frozenset[str] = frozenset()


def said(event: str, given: Said) -> Said | None:
    """What it told, in Claude Code's words."""
    tell = _TOLD.get(event)
    if tell is None:
        return None
    info = fields(given, "tool_info")
    about = {
        "session_id": word(given, "trajectory_id"),
        "cwd": word(info, "cwd") or word(given, "cwd"),
        "prompt_id": word(given, "execution_id"),
        "tool_use_id": _name(event, given),
    }
    return {**about, **tell(info)}


def answer(_event: str, _text: str) -> None:
    """Nothing: it reads no answer."""


def _name(event: str, given: Said) -> str:
    told = light.dumps([event, *(given.get(name) for name in ("execution_id", "timestamp", "tool_info"))], ordered=True)
    return light.sha256(told.encode("utf-8", "replace"))[:32]


def _prompted(info: Said) -> Said:
    return {"hook_event_name": "UserPromptSubmit", "prompt": word(info, "user_prompt")}


def _ran(info: Said) -> Said:
    output = "\n".join(filter(None, (word(info, name) for name in ("output", "stdout", "stderr"))))
    call = {"tool_name": "Bash", "tool_input": {"command": word(info, "command_line")}}
    code = info.get("exit_code")
    if type(code) is int and code:
        return {**call, "hook_event_name": "PostToolUseFailure", "error": output, "exit_code": code}
    answer: Any = {"stdout": output} if code == 0 else output
    return {**call, "hook_event_name": "PostToolUse", "tool_response": answer}


def _read(info: Said) -> Said:
    return {"hook_event_name": "PostToolUse", "tool_name": "Read", "tool_input": {"file_path": word(info, "file_path")}}


def _wrote(info: Said) -> Said:
    given = {"file_path": word(info, "file_path"), "edits": info.get("edits")}
    return {"hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_input": given}


def _asked(info: Said) -> Said:
    tool = f"mcp__{word(info, 'mcp_server_name')}__{word(info, 'mcp_tool_name')}"
    given = {"tool_name": tool, "tool_input": info.get("mcp_tool_arguments")}
    return {"hook_event_name": "PostToolUse", **given, "tool_response": info.get("mcp_result")}


def _replied(info: Said) -> Said:
    return {"hook_event_name": "Stop", "last_assistant_message": word(info, "response")}


_TOLD = {
    "pre_user_prompt": _prompted,
    "post_run_command": _ran,
    "post_read_code": _read,
    "post_write_code": _wrote,
    "post_mcp_tool_use": _asked,
    "post_cascade_response": _replied,
}
