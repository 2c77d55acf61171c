"""What Engrain said itself: it is left out of what is recorded, or memory would feed on itself.

Lines that it puts beside an error begin with a mark, in whatever text they come back: a prompt that was pasted, the
output of a command, an agent's reply. What its own commands print is memory already. On the hook's path.
"""

from __future__ import annotations

from engrain.event import MARK
from engrain.patterns import compiled

_OURS = r"(?:^|[;&|(\n]\s{0,8}|\s-m\s{1,8})(?:\S{0,200}/)?engrain\s{1,8}(?!watch\b|run\b)[a-z]"
_TOOL = r"^mcp__?(?:plugin_engrain_)?engrain_"


def without_own(text: str) -> str:
    """The text without lines that Engrain put there."""
    if MARK not in text:
        return text
    return "\n".join(line for line in text.split("\n") if not line.lstrip().startswith(MARK))


def answers_of_ours(command: str) -> bool:
    """Whether a command line asks Engrain: what it prints was remembered before."""
    return "engrain" in command and bool(compiled(_OURS).search(command))


def tool_of_ours(tool: str) -> bool:
    """Whether a tool asks Engrain, over MCP, however the agent calls it."""
    return "engrain_" in tool and bool(compiled(_TOOL).search(tool))
