"""What agents other than Claude Code tell their hooks, an example for each event that is wired: our own, in the
shape that their documentation, their source or their recorded payloads give."""

from __future__ import annotations

import json
from typing import Any

from tests.payloads import ERROR

OUTPUT = ERROR.partition("\n")[2]
"""The same failure as an agent sees it that tells no exit code."""

SHOP = "/home/dana/shop"
WHO = "dana@shop.example"

_CODEX = {
    "session_id": "019a1b2c-0000-7000-8000-000000000001",
    "transcript_path": None,
    "cwd": SHOP,
    "model": "gpt-x-codex",
    "permission_mode": "default",
    "turn_id": "turn-1",
}
_RUN = {"tool_name": "Bash", "tool_input": {"command": "python app.py"}, "tool_use_id": "call_1"}
_PATCH = "*** Begin Patch\n*** Update File: app.py\n@@\n-import orjson\n+import json\n*** End Patch"

CODEX: dict[str, dict[str, Any]] = {
    "SessionStart": {**_CODEX, "source": "startup"},
    "UserPromptSubmit": {**_CODEX, "prompt": "make the tests pass"},
    "PreToolUse": {**_CODEX, **_RUN},
    "PostToolUse": {**_CODEX, **_RUN, "tool_response": OUTPUT},
    "Stop": {**_CODEX, "stop_hook_active": False, "last_assistant_message": "All tests pass."},
    "SubagentStop": {
        **_CODEX, "stop_hook_active": False, "agent_id": "agent-1", "agent_type": "explorer",
        "agent_transcript_path": None, "last_assistant_message": "found it in app.py",
    },
    "SessionEnd": {"session_id": _CODEX["session_id"], "cwd": SHOP, "transcript_path": None, "reason": "other"},
}  # fmt: skip

_CURSOR = {
    "conversation_id": "c0ffee00-0000-4000-8000-000000000001",
    "generation_id": "gen-1",
    "model": "claude-x",
    "model_id": "claude-x-1",
    "cursor_version": "2.6.1",
    "workspace_roots": [SHOP],
    "user_email": WHO,
    "transcript_path": None,
}
_SHELL = {
    "tool_name": "Shell", "tool_input": {"command": "python app.py", "working_directory": SHOP},
    "tool_use_id": "tool_1", "cwd": SHOP, "duration": 80,
}  # fmt: skip

CURSOR: dict[str, dict[str, Any]] = {
    "sessionStart": {
        **_CURSOR, "session_id": _CURSOR["conversation_id"], "is_background_agent": False, "composer_mode": "agent",
    },
    "beforeSubmitPrompt": {**_CURSOR, "prompt": "make the tests pass", "attachments": []},
    "postToolUse": {
        **_CURSOR, **_SHELL, "tool_output": json.dumps({"exitCode": 1, "stdout": "", "stderr": OUTPUT}),
    },
    "postToolUseFailure": {
        **_CURSOR, **_SHELL, "tool_use_id": "tool_2", "failure_type": "error", "is_interrupt": False,
        "error_message": f"Command failed with exit code 1\n{OUTPUT}",
    },
    "afterAgentResponse": {**_CURSOR, "text": "All tests pass."},
    "stop": {**_CURSOR, "status": "completed", "loop_count": 0},
    "sessionEnd": {
        **_CURSOR, "session_id": _CURSOR["conversation_id"], "reason": "completed", "duration_ms": 45000,
        "final_status": "completed", "is_background_agent": False,
    },
}  # fmt: skip

_GEMINI = {
    "session_id": "6e1f2a3b-0000-4000-8000-000000000001",
    "transcript_path": "/home/dana/.gemini/tmp/shop/chats/session.json",
    "cwd": SHOP,
    "timestamp": "2026-11-18T09:30:00.000Z",
}
_SHOWN = f"Output: {OUTPUT}\nExit Code: 1\nProcess Group PGID: 4711"

GEMINI: dict[str, dict[str, Any]] = {
    "SessionStart": {**_GEMINI, "source": "startup"},
    "BeforeAgent": {**_GEMINI, "prompt": "make the tests pass"},
    "AfterTool": {
        **_GEMINI, "tool_name": "run_shell_command",
        "tool_input": {"command": "python app.py", "description": "Run it"},
        "tool_response": {"llmContent": _SHOWN, "returnDisplay": OUTPUT},
    },
    "AfterAgent": {
        **_GEMINI, "prompt": "make the tests pass", "prompt_response": "All tests pass.", "stop_hook_active": False,
    },
    "SessionEnd": {**_GEMINI, "reason": "exit"},
}  # fmt: skip

_OPENCODE = {"session_id": "ses_1a2b3c", "cwd": SHOP}

OPENCODE: dict[str, dict[str, Any]] = {
    "session.created": _OPENCODE,
    "chat.message": {**_OPENCODE, "prompt": "make the tests pass", "prompt_id": "msg_1"},
    "tool.execute.after": {
        **_OPENCODE, "tool": "bash", "call_id": "call_1",
        "args": {"command": "python app.py", "description": "Run it"}, "output": OUTPUT,
        "metadata": {"output": OUTPUT, "exit": 1, "description": "Run it"},
    },
    "tool.error": {
        **_OPENCODE, "tool": "edit", "call_id": "call_2",
        "args": {"filePath": f"{SHOP}/app.py", "oldString": "a", "newString": "b"},
        "error": "Error: oldString not found in content",
    },
    "session.idle": {**_OPENCODE, "text": "All tests pass."},
    "session.deleted": _OPENCODE,
}  # fmt: skip

_WINDSURF = {
    "trajectory_id": "traj-1",
    "execution_id": "exec-1",
    "timestamp": "2026-11-18T09:30:00Z",
    "model_name": "swe-x",
}


def _windsurf(event: str, **info: Any) -> dict[str, Any]:
    return {**_WINDSURF, "agent_action_name": event, "tool_info": info}


WINDSURF: dict[str, dict[str, Any]] = {
    "pre_user_prompt": _windsurf("pre_user_prompt", user_prompt="make the tests pass"),
    "post_read_code": _windsurf("post_read_code", file_path=f"{SHOP}/app.py"),
    "post_write_code": _windsurf(
        "post_write_code", file_path=f"{SHOP}/app.py", edits=[{"old_string": "orjson", "new_string": "json"}]
    ),
    "post_run_command": _windsurf("post_run_command", command_line="python app.py", cwd=SHOP),
    "post_mcp_tool_use": _windsurf(
        "post_mcp_tool_use", mcp_server_name="github", mcp_tool_name="list_commits", mcp_tool_arguments={"page": 1},
        mcp_result="none",
    ),
    "post_cascade_response": _windsurf("post_cascade_response", response="All tests pass."),
}  # fmt: skip

_CLINE = {
    "clineVersion": "3.40.0",
    "timestamp": "1793438400000",
    "taskId": "1793438400000",
    "workspaceRoots": [SHOP],
    "userId": WHO,
}

CLINE: dict[str, dict[str, Any]] = {
    "TaskStart": {
        **_CLINE, "hookName": "TaskStart",
        "taskStart": {"taskMetadata": {"taskId": "1793438400000", "ulid": "01", "initialTask": "make the tests pass"}},
    },
    "TaskResume": {**_CLINE, "hookName": "TaskResume", "taskResume": {"taskMetadata": {}, "previousState": {}}},
    "UserPromptSubmit": {
        **_CLINE, "hookName": "UserPromptSubmit",
        "userPromptSubmit": {"prompt": "make the tests pass", "attachments": []},
    },
    "PostToolUse": {
        **_CLINE, "hookName": "PostToolUse",
        "postToolUse": {
            "toolName": "execute_command", "parameters": {"command": "python app.py", "requires_approval": "false"},
            "result": OUTPUT, "success": False, "executionTimeMs": 80,
        },
    },
    "TaskComplete": {**_CLINE, "hookName": "TaskComplete", "taskComplete": {"taskMetadata": {}}},
    "TaskCancel": {**_CLINE, "hookName": "TaskCancel", "taskCancel": {"taskMetadata": {}}},
}  # fmt: skip

EVENTS = {
    "codex": CODEX,
    "cursor": CURSOR,
    "gemini": GEMINI,
    "opencode": OPENCODE,
    "windsurf": WINDSURF,
    "cline": CLINE,
}
"""By agent, then by the name of the event in its settings."""


_MCP = {"tool_name": "list_commits", "tool_input": "{}"}
_BEFORE = {"tool_name": "run_shell_command", "tool_input": {"command": "ls"}}

OTHERS: dict[str, dict[str, dict[str, Any]]] = {
    "codex": {
        "PermissionRequest": {**_CODEX, "tool_name": "Bash", "tool_input": {"command": "rm x"}},
        "PreCompact": {**_CODEX, "trigger": "auto"},
        "PostCompact": {**_CODEX, "trigger": "auto"},
        "SubagentStart": {**_CODEX, "agent_id": "agent-1", "agent_type": "explorer"},
    },
    "cursor": {
        "preToolUse": {**_CURSOR, **_SHELL, "agent_message": "running it"},
        "subagentStart": {**_CURSOR, "subagent_type": "explore"},
        "subagentStop": {**_CURSOR, "subagent_type": "explore", "status": "completed"},
        "beforeShellExecution": {**_CURSOR, "command": "python app.py", "cwd": SHOP, "sandbox": False},
        "afterShellExecution": {**_CURSOR, "command": "python app.py", "output": OUTPUT, "duration": 80},
        "beforeMCPExecution": {**_CURSOR, **_MCP},
        "afterMCPExecution": {**_CURSOR, **_MCP, "result_json": "{}", "duration": 80},
        "beforeReadFile": {**_CURSOR, "file_path": f"{SHOP}/app.py", "content": "import orjson"},
        "afterFileEdit": {**_CURSOR, "file_path": f"{SHOP}/app.py", "edits": [{"old_string": "a", "new_string": "b"}]},
        "preCompact": {**_CURSOR, "context_usage_percent": 90},
        "afterAgentThought": {**_CURSOR, "text": "hm", "duration_ms": 10},
        "beforeTabFileRead": {**_CURSOR, "file_path": f"{SHOP}/app.py", "content": "import orjson"},
        "afterTabFileEdit": {**_CURSOR, "file_path": f"{SHOP}/app.py", "edits": []},
        "workspaceOpen": dict(_CURSOR),
    },
    "gemini": {
        "BeforeTool": {**_GEMINI, **_BEFORE},
        "BeforeModel": {**_GEMINI, "llm_request": {"messages": []}},
        "BeforeToolSelection": {**_GEMINI, "llm_request": {"messages": []}},
        "AfterModel": {**_GEMINI, "llm_request": {"messages": []}, "llm_response": {"text": "hm"}},
        "PreCompress": {**_GEMINI, "trigger": "auto"},
        "Notification": {**_GEMINI, "notification_type": "ToolPermission", "message": "may I?", "details": {}},
    },
    "opencode": {
        "tool.execute.before": {**_OPENCODE, "tool": "bash", "call_id": "call_1", "args": {"command": "ls"}},
        "session.error": {**_OPENCODE, "error": {"name": "ProviderAuthError"}},
        "session.compacted": _OPENCODE,
        "message.updated": {**_OPENCODE, "info": {"role": "assistant"}},
        "permission.ask": {**_OPENCODE, "type": "bash", "pattern": "rm *"},
        "command.execute.before": {**_OPENCODE, "command": "fix", "arguments": ""},
    },
    "windsurf": {
        "pre_read_code": _windsurf("pre_read_code", file_path=f"{SHOP}/app.py"),
        "pre_write_code": _windsurf("pre_write_code", file_path=f"{SHOP}/app.py", edits=[]),
        "pre_run_command": _windsurf("pre_run_command", command_line="python app.py", cwd=SHOP),
        "pre_mcp_tool_use": _windsurf("pre_mcp_tool_use", mcp_server_name="github", mcp_tool_name="list_commits"),
        "post_setup_worktree": _windsurf("post_setup_worktree", worktree_path=f"{SHOP}-2"),
    },
    "cline": {
        "PreToolUse": {
            **_CLINE, "hookName": "PreToolUse",
            "preToolUse": {"toolName": "execute_command", "parameters": {"command": "python app.py"}},
        },
        "PreCompact": {**_CLINE, "hookName": "PreCompact", "preCompact": {}},
    },
}  # fmt: skip
"""Events that an agent has and that are not wired: whoever wires them all the same gets silence, and nothing breaks."""


def payload(agent: str, event: str, **more: Any) -> dict[str, Any]:
    """An event as it comes on stdin."""
    given = {**EVENTS[agent][event], **more}
    return given if agent in ("windsurf", "cline") else {"hook_event_name": event, **given}


FAILS = (
    ("codex", "PostToolUse"),
    ("cursor", "postToolUse"),
    ("cursor", "postToolUseFailure"),
    ("gemini", "AfterTool"),
    ("opencode", "tool.execute.after"),
)
"""Where each agent that shows what a hook says tells of a command that failed."""


def context(agent: str, event: str, out: str) -> str:
    """What the agent takes in of an answer, read as strictly as it reads it: an unknown key makes it void."""
    if not out:
        return ""
    said = json.loads(out)
    if agent == "cursor":
        assert said.keys() == {"additional_context"}
        return str(said["additional_context"])
    if agent == "opencode":
        assert said.keys() == {"additionalContext"}
        return str(said["additionalContext"])
    assert said.keys() == {"hookSpecificOutput"}
    inner = said["hookSpecificOutput"]
    assert inner.keys() == {"hookEventName", "additionalContext"}
    assert inner["hookEventName"] == event
    return str(inner["additionalContext"])


NAMES = frozenset({
    "hook_event_name", "agent_action_name", "hookName", "session_id", "conversation_id", "trajectory_id", "taskId",
    "cwd", "workspace_roots", "workspaceRoots", "tool_name", "tool", "toolName", "tool_use_id", "call_id",
    "file_path", "filePath", "transcript_path", "agent_transcript_path", "timestamp", "failure_type",
    "generation_id", "execution_id", "turn_id", "prompt_id", "source", "reason", "model", "mcp_server_name",
    "mcp_tool_name",
})  # fmt: skip
"""Fields that name something: everything else may hold what somebody wrote."""

CALLS = {
    "codex": ("PostToolUse",),
    "cursor": ("postToolUse",),
    "gemini": ("AfterTool",),
    "opencode": ("tool.execute.after",),
    "cline": ("PostToolUse",),
}
"""Events that tell of any tool."""
