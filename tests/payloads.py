"""What Claude Code tells a hook, an example for every event: our own, in the shape that its documentation gives."""

from __future__ import annotations

import json
from typing import Any

COMMON = {
    "session_id": "5f1c2d3e-0000-4000-8000-000000000001",
    "transcript_path": "/home/dana/.claude/projects/-home-dana-shop/5f1c2d3e.jsonl",
    "cwd": "/home/dana/shop",
    "permission_mode": "default",
    "effort": {"level": "medium"},
}
PROMPT = {"prompt_id": "prompt-1"}
CALL = {
    **PROMPT,
    "tool_name": "Bash",
    "tool_input": {"command": "pytest -q", "description": "Run the tests"},
    "tool_use_id": "toolu_01A",
}
ERROR = """\
Exit code 1
Traceback (most recent call last):
  File "/home/dana/shop/app.py", line 3, in <module>
    import orjson
ModuleNotFoundError: No module named 'orjson'"""

EVENTS: dict[str, dict[str, Any]] = {
    "SessionStart": {"source": "startup", "model": "claude-x", "session_title": "shop"},
    "Setup": {"trigger": "init"},
    "InstructionsLoaded": {"file_path": "/home/dana/shop/CLAUDE.md", "memory_type": "project", "load_reason": "start"},
    "UserPromptSubmit": {**PROMPT, "prompt": "make the tests pass"},
    "UserPromptExpansion": {
        "expansion_type": "slash_command", "command_name": "fix", "command_args": "", "command_source": "project",
        "prompt": "/fix",
    },
    "PreToolUse": CALL,
    "PermissionRequest": {
        **PROMPT, "tool_name": "Bash", "tool_input": {"command": "rm x"}, "permission_suggestions": [],
    },
    "PermissionDenied": {**CALL, "reason": "auto mode"},
    "PostToolUse": {
        **CALL,
        "tool_response": {"stdout": "3 passed in 0.1s", "stderr": "", "interrupted": False, "isImage": False},
        "duration_ms": 412,
    },
    "PostToolUseFailure": {
        **CALL, "tool_use_id": "toolu_01B", "tool_input": {"command": "python app.py"}, "error": ERROR,
        "is_interrupt": False, "duration_ms": 80,
    },
    "PostToolBatch": {
        "tool_calls": [
            {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "toolu_01C", "tool_response": "a.py"}
        ]
    },
    "Notification": {"message": "waiting", "notification_type": "idle_prompt"},
    "MessageDisplay": {"turn_id": "t1", "message_id": "m1", "index": 0, "final": True, "delta": "done"},
    "SubagentStart": {"agent_id": "agent-1", "agent_type": "Explore"},
    "SubagentStop": {
        "stop_hook_active": False, "agent_id": "agent-1", "agent_type": "Explore",
        "agent_transcript_path": "/home/dana/.claude/x/agent-1.jsonl", "last_assistant_message": "found it in app.py",
        "background_tasks": [], "session_crons": [],
    },
    "TaskCreated": {"task_id": "1", "task_subject": "tests"},
    "TaskCompleted": {"task_id": "1", "task_subject": "tests"},
    "Stop": {
        "stop_hook_active": False, "last_assistant_message": "All tests pass.", "background_tasks": [],
        "session_crons": [],
    },
    "StopFailure": {"error": "rate_limit", "error_details": "429"},
    "TeammateIdle": {"teammate_name": "a", "team_name": "b"},
    "ConfigChange": {"source": "project_settings", "file_path": "/home/dana/shop/.claude/settings.json"},
    "CwdChanged": {"old_cwd": "/home/dana/shop", "new_cwd": "/home/dana/shop/web"},
    "DirectoryAdded": {"directory": "/home/dana/other", "source": "user"},
    "FileChanged": {"file_path": "/home/dana/shop/.env", "event": "change"},
    "WorktreeCreate": {"name": "feature"},
    "WorktreeRemove": {"worktree_path": "/home/dana/wt"},
    "PreCompact": {"trigger": "auto", "custom_instructions": ""},
    "PostCompact": {"trigger": "auto", "compact_summary": "we made the tests pass"},
    "SessionEnd": {"reason": "prompt_input_exit"},
    "Elicitation": {"mcp_server_name": "db", "message": "which?", "mode": "form", "requested_schema": {}},
    "ElicitationResult": {"mcp_server_name": "db", "action": "accept", "content": {"name": "x"}},
}  # fmt: skip


def payload(event: str, **more: Any) -> dict[str, Any]:
    """An event as it comes on stdin."""
    return {**COMMON, "hook_event_name": event, **EVENTS[event], **more}


CONTEXT = frozenset({
    "SessionStart", "Setup", "UserPromptSubmit", "UserPromptExpansion", "PreToolUse", "PostToolUse",
    "PostToolUseFailure", "PostToolBatch", "SubagentStart", "SubagentStop", "Stop",
})  # fmt: skip
"""Events whose `hookSpecificOutput` may have `additionalContext`."""

MOST_CONTEXT = {"SessionStart": 2048}
"""Bytes of what is said to an event; to any other 500. A session is told once what it should know."""


def problems(event: str, out: str) -> list[str]:
    """What is wrong with an answer to this event, read strictly: unknown keys are wrong."""

    if not out:
        return []
    try:
        said = json.loads(out)
    except ValueError as exc:
        return [f"not JSON: {exc}"]
    if not isinstance(said, dict) or said.keys() != {"hookSpecificOutput"}:
        return ["something else than hookSpecificOutput"]
    inner = said["hookSpecificOutput"]
    found = []
    if event not in CONTEXT:
        found.append(f"{event} takes no context")
    if inner.keys() != {"hookEventName", "additionalContext"}:
        found.append(f"unknown keys: {sorted(inner)}")
    if inner.get("hookEventName") != event:
        found.append("another event's name")
    text = inner.get("additionalContext")
    most = MOST_CONTEXT.get(event, 500)
    if not isinstance(text, str) or not text or len(text.encode()) > most:
        found.append(f"no context, or more than {most} bytes of it")
    return found
