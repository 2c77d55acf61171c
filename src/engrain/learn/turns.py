"""Turns: a session as what somebody asked for, each with what the agent did and said for it.

A call belongs to the prompt that it names, else to the last one before it began: the same words asked twice are two
turns, and a call that ran while somebody asked for more belongs to what was asked before. What came before any prompt
(a session that was taken up again, a file without its beginning) is a turn without one. Pure.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from engrain.event import PROMPT, SESSION_END, SESSION_START, TOOL_CALL, Event
from engrain.learn.reading import text


class Turn(NamedTuple):
    """What was asked (None before the first prompt), and what followed, in the order in which it began."""

    prompt: Event | None
    followed: tuple[Event, ...]

    @property
    def calls(self) -> list[Event]:
        """The tools that were used."""
        return [event for event in self.followed if event.kind == TOOL_CALL]


def turns(events: Iterable[Event]) -> list[Turn]:
    """The turns of one session, in order."""
    told = sorted(events, key=lambda event: (began(event), event.time, event.id))
    prompts = [event for event in told if event.kind == PROMPT]
    times = [event.time for event in prompts]
    named = {name: place for place, event in enumerate(prompts, start=1) if (name := text(event, "prompt"))}
    followed: list[list[Event]] = [[] for _ in range(len(prompts) + 1)]
    for event in told:
        if event.kind not in (PROMPT, SESSION_START, SESSION_END):
            place = named.get(text(event, "prompt")) or bisect_right(times, began(event))
            followed[place].append(event)
    all_of_them = [Turn(prompt, tuple(each)) for prompt, each in zip([None, *prompts], followed, strict=True)]
    return all_of_them if followed[0] else all_of_them[1:]


def began(event: Event) -> int:
    """When it began; a call is told of when it ended."""
    seconds = event.body.get("seconds") if event.kind == TOOL_CALL else None
    took = round(seconds * 1e6) if isinstance(seconds, (int, float)) and 0 <= seconds < 1e9 else 0
    return max(0, event.time - took)


ABOUT = ("command", "file_path", "notebook_path", "path", "pattern", "url", "query", "description", "prompt")
"""What is given to a tool that says best what it was used for, the best first."""


def about(event: Event) -> str:
    """What a tool was used for: its command, its file, or the first text that it was given."""
    given = event.body.get("input")
    if not isinstance(given, dict):
        return str(given or "")
    named = next((given[name] for name in ABOUT if isinstance(given.get(name), str) and given[name]), "")
    return str(named or next((value for value in given.values() if isinstance(value, str)), ""))
