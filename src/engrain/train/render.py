"""Render: a row → token ids and labels, through the model's own chat template.

A label is the token itself where the assistant speaks in a turn that is to be learned, from behind the header of its
turn to the end-of-turn token, and that one too: a model that never learned to end goes on talking. Everything else is
`NONE`. Where a turn begins and how it ends is asked of the template, by rendering a probe.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from engrain.errors import BadInput
from engrain.train.shape import flattened

NONE = -100
_PROBE = "qzprobezq"
_MARK = re.compile(r"<[^<>\s]{1,40}>")
"""How an end of turn looks where the tokenizer does not list it among its special tokens."""


class Marks(NamedTuple):
    """How a template begins an assistant's turn and ends it; `native`: it writes tools itself."""

    header: str
    end: str
    end_id: int
    native: bool


class Span(NamedTuple):
    """A turn in a text: from behind the header to behind the end; where what is said before a call ends, and where the
    tool has been named."""

    begin: int
    end: int
    said: int
    named: int


class Rendered(NamedTuple):
    """Token ids, what is asked at each place, how many turns of the assistant are learned, and how many of those
    end; the places where it is decided what is done: whether something is called, which tool, and that the turn
    ends."""

    ids: tuple[int, ...]
    labels: tuple[int, ...]
    turns: int
    ended: int
    decides: tuple[int, ...] = ()


class Renderer:
    """A tokenizer with what its template does."""

    def __init__(self, tokenizer: Any) -> None:
        if not getattr(tokenizer, "chat_template", None):
            raise BadInput("this model has no chat template: choose one that was made to follow instructions")
        self.tokenizer = tokenizer
        self.marks = _marks(tokenizer)
        self._special = [token for token in tokenizer.all_special_tokens if len(token) > 3]

    def text(self, messages: Sequence[dict[str, Any]], tools: Sequence[dict[str, Any]], *, ask: bool = False) -> str:
        """The messages as the model reads them; `ask`: with the beginning of the assistant's next turn."""
        return _rendered(self.tokenizer, messages, tools, self.marks.native, ask)

    def count(self, messages: Sequence[dict[str, Any]]) -> int:
        """About how many tokens these messages take: each with the marks around it."""
        texts = [str(each["content"]) for each in flattened(messages, ())]
        return sum(len(ids) + 9 for ids in self.tokenizer(texts, add_special_tokens=False)["input_ids"])

    def ids(self, text: str) -> list[int]:
        """The tokens of a text that was rendered."""
        return list(self.tokenizer(text, add_special_tokens=False)["input_ids"])

    def clean(self, messages: Sequence[dict[str, Any]]) -> bool:
        """Whether no text in it holds the template's own marks, which would read as another turn."""
        said = json.dumps(list(messages), ensure_ascii=False)
        return not any(mark in said for mark in self._special)

    def row(self, row: dict[str, Any]) -> Rendered:
        """A row's tokens and labels."""
        text = self.text(row["messages"], row["tools"])
        spans = self._spans(text, row["messages"])
        found = self.tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
        ids, labels = found["input_ids"], [NONE] * len(found["input_ids"])
        ended, at, decides = 0, 0, list[int]()
        for place, (begin, end) in enumerate(found["offset_mapping"]):
            while at < len(spans) and spans[at][1] <= begin:
                at += 1
            if at < len(spans) and spans[at][0] <= begin and end <= spans[at][1] and end > begin:
                labels[place] = ids[place]
                last = end == spans[at][1] and ids[place] == self.marks.end_id
                ended += last
                if last or (end > spans[at].said and begin < spans[at].named):
                    decides.append(place)
        return Rendered(tuple(ids), tuple(labels), len(spans), ended, tuple(decides))

    def _spans(self, text: str, messages: Sequence[dict[str, Any]]) -> list[Span]:
        """Where the turns that are learned stand in a text."""
        spans, at = [], 0
        for message in messages:
            if message["role"] != "assistant":
                continue
            begin = text.find(self.marks.header, at)
            stop = text.find(self.marks.end, begin + len(self.marks.header)) if begin >= 0 else -1
            if stop < 0:
                raise BadInput("the template does not write every turn of the assistant")
            at = stop + len(self.marks.end)
            if message.get("learn"):
                spans.append(_span(text, begin + len(self.marks.header), at, message))
        if text.find(self.marks.header, at) >= 0:
            raise BadInput("a text holds the header of an assistant's turn")
        return spans


def _span(text: str, begin: int, end: int, message: dict[str, Any]) -> Span:
    """A turn; one that calls nothing decides so at its end alone."""
    calls = message.get("tool_calls")
    if not calls:
        return Span(begin, end, end, end)
    content = str(message.get("content") or "").strip()
    at = text.find(content, begin, end)
    said = max(at, begin) + len(content) if at >= 0 else begin
    name = calls[0]["function"]["name"]
    named = text.find(name, said, end)
    return Span(begin, end, said, named + len(name) + 1 if named >= 0 else said)


def _rendered(tokenizer: Any, messages: Sequence[dict[str, Any]], tools: Any, native: bool, ask: bool) -> str:
    if native:
        plain = [{key: value for key, value in each.items() if key != "learn"} for each in messages]
        return str(tokenizer.apply_chat_template(plain, tools=list(tools) or None, tokenize=False,
                                                 add_generation_prompt=ask))  # fmt: skip
    flat = flattened(messages, tools)
    return str(tokenizer.apply_chat_template(flat, tokenize=False, add_generation_prompt=ask))


def _marks(tokenizer: Any) -> Marks:
    """What the template does with a probe."""
    asked: list[dict[str, Any]] = [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]
    before = _rendered(tokenizer, asked, (), False, False)
    header = _rendered(tokenizer, asked, (), False, True).removeprefix(before)
    told = _rendered(tokenizer, [*asked, {"role": "assistant", "content": _PROBE}], (), False, False)
    behind = told.partition(_PROBE)[2].strip()
    found = _MARK.match(behind)
    end = found[0] if found and tokenizer.convert_tokens_to_ids(found[0]) not in (None, tokenizer.unk_token_id) else ""
    end = next((token for token in tokenizer.all_special_tokens if behind.startswith(token)), end)
    if not header.strip() or not end:
        raise BadInput("this model's chat template does not mark the turns of the assistant, so nothing can be learned")
    # Some templates open a thought where a reply is asked for, and leave it out where one is told.
    header = header.partition("<think>")[0]
    return Marks(header, end, int(tokenizer.convert_tokens_to_ids(end)), _native(tokenizer, asked))


def _native(tokenizer: Any, asked: list[dict[str, Any]]) -> bool:
    """Whether the template writes tools, calls and results itself."""
    function = {"name": _PROBE, "description": "", "parameters": {"type": "object", "properties": {}}}
    call = {"id": "c", "type": "function", "function": {"name": _PROBE, "arguments": {"given": "qzgivenzq"}}}
    result = {"role": "tool", "tool_call_id": "c", "name": _PROBE, "content": "qzresultzq"}
    messages = [*asked, {"role": "assistant", "content": "", "tool_calls": [call]}, result]
    from jinja2 import TemplateError

    try:
        text = _rendered(tokenizer, messages, [{"type": "function", "function": function}], True, True)
    except (TemplateError, TypeError):
        return False
    return text.count(_PROBE) >= 2 and "qzgivenzq" in text and "qzresultzq" in text
