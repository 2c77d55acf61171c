"""Commands: what an agent typed → which command it was, and what it did.

    parts      the simple commands of a line, without what only changes how they are told
    working    those of them that do something beyond looking and tidying up
    plain      the line in one form: two lines with one plain form do the same
    key        which command it is: the same test, target or script under one key, whatever its flags
    ended      how one step of a line ended, as far as the line's exit code can tell

A fix says its steps in such commands or in prose: `steps_commands`, `is_step_of`, `repeats`.

Environment assignments belong to what a command does (`NODE_OPTIONS=… npm run build` is a fix of `npm run build`) and
not to which it is: `plain` keeps them, `parts` and `key` leave them out. `sudo` is kept likewise, but for the key.

The folder: `cd web && npm test` and `npm test` are two commands, for another folder has other tests. A `cd` to the
root of the project is noise: given the `root`, all is seen from there, and where a command names its files, the folder
goes into their names: `cd tests && pytest test_a.py` is `pytest tests/test_a.py`. Without it nobody can tell the root
from a folder in it. Then an absolute `cd` is taken for the root, because that is what agents write before every
command, and so is any before a command that names its files, because they tell more than the folder.

A `cd` in brackets, or in a line that is handed to a shell, ends with them.

Not known: what variables, aliases and functions hold. On the hook's path.
"""

from __future__ import annotations

from collections import namedtuple
from posixpath import normpath

from engrain.learn import programs
from engrain.learn.line import MOST, MOST_COMMANDS, Simple, simple_commands, unquoted
from engrain.learn.prose import asked_for
from engrain.learn.which import which
from engrain.patterns import compiled
from engrain.redact.rule import vocabulary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NamedTuple

    class Part(NamedTuple):
        """One simple command: its assignments, its words, the operator behind it, how much it does, and the brackets
        and shells around it."""

        env: tuple[str, ...]
        words: tuple[str, ...]
        after: str
        rank: int
        room: tuple[int, ...]

        @property
        def text(self) -> str: ...
else:

    class Part(namedtuple("Part", "env words after rank room")):
        """One simple command: its assignments, its words, the operator behind it, how much it does, and the brackets
        and shells around it."""

        __slots__ = ()

        @property
        def text(self):
            return " ".join(self.words)


GOES, LOOKS, TIDIES, WORKS = range(4)
"""How much a command does. The last of those that do most is what its line is about."""

_RESERVED = vocabulary("if then else elif while until do ! { } $ fi done esac")
_NO_COMMAND = vocabulary("for select case function in")
_RUN_AS = ("sudo", "doas", "xargs")
_ASSIGNS = r"[A-Za-z_]\w{0,80}\+?=(?!=)"
_C_OPTION = r"-[a-zA-Z]{0,6}c"
_DEEPEST = 8
_SHELL = -1
"""A room that is the line of another shell."""

MOST_KNOWN = 2000
_known: dict[str, tuple[Part, ...]] = {}


def parts(command: str) -> list[str]:
    """The simple commands of a line, without assignments, wrappers, redirections and pipe tails that only look."""
    return [part.text for part in _line(command)]


def folders(command: str, cwd: str) -> list[str]:
    """The folder in which each of the parts runs; empty behind a `cd` that leads nobody knows where."""
    found: list[str] = []
    places: dict[tuple[int, ...], str] = {(): cwd}
    for part in _line(command):
        around = max((room for room in places if part.room[: len(room)] == room), key=len)
        found.append(places[around])
        if part.rank == GOES:
            places[part.room] = _led(places[around], part.words)
    return found


def _led(folder: str, words: Sequence[str]) -> str:
    to = unquoted(next((word for word in words[1:] if word[:1] != "-"), "~"))
    if to[:1] in ("~", "$", "-") or not (folder or to[:1] == "/"):
        return ""
    return normpath(f"{folder}/{to}" if to[:1] != "/" else to)


def working(command: str) -> list[str]:
    """Those of its simple commands that do something beyond looking, going and tidying up."""
    return [part.text for part in _line(command) if part.rank == WORKS]


def plain(command: str) -> str:
    """The line in one form. What only looks is left out where something else is done."""
    text, after = "", ""
    for part in _doing(_line(command)):
        joint = f" {after} " if after in ("|", "||") else " && " if text else ""
        added = joint + " ".join((*part.env, *part.words))
        if text and len(text) + len(added) > MOST:
            break
        text, after = text + added, part.after
    return text


def key(command: str, root: str = "", cwd: str = "") -> str:
    """Which command it is; `root` is the folder of its project, `cwd` the one it was run in (both absolute)."""
    line = _line(command)
    if not line:
        return ""
    at = _deciding(line)
    room = line[at].room
    gone = [part.words for part in line[:at] if part.rank == GOES and room[: len(part.room)] == part.room]
    return which(line[at].words, gone, line[at].rank == WORKS, root, cwd)


def ended(step: str, command: str, code: int) -> bool | None:
    """Whether a step that this line did passed; None where the line's exit code does not tell."""
    line = _all(command)
    places = [_place(_doing(_line(asked)), line) for asked in _asked(step)]
    done = [at for at in places if at is not None]
    return _ended(line, done[-1], code) if done else None


def passed(command: str, code: int) -> bool | None:
    """Whether the command that decides the key passed; None where the exit code does not tell (`pytest | tail`)."""
    line = _all(command)
    return _ended(line, _deciding(line), code) if line else None


def steps_commands(step: str) -> list[str]:
    """The commands that a fix's step asks for; none where it is prose."""
    return asked_for(step)


def is_step_of(step: str, command: str) -> bool:
    """Whether this command did what the step says: it is the step, or has it among its parts."""
    return any(_within(asked, command) for asked in _asked(step))


def repeats(step: str, failing_command: str) -> bool:
    """Whether the step does nothing but what just failed, flags counting."""
    return all(_within(asked, failing_command) for asked in _asked(step))


def only_looks(step: str) -> bool:
    """Whether the step changes nothing: that it was done is no evidence."""
    return all(part.rank <= LOOKS for asked in _asked(step) for part in _line(asked))


def _asked(step: str) -> list[str]:
    return asked_for(step) or [step]


def _within(step: str, command: str) -> bool:
    return _place(_doing(_line(step)), _all(command)) is not None


def _place(wanted: Sequence[Part], line: Sequence[Part]) -> int | None:
    """Where in the line the last of these parts stands, behind the others; between them may stand what only looks."""
    if not wanted:
        return None
    looking = any(part.rank == LOOKS for part in wanted)
    places = [at for at, part in enumerate(line) if looking or part.rank != LOOKS]
    for first in range(len(places) - len(wanted) + 1):
        if all(_does(line[places[first + n]], part) for n, part in enumerate(wanted)):
            return places[first + len(wanted) - 1]
    return None


def _does(part: Part, wanted: Part) -> bool:
    return part.words == wanted.words and set(wanted.env) <= set(part.env)


def _ended(line: Sequence[Part], at: int, code: int) -> bool | None:
    later, earlier = line[at + 1 :], line[:at]
    joints = {part.after for part in line[at:-1]} | ({line[-1].after} - {";"}) - {""}
    faithful = {"&&", "|"} if any(_keeps_failures(part) for part in earlier) else {"&&"}
    if code == 0:
        skipped = bool(earlier) and earlier[-1].after == "||"
        return None if skipped or joints - faithful else True
    before_it = [part for part in earlier if part.after == "&&" and part.rank == WORKS]
    works = [part for part in later if part.rank == WORKS]
    return None if before_it or works or joints - faithful else False


def _keeps_failures(part: Part) -> bool:
    return part.words[0] == "set" and "pipefail" in part.words


def _deciding(line: Sequence[Part]) -> int:
    most = max(part.rank for part in line)
    return max(at for at, part in enumerate(line) if part.rank == most)


def _doing(line: Sequence[Part]) -> list[Part]:
    """What only looks is left out, unless the line does nothing else or something is fed by it."""
    if all(part.rank <= LOOKS for part in line):
        return list(line)
    kept: list[Part] = []
    for part in line:
        if part.rank != LOOKS or part.after == "|":
            kept.append(part)
        elif kept:
            kept[-1] = kept[-1]._replace(after=part.after)
    return kept


def _line(command: str) -> list[Part]:
    """The parts of a line, without pipe tails that only look."""
    line: list[Part] = []
    pipe: list[Part] = []
    for part in _all(command):
        pipe.append(part)
        if part.after != "|":
            line += _without_tail(pipe)
            pipe = []
    return line + _without_tail(pipe)


def _without_tail(pipe: list[Part]) -> list[Part]:
    last = len(pipe) - 1
    while last > 0 and pipe[last].rank == LOOKS:
        last -= 1
    if last == len(pipe) - 1:
        return pipe
    return [*pipe[:last], pipe[last]._replace(after=pipe[-1].after)]


def _all(command: str) -> tuple[Part, ...]:
    """Every part of a line. Who compares a day's commands with all that was shown asks for each again and again."""
    found = _known.get(command)
    if found is None:
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        found = _known[command] = tuple(_parts(command))
    return found


def _parts(command: str) -> list[Part]:
    found: list[Part] = []
    simples, _ = simple_commands(command)
    for simple in simples:
        _add(found, simple, (), ())
    return found[:MOST_COMMANDS]


def _add(found: list[Part], simple: Simple, env: tuple[str, ...], outer: tuple[int, ...]) -> None:
    """The part that a simple command is, or those of the line that it hands to a shell."""
    own, words = _stripped(simple.words)
    if not words or words[0] in _NO_COMMAND:
        return
    env, room = (*env, *own), (*outer, *simple.room)
    inner = _handed(words) if outer.count(_SHELL) < _DEEPEST and len(words) > 1 else ""
    if inner:
        lines, whole = simple_commands(inner)
        if whole and lines:
            lines[-1] = lines[-1]._replace(after=simple.after)
            shell = (*room, _SHELL, len(found))
            for line in lines:
                _add(found, line, env, shell)
            return
    fed = found[-1].rank > LOOKS if found and found[-1].after == "|" else None
    rank = _rank(words, bool(simple.to), fed)
    to = simple.to if simple.to and words[0] in programs.SAYS else ()
    found.append(Part(env, (*words, *simple.fed, *to), simple.after, rank, room))


def _handed(words: Sequence[str]) -> str:
    """`bash -lc 'LINE'`, `engrain watch --cmd 'LINE'`: the line."""
    if words[0] == "engrain" and words[1] == "watch":
        last = words[-1].partition("=")
        asked = words[-2] == "--cmd" or last[0] == "--cmd"
        return unquoted(last[2] if last[0] == "--cmd" else words[-1]) if asked else ""
    if words[0].rpartition("/")[2] not in programs.SHELLS:
        return ""
    options = words[1:-1]
    if not options or not compiled(_C_OPTION).fullmatch(options[-1]) or any(word[:1] != "-" for word in options):
        return ""
    return unquoted(words[-1])


def _stripped(words: list[str]) -> tuple[list[str], list[str]]:
    """Assignments apart, and without the words of the shell and the wrappers before a command."""
    env: list[str] = []
    at = 0
    while at < len(words):
        first = words[at]
        if first in _RESERVED:
            at += 1
        elif "=" in first and compiled(_ASSIGNS).match(first):
            env.append(first)
            at += 1
        else:
            begins = _unwrapped(first, words, at)
            if begins == at:
                return env, words[at:] if at else words
            at = begins
    return [], env


def _unwrapped(first: str, words: list[str], at: int) -> int:
    """Where the command begins that a wrapper at `at` runs; `at` where none does."""
    name = first.rpartition("/")[2]
    second = words[at + 1] if at + 1 < len(words) else ""
    begins = at + 1
    if name == "engrain":
        name, begins = f"engrain {second}", at + 2
    wrapper = programs.WRAPPERS.get(name)
    if wrapper is None or (name == "command" and second[:2].lower() == "-v"):
        return at
    if second in programs.TELLING.get(name, ()) and at + 2 < len(words) and words[at + 2] in programs.KNOWN:
        begins = at + 2
    if name == "engrain watch" and any(word[:5] == "--cmd" for word in words[begins:]):
        return at
    begins = programs.behind(words, begins, wrapper)
    return begins if begins < len(words) else at


def _rank(words: Sequence[str], writes: bool, fed: bool | None) -> int:
    """How much it does; `fed` is whether what is piped into it comes from a command that does something."""
    name = programs.name(words[0])
    if name in _RUN_AS and len(words) > 1:
        inner = words[programs.behind(words, 1, programs.XARGS if name == "xargs" else programs.SUDO) :]
        return _rank(inner, writes, fed) if inner and inner[0] not in _RUN_AS else WORKS
    if name in programs.GO:
        return GOES
    if len(words) > 1 and (words[1] in programs.ASKING or words[-1] in programs.ASKING):
        return LOOKS
    if name in programs.LOOK:
        return TIDIES if _changes(name, words, writes, fed) else LOOKS
    if name in programs.HOUSE or ("=" in name and compiled(_ASSIGNS).match(name)):
        return TIDIES
    return _rank_of_sub(name, words)


def _rank_of_sub(name: str, words: Sequence[str]) -> int:
    looking = programs.LOOKING.get(name)
    if looking is None:
        return WORKS
    sub, rest = programs.sub(name, words)
    if sub in looking or (sub in programs.LISTS.get(name, ()) and programs.LISTING.issuperset(rest)):
        return LOOKS
    return TIDIES if sub in programs.HOUSEKEEPING.get(name, ()) else WORKS


def _changes(name: str, words: Sequence[str], writes: bool, fed: bool | None) -> bool:
    """A program that only looks, used to change something: `sed -i`, `echo x > file`, `echo x | tee file`."""
    if name == "sed":
        return any(word[:2] == "-i" or word[:10] == "--in-place" for word in words)
    if name == "find":
        return not programs.HOUSEKEEPING["find"].isdisjoint(words)
    if name == "tee":
        return fed is False and len(words) > 1
    return writes and name in programs.SAYS
