"""Python: tracebacks with their chains and groups, syntax errors, and what the interpreter says of itself.

Of a chain (`raise … from`, "During handling of …") the root is the earliest exception that the later ones were raised
*because of*; a lookup that failed on the way to a better message is not it. A traceback that was only logged loses to
the one that ended the program.
"""

from __future__ import annotations

from engrain.fingerprint.parsers.python_exceptions import BUILTIN, Raised, looks_raised, of
from engrain.fingerprint.rows import lines_with, pattern_of, row, scan, table
from engrain.fingerprint.vocabulary import words as _words
from engrain.model import NOISE, OUTER, ROOT, SECOND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence, Set

    from engrain.model import Diagnostic


TRACEBACK = "Traceback (most recent call last)"
CAUSED = "The above exception was the direct cause of the following exception"
DURING = "During handling of the above exception, another exception occurred"

_RAISED = r"^(?P<type>(?:[A-Za-z_]\w{0,80}\.){0,8}[A-Za-z_]\w{0,80})(?::(?: (?P<message>.*))?)?$"
_FRAME = r'^\s*File "(?P<file>[^"]{1,400})", line \d+(?:, in (?P<where>.+))?'
_ON_THE_WAY = _words(
    "KeyError IndexError StopIteration StopAsyncIteration CancelledError GeneratorExit LookupError AttributeError",
)
"""Exceptions that a program meets while it looks for something, and then says better what is wrong."""

_OF_JS_TOO = frozenset(("TypeError", "SyntaxError", "ReferenceError", "RangeError", "AssertionError"))

ROWS = table(
    row(
        "python",
        "No module named",
        r"^(?:\S*python[\w.]*|\S*/bin/\S+|pypy\S*): No module named (?P<module>[\w.]+)",
        "ModuleNotFoundError",
        says="No module named <name>",
    ),
    row(
        "python",
        "can't open file",
        r"python[\w.]*: can't open file '?[^']*'?: \[Errno \d+\] (?P<message>.+)",
        "can't open file",
    ),
    row("python", "Fatal Python error", r"^Fatal Python error: (?P<message>.+)", "Fatal Python error"),
    row("python", "Unknown option: -", r"^(?:unknown|Unknown) option:? (?P<option>-\S+)", "unknown option"),
    row("python", "Error processing line", r"^Error processing line \d+ of \S+\.pth:", "site", NOISE, says=""),
    row("python", "Error in sitecustomize", r"^Error in sitecustomize(?P<message>.*)", "sitecustomize"),
    row("python", "Warning: ", r"^\S+:\d+: (?P<type>(?:\w+\.)*\w*Warning): (?P<message>.+)", rank=NOISE),
    row("python", "Warning: ", r"^(?P<type>(?:\w+\.)*[A-Z]\w*Warning): (?P<message>.+)", rank=NOISE),
)


def find(text: str, words: Set[str]) -> Iterator[Diagnostic]:
    """Diagnostics of Python."""
    yield from scan(ROWS, text, words)
    if "Exception Group Traceback" in text:
        text = _without_bars(text)
        if found := pattern_of(r"(?m)-{4,} 1 -{4,}\n" + _RAISED[1:]).search(text):
            yield of(Raised(found["type"], (found["message"] or "").strip(), "", "", "", found.start()))
            return
    chains = list(_chains(text))
    ended = [chain for chain in chains if not _survived(text, chain)]
    for chain in chains:
        raised = root_of(chain)
        yield of(raised, rank=NOISE if chain not in ended else ROOT if chain is ended[-1] else SECOND)
        if len(chain) > 1 and ended and chain is ended[-1]:
            yield from (of(each, rank=OUTER) for each in _outside(chain, raised))
    if not chains and not _has_anothers_stack(text):
        yield from _bare(text)


def _survived(text: str, chain: list[tuple[str, Raised]]) -> bool:
    """A traceback that the interpreter itself printed and went on from."""
    last = chain[-1][1].at
    return (
        "Remainder of file ignored" in text[last : last + 600]
        or "Exception ignored in" in text[max(0, chain[0][1].at - 800) : last]
    )


def chain_root(text: str) -> Raised | None:
    """The root of the last traceback in the text."""
    last = None
    for chain in _chains(text):
        last = chain
    return root_of(last) if last else None


def _chains(text: str) -> Iterator[list[tuple[str, Raised]]]:
    """Tracebacks that belong together, each with how it follows from the one before it."""
    at, end = text.find(TRACEBACK), 0
    chain = _torn(text[:at] if at >= 0 else text, alone=at < 0)
    while at >= 0:
        raised, after = _traceback(text, at)
        between = text[end:at]
        link = CAUSED if CAUSED in between else DURING if DURING in between else ""
        if chain and not link and not _grouped(text, at):
            yield chain
            chain = []
        if raised:
            chain.append((link, raised))
            end = after
        at = text.find(TRACEBACK, max(after, at + 1))
    if chain:
        yield chain


def _torn(text: str, *, alone: bool) -> list[tuple[str, Raised]]:
    """What `tail` left of a traceback whose head it cut; before another one only where that one follows from it."""
    if '  File "' not in text or ", in " not in text or not (alone or CAUSED in text or DURING in text):
        return []
    frame = pattern_of(r'(?m)^  File "[^"\n]{1,400}", line \d+, in ').search(text)
    raised, _ = _unindented("\n" + text, frame.start(), frame.start()) if frame else (None, 0)
    return [("", raised)] if raised else []


def _grouped(text: str, at: int) -> bool:
    """Whether this traceback is a part of an exception group: it stands below a `+---- 1 ----`."""
    return "---------------- " in text[max(0, at - 80) : at]


def root_of(chain: list[tuple[str, Raised]]) -> Raised:
    """The exception that the others of the chain follow from."""
    at = len(chain) - 1
    while at > 0:
        link, later = chain[at]
        earlier = chain[at - 1][1]
        short = earlier.type.rpartition(".")[2]
        if link == CAUSED:
            if short in _ON_THE_WAY:
                break
        elif link == DURING:
            if not (len(earlier.message) > 3 and earlier.message in later.message):
                break
        elif not later.type.endswith("Group"):
            break
        at -= 1
    return next((each for _, each in chain[at:] if not each.type.endswith("Group")), chain[at][1])


def _outside(chain: list[tuple[str, Raised]], root: Raised) -> list[Raised]:
    """The exceptions that the root went through on its way out."""
    raised = [each for _, each in chain]
    return raised[raised.index(root) + 1 :]


def _traceback(text: str, at: int) -> tuple[Raised | None, int]:
    """The exception of the traceback that begins at `at`, and where its text ends."""
    start = text.rfind("\n", 0, at) + 1
    prefix = text[start:at].removesuffix("Exception Group ")
    if not prefix:
        return _unindented(text, at, start)
    # A log or a box may stand before each line: without it the text reads as ever.
    lines = text[at : at + 60_000].split("\n")
    body = "\n".join(line[len(prefix) :] if line.startswith(prefix.rstrip()) else line for line in lines)
    raised, _ = _unindented(body, 0, 0)
    if raised is None:
        return None, at + len(TRACEBACK)
    name = text.find(raised.type, at)
    return raised._replace(at=start), max(name, at) + len(raised.type)


def _unindented(text: str, at: int, start: int) -> tuple[Raised | None, int]:
    """Frames are indented and what was raised is not; what the program printed in between is neither."""
    raised, next_line = pattern_of(_RAISED), pattern_of(r"\n(?=\S)")
    position = at
    for _ in range(60):
        found = next_line.search(text, position)
        if not found:
            break
        position = found.end()
        end = text.find("\n", position)
        end = len(text) if end < 0 else end
        line = text[position : min(end, position + 4000)]
        if line.startswith(TRACEBACK):
            break
        match = raised.match(line)
        if match and not text.startswith("  File ", end + 1):
            file, where, code = _last_frame(text, at, position)
            if looks_raised(match["type"], file):
                message = (match["message"] or "").strip() or _next_line(match["type"], text, end + 1)
                if "validation error" in message:
                    message = with_field(message, text[end + 1 : end + 600].split("\n"))
                return Raised(match["type"], message, file, where, code, start), end
    return None, position


def _last_frame(text: str, at: int, end: int) -> tuple[str, str, str]:
    """File, function and source line of the frame that raised."""
    found = text.rfind('\n  File "', at, end)
    if found < 0:
        return "", "", ""
    line, _, below = text[found + 1 : end].partition("\n")
    frame = pattern_of(_FRAME).match(line)
    code = below.partition("\n")[0]
    return (frame["file"], frame["where"] or "", code.strip() if code[:1] == " " else "") if frame else ("", "", "")


def with_field(message: str, below: Sequence[str]) -> str:
    """`1 validation error for Settings` with the first field below it, and what is wrong with that."""
    if len(below) < 2 or not below[0] or below[0][:1].isspace() or not below[1][:1].isspace():
        return message
    return f"{message}: {below[0].strip()[:100]}: {below[1].strip()[:300]}"


def _next_line(name: str, text: str, start: int) -> str:
    """An exception without words on its own line may have them on the next (`ValidationError` and its like)."""
    if name in BUILTIN:
        return ""
    end = text.find("\n", start)
    line = text[start : end if end >= 0 else len(text)][:400]
    return (
        line.strip()
        if line[:1].strip() and not line.startswith(("The above", "During", "Traceback", "=", "-", "make"))
        else ""
    )


def _has_anothers_stack(text: str) -> bool:
    """JavaScript and the JVM say `TypeError: …` and `RuntimeError: …`, too, above frames of their own."""
    return ("\n    at " in text or "\n\tat " in text) and 'File "' not in text


def _bare(text: str) -> Iterator[Diagnostic]:
    """Exception lines without a traceback: a syntax error, or a log that kept only the last line."""
    pattern = pattern_of(_ALONE)
    for ending in ("Error", "Exception", "Interrupt", "Exit"):
        for at, line in lines_with(ending, text) if ending in text else ():
            match = pattern.match(line)
            if not match or not _is_pythons(text, match["type"], match["message"] or ""):
                continue
            message = (match["message"] or "").strip()
            yield of(Raised(match["type"], message, *_place_before(text, at), at))
            return


_ALONE = r"[ \t]{0,12}(?P<type>(?:[a-z_]\w{0,60}\.){0,6}[A-Z]\w{1,60})(?:: (?P<message>.{0,2000}))?$"


_STANDARD = ("subprocess.", "ssl.", "urllib.", "socket.", "json.decoder.", "sqlite3.", "importlib.", "zipfile.")
"""Modules that every Python has: who speaks of their exceptions is Python."""


def _is_pythons(text: str, name: str, message: str) -> bool:
    last = name.rpartition(".")[2]
    if name.startswith(_STANDARD):
        return True
    if last not in BUILTIN or last.endswith("Warning"):
        return False
    if last in _OF_JS_TOO and last == name and _is_js(text, message):
        return False
    return bool(message) or last != name or '  File "' in text


def _place_before(text: str, at: int) -> tuple[str, str, str]:
    """File, function and source line of the frame above."""
    found = text.rfind('File "', 0, at)
    if found < 0:
        return "", "", ""
    frame, _, below = text[found + 6 : at].partition("\n")
    return frame.partition('"')[0], "", below.partition("\n")[0].strip()


def _is_js(text: str, message: str) -> bool:
    if "\n    at " in text or "Node.js v" in text:
        return True
    from engrain.fingerprint.parsers.node import says_v8

    return says_v8(message)


def _without_bars(text: str) -> str:
    """An exception group draws its parts in a tree of bars."""
    return pattern_of(r"(?m)^ {0,40}(?:[|+](?=[ -])(?:[ -]*[|+](?=[ -]))* ?)").sub("", text)
