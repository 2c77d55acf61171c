"""Text in, the same text without secrets out: `password=hunter2` becomes `password=«redacted:password»`.

    rule          what a rule and a finding are
    likely        could this value be a secret? (placeholder, word, path, code, random)
    providers     keys with a published shape, a row for each
    structure     JWTs, headers, cookies, addresses, webhooks, seeds, hashes
    announced     what its line or address announces
    keys          private keys, whole or cut short
    names         how much a name promises
    assignment    values that a name makes secret, in any syntax
    beside        values that their neighbourhood gives away
    beneath       what colours or base64 hide
    command       commands and queries that carry a password
    match         from hints to matches
    engine        from matches to marks
    value         the same for a JSON value
    stream        the same for text that arrives in pieces

What comes out keeps its syntax: quotes, braces and line ends stay, valid JSON stays valid JSON. The same secret gets
the same mark throughout a text, another of its kind a number (`«redacted:github-token:2»`). Redacting twice is
redacting once, and text without secrets is returned as the same object.

A mark says what stood there, never what it was. What no rule knows stays: a password in free prose without a telling
word, a secret that was cut into pieces on purpose, one inside a compressed or encrypted blob.

Beside text, this package knows which files should not be read at all:

    sensitive     paths whose content is never stored (`.env`, keys, credentials …)
    ignored       what git ignores: path and size only
    home          user names and home folders in paths
    telling       commands whose answer is made of secrets (`env`, `gh auth token`, `echo $API_KEY`)
    keep          what may be kept of one tool call

On the hook's path: light imports alone, every pattern compiled when it is first needed.
"""

from __future__ import annotations

from engrain.redact.engine import Marks, clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NamedTuple

    class Redacted(NamedTuple):
        """The text without secrets, and how many of each kind there were."""

        text: str
        found: dict[str, int]
else:
    from collections import namedtuple

    Redacted = namedtuple("Redacted", "text found")

__all__ = ["Redacted", "redact", "redact_value", "redacted"]


def redact(text: str) -> str:
    """The text without secrets; the same object when it has none."""
    return clean(text, Marks())


def redacted(text: str) -> Redacted:
    """The text without secrets, with what was found: names of rules and counts, never a value."""
    marks = Marks()
    return Redacted(clean(text, marks), dict(sorted(marks.found.items())))


def redact_value(value: Any) -> Any:
    """A JSON value without secrets: texts, keys, and values that their key makes secret."""
    from engrain.redact.value import clean_value

    return clean_value(value, Marks())
