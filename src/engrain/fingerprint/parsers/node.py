"""JavaScript at run time: Node, Deno and Bun. The root of a chain of `[cause]`s is the deepest."""

from __future__ import annotations

from engrain.fingerprint.rows import lines_like, lines_with, pattern_of, row, scan, table
from engrain.fingerprint.wording import specifier
from engrain.model import NOISE, ROOT, WRAPPER, diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Set
    from re import Match

    from engrain.model import Diagnostic

_THROWN = (
    r"^(?P<lead>[ \t]{0,12}(?:\[cause\]: )?(?:Uncaught(?: \(in promise\))? |error: Uncaught(?: "
    r"\(in promise\))? |[Uu]nhandled\w* [\w ]{0,20}?:? ?|"
    r"throw er; .*|\[?(?:error|ERROR)\]?:? )?)"
    r"(?P<type>(?:[A-Z][\w$]{0,60})?(?:Error|Exception|Rejection|Warning|Invariant Violation))(?: "
    r"\[(?P<code>[A-Z][A-Z0-9_]+)\])?: (?P<message>.{1,3000})$"
)
_BARE = r"(?m)\n(?P<type>[A-Z][\w$]{0,60}Error)(?: \[(?P<code>[A-Z][A-Z0-9_]+)\])?\n {4}at "
_BUILT = r"^/.*/(?P<folder>dist|build|out|lib|\.next|\.output)/"
"""Where a build puts what it makes: what is missing there was not built."""

_ERRNO = r"^(?:(?P<_call>\w{2,20}) )?(?P<code>E[A-Z]{3,15})(?::| )(?P<message>.*)$"
_SPAWN = r"^(?P<_call>spawn|spawnSync) (?P<program>\S{1,300}) (?P<code>E[A-Z]{3,15})$"

_V8 = (
    r"^(?:Cannot (?:read propert|set propert|access|convert undefined|destructure|use (?:import"
    r"|keyword|'import)|find (?:module|package))|.* is not (?:a function|a constructor|iterable"
    r"|defined)"
    r"|Unexpected (?:token|end of|identifier|string|reserved|eval|strict)|Invalid (?:or unexpected "
    r"token|regular expression|left-hand|array length)|missing \) after|Identifier '"
    r"|await is only valid|Class extends|Assignment to constant|Maximum call stack|Missing initializer"
    r"|Illegal|The requested module|Reflect|Reduce of empty|Converting circular|Unterminated"
    r"|(?:undefined|null) is not an object|\S+ is "
    r"not valid JSON)"
)

_SAID = (
    (r"^Cannot find (?:module|package) '(?P<module>[^']+)'", "Cannot find module <name>"),
    (
        (
            r"^Cannot (?P<how>read|set) propert(?:y|ies) (?:'(?P<property>[^']*)' )?of (?P<of>undefined"
            r"|null)(?: \((?:reading|setting) '(?P<property2>[^']*)'\))?"
        ),
        "Cannot {how} properties of {of}",
    ),
    (
        (
            r"^(?:\(intermediate value\)|\{.{0,80}?\}\.|\[.{0,80}?\]\."
            r"|(?P<_of>[\w$.]+(?:\(\.\.\.\))?(?:\[[^\]]*\])?)\.)?\.?(?P<function>[\w$]+|\(intermediate value\))"
            r"(?:\(\.\.\.\))? is not a (?P<what>function|constructor)"
        ),
        "<name> is not a {what}",
    ),
    (r"^(?P<name>[\w$.]+) is not defined", "<name> is not defined"),
    (r"^(?P<_name>\S+) is not iterable", "<name> is not iterable"),
    (
        r"^undefined is not an object \(evaluating '(?P<_of>[^']*?)\.?(?P<property2>\w+)'\)",
        "Cannot read properties of undefined",
    ),
    (
        r"^The requested module '(?P<module>[^']+)' (?:\(.*\) )?does not provide an export named '(?P<export>[^']+)'",
        "no such export",
    ),
    (r"^Named export '(?P<export>[^']+)' not found", "no such export"),
    (r"^This error originated either by throwing", "unhandled rejection"),
)

_ERRNOS = (
    "ENOENT",
    "EACCES",
    "EEXIST",
    "EISDIR",
    "ENOTDIR",
    "EPERM",
    "EMFILE",
    "ENOTEMPTY",
    "EROFS",
    "EBUSY",
    "ENOSPC",
)

ROWS = table(
    row(
        "node",
        "JavaScript heap out of memory",
        r"FATAL ERROR: (?P<message>.*JavaScript heap out of memory)",
        "JavaScript heap out of memory",
        says="",
    ),
    row("node", ": bad option: ", r"^\S*node\S*: bad option: (?P<option>\S+)", "bad option"),
    *(
        row(
            "node",
            f"{errno}: ",
            rf"^(?:.*?[:;] )?(?P<code>{errno}): [\w ()-]{{3,80}}, (?P<message>[a-z]{{2,12}})\b",
        )
        for errno in _ERRNOS
    ),
    row("node", "(node:", r"^\(node:\d+\) (?P<message>.*)", "warning", NOISE),
    row("node", "node --trace", r"^\(Use `node --trace-\w+.*", "warning", NOISE),
    row(
        "bun",
        "error: Cannot find ",
        r"^error: Cannot find (?:module|package) [\"'](?P<module>[^\"']+)[\"']",
        "Cannot find module",
        says="Cannot find module <name>",
    ),
    row("bun", "error: ", r"^error: (?P<message>Could not resolve: \"(?P<module>[^\"]+)\".*)", "Could not resolve"),
    row("bun", "error: Module not found", r"^error: Module not found \"(?P<_module>[^\"]+)\"", "Module not found"),
    row("bun", "error: Script not found", r"^error: Script not found \"(?P<script>[^\"]+)\"", "Script not found"),
    row("deno", "error: Module not found", r"^error: (?P<message>Module not found .*)", "Module not found"),
    row("deno", "error: Relative import", r"^error: (?P<message>Relative import path .*)", "import"),
    row("deno", "Requires ", r"(?P<message>Requires \w+ access)", "NotCapable"),
)


def says_v8(message: str) -> bool:
    """Whether the words are those of a JavaScript engine, whose error types Python has too."""
    return bool(pattern_of(_V8).match(message))


def find(text: str, words: Set[str]) -> Iterator[Diagnostic]:
    """Diagnostics of a JavaScript runtime."""
    yield from scan(ROWS, text, words)
    stacked = "\n    at " in text or "Node.js v" in text or "\n      at " in text or "\n  at " in text
    cause: Diagnostic | None = None
    for at, match in _thrown(text):
        name, message = match["type"], match["message"].strip()
        if name.endswith("Warning") or (not stacked and not _speaks_js(name, match["code"], message)):
            continue
        if _is_foreign(text, at):
            continue
        each = of(name, match["code"] or _code_below(text, at + match.end()), message, at)
        if "[cause]" in match["lead"]:
            cause = each
        else:
            yield each
    if cause:
        yield cause._replace(at=-1)
    if stacked:
        for match in lines_like(_BARE, text):
            yield of(match["type"], match["code"] or "", "", match.start())


def _thrown(text: str) -> Iterator[tuple[int, Match[str]]]:
    """Lines that begin with the name of an error."""
    seen: set[int] = set()
    pattern = pattern_of(_THROWN)
    for ending in ("Error", "Exception", "Rejection", "Invariant Violation"):
        if ending in text:
            for at, line in lines_with(ending, text):
                if at not in seen and (match := pattern.match(line)):
                    seen.add(at)
                    yield at, match


def _is_foreign(text: str, at: int) -> bool:
    """A stack of Java or .NET, or a Python traceback, has error types that look the same."""
    below = text[text.find("\n", at) : text.find("\n", at) + 200]
    return "\n\tat " in below or "\n   at " in below or (at > 0 and '  File "' in text[max(0, at - 400) : at])


def _speaks_js(name: str, code: str | None, message: str) -> bool:
    if code or says_v8(message):
        return True
    if name in ("TypeError", "RangeError", "SyntaxError", "ReferenceError"):
        return name in ("ReferenceError", "RangeError")
    return name == "Error" and bool(
        pattern_of(r"(?:\w+ )?E[A-Z]{3,15}\b|Cannot find (?:module|package)").match(message)
    )


def _code_below(text: str, at: int) -> str:
    """`code: 'ERR_…'` among the properties that Node prints after the stack."""
    below = text[at : at + 3000]
    brace = below.find(" {\n")
    if brace < 0 or "\n\n" in below[:brace]:
        return ""
    found = pattern_of(r"(?m)^ {1,8}code: '([A-Z][A-Z0-9_]+)'").search(below[brace : brace + 800])
    return found[1] if found else ""


def of(name: str, code: str, message: str, at: int, rank: int = ROOT) -> Diagnostic:
    """The diagnostic of a thrown error."""
    if found := pattern_of(_ERRNO).match(message):
        program = pattern_of(r"spawn (\S+) ").match(message)
        named = program and program[1].upper() != program[1]
        missing = (("program", program[1].rpartition("/")[2]),) if program and named else ()
        return diagnostic("node", found["code"], found["_call"] or "", missing, rank=rank, at=at, settled=True)
    if found := pattern_of(_SPAWN).match(message):
        missing = (("program", found["program"].rpartition("/")[2]),)
        return diagnostic("node", found["code"], "spawn", missing, rank=rank, at=at, settled=True)
    if "command failed" in message.lower() and message.startswith("Command failed"):
        rank = max(rank, WRAPPER)
    for pattern, says in _SAID:
        if read := pattern_of(pattern).match(message):
            groups = {key: value for key, value in read.groupdict().items() if value}
            if "module" in groups:
                built = pattern_of(_BUILT).search(groups["module"])
                groups["module"] = f"{built['folder']}/" if built else specifier(groups["module"])
            decides = tuple(
                (key.rstrip("2"), value)
                for key, value in groups.items()
                if value
                and key not in ("how", "of", "what")
                and key[0] != "_"
                and value[:1] != "("
                and "://" not in value
            )
            return diagnostic(
                "node",
                _type(name, code, says),
                says.format(**{"how": "", "of": "", "what": "", **groups}),
                decides,
                rank=rank,
                at=at,
            )
    if message.startswith("Invalid regular expression: /"):
        message = f"Invalid regular expression: {message.rpartition('/')[2].partition(': ')[2]}"
    if " Received " in message and code.startswith("ERR_"):
        message = message.partition(" Received ")[0]
    return diagnostic("node", code if code.startswith("ERR_") else name, message, rank=rank, at=at)


def _type(name: str, code: str, says: str) -> str:
    if says.startswith("Cannot find module"):
        return "Cannot find module"
    if says == "no such export":
        return "SyntaxError"
    return code if code.startswith("ERR_") and name == "Error" else name
