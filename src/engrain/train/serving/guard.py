"""Guard: calls that were made and are about to be made → which of them go out, and what is said in place of the rest.

A model that goes in circles is stopped at the third time: the same call with the same arguments, a call without what
its tool needs, the same answer, the same words over and over. It is told in words, in the answer itself, because that
is what agent and model both read. What came before somebody asked anew does not count. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engrain.train.serving.calls import Call

Message = Mapping[str, Any]

MOST = 3
"""The time at which it is stopped."""
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
            made = [Call(each["function"]["name"], each["function"]["arguments"]) for each in message["tool_calls"]]
            calls += made
            answers = [] if made else [*answers, message["content"].strip()]
            ended = not made
    return Before(tuple(calls), tuple(answers))


def looked(earlier: Before, calls: Sequence[Call], rules: Rules) -> tuple[tuple[Call, ...], Stopped | None]:
    """The calls that may go out, and why the next one may not."""
    told = list(earlier.calls)
    for place, call in enumerate(calls):
        last = [*told, call][-rules.most :]
        if len(last) == rules.most:
            if len({each.key for each in last}) == 1:
                return tuple(calls[:place]), Stopped(SAME, _same(call, rules.most))
            if all(lacking(each, rules) for each in last):
                return tuple(calls[:place]), Stopped(EMPTY, _empty(call, rules))
        told.append(call)
    return tuple(calls), None


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


def _same(call: Call, most: int) -> str:
    return (f"[Stopped: {call.tool} was about to be called for the {_time(most)} time in a row with the same arguments."
            " Its result stands above and will be the same again. Use it, try something else, or say what is"
            " missing.]")  # fmt: skip


def _empty(call: Call, rules: Rules) -> str:
    return (f"[Stopped: {call.tool} was about to be called without {', '.join(lacking(call, rules))}, the"
            f" {_time(rules.most)} call in a row that lacks what its tool needs. Say which value is meant, or ask for"
            " it.]")  # fmt: skip


def _time(number: int) -> str:
    return _TIMES.get(number, f"{number}th")
