"""One list of parts → two keys and their explanation, so that a key can't say one thing and its explanation another."""

from __future__ import annotations

try:
    from _blake2 import blake2b
except ImportError:  # a Python built without it; hashlib is three times as slow to import
    from hashlib import blake2b

from engrain.fingerprint import varying
from engrain.fingerprint.wording import wording
from engrain.model import OUTER, Fingerprint, Part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engrain.model import Diagnostic

VERSION = 1
"""Of the algorithm. A key of another version never equals one of this, so a change of the rules raises it."""

_RULED = " ━─═"
"""What tools draw to the edge of the screen behind a heading; nobody wants to read it again."""

BOTH, ONE, FAMILY, NEITHER = "both", "fingerprint", "family", "neither"


def keyed(root: Diagnostic, found: Sequence[Diagnostic], *, known: bool) -> Fingerprint:
    """The fingerprint of a failure whose root is known."""
    words = wording(root.message)
    decides = root.decides
    if words.decides:
        decides += tuple(pair for pair in words.decides if pair not in decides)
    shape = "" if root.settled else words.shape
    return Fingerprint(
        _key(root.toolchain, root.type, words.template, *[f"{name}={value}" for name, value in decides]),
        _key(root.toolchain, root.type, shape),
        root.toolchain,
        root.type,
        (root.shown or root.message or root.type).rstrip(_RULED),
        dict(decides),
        _through(root, found) if len(found) > 1 else "",
        root,
        tuple(dict.fromkeys(found)) if len(found) > 1 else tuple(found),
        known,
    )


def _through(root: Diagnostic, found: Sequence[Diagnostic]) -> str:
    return " < ".join(dict.fromkeys(each.type for each in found if each.rank == OUTER and each.type != root.type))


def parts(of: Fingerprint) -> list[Part]:
    """What contributed to the keys, what was masked, and why."""
    root, words = of.root, wording(of.root.message)
    decides = root.decides + tuple(pair for pair in words.decides if pair not in root.decides)
    found = [
        Part("toolchain", root.toolchain, BOTH, "families never cross toolchains"),
        Part("type", root.type, BOTH, "the kind of error"),
    ]
    if words.template:
        same = not root.settled and words.template == words.shape
        found.append(Part("wording", words.template, BOTH if same else ONE, "the tool's own words"))
        if not root.settled and not same:
            found.append(Part("shape", words.shape, FAMILY, "the words without those of the language"))
    found += [Part(name, value, ONE, "decides the fix") for name, value in decides]
    values = {value for _, value in decides}
    found += [
        Part(kind, text, NEITHER, varying.WHY.get(kind, "what is there does not decide the fix"))
        for kind, text in words.masked
        if text not in values
    ]
    return found


_DIGEST = blake2b(digest_size=10)


def _key(*parts: str) -> str:
    digest = _DIGEST.copy()
    digest.update("\0".join(parts).encode("utf-8", "replace"))
    return f"{VERSION}:{digest.hexdigest()}"
