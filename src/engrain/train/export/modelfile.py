"""Modelfile: how Ollama is told of a model. Pure but for the renderer.

Ollama writes conversations by templates of its own kind. It knows those of the bases whose chat template writes tools,
by the template in the file; for others what stands around the words of each role is asked of the template by a probe,
and told in Ollama's way.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

FILE = "Modelfile"
_PROBES = ("qzsystemqz", "qzfirstqz", "qzanswerqz", "qzsecondqz")
_ROLES = ("system", "user", "assistant", "user")


class Turns(NamedTuple):
    """What stands before and behind the words of each role, and what asks for an answer."""

    system: tuple[str, str]
    user: tuple[str, str]
    assistant: tuple[str, str]
    asks: str


def turns(renderer: Any, *, begins: bool) -> Turns | None:
    """How a template writes a conversation; None where it can't be told, or need not. `begins`: who runs the model
    puts the first token before a text."""
    if renderer.marks.native:
        return None
    told = [{"role": role, "content": words} for role, words in zip(_ROLES, _PROBES, strict=True)]
    text, pieces = renderer.text(told, ()), []
    for words in _PROBES:
        before, found, text = text.partition(words)
        if not found:
            return None
        pieces.append(before)
    return _parted(pieces, text, renderer.marks, renderer.tokenizer.bos_token if begins else "")


def _parted(pieces: list[str], rest: str, marks: Any, first: str | None) -> Turns | None:
    """The texts between the words, each with the role that it belongs to."""
    head, after_system, after_user, after_answer = pieces
    user = after_answer.removeprefix(marks.end).lstrip("\n")
    behind = after_user.removesuffix(marks.header)
    fits = (after_answer.startswith(marks.end), after_system.endswith(user), after_user.endswith(marks.header))
    if not all(fits) or not rest.startswith(behind.rstrip("\n")) or "{{" in "".join(pieces):
        return None
    system = head.removeprefix(first or "")
    return Turns((system, after_system.removesuffix(user)), (user, behind),
                 (marks.header, after_answer.removesuffix(user)), marks.header)  # fmt: skip


def text(file: str, found: Turns | None, stop: str, context: int) -> str:
    """The Modelfile of a GGUF file that lies beside it."""
    lines = [f"FROM ./{file}"]
    if found is not None:
        lines.append(f'TEMPLATE """{template(found)}"""')
    lines += [f"PARAMETER stop {json.dumps(stop)}", f"PARAMETER num_ctx {context}"]
    return "\n".join(lines) + "\n"


def template(found: Turns) -> str:
    """The turns as Ollama writes them; no action trims the text around it."""
    chosen = "{{ else if ".join(
        f'eq .Role "{role}" }}}}{before}{{{{ .Content }}}}{behind}'
        for role, (before, behind) in (("system", found.system), ("user", found.user), ("assistant", found.assistant))
    )
    return "{{ range .Messages }}{{ if " + chosen + "{{ end }}{{ end }}" + found.asks
