"""The output of a failed command → a Fingerprint, with which the same failure is known again anywhere.

What comes in is what an agent sees: stdout and stderr mixed, with colour, prefixes of a CI, progress bars, warnings
before and summaries after. What goes out is the *root* diagnostic and two keys made from one list of parts:

- `fingerprint` keeps what decides the fix: the tool, the kind of error, the words of the message, and the names of what
  is missing (`module=orjson`);
- `family` keeps the tool and the kind of error, so that any missing module is one family.

The way: `read` bounds the size → `clean` takes off what is not the tool's own → `find` looks for a few plain pieces
of text and asks only the parsers whose text occurs → `choose` takes the root → `wording` tells names that decide
from values that vary → `keys` makes the keys. `explain` shows the same parts to a person.

A parser is a module with `find(text)`, which yields diagnostics; most are tables of rows (`rows`). What no parser knows
may still have the shape that tools share (`general`); the rest is a fallback that says so (`known` is false).

It knows nothing of fixes, stores or agents. It reads text alone: no file, no environment, no clock. It does not look
into the middle of an output of more than half a megabyte, and it takes one root where two tools failed independently.

This package is on the hook's path: light imports, patterns compiled when first needed.
"""

from __future__ import annotations

from engrain.fingerprint import choose, keys
from engrain.fingerprint.clean import cleaned
from engrain.fingerprint.find import diagnostics, unknown
from engrain.fingerprint.read import bounded
from engrain.model import WRAPPER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engrain.model import Fingerprint, Part


def fingerprint(
    output: str | bytes,
    command: str = "",
    exit_code: int | None = None,
    cwd: str = "",  # noqa: ARG001 - callers have it at hand; no rule needs it yet
) -> Fingerprint:
    """The fingerprint of a failure. `command` and `exit_code` decide only where the output says nothing."""
    text = cleaned(bounded(output))
    found = diagnostics(text)
    root = choose.root(found) if found else None
    if root is None or root.rank > WRAPPER:
        from engrain.fingerprint.silent import silent

        if guess := silent(text, command, exit_code):
            return keys.keyed(guess, (guess,), known=True)
    if root is None:
        guess = unknown(text, exit_code)
        return keys.keyed(guess, (guess,), known=False)
    return keys.keyed(root, found, known=True)


def explain(of: Fingerprint) -> list[Part]:
    """What contributed to the keys, what was masked, and why."""
    return keys.parts(of)


__all__ = ["fingerprint", "explain"]
