"""Scala 3's boxed diagnostics: a header with code, kind and place, the source, and the words behind a bar."""

from __future__ import annotations

from engrain.fingerprint.rows import pattern_of
from engrain.model import ROOT, WARNING, diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from engrain.model import Diagnostic

_HEADER = (
    r"(?m)^(?:\[(?:error|warn)\] )?--? *(?:\[(?P<code>E\d{3})?\] *)?(?P<kind>(?:[A-Z][\w ]*? )?(?:Error"
    r"|Warning)): (?P<file>\S+?):\d+:\d+ -*$"
)
_BAR = r"^(?:\[(?:error|warn)\] )? *\d* *\|(?P<text>.*)$"


def find(text: str, _words: Set[str]) -> Iterator[Diagnostic]:
    """Diagnostics of Scala 3."""
    for match in pattern_of(_HEADER).finditer(text):
        message = _said(text[match.end() + 1 : match.end() + 3000])
        code = match["code"] or ""
        rank = WARNING if match["kind"].endswith("Warning") else ROOT
        yield diagnostic(
            "scala3",
            code or match["kind"],
            message,
            file=match["file"],
            rank=rank,
            at=match.start(),
            settled=bool(code),
        )


def _said(box: str) -> str:
    """What stands behind the bar after the line of carets, to the first empty bar."""
    words: list[str] = []
    pointed = False
    for line in box.split("\n"):
        found = pattern_of(_BAR).match(line)
        if not found:
            break
        said = found["text"].strip()
        if not pointed:
            pointed = bool(said) and not said.strip("^-| ") and "^" in said
        elif not said or said.startswith("---"):
            if words:
                break
        elif not pattern_of(r"^(?:\[\w+\] )? *\d+ *\|").match(line):
            words.append(said)
    return " ".join(words)
