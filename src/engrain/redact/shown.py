"""An answer without what it shows of files that only it names: `git show`, `grep -r KEY .`, `head *`.

    diff       `diff --git a/… b/…` and what follows it
    search     `path:12:text`, `path-11-text`, or the path on a line of its own and numbered lines below it
    section    `==> path <==` and what follows it

Who asks says which paths are not to be shown, and by what a path is called then.
"""

from __future__ import annotations

from engrain.patterns import compiled
from engrain.redact.rule import vocabulary
from engrain.redact.shell import simple_commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Called = Callable[[str], str]
    """What stands in place of a path that is not to be shown; nothing for any other."""

_SEARCHES = vocabulary("grep egrep fgrep zgrep rg ag ack ugrep findstr select-string sls find fd xargs")
_ASKED = frozenset(["pattern", "query", "regex", "search_term", "SearchTerm", "Query"])


def searches(given: dict[str, Any], commands: list[str]) -> bool:
    """Whether the answer may have lines of files behind their paths."""
    if not _ASKED.isdisjoint(given):
        return True
    for command in commands:
        for program, words, _ in simple_commands(command[:65_536]):
            if program in _SEARCHES or (program == "git" and any(word == "grep" for _, word in words)):
                return True
    return False


_FOUND = r"((?:[A-Za-z]:)?[^\s:\0][^:\n\0]{0,300}?)(?::(?:\d{1,9}[:-])?|-\d{1,9}-)"
_BELOW = r"\d{1,9}[:-]"
_SECTION = r"==> (.{1,300}) <==\r?$"


def without_hidden(value: Any, called: Called, *, searched: bool) -> Any:
    """The answer without these files; the same object where it shows none."""
    if isinstance(value, str):
        value = _without_diffs(value, called) if "diff --git " in value else value
        return _without_lines(value, called, searched) if searched or "==> " in value else value
    if isinstance(value, dict):
        return {key: without_hidden(item, called, searched=searched) for key, item in value.items()}
    return [without_hidden(item, called, searched=searched) for item in value] if isinstance(value, list) else value


def _without_diffs(text: str, called: Called) -> str:
    heads = [match.start() for match in compiled(r"(?m)^diff --git ").finditer(text)]
    ends = [*heads[1:], len(text)]
    sections = (text[start:end] for start, end in zip(heads, ends, strict=True))
    return text[: heads[0]] + "".join(_diff(section, called) for section in sections) if heads else text


def _diff(section: str, called: Called) -> str:
    path = section.partition("\n")[0].rstrip('\r"').rpartition(" b/")[2]
    name = called(path)
    return f"diff --git of {name}, an unshown file\n" if name else section


def _without_lines(text: str, called: Called, searched: bool) -> str:
    lines = text.split("\n")
    left: list[str] = []
    name, sectioned = "", False
    for at, line in enumerate(lines):
        section = compiled(_SECTION).match(line)
        if section:
            name, sectioned = called(section[1]), True
        elif searched and not sectioned:
            following = lines[at + 1] if at + 1 < len(lines) else ""
            name = _name_of(line, following, name, called)
        if not name:
            left.append(line)
        elif not left or not left[-1].startswith(name):
            left.append(f"{name}, an unshown file")
    return text if len(left) == len(lines) and left == lines else "\n".join(left)


def _name_of(line: str, following: str, above: str, called: Called) -> str:
    """What to call the hidden file that this line is of; nothing if it is of none."""
    if above and compiled(_BELOW).match(line):
        return above
    found = compiled(_FOUND).match(line)
    if found and (name := called(found[1])):
        return name
    heads = len(line) < 300 and compiled(_BELOW).match(following)
    return called(line.strip()) if heads and line.strip() else ""
