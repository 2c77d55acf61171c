"""Windows: a trajectory in pieces that a model can read, in the form of chat templates. Pure.

A piece is a conversation as it went, several questions and all. A later piece begins with the question that it stands
under and some of what came before it, shortened, which is seen there and learned where it came first; it says that
steps were left out. So what was called last is in view wherever the next call is asked for. A call and its result are
one unit: no piece ends between them. Every step is learned in one piece at most.

    {"role": "system" | "user" | "assistant" | "tool", "content": …, "tool_calls"?: […], "learn"?: true}
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from engrain.train.flaws import Seen, flaw
from engrain.train.recipe import Recipe
from engrain.train.tools import Schemas, required
from engrain.train.trajectory import Step, Trajectory, shortened

SYSTEM = (
    "You are a coding agent in the repository <root>. Call one tool at a time and read its result before the next. When"
    " nothing is left to be done, say what was done and call nothing."
)
GAP = "[earlier steps are left out]"
BRIEF = 4
"""How many times shorter what is only seen again is than what is seen first."""

Message = dict[str, Any]
Count = Callable[[list[Message]], int]


class Unit(NamedTuple):
    """A step with its result: what is never cut. `why` says why it is not learned."""

    role: str
    messages: tuple[Message, ...]
    size: int
    why: str
    failed: bool


class Window(NamedTuple):
    """Messages of one piece; where it begins in the session, and what was not learned of it, with reasons."""

    messages: tuple[Message, ...]
    first: int
    learned: int
    failures: int


class Cut(NamedTuple):
    """The pieces of a trajectory, and every step that is not learned, by its reason."""

    windows: tuple[Window, ...]
    flaws: tuple[str, ...]


class Piece(NamedTuple):
    """The question that a piece stands under, unless it begins with one; its steps, each with whether it is learned
    there; where it begins, and how large it is."""

    opening: Unit | None
    steps: tuple[tuple[Unit, bool], ...]
    first: int

    @property
    def size(self) -> int:
        return (self.opening.size if self.opening else 0) + sum(unit.size for unit, _ in self.steps)

    def and_then(self, unit: Unit) -> Piece:
        """With another step."""
        return self._replace(steps=(*self.steps, (unit, unit.role == "assistant" and not unit.why)))


def cut(trajectory: Trajectory, schemas: Schemas, recipe: Recipe, count: Count, head: int) -> Cut:
    """A trajectory in pieces of at most `recipe.length`; `head` is what the system's words and the tools take."""
    session = _Session(trajectory, recipe, count, recipe.length - head - 24)
    windows: list[Window] = []
    flaws: list[str] = []
    piece = Piece(None, (), 0)
    for place, whole in enumerate(_units(trajectory, schemas, recipe, count)):
        flaws += [whole.why] if whole.why else []
        if piece.size + whole.size > session.room:
            windows += _window(piece)
            piece = session.behind(place, whole.size)
        fits = piece.size + whole.size <= session.room
        unit = whole if fits else session.short(place)._replace(why=whole.why)
        if piece.size + unit.size > session.room:
            flaws += ["longer than a window"] if unit.role == "assistant" and not unit.why else []
            session.lost.add(place)
            continue
        piece = piece.and_then(unit)
    return Cut((*windows, *_window(piece)), tuple(flaws))


class _Session:
    """What a piece begins with that continues an earlier one."""

    def __init__(self, trajectory: Trajectory, recipe: Recipe, count: Count, room: int) -> None:
        self._steps, self._count, self.room = trajectory.steps, count, room
        self._recipe = recipe._replace(
            prompt_characters=recipe.prompt_characters // BRIEF, result_characters=recipe.result_characters // BRIEF
        )
        self._overlap = round(recipe.overlap * room)
        self._short: dict[int, Unit] = {}
        self.lost: set[int] = set()
        """Steps that are too long for any piece."""

    def short(self, place: int) -> Unit:
        """A step with a short prompt or result."""
        if place not in self._short:
            step = self._steps[place]
            messages = said(step, place, self._recipe)
            failed = bool(step.call and step.call.failed)
            self._short[place] = Unit(step.role, tuple(messages), self._count(messages), "", failed)
        return self._short[place]

    def behind(self, place: int, size: int) -> Piece:
        """A piece for a step of this size: as much of what came before as the recipe says, the last call at least."""
        found = Piece(self._question(place), (), place)
        tail: tuple[tuple[Unit, bool], ...] = ()
        for begin in range(place - 1, -1, -1):
            if begin in self.lost:
                continue
            tail = ((self.short(begin), False), *tail)
            opening = None if tail[0][0].role == "user" else self._question(begin)
            longer = Piece(opening, tail, begin)
            calls = any(self._steps[each].call for each in range(begin + 1, place))
            if longer.size + size > self.room or (calls and sum(unit.size for unit, _ in tail) > self._overlap):
                break
            found = longer
        return found

    def _question(self, place: int) -> Unit | None:
        """What was asked last before a step."""
        asked = (each for each in range(place - 1, -1, -1) if self._steps[each].role == "user")
        return next((self.short(each) for each in asked if each not in self.lost), None)


def _units(trajectory: Trajectory, schemas: Schemas, recipe: Recipe, count: Count) -> Iterator[Unit]:
    steps = trajectory.steps
    for place, step in enumerate(steps):
        messages = said(step, place, recipe)
        tool = step.call.tool if step.call else ""
        seen = Seen(recipe, steps[max(0, place - 40) : place], required(schemas, tool), place == len(steps) - 1)
        why = flaw(step, seen) if step.role == "assistant" else ""
        yield Unit(step.role, tuple(messages), count(messages), why, bool(step.call and step.call.failed))


def said(step: Step, place: int, recipe: Recipe) -> list[Message]:
    """What was asked; or what the agent said and did, and what came back."""
    if step.role == "user":
        return [{"role": "user", "content": shortened(step.text, recipe.prompt_characters)}]
    if step.call is None:
        return [{"role": "assistant", "content": step.text}]
    name = f"call_{place}"
    call = {"id": name, "type": "function", "function": {"name": step.call.tool, "arguments": dict(step.call.given)}}
    result = shortened(step.call.result, recipe.result_characters) or "(nothing)"
    messages: list[Message] = [{"role": "assistant", "content": step.text, "tool_calls": [call]}]
    if "unanswered" not in step.call.facts:
        messages.append({"role": "tool", "tool_call_id": name, "name": step.call.tool, "content": result})
    return messages


def _window(piece: Piece) -> list[Window]:
    """A piece as messages, from its beginning to the last step that is learned in it."""
    learned = sum(learn for _, learn in piece.steps)
    if not learned:
        return []
    steps = piece.steps
    while not steps[-1][1]:
        steps = steps[:-1]
    messages: list[Message] = [{"role": "system", "content": SYSTEM}]
    if piece.opening or steps[0][0].role != "user":
        asked = piece.opening.messages[0]["content"] if piece.opening else "Go on."
        # The first steps of a session have nothing before them that could be left out.
        messages.append(
            {"role": "user", "content": f"{asked}\n\n{GAP}" if piece.first > bool(piece.opening) else asked}
        )
    elif piece.first:
        messages.append({"role": "user", "content": GAP})
    for unit, learn in steps:
        for each in unit.messages:
            if each["role"] == messages[-1]["role"] == "user":
                messages[-1] = {"role": "user", "content": f"{messages[-1]['content']}\n\n{each['content']}"}
            else:
                messages.append({**each, "learn": True} if learn and each["role"] == "assistant" else dict(each))
    return [Window(tuple(messages), piece.first, learned, sum(unit.failed for unit, _ in steps))]
