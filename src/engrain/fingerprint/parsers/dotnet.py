"""C#, F#, Visual Basic: the compilers, MSBuild, NuGet, tests, and exceptions with their inner ones."""

from __future__ import annotations

from engrain.fingerprint.rows import pattern_of, row, scan, table
from engrain.model import ROOT, WARNING, WRAPPER, diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from engrain.model import Diagnostic

_END = r"(?: \[[^\]\n]+proj(?:::[^\]]*)?\])?$"

ROWS = table(
    row(
        "dotnet",
        "error ",
        rf"^\s*(?P<file>[^\s(][^(\n]*?)\(\d+,\d+(?:,\d+,\d+)?\): error (?P<code>(?:CS|FS|VB|BC|CA|IDE"
        rf"|SA|RS|xUnit|NETSDK)\d{{3,5}}): (?P<message>.*?){_END}",
    ),
    row(
        "dotnet",
        "warning ",
        rf"^\s*(?P<file>[^\s(][^(\n]*?)\(\d+,\d+(?:,\d+,\d+)?\): warning "
        rf"(?P<code>[A-Za-z]{{2,6}}\d{{3,5}}): (?P<message>.*?){_END}",
        rank=WARNING,
    ),
    row("nuget", "error NU", rf"error (?P<code>NU\d{{4}}): (?P<message>.*?){_END}"),
    row("msbuild", "error MSB3073", r"error MSB3073: .*", "MSB3073", WRAPPER, says=""),
    row("msbuild", "error MSB", rf"error (?P<code>MSB\d{{4}}): (?P<message>.*?){_END}"),
    row("dotnet", "error NETSDK", rf"error (?P<code>NETSDK\d{{4}}): (?P<message>.*?){_END}"),
    row("dotnet", "error CS", rf"error (?P<code>CS\d{{4}}): (?P<message>.*?){_END}"),
    row(
        "xunit",
        "[FAIL]",
        r"(?<![\w.+])(?P<_suite>[\w.+]{1,300})\.(?P<test>\w{1,200})(?:\(.*\))? \[FAIL\]",
        "FAIL",
        says="",
    ),
    row("dotnet test", "  Failed ", r"^\s+Failed (?:[\w.+]+\.)?(?P<test>\w+)(?:\(.*\))? \[", "FAIL", says=""),
    row("dotnet", "Couldn't find a project to run", r"(?P<message>Couldn't find a project to run)", "no project"),
    row("dotnet", "Could not execute because", r"(?P<message>Could not execute because .*)", "no command"),
    row("dotnet", "You must install or update .NET", r"(?P<message>You must install or update \.NET)", "no runtime"),
)

_THROWN = (
    r"(?m)^\s*(?:Unhandled exception[.:] ?)?(?P<inner> *---> "
    r")?(?P<type>(?:[A-Z]\w*\.)+[A-Z]\w*(?:Exception|Error))(?: \(0x[0-9A-F]+\))?: (?P<message>.*)$"
)
_INNER = r"---> (?P<type>(?:[A-Z]\w*\.)+[A-Z]\w*(?:Exception|Error))(?: \(\d+\))?: (?P<message>[^\n]*)"


def find(text: str, words: Set[str]) -> Iterator[Diagnostic]:
    """Diagnostics of .NET."""
    yield from scan(ROWS, text, words)
    if "Exception" not in text or (
        "System." not in text and "Unhandled exception" not in text and "   at " not in text
    ):
        return
    for match in pattern_of(_THROWN).finditer(text):
        inner = list(pattern_of(_INNER).finditer(text[match.start() : match.start() + 20_000]))
        last = inner[-1] if inner else match
        yield diagnostic("dotnet", last["type"], last["message"].strip(), rank=ROOT, at=match.start())
        return
