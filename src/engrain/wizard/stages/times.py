"""Times for people."""

from __future__ import annotations


def lasted(seconds: float) -> str:
    """Seconds in the words of a clock."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"
