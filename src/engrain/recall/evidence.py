"""Evidence: whether what was mined may be shown, and what is kept for this project alone.

A mined remedy came before a success, which may be chance. So it is shown where it helped in enough of the project's own
sessions with such a failure: one with the same fingerprint, family, command or file. What is known of other projects
alone must have helped in two of them. On the hook's path, and only asked where something mined is about to be shown.
"""

from __future__ import annotations

from engrain import light
from engrain.learn.akin import fits, made
from engrain.learn.broken import KEY as ANY_BROKEN
from engrain.learn.commands import key
from engrain.learn.here import BOTH, COMMAND, EVERYWHERE, FILE, KIND, keys_of, kind_of
from engrain.learn.recipe import unpacked
from engrain.learn.retyped import is_rule
from engrain.learn.steps import unsafe
from engrain.model import EXACT, GENERALISED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engrain.model import Fingerprint
    from engrain.recall.answer import Asked, Candidate, Look, Row

NEEDED = {
    "fingerprint": (1, 0.2),
    "family": (2, 0.2),
    BOTH: (1, 0.2),
    FILE: (2, 0.3),
    KIND: (3, 0.3),
    COMMAND: (3, 0.3),
    "named": (2, 0.2),
}
"""In how many of the project's sessions a remedy must have helped, and in which share of those with such a failure.
`named`: it names what varies from failure to failure, so it speaks of this one."""

LEAST_PROJECTS = 2
LEAST_BROKEN = 2
"""In how many sessions, of whichever projects, a file that did not parse must have been taken back."""

EDIT, BACK = "edit ", "take back the edit of "

_COUNTED = {BOTH: "fingerprint", KIND: "family"}
"""What is counted of a kind of evidence, where that has another name."""

SAID = {
    BOTH: "the same failure of the same command",
    FILE: "the same command failed here over the same file",
    COMMAND: "the same command failed here before",
    KIND: "the same kind of failure",
}


def local_keys(found: Fingerprint, values: Mapping[str, str], asked: Asked) -> dict[str, str]:
    """The keys under which this project may keep something, each with its kind."""
    command = key(asked.command) if asked.command else ""
    keys: dict[str, str] = {}
    for project in asked.projects:
        keys.update(keys_of(project, found.fingerprint, found.family, found.toolchain, command, values.get("file", "")))
    return keys


def counted(look: Look, found: Fingerprint, local: Mapping[str, str], asked: Asked) -> dict[str, int]:
    """In how many sessions of this project a failure was like this one, by what they share."""
    args = {
        "tenant": asked.tenant,
        "projects": list(asked.projects),
        "fingerprint": found.fingerprint,
        "family": found.family,
        "commands": [each for each, kind in local.items() if kind == COMMAND],
        "files": [each for each, kind in local.items() if kind == FILE],
    }
    return {str(name): int(number) for name, number in look("episodes_like", args)}


def enough(each: Candidate, counts: Mapping[str, int], asked: Asked, *, beside: bool = False) -> str:
    """What speaks for a mined remedy; empty where it is not enough. `beside`: something else is told already."""
    if each.rows[0].key == ANY_BROKEN:
        times = sum(row.mined for row in each.rows)
        return f"helped in {times} sessions" if times >= LEAST_BROKEN else ""
    mine = [row for row in each.rows if row.project in asked.projects]
    projects = len({row.project for row in each.rows} - set(asked.projects))
    if not mine or each.rows[0].key.startswith(EVERYWHERE):
        return f"helped in {projects} other projects" if projects >= LEAST_PROJECTS else ""
    kind = _kind(each.rows[0], each.match)
    if local_edit(each.steps, kind) and not counts.get("family") and not beside:
        return ""
    times = sum(row.mined for row in mine)
    among = max(counts.get(_COUNTED.get(kind, kind), 0), times)
    least, share = NEEDED["named" if kind == COMMAND and "{" in each.rows[0].steps else kind]
    return f"helped in {times} of {among} sessions" if times >= least and times >= share * among else ""


def fitting(look: Look, each: Candidate, values: Mapping[str, str], asked: Asked) -> bool:
    """Whether what was mined may be told of this failure at all: nothing that could harm, nothing that is no news, and
    what makes a thing only where it is like those that were made before."""
    row = each.rows[0]
    changed = any(is_rule(step) for step in unpacked(row.steps))
    if any(unsafe(step) for step in each.steps) and not (changed and unsafe(asked.command)):
        return False
    if any(step[len(EDIT) :] in asked.command.split() for step in each.steps if is_edit(step)):
        return False
    if any(step[len(BACK) :].partition(":")[0] in asked.command for step in each.steps if step.startswith(BACK)):
        # What the command itself has just written was never committed.
        return False
    if not row.wide or not made(unpacked(row.steps), values):
        return True
    args = {"tenant": asked.tenant, "general": row.fix, "toolchain": row.toolchain, "error_type": row.error_type}
    return fits(unpacked(row.steps), values, [light.loads(found[0]) for found in look("values_of_fix", args)])


def local_edit(steps: Sequence[str], kind: str) -> bool:
    """Whether a file is named that was edited after other failures of this command: no news of a kind never seen."""
    return kind in (COMMAND, FILE) and bool(steps) and is_edit(steps[0])


def is_edit(step: str) -> bool:
    """Whether a step that was mined is the change of a file."""
    return step.startswith(EDIT)


def mined_only(each: Candidate) -> bool:
    """Whether nobody taught it and nothing was imported."""
    return not any(row.taught or row.imported for row in each.rows)


def _kind(row: Row, match: str) -> str:
    local = kind_of(row.key)
    if local == KIND:
        return KIND
    return local or ("family" if row.wide or match == GENERALISED else "fingerprint")


__all__ = ["EXACT", "SAID", "counted", "enough", "fitting", "is_edit", "local_keys", "mined_only"]
