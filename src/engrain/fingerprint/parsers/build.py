"""What runs compilers and commands in order: make, ninja, CMake, autoconf, Meson, Bazel, just, task.

Most of what they say is that somebody else failed: those rows are wrappers.
"""

from __future__ import annotations

from engrain.fingerprint.rows import pattern_of, row, scan, table
from engrain.fingerprint.wording import told
from engrain.model import ROOT, SECOND, WARNING, WRAPPER, diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from engrain.model import Diagnostic

_MAKE = r"^(?:\S*/)?(?:g|mingw32-|b|n)?make(?:\[\d+\])?: "

ROWS = table(
    row(
        "make",
        "No rule to make target",
        _MAKE + r"\*\*\* No rule to make target [`'‘](?P<target>[^'’]+)['’](?P<_rest>.*)",
        "no rule",
        says="No rule to make target <name>",
    ),
    row(
        "make",
        "missing separator",
        r"^\S+:\d+: \*\*\* (?P<message>missing separator.*?)\.  Stop",
        "missing separator",
        says="missing separator",
    ),
    row("make", "  Stop.", r"^\S+:\d+: \*\*\* (?P<message>.*?)\.?  Stop\.$", "makefile"),
    row(
        "make",
        "No targets specified",
        _MAKE + r"\*\*\* (?P<message>No targets specified and no makefile found)",
        "no makefile",
    ),
    row("make", "No targets.", _MAKE + r"\*\*\* (?P<message>No targets)\.", "no targets"),
    # What make starts without a shell is missing as it is in one.
    row(
        "shell",
        "No such file or directory",
        _MAKE + r"(?P<command>[^\s:/]+): No such file or directory",
        "command not found",
        says="",
    ),
    row(
        "make",
        "No such file or directory",
        _MAKE + r"(?:\S+: )?(?P<message>[^\s:]+: No such file or directory)",
        "no such file",
    ),
    row("make", ": Permission denied", _MAKE + r"(?P<message>\S+: Permission denied)", "permission denied"),
    row("shell", "command not found", _MAKE + r"(?P<command>\S+): [Cc]ommand not found", "command not found", says=""),
    row("make", "invalid option", _MAKE + r"(?P<message>invalid option -- .*)", "invalid option"),
    row(
        "make",
        "*** ",
        _MAKE + r"\*\*\* \[(?:\S+:\d+: )?(?P<_target>[^\]]+)\] (?P<type>Error \d+|Segmentation fault|Killed"
        r"|Aborted|Interrupt|Terminated|[A-Z]\w+)",
        rank=WRAPPER,
        says="",
    ),
    row("make", "*** ", _MAKE + r"\*\*\* (?P<message>Waiting for unfinished jobs).*", "waiting", WRAPPER + 1),
    row("make", "*** ", _MAKE + r"\*\*\* (?P<message>.*?)\.?(?:  Stop\.)?$", "makefile"),
    row(
        "ninja",
        "ninja: error: ",
        r"^ninja: error: '(?P<_file>[^']+)', needed by '(?P<_by>[^']+)', (?P<message>missing and no "
        r"known rule to make it)",
        "no rule",
    ),
    row("ninja", "multiple rules generate", r"^ninja: error: .*multiple rules generate", "multiple rules", says=""),
    row("ninja", "ninja: error: ", r"^ninja: error: (?P<message>.*)"),
    row("ninja", "ninja: build stopped", r"^ninja: build stopped: (?P<message>.*)", "build stopped", WRAPPER, says=""),
    row("ninja", "FAILED: ", r"^FAILED: (?P<message>.*)", "FAILED", WRAPPER, says=""),
    row("autoconf", "configure: error: ", r"^configure: error: (?P<message>.*)"),
    row(
        "autoconf",
        "error: possibly undefined macro",
        r"error: possibly undefined macro: (?P<macro>\w+)",
        "undefined macro",
    ),
    row(
        "meson",
        "ERROR: ",
        r"^(?P<file>\S*meson\.build):\d+:\d+: ERROR: Dependency \"(?P<package>[^\"]+)\" not found",
        "no such package",
        says="not found",
    ),
    row("meson", "ERROR: ", r"^(?P<file>\S*meson\.build):\d+:\d+: ERROR: (?P<message>.*)"),
    row("bazel", "ERROR: ", r"^ERROR: .*?: (?P<message>no such (?:target|package) .*)", "no such target"),
    row("bazel", "ERROR: ", r"^ERROR: (?P<message>Skipping .*)", "skipped", WRAPPER),
    row(
        "bazel",
        "ERROR: ",
        r"^ERROR: (?P<message>(?:Analysis of target|Build did NOT complete|The project you're trying"
        r"|The 'build' command).*)",
        "build failed",
        WRAPPER,
    ),
    row("bazel", "BUILD", r"^ERROR: \S*BUILD\S*:\d+:\d+: (?P<message>.*)"),
    row(
        "just",
        "error: Justfile",
        r"^error: Justfile does not contain recipes? `(?P<recipe>[^`]+)`",
        "no such recipe",
        says="",
    ),
    row("just", "error: Recipe", r"^error: Recipe `(?P<recipe>[^`]+)` failed .*", "recipe failed", WRAPPER, says=""),
    row("task", "task: ", r"^task: Task \"(?P<task>[^\"]+)\" does not exist", "no such task", says=""),
    row("task", "task: ", r"^task: Failed to run task .*", "task failed", WRAPPER, says=""),
    row("scons", "scons: ", r"^scons: \*\*\* (?P<message>.*)"),
)

_CMAKE = (
    r"(?m)^CMake (?P<kind>Error|Warning)(?: \(dev\))?(?: at (?P<file>[^:\n]+):\d+(?: "
    r"\((?P<command>\w+)\))?)?:[ \t]*(?P<rest>.*)$"
)
_PACKAGE = (
    r"provided by\s+\"(?P<package>[^\"]+)\"|Could NOT find (?P<package2>\w+)|By not providing "
    r"\"Find(?P<package3>\w+)\.cmake\""
)
_SOUGHT = r"^Could not find \S+ (using the following (?:names|files)): "
"""The variable that is to hold what was not found."""


def find(text: str, words: Set[str]) -> Iterator[Diagnostic]:
    """Diagnostics of build tools."""
    for each in scan(ROWS, text, words):
        yield each._replace(decides=_target(each.decides[0][1])) if each.type == "no rule" and each.decides else each
    if "CMake " in text:
        yield from _cmake(text)


def _target(name: str) -> tuple[tuple[str, str], ...]:
    """A target that is a file is known by its name where every project has one of that name, else by its ending."""
    if "." not in name and "/" not in name:
        return (("target", name),)
    told_of = told("file", name)[1]
    return (("target", told_of or "*." + name.rpartition(".")[2].rpartition("/")[2]),)


def _cmake(text: str) -> Iterator[Diagnostic]:
    """CMake's words stand below its header, indented and folded."""
    for match in pattern_of(_CMAKE).finditer(text):
        rank = ROOT if match["kind"] == "Error" else WARNING
        body = match["rest"].strip()
        if not body:
            below = pattern_of(r"(?:\n(?:  .*|$))+").match(text[match.end() : match.end() + 1500])
            body = below.group().strip() if below else ""
        if package := pattern_of(_PACKAGE).search(body):
            name = package["package"] or package["package2"] or package["package3"]
            yield diagnostic(
                "cmake", "package not found", "", (("package", name),), rank=rank, at=match.start(), settled=True
            )
            continue
        message = pattern_of(_SOUGHT).sub(r"Could not find <name> \1: ", " ".join(body.split("\n\n")[0].split()))
        message = pattern_of(r"(given to target: )\S+").sub(r"\1<name>", message)
        if not message or message.startswith(("Call Stack", "CMake was unable")):
            rank = max(rank, SECOND)
        yield diagnostic(
            "cmake", match["command"] or "error", message, file=match["file"] or "", rank=rank, at=match.start()
        )
