"""How the rows of providers are written, and the last looks that they take at a match."""

from __future__ import annotations

from engrain.redact.likely import random, switches
from engrain.redact.rule import Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match


def varied(match: Match[str]) -> bool:
    """Not `ghp_xxxx…`: the key itself has several different characters."""
    return len(set(match[0][-24:])) >= 4


def drawn(match: Match[str]) -> bool:
    """Looks random: for prefixes that words have too (`sk-` of style sheets)."""
    return random(match[0][match.re.groups and 0 :].split("-", 1)[-1].split("_", 1)[-1], 12)


def tangled(match: Match[str]) -> bool:
    """Changes its kind of character often, as base64 does and names do not."""
    return switches(match[0]) >= 5


END = r"(?![A-Za-z0-9])"
HEX32 = r"[0-9a-fA-F]{32}"
UUID = r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"


def key(name: str, prefixes: str, body: str, what: str) -> Rule:
    """A key that begins with one of these prefixes and goes on with `body`; a telling prefix may stand in a word."""
    hints = tuple(prefixes.split())
    starts = "|".join(hint.replace(".", r"\.").replace("$", r"\$") for hint in hints)
    telling = all(len(hint) > 3 and (len(hint) > 9 or not hint.isalnum()) for hint in hints)
    return Rule(name, hints, f"(?:{starts}){body}", what, varied, 0, not telling)
