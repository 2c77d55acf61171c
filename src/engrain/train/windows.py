"""Windows: a trajectory in pieces that a model can read, in the form of chat templates. Pure.

A piece begins with who is asked and what was asked last, then what happened. A later piece repeats some of what came
before it, which is seen there and learned where it came first; it says that steps were left out. A call and its result
are one unit: no piece ends between them. Every step is learned in one piece at most.

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


def cut(trajectory: Trajectory, schemas: Schemas, recipe: Recipe, count: Count, head: int) -> Cut:
    """A trajectory in pieces of at most `recipe.length`; `head` is what the system's words and the tools take."""
    units = list(_units(trajectory, schemas, recipe, count))
    flaws = [unit.why for unit in units if unit.why]
    room = recipe.length - head - 24
    windows: list[Window] = []
    asked: Unit | None = None
    piece: list[tuple[Unit, bool]] = []
    used = first = 0
    for place, unit in enumerate(units):
        prompt = asked.size if asked and unit.role != "user" else 0
        if prompt + unit.size > room:
            flaws += ["longer than a window"] if unit.role == "assistant" and not unit.why else []
            continue
        if piece and prompt + used + unit.size > room:
            windows += _window(piece, asked, first)
            piece = _repeated(piece, min(round(recipe.overlap * room), room - prompt - unit.size))
            used, first = sum(each.size for each, _ in piece), place - len(piece)
        if unit.role == "user":
            # A new question begins a piece of its own where the one before is done.
            windows += _window(piece, asked, first)
            asked, piece, used, first = unit, [], 0, place
            continue
        piece.append((unit, not unit.why))
        used += unit.size
    windows += _window(piece, asked, first)
    return Cut(tuple(windows), tuple(flaws))


def _units(trajectory: Trajectory, schemas: Schemas, recipe: Recipe, count: Count) -> Iterator[Unit]:
    steps = trajectory.steps
    for place, step in enumerate(steps):
        if step.role == "user":
            messages = [{"role": "user", "content": shortened(step.text, recipe.prompt_characters)}]
            yield Unit("user", tuple(messages), count(messages), "", False)
            continue
        tool = step.call.tool if step.call else ""
        seen = Seen(recipe, steps[max(0, place - 40) : place], required(schemas, tool), place == len(steps) - 1)
        messages = said(step, place, recipe)
        yield Unit(
            "assistant", tuple(messages), count(messages), flaw(step, seen), bool(step.call and step.call.failed)
        )


def said(step: Step, place: int, recipe: Recipe) -> list[Message]:
    """What the agent said and did, and what came back."""
    if step.call is None:
        return [{"role": "assistant", "content": step.text}]
    name = f"call_{place}"
    call = {"id": name, "type": "function", "function": {"name": step.call.tool, "arguments": dict(step.call.given)}}
    result = shortened(step.call.result, recipe.result_characters) or "(nothing)"
    messages: list[Message] = [{"role": "assistant", "content": step.text, "tool_calls": [call]}]
    if "unanswered" not in step.call.facts:
        messages.append({"role": "tool", "tool_call_id": name, "name": step.call.tool, "content": result})
    return messages


def _repeated(piece: list[tuple[Unit, bool]], room: int) -> list[tuple[Unit, bool]]:
    """The end of a piece, as much as there is room for, to be seen and not learned again."""
    kept: list[tuple[Unit, bool]] = []
    for unit, _ in reversed(piece):
        room -= unit.size
        if room < 0:
            break
        kept.insert(0, (unit, False))
    return kept


def _window(piece: list[tuple[Unit, bool]], asked: Unit | None, first: int) -> list[Window]:
    if not any(learn for _, learn in piece):
        return []
    messages: list[Message] = [{"role": "system", "content": SYSTEM}]
    question = asked.messages[0]["content"] if asked else "Go on."
    follows = asked is not None and piece[0][0].messages[0].get("tool_calls") is not None and _later(piece)
    messages.append({"role": "user", "content": f"{question}\n\n{GAP}" if follows or not asked else question})
    for unit, learn in piece:
        messages += [
            {**each, "learn": True} if learn and each["role"] == "assistant" else dict(each) for each in unit.messages
        ]
    learned = sum(learn for _, learn in piece)
    return [Window(tuple(messages), first, learned, sum(unit.failed for unit, _ in piece))]


def _later(piece: list[tuple[Unit, bool]]) -> bool:
    """Whether a piece begins with what an earlier one has."""
    return not piece[0][1] and not piece[0][0].why
