"""Shape: a call as text, and a text as a call.

Templates that know tools write them their own way. For one that does not (SmolLM2's), the tools stand in the system's
words, a line each, and a call is written between `<tool_call>` marks, as Qwen and Hermes do. What a model says is read
in either form: a call between marks, or the bare object that Llama 3 writes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engrain.train.tools import signatures

OPEN, CLOSE = "<tool_call>", "</tool_call>"
ANSWER, ANSWERED = "<tool_response>", "</tool_response>"
HOW = 'Tools, each called as <tool_call>\n{"name": …, "arguments": {…}}\n</tool_call>:'
_CALL = re.compile(re.escape(OPEN) + r"(.*?)(?:" + re.escape(CLOSE) + r"|\Z)", re.DOTALL)
_NAME = re.compile(r'\s*\{\s*"name"\s*:\s*"([^"]{1,80})"')

Message = dict[str, Any]


class Reply(NamedTuple):
    """What a model said: text, a call or none, and whether it is well-formed; `meant` is the tool that even half of a
    call names."""

    text: str
    tool: str
    given: Mapping[str, Any]
    sound: bool
    meant: str = ""

    @property
    def calls(self) -> bool:
        return bool(self.tool)


def flattened(messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> list[Message]:
    """Messages for a template that knows no tools: everything is text."""
    found: list[Message] = []
    for message in messages:
        content = str(message.get("content") or "")
        if message["role"] == "system" and tools:
            content = "\n".join([content, "", HOW, *signatures(tools)])
        if message["role"] == "assistant":
            content = "\n".join([content, *map(written, message.get("tool_calls", ()))]).strip()
        if message["role"] == "tool":
            found.append({"role": "user", "content": f"{ANSWER}\n{content}\n{ANSWERED}"})
            continue
        found.append({"role": message["role"], "content": content})
    return found


def written(call: Mapping[str, Any]) -> str:
    """A call between its marks."""
    function = call["function"]
    said = json.dumps({"name": function["name"], "arguments": function["arguments"]}, ensure_ascii=False)
    return f"{OPEN}\n{said}\n{CLOSE}"


def read(text: str) -> Reply:
    """The first call in a text; `sound` is false where half of a call stands, or a call of no form."""
    found = _CALL.search(text)
    if found is None:
        bare = _object(text)
        if bare is not None and _named(bare):
            return _reply("", bare)
        broken = CLOSE in text or text.lstrip().startswith('{"name"')
        return Reply(text.strip(), "", {}, not broken and bool(text.strip()))
    said = _object(found[1])
    closed = text[found.start() :].find(CLOSE) > 0
    if said is None or not _named(said) or not closed:
        named = _NAME.match(found[1])
        return Reply(text[: found.start()].strip(), "", {}, False, named[1] if named else "")
    return _reply(text[: found.start()].strip(), said)


def _reply(text: str, said: Mapping[str, Any]) -> Reply:
    given = said.get("arguments", said.get("parameters", {}))
    if isinstance(given, str):
        given = _object(given)
    sound = isinstance(given, dict)
    tool = str(said["name"])
    return Reply(text, tool if sound else "", given if isinstance(given, dict) else {}, sound, tool)


def _named(said: Mapping[str, Any]) -> bool:
    return isinstance(said.get("name"), str) and bool(said["name"])


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text.strip())
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
