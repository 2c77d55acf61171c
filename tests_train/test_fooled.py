"""Answers that look good from one side: what a candidate might do to pass, and the gate that sees it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import pytest

from engrain.train import gates
from engrain.train.evaluate import _of_replies, _with_plays
from engrain.train.examples import HELD
from engrain.train.gates import Case, Measured
from engrain.train.points import Answer, Question, points
from engrain.train.recipe import TIERS, Recipe
from engrain.train.rollout import games, played
from engrain.train.shape import read
from tests.test_train import made

HELD_ROWS = made(160).rows[HELD]
PLACES = points(HELD_ROWS, 140, 7)
GAMES = games(HELD_ROWS, 12)
RIGHT = {json.dumps([point.messages, point.tools]): point for point in PLACES}

Says = Callable[[Question], tuple[str, bool]]


def called(tool: str, **given: Any) -> str:
    return f"<tool_call>\n{json.dumps({'name': tool, 'arguments': given})}\n</tool_call>"


def turns(question: Question) -> int:
    return sum(message["role"] == "assistant" for message in question.messages)


def honest(question: Question) -> tuple[str, bool]:
    """What was really done, and in plays one call and an end."""
    point = RIGHT.get(json.dumps([tuple(question.messages), tuple(question.tools)]))
    if point is None:
        name = question.messages[1]["content"].split()[2].strip(",")
        first = called("Bash", command=f"cd <root> && pytest tests/test_{name}.py -k 0")
        return (first if turns(question) == 0 else "It passes."), True
    return (called(point.tool, **point.given) if point.tool else "It passes."), True


def empty(_: Question) -> tuple[str, bool]:
    return "", True


def commonest(question: Question) -> tuple[str, bool]:
    """The tool that is called most, each time with something else from the prompt."""
    return called(
        "Bash", command=f"cd <root> && pytest {turns(question)} {question.messages[-1]['content'][:40]}"
    ), True


def copied(question: Question) -> tuple[str, bool]:
    return str(question.messages[-1]["content"]), True


def cut_after_the_name(question: Question) -> tuple[str, bool]:
    text = honest(question)[0]
    return text.partition('", "arguments"')[0], False


def named_alone(question: Question) -> tuple[str, bool]:
    name = read(honest(question)[0]).tool
    return (called(name) if name else "It passes."), True


def endless(question: Question) -> tuple[str, bool]:
    return honest(question)[0], False


def again_at_the_second_turn(question: Question) -> tuple[str, bool]:
    """Right at every place; played, it makes its first call a second time, and then ends."""
    if json.dumps([tuple(question.messages), tuple(question.tools)]) in RIGHT or turns(question) > 1:
        return honest(question)
    return honest(Question(question.messages[:2], question.tools))


def silent(_: Question) -> tuple[str, bool]:
    return "It passes.", True


def measured(says: Says, **more: float) -> Measured:
    def answers(asked: list[Question]) -> list[Answer]:
        said = [says(question) for question in asked]
        return [Answer(text, ended, read(text)) for text, ended in said]

    shares = _of_replies(PLACES, answers([Question(point.messages, point.tools) for point in PLACES]))
    return _with_plays(shares, played(GAMES, answers, 4))._replace(
        **{"general": 2.0, "held": 1.0, "trained": 0.9, **more}
    )


def closed(candidate: Measured, chosen: Recipe = Recipe()) -> set[str]:  # noqa: B008
    base = measured(copied, held=2.0, trained=2.0)
    words = gates.judged(Case(chosen, candidate, base, None, base))
    assert all(word.can_fail for word in words)
    return {word.name for word in words if not word.passed}


def test_who_does_what_was_done_passes() -> None:
    assert closed(measured(honest)) == set()


@pytest.mark.parametrize(("says", "gate"), [
    (empty, "parse"), (commonest, "others"), (commonest, "nothing"), (copied, "tool"), (cut_after_the_name, "parse"),
    (cut_after_the_name, "ends"), (named_alone, "empty"), (named_alone, "arguments"), (endless, "ends"),
    (again_at_the_second_turn, "repeats"), (silent, "useful"),
])  # fmt: skip
def test_who_only_looks_good_does_not(says: Says, gate: str) -> None:
    assert gate in closed(measured(says))


def test_the_commonest_tool_does_not_pass_for_a_tiny_run_either() -> None:
    assert "others" in closed(measured(commonest), Recipe(**TIERS["tiny"]))


@pytest.mark.parametrize("name", ["general", "held", "trained", "play_repeats", "play_empty", "stops", "useful"])
def test_what_is_no_number_does_not_pass(name: str) -> None:
    assert "numbers" in closed(measured(honest)._replace(**{name: math.nan}))
    assert "numbers" in closed(measured(honest)._replace(tool=(math.nan,) * len(PLACES)))
