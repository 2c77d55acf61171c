"""Retyped: what was changed in a command until it passed, as a rule that can be told and done again.

    rule(failed, passed)      the one place in which two commands differ: "in the command, `bun` in place of `rtk bun`"
    applied(step, command)    the command with that change; empty where the rule does not fit it
    is_rule(step)             whether a step is such a rule

Only what somebody can type again is a rule: words change, are left out or come before or behind. What differs in how
the outcome is told (a pipe into `tail`, `2>&1`) is no change, nor is another piece of code in quotes, nor an option
that only silences a check. Pure; `applied` is on the hook's path.
"""

from __future__ import annotations

from engrain.patterns import compiled
from engrain.redact.rule import vocabulary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_WORDS, LONGEST = 4, 120

_WORD = r"(?:[^\s\"'\\]|\\.|\"(?:[^\"\\]|\\.)*\"|'[^']*')+"
_TOLD = r"(?:\s*(?:2>&1|[12]?>\s*/dev/null|\|\s*(?:tail|head|cat|grep|less|tee|wc)\b[^|&;]*))+\s*(?=$|&&|;|\|\|)"
_RULE = r"in the command, (?:`([^`]+)` in place of `([^`]+)`|without `([^`]+)`|`([^`]+)` (before it|behind it))"
_BYPASS = vocabulary("-n --force -f --force-with-lease --allow-empty --no-gpg-sign -k -q -rf -fr HUSKY=0")
_SKIPS = (
    r"--(?:no-verify|skip|ignore|no-check|disable|without|quiet|silent|bypass|continue-on|allow-fail|passWithNo)[\w-]*"
    r"(?:=.*)?|-DskipTests\S*"
)
"""Options that only leave out what would have failed."""


def rule(failed: str, passed: str) -> str:
    """The change as a step; empty where there is none, or more than one, or one that nobody should repeat."""
    before, after = (tokens(bare(command).replace("\n", " ; ")) for command in (failed, passed))
    if not before or not after or before == after:
        return ""
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    if not _typed(old) or not _typed(new, first=head == 0 and not old) or _bypasses(new):
        return ""
    if not old and head and tail and before.index(before[head - 1]) == head - 1 and _typed(before[head - 1 : head]):
        # In the midst of a command the word before says where.
        old, new = before[head - 1 : head], [before[head - 1], *new]
    if old and new:
        return f"in the command, `{' '.join(new)}` in place of `{' '.join(old)}`"
    if old:
        return f"in the command, without `{' '.join(old)}`"
    if head == 0:
        return f"in the command, `{' '.join(new)}` before it"
    return f"in the command, `{' '.join(new)}` behind it" if tail == 0 else ""


def is_rule(step: str) -> bool:
    """Whether a step is a change of the command that failed."""
    return compiled(_RULE).fullmatch(step) is not None


def sides(step: str) -> tuple[str, str]:
    """What a rule brings in and what it takes away."""
    found = compiled(_RULE).fullmatch(step)
    return (found[1] or found[4] or "", found[2] or found[3] or "") if found else ("", "")


def come(step: str) -> list[str]:
    """The words that the rule brings in."""
    found = compiled(_RULE).fullmatch(step)
    old = tokens(found[2] or "") if found else []
    return [word for word in tokens(found[1] or found[4] or "") if word not in old] if found else []


def applied(step: str, command: str) -> str:
    """The command with the change of the rule; empty where it does not fit."""
    found = compiled(_RULE).fullmatch(step)
    command = bare(command)
    if not found or not command or "\n" in command:
        return ""
    words = tokens(command)
    if found[4]:
        added = tokens(found[4])
        if _at(words, added) >= 0:
            return ""
        return " ".join([*added, *words] if found[5] == "before it" else [*words, *added])
    old, new = tokens(found[2] or found[3]), tokens(found[1] or "")
    at = _at(words, old)
    if at < 0 or (new and _at(words, new) == at):
        return ""
    return " ".join([*words[:at], *new, *words[at + len(old) :]])


def bare(command: str) -> str:
    """The command without what only says how its outcome is told."""
    return compiled(_TOLD).sub(" ", command).strip()


def tokens(text: str) -> list[str]:
    """The words as they are typed, quotes and all."""
    return list(compiled(_WORD).findall(text))


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    same = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        same += 1
    return same


def _typed(words: Sequence[str], *, first: bool = False) -> bool:
    """Few words, and none of them a text or a piece of code; before a command a `cd` may stand."""
    if first and len(words) == 3 and words[0] == "cd" and words[2] == "&&":
        words = words[:2]
    return len(words) <= MOST_WORDS and all(
        not compiled(r"[&|;<>]+|\d?>&?\d?").fullmatch(word)
        and len(word) <= LONGEST
        and "`" not in word
        and not compiled(r"\s|\$\(|<<").search(word)
        for word in words
    )


def _bypasses(words: Sequence[str]) -> bool:
    return any(word in _BYPASS or compiled(_SKIPS).fullmatch(word) for word in words)


def _at(words: Sequence[str], wanted: Sequence[str]) -> int:
    """Where the wanted words stand in a row; -1 where they don't."""
    size = len(wanted)
    return next((at for at in range(len(words) - size + 1) if list(words[at : at + size]) == list(wanted)), -1)
