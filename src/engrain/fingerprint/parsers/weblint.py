"""Linters: ESLint in its many forms, Biome, Prettier, Stylelint, Flow, svelte-check, ShellCheck, Hadolint, yamllint."""

from __future__ import annotations

from engrain.fingerprint.rows import pattern_of, row, scan, table
from engrain.model import ROOT, SECOND, WARNING, diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from engrain.model import Diagnostic

_RULE = r"(?P<code>@?[a-z][\w@-]*(?:/[\w@-]+)*)"

ROWS = table(
    row("shellcheck", "SC", r"\b(?P<code>SC\d{4}) \((?:error|warning|info|style)\): (?P<message>.*)"),
    row("shellcheck", "[SC", r": (?:error|warning|note|info|style): (?P<message>.*) \[(?P<code>SC\d{4})\]$"),
    row(
        "hadolint", " DL", r"^(?P<file>\S+?):\d+ (?P<code>(?:DL|SC)\d{4}) (?:error|warning|info|style): (?P<message>.*)"
    ),
    row("yamllint", "  error  ", r"^\s+\d+:\d+\s+error\s+(?P<message>.*?)\s+\((?P<code>[\w-]+)\)$"),
    row("yamllint", "[error] ", r"^(?P<file>\S+?):\d+:\d+: \[error\] (?P<message>.*?) \((?P<code>[\w-]+)\)$"),
    row("markdownlint", " MD", r"^(?P<file>\S+?):\d+(?::\d+)?(?: error)? (?P<code>MD\d{3})\S* (?P<message>.*)"),
    row(
        "eslint",
        "Parsing error",
        r"(?:error\s+|Error - )(?:Parsing error): (?P<message>.*?)(?:\s{2,}.*)?$",
        "Parsing error",
    ),
    row("eslint", "  error  ", rf"^\s+\d+:\d+\s+error\s+(?P<message>\S.*?)\s{{2,}}{_RULE}\s*$"),
    row("eslint", "  warning  ", rf"^\s+\d+:\d+\s+warning\s+(?P<message>\S.*?)\s{{2,}}{_RULE}\s*$", rank=WARNING),
    row("eslint", ", Error - ", rf"^(?P<file>.+?): line \d+, col \d+, Error - (?P<message>.*?)(?: \({_RULE}\))?$"),
    row(
        "eslint",
        ", Warning - ",
        rf"^(?P<file>.+?): line \d+, col \d+, Warning - (?P<message>.*?)(?: \({_RULE}\))?$",
        rank=WARNING,
    ),
    row("eslint", "[Error/", rf"^(?P<file>.+?):\d+:\d+: (?P<message>.*?) \[Error/{_RULE}\]"),
    row("eslint", "  Error: ", rf"^\d+:\d+\s+Error: (?P<message>.*?)\s{{2,}}{_RULE}\s*$"),
    row(
        "eslint",
        "ESLint couldn't find",
        r"(?P<message>ESLint couldn't find (?:a configuration file|an eslint\.config|the (?:plugin|config)).*)",
        "configuration",
    ),
    row("eslint", "Definition for rule", r"Definition for rule '(?P<rule>[^']+)' not found", "no such rule"),
    row("eslint", "No files matching the pattern", r"(?P<message>No files matching the pattern)", "no files"),
    row(
        "biome",
        "━━",
        r"^(?:\S+?:\d+:\d+ |\s*at )?(?P<file>\S+?)?(?::\d+:\d+)? ?(?P<code>(?:lint|assist"
        r"|suppressions)/[\w/]+|format|organizeImports|parse|check/\w+) +(?:FIXABLE +)?━{3,}",
    ),
    row("biome", "━━", r"^(?P<file>\S+) (?P<code>format|parse|organizeImports) ━{3,}"),
    row("biome", "internalError", r"(?P<code>internalError/\w+)"),
    row("prettier", "[error]", r"^\[error\] (?P<file>[^:]+?): (?P<type>\w*Error): (?P<message>.*?)(?: \(\d+:\d+\))?$"),
    row("prettier", "[error]", r"^\[error\] (?P<message>No files matching.*|No parser.*|Invalid configuration.*)"),
    row("prettier", "[warn] ", r"^\[warn\] (?P<file>[^\s:*?]+\.\w+)$", "unformatted", says=""),
    row(
        "prettier",
        "Code style issues",
        r"^\[warn\] (?P<message>Code style issues (?:found )?in .*)",
        "unformatted",
        says="",
    ),
    row("prettier", "Code style issues", r"(?P<message>Code style issues found.*)", "unformatted", says=""),
    row("stylelint", "✖", r"^\s+\d+:\d+\s+✖\s+(?P<message>\S.*?)\s{2,}(?P<code>[a-z][\w/-]+)\s*$"),
    row("standard", "standard: ", r"^standard: (?P<message>.*)", "standard", SECOND),
    row("tslint", "ERROR: ", r"^ERROR: (?P<file>\S+?)(?:\[\d+, \d+\]|:\d+:\d+)(?: -)? (?P<message>.*)"),
    row("tslint", "]: ", r"^(?P<file>\S+\.tsx?)\[\d+, \d+\]: (?P<message>.*)"),
    row("svelte-check", "Error: ", r"^Error: (?P<message>.*) \((?P<code>ts|svelte|js|css)\)$"),
    row("flow", "Error ---", r"^Error -{3,} (?P<_file>\S+)$", "Error"),
    row("flow", "Error ┈", r"^Error ┈+ (?P<_file>\S+)$", "Error"),
    row("axe", "violations", r"^\s*(?P<message>Expected the HTML found at .* to have no violations)", "a11y", says=""),
)


def find(text: str, words: Set[str]) -> Iterator[Diagnostic]:
    """Diagnostics of web linters."""
    for each in scan(ROWS, text, words):
        if each.toolchain == "flow":
            yield _flow(text, each)
        elif each.toolchain == "eslint" and not each.file:
            yield each._replace(file=_heading(text, each.at))
        elif each.toolchain == "standard":
            yield from _standard(text)
        else:
            yield each


def _heading(text: str, at: int) -> str:
    """ESLint names the file once, on an unindented line above its complaints."""
    for line in reversed(text[max(0, at - 4000) : at].split("\n")):
        if line and line[0] not in " \t":
            return line
    return ""


def _flow(text: str, each: Diagnostic) -> Diagnostic:
    """Flow's words stand in the paragraph below its header and end with their code."""
    start = text.find("\n", each.at) + 1
    paragraph = " ".join(text[start : start + 1500].strip().split("\n\n", 1)[0].split())
    code = pattern_of(r"\[(?P<code>[a-z][a-z-]+)\]$").search(paragraph)
    message = paragraph[: code.start()] if code else paragraph
    message = pattern_of(r" ?\[\d+\]").sub("", message).strip()
    return diagnostic("flow", code["code"] if code else "error", message, rank=ROOT, at=each.at, settled=bool(code))


def _standard(text: str) -> Iterator[Diagnostic]:
    for match in pattern_of(
        r"(?m)^  (?P<file>\S+):\d+:\d+: (?P<message>.*?)(?: \((?P<code>[a-z][\w/@-]+)\))?$"
    ).finditer(text):
        code = match["code"]
        yield diagnostic(
            "standard", code or "error", match["message"], file=match["file"], at=match.start(), settled=bool(code)
        )
