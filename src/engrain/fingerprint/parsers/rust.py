"""Rust: rustc, clippy, cargo, rustup, panics and tests."""

from __future__ import annotations

from engrain.fingerprint.rows import lines_like, pattern_of, row, scan, table
from engrain.model import ROOT, SECOND, WARNING, WRAPPER, diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Set
    from re import Match

    from engrain.model import Diagnostic

ROWS = table(
    row(
        "cargo",
        "could not compile",
        r"^error: could not compile (?P<_message>.*)",
        "could not compile",
        WRAPPER,
        says="",
    ),
    row(
        "cargo",
        "process didn't exit successfully",
        r"process didn't exit successfully",
        "process failed",
        WRAPPER,
        says="",
    ),
    row("cargo", "test failed, to rerun", r"^error: (?:doc)?test failed, to rerun", "test failed", WRAPPER, says=""),
    row("cargo", " failed:", r"^error: \d+ targets? failed:", "test failed", WRAPPER, says=""),
    row("rustc", "aborting due to", r"^error: aborting due to .*", "aborting", WRAPPER, says=""),
    row("cargo", ": build failed", r"^(?:error|warning): build failed.*", "build failed", WRAPPER, says=""),
    row("cargo", "could not find `Cargo.toml`", r"^error: (?P<message>could not find `Cargo.toml`)", "no Cargo.toml"),
    row(
        "cargo",
        "no matching package",
        r"^error: no matching package(?:s)? (?:named `(?P<package>[^`]+)` )?found",
        "no such package",
        says="",
    ),
    row(
        "cargo",
        "failed to select a version",
        r"failed to select a version for (?:the requirement )?`(?P<package>[\w-]+)",
        "no such version",
    ),
    row(
        "cargo", "no such command", r"^error: no such (?:sub)?command: `(?P<command>[^`]+)`", "no such command", says=""
    ),
    row(
        "cargo",
        "does not have feature",
        r"(?:package|feature).* (?:does not have (?:feature|these features:?)|depends on .* with "
        r"features) `?(?P<feature>[\w-]+)",
        "no such feature",
    ),
    row(
        "cargo",
        "failed to run custom build command",
        r"failed to run custom build command for `(?P<package>[\w-]+)",
        "build script",
        SECOND,
    ),
    row(
        "cargo",
        "no bin target named",
        r"^error: no (?P<kind>bin|example|test|bench) target named `(?P<target>[^`]+)`",
        "no such target",
    ),
    row("cargo", "failed to parse", r"^error: (?P<message>failed to parse .*)", "manifest", SECOND),
    row(
        "cargo",
        "the lock file",
        r"^error: (?P<message>the lock file .* needs to be updated but --locked was passed)",
        "lockfile",
        says="",
    ),
    row(
        "cargo",
        "is not a member of the workspace",
        r"(?P<message>package .* is not a member of the workspace)",
        "workspace",
    ),
    row(
        "rustup",
        "is not installed for the toolchain",
        r"^error: '(?P<component>[^']+)'? is not installed for the toolchain",
        "no such component",
    ),
    row("rustup", "toolchain '", r"^error: toolchain '[^']+' is not installed", "no such toolchain", says=""),
    row("rustc", "linking with ", r"^error: linking with `(?P<_linker>[^`]+)` failed", "linking failed", SECOND),
    row("rustc", "linker `", r"^error: linker `(?P<linker>[^`]+)` not found", "no linker"),
    row("rustfmt", "Diff in ", r"^Diff in (?P<file>\S+?):?(?: at line )?\d*:?$", "unformatted", says=""),
)

_HEAD = (
    r"(?m)\n {0,8}(?P<level>error|warning)(?:\[(?P<code>E\d{4}|[a-z][\w:-]*)?\])?(?: in [\w:]+)?: "
    r"(?P<message>.*)\n(?P<next>(?:(?! *--> ).*\n){0,2}?) *(?:-->|\|) ?(?P<place>.*)$"
)
_CODED = r"(?m)\n {0,8}error\[(?P<code>E\d{4})\]: (?P<message>.*)$"
_SHORT = r"(?m)\n(?P<file>\S+\.rs):\d+:\d+: (?P<level>error|warning)(?:\[(?P<code>E\d{4})\])?: (?P<message>.*)$"
_LOOSE = r"(?m)\nerror: (?P<message>.*)$"
_PANIC = (
    r"(?m)^(?:thread '(?P<thread>[^'\n]*)'(?: \(\d+\))? )panicked at "
    r"(?:(?P<file>[^\s:']+):\d+:\d+:\n(?P<message>.*)|'(?P<old>(?:[^\n]|\n(?!note:))*?)', "
    r"(?P<where>[^\s:']+):\d+)"
)


def find(text: str, words: Set[str]) -> Iterator[Diagnostic]:
    """Diagnostics of Rust."""
    yield from scan(ROWS, text, words)
    seen = False
    if "-->" in text or "error[" in text:
        through = "cargo" if any(mark in text for mark in _CARGO) else "rustc"
        for each in _compiled(text):
            seen = seen or each.rank == ROOT
            yield each._replace(toolchain=through)
    if ".rs:" in text and (": error" in text or ": warning" in text):
        for match in lines_like(_SHORT, text):
            yield _of(match["level"], match["code"], match["message"], match["file"], match.start())
    if "\nCaused by:\n" in text and "manifest" in text:
        yield from _because(text)
    if "panicked at" in text:
        yield from _panics(text)
    elif not seen and ("Cargo.toml" in text or "rustc" in text or "cargo" in text or "   Compiling " in text):
        yield from _loose(text)


def _because(text: str) -> Iterator[Diagnostic]:
    """What is wrong with a manifest stands under the last cause, below a drawing of the place where there is one."""
    head = pattern_of(r"(?m)^error: failed to (?:parse|load) .*manifest").search(text)
    causes = pattern_of(_CAUSE).findall(text, head.end()) if head else []
    if head and causes:
        lines = causes[-1].strip().split("\n")
        said = lines[-1 if any(line.endswith("^") for line in lines) else 0].strip()
        yield diagnostic("cargo", "manifest", said, at=head.start())


def _compiled(text: str) -> Iterator[Diagnostic]:
    """A head of words, and below it an arrow to the place."""
    other = ".py:" in text or ".ipynb" in text
    starts: set[int] = set()
    for match in lines_like(_HEAD, text):
        place = match["place"]
        if (other and (".py:" in place or ".ipynb" in place)) or (
            not match["code"] and match["level"] == "error" and "[a-z" in place
        ):
            continue
        starts.add(match.start())
        each = _of(match["level"], match["code"] or "", match["message"], place.rsplit(":", 2)[0], match.start())
        yield each._replace(decides=_types(text, match.end() - 1)) if "mismatched types" in each.message else each
    for match in lines_like(_CODED, text):
        if match.start() not in starts:
            yield _of("error", match["code"], match["message"], "", match.start())


def _types(text: str, at: int) -> tuple[tuple[str, str], ...]:
    """What was expected, what was found and why it was expected. Of a type its own name counts: `Option<Cart>` and
    `Option<User>` want the same fix."""
    labels = text[at : at + 800].split("\n\n", maxsplit=1)[0]
    decides = []
    if found := pattern_of(r"expected `(?P<expected>[^`]+)`.{0,60}?, found `(?P<found>[^`]+)`").search(labels):
        decides = [
            (name, pattern_of(r"<.*|\[.*").sub("", value))
            for name, value in found.groupdict().items()
            if pattern_of(_STD).match(value)
        ]
    if because := pattern_of(_BECAUSE).search(labels):
        decides.append(("because", because.group()))
    return tuple(decides)


_BECAUSE = (
    r"expected due to this|because of return type|arguments to this \w+ are incorrect|because of this"
    r"|have incompatible types|return type is|implicitly returns|type parameter"
)
_CAUSE = r"\nCaused by:\n((?:  .*\n?)+)"
_CARGO = ("could not compile `", "   Compiling ", "    Checking ")

_STD = (
    r"^[&*]*(?:mut |const |'\w+ )*(?:str|String|[iu](?:8|16|32|64|128|size)|f32|f64|bool|char|\(\)|Option"
    r"|Result|Vec|Box|Rc|Arc|\[)"
)


def _of(level: str, code: str | None, message: str, file: str, at: int) -> Diagnostic:
    code = code or ""
    if code == "E0515" or "expected " in message:
        message = pattern_of(_INCIDENTAL).sub(_essential, message)
    return diagnostic(
        "rustc",
        code or level,
        message,
        file=file,
        rank=ROOT if level == "error" else WARNING,
        at=at,
        settled=bool(code),
    )


_INCIDENTAL = (
    r"^cannot return (?:value|reference) (?:referencing|to) .*|^expected (?:one of .{0,300})?`;`.{0,300}?, found .*"
)
"""How the compiler puts it hangs on what stands around: what is returned, what else could have stood there."""


def _essential(found: Match[str]) -> str:
    return "cannot return a reference" if found[0].startswith("cannot") else "expected `;`"


def _loose(text: str) -> Iterator[Diagnostic]:
    for match in lines_like(_LOOSE, text):
        yield diagnostic("cargo", "error", match["message"], rank=SECOND, at=match.start())


def _panics(text: str) -> Iterator[Diagnostic]:
    for match in pattern_of(_PANIC).finditer(text):
        message = (match["message"] if match["message"] is not None else match["old"] or "").split("\n")[0].strip()
        thread = match["thread"] or ""
        asserted = message.startswith("assertion")
        kind = pattern_of(r"^called `Result::unwrap\(\)`.*\bkind: (?P<kind>[A-Z]\w+)").search(message)
        decides = (
            (("kind", kind["kind"]),)
            if kind
            else (
                (("test", thread.rsplit("::", 1)[-1]),) if asserted and thread not in ("", "main", "<unnamed>") else ()
            )
        )
        yield diagnostic(
            "rust", "panic", message, decides, file=match["file"] or match["where"] or "", at=match.start()
        )
