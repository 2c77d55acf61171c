"""The one line of shell that a settings file has: the same on any machine and of any version.

It runs the launcher in Engrain's home if there is one, and is otherwise silent; a settings file that a team shares
works for those with and without Engrain. It ends with 0 whatever happens, even where the launcher's interpreter is
gone. Agents run it in different ways:

    posix    by sh; the line itself
    any      by whatever shell its user has, fish for one (Codex): that one hands it to sh
    plain    Gemini CLI puts in variables before the shell sees them, and takes `${A:-b}` apart where braces nest
"""

from __future__ import annotations

PLACE = "${ENGRAIN_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/engrain}/bin/hook"
_PLAIN = (
    '_e="$ENGRAIN_HOME";[ "$_e" ]||{ _e="$XDG_DATA_HOME";[ "$_e" ]||_e="$HOME/.local/share";_e="$_e/engrain";};'
    '[ -x "$_e/bin/hook" ]&&"$_e/bin/hook"'
)
POSIX, ANY, PLAIN = "posix", "any", "plain"


def command(event: str, agent: str = "", shell: str = POSIX) -> str:
    """What the entry of an event runs; without an agent it is Claude Code's."""
    words = f"{event} {agent}".rstrip()
    if shell == PLAIN:
        return f"{_PLAIN} {words} 2>/dev/null;exit 0"
    line = f'h="{PLACE}";[ -x "$h" ]&&"$h" {words} 2>/dev/null;exit 0'
    return f"exec sh -c '{line}'" if shell == ANY else line


def ours(text: object) -> bool:
    """Whether a command of a settings file is one of ours, of whatever version."""
    return isinstance(text, str) and "ENGRAIN_HOME" in text and "/bin/hook" in text
