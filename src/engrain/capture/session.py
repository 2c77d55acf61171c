"""What an agent's session is made of, as events: its start, prompts, tool calls, replies, its end.

One form, whoever tells of it: a hook as it happens, a transcript years later. What has a name of its own there (a tool
call, a prompt) has the id that follows from it, so that told twice is stored once.

    session.start  {source, model, cwd, branch, worktree, transcript, version}
    prompt         {text, cwd, branch, prompt}    `prompt`: the agent's own name for it, where it has one
    tool.call      {tool, call, input, output, failed, exit, interrupted, refused, unanswered, seconds, cwd, branch,
                   prompt, subagent, continues, failure, guessed}
                   `guessed`: nobody said how it ended; its output told whether it failed
    reply          {text, subagent}
    session.end    {reason}

Which prompt a call belongs to: the one with the same `prompt`, else the last of its session before it. A key that is
not known is left out, never guessed. On the hook's path.
"""

from __future__ import annotations

from engrain import event as events
from engrain.capture.own import tool_of_ours
from engrain.event import PROMPT, REPLY, SESSION_END, SESSION_START, TOOL_CALL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engrain.event import Event

MOST_OUTPUT = 64_000
"""Characters of an output that are kept: its first third and its last two, where commands say what went wrong."""


SHELLS = frozenset(
    ["Bash", "PowerShell", "exec_command", "shell", "shell_command", "local_shell", "container.exec", "Shell",
     "run_shell_command", "execute_command"]
)  # fmt: skip
"""Tools whose `command` is run by a shell."""


class Session:
    """One session of an agent in one project: what happens in it becomes events of that session."""

    __slots__ = ("agent", "id", "project", "tenant")

    def __init__(self, agent: str, id: str, *, project: str, tenant: str) -> None:  # noqa: A002 - its own name
        self.agent = agent
        self.id = id
        self.project = project
        self.tenant = tenant

    def started(self, time: int, **about: Any) -> Event:
        """It began, or was taken up again."""
        return self._make(SESSION_START, about, time, str(about.get("source", "")), str(time))

    def ended(self, time: int, **about: Any) -> Event:
        """It ended; a session that is taken up again ends again."""
        return self._make(SESSION_END, about, time, str(time))

    def prompted(self, time: int, name: str, text: str, **about: Any) -> Event:
        """Somebody asked for something; `name` is what tells this prompt from the same words said again."""
        return self._make(PROMPT, {"text": text, **about}, time, name)

    def called(self, time: int, name: str, tool: str, given: Any, output: Any, *, failed: bool, **about: Any) -> Event:
        """The agent used a tool; `name` is the agent's own id of the call."""
        # What we answered was remembered before.
        kept = "" if tool_of_ours(tool) else shortened(output)
        body = {"tool": tool, "call": name, "input": given, "output": kept, "failed": failed, **about}
        return self._make(TOOL_CALL, body, time, name)

    def replied(self, time: int, name: str, text: str, **about: Any) -> Event:
        """The agent said something to whoever asked."""
        return self._make(REPLY, {"text": text, **about}, time, name)

    def _make(self, kind: str, body: dict[str, Any], time: int, *name: str) -> Event:
        return events.make(
            kind,
            {key: value for key, value in body.items() if value is not None and value != ""},
            project=self.project,
            tenant=self.tenant,
            session=self.id,
            agent=self.agent,
            time=time,
            id=events.id_of(kind, self.agent, self.id, *name),
        )


def shortened(output: Any, most: int = MOST_OUTPUT) -> Any:
    """The beginning and the end of a long text; anything else as it is."""
    if not isinstance(output, str) or len(output) <= most:
        return output
    head = most // 3
    left = len(output) - most
    return f"{output[:head]}\n... [{left} characters left out] ...\n{output[head + left :]}"
