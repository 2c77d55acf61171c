"""Trajectory: the events of one session → messages, in the order in which they happened. Pure.

    user        what somebody asked
    assistant   what the agent said, and the call that it made with it
    tool        what came back

Calls that ran beside each other follow one another. What subagents did is left out: nobody asked them, and their calls
stand between those of the agent. Folders of the session become `<root>`, so that what was learned in one place is true
in another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from engrain.event import PROMPT, REPLY, TOOL_CALL, Event
from engrain.redact.engine import Marks
from engrain.redact.value import clean_value, each_text

ROOT = "<root>"
LEFT_OUT = "\n… [{} characters left out] …\n"


class Call(NamedTuple):
    """A call of a tool, what it was answered, and what is to be known of it before it is learned from."""

    tool: str
    given: Mapping[str, Any]
    result: str
    failed: bool
    facts: frozenset[str]


class Step(NamedTuple):
    """Something that was asked (`user`), or that the agent said and did: text, a call, or both."""

    role: str
    text: str
    call: Call | None = None


class Trajectory(NamedTuple):
    """A session as it went; `redacted` counts secrets that were found only now."""

    session: str
    agent: str
    project: str
    started: int
    ended: int
    steps: tuple[Step, ...]
    subagents: int
    redacted: int

    @property
    def calls(self) -> list[Call]:
        return [step.call for step in self.steps if step.call]


def began(event: Event) -> int:
    """When it began: a call is told of when it ended."""
    took = event.body.get("seconds") if event.kind == TOOL_CALL else 0
    return event.time - round(took * 1e6) if isinstance(took, (int, float)) and 0 <= took < 1e9 else event.time


def trajectory(events: Iterable[Event], bodies: Mapping[str, Mapping[str, Any]]) -> Trajectory | None:
    """The trajectory of one session; `bodies` are what its reads and edits carried. None where nothing was asked."""
    told = sorted(events, key=lambda event: (began(event), event.time, event.id))
    mine = [event for event in told if not event.body.get("subagent")]
    spoken = [event for event in mine if event.kind in (PROMPT, REPLY, TOOL_CALL)]
    if not any(event.kind == PROMPT for event in spoken):
        return None
    roots, marks = _roots(spoken), Marks()

    def tidy(value: Any) -> Any:
        return each_text(clean_value(value, marks), lambda text: rooted(text, roots))

    steps = _steps(spoken, bodies, tidy)
    first, calls = spoken[0], [event for event in told if event.body.get("subagent")]
    return Trajectory(
        first.session, first.agent, first.project, told[0].time, told[-1].time, tuple(steps), len(calls),
        sum(marks.found.values()),
    )  # fmt: skip


def rooted(text: str, roots: Iterable[str]) -> str:
    """The text with the session's folders as `<root>`."""
    for root in roots:
        if root in text:
            text = text.replace(root, ROOT)
    return text


def _roots(events: Iterable[Event]) -> list[str]:
    """The folder that most happened in, and those around that others lie in; the longest first."""
    seen = Counter(str(event.body["cwd"]).rstrip("/") for event in events if event.body.get("cwd"))
    if not seen:
        return []
    tops = [folder for folder in seen if not any(folder.startswith(f"{other}/") for other in seen)]
    return sorted((folder for folder in tops if len(folder) > 2), key=len, reverse=True)


def _steps(events: Iterable[Event], bodies: Mapping[str, Mapping[str, Any]], tidy: Any) -> list[Step]:
    steps: list[Step] = []
    said: list[str] = []

    def flush() -> None:
        if said:
            steps.append(Step("assistant", "\n\n".join(said)))
            said.clear()

    for event in events:
        text = tidy(str(event.body.get("text", ""))).strip()
        if event.kind == PROMPT and text:
            flush()
            steps.append(Step("user", text))
        elif event.kind == REPLY and text:
            said.append(text)
        elif event.kind == TOOL_CALL:
            steps.append(Step("assistant", "\n\n".join(said), _call(event, bodies.get(event.id, {}), tidy)))
            said.clear()
    flush()
    return steps


def _call(event: Event, carried: Mapping[str, Any], tidy: Any) -> Call:
    body = event.body
    given = body.get("input")
    given = dict(given) if isinstance(given, dict) else {"input": given} if given else {}
    output = carried.get("output", body.get("output", ""))
    whole = {name: value for name, value in carried.items() if name != "output"}
    sizes = {name for name in given if name.endswith("_size")}
    facts = {name for name in ("interrupted", "refused", "unanswered", "withheld") if body.get(name)}
    if any(name.removesuffix("_size") not in whole for name in sizes):
        facts.add("expired")
    kept = {name: value for name, value in given.items() if name not in sizes}
    return Call(
        str(body.get("tool", "")), tidy({**kept, **whole}), _shown(tidy(output)), body.get("failed") is True,
        frozenset(facts),
    )  # fmt: skip


def _shown(output: Any) -> str:
    if isinstance(output, dict) and output.keys() == {"size"}:
        return f"[{output['size']} bytes, no longer kept]"
    if isinstance(output, str):
        return output
    import json

    return json.dumps(output, ensure_ascii=False) if output else ""


def shortened(text: str, most: int) -> str:
    """The beginning and the end of a long text."""
    if len(text) <= most:
        return text
    head = most * 2 // 3
    tail = most - head
    return text[:head] + LEFT_OUT.format(len(text) - most) + text[len(text) - tail :]
