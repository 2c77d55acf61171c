"""Recipe: the steps that fix a failure, with a name in place of what varies.

Taught for one missing module as `pip install orjson`, it is kept as `pip install {module}`: under the fingerprint of
that failure with its value, and, because its steps name what varies, under the family of all missing modules too.

A recipe has no id of its own: the id follows from what it is for and what it says, so that whoever teaches it again
means the same one. On the hook's path.
"""

from __future__ import annotations

from collections import namedtuple

from engrain import light
from engrain.event import id_of
from engrain.fingerprint.vocabulary import words
from engrain.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from re import Match
    from typing import NamedTuple

    class Recipe(NamedTuple):
        """Steps for a key: a fingerprint, or (`wide`) the family of all that differ only in what they name."""

        id: str
        key: str
        wide: bool
        steps: tuple[str, ...]
else:
    Recipe = namedtuple("Recipe", "id key wide steps")

MOST_STEPS, LONGEST_STEP = 20, 2000
MOST_TEXT = 4000
"""Characters of a cause or an example: a memory is a hint, not a document."""

_SAFE = r"[\w.@/+-]{1,120}"
"""What may be put into a step. A message is written by whoever wrote the program: it must not become a command."""

_PROGRAMS = words(
    "apt apt-get brew bun bundle cargo cmake composer conda dnf docker gem git go java make mvn node npm npx pip",
    "pip3 pipx pnpm poetry python python3 ruby rustup sh sudo uv yarn add install run module package file command",
)
"""Words of the tools themselves: a step that has one does not name what is missing, even if that is called so."""

_LOOSE = r"'[^']*'|\"[^\"]*\"|\s+"


def steps_of(given: Sequence[str]) -> tuple[str, ...]:
    """Steps as they are kept: one line each, without the prompt that was pasted with them. Spaces in quotes are a part
    of the command, others are how somebody typed it."""
    lines = [
        compiled(_LOOSE).sub(_tight, line.strip()).removeprefix("$ ")
        for step in given
        for line in step.replace("\r", "\n").split("\n")
    ]
    return tuple(line for line in lines if line)


def _tight(found: Match[str]) -> str:
    return " " if found[0].isspace() else found[0]


def template(steps: Sequence[str], parameters: Mapping[str, str]) -> tuple[str, ...]:
    """The steps with `{name}` in place of each value; those that have it already stay as they are."""
    import re

    names: dict[str, str] = {}
    for name, value in sorted(parameters.items(), key=lambda pair: (-len(pair[1]), pair)):
        if _tells(value):
            names.setdefault(value, f"{{{name}}}")
    if not names:
        return tuple(steps)
    done = "|".join(re.escape(f"{{{name}}}") for name in parameters)
    values = "|".join(map(re.escape, names))
    pattern = re.compile(rf"{done}|(?<![\w@/-])(?<!\w\.)(?:{values})(?![\w/-])(?!\.\w)")
    return tuple(pattern.sub(lambda found: names.get(found[0], found[0]), step) for step in steps)


def names_in(steps: Sequence[str], parameters: Mapping[str, str]) -> frozenset[str]:
    """Which parameters a template names."""
    return frozenset(name for name in parameters if any(f"{{{name}}}" in step for step in steps))


def rendered(steps: Sequence[str], parameters: Mapping[str, str]) -> tuple[str, ...]:
    """The steps with the values of this failure; none where a value may not stand in a command."""
    for name in names_in(steps, parameters):
        value = parameters[name]
        if not _may_stand(value):
            return ()
        steps = tuple(step.replace(f"{{{name}}}", value) for step in steps)
    return tuple(steps)


def recipes(
    steps: Sequence[str], *, fingerprint: str, family: str, through: str, parameters: Mapping[str, str]
) -> tuple[Recipe, ...]:
    """The recipe for this very failure, and the one for its family where the steps name what varies."""
    general = template(steps, parameters)
    exact = Recipe(_id(fingerprint, through, general), fingerprint, False, general)
    wide = Recipe(_id(family, "", general), family, True, general)
    # Where nothing decides, the failure has the key of its family, and both are one.
    return (exact, wide) if names_in(general, parameters) and wide.id != exact.id else (exact,)


def kept_under(key: str, steps: Sequence[str]) -> Recipe:
    """The recipe under a key that is neither a fingerprint nor a family. Only what is exact is listed by itself."""
    return Recipe(_id(key, "", tuple(steps)), key, not key.startswith("here:both:"), tuple(steps))


def packed(steps: Sequence[str]) -> str:
    """Steps as one column has them."""
    import json

    return json.dumps(list(steps), ensure_ascii=False)


def unpacked(text: str) -> tuple[str, ...]:
    """The steps of a column."""
    return tuple(light.loads(text))


def _tells(value: str) -> bool:
    return len(value) > 2 and value.lower() not in _PROGRAMS and any(map(str.isalpha, value)) and _may_stand(value)


def _may_stand(value: str) -> bool:
    """Whether a value may be put into a command. A step that was taught with another in it keeps it as it was said."""
    return compiled(_SAFE).fullmatch(value) is not None and not value.startswith("-") and ".." not in value


def _id(*parts: object) -> str:
    import json

    return id_of("recipe", *(json.dumps(part, ensure_ascii=False) for part in parts))[:12]
