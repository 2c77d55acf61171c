"""Go: compiler, vet, modules, tests, panics, golangci-lint."""

from __future__ import annotations

from engrain.fingerprint.rows import pattern_of, row, scan, table
from engrain.fingerprint.vocabulary import words
from engrain.model import ROOT, SECOND, WRAPPER, diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from engrain.model import Diagnostic

ROWS = table(
    row(
        "go",
        "no required module provides package",
        r"no required module provides package (?P<package>[^\s;:]+)",
        "no such package",
        says="no required module provides package",
    ),
    row(
        "go",
        "cannot find module providing package",
        r"cannot find module providing package (?P<package>[^\s;:]+)",
        "no such package",
        says="no required module provides package",
    ),
    row(
        "go",
        " is not in ",
        r"package (?P<package>\S+) is not in (?:std|GOROOT)",
        "no such package",
        says="package is not in std",
    ),
    row(
        "go",
        "cannot find package",
        r"cannot find package \"?(?P<package>[^\s\"]+)\"?",
        "no such package",
        says="cannot find package",
    ),
    row(
        "go",
        "missing go.sum entry",
        r"missing go\.sum entry (?:for module providing package|for go.mod file) ?(?P<package>[^\s;]*)",
        "missing go.sum entry",
        says="",
    ),
    row("go", "go.mod file not found", r"(?P<message>go\.mod file not found)", "no go.mod", says=""),
    row("go", "cannot find main module", r"(?P<message>cannot find main module)", "no go.mod", says=""),
    row("go", "found packages ", r"^(?:go: )?found packages \w+ \(\S+\.go\) and \w+ \(", "several packages", says=""),
    row("go", "no Go files in", r"(?P<message>no Go files in)", "no Go files", says=""),
    row("go", "updates to go.mod needed", r"(?P<message>updates to go\.mod needed)", "go.mod", says=""),
    row("go", "import cycle not allowed", r"(?P<message>import cycle not allowed)", "import cycle", says=""),
    row("go", "inconsistent vendoring", r"(?P<message>inconsistent vendoring)", "vendoring", says=""),
    row(
        "go",
        ": unknown revision",
        r"(?<![\w./-])(?P<package>[\w./-]{1,200})@\S{1,100}: invalid version: unknown revision",
        "unknown revision",
        says="",
    ),
    row("go", "requires go >=", r"(?P<message>requires go >= [\d.]+)", "go version", says=""),
    row("go", "go: unknown ", r"^go (?P<command>\S+): unknown command", "unknown command"),
    row("go", "errors parsing go.mod", r"(?P<message>errors parsing go\.mod)", "go.mod", says=""),
    row("go", "DATA RACE", r"^WARNING: DATA RACE", "data race", says=""),
    row("go", "all goroutines are asleep", r"^fatal error: all goroutines are asleep - deadlock!", "deadlock", says=""),
    row("go", "concurrent map", r"^fatal error: (?P<message>concurrent map .*)", "concurrent map"),
    row("go", "test timed out after", r"^panic: (?P<message>test timed out) after", "test timed out", says=""),
    row(
        "go",
        "no such file or directory",
        r"\b(?:open|stat|lstat|read|readdir|mkdir|chdir|remove|unlink|rename|fork/exec|exec|unlinkat"
        r"|openat|symlink|chmod) (?P<_path>\S+): (?P<_why>no such file or directory)$",
        "no such file or directory",
        SECOND,
        says="",
    ),
    row(
        "go",
        ": permission denied",
        r"\b(?:open|stat|lstat|read|readdir|mkdir|chdir|remove|unlink|rename|fork/exec|exec|unlinkat"
        r"|openat|symlink|chmod|listen \w+) (?P<_path>\S+): (?:bind: )?(?P<_why>permission denied)$",
        "permission denied",
        SECOND,
        says="",
    ),
    row(
        "go",
        "address already in use",
        r"listen \w+ \S+: bind: address already in use",
        "address already in use",
        says="",
    ),
    row(
        "go",
        "executable file not found in",
        r"exec: \"(?P<command>[^\"]+)\": executable file not found in",
        "no such command",
        says="",
    ),
    row("gofmt", ".go:", r"^(?P<file>\S+\.go):\d+:\d+: (?P<message>expected .*, found .*)", "syntax"),
    row("golangci-lint", "level=error ", r"level=error msg=\"(?P<message>.*)\"$"),
)

_LINE = (
    r"(?m)^(?:vet: )?(?:\.[/\\])?(?P<file>[^\s:][^:\n]{0,200}\.go):(?P<_line>\d+)(?::\d+)?: "
    r"(?P<message>.*?)(?: \((?P<code>[a-z][a-z0-9]+)\))?$"
)
_TEST = r"(?m)^ {0,8}--- FAIL: (?P<test>\S+) \([\d.]+s\)\n(?P<body>(?: {4,}.*\n?){0,20})"
_PANIC = r"(?m)^(?:\[signal .*\n)?panic: (?P<message>.*?)(?: \[recovered\])?$"

_LINTERS = words(
    "errcheck staticcheck govet unused gosimple ineffassign typecheck revive gocritic gosec stylecheck goimports",
    "gofmt misspell unparam dupl lll gocyclo funlen nakedret prealloc exhaustive wsl nlreturn bodyclose noctx",
    "gochecknoglobals goconst errorlint wrapcheck testifylint",
)

_SAID = (
    (r"^undefined: (?P<symbol>\S+)", "undefined", "undefined"),
    (r"^undeclared name: (?P<symbol>\S+)", "undefined", "undefined"),
    (
        r"^(?P<_of>\S+) undefined \(type (?P<_type>\S+) has no field or method (?P<symbol>\w+)",
        "undefined field or method",
        "has no field or method",
    ),
    (r"^(?:\"(?P<_a>[^\"]+)\" )?imported and not used(?:: .*)?$", "imported and not used", ""),
    (r"^(?:\w+ )?declared (?:and|but) not used(?:: .*)?$", "declared and not used", ""),
    (
        (
            r"^cannot use (?:(?P<value>nil) )?.*?as (?:type )?(?P<_to>\S+)(?: value)? in (?P<_where>[\w ]+)(?:: .*"
            r"(?:missing method (?P<method>\w+)|missing (?P<method2>\w+) method|has (?P<receiver>pointer receiver)))?"
        ),
        "cannot use",
        "cannot use as value",
    ),
    (r"^missing return", "missing return", ""),
    (r"^(?P<_name>\S+) redeclared in this block", "redeclared", ""),
    (r"^not enough arguments in call to", "not enough arguments", ""),
    (r"^too many arguments in call to", "too many arguments", ""),
    (r"^(?:not enough|too many) return values", "return values", ""),
    (r"^assignment mismatch", "assignment mismatch", ""),
    (r"^no new variables on left side", "no new variables", ""),
    (r"^invalid operation: .*?\((?P<_why>mismatched types) ", "mismatched types", ""),
    (r"^invalid operation: operator (?P<operator>\S+) not defined", "operator not defined", ""),
    (r"^unknown field (?P<field>\w+) in struct literal", "unknown field", "unknown field"),
    (r"^.* (?:passes|copies) lock (?:by )?value|^\S.* copies lock value", "lock copied", ""),
    (r"^syntax error: (?P<_message>.*)", "syntax error", None),
    (r"^(?:impossible type|cannot infer|missing ',')", "type", None),
    (r"^could not import (?P<package>\S+)", "no such package", "could not import"),
)


def find(text: str, words: Set[str]) -> Iterator[Diagnostic]:
    """Diagnostics of Go."""
    yield from scan(ROWS, text, words)
    panics = False
    if "panic: " in text and ("goroutine " in text or "\npanic: " in text or text.startswith("panic: ")):
        for match in pattern_of(_PANIC).finditer(text):
            if match["message"].startswith("test timed out"):
                panics = True
                continue
            panics = True
            yield _panicked(match["message"], match.start())
            break
    tests = "--- FAIL: " in text
    if tests:
        yield from _tests(text, SECOND if panics else ROOT)
    if ".go:" in text and not panics:
        yield from _compiled(text, tests)
    if "FAIL\t" in text:
        for match in pattern_of(r"(?m)^FAIL\t\S+(?: \[(?P<why>[\w ]+)\])?").finditer(text):
            yield diagnostic("go", "FAIL", match["why"] or "", rank=WRAPPER, at=match.start(), settled=True)
            break


def _compiled(text: str, tests: bool) -> Iterator[Diagnostic]:
    for match in pattern_of(_LINE).finditer(text):
        message, linter = match["message"], match["code"]
        if tests and match["file"].endswith("_test.go") and match.start() > text.find("--- FAIL: ") >= 0:
            continue
        if linter in _LINTERS:
            rule = pattern_of(r"(?P<rule>[A-Z]{1,3}\d{3,4}|[\w-]+)(?:\([\w-]+\))?: ").match(message)
            name = f"{linter}/{rule['rule']}" if rule else linter or ""
            yield diagnostic("golangci-lint", name, message, file=match["file"], at=match.start(), settled=True)
            continue
        if message.startswith("cannot use") and text.startswith("\n\t", match.end()):
            # An older compiler says on the next line why not.
            message += f" {text[match.end() + 1 : match.end() + 400].partition(chr(10))[0].strip()}"
        yield _said(message + (f" ({linter})" if linter else ""), match["file"], match.start())


def _said(message: str, file: str, at: int) -> Diagnostic:
    for pattern, kind, says in _SAID:
        if found := pattern_of(pattern).match(message):
            groups = found.groupdict().items()
            decides = tuple((name.rstrip("2"), value) for name, value in groups if value and name[0] != "_")
            return diagnostic(
                "go", kind, message if says is None else says, decides, file=file, at=at, settled=says is not None
            )
    return diagnostic("go", "error", message, file=file, at=at)


def _panicked(message: str, at: int) -> Diagnostic:
    message = pattern_of(r" \[recovered.*|\(\*?[\w.]+\) \(?0x.*").sub("", message)
    if message.startswith("runtime error: "):
        message = pattern_of(r"(slice bounds out of range) \[.*").sub(r"\1", message)
        return diagnostic("go", "runtime error", message, at=at)
    return diagnostic("go", "panic", message, at=at)


def _tests(text: str, rank: int) -> Iterator[Diagnostic]:
    found = list(pattern_of(_TEST).finditer(text))[:200]
    for match in found:
        said = pattern_of(r"(?m)^ +(?P<file>\S+?_test\.go|\S+\.go):\d+: (?P<message>.*)$").search(match["body"])
        if not said and "--- FAIL" in match["body"]:
            continue
        message = said["message"].strip() if said else ""
        test = match["test"].split("/")[0]
        yield diagnostic(
            "go test",
            "FAIL",
            message,
            (("test", test),),
            file=said["file"] if said else "",
            rank=rank,
            at=match.start(),
        )
