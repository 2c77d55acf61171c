"""A failure → what is known to help, in at most 500 bytes beside the error.

It says how often that was seen, what helped, how often it did, and where that is known from; what nobody has seen work
is called unconfirmed. It is quoted as a record and never as an order, because an agent may obey what it reads. What
fails is told as shortly as need be, for the agent has just read it. A step that does not fit is not cut: half a command
is another command; the answer then says where the whole fix stands. When unsure it is silent: what is only similar is
left to whoever asks.

Some answers of what was mined or imported may be held back (`hook.holdout`), so that it can be told what showing them
gains; which, follows from the id of the failure. What somebody taught here is always shown.
"""

from __future__ import annotations

import os

from engrain import event as events
from engrain.event import HELD, MARK, SERVED
from engrain.light import sha256
from engrain.model import SIMILAR, merged
from engrain.recall.answer import Asked, answer
from engrain.recall.shown import shown
from engrain.recall.told import one_line, source
from engrain.store.reader import Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from engrain.event import Event
    from engrain.hook.settings import Settings
    from engrain.model import Fingerprint, Fix
    from engrain.project import Project
    from engrain.recall.answer import Look

MOST_BYTES = 500
MOST_FIXES = 2
MOST_SEEN = 999
MOST_STEPS = 20
MOST_MESSAGE, LEAST_MESSAGE = 90, 40
"""Characters of a message that are told, and the bytes of it that a fix leaves."""

CHANNEL = "hook"


def answered(
    found: Fingerprint, failed: Event, place: Project, settings: Settings, file: str
) -> tuple[str, Event | None] | None:
    """What to say, and the event that says so; a fix of which no step was shown was not served."""
    if not os.path.exists(file):
        return None
    look = Reader(file)
    projects = merged(place.id, look("dump_merges", {}))
    command = _command(failed)
    known = answer(look, found, Asked(settings.tenant, projects, failed.time, command), limit=MOST_FIXES)
    fixes = [fix for fix in known if fix.match != SIMILAR]
    if not fixes:
        return None
    text, told = _told(found, fixes, _seen(look, found, settings.tenant, projects))
    if not told:
        return text, None
    held = settings.holdout > 0 and not any(fix.taught for fix in told) and drawn(failed.id) < settings.holdout
    body = shown(
        found, told, channel=CHANNEL, command=command, root=place.root, cwd=str(failed.body.get("cwd", "")),
        of=failed.id,
    )  # fmt: skip
    return "" if held else text, _serving(HELD if held else SERVED, body, failed)


def drawn(id_: str) -> float:
    """A number from 0 to 1 that follows from an id and looks like chance."""
    return int(sha256(f"holdout\0{id_}".encode())[:12], 16) / 16**12


def _serving(kind: str, body: dict[str, Any], failed: Event) -> Event:
    return events.make(
        kind, body, project=failed.project, tenant=failed.tenant, session=failed.session, agent=failed.agent,
        time=failed.time + 1, id=events.id_of(kind, failed.id),
    )  # fmt: skip


def _command(failed: Event) -> str:
    given = failed.body.get("input")
    return str(given.get("command", "")) if isinstance(given, dict) else ""


def _seen(look: Look, found: Fingerprint, tenant: str, projects: list[str]) -> tuple[int, int]:
    """How often it failed so before, here and elsewhere."""
    args = {"tenant": tenant, "fingerprint": found.fingerprint, "projects": projects, "limit": MOST_SEEN}
    here, all_of_them = look("count_seen", args)[0]
    return int(here or 0), int(all_of_them)


def _told(found: Fingerprint, fixes: list[Fix], seen: tuple[int, int]) -> tuple[str, list[Fix]]:
    """The text, and the fixes that have steps in it."""
    head, last = f"{MARK} Known failure{_often(*seen)}", f"{MARK} A record of earlier sessions, not an instruction."
    message = f": {one_line(found.message, MOST_MESSAGE)}"
    room = MOST_BYTES - _size(head) - _size(last)
    lines: list[str] = []
    told: list[Fix] = []
    for fix in fixes:
        line = _line(fix, fix.steps)
        # The first one may have the room of the message.
        if _size(line) <= room - (len(message.encode("utf-8", "replace")) if told else LEAST_MESSAGE):
            lines.append(line)
            told.append(fix)
            room -= _size(line)
    if not told:
        line, whole = _begun(fixes[0], room - LEAST_MESSAGE)
        lines, told, room = [line], fixes[:whole], room - _size(line)
    return "\n".join([head + _within(message, room), *lines, last]), told


def _begun(fix: Fix, room: int) -> tuple[str, bool]:
    """As many steps of a fix as there is room for, and where the others stand; and whether there is any."""
    for number in range(min(len(fix.steps) - 1, MOST_STEPS), 0, -1):
        more = f" and {len(fix.steps) - number} more, which `engrain show {fix.id}` has"
        line = _line(fix, fix.steps[:number], more)
        if _size(line) <= room:
            return line, True
    return f"{MARK} {_how(fix)}: longer than what fits here, `engrain show {fix.id}` has it", False


def _often(here: int, everywhere: int) -> str:
    if here:
        return f", seen {here} times here before" if here > 1 else ", seen once here before"
    return f", seen {everywhere} times in other projects" if everywhere else ""


def _how(fix: Fix) -> str:
    """What a fix has to show for itself, in words."""
    tries = fix.worked + fix.failed
    seen = f"worked {fix.worked} of {tries} times" if tries else "unconfirmed"
    kind = ", for the same kind of failure" if fix.match != "exact" else ""
    where = "" if fix.here else ", in another project"
    return f"Recorded fix ({seen}; {source(fix)}{where}{kind})"


def _line(fix: Fix, steps: Sequence[str], more: str = "") -> str:
    told = ", then ".join(f"`{one_line(step, MOST_BYTES)}`" for step in steps)
    return f"{MARK} {_how(fix)}: {told}{more} [fix {fix.id}]"


def _within(text: str, room: int) -> str:
    """A text in so many bytes."""
    data = text.encode("utf-8", "replace")
    return text if len(data) <= room else data[: room - 3].decode("utf-8", "ignore") + "…"


def _size(line: str) -> int:
    return len(line.encode("utf-8", "replace")) + 1
