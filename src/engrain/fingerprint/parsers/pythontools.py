"""What surrounds Python: installers (pip, uv, poetry, conda), type checkers, linters and formatters."""

from __future__ import annotations

from engrain.fingerprint.rows import pattern_of, row, scan, table
from engrain.model import SECOND, WARNING, WRAPPER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from engrain.model import Diagnostic

_PY = r"^(?P<file>[^\s:][^:\n]{0,300}\.(?:pyi?|ipynb)(?::cell \d+)?)"

ROWS = table(
    # pip
    row(
        "pip",
        "connection broken by",
        r"connection broken by '(?P<_error>\w+)\(.*?(?P<why>Connection refused|Name or service not "
        r"known|Temporary failure in name resolution|No address associated|timed out"
        r"|CERTIFICATE_VERIFY_FAILED|Network is unreachable|No route to host)",
        "connection",
        says="",
    ),
    row(
        "pip",
        "Could not find a version",
        r"Could not find a version that satisfies the requirement (?P<package>[\w.\[\]-]+)",
        "no such version",
        says="no version",
    ),
    row(
        "pip",
        "No matching distribution",
        r"No matching distribution found for (?P<package>[\w.\[\]-]+)",
        "no such version",
        says="no version",
    ),
    row("pip", "ResolutionImpossible", r"ERROR: (?P<code>ResolutionImpossible): (?P<message>.*)"),
    row(
        "pip",
        "conflicting dependencies",
        r"ERROR: Cannot install (?P<message>.*) because these package versions have conflicting dependencies",
        "ResolutionImpossible",
        says="",
    ),
    row("pip", "externally-managed", r"error: (?P<code>externally-managed-environment)"),
    row(
        "pip",
        "requirements file",
        r"ERROR: Could not open requirements file: (?P<_message>.*)",
        "requirements file",
        says="",
    ),
    row("pip", "Invalid requirement", r"ERROR: (?P<message>Invalid requirement: .*)", "invalid requirement", says=""),
    row(
        "pip",
        "does not appear to be a Python project",
        r"ERROR: .*(?P<message>does not appear to be a Python project: .*)",
        "no project",
        says="",
    ),
    row("pip", "not installable", r"ERROR: .*(?P<message>is not installable\..*)", "no project", says=""),
    row(
        "pip",
        "requires a different Python",
        r"ERROR: Package '(?P<package>[^']+)' (?P<message>requires a different Python): ",
        "requires-python",
    ),
    row(
        "pip",
        "Could not install packages",
        r"ERROR: Could not install packages due to an (?P<code>\w+): (?P<message>.*)",
    ),
    row("pip", "No such option", r"^no such option: (?P<option>\S+)", "no such option"),
    row(
        "pip",
        "THESE PACKAGES DO NOT MATCH THE HASHES",
        r"(?P<message>THESE PACKAGES DO NOT MATCH THE HASHES)",
        "hash mismatch",
        says="",
    ),
    row(
        "pip", "Failed building wheel", r"ERROR: Failed building wheel for (?P<package>[\w.-]+)", "build failed", SECOND
    ),
    row(
        "pip",
        "Failed to build",
        r"(?:ERROR|error): Failed to build (?!image|installable)(?:installable wheels for )?(?P<package>[\w.-]+)",
        "build failed",
        SECOND,
    ),
    row("pip", "metadata-generation-failed", r"error: (?P<code>metadata-generation-failed)", rank=SECOND),
    row("pip", "subprocess-exited-with-error", r"error: (?P<code>subprocess-exited-with-error)", rank=WRAPPER),
    row("pip", "error: command '", r"^\s*error: command '?(?P<_command>[^']+)'? failed", "build failed", WRAPPER),
    row(
        "pip",
        "dependency resolver",
        r"ERROR: (?P<message>pip's dependency resolver does not currently take into account .*)",
        "dependency conflict",
        says="",
    ),
    row("pip", "has requirement", r"^ERROR: \S+ \S+ has requirement (?P<package>[\w.-]+)", "dependency conflict"),
    row(
        "pip",
        "Could not build wheels",
        r"ERROR: Could not build wheels for (?P<package>[\w.-]+)",
        "build failed",
        SECOND,
    ),
    row("pip", "[notice]", r"^\[notice\] .*", "notice", WRAPPER + 1),
    # uv
    row(
        "uv",
        "No solution found",
        r"(?P<message>No solution found when resolving [\w ]*dependencies)",
        "no solution",
        SECOND,
    ),
    row(
        "uv",
        "there are no versions of",
        r"there are no versions of (?P<package>[\w.\[\]-]+)",
        "no such version",
        says="",
    ),
    row(
        "uv",
        "was not found in the package registry",
        r"[Bb]ecause (?P<package>[\w.\[\]-]+) was not found in the package registry",
        "no such package",
        says="",
    ),
    row("uv", "No virtual environment found", r"error: (?P<message>No virtual environment found)", "no environment"),
    row("uv", "No `pyproject.toml`", r"error: (?P<message>No `pyproject.toml` found .*)", "no project"),
    row("uv", "No interpreter found", r"(?P<message>No interpreter found for .*)", "no interpreter"),
    row("uv", "Failed to spawn:", r"error: Failed to spawn: `(?P<command>[^`]+)`", "no such command"),
    row("uv", "Failed to build", r"× Failed to build `?(?P<package>[\w.-]+)", "build failed", SECOND),
    row("uv", "lockfile", r"error: (?P<message>The lockfile at .* needs to be updated.*)", "lockfile", says=""),
    # poetry, pipenv, conda
    row("poetry", "version solving failed", r"(?P<message>version solving failed)", "no solution"),
    row("poetry", "Poetry could not find", r"(?P<message>Poetry could not find a pyproject.toml)", "no project"),
    row(
        "poetry",
        "pyproject.toml changed significantly",
        r"(?P<message>pyproject.toml changed significantly since poetry.lock)",
        "lockfile",
        says="",
    ),
    row(
        "poetry",
        "Could not find a matching version of package",
        r"Could not find a matching version of package (?P<package>[\w.-]+)",
        "no such version",
        says="",
    ),
    row("conda", "PackagesNotFoundError", r"(?P<code>PackagesNotFoundError): (?P<message>.*)"),
    row("conda", "EnvironmentNameNotFound", r"(?P<code>EnvironmentNameNotFound): (?P<message>.*)"),
    row("conda", "UnsatisfiableError", r"(?P<code>UnsatisfiableError): (?P<message>.*)"),
    row("conda", "LibMambaUnsatisfiableError", r"(?P<code>LibMambaUnsatisfiableError): (?P<message>.*)"),
    row("conda", "CondaError", r"(?P<code>Conda\w*Error): (?P<message>.*)"),
    row("conda", "does not exist (perhaps a typo", r"nothing provides (?P<package>[\w.-]+)", "no such package"),
    # type checkers
    row("mypy", ": error: ", _PY + r":\d+(?::\d+){0,3}: error: (?P<message>.*?)  \[(?P<code>[a-z][\w-]*)\]$"),
    row("mypy", "[syntax]", _PY + r":\d+(?::\d+)?: error: (?P<message>.*?)  \[(?P<code>syntax)\]"),
    row("pyright", "(report", r"^\s*(?P<file>\S.*?):\d+:\d+ - error: (?P<message>.*?) \((?P<code>report\w+)\)$"),
    row("pyright", "(report", r"\berror: (?P<message>.*?) \((?P<code>report\w+)\)$"),
    row("pyright", "(report", r"\bwarning: (?P<message>.*?) \((?P<code>report\w+)\)$", rank=WARNING),
    row("pyright", " - error: ", r"^\s*(?P<file>\S.*?\.pyi?):\d+:\d+ - error: (?P<message>.*)"),
    row("pyre", " [", _PY + r":\d+:\d+ (?P<message>(?P<_name>[A-Z][\w ]+) \[(?P<code>\d+)\]: .*)"),
    row("mypy", ": error: ", _PY + r":\d+(?::\d+){0,3}: error: (?P<message>.*?) *$"),
    row("mypy", ": note: ", _PY + r":\d+(?::\d+){0,3}: note: (?P<message>.*?) *$", rank=WRAPPER + 1),
    row("mypy", "mypy: ", r"^mypy: can't read file '(?P<_file>[^']+)': (?P<message>.*)", "cannot read file"),
    row("mypy", "Cannot read file: ", r"^\S+: error: Cannot read file: (?P<message>.*)", "cannot read file"),
    row("mypy", "mypy: ", r"^mypy: (?:error: )?(?P<message>.*)"),
    # linters: `E501 …` under an arrow, or file:line:col: CODE …
    row("ruff", ".py:", _PY + r":\d+:\d+: (?P<code>[A-Z]{1,4}\d{3,4}) (?:\[\*\] )?(?P<message>.*)"),
    row("ruff", ".py:", _PY + r":\d+:\d+: (?P<code>SyntaxError): (?P<message>.*)"),
    row("pylint", ".py:", _PY + r":\d+:\d+: (?P<code>[EF]\d{4}): (?P<message>.*)"),
    row("pylint", ".py:", _PY + r":\d+:\d+: (?P<code>[CRWI]\d{4}): (?P<message>.*)", rank=SECOND),
    row("flake8", ".py:", _PY + r":\d+(?::\d+)?: ?\[?(?P<code>[A-Z]{1,4}\d{1,4})\]?:? (?P<message>.*)"),
    row("bandit", "Issue: [", r"Issue: \[(?P<code>B\d{3}):(?P<_name>\w+)\] (?P<message>.*)"),
    row(
        "isort",
        "Imports are incorrectly sorted",
        r"^ERROR: (?P<file>\S+) (?P<message>Imports are incorrectly sorted).*",
        "unsorted",
    ),
    row("ruff", "unformatted: ", r"^unformatted: (?P<_message>.*)", "would reformat", says=""),
    row("ruff", "Would reformat: ", r"^Would reformat: (?P<file>.+)", "would reformat", says=""),
    row("ruff", "  Cause: ", r"^  Cause: (?P<message>.*)"),
    row("black", "would reformat ", r"^(?:error: )?would reformat (?P<file>.+)", "would reformat", says=""),
    row("black", "cannot parse: ", r"^error: cannot parse: (?P<file>[^:]+):\d+:\d+$", "cannot parse", says=""),
    row("black", "cannot format", r"^error: cannot format (?P<file>[^:]+): Cannot parse: ", "cannot parse", says=""),
    row(
        "black",
        "cannot format",
        r"^error: cannot format (?P<file>[^:]+): (?P<message>.+?)(?:: \d+:\d+.*)?$",
        "cannot format",
    ),
    row("vulture", "% confidence", _PY + r":\d+: (?P<message>.*) \(\d+% confidence", "unused"),
    row("pydocstyle", "        D", r"^\s+(?P<code>D\d{3}): (?P<message>.*)"),
    row("tox", "evaluation failed", r"^  (?P<env>[\w.-]+): FAIL ", "FAIL", WRAPPER),
    row("tox", "InvocationError", r"(?P<code>InvocationError) for command", rank=WRAPPER),
    row("nox", "nox > ", r"nox > Sessions not found: (?P<session>[^\s,]+)", "no such session", says=""),
    row("nox", "nox > ", r"nox > Session (?P<session>\S+) failed", "FAIL", WRAPPER),
)

_ARROW = (
    r"^(?:(?P<code>[A-Z]{1,4}\d{3,4}|[a-z]+(?:-[a-z]+)+|invalid-syntax|SyntaxError):? )?(?:\[\*\] |\[-\] "
    r")?(?P<message>\S.*)$"
)
_ARROWS = (row("ruff", "", _ARROW),)
_TY = (row("ty", "", r"^error\[(?P<code>[a-z]+(?:-[a-z]+)+)\]:? (?P<message>.*)$"),)


def find(text: str, words: Set[str]) -> Iterator[Diagnostic]:
    """Diagnostics of Python's tools."""
    from_ruff = "Found " in text or "[*]" in text or "help: " in text
    for each in scan(ROWS, text, words):
        # One line of ruff's short form is one of flake8's, but for the quotes and the sum at the end.
        short = each.toolchain == "ruff" and each.settled and not from_ruff and "`" not in each.message
        if short:
            yield each._replace(toolchain="flake8")
        elif each.type == "no such version" and each.toolchain == "pip":
            yield each._replace(decides=each.decides + _offered(text))
        else:
            yield each
    if "-->" in text and (".py" in text or ".ipynb" in text):
        yield from _under_arrows(text)


def _offered(text: str) -> tuple[tuple[str, str], ...]:
    """A version that is not there is another failure than a package that is not there, or one for another Python."""
    if wanted := pattern_of(r"satisfies the requirement [^=\s]+===?(?P<version>[\w.]+)").search(text):
        other = pattern_of(r"versions that require a different python version: (?P<versions>.*)").search(text)
        if other and wanted["version"] in pattern_of(r"[\w.]+").findall(other["versions"]):
            return (("offered", "for another Python"),)
    return (("offered", "other versions"),) if pattern_of(r"\(from versions: (?!none\))").search(text) else ()


def _under_arrows(text: str) -> Iterator[Diagnostic]:
    """ruff's and ty's full format: a line of words, and below it an arrow to the place."""
    from engrain.fingerprint.rows import lines_with, read

    for start, line in lines_with("--> ", text):
        if ".py" not in line and ".ipynb" not in line:
            continue
        before = text[text.rfind("\n", 0, max(0, start - 1)) + 1 : max(0, start - 1)]
        for each in (*_TY, *_ARROWS):
            found = pattern_of(each.pattern).match(before.strip())
            if found and not before.startswith(("  ", "unformatted", "help", "note", "error[E", "warning")):
                place = line.split("--> ", 1)[1].rsplit(":", 2)[0]
                yield read(each, found, start)._replace(file=place)
                break
