"""Text as a terminal, a CI or an agent shows it → the text that the tool wrote.

Each step looks first whether there is anything for it to do, because most output is short and clean.
"""

from __future__ import annotations

from engrain.event import MARK
from engrain.patterns import compiled

_ANSI = (
    r"\x1b(?:\[[0-?]{0,60}[ -/]{0,4}[@-~]|\][^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\)|[()*+][0-9A-Za-z]"
    r"|[_P^X][^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\)|[=>78cDEHMNOZ])|[\x9b][0-?]{0,60}[@-~]"
)
_MARK_OF_ORDER = "\ufeff"
"""What Windows puts before a text."""

_CONTROL = r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
_SHOWN = bytes([9, 10, 13, *range(32, 127)])
"""The letters of ASCII that are no such control: where nothing but them stands, there is nothing to take off."""

_STAMPS = (
    # 2026-01-31T10:00:00.1234567Z · [2026-01-31 10:00:00,123] · 2026/01/31 10:00:00
    r"[\[(]?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?[\])]?:?(?: |$)",
    # gh run view --log: job, step, time
    r"[^\t\n]{1,80}\t[^\t\n]{1,80}\t\ufeff?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z(?: |$)",
    # [10:00:00] · 10:00:00.123 · [10:00:00 AM] · [0:02:11]
    r"[\[(]?\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?[AP]M)?[\])]?:?(?: |$)",
    # [Mon Jan  2 10:00:00 2026] · Jan 02 10:00:00 host unit[12]:
    (
        r"\[?(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ "
        r"\d]\d \d\d:\d\d:\d\d(?: \d{4})?\]?(?: [\w.-]{1,60} [\w./@-]{1,60}\[\d{1,9}\]:)?(?: |$)"
    ),
    # BuildKit: #12 3.456 text
    r"#\d{1,4} \d{1,6}\.\d{1,4} ",
    # docker compose: web-1  | text · foreman: web.1  | text · pytest-xdist: [gw0] text
    r"[a-z][\w.-]{0,60}[-_.]\d{1,4} {1,40}\| ",
    r"\[gw\d{1,3}\] (?!\[)",
    # GitLab: 00O text · GitHub: ##[error] text · Azure
    r"\d\d[OE]\+? ?",
    r"##\[(?:error|warning|group|endgroup|section|command|debug)\]",
    # turbo, lerna, nx, moon: web:build: text
    r"[@a-z][\w./@-]{0,60}[:#](?:build|test|lint|dev|typecheck|type-check|check|start|compile): ",
    # pnpm -r: packages/web test: text
    (
        r"[\w.@-]{1,60}(?:/[\w.@-]{1,60}){1,4} "
        r"(?:build|test|lint|dev|typecheck|type-check|check|start|compile)(?::[\w-]{1,30})?: "
    ),
    # a log of seconds since the start: [    3.141592] text · [3.1s] text
    r"\[ {0,8}\d{1,8}\.\d{1,9}s?\] ",
)
_PREFIX = r"(?m)\n(?:" + "|".join(_STAMPS) + r"){1,4}"

_LABEL = (
    r"\n(?:\[(?!(?i:error|err|warn|warning|info|notice|debug|fatal|fail|failed|webpack-cli)\])[\w./:@-]{1,80}\]"
    r"|[A-Za-z@][\w./@-]{0,60} {1,40}\||@[\w.-]{1,60}/[\w.-]{1,60}:)(?: |(?=\n)|$)"
)
"""concurrently: [web] text · docker compose: web  | text · kubectl: [pod/web/app] text · lerna: @team/web: text. One
line in this form may be anything; it is a label where nearly every line has one."""
_NEARLY_ALL = 0.8
_FIRST_LINES = 400
"""Letters among which the first label stands, where nearly every line has one."""

_SHELLS = (
    r"\A\s*(?:Error: )?(?:Command failed with )?[Ee]xit code:? -?\d{1,5}\n",
    (
        r"(?s)\A\s*<warning>\n.{0,2000}?</warning>\s*|</?output_(?:head|tail)>\n?"
        r"|<elided_chars>\n?.{0,200}?</elided_chars>\n?"
    ),
    r"\A\s*<returncode>-?\d{1,5}</returncode>\n?",
    (
        r"(?m)^</?(?:output|stdout|stderr|error|tool_use_error|warning)>\n?|</(?:output|stdout|stderr"
        r"|error|tool_use_error)>$"
    ),
    (
        r"(?m)^(?:Process exited with code -?\d+|Wall time: .*|Chunk ID: \w+|Original token count: \d+"
        r"|Total output lines: \d+|Output:)\n"
    ),
    r"(?m)^(?:section_(?:start|end):\d+:\w+|::(?:end)?group::.*|##\[(?:end)?group\].*)\n?",
)


def cleaned(text: str) -> str:
    """The text without colour, progress bars, prefixes of a CI, and what agents and Engrain put around it."""
    if "\x1b" in text or "\x9b" in text:
        text = compiled(_ANSI).sub("", text)
    if "\r" in text:
        text = _without_progress(text)
    if not text.isascii() or text.encode().translate(None, _SHOWN):
        text = compiled(_CONTROL).sub("", text)
    if "[" in text and MARK in text:
        text = "\n".join(line for line in text.split("\n") if not line.lstrip().startswith(MARK))
    if (
        "xit code" in text[:60]
        or text[:40].lstrip()[:1] == "<"
        or ("<" in text and "\n</" in text)
        or "roup::" in text
        or "section_" in text
        or "Process exited" in text[:400]
    ):
        text = _unwrapped(text)
    if text[:1] == _MARK_OF_ORDER:
        text = text[1:]
    if _may_be_prefixed(text):
        text = compiled(_PREFIX).sub("\n", "\n" + text)[1:]
        text = _unlabelled(text)
    if text[:1] == " " and not compiled(r"\n[^ \n]").search(text):
        text = _outdented(text)
    return text


def _unlabelled(text: str) -> str:
    """The text without the label of who speaks, where nearly each line has one."""
    if not compiled(_LABEL).search("\n" + text[:_FIRST_LINES]):
        return text
    found = len(compiled(_LABEL).findall("\n" + text))
    if found > 1 and found >= _NEARLY_ALL * sum(1 for line in text.split("\n") if line.strip()):
        return compiled(_LABEL).sub("\n", "\n" + text)[1:]
    return text


def _outdented(text: str) -> str:
    """What is indented from end to end was by who handed it on."""
    lines = text.split("\n")
    widths = [len(line) - len(line.lstrip(" ")) for line in lines if line.strip()]
    return "\n".join(line[min(widths) :] for line in lines) if len(widths) > 1 else text


def _unwrapped(text: str) -> str:
    for shell in _SHELLS:
        text = compiled(shell).sub("", text)
    return text


def _may_be_prefixed(text: str) -> bool:
    """Prefixes begin with a bracket, a digit, a hash or a month, or stand before a bar or a colon. A single sign is
    looked for first where it is rare, because that is three times as fast."""
    first = text[:1]
    return (
        first.isdigit()
        or first in "[#(JFMASOND@"
        or ("[" in text and "\n[" in text)
        or ("#" in text and "\n#" in text)
        or "\n2" in text
        or "\n1" in text
        or "\n0" in text
        or ("|" in text and " | " in text)
        or ("\t" in text and "\t20" in text)
        or "build: " in text
        or "test: " in text
        or "lint: " in text
    )


def _without_progress(text: str) -> str:
    """What a terminal shows after its cursor went back: the last thing written over a line."""
    text = text.replace("\r\n", "\n")
    if "\r" not in text:
        return text
    return "\n".join(_last_written(line) if "\r" in line else line for line in text.split("\n"))


def _last_written(line: str) -> str:
    return next((part for part in reversed(line.split("\r")) if part.strip()), "")
