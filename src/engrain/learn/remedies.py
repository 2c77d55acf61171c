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

from collections.abc import Iterable, Sequence
from posixpath import basename
from typing import NamedTuple

from engrain.fingerprint import fingerprint
from engrain.learn.commands import ended, key, parts
from engrain.learn.deeds import Call, Edit
from engrain.learn.episodes import CHANGED, RESOLVED, SUPERSEDED, Episode, corrects
from engrain.learn.folders import there, way
from engrain.learn.retyped import FOR_ITS_LINE, bare, come, rule, tokens
from engrain.learn.steps import changes, matters, own, said, said_in, unsafe
from engrain.model import ROOT
from engrain.patterns import compiled
from engrain.redact.rule import vocabulary

CORRECTED, PREPARED, REVERTED, EDITED = "corrected", "prepared", "reverted", "edited"

MOST = 4
"""Different things between a failure and its end, above which nobody can tell what mattered."""

MOST_HUNK = 90
"""Characters of either side of a hunk."""

MOST_HABIT = 2
"""How much more often a step may be done without such a failure than after one."""

CUT = " …"
"""Behind the first of many lines."""

_TOGETHER = 50_000
"""Microseconds by which clocks of calls that follow each other may differ."""

_REVERT = r"git (?:checkout|restore)(?: HEAD)?(?: --)? ([\w./@+-]+\.\w+)"
_UNDOES = r"git (?:checkout|restore)\s"
_UNDOES_ALL = r"git (?:stash(?: push| save| -u|$)|reset\b.* --hard|(?:checkout|restore)(?: HEAD)?(?: --)? (?:\.|:/)$)"
_RUN_TASKS = vocabulary(
    "make just task rake npm pnpm yarn bun deno gradle gradlew mvn go cargo git docker uv poetry pip composer mix"
    " terraform kubectl helm gh aws gcloud az dotnet bundle gem rails flutter conda apt apt-get brew"
)
"""Programs of many tasks, of which one may prepare another."""

LEAST_NAME = 3
"""Letters of a name: shorter ones stand everywhere by chance."""

_STYLE = vocabulary(
    "biome eslint prettier ruff stylelint rubocop golangci-lint gofmt black isort rustfmt ktlint checkstyle shellcheck"
    " flake8 pylint oxlint markdownlint"
)
"""Toolchains that complain of how code is written."""

_EXPECTS = r"(?i)assert|expectation|panic|^fail$|test failed|comparison"
"""How a test says that the code does something else than it expects."""

_FORMATS = (
    r"(?:^|[\s/:])(?:black|isort|prettier|gofmt|goimports|rustfmt|yapf|autopep8|clang-format|ktlint|fmt|format\S*"
    r"|lint[:_-]?fix)(?:\s|$)|--fix\b|--write\b"
)
_STYLED = r"(?i)lint|format|fmt|style|prettier|black|isort|biome|ruff|rubocop|clippy|oxc|hook|whitespace|organize"
_ABSENT = r"(?i)no such file|can't open|cannot open|unable to open|does not exist"

_DEFINES = (
    r"(?m)^(?:\s*(?:(?:export|default|async|public|private|static|pub|override)\s+)*"
    r"(?:def|class|function|fn|func|interface|struct|impl|module|trait|enum)|(?:export\s+)?(?:const|type))\s+(\w+)"
)


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
    script = each.failed.key.split(" ")[0]
    changed = [edit for edit in _edits(between, made) if relative(edit.file, each.failed.cwd) != script]
    edits = [edit for edit in changed if _about(edit, each)]
    steps = _steps(between, each, made)
    taken_back = [step for _, step in steps if compiled(_REVERT).fullmatch(step)]
    prepared = [(folder, step) for folder, step in steps if step not in taken_back]
    if len(prepared) + len({edit.file for edit in edits}) + len(taken_back) > MOST:
        return []
    prepared = [(folder, step) for folder, step in prepared if not _habit(step, calls, each, others)]
    prepared = [(folder, step) for folder, step in prepared if _may_help(step, each, edited=bool(changed))]
    # Whose file the failure does not name was taken back for reasons of that session.
    reverts = [step for step in taken_back if named_in(each.failed.output, _file_of(step))]
    change = _correction(each, made) if not edits and not prepared and not taken_back else ""
    if change:
        if changes(come(change)):
            return [Remedy(PREPARED, (bare(_seen(each.ended, each.failed.cwd)),))]
        return [Remedy(CORRECTED, (change,))]
    told = tuple(there(step, each.failed.cwd, folder) for folder, step in prepared)
    if told and not edits and not taken_back:
        told += _by_another(each)
    found = [Remedy(PREPARED, told)] if told else []
    found += [Remedy(REVERTED, (step,), _file_of(step)) for step in reverts]
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
    return frozenset(basename(edit.file) for call in calls for edit in call.edits if edit.whole)


def _own(calls: Sequence[Call], each: Episode, others: Sequence[Episode]) -> list[Call]:
    """The calls between the failure and its end, without those that were about another failure."""
    taken: set[int] = set()
    for other in others:
        if each.start < other.start and other.end < each.end and other.state in (RESOLVED, CHANGED):
            # A step that was mistyped first is a step all the same.
            typed = other.ended is not None and tokens(bare(other.ended.command)) != tokens(bare(other.failed.command))
            corrected = typed and not any(call.edits for call in calls[other.start : other.end])
            taken.update(range(other.start, other.end + (not corrected)))
    end = each.end + 1 if "\n" in each.failed.command or each.ended is None else each.end
    # What was begun before anybody knew of the failure was not done about it.
    return [
        calls[at]
        for at in range(each.start + 1, min(end, len(calls)))
        if at not in taken and calls[at].started >= each.failed.time - _TOGETHER
    ]


def _habit(step: str, calls: Sequence[Call], each: Episode, others: Sequence[Episode]) -> bool:
    """Whether the session does this all the time: mostly where nothing of this tool had failed."""
    tool = each.failed.failure.get("toolchain")
    about = {at for other in others if other.failed.failure.get("toolchain") == tool for at in _span(other)}
    done = [at for at, call in enumerate(calls) if call.exit == 0 and step in said(call.command)]
    inside = sum(at in about for at in done)
    return len(done) - inside > MOST_HABIT * max(inside, 1)


def _span(each: Episode) -> range:
    return range(each.start, each.end + 1)


def _file_of(step: str) -> str:
    found = compiled(_REVERT).fullmatch(step)
    return found[1] if found else ""


def named_in(output: str, file: str) -> bool:
    """Whether an output names this file, be it by its whole path."""
    at = output.find(file) if file else -1
    while at >= 0:
        before, behind = output[max(at - 1, 0) : at], output[at + len(file) : at + len(file) + 1]
        if not compiled(r"[\w.-]").match(before) and not compiled(r"[\w-]").match(behind):
            return True
        at = output.find(file, at + 1)
    return False


def _correction(each: Episode, made: frozenset[str]) -> str:
    assert each.ended is not None
    failed, passed = each.failed.command, _seen(each.ended, each.failed.cwd)
    fits = each.state == RESOLVED and corrects(failed, passed, each.failed.output)
    change = rule(failed, passed) if fits and not own(tokens(passed), made) else ""
    harms = unsafe(" ".join(come(change))) or (unsafe(bare(passed)) and not unsafe(bare(failed)))
    return "" if harms else change


def _by_another(each: Episode) -> tuple[str, ...]:
    """The command, too, where what passed was run by what had been made for it: `python -m venv .venv`, and then
    `.venv/bin/pip` in place of `pip`."""
    if each.state != RESOLVED or each.ended is None or each.ended.key != each.failed.key:
        return ()
    failed, passed = said(each.failed.command), said(each.ended.command)
    before, after = failed[-1] if failed else "", passed[-1] if passed else ""
    change = rule(before, after) if key(before) == key(after) and before and after else ""
    other = change and tokens(before)[0] != tokens(after)[0] and not unsafe(" ".join(come(change)))
    return (change,) if other else ()


def _seen(call: Call, here: str) -> str:
    """A command as it would be typed in another folder."""
    to = way(here, call.cwd)
    return f"cd {to} && {call.command}" if to else call.command


def _steps(between: Sequence[Call], each: Episode, made: frozenset[str]) -> list[tuple[str, str]]:
    """The commands that passed, each once, in their order, with the folder of each."""
    passed = [call for call in between if call.command and call.exit == 0 and not call.interrupted]
    failed = {step for call in between if call.exit not in (0, None) for step in said(call.command)}
    failed |= {step for call in passed for step in said(call.command) if _failed_unseen(step, call)}
    done = [(folder, step) for call in passed for folder, step in said_in(call.command, call.cwd)]
    done += _before_it(each)
    passed_once = [(folder, step) for folder, step in dict.fromkeys(done) if step not in failed]
    return [
        (folder, step)
        for folder, step in passed_once
        if _another(step, each) and matters(step, made) and _made_for(step, each)
    ]


def _failed_unseen(step: str, call: Call) -> bool:
    """Whether a step of a line that passed did not: by what it said, where a pipe hides how it ended."""
    known = ended(step, call.command, 0)
    if known is None and matters(step, frozenset()):
        found = fingerprint(call.output)
        return found.known and found.root.rank == ROOT
    return known is False


def _before_it(each: Episode) -> list[tuple[str, str]]:
    """What stands in the line that passed before the command that had failed: `npm install && npm test`. What only
    holds for its line (`source .venv/bin/activate && pytest`) is a change of the command."""
    if each.ended is None or each.ended.exit != 0 or each.ended.key != each.failed.key:
        return []
    steps = said_in(each.ended.command, each.ended.cwd)
    at = next((at for at, (_, step) in enumerate(steps) if key(step) == each.failed.key), 0)
    return [] if all(tokens(step)[:1] and tokens(step)[0] in FOR_ITS_LINE for _, step in steps[:at]) else steps[:at]


def _another(step: str, each: Episode) -> bool:
    """Whether a step is not what failed, nor a part of it, nor the same tool at something else."""
    if key(step) == each.failed.key or step in parts(each.failed.command):
        return False
    words, failed = (text.rpartition(" && ")[2].split(" ") for text in (key(step), each.failed.key))
    return words[0] != failed[0] or words[0] in _RUN_TASKS or changes(words[1:])


def _edits(between: Sequence[Call], made: frozenset[str]) -> list[Edit]:
    """The last edit of each file that is not the session's own, and was not taken back."""
    found: dict[str, Edit] = {}
    for call in between:
        for file in _taken_back(call, found):
            del found[file]
        for edit in call.edits if not call.failed else ():
            if basename(edit.file) in made:
                continue
            before = found.pop(edit.file, None)
            if not (before and before.old and (before.old, before.new) == (edit.new, edit.old)):
                found[edit.file] = edit
    return list(found.values())


def _taken_back(call: Call, edited: Iterable[str]) -> list[str]:
    """Which of the edited files a call of git brought back to how they were."""
    steps = said(call.command) if call.exit == 0 and "git " in call.command else []
    if any(compiled(_UNDOES_ALL).match(step) for step in steps):
        return list(edited)
    back = {tokens(step)[-1] for step in steps if compiled(_UNDOES).match(step)}
    return [file for file in edited if any(file == each or file.endswith(f"/{each}") for each in back)]


def _about(edit: Edit, each: Episode) -> bool:
    """What a tool says of how code is written, and what is not there, is about the files that it names."""
    if each.failed.failure.get("toolchain") not in _STYLE and not compiled(_ABSENT).search(_message(each)):
        return True
    return named_in(each.failed.output, relative(edit.file, each.failed.cwd))


def _message(each: Episode) -> str:
    return str(each.failed.failure.get("message", ""))


def _may_help(step: str, each: Episode, *, edited: bool) -> bool:
    """Whether a command may have mattered: not where code was edited until a test found what it expects, and a
    formatter only where something was said of style."""
    if edited and compiled(_EXPECTS).search(str(each.failed.failure.get("error_type", ""))):
        return False
    styled = compiled(_STYLED).search(f"{each.failed.command}\n{each.failed.output}")
    return styled is not None or not compiled(_FORMATS).search(step)


def _made_for(step: str, each: Episode) -> bool:
    """Whether what was made or moved is what the failure speaks of, by its own name."""
    if not compiled(r"(?:mkdir|touch|(?:git )?mv)\s").match(step):
        return True
    told = f"{_message(each)} {each.failed.failure.get('parameters', '')}"
    made = (word.strip("'\"/") for word in tokens(step)[1:] if word[:1] != "-")
    names = (basename(path.removesuffix("/__init__.py")).partition(".")[0] for path in made)
    return any(len(name) >= LEAST_NAME and name in told for name in names)


def _edit(edit: Edit, cwd: str) -> Remedy:
    file = relative(edit.file, cwd)
    old, new = _hunk(edit.old, edit.new)
    symbol = compiled(_DEFINES).search(edit.old) or compiled(_DEFINES).search(edit.new)
    where = f"edit {file}" + (f", {symbol[1]}" if symbol else "")
    if not new and not old:
        return Remedy(EDITED, (where,), file)
    said = f"`{new}` in place of `{old}`" if old and new else f"add `{new}`" if new else f"without `{old}`"
    return Remedy(EDITED, (f"{where}: {said}",), file)


def _hunk(old: str, new: str) -> tuple[str, str]:
    """The one line that differs, or of more the first that came."""
    before, after = old.split("\n"), new.split("\n")
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    gone, came = before[head : len(before) - tail], after[head : len(after) - tail]
    if not gone and not came:
        return "", ""
    texts = " ".join(" ".join(gone).split()), " ".join(" ".join(came).split())
    if texts[0] == texts[1]:
        return "", ""
    if len(gone) > 2 or len(came) > 2 or any(len(text) > MOST_HUNK or "`" in text for text in texts):
        texts = "", _first_line(came, gone)
    return texts


def _first_line(came: Sequence[str], gone: Sequence[str]) -> str:
    """The first line that tells something, of many that came."""
    old = {line.strip() for line in gone}
    lines = (" ".join(line.split()) for line in came if line.strip() not in old)
    return next((f"{line}{CUT}" for line in lines if compiled(r"\w{2}").search(line) and _fits(line)), "")


def _fits(line: str) -> bool:
    return len(line) <= MOST_HUNK - 2 and "`" not in line


def relative(path: str, cwd: str) -> str:
    """A path as it is seen from the folder."""
    folder = cwd.rstrip("/") + "/"
    return path[len(folder) :] if cwd and path.startswith(folder) else path.removeprefix("./")
