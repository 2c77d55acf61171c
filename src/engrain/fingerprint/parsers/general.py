"""The shapes that tools share, for those that no parser knows.

A place with a severity, an exception with its name, `error: …` behind a tool's name, a failed test, a log line of level
error, a sentence that says what could not be done. What such a line is about says which toolchain speaks: the ending of
the file, the name before the colon, the stack below. Where nothing does, the toolchain is `general`.
"""

from __future__ import annotations

from engrain.fingerprint.read import MAX_LINE
from engrain.fingerprint.rows import pattern_of
from engrain.model import GUESS, NOISE, ROOT, SECOND, WARNING, diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Set

    from engrain.model import Diagnostic

_SPEAKERS = (
    ("cc", "c h cc cpp cxx hpp m mm"),
    ("python lint", "py pyi ipynb"),
    ("cython", "pyx"),
    ("js lint", "js jsx mjs cjs vue svelte"),
    ("ts lint", "ts tsx"),
    ("go", "go"),
    ("rustc", "rs"),
    ("javac", "java"),
    ("kotlin", "kt kts"),
    ("scala", "scala"),
    ("swift", "swift"),
    ("ghc", "hs"),
    ("ruby", "rb erb slim haml"),
    ("php", "php"),
    ("perl", "pl pm"),
    ("lua", "lua"),
    ("r", "r"),
    ("dotnet", "cs fs vb"),
    ("elixir", "ex exs"),
    ("erlang", "erl"),
    ("elm", "elm"),
    ("ocaml", "ml mli"),
    ("purescript", "purs"),
    ("dart", "dart"),
    ("zig", "zig"),
    ("shell lint", "sh bash zsh"),
    ("sql", "sql"),
    ("yaml", "yml yaml"),
    ("json", "json"),
    ("toml", "toml"),
    ("prose", "md rst"),
    ("text", "txt"),
    ("terraform", "tf"),
    ("protoc", "proto"),
    ("css", "css scss less"),
    ("html", "html"),
    ("xml", "xml"),
    ("latex", "tex"),
    ("fortran", "f90 f"),
    ("verilog", "v sv"),
    ("vhdl", "vhd"),
    ("as", "asm s"),
    ("cmake", "cmake"),
    ("make", "mk"),
    ("nix", "nix"),
    ("d", "d"),
    ("julia", "jl"),
    ("nim", "nim"),
    ("vim", "vim"),
)
_ENDINGS = {ending: speaker for speaker, endings in _SPEAKERS for ending in endings.split()}
"""Who speaks of a file with such an ending, when the line does not say."""

_PLACE = (
    r"(?P<file>(?:[A-Za-z]:)?[^\s:()\[\]'\"<>|]{1,300}?\.(?P<ending>[A-Za-z]\w{0,8})|Dockerfile|Makefile"
    r"|\.env\S{0,20}|\S+/Dockerfile)"
)
_LOUD = r"(?:fatal error|internal error|syntax error|parse error|error|fatal|panic|critical|severe|failure|exception)"
_QUIET = r"(?:warning|warn|deprecated|deprecation|note|info|hint|notice|debug|style|suggestion|convention|refactor)"

_LOCATED = (
    rf"(?i)^\W{{0,6}}{_PLACE}(?::\d{{1,7}}(?:[:.,]\d{{1,7}}(?:-\d{{1,7}}(?::\d+)?)?)?"
    rf"|\(\d{{1,7}}(?:[,:]\d{{1,7}})?\)|\[\d+, ?\d+\]|: line \d+(?:, (?:col(?:umn)? )?\d+)?,?)(?:: ?| - | "
    rf"?)(?P<rest>\S.*)$"
)
_SEVERITY = (
    rf"(?i)^(?:\[?(?:(?P<loud>{_LOUD}|e|f)|(?P<quiet>{_QUIET}|[wicr]))\]?(?=[:\s\[(])(?: "
    rf"?\[?(?P<code>[A-Z]{{1,10}}[-_]?\d{{2,6}}|[a-z]+(?:[-/][a-z0-9]+)+)\]?)? ?[:\-]? ?)"
)
_CODE_FIRST = (
    r"^\[?(?P<code>[A-Z]{1,10}[-_]?\d{2,6}|[a-z][a-z0-9]*(?:[-/][a-z0-9]+)+|[A-Z]\w+/\w+"
    r"|[A-Z][a-z]+(?:[A-Z][a-z]+)+)\]?(?::| -)? (?=\S)"
)
_CODE_LAST = r"(?: {1,8}[\[(](?P<code>[@\w][\w./@+-]{1,80})[\])]| {2,}(?P<bare>[@a-z][\w@-]*(?:/[\w@-]+)*-[\w/-]+))$"

_EXCEPTION = (
    r"^(?P<lead>(?:[\w.-]+: )?(?:[Uu]ncaught |[Uu]nhandled [Ee]xception:? |Exception in thread "
    r"\"[^\"]*\" |Caused by: |error: |ERROR: |\*\* )?)"
    r"(?P<type>(?:[A-Za-z_]\w{0,60}(?:\.|::|\\|\$))*[A-Z]\w{0,80}(?:Error|Exception|Failure|Fault"
    r"|Panic|Timeout|Refused|NotFound|Denied|Invalid|Violation|Exceeded))(?: \(\w+\)"
    r"|\(\d+\))?(?::\s?(?P<message>.*)|$)"
)
_TOOL_ERROR = (
    rf"(?i)^(?P<tool>[a-z][\w./+-]{{0,50}}(?: [a-z][\w-]{{0,20}})?)(?:\[\d+\])?: "
    rf"(?:{_LOUD})(?:\[(?P<code>[\w-]+)\]| (?P<code2>[A-Z]{{1,6}}-?\d{{2,6}}))?: (?P<message>\S.*)$"
)
_BARE_ERROR = (
    rf"(?i)^(?P<mark>[\W_]{{0,8}}(?:{_LOUD})(?:\[(?P<code>[\w/-]+)\]|\((?P<code3>\w[\w-]*)\)| "
    rf"(?P<code2>[A-Z]{{0,6}}-?\d{{2,6}}))?\W{{0,3}}(?::| -|\]| \W)|(?:\[?(?:ERROR|FATAL|CRITICAL|SEVERE"
    rf"|E!?)\]?:?)(?= )) ?(?P<message>\S.*)$"
)
_HEADING = r"[A-Z][\w -]{2,40} [Ee]rror:$"
_SAYS = (
    r"(?!.*(?:\*\*\*|exit(?:ed)? (?:with )?(?:status|code)|https?:))[A-Za-z][\w./+-]{0,60}: [^\s\d\[{(=>"
    r"|-].{4,300}[a-z.)'’\"]$"
)
"""`tool: what it says`: the last of these stands, where nothing sounds like a complaint."""

_LEVEL = (
    r"\b(?:level|lvl|severity)\"?[=:] ?\"?(?:error|fatal|critical|panic|err|crit)\b.*?\b(?:msg|message"
    r"|error|err)\"?[=:] ?(?P<message>\"(?:[^\"\\]|\\.)*\"|\S+)"
)
_FIELD = (
    r"(?i)[\"']?\b(?:error|error_message|errorMessage|err|reason|detail"
    r"|exception)[\"']?\s?[=:]\s?(?P<message>\"(?:[^\"\\]|\\.){3,}\"|'(?:[^'\\]|\\.){3,}')"
)
_FAILED = r"^\W{0,6}(?:FAIL(?:ED|URE)?|not ok(?: \d+)?|✗|✖|✘|✕|×|❌|\[FAIL(?:ED)?\])[:\s]\W{0,4}(?P<test>\S.{0,200})$"
_SENTENCE = (
    r"(?i)\b(?:can ?not|can't|could not|couldn't|unable to|failed to|failed|refus(?:ed|ing)|denied"
    r"|not (?:found|permitted|allowed|supported|installed|recognized|available|defined|valid|exist)|"
    r"no such|does(?:n't| not) (?:exist|have|match|support)|invalid|illegal|unknown|unexpected"
    r"|unsupported|unrecognized|missing|expected|must (?:be|have|not)|required|aborted|aborting"
    r"|timed? ?out|"
    r"exceeded|forbidden|unauthorized|conflict|corrupt\w*|mismatch\w*|out of range|too (?:many|large"
    r"|long|few)|already (?:exists|in use|running|defined)|undefined|unresolved|rejected|violat\w+"
    r"|deprecated and|crashed|terminated)\b"
)
_WARNS = (
    rf"(?i)^(?:\[?\W?(?:{_QUIET})\]?\b\W|\S{{1,40}}: (?:{_QUIET}): |\w*Warning: |npm warn"
    rf"|\S+:\d+(?::\d+)?: (?:(?:{_QUIET}): |\w*Warning: )|\(node:\d+\) )"
)
_DULL = (
    r"(?i)^\s*(?:\d+ (?:errors?|problems?|warnings?|failures?)\b.*|found \d+ .*|(?:total|exit|exited"
    r"|process|command|script) .*(?:code|status):? \d+.*|exit(?:ed)?(?: with)? (?:code|status):? ?\d+"
    r"|errors?:? \d+|build failed.*|"
    r"error: (?:aborting|command failed|build failed|job failed|process completed|script|task|the process|failed "
    r"with exit).*|process completed with exit code.*|error Command failed.*|finished .*|done\b.*"
    r"|passed:? \d+.*|failed:? \d+|"
    r"tests? (?:run|finished).*|ran \d+ tests?.*|see .*(?:log|details|above|below).*|run .* for (?:more|details).*"
    r"|for more information.*|usage:.*|try '.*--help.*|[-=_*#~.\s]+|.*\b0 errors?\b.*|\w+ing\b.*\.\.\."
    r"|npm (?:ERR!|error) (?:code|command|path|workspace|location|errno|Lifecycle)\b.*"
    r"|.*did not complete successfully: exit code: \d+.*"
    r"|hint: .*|note: .*|help: .*|tip: .*|errors? (?:were|was|occurred|found).*:?|the following "
    r"errors?.*)$"
)
MOST_LINES = 20_000


def find(text: str, _words: Set[str]) -> Iterator[Diagnostic]:
    """What the shapes see in the text; a shape that is surer wins over one that is less."""
    position, heading, seen = 0, "", False
    said: Diagnostic | None = None
    for count, line in enumerate(text.split("\n")):
        at, position = position, position + len(line) + 1
        if count > MOST_LINES or len(line) < 4:
            continue
        stripped = line[:MAX_LINE].strip()
        if heading and stripped:
            yield diagnostic("general", heading, stripped, rank=SECOND, at=at)
        heading = stripped[:-1].lower() if stripped.endswith("rror:") and pattern_of(_HEADING).match(stripped) else ""
        if not stripped or pattern_of(_DULL).match(stripped[:400]):
            continue
        if each := _of_line(stripped, at, line[:1] in " \t"):
            seen = seen or each.rank <= GUESS
            yield each
        elif pattern_of(_SAYS).match(stripped):
            said = diagnostic("general", "said", stripped.partition(": ")[2], rank=GUESS, at=at)
    if said and not seen:
        yield said


def _of_line(line: str, at: int, indented: bool) -> Diagnostic | None:
    if pattern_of(_WARNS).match(line):
        located = _located(line, at)
        return (
            located._replace(rank=WARNING if located.settled else NOISE)
            if located
            else diagnostic("general", "warning", line, rank=NOISE, at=at)
        )
    for shape in _SHAPES:
        if each := shape(line, at):
            return (
                each._replace(rank=max(each.rank, SECOND))
                if indented and each.rank == ROOT and shape is not _located
                else each
            )
    return None


def _located(line: str, at: int) -> Diagnostic | None:
    """`file:line:col: severity: message [code]`, in the orders that tools have."""
    if ":" not in line and "(" not in line and "[" not in line:
        return None
    found = pattern_of(_LOCATED).match(line)
    if not found:
        return None
    rest, code, rank = found["rest"], "", SECOND
    if severity := pattern_of(_SEVERITY).match(rest):
        rest, code = rest[severity.end() :], severity["code"] or ""
        rank = ROOT if severity["loud"] else SECOND
    elif "." not in (found["ending"] or ".") and found["ending"].lower() not in _ENDINGS:
        return None
    if not code and (first := pattern_of(_CODE_FIRST).match(rest)):
        code, rest = first["code"], rest[first.end() :]
        if again := pattern_of(_SEVERITY).match(rest):
            rest, rank = rest[again.end() :], ROOT if again["loud"] else SECOND
    elif not code and (last := pattern_of(_CODE_LAST).search(rest)):
        code, rest = last["code"] or last["bare"], rest[: last.start()]
    if not rest.strip() and not code:
        return None
    tool = _ENDINGS.get((found["ending"] or "").lower(), found["ending"] or "general")
    return diagnostic(tool, code or "error", rest.strip(), file=found["file"], rank=rank, at=at, settled=bool(code))


def _exception(line: str, at: int) -> Diagnostic | None:
    found = pattern_of(_EXCEPTION).match(line)
    if not found:
        return None
    return diagnostic("exception", found["type"], (found["message"] or "").strip(), at=at)


def _two_words(line: str, at: int) -> Diagnostic | None:
    """`Parser Error: …`, `Type error: …`: an exception's name that is written as words."""
    found = pattern_of(r"(?P<type>(?:[A-Z][a-z]{2,20} ){1,2}[Ee]rror): (?P<message>\S.*)$").match(line)
    return diagnostic("general", found["type"].lower(), found["message"], at=at) if found else None


def _tool_error(line: str, at: int) -> Diagnostic | None:
    found = pattern_of(_TOOL_ERROR).match(line)
    if not found:
        return None
    code = found["code"] or found["code2"] or ""
    tool = found["tool"].rpartition("/")[2].lower()
    tool = pattern_of(r"[-.\d]+$|\.(?:exe|py|js|sh)$").sub("", tool) or tool
    return diagnostic(tool.split(" ")[0], code or "error", found["message"], at=at, settled=bool(code))


def _bare_error(line: str, at: int) -> Diagnostic | None:
    found = pattern_of(_BARE_ERROR).match(line)
    if not found or len(found["message"]) < 3:
        return None
    code = found["code"] or found["code2"] or found["code3"] or ""
    message = found["message"].strip()
    if inner := _exception(message, at):
        return inner
    if not code and (last := pattern_of(_CODE_LAST).search(message)) and last["code"]:
        code, message = last["code"], message[: last.start()]
    return diagnostic("general", code or "error", message, at=at, settled=bool(code))


def _log_line(line: str, at: int) -> Diagnostic | None:
    if "level" not in line and "severity" not in line and "lvl" not in line:
        return None
    found = pattern_of(_LEVEL).search(line)
    return diagnostic("log", "error", found["message"].strip('"'), at=at) if found else None


def _field(line: str, at: int) -> Diagnostic | None:
    found = pattern_of(_FIELD).search(line)
    return diagnostic("general", "error field", found["message"].strip("\"'"), rank=SECOND, at=at) if found else None


def _failed(line: str, at: int) -> Diagnostic | None:
    found = pattern_of(_FAILED).match(line)
    if not found:
        return None
    test = pattern_of(r"\s*[\[(]?\d+(?:\.\d+)? ?m?s[\])]?$|\s+\.{2,}.*$").sub("", found["test"]).strip()
    return diagnostic("general", "failed", "", (("test", test[:120]),), rank=SECOND, at=at, settled=True)


def _sentence(line: str, at: int) -> Diagnostic | None:
    if len(line) > 400 or not pattern_of(_SENTENCE).search(line):
        return None
    tool = pattern_of(r"(?P<tool>[a-zA-Z][\w.+-]{1,30}): (?P<message>\S.*)$").match(line)
    if tool and not tool["tool"].lower().startswith(("http", "note", "hint")):
        return diagnostic(tool["tool"].lower(), "complaint", tool["message"], rank=GUESS, at=at)
    return diagnostic("general", "complaint", line, rank=GUESS, at=at)


_SHAPES: tuple[Callable[[str, int], Diagnostic | None], ...] = (
    _located,
    _exception,
    _two_words,
    _tool_error,
    _bare_error,
    _log_line,
    _failed,
    _field,
    _sentence,
)
