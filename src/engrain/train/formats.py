"""Formats: the same rows for other trainers. A table of names and functions; each gives lines of JSONL. Pure.

chat         messages and tools, as Qwen's and Hermes' templates take them (the rows, without our marks)
llama        the same, arguments as an object under `parameters`, results under the role `ipython`
openai       the same, arguments as text, as OpenAI's fine-tuning takes them
sft          prompt and completion, one for each step that is learned
trajectory   whole rows with their session, time and which steps are learned
preference   a call that failed and the one that went right after it, of the same tool: rejected and chosen
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from engrain.errors import BadInput
from engrain.train.examples import Row, called
from engrain.train.shape import written

FAILED = ("Exit code ", "Error", "error:", "<tool_use_error>", "Traceback")


def lines(rows: Iterable[Row], form: str) -> Iterator[str]:
    """The rows in a form, a line each."""
    if form not in FORMATS:
        raise BadInput(f"there is no form {form!r}: say {', '.join(FORMATS)}")
    for row in rows:
        for made in FORMATS[form](row):
            yield json.dumps(made, ensure_ascii=False)


def _chat(row: Row) -> Iterator[dict[str, Any]]:
    messages = [{key: value for key, value in message.items() if key != "learn"} for message in row["messages"]]
    yield {"messages": messages, "tools": row["tools"]}


def _llama(row: Row) -> Iterator[dict[str, Any]]:
    for made in _chat(row):
        messages = []
        for message in made["messages"]:
            if message.get("tool_calls"):
                function = message["tool_calls"][0]["function"]
                call = json.dumps({"name": function["name"], "parameters": function["arguments"]}, ensure_ascii=False)
                messages.append({"role": "assistant", "content": f"{message['content']}\n{call}".strip()})
            else:
                role = "ipython" if message["role"] == "tool" else message["role"]
                messages.append({"role": role, "content": message["content"]})
        yield {"messages": messages, "tools": made["tools"]}


def _openai(row: Row) -> Iterator[dict[str, Any]]:
    for made in _chat(row):
        messages = []
        for message in made["messages"]:
            calls = [
                {**call, "function": {**call["function"], "arguments": json.dumps(call["function"]["arguments"])}}
                for call in message.get("tool_calls", ())
            ]
            rest = {key: value for key, value in message.items() if key not in ("name", "tool_calls")}
            messages.append({**rest, **({"tool_calls": calls} if calls else {})})
        yield {"messages": messages, "tools": made["tools"], "parallel_tool_calls": False}


def _sft(row: Row) -> Iterator[dict[str, Any]]:
    for place, message in enumerate(row["messages"]):
        if message.get("learn"):
            said = "\n".join([message["content"], *map(written, message.get("tool_calls", ()))]).strip()
            prompt = [{k: v for k, v in each.items() if k != "learn"} for each in row["messages"][:place]]
            yield {"prompt": prompt, "completion": [{"role": "assistant", "content": said}], "tools": row["tools"]}


def _trajectory(row: Row) -> Iterator[dict[str, Any]]:
    yield row


def _preference(row: Row) -> Iterator[dict[str, Any]]:
    messages = row["messages"]
    for place, message in enumerate(messages[:-3]):
        result, later = messages[place + 1], messages[place + 2]
        again = bool(called(message)) and called(message) == called(later) and bool(later.get("learn"))
        if not again or not _failed(result) or _failed(messages[place + 3]):
            continue
        plain = [{key: value for key, value in each.items() if key != "learn"} for each in messages]
        yield {"prompt": plain[:place], "chosen": [plain[place + 2]], "rejected": [plain[place]], "tools": row["tools"]}


def _failed(message: dict[str, Any]) -> bool:
    return message["role"] == "tool" and str(message["content"]).startswith(FAILED)


FORMATS: dict[str, Callable[[Row], Iterator[dict[str, Any]]]] = {
    "chat": _chat,
    "llama": _llama,
    "openai": _openai,
    "sft": _sft,
    "trajectory": _trajectory,
    "preference": _preference,
}
