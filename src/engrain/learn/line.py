"""A line of shell → its simple commands: words, what is fed to them, and the operator behind each.

A small scanner, not a shell: it knows quotes, substitutions, comments, redirections and here-documents, and nothing
of what a variable holds. It reads any text once, from left to right; what is left open (a quote, a bracket) takes the
rest of the text, as one quoted word; a lone `'` is a letter. Quotes that change nothing are taken off, so that
`"a.py"` and `a.py` are one word.

Of redirections those stay that decide what is done: input, and where a program that only says things (`echo`) writes
to. Of a here-document its digest stays, in place of its text.

On the hook's path.
"""

from __future__ import annotations

from collections import namedtuple

from engrain.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    class Simple(NamedTuple):
        """`words` as written; `fed` are the redirections of its input, `to` those of its output into files; `after` is
        the operator behind it; `room` are the brackets around it, by number."""

        words: list[str]
        fed: list[str]
        to: list[str]
        after: str
        room: tuple[int, ...]
else:
    Simple = namedtuple("Simple", "words fed to after room")

MOST = 65_536
"""Characters that are read of a line; whoever writes more has written a file."""

MOST_COMMANDS = 500

_DEEPEST = 50
"""Levels of quotes in substitutions in quotes; what lies deeper counts as left open."""

_WORD, _BLANK, _OPERATOR, _REDIRECTION = 1, 2, 3, 4
_NEXT = (
    r"([^\s;&|<>()\"'`\\$#]++(?=[\s;&|)]|\Z))"
    r"|((?:[^\S\n]|\\\r?\n)+)"
    r"|(&&|\|\||\|&?|;;?|&(?!>)|[()\n])"
    r"|(\d*(?:<<<|<<-?|<>|<&|<(?!\()|>>|>\||>&|>(?!\())|&>>?)"
)
_PLAIN_PIECE = r"[^\s;&|<>()\"'`\\$]+"
_BARE = r"[\w./@:+,%-]+"
_QUOTE_ENDS = r"[\"\\$`]"
_INSIDE = r"[()\"'\\`\n]|(?<!<)<<(?!<)-?[^\S\n]*(?:\\?(\w+)|'([^'\n]+)'|\"([^\"\n]+)\")"
_OPERATORS = {"&&": "&&", "||": "||", "|": "|", "|&": "|", "&": "&"}


def simple_commands(text: str) -> tuple[list[Simple], bool]:
    """The simple commands of a line, and whether all that was opened in it was closed."""
    scan = _Scan(text[:MOST])
    scan.read()
    return scan.found, scan.whole


def unquoted(word: str) -> str:
    """What the shell makes of a word in quotes, as far as it needs no variable for it."""
    if len(word) > 1 and word[0] == word[-1] == "'":
        return word[1:-1]
    if len(word) > 1 and word[0] == word[-1] == '"':
        return compiled(r"\\([\"\\$`])").sub(lambda found: found[1], word[1:-1])
    return word


class _Scan:
    """One reading of one text."""

    __slots__ = ("_bodies", "_fed", "_opened", "_room", "_target", "_text", "_to", "_words", "found", "whole")

    def __init__(self, text: str) -> None:
        self._text = text
        self.found: list[Simple] = []
        self.whole = True
        self._words: list[str] = []
        self._fed: list[str] = []
        self._to: list[str] = []
        self._opened = 0
        self._room: tuple[int, ...] = ()
        self._target = ""
        """The redirection whose file is the next word."""
        self._bodies: list[tuple[list[str], int, str]] = []
        """Here-documents that begin behind the end of this line: where their digest goes, and what ends them."""

    def read(self) -> None:
        text, at, end = self._text, 0, len(self._text)
        match = compiled(_NEXT).match
        while at < end and len(self.found) < MOST_COMMANDS:
            token = match(text, at)
            if token is None:
                at = self._odd(at)
                continue
            at = token.end()
            kind = token.lastindex
            if kind == _WORD:
                self._take(token[0])
            elif kind == _OPERATOR:
                self._end(token[0])
                if token[0] == "\n" and self._bodies:
                    at = self._skip_bodies(at)
            elif kind == _REDIRECTION:
                self._target = token[0]
        self._end("")
        self._skip_bodies(end)

    def _odd(self, at: int) -> int:
        """A comment, or a word with a quote, an escape or a substitution in it."""
        if self._text[at] == "#":
            end = self._text.find("\n", at)
            return end if end >= 0 else len(self._text)
        word, at, whole = _word(self._text, at)
        self.whole = self.whole and whole
        if word:
            self._take(word)
        return at

    def _take(self, word: str) -> None:
        kind, self._target = self._target, ""
        if not kind:
            self._words.append(word)
        elif kind.lstrip("0123456789") in ("<<", "<<-"):
            self._bodies.append((self._fed, len(self._fed) + 1, unquoted(word)))
            self._fed += ("<<<", "")
        elif kind.lstrip("0123456789") in ("<", "<>", "<<<"):
            self._fed += (kind.lstrip("0123456789"), word)
        elif kind in (">", ">>", ">|", "1>", "1>>", "&>", "&>>") and not word.startswith("/dev/"):
            self._to += (">>" if ">>" in kind else ">", word)

    def _end(self, operator: str) -> None:
        self._target = ""
        if self._words:
            after = _OPERATORS.get(operator, ";" if operator else "")
            self.found.append(Simple(self._words, self._fed, self._to, after, self._room))
            self._words, self._fed, self._to = [], [], []
        elif operator in _OPERATORS and self.found and self.found[-1].after == ";":
            self.found[-1] = self.found[-1]._replace(after=_OPERATORS[operator])
        if operator == "(" and len(self._room) < _DEEPEST:
            self._opened += 1
            self._room = (*self._room, self._opened)
        elif operator == ")":
            self._room = self._room[:-1]

    def _skip_bodies(self, at: int) -> int:
        for fed, place, delimiter in self._bodies:
            start = at
            at, stop = _body_end(self._text, at, delimiter)
            fed[place] = _digest(self._text[start:stop])
        self._bodies = []
        return at


def _digest(body: str) -> str:
    from binascii import crc32

    return f"heredoc:{crc32(body.encode('utf-8', 'surrogatepass')):08x}"


def _body_end(text: str, at: int, delimiter: str) -> tuple[int, int]:
    """Where the line behind a here-document begins, and where its body ends."""
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        if text[at:end].strip() == delimiter:
            return min(end + 1, len(text)), at
        at = end + 1
    return len(text), len(text)


def _word(text: str, at: int) -> tuple[str, int, bool]:
    """The word that begins here, where it ends, and whether all its quotes do."""
    pieces: list[str] = []
    raw = False
    while at < len(text):
        literal = compiled(_PLAIN_PIECE).match(text, at)
        if literal:
            pieces.append(literal[0])
            at = literal.end()
            continue
        end = _piece_end(text, at)
        if end == at:
            break
        if end < 0:
            pieces.append("'" + text[at:].replace("'", "’") + "'")
            return "".join(pieces if raw else map(_eased, pieces)), len(text), False
        piece, at = text[at:end], end
        piece = "\\'" if piece == "'" else piece
        if piece in ("\\\n", "\\\r\n"):
            continue
        raw = raw or piece[0] in "$`\\<>"
        pieces.append(piece)
    return "".join(pieces if raw else map(_eased, pieces)), at, True


def _piece_end(text: str, at: int) -> int:
    """Where a quote, an escape or a substitution ends; `at` where none begins, -1 where it never ends."""
    char, after = text[at], text[at + 1 : at + 2]
    if char == "'":
        end = text.find("'", at + 1)
        return end + 1 if end >= 0 else at + 1
    if char == '"':
        return _double_end(text, at + 1, 0)
    if char == "\\":
        return min(at + (3 if text.startswith("\r\n", at + 1) else 2), len(text))
    if char == "`":
        return text.find("`", at + 1) + 1 or -1
    if char == "$" and after == "{":
        return text.find("}", at) + 1 or -1
    if char in "$<>" and after == "(":
        return _inside_end(text, at + 2, 0)
    return at + 1 if char == "$" else at


def _eased(piece: str) -> str:
    """A quoted piece without quotes that change nothing, or with the plainer ones."""
    if piece[0] not in "\"'" or len(piece) < 2:
        return piece
    inner = piece[1:-1]
    if compiled(_BARE).fullmatch(inner):
        return inner
    return f"'{inner}'" if inner and not compiled(r"[$`\\\"'!]").search(inner) else piece


def _double_end(text: str, at: int, depth: int) -> int:
    """Where the double quote that was opened before `at` ends, or -1."""
    search = compiled(_QUOTE_ENDS).search
    while found := search(text, at):
        at = found.end()
        if found[0] == '"':
            return at
        if found[0] == "\\":
            at += 1
        elif found[0] == "`":
            at = text.find("`", at) + 1
        elif text.startswith("(", at):
            at = _inside_end(text, at + 1, depth + 1)
        if at <= 0:
            return -1
    return -1


def _inside_end(text: str, at: int, depth: int) -> int:
    """Where the substitution that was opened before `at` ends, or -1."""
    if depth > _DEEPEST:
        return -1
    search = compiled(_INSIDE).search
    brackets, bodies = 1, []
    while brackets and (found := search(text, at)):
        at, sign = found.end(), found[0]
        if sign in "()":
            brackets += 1 if sign == "(" else -1
        elif sign[0] == "<":
            bodies.append(found[found.lastindex or 0])
        elif sign == "\n":
            for delimiter in bodies:
                at, _ = _body_end(text, at, delimiter)
            bodies = []
        else:
            at = at + 1 if sign == "\\" else _double_end(text, at, depth) if sign == '"' else text.find(sign, at) + 1
            if at <= 0:
                return -1
    return at if not brackets else -1
