"""Words: numbers, times and texts as people read them. Pure; every function is a filter of the templates."""

from __future__ import annotations

import time as clock
from typing import Any

from engrain import event as events
from engrain.recall.told import harmless

MINUTE, HOUR, DAY = 60, 3600, 86_400


def number(value: float) -> str:
    """12,345."""
    return f"{value:,.0f}"


def percent(value: float) -> str:
    """0.873 → 87 %."""
    return f"{100 * value:.0f} %"


def signed(value: float) -> str:
    """A difference of shares, in points."""
    return f"{100 * value:+.0f}".replace("-", "−")


def size(count: float) -> str:
    """Bytes, as 3.4 MB."""
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"


def ago(time: int) -> str:
    """How long ago, in one unit."""
    past = (events.now() - time) / 1e6
    if past < MINUTE:
        return "just now"
    for most, unit, name in ((HOUR, MINUTE, "min"), (2 * DAY, HOUR, "h"), (60 * DAY, DAY, "d")):
        if past < most:
            return f"{past / unit:.0f} {name} ago"
    return f"{past / (30.4 * DAY):.0f} mo ago" if past < 700 * DAY else f"{past / (365 * DAY):.0f} y ago"


def when(time: int) -> str:
    """2026-11-19 09:30, by the clock of the server."""
    return clock.strftime("%Y-%m-%d %H:%M", clock.localtime(time / 1e6))


def day(time: int) -> str:
    """19 Nov."""
    return clock.strftime("%-d %b", clock.localtime(time / 1e6))


def clocked(time: int) -> str:
    """09:30:12."""
    return clock.strftime("%H:%M:%S", clock.localtime(time / 1e6))


def lately(time: int) -> str:
    """09:30:12 of today; of another day 18 Nov 09:30."""
    then, now = (clock.localtime(each / 1e6) for each in (time, events.now()))
    return clock.strftime("%H:%M:%S" if then[:3] == now[:3] else "%-d %b %H:%M", then)


def stamp(time: int) -> str:
    """As machines read it."""
    return events.timestamp(time)


def lasted(microseconds: int) -> str:
    """How long something went on."""
    seconds = microseconds / 1e6
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 2 * HOUR:
        return f"{seconds / MINUTE:.0f} min"
    return f"{seconds / HOUR:.0f} h" if seconds < 2 * DAY else f"{seconds / DAY:.0f} d"


def folded(text: str, width: int = 160) -> str:
    """A text as one line."""
    line = " ".join(harmless(text[: 4 * width]).split())
    return line if len(line) <= width else line[: width - 1] + "…"


def block(text: str, most: int = 4000) -> str:
    """A text on several lines, without what would turn the reading order."""
    lines = "\n".join(harmless(line) for line in text[: most + 1].split("\n"))
    return lines if len(text) <= most else lines[:most] + "\n…"


def failing(of: Any) -> str:
    """What a failure is called: its message, and its kind where that says more than a word of it."""
    message = folded(of.message, 200)
    return message if " " in message else ": ".join(filter(None, (of.error_type, message)))


def plural(count: int, one: str, many: str = "") -> str:
    """1 fix, 2 fixes."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


FILTERS: dict[str, Any] = {
    each.__name__: each
    for each in (
        number,
        percent,
        signed,
        size,
        ago,
        when,
        day,
        clocked,
        lately,
        stamp,
        lasted,
        folded,
        block,
        failing,
        plural,
    )
}
