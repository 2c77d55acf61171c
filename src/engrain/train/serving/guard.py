"""Guard: calls that were made and are about to be made → which of them go out, and what is said in place of the rest.

A model that goes in circles is stopped at the third time: the same call with the same arguments, a call without what
its tool needs, the same answer, the same words over and over. It is told in words, in the answer itself, because that
is what agent and model both read. What came before somebody asked anew does not count.

Before it comes to that, a call that was made already is not taken at the first word: the model is asked for another,
and what it insists on goes out. So it is where gates ask a model, too. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engrain.train.serving.calls import Call

Message = Mapping[str, Any]

MOST = 3
"""The time at which it is stopped."""
ROUND = 3
"""So many calls, made in turns over and over, are a loop as well."""
TRIES = 2
"""How often another call is asked for in place of one that was made already."""
ANOTHER: Mapping[str, float] = {"temperature": 0.6, "top_p": 0.95, "top_k": 40}
"""How it is drawn: what a model is sure of comes out again."""
SAME, EMPTY, ANSWER, WORDS = "same call", "empty arguments", "same answer", "repeated text"
_TIMES = {2: "second", 3: "third", 4: "fourth", 5: "fifth"}


class Rules(NamedTuple):
    """At which time the same call is stopped, and what each tool never goes without."""

    most: int = MOST
    needed: Mapping[str, Sequence[str]] = {}


class Stopped(NamedTuple):
    """Why something does not go out, and what is said in its place."""

    why: str
    hint: str


class Before(NamedTuple):
    """What the agent did and said since somebody last asked, the oldest first."""

    calls: tuple[Call, ...]
    answers: tuple[str, ...]


def before(messages: Sequence[Message]) -> Before:
    """What a conversation shows: its last calls, and the last answers that called nothing.

    A message of the user begins anew only behind an answer that ended its turn: what agents slip in between a call
    and the next one does not."""
    calls: list[Call] = []
    answers: list[str] = []
    ended = False
    for message in messages:
        if message["role"] == "user" and ended:
            calls.clear()
        if message["role"] == "assistant":
            told = message.get("tool_calls", ())
            made = [Call(each["function"]["name"], each["function"]["arguments"]) for each in told]
            calls += made
            answers = [] if made else [*answers, message["content"].strip()]
            ended = not made
    return Before(tuple(calls), tuple(answers))


def repeated(earlier: Before, calls: Sequence[Call]) -> bool:
    """Whether what would be called first was called already."""
    return bool(calls) and calls[0].key in {call.key for call in earlier.calls}


def looked(earlier: Before, calls: Sequence[Call], rules: Rules) -> tuple[tuple[Call, ...], Stopped | None]:
    """The calls that may go out, and why the next one may not."""
    told = list(earlier.calls)
    for place, call in enumerate(calls):
        told.append(call)
        last = told[-rules.most :]
        if number := _going_round(told, rules.most):
            return tuple(calls[:place]), Stopped(SAME, _same(call, rules.most, number))
        if len(last) == rules.most and all(lacking(each, rules) for each in last):
            return tuple(calls[:place]), Stopped(EMPTY, _empty(call, rules))
    return tuple(calls), None


def _going_round(told: Sequence[Call], most: int) -> int:
    """How many calls the last ones do over and over, the last of them for the `most`th time; 0 where they do not."""
    keys = [call.key for call in told[-ROUND * most :]]
    return next((size for size in range(1, min(ROUND, len(keys) // most) + 1)
                 if keys[-size * most :] == keys[-size:] * most), 0)  # fmt: skip


def lacking(call: Call, rules: Rules) -> list[str]:
    """What a call goes without that its tool needs."""
    return [name for name in rules.needed.get(call.tool, ()) if str(call.given.get(name, "")).strip() == ""]


def again(earlier: Before, text: str, rules: Rules) -> Stopped | None:
    """Whether an answer is the same as those before it; a short one may well be."""
    last = [*earlier.answers, text.strip()][-rules.most :]
    if len(last) < rules.most or len(set(last)) > 1 or len(text.strip()) < 40:
        return None
    return Stopped(ANSWER, f"[Stopped: this is the same answer for the {_time(rules.most)} time in a row. Say what you"
                           " need to know, or go about it another way.]")  # fmt: skip


class Circle(NamedTuple):
    """How long a piece that is said over and over must be in all, and how often it must be said."""

    size: int
    times: int


IN_TEXT, IN_CALL = Circle(240, 6), Circle(1200, 12)
"""What a call writes to a file may well be uniform."""
_LONGEST = 240


def circling(text: str, bound: Circle) -> bool:
    """Whether a text ends in the same piece over and over."""
    for size in range(1, min(_LONGEST, len(text) // bound.times) + 1):
        times = max(bound.times, -(-bound.size // size))
        if len(text) >= size * times and text[-size * times :] == text[-size:] * times and not text[-size:].isspace():
            return True
    return False


def circled() -> Stopped:
    """What is said where a text went in circles."""
    return Stopped(WORDS, "[Stopped: the same words were written over and over. What was said until here stands; ask"
                          " again, or ask for less at a time.]")  # fmt: skip


def _same(call: Call, most: int, number: int) -> str:
    also = f", in turns with {number - 1} other call{'s' if number > 2 else ''}" if number > 1 else ""
    return (f"[Stopped: {call.tool} was about to be called for the {_time(most)} time in a row with the same arguments"
            f"{also}. Its result stands above and will be the same again. Use it, try something else, or say what is"
            " missing.]")  # fmt: skip


def _empty(call: Call, rules: Rules) -> str:
    return (f"[Stopped: {call.tool} was about to be called without {', '.join(lacking(call, rules))}, the"
            f" {_time(rules.most)} call in a row that lacks what its tool needs. Say which value is meant, or ask for"
            " it.]")  # fmt: skip


def _time(number: int) -> str:
    return _TIMES.get(number, f"{number}th")
