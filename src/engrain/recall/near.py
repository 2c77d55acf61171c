"""Near: whether two failures of one tool and type say nearly the same.

Their words are compared, with what varies masked. What decides the fix must agree: that another module is missing is
another failure, in however like words. On the hook's path.
"""

from __future__ import annotations

from engrain import light
from engrain.fingerprint.wording import wording
from engrain.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from engrain.model import Fingerprint

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
