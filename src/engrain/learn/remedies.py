"""Remedies: which of the steps between a failure and its end mattered.

    corrected   the command itself was changed: another word, another folder, a variable before it
    prepared    commands that change what the failing one works with: an install, a formatter, a missing folder
    reverted    a file that the failure names was taken back to how it was
    edited      a change of a file: in the project's own words, so it never leaves the project

What does not count: what only looks or checks, what failed itself, what the session wrote for itself and ran once, what
somebody did about another failure meanwhile, and what destroys. More than MOST different things tell nothing.

Pure. Steps name what varies from failure to failure (`{module}`, `{file}`), so that they can be told of the next one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from posixpath import basename
from typing import NamedTuple

from engrain.learn import programs
from engrain.learn.deeds import Call, Edit
from engrain.learn.commands import ended, key, only_looks, parts
from engrain.learn.episodes import CHANGED, RESOLVED, SUPERSEDED, Episode, corrects
from engrain.learn.line import simple_commands
from engrain.learn.retyped import bare, come, rule, tokens
from engrain.learn.values import named
from engrain.patterns import compiled
from engrain.redact.rule import vocabulary

CORRECTED, PREPARED, REVERTED, EDITED = "corrected", "prepared", "reverted", "edited"

MOST = 4
"""Different things between a failure and its end, above which nobody can tell what mattered."""

LONGEST, MOST_HUNK = 160, 90
"""Characters of a step, and of either side of a hunk."""

_CHECKS = vocabulary(
    """
    test tests check checks lint vet typecheck type-check tsc pytest unittest jest vitest mocha mypy pyright ruff eslint
    flake8 pylint ctest tox nox clippy phpunit rspec nosetests cypress playwright coverage biome bench spec verify
    validate runtests.py runtests test.py test.sh doctest stylelint golangci-lint shellcheck audit doctor ci
    """
)
_CHANGES = r"(?:^|[-:_.])(?:fix|write|update|snapshot|format|fmt|generate|u|w|apply|install|build|compile|migrate|sync)(?:$|[-:_=.])"
_DESTROYS = (
    r"(?:^|\s)(?:rm|rmdir|shred|truncate|dd|mkfs\S*|kill|pkill|killall|shutdown|reboot|dropdb)(?:\s|$)"
    r"|\bgit\s+(?:clean|reset|push|commit|stash|add|rebase|merge|cherry-pick|am|tag|branch|config|revert|rm|update-ref"
    r"|filter-\S+|gc|worktree|checkout\s+(?:--\s+)?\.|restore\s+\.)(?:\s|$)|--force\b|--hard\b|--no-verify\b"
    r"|\b(?:prune|drop|destroy|delete|uninstall|purge|unlink)\b|-delete\b"
)
_CODE = r"^(?:\S*/)?(?:python|node|ruby|perl|php|bun|deno|sh|bash|zsh)[\d.]*\s(?:\S+\s)*?(?:-c|-e|--eval|-p|-lc)\s|<<|\$\(|[\n`]|^\s*[\w.]+\s*=\s|\{|\}"
_SETS_UP = vocabulary("mkdir touch cp mv ln chmod chown source .")
_REVERT = r"git (?:checkout|restore)(?: HEAD)?(?: --)? ([\w./@+-]+\.\w+)"
_DEFINES = r"(?m)^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:def|class|function|fn|func|const|let|interface|type|struct|impl|module)\s+(\w+)"


class Remedy(NamedTuple):
    """What was done: its steps, and the file where it is an edit."""

    kind: str
    steps: tuple[str, ...]
    file: str = ""


def remedies(calls: Sequence[Call], each: Episode, others: Sequence[Episode], made: frozenset[str]) -> list[Remedy]:
    """What did away with the failure; `others` are the episodes of the session, `made` the names that it gave to files
    of its own."""
    if each.state not in (RESOLVED, CHANGED) or each.ended is None:
        return []
    between = _own(calls, each, others)
    # That a script which failed was edited is no news.
    own = each.failed.key.split(" ")[0]
    edits = [edit for edit in _edits(between, made) if relative(edit.file, each.failed.cwd) != own]
    steps = _steps(between, each, made)
    reverts = [step for step in steps if compiled(_REVERT).fullmatch(step)]
    prepared = [step for step in steps if step not in reverts]
    if len(prepared) + len({edit.file for edit in edits}) + len(reverts) > MOST:
        return []
    change = _correction(each, made) if not edits and not prepared and not reverts else ""
    if change:
        if any(compiled(_CHANGES).search(word) for word in come(change)):
            return [Remedy(PREPARED, (bare(each.ended.command),))]
        return [Remedy(CORRECTED, (change,))]
    found = [Remedy(PREPARED, tuple(prepared))] if prepared else []
    found += [Remedy(REVERTED, (step,), compiled(_REVERT).fullmatch(step)[1]) for step in reverts]  # type: ignore[index]
    return found + [_edit(edit, each.failed.cwd) for edit in edits]


def tried(calls: Sequence[Call], each: Episode, others: Sequence[Episode], made: frozenset[str]) -> list[Remedy]:
    """What was done, and the same failure came again."""
    if each.state != SUPERSEDED:
        return []
    return [
        remedy
        for remedy in remedies(calls, each._replace(state=CHANGED), others, made)
        if remedy.kind in (CORRECTED, PREPARED, REVERTED)
    ]


def made_by(calls: Sequence[Call]) -> frozenset[str]:
    """The names of the files that the session wrote whole: its own scripts."""
    return frozenset(
        basename(edit.file) for call in calls for edit in call.edits if edit.whole
    )


def _own(calls: Sequence[Call], each: Episode, others: Sequence[Episode]) -> list[Call]:
    """The calls between the failure and its end, without those that were about another failure."""
    taken: set[int] = set()
    for other in others:
        if each.start < other.start and other.end < each.end and other.state in (RESOLVED, CHANGED):
            taken.update(range(other.start, other.end + 1))
    end = each.end + 1 if "\n" in each.failed.command or each.ended is None else each.end
    return [calls[at] for at in range(each.start + 1, min(end, len(calls))) if at not in taken]


def _correction(each: Episode, made: frozenset[str]) -> str:
    assert each.ended is not None
    failed, passed = each.failed.command, each.ended.command
    fits = each.state == RESOLVED and corrects(failed, passed, each.failed.output)
    own = any(basename(word.strip("'\"")) in made for word in tokens(passed))
    return rule(failed, passed) if fits and not own else ""


def _steps(between: Sequence[Call], each: Episode, made: frozenset[str]) -> list[str]:
    """The commands that passed, each once, in their order."""
    found: dict[str, None] = {}
    for call in between:
        if not call.command or call.exit != 0 or call.interrupted:
            continue
        for step in _said(call.command):
            if _matters(step, each, made) and ended(step, call.command, 0) is not False:
                found.setdefault(step)
    failing = {step for call in between if call.exit not in (0, None) for step in _said(call.command)}
    return [step for step in found if step not in failing]


def _said(command: str) -> list[str]:
    """The simple commands of a line as they are typed."""
    found = [bare(command)] if not compiled(r"[\n;&|<]").search(command) else parts(command)
    # A folder may be there the next time.
    return [compiled(r"^mkdir (?!-)").sub("mkdir -p ", step) for step in found]


def _matters(step: str, each: Episode, made: frozenset[str]) -> bool:
    words = tokens(step)
    if not words or len(step) > LONGEST or compiled(_CODE).search(step):
        return False
    if key(step) == each.failed.key or only_looks(step) or checks(words) or compiled(_DESTROYS).search(step):
        return False
    if step in parts(each.failed.command):
        return False
    name = programs.name(words[0])
    if name in programs.HOUSE and name not in _SETS_UP:
        return False
    if name in ("echo", "printf", "cat", "sed", "cd", "tee", "awk", "perl", "nl", "patch", "apply_patch"):
        return False
    return name in ("mkdir", "touch") or not any(basename(word.strip("'\"")) in made for word in words)


def checks(words: Sequence[str]) -> bool:
    """Whether a command only tells whether something holds: a test, a linter without its `--fix`."""
    core = [word for word in words if word[:1] != "-"]
    named_ = any(
        part in _CHECKS for word in core[:4] for part in (word, basename(word), *word.replace(":", " ").split()[:1])
    )
    return named_ and not any(compiled(_CHANGES).search(word) for word in words[1:])


def _edits(between: Sequence[Call], made: frozenset[str]) -> list[Edit]:
    """The last edit of each file that is not the session's own."""
    found: dict[str, Edit] = {}
    for call in between:
        for edit in call.edits if not call.failed else ():
            if basename(edit.file) not in made:
                found[edit.file] = edit
    return list(found.values())


def _edit(edit: Edit, cwd: str) -> Remedy:
    file = relative(edit.file, cwd)
    old, new = _hunk(edit.old, edit.new)
    if not new and not old:
        return Remedy(EDITED, (f"edit {file}",), file)
    symbol = compiled(_DEFINES).search(edit.old) or compiled(_DEFINES).search(edit.new)
    where = f"edit {file}" + (f", {symbol[1]}" if symbol else "")
    said = f"`{new}` in place of `{old}`" if old and new else f"add `{new}`" if new else f"without `{old}`"
    return Remedy(EDITED, (f"{where}: {said}",), file)


def _hunk(old: str, new: str) -> tuple[str, str]:
    """The one line that differs; nothing where more does."""
    before, after = old.split("\n"), new.split("\n")
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    gone, came = before[head : len(before) - tail], after[head : len(after) - tail]
    if len(gone) > 2 or len(came) > 2 or (not gone and not came):
        return "", ""
    texts = " ".join(" ".join(gone).split()), " ".join(" ".join(came).split())
    if texts[0] == texts[1]:
        return "", ""
    if any(len(text) > MOST_HUNK or "`" in text for text in texts):
        return "", ""
    return texts


def relative(path: str, cwd: str) -> str:
    """A path as it is seen from the folder."""
    folder = cwd.rstrip("/") + "/"
    return path[len(folder) :] if cwd and path.startswith(folder) else path.removeprefix("./")


def templates(steps: Sequence[str], values: Mapping[str, str]) -> tuple[str, ...]:
    """Steps with `{name}` in place of each value that the failure names."""
    return tuple(named(step, values) for step in steps)
