"""tsc in its plain and its pretty form, and what speaks in its words (ts-node, vue-tsc, svelte-check, Deno)."""

from __future__ import annotations

from engrain.fingerprint.rows import row, scan, table
from engrain.model import SECOND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from engrain.model import Diagnostic

_FILE = r"^\s*(?:\S*ERROR\S* (?:in )?)?(?P<file>[^\s(][^(\n]{0,300}?\.(?:[cm]?[jt]sx?|json|vue|svelte|astro))"

ROWS = table(
    row("tsc", "error TS", _FILE + r"(?:\(\d+,\d+\)|:\d+:\d+)(?::| -) error (?P<code>TS\d{3,5}): (?P<message>.*)"),
    row("tsc", "error TS", r"error (?P<code>TS\d{3,5}): (?P<message>.*)"),
    row("tsc", "): error", _FILE + r"\(\d+,\d+\): error ?:? ?:? (?P<message>.*)"),
    row("tsc", " - error", _FILE + r":\d+:\d+ - error ?:? ?:? (?P<message>.*)"),
    row("tsc", "TS", r"^\s*(?:\x1b\[\S*)?(?P<code>TS\d{4,5})(?: \[ERROR\])?: (?P<message>.*)"),
    row("tsc", "Found ", r"^Found \d+ errors? in .*", "errors", SECOND, says=""),
    row(
        "tsc", "This is not the tsc command", r"(?P<message>This is not the tsc command you are looking for)", "no tsc"
    ),
)


def find(text: str, words: Set[str]) -> Iterator[Diagnostic]:
    """Diagnostics of the TypeScript compiler."""
    for each in scan(ROWS, text, words):
        # Which properties a value lacks is the type's; that it lacks some is the error.
        listed = each.type in ("TS2739", "TS2740")
        yield each._replace(message=each.message.rpartition(": ")[0], shown=each.message) if listed else each
