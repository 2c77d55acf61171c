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

MOST_WORDS, LONGEST, MOST_BEFORE = 4, 120, 3

FOR_ITS_LINE = vocabulary("cd source . export unset ulimit nvm fnm conda mamba pyenv rbenv sdk module workon")
"""Commands that change the shell in which they run, and nothing else."""

_WORD = r"(?:[^\s\"'\\]|\\.|\"(?:[^\"\\]|\\.)*\"|'[^']*')+"
_TOLD = r"(?:\s*(?:2>&1|[12]?>\s*/dev/null|\|\s*(?:tail|head|cat|grep|less|tee|wc)\b[^|&;]*))+\s*(?=$|&&|;|\|\|)"
_RULE = r"in the command, (?:`([^`]+)` in place of `([^`]+)`|without `([^`]+)`|`([^`]+)` (before it|behind it))"
_BYPASS = vocabulary(
    "-n --force -f --force-with-lease --allow-empty --no-gpg-sign -k -q -rf -fr -x -fn -short -skip --short --exit-zero"
)
_SKIPS = (
    r"--(?:no-verify|skip|ignore|no-check|disable|without|quiet|silent|bypass|continue-on|allow-fail|passWithNo|deselect"
    r"|exclude|fail-never|pass-with-no)[\w-]*(?:=.*)?|-D[\w.]*(?:skip|failure\.ignore)\S*|-skip=.*"
    r"|(?:SKIP|HUSKY\w*|\w*SKIP_(?:TESTS?|HOOKS?|CHECKS?|LINT\w*|VERIF\w*))=.*|core\.hooksPath=.*"
)
"""Options that only leave out what would have failed."""

_TELLS = r"-v{1,3}|-s|--verbose|--tb=\S+|--colou?r\S*|--no-header|-r[A-Za-z]"
"""Options that only tell more, or less."""


def rule(failed: str, passed: str) -> str:
    """The change as a step; empty where there is none, or more than one, or one that nobody should repeat."""
    before, after = (tokens(bare(command).replace("\n", " ; ")) for command in (failed, passed))
    if not before or not after or before == after:
        return ""
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    if not (_words(old, new, head) and _words(new, old, head)) or _bypasses(new):
        return ""
    if not old and head and tail and before.index(before[head - 1]) == head - 1 and _typed(before[head - 1 : head]):
        # In the midst of a command the word before says where.
        old, new = before[head - 1 : head], [before[head - 1], *new]
    if old and new:
        old, new = _without_value(old, new)
        return f"in the command, `{' '.join(new)}` in place of `{' '.join(old)}`"
    if old:
        return f"in the command, without `{' '.join(old)}`"
    if head == 0:
        return f"in the command, `{' '.join(new)}` before it"
    return f"in the command, `{' '.join(new)}` behind it" if tail == 0 else ""


def _without_value(old: list[str], new: list[str]) -> tuple[list[str], list[str]]:
    """An option that has another name now has it whatever its value."""
    before, after = (side[0].partition("=") if len(side) == 1 else ("", "", "") for side in (old, new))
    same = before[1] and before[2] == after[2] and before[0][:1] == after[0][:1] == "-"
    return ([before[0]], [after[0]]) if same else (old, new)


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
    if at < 0 and len(old) == len(new) == 1 and old[0][:1] == "-":
        valued = next((word for word in words if word.startswith(f"{old[0]}=")), "")
        at, old, new = (words.index(valued), [valued], [new[0] + valued[len(old[0]) :]]) if valued else (-1, old, new)
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


def _words(side: Sequence[str], other: Sequence[str], head: int) -> bool:
    """Whether a side of a change can be told: words, or all that stood before the command for its line."""
    return _typed(side) or (head == 0 and not other and _for_its_line(side))


def _for_its_line(words: Sequence[str]) -> bool:
    """Whether these stand before a command and hold for its line: `cd web &&`, `export MODE=dev &&`."""
    lines = " ".join(words).split(" &&")
    if lines.pop() or not 0 < len(lines) <= MOST_BEFORE:
        return False
    said = [line.split() for line in lines]
    return all(len(each) > 1 and each[0] in FOR_ITS_LINE and _typed(each) for each in said)


def _typed(words: Sequence[str]) -> bool:
    """Few words, and none of them a text or a piece of code."""
    return len(words) <= MOST_WORDS and all(
        not compiled(r"[&|;<>]+|\d?>&?\d?").fullmatch(word)
        and len(word) <= LONGEST
        and "`" not in word
        and not compiled(r"\s|[$<>]\(|<<").search(word)
        for word in words
    )


def _bypasses(words: Sequence[str]) -> bool:
    if words and all(compiled(_TELLS).fullmatch(word) for word in words):
        return True
    return any(word in _BYPASS or compiled(_SKIPS).fullmatch(word) for word in words)


def _at(words: Sequence[str], wanted: Sequence[str]) -> int:
    """Where the wanted words stand in a row; -1 where they don't."""
    size = len(wanted)
    return next((at for at in range(len(words) - size + 1) if list(words[at : at + size]) == list(wanted)), -1)
