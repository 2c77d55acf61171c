"""Swift, Haskell, PureScript, Elm, OCaml, Dart, Zig, Nim: compilers that explain themselves over several lines."""

from __future__ import annotations

from engrain.fingerprint.rows import pattern_of, row, scan, table
from engrain.model import ROOT, SECOND, WARNING, WRAPPER, diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from engrain.model import Diagnostic

ROWS = table(
    row("swift", ".swift:", r"^(?P<file>\S+?\.swift):\d+:\d+: error: (?P<message>.*)"),
    row("swift", ".swift:", r"^(?P<file>\S+?\.swift):\d+:\d+: warning: (?P<message>.*)", "warning", WARNING),
    row(
        "swiftpm",
        "error: ",
        r"^error: (?P<message>(?:Could not find Package\.swift|no such module|product|the package"
        r"|package at|'[\w-]+': ).*)",
    ),
    row(
        "swift", "Fatal error: ", r"^(?:\S+/)?(?P<file>[\w./]+\.swift):\d+: Fatal error: (?P<message>.*)", "Fatal error"
    ),
    row("xcodebuild", "xcodebuild: error: ", r"^xcodebuild: error: (?P<message>.*)"),
    row(
        "xcodebuild", "** BUILD FAILED **", r"\*\* (?:BUILD|TEST|ARCHIVE) FAILED \*\*", "build failed", WRAPPER, says=""
    ),
    row("cabal", "Could not find module", r"Could not find module [‘`'](?P<module>[\w.]+)", "no such module", says=""),
    row("cabal", "unknown package: ", r"unknown package: (?P<package>[\w-]+)", "no such package", says=""),
    row(
        "cabal",
        "Could not resolve dependencies",
        r"(?P<message>Could not resolve dependencies)",
        "dependencies",
        SECOND,
        says="",
    ),
    row(
        "haskell",
        "Exception: ",
        r"^(?P<_program>[\w./-]+): (?P<message>Prelude\..*|Map\.!: .*|Non-exhaustive .*|divide by zero|<stdin>: .*)",
        "exception",
    ),
    row("elm", "-- ", r"^-- (?P<code>[A-Z][A-Z ]+) -+ +(?P<file>\S+)$"),
    row("dart", ".dart:", r"^(?P<file>\S+\.dart):\d+:\d+: Error: (?P<message>.*)"),
    row("dart", " • ", r"^\s*error • (?P<message>.*?) • (?P<file>\S+) • (?P<code>\w+)"),
    row("zig", ".zig:", r"^(?P<file>\S+\.zig):\d+:\d+: error: (?P<message>.*)"),
    row("nim", ".nim(", r"^(?P<file>\S+\.nim)\(\d+, \d+\) Error: (?P<message>.*)"),
    row("ocaml", "Error: Unbound", r"^Error: Unbound (?P<kind>[\w ]+) (?P<name>[\w.']+)", "Unbound", says="Unbound"),
    row("dune", "Error: Library", r"^Error: Library \"(?P<library>[^\"]+)\" not found", "no such library", says=""),
)

_GHC = (
    r"(?m)^(?P<file>[^\s:]\S*?\.(?:l?hs|hs-boot|hsig|cabal)|<interactive>):(?:\d+:\d+(?:-\d+)?"
    r"|\(\d+,\d+\)-\(\d+,\d+\)): (?P<level>error|warning|fatal)?:?(?: *\[(?P<code>GHC-\d+)?\])?(?: "
    r"*\[(?P<flag>-W[\w-]+)[^\]]*\])?:?(?P<rest>.*)$"
)
_CONSTRAINT = (
    r"^(?P<how>No instance for |Ambiguous type variable .{0,200}? prevents the constraint )"
    r"[‘(]{1,2}(?P<class>[A-Z][\w.]*)(?P<of>.*?)(?: arising from .*|[’)] from being solved.*|$)"
)
_PURS = r"(?m)^(?:\[\d+ of \d+\] )?(?P<level>Error|Warning) (?:found|\d+ of \d+):$"
_OCAML = r"(?m)^(?P<level>Error|Warning)(?: \d+ \[(?P<code>[\w-]+)\])?: (?P<message>(?:.*)(?:\n {7}.*)*)"


def find(text: str, words: Set[str]) -> Iterator[Diagnostic]:
    """Diagnostics of these compilers."""
    yield from scan(ROWS, text, words)
    if "hs:" in text or "GHC-" in text or "<interactive>" in text:
        yield from _ghc(text)
    if "Error found" in text or "Warning found" in text or ".purs" in text:
        yield from _purescript(text)
    if ('File "' in text and ", characters " in text) and "Traceback" not in text:
        for match in pattern_of(_OCAML).finditer(text):
            if not match["message"].startswith("Unbound"):
                yield diagnostic(
                    "ocaml",
                    match["code"] or "Error",
                    " ".join(match["message"].split()),
                    rank=ROOT if match["level"] == "Error" else WARNING,
                    at=match.start(),
                )


def _ghc(text: str) -> Iterator[Diagnostic]:
    """The words are the first bullet below the header, or the rest of its line."""
    for match in pattern_of(_GHC).finditer(text):
        if not match["level"] and not match["code"] and match["rest"].strip():
            continue
        message = match["rest"].strip() or _first_bullet(text[match.end() : match.end() + 2000])
        rank = WARNING if match["level"] == "warning" and "-Werror" not in match.group() else ROOT
        message, decides = _constraint(message)
        code = match["code"] or ""
        if flag := match["flag"]:
            code = code or flag
        yield diagnostic(
            "ghc",
            code or match["level"] or "error",
            message,
            decides,
            file=match["file"],
            rank=rank,
            at=match.start(),
            settled=bool(code),
        )


def _constraint(message: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Of a constraint its class decides, and whether it is of a function; where it came from does not."""
    if found := pattern_of(_CONSTRAINT).match(message):
        of = (("of", "function"),) if "->" in found["of"] else ()
        return found["how"].split(" ‘")[0].strip(), (("class", found["class"]), *of)
    return pattern_of(r"(not in scope: \S+) ::.*").sub(r"\1", message), ()


def _first_bullet(body: str) -> str:
    words: list[str] = []
    for line in body.split("\n")[1:14]:
        said = line.strip()
        if not line.startswith("  ") or not said or (words and said.startswith(("•", "Suggested fix", "In the ", "|"))):
            break
        words.append(said.lstrip("• "))
    return " ".join(words)


def _purescript(text: str) -> Iterator[Diagnostic]:
    """The words stand after the place, the code in the address of the documentation at the end."""
    heads = list(pattern_of(_PURS).finditer(text))
    for head, after in zip(heads, [*heads[1:], None], strict=False):
        body = text[head.end() : after.start() if after else len(text)][:6000]
        code = pattern_of(r"errors/(?P<code>[A-Z]\w+)\.md").search(body)
        place = pattern_of(r"(?m)^ ?at (?P<file>\S+?):\d+:\d+.*$").search(body)
        words = _paragraph(body[place.end() :] if place else body)
        yield diagnostic(
            "purescript",
            code["code"] if code else head["level"],
            words,
            file=place["file"] if place else "",
            rank=ROOT if head["level"] == "Error" else WARNING,
            at=head.start(),
            settled=bool(code),
        )


def _paragraph(body: str) -> str:
    """Words, not the types between them, which are indented further; `while checking …` tells where."""
    words: list[str] = []
    for line in body.strip("\n").split("\n"):
        if not line.strip():
            if words:
                break
            continue
        if pattern_of(r" ?(?:while |in (?:value|type|binding|module|class)|where |See https)").match(line):
            break
        words.append(line.strip())
    return " ".join(words)
