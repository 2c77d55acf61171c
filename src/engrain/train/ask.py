"""Ask: questions → the model's own words, many at a time, as they would be where it is served: the likeliest token each
time, and in place of a call that was made already another one, unless the model insists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from engrain.train import base as bases
from engrain.train.device import Device
from engrain.train.points import Answer, Question
from engrain.train.render import Renderer
from engrain.train.serving import guard
from engrain.train.serving.calls import Call
from engrain.train.shape import OPEN, read

BASE, CANDIDATE, INCUMBENT = "base", "candidate", "incumbent"


class Model:
    """A model that answers."""

    def __init__(self, model: Any, renderer: Renderer, device: Device, *, most: int, length: int, at_once: int) -> None:
        self.model, self.renderer, self.device = model.eval(), renderer, device
        self.most, self.length, self.at_once = most, length, at_once

    def answers(self, questions: Sequence[Question]) -> list[Answer]:
        """An answer for each question, in their order."""
        found = self._answers([self._ids(question) for question in questions])
        for number in range(guard.TRIES):
            places = [place for place, answer in enumerate(found) if _repeats(questions[place], answer)]
            torch.manual_seed(number)
            others = self._answers([self._ids(questions[place], found[place]) for place in places], drawn=True)
            for place, other in zip(places, others, strict=True):
                if other.ended and other.reply.calls and not _repeats(questions[place], other):
                    found[place] = _answer(f"{_begun(found[place])}\n{other.text}".strip(), True)
        return found

    def _answers(self, asked: Sequence[list[int]], *, drawn: bool = False) -> list[Answer]:
        order = sorted(range(len(asked)), key=lambda place: len(asked[place]))
        found: dict[int, Answer] = {}
        for at in range(0, len(order), self.at_once):
            some = order[at : at + self.at_once]
            found.update(zip(some, self._batch([asked[place] for place in some], drawn), strict=True))
        return [found[place] for place in range(len(asked))]

    def _ids(self, question: Question, said: Answer | None = None) -> list[int]:
        """What is asked; with what was `said` before a call, that comes again."""
        text = self.renderer.text(question.messages, question.tools, ask=True)
        ids = self.renderer.ids(text + (_begun(said) if said else ""))
        # A question that outgrew the window keeps its beginning and its end.
        return ids if len(ids) <= self.length else ids[: self.length // 3] + ids[-(self.length - self.length // 3) :]

    def _batch(self, asked: list[list[int]], drawn: bool) -> Iterator[Answer]:
        marks, tokenizer = self.renderer.marks, self.renderer.tokenizer
        longest = max(map(len, asked))
        ids = torch.full((len(asked), longest), marks.end_id, dtype=torch.long)
        mask = torch.zeros_like(ids)
        for place, each in enumerate(asked):
            ids[place, longest - len(each) :] = torch.tensor(each)
            mask[place, longest - len(each) :] = 1
        how = guard.ANOTHER if drawn else dict.fromkeys(guard.ANOTHER)
        with torch.no_grad():
            out = self.model.generate(
                input_ids=ids.to(self.device.device), attention_mask=mask.to(self.device.device), do_sample=drawn,
                max_new_tokens=self.most, eos_token_id=marks.end_id, pad_token_id=marks.end_id, use_cache=True,
                repetition_penalty=None, **how,
            )  # fmt: skip
        for row in out[:, longest:].tolist():
            ended = marks.end_id in row
            text = tokenizer.decode(row[: row.index(marks.end_id)] if ended else row, skip_special_tokens=False).strip()
            yield _answer(text, ended)


def _answer(text: str, ended: bool) -> Answer:
    return Answer(text, ended, read(text))


def _begun(said: Answer) -> str:
    """What stands before a call."""
    return said.text.partition(OPEN)[0].rstrip() if OPEN in said.text else ""


def _repeats(question: Question, answer: Answer) -> bool:
    """Whether an answer calls what was called already since somebody last asked."""
    made = [Call(answer.reply.tool, answer.reply.given)] if answer.reply.calls else []
    return guard.repeated(guard.before(question.messages), made)


@contextmanager
def opened(
    path: str, adapter: str, device: Device, renderer: Renderer, *, most: int, length: int, at_once: int
) -> Iterator[Model]:
    """A base, or with an adapter merged into it, ready to be asked; let go of afterwards."""
    model = bases.model(path, device.dtype)
    if adapter:
        model = bases.adapted(model, adapter).merge_and_unload()
    model = model.to(device.device)
    model.config.use_cache = True
    try:
        yield Model(model, renderer, device, most=most, length=length, at_once=at_once)
    finally:
        del model
        if device.device.type == "cuda":
            torch.cuda.empty_cache()
