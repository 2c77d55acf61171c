"""Near: whether two failures of one tool and type say nearly the same, and whether one and the same says enough.

Their words are compared, with what varies masked. What decides the fix must agree: that another module is missing is
another failure, in however like words. On the hook's path.
"""

from __future__ import annotations

from engrain import light
from engrain.fingerprint.vocabulary import words
from engrain.fingerprint.wording import wording
from engrain.model import WRAPPER
from engrain.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from engrain.model import Fingerprint, Fix

LEAST_WORDS = 4
"""Of fewer words each one tells too much to let one differ."""

LEAST_SHARED = 0.85
"""Of the words of both, how many must be in each."""


def wording_of(found: Fingerprint) -> str:
    """The words of a failure, with what varies masked."""
    return wording(found.root.message).template


def alike(found: Fingerprint) -> Callable[[str, str], bool]:
    """Whether words, with the deciding names beside them as JSON, are like those of this failure."""
    ours = _words(wording_of(found))
    known: dict[str, bool] = {}

    def like(words: str, parameters: str) -> bool:
        if words not in known:
            theirs = _words(words)
            both = ours | theirs
            known[words] = len(both) >= LEAST_WORDS and len(ours & theirs) >= LEAST_SHARED * len(both)
        return known[words] and bool(light.loads(parameters) == dict(found.parameters))

    return like


def _words(text: str) -> frozenset[str]:
    return frozenset(compiled(r"\w+|<\w+>|[^\w\s]").findall(text.lower()))


_KIN = (("python", "pytest", "unittest"),)
"""Toolchains that say the same in the same words: what is missing for a test is often missing for the program."""

_SAYS_NOTHING = words(
    "AssertionError Error Exception RuntimeError ValueError TypeError OSError SystemExit SystemError TimeoutError",
    "java.lang.RuntimeException java.lang.NullPointerException java.lang.Exception java.lang.AssertionError",
)
"""Types that tell what went wrong by their words alone."""

_ANOTHER = (
    r"(?i)^(?:error: )?(?:the )?(?:process|command|script|job|step|task|build|recipe|subprocess|child)\b.{0,200}"
    r"\b(?:failed|exited|completed|terminated|ended)\b.{0,80}(?:code|status):? \d+\.?$"
    r"|^\d+ errors? (?:generated|found)|^found \d+ errors?\b|^subprocess-exited-with-error$"
)

_DEATHS = frozenset(("signal", "time"))
_KILLED = frozenset(("Killed", "Terminated", "killed", "exit status"))


def kin(toolchain: str) -> tuple[str, ...]:
    """The toolchain, and after it those that speak as it does."""
    others = next((each for each in _KIN if toolchain in each), ())
    return (toolchain, *(each for each in others if each != toolchain))


def vague(found: Fingerprint) -> str:
    """Why a failure with the same key may yet be another one; empty where the key says what went wrong."""
    root = found.root
    if root.rank >= WRAPPER:
        return "it only says that another command failed"
    silent = found.message == root.type and root.type.islower() and not found.parameters
    if silent or root.message == "nothing said" or root.toolchain in _DEATHS or root.type in _KILLED:
        return "it only says how the command ended"
    if compiled(_ANOTHER).search(root.message[:300]):
        return "it only says that another command failed"
    if not found.parameters and root.type in _SAYS_NOTHING and not wording(root.message).template:
        return "it does not say what went wrong"
    return ""


def elsewhere_named(fix: Fix, found: Fingerprint, command: str) -> str:
    """What the steps name of the failure that they were taught against, where this failure is about something else."""
    if found.message == fix.failure:
        return ""
    here = f"{found.message}\n{command}\n{' '.join(found.parameters.values())}"
    for _, value in wording(fix.failure).masked:
        for name in _spoken(value):
            if len(name) >= LEAST_NAME and name not in here and any(_names(step, name) for step in fix.steps):
                return name
    return ""


LEAST_NAME = 3
"""Letters or digits of a name: shorter ones stand everywhere by chance."""


def _spoken(value: str) -> tuple[str, ...]:
    """A value as steps may speak of it: whole, by the last part of a path, by the port of a host."""
    bare = value.strip("'\"`")
    place = compiled(r"(?::\d+)+$").sub("", bare).rstrip("/").replace("\\", "/")
    return tuple(dict.fromkeys((bare, place.rpartition("/")[2], bare.rpartition(":")[2])))


def _names(step: str, name: str) -> bool:
    at = step.find(name)
    before, after = step[at - 1 : at] if at else "", step[at + len(name) : at + len(name) + 1]
    return at >= 0 and not (before.isalnum() or before == "_") and not (after.isalnum() or after == "_")
