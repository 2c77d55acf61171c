"""A fix's step, as a person wrote it → the commands that it asks for.

A step is a command (with or without the prompt it was pasted with), or prose around commands in backticks. Prose that
names none has none: `Add orjson to requirements.txt`. On the hook's path.
"""

from __future__ import annotations

from engrain.learn import programs
from engrain.patterns import compiled
from engrain.redact.rule import vocabulary

_MOST = 4000

_BULLET = r"\s*(?:(?:\d{1,3}[.)]|[-*•])\s+)?"
_FENCE = r"(?s)```(?:(?:bash|sh|shell|console|zsh)\b)?(.*?)```"
_SPAN = r"(`{1,2})([^`\n]{1,2000})\1"
_RUN = r"(?i)\b(?:run|running|execute|executing|re-?run|invoke|type|call)(?: (?:again|first|then|now|once))?:?\s*$"
_RUN_FIRST = r"(?i)(?:then |first |now )?(?:re-?run|run|execute|try|do|use)(?: again)?:?\s+(.+)"
_NOT = r"(?i)(?:\b(?:not|never|instead of|rather than|avoid|without|stop|if|when|after)|n't)\s+(?:\w+\s+){0,2}$"
_QUOTED = r"'[^']*'|\"(?:[^\"\\]|\\.)*\"|\$\([^)]*\)"
_ASSIGNED = r"(?:[A-Za-z_]\w{0,80}=\S*\s+)+"
_PROSE = vocabulary(
    """
    the a an to is are be must should sure of your you and that this with from into before after then not it its
    because instead need needs or on for again so which when has have does will can as at
    """
)
_VERBS = vocabulary(
    """
    find test sort set touch kill cut head time watch source export go make node less more cat which file type read
    wait history man info clear patch mount service command fold paste local yes date who link eval trap
    stack next rails
    """
)
"""Programs whose names are words of a sentence, too."""


def asked_for(step: str) -> list[str]:
    """The commands of a step, in the order in which they are asked for."""
    text = step[:_MOST].strip()
    fenced = [line for block in compiled(_FENCE).findall(text) for line in _lines(block)]
    if fenced:
        return fenced
    bullet = compiled(_BULLET).match(text)
    text = text[bullet.end() :] if bullet else text
    if text.startswith("$ "):
        return _lines(text)
    if is_command(text):
        return [text]
    spans = _spans(text)
    if spans:
        return spans
    asked = compiled(_RUN_FIRST).match(text)
    rest = compiled(r"(?<=\w)\.$").sub("", asked[1].strip()) if asked else ""
    return [rest] if rest and "`" not in rest and is_command(rest) else []


def is_command(text: str) -> bool:
    """Whether a text is a command and no sentence about one."""
    assigned = compiled(_ASSIGNED).match(text)
    bare = compiled(_QUOTED).sub("''", text[assigned.end() :] if assigned else text)
    words = bare.split()
    while words and words[0] in ("sudo", "time", "env", "nohup", "exec"):
        words = words[1:]
    if not words:
        return False
    first, rest = words[0], words[1:]
    name = programs.name(first)
    if name not in ("echo", "printf") and not _PROSE.isdisjoint(rest):
        return False
    if name in programs.KNOWN:
        return first not in _VERBS or not rest or _plainly(rest)
    called = compiled(r"(?:\.{1,2}/|~/|/)?[a-z_][\w.+-]*(?:/[\w.+-]+)*").fullmatch(first)
    if not called:
        return False
    path = first[0] in "./~" or first.endswith((".sh", ".py", ".js"))
    return (path and _runs(first, rest)) or any(word[0] == "-" and len(word) > 1 for word in rest)


def _runs(first: str, rest: list[str]) -> bool:
    """A path by itself is a file that is spoken of, unless it can hardly be anything but a program."""
    return bool(rest) or first.endswith(".sh") or "/bin/" in first or "." not in first.rpartition("/")[2]


def _plainly(rest: list[str]) -> bool:
    """Behind a verb: words that no sentence has."""
    return any(
        word[0] in "-./~$'\"*" or "/" in word or "=" in word or "." in word[:-1] or "_" in word for word in rest
    ) or (len(rest) == 1 and rest[0].isalpha())


def _lines(block: str) -> list[str]:
    stripped = (line.strip().removeprefix("$ ").strip() for line in block.strip().splitlines())
    return [line for line in stripped if line and line[0] != "#"]


def _spans(text: str) -> list[str]:
    found = []
    for span in compiled(_SPAN).finditer(text):
        inner = span[2].strip().removeprefix("$ ").strip()
        before = text[max(0, span.start() - 40) : span.start()]
        if not inner or compiled(_NOT).search(before):
            continue
        run = compiled(_RUN).search(before) is not None
        alone = text.strip() == span[0]
        asked = run and compiled(r"[\w./~-]+(?:\s.*)?").fullmatch(inner)
        if asked or (is_command(inner) and (" " in inner or run or alone)):
            found.append(inner)
    return found
