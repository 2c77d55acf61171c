"""What agents write down of their sessions, in their own formats: small transcripts, made by hand for the tests."""

from __future__ import annotations

import json
from typing import Any

CWD = "/srv/work/shop"
SESSION = "5e551011-0000-4000-8000-000000000001"
TURN = "019f0000-0000-7000-8000-00000000000"


def lines(*records: dict[str, Any] | bytes) -> bytes:
    """A file of records; bytes stand as they are."""
    return b"".join(r if isinstance(r, bytes) else json.dumps(r).encode() + b"\n" for r in records)


def stamp(second: float) -> str:
    whole = int(second)
    return f"2026-03-01T10:{whole // 60:02d}:{whole % 60:02d}.{round((second - whole) * 1000):03d}Z"


# Claude Code


def line(second: float, kind: str, message: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "parentUuid": None,
        "isSidechain": False,
        "userType": "external",
        "cwd": CWD,
        "sessionId": SESSION,
        "version": "2.1.45",
        "gitBranch": "main",
        "type": kind,
        "message": {"role": kind, **message},
        "uuid": f"{kind}-{second}",
        "timestamp": stamp(second),
        **more,
    }


def asks(second: float, content: Any, **more: Any) -> dict[str, Any]:
    """Somebody says something."""
    return line(second, "user", {"content": content}, **more)


def says(second: float, text: str, **more: Any) -> dict[str, Any]:
    """The agent says something."""
    return line(second, "assistant", {"model": "m", "content": [{"type": "text", "text": text}]}, **more)


def uses(second: float, call: str, tool: str, more: dict[str, Any] | None = None, **given: Any) -> dict[str, Any]:
    """The agent uses a tool."""
    block = {"type": "tool_use", "id": call, "name": tool, "input": given}
    return line(second, "assistant", {"model": "m", "content": [block]}, **(more or {}))


def gets(second: float, call: str, content: Any, error: bool | None = None, **more: Any) -> dict[str, Any]:
    """The tool answers."""
    block = {"type": "tool_result", "tool_use_id": call, "content": content}
    return line(second, "user", {"content": [block if error is None else {**block, "is_error": error}]}, **more)


NOISE: tuple[dict[str, Any] | bytes, ...] = (
    {"type": "file-history-snapshot", "messageId": "m", "snapshot": {"trackedFileBackups": {}}},
    {"type": "summary", "summary": "Fixing the shop", "leafUuid": "u"},
    {"type": "queue-operation", "operation": "enqueue", "timestamp": stamp(1), "content": "later"},
    {"type": "a-type-of-next-year", "payload": [1, 2, {"message": {}}]},
    {"type": "system", "subtype": "compact_boundary", "timestamp": stamp(1)},
    b"\n",
    b"[1, 2]\n",
    b'"just a text"\n',
    b"null\n",
)


# Codex


def rollout(second: float, kind: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": stamp(second), "type": kind, "payload": payload}


def meta(second: float = 0, **more: Any) -> dict[str, Any]:
    about = {"id": SESSION, "cwd": CWD, "cli_version": "0.142.4", "git": {"branch": "main"}}
    return rollout(second, "session_meta", **{**about, **more})


def heard(second: float, text: str, who: str = "user", **more: Any) -> dict[str, Any]:
    """What was said, as the model has it."""
    kind = "input_text" if who == "user" else "output_text"
    return rollout(second, "response_item", type="message", role=who, content=[{"type": kind, "text": text}], **more)


def shown(second: float, text: str, who: str = "user") -> dict[str, Any]:
    """What was said, as the screen has it."""
    return rollout(second, "event_msg", type=f"{who}_message", message=text)


def ran(second: float, call: str, command: str, tool: str = "exec_command", **more: Any) -> dict[str, Any]:
    given = json.dumps({"cmd": command, "workdir": CWD, **more})
    return rollout(second, "response_item", type="function_call", name=tool, arguments=given, call_id=call)


def answered(second: float, call: str, output: Any, kind: str = "function_call_output") -> dict[str, Any]:
    return rollout(second, "response_item", type=kind, call_id=call, output=output)


def ended(code: int, output: str, wall: float = 0.5) -> str:
    """How newer versions tell of a command that ended."""
    return (
        f"Chunk ID: ab12\nWall time: {wall:.4f} seconds\nProcess exited with code {code}\n"
        f"Original token count: 9\nOutput:\n{output}"
    )
