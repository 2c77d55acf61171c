"""Handover: adapter and base become a model, it is put where it is used, and shown to work there."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator

from engrain.errors import EngrainError
from engrain.memory import Memory, training
from engrain.train import examples, points, recipe
from engrain.train import export as exports
from engrain.train.export.made import EXPORT, Exported, exported
from engrain.train.serving import http, talk
from engrain.wizard.config import PLACES
from engrain.wizard.stages import rows
from engrain.wizard.stages.adapter import FULL, RUN
from engrain.wizard.stages.machine import Check
from engrain.wizard.state import Done, digest, file_digest
from engrain.wizard.work import Work

OUT = "export"
ASKED_AT, LESS = 12, 0.25
"""Held-out places that it is asked at again, and how much worse fewer bits and so few places may make it."""
ASKED = ({"role": "system", "content": talk.SYSTEM}, {"role": "user", "content": "Read a.txt and say what it holds."})
_CALL = '<tool_call>\\n{\\"name\\": \\"Read\\", \\"arguments\\": {\\"file_path\\": \\"a.txt\\"}}\\n</tool_call>'
LOOP = f'root ::= "{_CALL}"'
"""A grammar that lets a model say nothing but the same call, turn after turn."""


def export(work: Work) -> Done:
    """One model of adapter and base."""
    out = os.path.join(work.own(OUT), work.config.name)
    if not os.path.exists(os.path.join(out, EXPORT)):
        exports.export(work.at(FULL, RUN), work.config.base, out, quants=work.config.quants,
                       context=work.config.context, progress=work.say)  # fmt: skip
    made = exported(out)
    sizes = {name: os.path.getsize(os.path.join(out, name)) for name in made.ggufs}
    with Memory.open() as memory:
        training.record(
            memory, "export", key=rows.key(work, made.digest), passed=made.gated, data=made.data, artefacts=[out],
            metrics={"context": made.context, "bytes": sum(sizes.values())}, seconds=made.seconds,
        )  # fmt: skip
    figures = {"context": made.context, **{name: f"{size / 1e6:,.0f} MB" for name, size in sizes.items()}}
    files = {os.path.relpath(os.path.join(out, EXPORT), work.config.folder): file_digest(os.path.join(out, EXPORT))}
    return Done(work.inputs, made.digest, True, f"the model is whole: {', '.join(made.ggufs)}", figures, files=files)


def install(work: Work) -> Done:
    """The model where it is used, in place of an earlier one of its name."""
    made = exported(os.path.join(work.at(OUT), work.config.name))
    where = work.config.install
    if not where:
        return Done(work.inputs, digest(made.digest), True, f"nothing was to be installed: it stays in {made.folder}")
    there = os.path.join(where, made.name)
    if where in PLACES or not _same(there, made):
        there = exports.install(made.folder, where, replace=True, progress=work.say).folder
    with Memory.open() as memory:
        training.record(memory, "install", key=rows.key(work, made.digest), passed=made.gated, data=made.data,
                        metrics={"run": work.at(FULL, RUN)}, artefacts=[there])  # fmt: skip
    return Done(work.inputs, digest(made.digest, "installed"), True, f"it is in {there}")


def _same(folder: str, made: Exported) -> bool:
    """Whether this very model is there already."""
    try:
        return exported(folder).digest == made.digest
    except EngrainError:
        return False


def verify(work: Work) -> Done:
    """The model is compared, served, talked with, and led into a loop."""
    made = exported(os.path.join(work.at(OUT), work.config.name))
    checks = [*_compared(work, made), *_served(work, made)]
    wrong = [check.name for check in checks if not check.passed]
    told = tuple({"because": "", **check._asdict()} for check in checks)
    with Memory.open() as memory:
        training.record(memory, "verify", key=rows.key(work, made.digest), passed=not wrong, data=made.data,
                        gates=list(told), artefacts=[made.folder])  # fmt: skip
    because = f"not fit for use: {', '.join(wrong)}" if wrong else "it answers, its calls are made, a loop is stopped"
    return Done(work.inputs, digest(made.digest, not wrong), not wrong, because, {}, told)


def _compared(work: Work, made: Exported) -> Iterator[Check]:
    found = exports.verify(made.folder, work.config.base, data=rows.folder(work), progress=work.say)
    for each in found.agreements:
        bound = f"≥ {each.least:.1%}" if each.least else "told alone"
        yield Check(f"{each.file}: the merged model's tokens", each.passed, f"{each.share:.2%}", bound)


def _served(work: Work, made: Exported) -> Iterator[Check]:
    path = os.path.join(made.folder, made.ggufs[-1])
    with (
        http.listening(path, 0, work.say, context=min(made.context, 4096)) as up,
        tempfile.TemporaryDirectory() as place,
    ):
        with open(os.path.join(place, "a.txt"), "w", encoding="utf-8") as file:
            file.write("The answer is 42.")
        yield _asked(work, up.url)
        yield _talks(work, up.url, place)
        yield _stopped(work, up.url, place)


def _asked(work: Work, url: str) -> Check:
    """Whether it chooses the tools that it chose when it was judged: the way through the server is that of training."""
    chosen = recipe.load(rows.folder(work))
    found = points.points(examples.read(rows.folder(work), examples.HELD), ASKED_AT, chosen.seed)
    right = sum(_tool(point, url, chosen.reply_tokens) == point.tool for point in found)
    share, judged = right / max(1, len(found)), work.before["gate"].beside["candidate"]["tool"]
    return Check("tools at held-out places", share >= judged - LESS, f"{share:.0%} right", f"≥ {judged - LESS:.0%}")


def _tool(point: points.Point, url: str, most: int) -> str:
    """The tool that is called at a place; none where nothing is."""
    messages = [{key: value for key, value in each.items() if key != "learn"} for each in point.messages]
    asked = {"messages": messages, "tools": list(point.tools), "max_tokens": most, "temperature": 0}
    calls = talk.asked(url, asked)["choices"][0]["message"].get("tool_calls") or [
        {"function": {"name": points.NOTHING}}
    ]
    return str(calls[0]["function"]["name"])


def _talks(work: Work, url: str, place: str) -> Check:
    """Whether it answers and comes to an end, its calls made for real."""
    try:
        told = talk.talk(url, ASKED, place, _said(work), max_tokens=256, temperature=0)
    except EngrainError as exc:
        return Check("a talk with real tools", False, str(exc), "comes to an end")
    calls = sum(len(message.get("tool_calls", ())) for message in told.messages)
    ended = not told.messages[-1].get("tool_calls")
    return Check("a talk with real tools", ended, f"{calls} calls", "comes to an end")


def _stopped(work: Work, url: str, place: str) -> Check:
    """Whether a loop made on purpose is stopped at the third call."""
    told = talk.talk(url, ASKED, place, _said(work), grammar=LOOP)
    calls = sum(len(message.get("tool_calls", ())) for message in told.messages)
    return Check("a loop made on purpose", calls == 2 and told.stopped == 1, f"{calls} calls", "stopped at the third")


def _said(work: Work) -> talk.Say:
    return lambda who, text: work.say(f"{who}: {' '.join(text.split())[:200]}")
