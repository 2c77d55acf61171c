"""Evaluate: candidate, base and incumbent at the same held-out places → measurements → gates → a report.

out/REPORT.json    everything, written last          out/report.svg    the shares, beside each other
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch

from engrain.errors import BadInput
from engrain.paths import replace_file
from engrain.train import base as bases
from engrain.train import examples, general, pack, plot
from engrain.train.ask import BASE, CANDIDATE, INCUMBENT, opened
from engrain.train.device import Device
from engrain.train.gates import Case, Interval, Judged, Measured, digest, interval, judged, mean, paired
from engrain.train.points import NOTHING, Answer, Pairs, Point, Question, alike, points, told
from engrain.train.recipe import Recipe
from engrain.train.render import NONE, Renderer
from engrain.train.rollout import Game, Played, games, lacking, played
from engrain.train.shape import Reply

REPORT = "REPORT.json"
PAIRS = "tool pairs"
ADAPTER = "adapter"
PLAYED = ("play_repeats", "play_empty", "stops", "useful", "general", "held", "trained")
SHARES = ("parsed", "ended", "tool", "arguments", "near", "decision", "nothing", "others", "repeats", "empty")
AT_ONCE = {"cuda": 256, "mps": 8, "cpu": 8}

Say = Callable[[str], None]


class Report(NamedTuple):
    """Every gate's word, what was measured of whom, and whether the way is open."""

    passed: bool
    gates: tuple[Judged, ...]
    measured: dict[str, Measured]
    gains: dict[str, dict[str, Interval]]
    number: int
    seconds: float


class Asked(NamedTuple):
    """What all models are asked."""

    places: tuple[Point, ...]
    games: tuple[Game, ...]
    held: tuple[Any, ...]
    trained: tuple[Any, ...]
    general: tuple[Any, ...]


def evaluate(
    data: str, model_path: str, adapter: str, incumbent: str, recipe: Recipe, device: Device, say: Say
) -> Report:
    """Asks all of them and judges; the adapter and the incumbent are folders of adapters (the latter may be empty)."""
    began = time.monotonic()
    exam = Exam(data, model_path, recipe, device)
    say(f"{len(exam.asked.places)} places of held-out sessions, {len(exam.asked.games)} sessions to play")
    found: dict[str, Measured] = {}
    for name, folder in ((BASE, ""), (CANDIDATE, adapter), *([(INCUMBENT, incumbent)] if incumbent else [])):
        found[name] = exam.measured(folder)
        say(f"{name}: {line(found[name])}  ({time.monotonic() - began:.0f} s)")
    report = exam.report(found, time.monotonic() - began)
    say(f"{PAIRS}: {line(report.measured[PAIRS])}")
    return report


class Exam:
    """The questions, the same for whoever is asked."""

    def __init__(self, data: str, model_path: str, recipe: Recipe, device: Device) -> None:
        self._path, self._recipe, self._device = model_path, recipe, device
        self._renderer = Renderer(bases.tokenizer(model_path))
        held, trained = examples.read(data, examples.HELD), examples.read(data, examples.TRAIN)
        self._pairs = Pairs(trained)
        self.asked = _asked(held, trained, self._renderer, recipe)

    def measured(self, adapter: str) -> Measured:
        """What the base does, or an adapter on it."""
        return _measured(self._path, adapter, self._device, self._renderer, self.asked, self._recipe)

    def report(self, found: dict[str, Measured], seconds: float) -> Report:
        """Every gate's word on the candidate among those who were asked."""
        table = [Answer("", True, self._pairs.reply(point)) for point in self.asked.places]
        found = {**found, PAIRS: _of_replies(self.asked.places, table)}
        mine = found[CANDIDATE]
        words = tuple(judged(Case(self._recipe, mine, found[BASE], found.get(INCUMBENT), found[PAIRS])))
        gains = {of: {name: paired(mine, other, of) for name, other in found.items() if name != CANDIDATE}
                 for of in SHARES if of not in ("nothing", "others", "empty")}  # fmt: skip
        passed = all(word.passed for word in words)
        return Report(passed, words, found, gains, len(self.asked.places), round(seconds, 1))


def _asked(held: Sequence[Any], trained: Sequence[Any], renderer: Renderer, recipe: Recipe) -> Asked:
    room = recipe.reply_tokens - 24
    fitting = [point for point in points(held, 4 * recipe.points, recipe.seed) if _size(point, renderer) <= room]
    if not fitting:
        raise BadInput(f"no held-out row has a reply of at most {room} tokens: nothing can be asked")
    return Asked(
        tuple(fitting[: recipe.points]),
        tuple(games(held, recipe.rollouts)),
        tuple(renderer.row(row) for row in _some(held, recipe.looked_at)),
        tuple(renderer.row(row) for row in _some(trained, recipe.looked_at)),
        tuple(renderer.row(row) for row in general.rows()),
    )


def _size(point: Point, renderer: Renderer) -> int:
    """About how many tokens the call is that was really made."""
    return len(renderer.ids(told(point.given))) if point.tool else 0


def _some(rows: Sequence[Any], number: int) -> list[Any]:
    return list(rows[:: max(1, len(rows) // max(1, number))])[:number]


def _measured(
    model_path: str, adapter: str, device: Device, renderer: Renderer, asked: Asked, recipe: Recipe
) -> Measured:
    at_once = AT_ONCE[device.device.type]
    with opened(
        model_path, adapter, device, renderer, most=recipe.reply_tokens, length=recipe.length, at_once=at_once
    ) as model:
        answers = model.answers([Question(point.messages, point.tools) for point in asked.places])
        shares = _of_replies(asked.places, answers)
        plays = played(asked.games, model.answers, recipe.turns)
        costs = [_cost(model.model, texts, device) for texts in (asked.general, asked.held, asked.trained)]
    return _with_plays(shares, plays)._replace(general=costs[0], held=costs[1], trained=costs[2])


def _of_replies(places: Sequence[Point], answers: Sequence[Answer]) -> Measured:
    """For each place what was right."""
    rows = [_right(point, answer) for point, answer in zip(places, answers, strict=True)]
    columns = {name: tuple(row[name] for row in rows) for name in rows[0]} if rows else {}
    still = tuple(row["decision"] for row, point in zip(rows, places, strict=True) if point.tool == NOTHING)
    said = Counter(answer.reply.tool or answer.reply.meant for answer in answers)
    usual = said.most_common(1)[0][0] if said else NOTHING
    others = tuple(row["tool"] for row, point in zip(rows, places, strict=True) if point.tool != usual)
    sessions = tuple(point.session for point in places)
    values: dict[str, Any] = {**columns, "nothing": still, "others": others, **dict.fromkeys(PLAYED, 0.0)}
    return Measured(sessions, **values)


def _right(point: Point, answer: Answer) -> dict[str, float]:
    reply = answer.reply
    # A reply that is no reply is no decision to keep still.
    still = reply.sound and answer.ended and not reply.calls
    # Half a call is a wrong parse and no arguments; the tool that it names was chosen all the same.
    tool = (reply.tool or reply.meant) == point.tool if point.tool else still
    exact = reply.calls and tool and told(reply.given) == told(point.given)
    made = (reply.tool, told(reply.given))
    needed = {each["function"]["name"]: each["function"]["parameters"].get("required", ()) for each in point.tools}
    return {
        "parsed": float(reply.sound),
        "ended": float(answer.ended),
        "tool": float(tool),
        "arguments": float(exact if point.tool else still),
        "near": _near(point, reply, tool),
        "decision": float(bool(reply.tool or reply.meant) if point.tool else still),
        "repeats": float(reply.calls and made in point.before and made != (point.tool, told(point.given))),
        "empty": float(reply.calls and lacking(reply, needed.get(reply.tool, ()))),
    }


def _near(point: Point, reply: Reply, tool: bool) -> float:
    if not tool or (point.tool and not reply.calls):
        return 0.0
    return alike(reply.given, point.given) if point.tool else 1.0


def _with_plays(found: Measured, plays: Sequence[Played]) -> Measured:
    turns = sum(len(play.replies) for play in plays) or 1
    number = len(plays) or 1
    return found._replace(
        play_repeats=sum(play.repeats for play in plays) / turns,
        play_empty=sum(play.empty for play in plays) / turns,
        stops=sum(play.stopped for play in plays) / number,
        useful=sum(play.useful for play in plays) / number,
    )


def _cost(model: Any, texts: Sequence[Any], device: Device) -> float:
    """The mean loss of what is asked in these texts."""
    total, asked = 0.0, 0
    with torch.no_grad():
        for text in texts:
            row = pack.batch([(0,)], [text], len(text.ids), fixed=False).to(device.device)
            logits = model(input_ids=row.ids, position_ids=row.positions, use_cache=False).logits[0, :-1]
            labels = row.labels[0, 1:]
            places = (labels != NONE).nonzero().squeeze(1)
            total += float(torch.nn.functional.cross_entropy(logits[places].float(), labels[places], reduction="sum"))
            asked += len(places)
    return total / max(1, asked)


def line(found: Measured) -> str:
    shares = "  ".join(f"{name} {mean(getattr(found, name)):.1%}" for name in SHARES)
    if not found.held:
        return shares
    return (f"{shares}  played: again {found.play_repeats:.1%}, empty {found.play_empty:.1%}, stops {found.stops:.0%},"
            f" useful {found.useful:.0%}  loss: held {found.held:.3f}, general {found.general:.3f}")  # fmt: skip


def write(folder: str, report: Report, about: dict[str, Any]) -> None:
    """The report in the folder of a run, with which adapter it is about."""
    os.makedirs(folder, mode=0o700, exist_ok=True)
    weights = os.path.join(folder, ADAPTER, "adapter_model.safetensors")
    about = {**about, **({"adapter": bases.file_digest(weights)} if os.path.exists(weights) else {})}
    bars = {f"{name}: {of}": mean(getattr(found, of)) for of in ("tool", "near", "repeats")
            for name, found in report.measured.items()}  # fmt: skip
    replace_file(os.path.join(folder, "report.svg"), plot.bars("Held-out places", bars).encode())
    told_ = {**about, **plain(report)}
    told_["digest"] = digest(told_)
    replace_file(os.path.join(folder, REPORT), json.dumps(told_, indent=2, ensure_ascii=False).encode())


def plain(report: Report) -> dict[str, Any]:
    """The report as JSON has it: shares with their intervals in place of every single answer."""
    measured = {}
    for name, found in report.measured.items():
        shares = {of: [round(x, 4) for x in _interval(found, of)] for of in SHARES}
        rest = {of: round(value, 4) for of, value in found._asdict().items() if of not in (*SHARES, "sessions")}
        measured[name] = {**shares, **rest}
    return {
        "passed": report.passed,
        "points": report.number,
        "gates": [word._asdict() for word in report.gates],
        "measured": measured,
        "gains": {of: {name: [round(x, 4) for x in gain] for name, gain in found.items()}
                  for of, found in report.gains.items()},
        "seconds": report.seconds,
    }  # fmt: skip


def _interval(found: Measured, of: str) -> Interval:
    values = getattr(found, of)
    return interval(values, found.sessions if len(values) == len(found.sessions) else ())
