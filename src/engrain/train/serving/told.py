"""Told: a turn → the answer's JSON, whole or in pieces. Pure."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple

from engrain.train.serving.turn import Shown, Turn

DONE = b"data: [DONE]\n\n"


class Ended(NamedTuple):
    """Why a turn ended (`stop`, `length`; empty: it was told to), and what it took in tokens."""

    reason: str
    read: int
    written: int


class Head(NamedTuple):
    """What every piece of an answer carries."""

    id: str
    created: int
    model: str


def head(model: str, now: int) -> Head:
    """The head of a new answer."""
    return Head(f"chatcmpl-{secrets.token_hex(12)}", now, model)


def whole(head: Head, turn: Turn, ended: Ended) -> dict[str, Any]:
    """The answer at once."""
    message: dict[str, Any] = {"role": "assistant", "content": turn.text or None}
    if turn.thought:
        message["reasoning_content"] = turn.thought
    if turn.calls:
        message["tool_calls"] = _calls(turn)
    choice = {"index": 0, "message": message, "finish_reason": _reason(turn, ended), "logprobs": None}
    return {**_carried(head, "chat.completion"), "choices": [choice], "usage": _usage(ended), **_stopped(turn)}


def first(head: Head) -> bytes:
    """Who speaks."""
    return _piece(head, {"role": "assistant", "content": ""}, None)


def more(head: Head, shown: Shown) -> bytes:
    """What was thought and said now; nothing where nothing was."""
    thought = _piece(head, {"reasoning_content": shown.thought}, None) if shown.thought else b""
    return thought + (_piece(head, {"content": shown.text}, None) if shown.text else b"")


def last(head: Head, turn: Turn, ended: Ended, *, usage: bool) -> bytes:
    """The calls, why it ended, what it took."""
    calls = [{"index": place, **call} for place, call in enumerate(_calls(turn))]
    said = _piece(head, {"tool_calls": calls}, None) if calls else b""
    said += _piece(head, {}, _reason(turn, ended), **_stopped(turn))
    if usage:
        said += _line({**_carried(head, "chat.completion.chunk"), "choices": [], "usage": _usage(ended)})
    return said + DONE


def wrong(message: str, kind: str = "invalid_request_error") -> dict[str, Any]:
    """An error as OpenAI's clients read it."""
    return {"error": {"message": message, "type": kind, "param": None, "code": None}}


def wrong_piece(message: str) -> bytes:
    """The same, where an answer has begun already."""
    return _line(wrong(message)) + DONE


def _piece(head: Head, delta: Mapping[str, Any], reason: str | None, **also: Any) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": reason, "logprobs": None}
    return _line({**_carried(head, "chat.completion.chunk"), "choices": [choice], **also})


def _line(value: Mapping[str, Any]) -> bytes:
    return b"data: " + json.dumps(value, ensure_ascii=False).encode("utf-8", "replace") + b"\n\n"


def _carried(head: Head, kind: str) -> dict[str, Any]:
    return {"id": head.id, "object": kind, "created": head.created, "model": head.model}


def _calls(turn: Turn) -> list[dict[str, Any]]:
    return [
        {"id": f"call_{secrets.token_hex(8)}", "type": "function",
         "function": {"name": call.tool, "arguments": json.dumps(call.given, ensure_ascii=False)}}
        for call in turn.calls
    ]  # fmt: skip


def _reason(turn: Turn, ended: Ended) -> str:
    return "tool_calls" if turn.calls else "length" if ended.reason == "length" else "stop"


def _usage(ended: Ended) -> dict[str, int]:
    return {"prompt_tokens": ended.read, "completion_tokens": ended.written, "total_tokens": ended.read + ended.written}


def _stopped(turn: Turn) -> dict[str, Any]:
    """What the guard did, for programs; OpenAI's clients pass over it."""
    return {"engrain": {"stopped": turn.stopped.why}} if turn.stopped else {}
