"""Values that are secret because of the name they are given: `password=…` in any of the ways it is written.

For each keyword the whole name around it is read, then the link to its value (`=`, `:`, `">`, a following option …),
then the value as the language would end it. How sure the name is decides what is taken: under `password` anything that
is no placeholder and no code, under `token` letters and digits mixed, under `key` only what looks random.
"""

from __future__ import annotations

from collections import namedtuple

from engrain.patterns import compiled
from engrain.redact.likely import called, code, mixed, nothing, path, random, stands_out, switches, wordy
from engrain.redact.names import LIKELY, SURE, Keyword, judged
from engrain.redact.rule import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    class Link(NamedTuple):
        """One way from a name to its value, with the characters that it may begin with. `quoted`: the value must be;
        `loose`: it must look like one; `final`: with a value behind this link there is no other."""

        name: str
        pattern: str
        first: str
        quoted: bool = False
        loose: bool = False
        final: bool = False

    class Value(NamedTuple):
        """A value as it stands: its span, its quote or nothing."""

        start: int
        end: int
        quote: str
else:
    Link = namedtuple("Link", "name pattern first quoted loose final", defaults=(False, False, False))
    Value = namedtuple("Value", "start end quote")

_NAME = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-."
_REACH = 48

_CLOSING = "\"'`\\"
LINKS = (
    Link(
        "assign",
        r"(?:\\{0,3}[\"'`])?[\])]{0,2}(?:\[\w{0,8}\])?\s{0,24}(?::\s?[\w.&<>|\[\]?]{1,40}\s?="
        r"|(?::=|=>|->|===?|\?=|\|\|=|!=|~>|:|=))(?![=~:])[ \t]{0,40}(?:\\{0,1}\n[ \t]{1,40}"
        r"(?=[\"']))?(?:\(\s{0,48})?",
        f"{_CLOSING})][ \t\n:=?|!-~",
        final=True,
    ),
    Link(
        "field",
        r"\\{0,3}[\"']?(?:\s?\{(?:[^{}\n]{0,120}\n){1,6}?\s{0,24}|\s{0,8},?\s{0,24})\\{0,3}[\"']?(?:value|Value|VALUE|default|content"
        r"|defaultValue)\\{0,3}[\"']?\s?[:=]\s{0,4}",
        f"{_CLOSING} \t\n\r,{{",
        final=True,
    ),
    Link(
        "element",
        r"(?:\s[^<>\n]{0,120}|\\{0,3}[\"'][^<>\n]{0,120})?\\?>\s{0,40}(?:<!\[CDATA\[)?"
        r"|\s{0,40}</(?:key|name|Name|Key|th|td|dt)>\s{0,40}<(?:string|value|Value|td|dd)[^<>]{0,40}>\s{0,20}",
        f"{_CLOSING} \t\n>< ",
    ),
    Link("option", r"(?:[ \t]{1,8}|\\{0,3}[\"'],\s{0,8})", f"{_CLOSING} \t"),
    Link("call", r"\\{0,3}[\"']?\s?\(\s?", f"{_CLOSING} (", quoted=True),
    Link("pair", r"\\{0,3}[\"']\s?,\s{0,8}", _CLOSING, quoted=True),
    Link("word", r"[ \t]{1,4}(?:is |was |set to |to |by )?(?!`)", " \t", quoted=True, loose=True),
    Link(
        "speech", r"(?:\s?\([^()\n]{0,20}\)|[ ,/-][\w ,/-]{0,24}?)?\s?[:=(]\s?(?:[a-z]{3,8}/)?", " (,/-:=", loose=True
    ),
    Link(
        "spoken", r"(?:[ ,/-][\w ,/-]{0,24}?)?(?:\s-\s|\s(?:is|Is|was)\s|[ \t])(?:[a-z]{3,8}/)?", " \t,/-", loose=True
    ),
    Link("block", r"\\{0,3}[\"']?[ \t]?:[ \t]{0,4}[|>][-+]?[ \t]{0,4}\n[ \t]{1,24}", f"{_CLOSING} :"),
)

_BY_FIRST = {first: tuple(link for link in LINKS if first in link.first) for first in "".join(x.first for x in LINKS)}

_QUOTE = r"[bBrRuUfFN@$]{0,2}(\\{0,7}(?:\"\"\"|'''|[\"'`]))"
_STRINGS = {mark: rf"(?:[^{mark}\\\n]|\\[^\n]){{0,8192}}" for mark in "\"'`"}
_JUDGED = 256
"""A bare value is judged by its beginning, and goes on as long as it can."""
_BARE = r"[^\s\"'`\\<>(){}\[\]«»,;|]{1,256}"
_ENV = r"[^\s\"'`\\«»]{1,256}"
_DRAWN_BYTES = r"(?:\\x[0-9a-fA-F]{2}[^\\]{0,12}){6}"
_LINES = r"(?:\r?\n[ \t]{1,24}[A-Za-z0-9+/=_-]{8,512}(?=[ \t]*(?:[\r\n]|$))){0,200}"
_JOINED = (
    r"[\"'](?:[ \t]{0,8}(?:[+.&]|\\|<<|\.\.)?[ \t]{0,8}\\?\r?\n[ \t+]{0,60}"
    r"|[ \t]{0,8}[+.&][ \t]{0,8})[+.&]?[ \t]{0,8}[\"']"
)
_MORE = r"[A-Za-z0-9+/=_.-]*(?:(?:\s|\\[nr]){1,48}[A-Za-z0-9+/]{30,}={0,2}){0,200}"


def assignment(text: str, at: int, size: int) -> tuple[Span | None, int]:
    """The secret whose name has a keyword here, if there is one, and where to go on."""
    head = text[max(0, at - _REACH) : at]
    start = at - (len(head) - len(head.rstrip(_NAME)))
    end = _end_of(r"[A-Za-z0-9_-]{0,48}", text, at + size)
    name = text[start:end].strip("-.")
    keyword, sure = judged(name)
    if keyword is None:
        return None, end
    follows = text[end : end + 1] or "\0"
    before = text[start - 1 : start] if start else ""
    for link in _BY_FIRST.get(follows, ()):
        if link.name == "option" and text[start] != "-":
            continue
        if (link.name == "element" and before not in ("<", ":", '"', "'", ">")) or (
            link.name == "spoken" and sure < SURE
        ):
            continue
        joined = compiled(link.pattern).match(text, end)
        if not joined:
            continue
        if text.startswith(("«", '"«', "'«", '\\"«'), joined.end()):
            break
        value = _value(text, joined.end(), _env_like(text, start, name, joined[0]))
        if value and before in ("?", "&"):
            value = _of_query(text, value)
        if value and (value.quote or not link.quoted) and _taken(text, value, sure, link, name, joined[0]):
            span = _onward(text, _span(text, value, keyword, joined[0]), value, link)
            return span, max(end, span.end)
        if value and link.final:
            # A long bare value is not judged again from each name in it, but for those near its end.
            end = end if value.quote else max(end, value.end - _JUDGED // 2)
            break
    return None, end


def _env_like(text: str, start: int, name: str, link: str) -> bool:
    """`DB_PASSWORD=…` at the start of a line or after `export`: the value goes to the next space."""
    if link != "=" or not name.isupper():
        return False
    before = text[max(0, start - 1) : start]
    return before in ("", "\n", " ", "\t", "+", "-") or text[max(0, start - 2) : start] == "\\n"


def _value(text: str, at: int, whole: bool) -> Value | None:
    """What stands here as a string, or as a bare word."""
    opening = compiled(_QUOTE).match(text, at)
    if opening:
        quote = opening[1]
        end = _string_end(text, opening.end(), quote)
        return Value(opening.end(), end, quote) if end > opening.end() else None
    bare = compiled(_ENV if whole else _BARE).match(text, at)
    if not bare:
        return None
    end = bare.end()
    while end > at and text[end - 1] in ".,:;!?&" and not whole:
        end -= 1
    return Value(at, end, "") if end > at else None


def _end_of(pattern: str, text: str, at: int) -> int:
    found = compiled(pattern).match(text, at)
    return found.end() if found else at


def _of_query(text: str, value: Value) -> Value:
    """A value in a URL ends where the next parameter begins."""
    cut = text.find("&", value.start, value.end)
    return value if cut <= value.start else Value(value.start, cut, value.quote)


def _string_end(text: str, at: int, quote: str) -> int:
    """Where a string ends, escapes read in pairs, so that what is left is still well-formed."""
    slashes = len(quote) - len(quote.lstrip("\\"))
    mark = quote[slashes:]
    if slashes == 0 and len(mark) == 1:
        return _end_of(_STRINGS[mark], text, at)
    if slashes == 0:
        end = text.find(mark, at, at + 8192)
        return end if end >= 0 else at
    end = _end_of(rf"(?:[^{mark}\\\n]|\\[^{mark}\nnr]){{0,8192}}", text, at)
    spare = slashes - 1
    while spare > 0 and end - 2 >= at and text[end - 2 : end] == "\\\\":
        end, spare = end - 2, spare - 2
    return end


def _taken(text: str, value: Value, sure: int, link: Link, name: str, joined: str) -> bool:
    """Whether this value, at this link, under a name this sure, is a secret."""
    given = text[value.start : value.end].strip()
    if nothing(given) or given.lower() in name.lower() or _written_otherwise(given):
        return False
    if not value.quote and text[value.end : value.end + 1] in ("(", "[", "{") and code(given + text[value.end]):
        return False
    if joined.rstrip()[-1:] == "(" and not value.quote:
        return False
    if (link.loose or name.lower() == "pass") and not (stands_out(given) and not (value.quote and " " in given)):
        return False
    if sure == SURE:
        return _password(text, value, link, name, joined)
    if path(given) or " " in given or len(given) < 6:
        return bool(value.quote) and _wrapped(given)
    if "-" in given and "key" in name.lower() and compiled(r"(?:[A-Z0-9]{4,8}-){3,7}[A-Z0-9]{4,8}$").match(given):
        return True
    if sure == LIKELY:
        if name.endswith("SECRET") and not value.quote and compiled(r"[a-z]{8,}$").match(given):
            return _alone(text, value, joined)
        drawn = random(given, 12) and not code(given)
        return drawn or (mixed(given) and not wordy(given) and not called(given))
    drawn = random(given, 12 if value.quote else 20) and not _names_a_thing(given)
    return drawn and (bool(value.quote) or not code(given))


def _written_otherwise(given: str) -> bool:
    """A colour, text in escapes, or something that was cut off with dots."""
    if given[0] == "#" and compiled(r"#[0-9a-fA-F]{3,8}$").match(given):
        return True
    return given.endswith("...") or "\\u" in given or ("\\x" in given and not compiled(_DRAWN_BYTES).search(given))


def _wrapped(given: str) -> bool:
    """Base64 over several lines inside one string."""
    return bool(compiled(r"[A-Za-z0-9+/=_-]{16,}(?:\s+[A-Za-z0-9+/=_-]{8,})+$").match(given)) and switches(given) > 8


def _names_a_thing(given: str) -> bool:
    """UUIDs, commit hashes and checksums name things unless something says otherwise."""
    return bool(
        compiled(
            r"(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$|sha\d+[-:]|["
            r"0-9a-f]{40}$|[0-9a-f]{64}$"
        ).match(given)
    )


def _password(text: str, value: Value, link: Link, name: str, joined: str) -> bool:
    given = text[value.start : value.end].strip()
    if value.quote:
        return _literal_password(given, link) or _phrase(given, name)
    if link.name == "element":
        return len(given) >= 4 and not given.startswith(("/", "@"))
    if given.isalpha():
        return len(given) >= 4 and (
            _alone(text, value, joined) or (link.name == "option" and _argument(text, value.end))
        )
    if code(given):
        return False
    if given.replace(".", "", 1).isdigit():
        return len(given) >= 4 and "." not in given and name.lower() not in ("pass", "pw")
    if path(given) or (name.lower() in ("pwd", "oldpwd") and given[0] in "/~."):
        return False
    if compiled(r"[a-z_]+\d?$|[A-Za-z_]\w*\.\w+$|[-+*/&|!?.:=]+$|\d+(?:\.\d+)*[a-z%]{0,2}[,;]?$").match(given):
        return (
            link.name in ("assign", "option")
            and any(c.isdigit() for c in given)
            and " " not in joined
            and len(given) >= 6
        )
    return len(given) >= 4


def _argument(text: str, end: int) -> bool:
    """The word before here ends a command or comes before another option: a sentence goes on with a word."""
    return bool(compiled(r"[\"']?[ \t]*(?:$|[\n\r\\|&;)>]|-)").match(text, end))


def _alone(text: str, value: Value, joined: str) -> bool:
    """`name=value` or `name: value` is a line of its own, or one of several such pairs."""
    line = text[max(0, value.start - 120) : value.start].rpartition("\n")[2]
    after = text[value.end : value.end + 1]
    if joined == "=":
        if compiled(r"(?:.*\s(?:-e|--env|--build-arg|-[A-Z]|env|export)[ =]?[\"']?|\s*(?=[A-Z]))[A-Z0-9_]+=$").match(
            line
        ):
            return after in ("", "\n", "\r", "\\", " ", "\t", '"', "'", ";")
        if compiled(r"(?:export |set |ENV |\$env:|[-+>] ?)?\s*[\w.-]+=$").match(line):
            return after in ("", "\n", "\r", "\\")
        return bool(compiled(r".*(?:;\s?|\w=[^\s;]{1,60}[ ;]|[?&])[\w. -]+=$").match(line)) and after in (
            "",
            ";",
            " ",
            "&",
            '"',
            "'",
        )
    return joined in (": ", " : ") and bool(compiled(r"[\s+-]*[\w.-]+ ?: $").match(line)) and after in ("", "\n", "\r")


def _phrase(given: str, name: str) -> bool:
    """Words drawn by lot under `passphrase`: a sentence about one has a capital, a stop or a word of grammar."""
    return "phrase" in name.lower() and bool(
        compiled(
            r"(?:(?!(?:a|an|the|your|you|my|for|of|to|is|are|be|must|enter|please|no|not|if|in|on|and|or|with) )"
            r"[a-z]{3,9} ){3,11}[a-z]{3,9}$"
        ).match(given)
    )


def _literal_password(given: str, link: Link) -> bool:
    """A quoted password: one word of it, or several with something random among them."""
    if "\n" in given or len(given) > 4096:
        return False
    if len(given.split()) > 1:
        return len(given) < 80 and any(mixed(word) and not wordy(word) for word in given.split())
    if path(given) or compiled(r"(?i)[\w-]*passw(?:or)?ds?[\w-]*$|\^|.*\\[wds]|[\w.]+\.[a-z]{2,4}$|/|#|\.[a-z]").match(
        given
    ):
        return (
            any(c.isdigit() for c in given)
            and mixed(given)
            and not path(given)
            and not compiled(r"(?i)[a-z_-]*passw(?:or)?ds?[a-z_-]*\d{0,1}$").match(given)
        )
    if compiled(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$").match(given):
        return False
    if link.name in ("pair", "word", "call", "field") and wordy(given.replace("_", "-")):
        return link.name == "call" and given.isalpha() and len(given) >= 6
    return len(given) >= 3


def _span(text: str, value: Value, keyword: Keyword, joined: str) -> Span:
    """The value's span; a bare one inside JSON gets the quotes of its key."""
    start, end = value.start, value.end
    if end - start >= _JUDGED - 8 and not value.quote:
        end = _end_of(r"[^\s\"'`\\<>(){}\[\]«»,;|]*", text, end)
    if random(text[start:end], 40) and text[end : end + len(value.quote)] != (value.quote or " "):
        end = max(end, _end_of(_MORE, text, end))
    quote = ""
    if not value.quote:
        closing = compiled(r"(\\{0,3}[\"'])\s{0,24}:\s{0,40}$").match(joined)
        after = text[end : end + 16].lstrip()
        quote = closing[1] if closing and after[:1] in ("", ",", "}", "]") else ""
    return Span(start, end, keyword.name, quote)


def _onward(text: str, span: Span, value: Value, link: Link) -> Span:
    """The span with what is put behind the value: a text in pieces (`"…" + "…"`), the other lines of a block."""
    if link.name == "block":
        return span._replace(end=_end_of(_LINES, text, span.end))
    if not value.quote or len(value.quote) > 1 or text[value.end : value.end + 1] != value.quote:
        return span
    if not mixed(text[value.start : value.end]):
        return span
    while following := compiled(_JOINED).match(text, span.end):
        end = _string_end(text, following.end(), value.quote)
        if text[following.end() - 1] != value.quote or text[end : end + 1] != value.quote or end == following.end():
            break
        span = span._replace(end=end)
    return span


def named(key: str, value: str) -> str:
    """The rule under which this value, in a JSON object under this key, is a secret; nothing if it is none."""
    keyword, sure = judged(key[-96:])
    if (
        keyword
        and "«" not in key
        and value.strip()
        and _taken(value, Value(0, len(value), '"'), sure, LINKS[0], key, ":")
    ):
        return keyword.name
    return ""
