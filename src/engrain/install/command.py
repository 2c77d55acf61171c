"""The one line of shell that a settings file has: the same on any machine and of any version.

It runs the launcher in Engrain's home if there is one, and is otherwise silent; a settings file that a team shares
works for those with and without Engrain. It ends with 0 whatever happens, even where the launcher's interpreter is
gone.
"""

from __future__ import annotations

PLACE = "${ENGRAIN_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/engrain}/bin/hook"


def command(event: str) -> str:
    """What the entry of an event runs."""
    return f'h="{PLACE}";[ -x "$h" ]&&"$h" {event} 2>/dev/null;exit 0'


def ours(text: object) -> bool:
    """Whether a command of a settings file is one of ours, of whatever version."""
    return isinstance(text, str) and "ENGRAIN_HOME" in text and "/bin/hook" in text
