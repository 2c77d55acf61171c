"""Trigger: when a lesson fires, and the keys under which it is found without looking at every rule.

    tool      `Bash`, `Edit|Write`, `mcp__*`            one of these, capitals or not
    command   an expression, searched for in the command
    path      globs as git's ignore files have them, against the files that a call names; several apart by commas
    input     an expression, searched for in what is written or edited
    output    an expression, searched for in what a call printed
    phase     before a call, after it, at a prompt, at the start of a session

All that is said must hold. A key is three letters that must stand in a text for the rule to match it (`before c:ush`),
the tool, or else `any`: of thousands of rules those that share a key with the call are looked at, and no rule is left
out. On the hook's path; what reads an expression (`keys`, `flaw`) is not.
"""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any, NamedTuple

    class Trigger(NamedTuple):
        """When a lesson fires; what is empty does not matter."""

        tool: str = ""
        command: str = ""
        path: str = ""
        input: str = ""
        output: str = ""
        phase: str = "before"

    class Call(NamedTuple):
        """What an agent is about to do, or has done: `input` is what it writes, `output` what came of it."""

        tool: str = ""
        command: str = ""
        paths: Sequence[str] = ()
        input: str = ""
        output: str = ""
        phase: str = "before"
else:
    _FIELDS = "tool command path input output phase"
    Trigger = namedtuple("Trigger", _FIELDS, defaults=("", "", "", "", "", "before"))
    Call = namedtuple("Call", _FIELDS.replace("path", "paths"), defaults=("", "", (), "", "", "before"))

BEFORE, AFTER, PROMPT, START = PHASES = ("before", "after", "prompt", "start")

EXPRESSIONS = ("command", "input", "output")

LONGEST = 1000
"""Characters of an expression or a glob."""

HEAD, TAIL = 12_000, 4000
"""Characters of a text that rules see: its beginning and its end. A rule must not cost more than what it guards."""

_ANY = "any"
_LETTERS = 3


def seen(text: str) -> str:
    """What rules see of a text."""
    return text if len(text) <= HEAD + TAIL else f"{text[:HEAD]}\n{text[-TAIL:]}"


def tools(spec: str) -> list[str]:
    """The tools that a trigger names."""
    return [name for name in spec.casefold().replace(",", "|").replace(" ", "").split("|") if name]


def globs(spec: str) -> list[str]:
    """The globs that a trigger names."""
    return [glob for glob in (each.strip() for each in spec.split(",")) if glob]


def keys_of(call: Call) -> set[str]:
    """Every key under which a rule may wait for this call."""
    phase = call.phase
    found = {f"{phase} {_ANY}", f"{phase} t:{call.tool.casefold()}"}
    texts = (("c", call.command), ("i", call.input), ("o", call.output), *(("p", path) for path in call.paths))
    for field, text in texts:
        flat = seen(text).casefold()
        found.update({f"{phase} {field}:{flat[n : n + _LETTERS]}" for n in range(len(flat) - _LETTERS + 1)})
    return found


def keys(trigger: Trigger) -> list[str]:
    """The keys under which this rule waits: one, or one for each alternative."""
    choices = [("c", runs(trigger.command)), ("i", runs(trigger.input)), ("o", runs(trigger.output))]
    choices.append(("p", _literals(trigger.path)))
    best = max(choices, key=lambda choice: min((_rarity(run) for run in choice[1]), default=0.0))
    if best[1]:
        return sorted({f"{trigger.phase} {best[0]}:{_rarest(run)}" for run in best[1]})
    named = tools(trigger.tool)
    if named and not any(set("*?[") & set(name) for name in named):
        return sorted({f"{trigger.phase} t:{name}" for name in named})
    return [f"{trigger.phase} {_ANY}"]


def flaw(trigger: Trigger) -> str:
    """Why this trigger can't be used; nothing where it can."""
    if trigger.phase not in PHASES:
        return f"phase is one of {', '.join(PHASES)}, not {trigger.phase!r}"
    for name in (*EXPRESSIONS, "path", "tool"):
        if len(getattr(trigger, name)) > LONGEST:
            return f"{name} has at most {LONGEST} characters"
    return next((why for name in EXPRESSIONS if (why := _flaw_of(name, getattr(trigger, name)))), "")


def _flaw_of(name: str, pattern: str) -> str:
    import re

    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as exc:
        return f"{name} is no expression: {exc}"
    return ""


def risky(trigger: Trigger) -> bool:
    """Whether an expression repeats what itself repeats or branches: on some texts it might never end."""
    return any(_repeats_twice(_tree(getattr(trigger, name)), False) for name in EXPRESSIONS)


def runs(pattern: str) -> list[str]:
    """Texts of which at least one stands in whatever the expression matches; nothing where none is sure to."""
    best = max(_required(_tree(pattern)), key=lambda each: min(map(_rarity, each)), default=())
    return list(best)


# Reading an expression


def _tree(pattern: str) -> list[Any]:
    """The parts of an expression, as Python's own reader of them has it."""
    if not pattern:
        return []
    import importlib
    import re

    try:
        return list(importlib.import_module("re._parser").parse(pattern))
    except (re.error, RecursionError, OverflowError):
        return []


def _required(parts: Iterable[Any]) -> Iterator[tuple[str, ...]]:
    """What must stand in a match: each a text, or several of which one must."""
    run = ""
    for name, value in _flat(parts):
        if name == "LITERAL" and value < 128:
            run += chr(value).casefold()
            continue
        if len(run) >= _LETTERS:
            yield (run,)
        run = ""
        if name == "BRANCH":
            yield from _one_of(value[1])
        elif name.endswith("_REPEAT") and value[0] > 0:
            yield from _required(value[2])
    if len(run) >= _LETTERS:
        yield (run,)


def _one_of(branches: Iterable[Any]) -> Iterator[tuple[str, ...]]:
    """Of each branch its best text; nothing where one has none."""
    found = [max(_required(branch), key=lambda each: min(map(_rarity, each)), default=()) for branch in branches]
    if all(found):
        yield tuple(run for each in found for run in each)


def _flat(parts: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    """The parts with groups opened, so that a text goes on through them."""
    for op, value in parts:
        name = str(op)
        if name == "SUBPATTERN":
            yield from _flat(value[-1])
        elif name == "ATOMIC_GROUP":
            yield from _flat(value)
        else:
            yield name, value


def _repeats_twice(parts: Iterable[Any], within: bool) -> bool:
    for name, value in _flat(parts):
        many = name in ("MAX_REPEAT", "MIN_REPEAT") and int(value[1]) > 10
        if within and (many or name in ("BRANCH", "GROUPREF", "MAX_REPEAT", "MIN_REPEAT")):
            return True
        inner = [value[2]] if name.endswith("_REPEAT") else value[1] if name == "BRANCH" else []
        inner = [value[1]] if name in ("ASSERT", "ASSERT_NOT") else inner
        if any(_repeats_twice(each, within or many) for each in inner):
            return True
    return False


# Globs


def _literals(spec: str) -> list[str]:
    """Of each glob the text that tells most; nothing where one has none."""
    found = [max(_between(glob.casefold()), key=_rarity, default="") for glob in globs(spec)]
    return found if all(found) else []


def _between(glob: str) -> Iterator[str]:
    """What stands between the wildcards and slashes of a glob; a set of characters ends all that can be said."""
    text = glob.partition("[")[0].replace("*", "/").replace("?", "/").replace("\\", "/")
    return (part for part in text.split("/") if len(part) >= _LETTERS)


def reaches(spec: str, path: str) -> bool:
    """Whether one of the globs means this path."""
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".")]
    return any(_reaches(glob, parts) for glob in globs(spec))


def _reaches(glob: str, parts: Sequence[str]) -> bool:
    """As in an ignore file: without a slash any name on the way, with one from any folder; a folder means all in it."""
    wanted = [part for part in glob.split("/") if part not in ("", ".")]
    if not wanted:
        return False
    if len(wanted) == 1 and not glob.startswith("/"):
        named = parts[:-1] if glob.endswith("/") else parts
        return any(_alike(wanted[0], part) for part in named)
    return any(_along(wanted, parts[n:], within=glob.endswith("/")) for n in range(len(parts)))


def _along(wanted: Sequence[str], parts: Sequence[str], *, within: bool) -> bool:
    """Whether the parts go along the glob; whatever lies below its end is meant, too."""
    states = {0}
    for n, part in enumerate(parts):
        states |= {s + 1 for s in states if wanted[s] == "**"}
        following = {s if wanted[s] == "**" else s + 1 for s in states if s < len(wanted) and _steps(wanted[s], part)}
        if len(wanted) in following and (not within or n + 1 < len(parts)):
            return True
        states = {s for s in following if s < len(wanted)}
        if not states:
            return False
    return any(all(each == "**" for each in wanted[s:]) for s in states)


def _steps(wanted: str, part: str) -> bool:
    return wanted == "**" or _alike(wanted, part)


def _alike(glob: str, name: str) -> bool:
    if not set("*?[") & set(glob):
        return glob == name
    import fnmatch

    return fnmatch.fnmatchcase(name, glob)


def names(spec: str, tool: str) -> bool:
    """Whether a trigger names this tool."""
    return any(_alike(each, tool.casefold()) for each in tools(spec))


# Which letters tell most


_COMMON = " eatinsrolcdpmuhgfby-/._=vwkxjzq"


def _weight(char: str) -> float:
    """How seldom a character is, about: digits and odd signs tell most."""
    at = _COMMON.find(char)
    return 2.0 if char.isdigit() else 1.6 if at < 0 else 0.1 + at / 24


def _rarity(run: str) -> float:
    return max((sum(map(_weight, run[n : n + _LETTERS])) for n in range(len(run) - _LETTERS + 1)), default=0.0)


def _rarest(run: str) -> str:
    grams = [run[n : n + _LETTERS] for n in range(len(run) - _LETTERS + 1)]
    return max(grams, key=lambda gram: (sum(map(_weight, gram)), gram))


def trigger_of(said: Mapping[str, Any]) -> Trigger:
    """A trigger as the body of an event has it, whatever else stands there."""
    known = {name: value for name in Trigger._fields if isinstance(value := said.get(name), str)}
    return Trigger(**known)
