"""Flaws: what nobody should learn from, each with its reason. Such a step stays in the row as what happened, but the
model is not asked to say it. Rows of a table; the first that holds is the one that is counted. Pure."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from engrain.train.recipe import Recipe
from engrain.train.trajectory import ROOT, Call, Step

MUTATING = frozenset(["Edit", "Write", "MultiEdit", "NotebookEdit", "apply_patch", "write_file", "replace"])
SEEING = frozenset(["view_image", "screenshot", "read_image"])
_ABSOLUTE = re.compile(r"(?<![\w./~<>$:*-])(/[A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.@+-]+)+)")
_TAKEN_OUT = "«redacted:"
_PICTURE = re.compile(r"data:image/|\[image\b|base64,[A-Za-z0-9+/]{200}", re.IGNORECASE)


class Seen(NamedTuple):
    """What a step is judged by: the recipe, what stood before it, and what its tool always takes."""

    recipe: Recipe
    before: tuple[Step, ...]
    required: frozenset[str]
    last: bool


class Flaw(NamedTuple):
    """A reason, and when it holds."""

    reason: str
    holds: Callable[[Step, Seen], bool]


def _fact(name: str) -> Callable[[Step, Seen], bool]:
    return lambda step, _: step.call is not None and name in step.call.facts


def _unanswered(step: Step, seen: Seen) -> bool:
    return step.call is not None and "unanswered" in step.call.facts and not seen.last


def _nameless(step: Step, _: Seen) -> bool:
    return step.call is not None and not step.call.tool


def _empty(step: Step, seen: Seen) -> bool:
    if step.call is None:
        return False
    given = step.call.given
    return (not given and bool(seen.required)) or any(_void(given.get(name, "")) for name in seen.required)


def _void(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip()) or value in ([], {})


def _long(step: Step, seen: Seen) -> bool:
    return step.call is not None and len(said(step.call)) > seen.recipe.argument_characters


def _first_mutation(step: Step, seen: Seen) -> bool:
    """A change that failed when it was first tried: what was got right later is learned instead."""
    if step.call is None or not step.call.failed or step.call.tool not in MUTATING:
        return False
    file = step.call.given.get("file_path")
    return not any(s.call and s.call.tool == step.call.tool and s.call.given.get("file_path") == file
                   for s in seen.before)  # fmt: skip


def _again(step: Step, seen: Seen) -> bool:
    earlier = next((each.call for each in reversed(seen.before) if each.call), None)
    return step.call is not None and earlier is not None and same(step.call, earlier)


def _repeating(step: Step, seen: Seen) -> bool:
    text = step.text if step.call is None else f"{step.text}\n{said(step.call)}".replace("\\n", "\n")
    lines = Counter(line.strip() for line in text.split("\n") if len(line.strip()) > 12)
    return bool(lines) and max(lines.values()) > seen.recipe.repeated_lines


def _secret(step: Step, _: Seen) -> bool:
    return _TAKEN_OUT in step.text or (step.call is not None and _TAKEN_OUT in said(step.call))


def _foreign(step: Step, _: Seen) -> bool:
    """A path of somebody's machine, which means nothing anywhere else."""
    if step.call is None:
        return False
    text = step.text + said(step.call)
    paths = (found[1] for found in _ABSOLUTE.finditer(text.replace(ROOT, "")))
    return any(path.startswith(("/home/", "/Users/", "/root/", "/mnt/")) for path in paths)


def _vision(step: Step, _: Seen) -> bool:
    return bool(_PICTURE.search(step.text)) or (
        step.call is not None and (step.call.tool in SEEING or bool(_PICTURE.search(step.call.result[:4000])))
    )


FLAWS = (
    Flaw("interrupted", _fact("interrupted")),
    Flaw("refused by somebody", _fact("refused")),
    Flaw("its content was withheld", _fact("withheld")),
    Flaw("its content has expired", _fact("expired")),
    Flaw("never answered", _unanswered),
    Flaw("a call of nothing", _nameless),
    Flaw("pictures", _vision),
    Flaw("an empty required argument", _empty),
    Flaw("over-long arguments", _long),
    Flaw("a secret stood in it", _secret),
    Flaw("a foreign absolute path", _foreign),
    Flaw("a change that failed at first", _first_mutation),
    Flaw("the call before it again", _again),
    Flaw("repeated lines", _repeating),
)


def flaw(step: Step, seen: Seen) -> str:
    """Why a step is not learned; empty when it is."""
    return next((row.reason for row in FLAWS if row.holds(step, seen)), "")


def said(call: Call) -> str:
    """The arguments as text."""
    return json.dumps(call.given, ensure_ascii=False, sort_keys=True)


def same(one: Call, other: Call) -> bool:
    """Whether two calls are the same to the letter."""
    return one.tool == other.tool and one.given == other.given
