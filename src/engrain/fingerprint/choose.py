"""Many diagnostics → the root.

Tools wrap tools, and each repeats in its own words that something failed. The best rank wins; among equals the tool
that spoke first, because it ran first. Within one tool the order may hang on threads, so it is not trusted: each file's
first diagnostic is a candidate, the kind that most files share is taken, and a tie goes to the smallest in the
alphabet.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engrain.model import Diagnostic

MOST_CANDIDATES = 200


def root(found: Sequence[Diagnostic]) -> Diagnostic:
    """The diagnostic that the others follow from."""
    if len(found) == 1:
        return found[0]
    best = min([each.rank for each in found])
    ranked = [each for each in found if each.rank == best]
    first = min(ranked, key=lambda each: each.at)
    same_tool = [each for each in ranked if each.toolchain == first.toolchain]
    candidates = _first_of_each_file(same_tool)
    if len(candidates) == 1:
        return candidates[0]
    worded = [(each.type, *_stable(each)) for each in candidates]
    counts: dict[tuple[str, str], int] = {}
    for kind, template, _ in worded:
        counts[kind, template] = counts.get((kind, template), 0) + 1
    best_of = min(worded, key=lambda each: (-counts[each[0], each[1]], each))
    return candidates[worded.index(best_of)]


def _first_of_each_file(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    first: dict[str, Diagnostic] = {}
    for each in sorted(found, key=lambda each: each.at):
        first.setdefault(each.file, each)
    return list(first.values())[:MOST_CANDIDATES]


def _stable(each: Diagnostic) -> tuple[str, tuple[tuple[str, str], ...]]:
    """An order in which paths and numbers have no say."""
    from engrain.fingerprint.wording import wording

    words = wording(each.message)
    return words.template, each.decides + words.decides
