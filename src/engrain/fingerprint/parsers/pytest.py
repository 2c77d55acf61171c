"""pytest: each failing test's own exception, collection errors, fixtures, and the summary when that is all there is.

An exception is read as Python's, but it is pytest's all the same: a module that is missing under pytest alone wants
another fix than one that no program finds. Of a failed assertion the test decides.
"""

from __future__ import annotations

from engrain.fingerprint.parsers import python
from engrain.fingerprint.parsers.python_exceptions import Raised, looks_raised, of
from engrain.fingerprint.rows import pattern_of, row, scan, table
from engrain.model import ROOT, SECOND, diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from engrain.model import Diagnostic

_NESTED = r"(?ms)^=+ test session starts =+$.*?^=+ [^=\n]* in [\d.]+ ?s[^=\n]* =+$"
"""A test of pytest runs pytest, and what that one says is only captured."""

_HEADER = r"(?m)^_{2,} (?P<title>.{1,300}?) _{2,}$"
_LOCATION = r"(?m)^(?P<file>[^\s:][^:\n]{0,300}):\d+: (?P<type>(?:\w+\.)*[A-Za-z_]\w*)?$"
_SAYS = r"^(?P<type>(?:[A-Za-z_]\w{0,60}\.){0,6}[A-Z]\w{1,60}):? ?(?P<message>.*)$"
_SUMMARY = r"(?m)^(?P<how>FAILED|ERROR) (?P<file>[^\s:]+\.\w+)(?:::(?P<test>\S[^\n]*?))?(?: - (?P<message>.*))?$"
_VERBOSE = r"(?m)^(?P<file>[^\s:]+\.py)::(?P<test>\S+) (?P<how>FAILED|ERROR)\b"

ROWS = table(
    row("pytest", "file or directory not found", r"^ERROR: (?P<message>file or directory not found): ", "usage"),
    row("pytest", "ERROR: not found", r"^ERROR: (?P<message>not found): \S*?(?:::(?P<test>\S+))?$", "usage"),
    row("pytest", "no name ", r"^\(no (?:match|name) .* in any of .*", "usage", SECOND),
    row(
        "pytest",
        "unrecognized arguments",
        r"^(?:.*pytest\S*|__main__\.py): error: (?P<message>unrecognized arguments): (?P<option>-[^\s=]+)",
        "usage",
    ),
    row("pytest", "pytest", r"^\S*pytest\S*: error: (?P<message>.+)", "usage"),
    row("pytest", "UsageError", r"^(?:_pytest\.config\.)?UsageError: (?P<message>.+)", "usage"),
    row("pytest", "unknown hook", r"unknown hook '(?P<hook>\w+)'", "unknown hook"),
    row(
        "pytest",
        "not found in `markers`",
        r"(?P<message>'(?P<marker>\w+)' not found in `markers` configuration option)",
        "marker",
    ),
    row("pytest", "no tests ran", r"^=* ?no tests ran in .*", "no tests ran", SECOND, says=""),
    row("pytest", " deselected", r"^=* ?\d+ deselected(?:, \d+ warnings?)? in .*", "no tests ran", SECOND, says=""),
    row("pytest", "Coverage failure", r"(?P<message>Coverage failure: total of .*)", "coverage", SECOND, says=""),
    row(
        "pytest",
        "Required test coverage",
        r"(?P<message>FAIL Required test coverage of .*)",
        "coverage",
        SECOND,
        says="",
    ),
)


def find(text: str, words: Set[str]) -> Iterator[Diagnostic]:
    """Diagnostics of pytest."""
    found = list(scan(ROWS, text, words))
    if "INTERNALERROR>" in text:
        text = text.replace("INTERNALERROR> ", "")
        if raised := python.chain_root(text):
            found.append(_pytests(raised))
    if "while loading conftest" in text and (raised := _from_e_lines(text) or python.chain_root(text)):
        found.append(_pytests(raised))
    if "= FAILURES =" in text or "= ERRORS =" in text:
        found += _blocks(text)
    elif "\nE   " in text and (each := _torn(text)):
        found.append(each)
    if not any(each.rank == ROOT for each in found):
        found += _summaries(text)
    yield from found


def _blocks(text: str) -> Iterator[Diagnostic]:
    """What stands between the headers of FAILURES and ERRORS."""
    start = min(at for at in (text.find("= FAILURES ="), text.find("= ERRORS =")) if at >= 0)
    end = text.rfind(" short test summary info ", start)
    body = pattern_of(_NESTED).sub("", text[start : end if end >= 0 else len(text)])
    headers = list(pattern_of(_HEADER).finditer(body))[:200]
    for header, after in zip(headers, [*headers[1:], None], strict=False):
        block = body[header.end() : after.start() if after else len(body)]
        if each := _block(header["title"], block, start + header.start()):
            yield each


def _torn(text: str) -> Diagnostic | None:
    """What `tail` left of the last block: the summary below it names the test."""
    body, _, summary = text.partition(" short test summary info ")
    named = list(pattern_of(_SUMMARY).finditer(summary))
    last = named[-1] if named else None
    title = (last["test"] or f"ERROR collecting {last['file']}") if last else ""
    body = body[max((header.end() for header in pattern_of(_HEADER).finditer(body)), default=0) :]
    return _block(title, body, 0) if "\nE   " in body else None


def _block(title: str, block: str, at: int) -> Diagnostic | None:
    block = pattern_of(r"(?m)^-{3,} Captured ").split(block, maxsplit=1)[0]
    test = _test_name(title)
    locations = pattern_of(_LOCATION).findall(block)
    file = locations[-1][0] if locations else ""
    if (raised := _from_e_lines(block)) is None and (raised := python.chain_root(block)) is None:
        if "\nE   " not in block and not block.startswith("E   "):
            strict = pattern_of(r"^\[XPASS\(strict\)\].*").search(block.strip())
            return diagnostic("pytest", "XPASS(strict)", "", (("test", test),), at=at, settled=True) if strict else None
        raised = Raised(locations[-1][1] if locations else "", _first_said(block), file, "", "", at)
    if title.startswith("ERROR collecting"):
        file = title.rsplit(maxsplit=1)[-1]
    return _of(raised, test, file or raised.file, at)


def _of(raised: Raised, test: str, file: str, at: int) -> Diagnostic:
    last = raised.type.rpartition(".")[2]
    message = raised.message
    if fixture := pattern_of(r"^fixture '(\w+)' not found").search(message):
        return diagnostic("pytest", "fixture not found", "", (("fixture", fixture[1]),), file=file, at=at, settled=True)
    if last in ("AssertionError", "Failed", "") or message.startswith("assert "):
        return diagnostic(
            "pytest", last or "AssertionError", _asserted(message), (("test", test),) if test else (), file=file, at=at
        )
    return _pytests(raised._replace(file=file, at=at))


def _pytests(raised: Raised) -> Diagnostic:
    each = of(raised)
    return each._replace(toolchain="pytest") if each.toolchain == "python" else each


def _asserted(message: str) -> str:
    """`assert 3 == total` → `assert … == …`: the test is known by its name, its values are another each time."""
    message = pattern_of(r"^AssertionError: ?").sub("", message)
    compared = pattern_of(r"assert (?:not )?.*? (==|!=|<=|>=|<|>|is not|is|not in|in) ").match(message)
    return f"assert … {compared[1]} …" if compared else message


def _first_said(block: str) -> str:
    found = pattern_of(r"(?m)^E {3,}(?P<said>\S.*)$").search(block)
    return found["said"] if found else ""


def _from_e_lines(block: str) -> Raised | None:
    """The root among the `E` lines, whose chains are linked as in a plain traceback."""
    if "E   " not in block:
        return None
    links = pattern_of(rf"(?m)^({python.CAUSED}|{python.DURING}).*$").split(block)
    chain: list[tuple[str, Raised]] = []
    for index in range(0, len(links), 2):
        link = links[index - 1] if index else ""
        if raised := _said(links[index]):
            chain.append((link, raised))
    return python.root_of(chain) if chain else None


def _said(segment: str) -> Raised | None:
    lines = pattern_of(r"(?m)^E {1,12}(\S.*)$").findall(segment)
    locations = pattern_of(_LOCATION).findall(segment)
    named = [kind for _, kind in locations if kind]
    # Collection errors show the whole traceback behind an E; its last exception line is the one that counts.
    for line in lines[:1] if named else reversed(lines[-40:]):
        found = pattern_of(_SAYS).match(line)
        if found and looks_raised(found["type"], "x" if named else ""):
            said = found["message"]
            if "validation error" in said:
                below = pattern_of(r"(?m)^E {3}(.*)$").findall(segment)
                said = python.with_field(said, below[below.index(line) + 1 :] if line in below else ())
            return Raised(found["type"], said, "", "", "", 0)
    if not lines:
        return None
    if not named and not lines[0].startswith(("assert", "fixture ", "Failed:")):
        return None
    return Raised(named[-1] if named else "", lines[0], "", "", "", 0)


def _summaries(text: str) -> Iterator[Diagnostic]:
    """`FAILED file::test - message`, which is all that `--tb=no` leaves."""
    for pattern in (_SUMMARY, _VERBOSE):
        found = list(pattern_of(pattern).finditer(text))[:200]
        for match in found:
            groups = match.groupdict()
            said = _in_full((groups.get("message") or "").strip(), text)
            named = pattern_of(_SAYS).match(said)
            kind, message = (
                (named["type"], named["message"]) if named and looks_raised(named["type"], "") else ("", said)
            )
            raised = Raised(kind, message, groups["file"], "", "", match.start())
            if kind or message.startswith("assert"):
                yield _of(raised, _test_name(groups["test"] or ""), groups["file"], match.start())
            else:
                yield diagnostic(
                    "pytest",
                    groups["how"],
                    message,
                    (("test", _test_name(groups["test"] or "")),),
                    file=groups["file"],
                    rank=SECOND,
                    at=match.start(),
                )
        if found:
            return


def _in_full(said: str, text: str) -> str:
    """What the summary cut at the edge of the terminal, as it stands elsewhere; else the words that any edge leaves."""
    if not said.endswith("..."):
        return said
    kind, _, begun = said[:-3].rpartition(": ") if ": " in said[:60] else ("", "", said[:-3])
    at = text.find("\n" + begun) if begun else -1
    said = text[at + 1 :].partition("\n")[0] if at >= 0 else " ".join(begun.split(" ")[:3])
    return f"{kind}: {said}" if kind else said


def _test_name(title: str) -> str:
    """`TestCart.test_total[3-x]` → `test_total`: parameters of a test are values."""
    title = pattern_of(r"^(?:ERROR (?:at (?:setup|teardown) of|collecting) |(?:setup|teardown) of )").sub("", title)
    title = title.split("[", 1)[0].split(" ")[0]
    return "" if "/" in title and "::" not in title and title.endswith(".py") else pattern_of(r"::|\.").split(title)[-1]
