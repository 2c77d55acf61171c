"""C, C++, Objective-C, Fortran and their linkers: gcc, clang, MSVC, ld, lld, gold, Apple's ld."""

from __future__ import annotations

from engrain.fingerprint.rows import pattern_of, row, scan, table
from engrain.fingerprint.wording import wording
from engrain.model import ROOT, WARNING, WRAPPER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from engrain.model import Diagnostic

_EXT = r"(?:c|h|cc|cpp|cxx|c\+\+|hpp|hh|hxx|h\+\+|inl|ipp|tcc|m|mm|cu|cuh|f|f90|F90|S|s|i|ii|ixx|cppm|y|l|def|td)"
_AT = (
    rf"^(?:In file included from .*)?(?P<file>[^\s:][^:\n]{{0,300}}\.{_EXT}|<command-line>|<stdin>"
    rf"|<built-in>):(?:\d+:(?:\d+:)?)? ?"
)
_FLAG = r"(?: \[(?P<_flag>-W[\w=+,-]+)\])?$"

ROWS = table(
    row(
        "cc",
        "No such file or directory",
        rf"{_AT}(?:fatal )?error: (?P<header>[\w./+-]+): No such file or directory",
        "missing header",
        says="no such header",
    ),
    row(
        "cc",
        "file not found",
        rf"{_AT}(?:fatal )?error: '(?P<header>[^']+)' file not found",
        "missing header",
        says="no such header",
    ),
    row("cc", " error: ", rf"{_AT}(?:fatal )?error: (?P<message>.*?) \[(?P<code>-W[\w=+,-]+)\]$"),
    row("cc", " error: ", rf"{_AT}(?:fatal |internal compiler )?error: (?P<message>.*)$"),
    row(
        "cc",
        " at (1)",
        r"^(?:Fatal )?Error: (?P<message>\S.* at \(1\).*)",
        "error",
    ),
    row("cc", " warning: ", rf"{_AT}warning: (?P<message>.*?) \[(?P<code>-W[\w=+,-]+|-Wc\+\+[\w-]+)\]$", rank=WARNING),
    row("cc", " warning: ", rf"{_AT}warning: (?P<message>.*)$", rank=WARNING),
    row(
        "cc",
        "error: ",
        r"^(?:\S*/)?(?:gcc|g\+\+|clang|clang\+\+|cc|c\+\+|cc1|cc1plus|\S*-gcc|\S*-g\+\+"
        r"|gfortran)(?:-\d+)?: (?:fatal )?error: (?P<message>.*)",
    ),
    row(
        "msvc",
        " error C",
        r"(?<!\S)(?P<file>\S{1,300}?)\(\d+(?:,\d+)?\) ?: (?:fatal )?error (?P<code>C\d{4}): (?P<message>.*)",
    ),
    row("msvc", "error LNK", r"error (?P<code>LNK\d{4}): (?P<message>.*)"),
    row("clang-tidy", "clang-", rf"{_AT}(?:error|warning): (?P<message>.*?) \[(?P<code>[\w.,-]+)\]$"),
    row("cppcheck", "(error", r"^(?P<message>.*) \((?:error|warning|style)\)(?P<code>)$"),
    # linkers
    row(
        "ld",
        "undefined reference to",
        r"undefined reference to [`'‘](?P<symbol>.+?)['’`](?:\s|$)",
        "undefined reference",
        says="undefined reference to <name>",
    ),
    row(
        "ld",
        "undefined symbol: ",
        r"(?:ld\.lld|ld64\.lld|ld|lld|lld-link|wasm-ld)\S*: error: (?:\S+: )?undefined symbol: (?P<symbol>.+)",
        "undefined reference",
        says="undefined reference to <name>",
    ),
    row("ld", "hidden symbol", r"hidden symbol [`'‘](?P<symbol>.+?)['’]", "hidden symbol"),
    row(
        "ld",
        "multiple definition of",
        r"multiple definition of [`'‘](?P<symbol>.+?)['’]",
        "multiple definition",
        says="multiple definition of <name>",
    ),
    row(
        "ld",
        "duplicate symbol",
        r"duplicate symbol:? '?(?P<symbol>[^'\n]+?)'?(?: in:?)?$",
        "multiple definition",
        says="multiple definition of <name>",
    ),
    row("ld", "cannot find -l", r"cannot find -l(?P<library>[\w.+-]+)", "missing library", says="cannot find library"),
    row(
        "ld",
        "library not found for -l",
        r"library not found for -l(?P<library>[\w.+-]+)",
        "missing library",
        says="cannot find library",
    ),
    row(
        "ld",
        "unable to find library -l",
        r"unable to find library -l(?P<library>[\w.+-]+)",
        "missing library",
        says="cannot find library",
    ),
    row(
        "ld", "library '", r"ld: library '(?P<library>[^']+)' not found", "missing library", says="cannot find library"
    ),
    row(
        "ld",
        "framework not found",
        r"framework not found (?P<library>\S+)",
        "missing library",
        says="cannot find framework",
    ),
    row(
        "ld",
        "cannot find ",
        r"\bld\S*: cannot find (?P<file>[^\s:]+)(?P<message>: .*)?$",
        "missing object",
        says="cannot find object",
    ),
    row("ld", "relocation ", r"relocation (?P<reloc>R_\w+) against", "relocation"),
    row(
        "ld",
        "incompatible ",
        r"\bld\S*: (?:skipping )?(?P<message>(?:incompatible|i386|file in wrong format).*)",
        "wrong format",
        WARNING,
    ),
    row("ld", "file in wrong format", r"(?P<message>file in wrong format)", "wrong format"),
    row(
        "ld",
        "DSO missing from command line",
        r"(?:undefined reference to symbol '(?P<symbol>[^'@]+).*)?(?P<message>DSO missing from command line)",
        "DSO missing",
        says="",
    ),
    row("ld", "region `", r"region `(?P<region>\w+)' overflowed", "region overflowed", says=""),
    row(
        "ld", "cannot open output file", r"(?P<message>cannot open output file) \S+: (?P<why>.*)", "cannot open output"
    ),
    row("ld", "recompile with -fPIC", r"(?P<message>recompile with -fPI[CE])", "not PIC"),
    row(
        "ld",
        "ld returned",
        r"collect2: (?:fatal )?error: ld (?:returned \d+ exit status|terminated with signal.*)",
        "ld failed",
        WRAPPER,
        says="",
    ),
    row(
        "cc",
        "linker command failed",
        r"error: linker command failed with exit code \d+",
        "linker failed",
        WRAPPER,
        says="",
    ),
    row("cc", "compilation terminated", r"^compilation terminated\.", "terminated", WRAPPER, says=""),
    row(
        "as",
        "no such instruction",
        r":\d+: Error: no such instruction: [`'‘](?P<instruction>[\w.]+)",
        "no such instruction",
        says="",
    ),
    row("as", "Error: ", r"^(?P<file>\S+\.[sS]):\d+: Error: (?P<message>.*)"),
    row("as", "Error: ", r"^(?P<file>/tmp/\S+):\d+: Error: (?P<message>.*)"),
    row("cuda", "ptxas", r"^ptxas (?:fatal|error) *: (?P<message>.*)"),
    row("nvcc", "nvcc", r"^nvcc (?:fatal|error) *: (?P<message>.*)"),
    row("cc", "error: ", r"^(?P<file>\S+\.cuh?)\(\d+\): error: (?P<message>.*)"),
)

_APPLE = r"(?m)^Undefined symbols for architecture \w+:\n  \"(?P<symbol>[^\"]+)\""


def find(text: str, words: Set[str]) -> Iterator[Diagnostic]:
    """Diagnostics of C's toolchains."""
    for each in scan(ROWS, text, words):
        yield _of_flag(each)
    if "Undefined symbols for architecture" in text:
        for match in pattern_of(_APPLE).finditer(text):
            from engrain.model import diagnostic

            yield diagnostic(
                "ld",
                "undefined reference",
                "undefined reference to <name>",
                (("symbol", match["symbol"].lstrip("_")),),
                at=match.start(),
                settled=True,
            )


def _of_flag(each: Diagnostic) -> Diagnostic:
    """`-Werror=unused-variable` and `-Wunused-variable` are one rule: whether it is fatal is a setting. Which types
    met, and in an assignment or a call, is no part of it; what is missing is."""
    if not each.type.startswith("-W"):
        return each
    if each.message and not each.shown:
        each = each._replace(message="", decides=wording(each.message).decides, shown=each.message)
    rule = each.type.split(",")[0].replace("-Werror,", "").replace("-Werror=", "-W")
    fatal = each.rank == ROOT or "-Werror" in each.type
    return each._replace(
        type=each.type.split(",")[-1] if rule == "-Werror" else rule, rank=ROOT if fatal else each.rank
    )
