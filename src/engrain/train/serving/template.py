"""Template: messages → the text that the model reads, by its own chat template and as training rendered it; and what
ends a turn. The template comes with the model: it is run in a sandbox and sees nothing but the messages."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from engrain.errors import BadInput
from engrain.train.render import Renderer
from engrain.train.serving.header import Header

Message = dict[str, Any]
CONTROL = 3
"""How GGUF tells a token of its own meaning from text."""
_KEPT_APART = "\u200b"


class Tokens:
    """What a header knows of tokens and their template, as `Renderer` asks for it."""

    def __init__(self, header: Header) -> None:
        about = header.about
        self.tokens: Sequence[str] = about.get("tokenizer.ggml.tokens", ())
        self.chat_template = str(about.get("tokenizer.chat_template", ""))
        kinds = about.get("tokenizer.ggml.token_type", ())
        control = [text for text, kind in zip(self.tokens, kinds, strict=False) if kind == CONTROL]
        self.eos, self.bos = self._named(about, "eos"), self._named(about, "bos")
        self.all_special_tokens = list(dict.fromkeys([*filter(None, (self.eos, self.bos)), *control]))
        self.unk_token_id = about.get("tokenizer.ggml.unknown_token_id")
        self._ids = {text: place for place, text in enumerate(self.tokens)}
        self._compiled: Any = None

    def _named(self, about: Mapping[str, Any], name: str) -> str:
        place = about.get(f"tokenizer.ggml.{name}_token_id", -1)
        return self.tokens[place] if 0 <= place < len(self.tokens) else ""

    def convert_tokens_to_ids(self, text: str) -> int | None:
        """The number of a token."""
        return self._ids.get(text)

    def apply_chat_template(
        self, messages: Sequence[Message], *, tools: Any = None, add_generation_prompt: bool = False, **_: Any
    ) -> str:
        """The messages as one text."""
        if self._compiled is None:
            self._compiled = _environment().from_string(self.chat_template)
        return str(self._compiled.render(
            messages=list(messages), tools=tools, add_generation_prompt=add_generation_prompt, bos_token=self.bos,
            eos_token=self.eos,
        ))  # fmt: skip


class Template:
    """How this model is asked, and where it stops."""

    def __init__(self, header: Header) -> None:
        from jinja2 import TemplateError

        self.tokens = Tokens(header)
        try:
            self.renderer = Renderer(self.tokens)
        except BadInput as exc:
            raise BadInput(f"{header.path}: {exc}") from exc
        except TemplateError as exc:
            raise BadInput(f"{header.path}: its chat template can't be run: {exc}") from exc
        self.stops = self._stops()

    def _stops(self) -> list[str]:
        """The end of a turn, the end of everything, and the beginning of anybody's next turn."""
        marks, special = self.renderer.marks, self.tokens.all_special_tokens
        begins = [token for token in special if marks.header.lstrip().startswith(token)]
        return list(dict.fromkeys(filter(None, (marks.end, self.tokens.eos, *begins))))

    def text(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> str:
        """What the model reads, up to where its answer begins."""
        from jinja2 import TemplateError

        try:
            return self.renderer.text(self._safe(messages), tools, ask=True)  # type: ignore[arg-type]
        except (TemplateError, TypeError) as exc:
            raise BadInput(f"the model's chat template can't write these messages: {exc}") from exc

    def prompt(self, text: str) -> list[int | str] | str:
        """The same for the engine: a mark at the beginning as its number, so that none is put before it."""
        first = next((token for token in self.tokens.all_special_tokens if text.startswith(token)), "")
        number = self.tokens.convert_tokens_to_ids(first) if first else None
        return text if number is None else [number, text[len(first) :]]

    def _safe(self, messages: Sequence[Message]) -> list[Message]:
        """The messages, with nothing in them that the model would read as another turn."""
        said = json.dumps(list(messages), ensure_ascii=False)
        for token in self.tokens.all_special_tokens:
            if len(token) > 3 and (written := json.dumps(token, ensure_ascii=False)[1:-1]) in said:
                said = said.replace(written, written[0] + _KEPT_APART + written[1:])
        return list(json.loads(said))


def _environment() -> Any:
    from jinja2 import TemplateError
    from jinja2.ext import loopcontrols
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    def raised(message: str) -> None:
        raise TemplateError(message)

    def plain(value: Any, **how: Any) -> str:
        return json.dumps(value, **{"ensure_ascii": False, **how})

    found = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols])
    found.filters["tojson"] = plain
    found.globals["raise_exception"] = raised
    found.globals["strftime_now"] = lambda form: datetime.now().astimezone().strftime(form)
    return found
