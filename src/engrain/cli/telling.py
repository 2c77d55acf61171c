"""How a session is told: a line for each thing that happened, a turn below what was asked."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click

from engrain import event as events
from engrain.capture.session import shortened
from engrain.cli.output import brief, plural, when
from engrain.event import (
    COMMAND,
    FAILURE,
    LESSON_FIRED,
    NOTE,
    PROMPT,
    REPLY,
    SERVED,
    SESSION_END,
    SESSION_START,
    TOOL_CALL,
)
from engrain.learn.turns import about, began
from engrain.recall.told import harmless

if TYPE_CHECKING:
    from engrain.event import Event
    from engrain.learn.turns import Turn
    from engrain.memory.history import Session

SHOWN = (REPLY, SERVED, LESSON_FIRED, NOTE, COMMAND)
"""Kinds that are told beside calls; what was learned from a session later is no part of what happened in it."""
MOST_OUTPUT = 2000


def folded(text: str, width: int) -> str:
    """A text as one line of at most so many characters."""
    line = " ".join(harmless(text[: 4 * width]).split())
    return line if len(line) <= width else line[: width - 1] + "…"


def lasted(microseconds: int) -> str:
    """How long something went on."""
    seconds = microseconds / 1e6
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.0f} h" if seconds < 172_800 else f"{seconds / 86_400:.0f} d"


def session(told: Session, names: dict[str, str]) -> None:
    """The whole of a session."""
    calls = [call for turn in told.turns for call in turn.calls]
    failed = sum(call.body.get("failed") is True for call in calls)
    click.secho(f"session  {told.session}", bold=True)
    where = ", ".join(names.get(project) or project for project in told.projects)
    click.echo(
        f"{told.agent}  {where}  {when(told.started)}, {lasted(told.ended - told.started)}"
        f"{f'; ended: {told.reason}' if told.reason else ''}"
    )
    prompts = sum(turn.prompt is not None for turn in told.turns)
    click.echo(f"{plural(prompts, 'prompt')}, {plural(len(calls), 'tool call')}, {failed:,} failed")
    for turn in told.turns:
        _turn(turn)


def _turn(turn: Turn) -> None:
    click.echo()
    if turn.prompt is not None:
        click.secho(f"{_clock(turn.prompt)}  {event_text(turn.prompt)}", bold=True)
    for event in turn.followed:
        if event.kind == TOOL_CALL or event.kind in SHOWN:
            click.echo(f"{_clock(event)}    {event_text(event)}")


def event_line(event: Event, *, named: bool) -> str:
    """One thing as it happens; empty for what is no part of a session."""
    if event.kind not in (PROMPT, TOOL_CALL, SESSION_START, SESSION_END, *SHOWN):
        return ""
    who = f"{event.session[:8]}  " if named else ""
    inner = "" if event.kind in (PROMPT, SESSION_START, SESSION_END) else "  "
    return f"{_clock(event)}  {who}{inner}{event_text(event)}"


def event_text(event: Event) -> str:
    """What happened, in a line."""
    body = event.body
    if event.kind == PROMPT:
        return f"▸ {folded(str(body.get('text', '')), 160)}"
    if event.kind == REPLY:
        who = f"{body['subagent']}: " if body.get("subagent") else ""
        return f"« {who}{folded(str(body.get('text', '')), 100)}"
    if event.kind == TOOL_CALL:
        return _call(event)
    if event.kind in (SESSION_START, SESSION_END):
        about = body.get("source") or body.get("reason") or ""
        return f"{'began' if event.kind == SESSION_START else 'ended'} {event.agent} {about}".rstrip()
    if event.kind == SERVED:
        fixes = body.get("fixes")
        ids = [str(fix.get("fix", "")) for fix in fixes if isinstance(fix, dict)] if isinstance(fixes, list) else []
        return f"◆ shown: fix {', '.join(ids)}"
    return f"◆ {event.kind}  {brief(event, 100)}"


def _call(event: Event) -> str:
    body = event.body
    sign = "✗" if body.get("failed") is True else "?" if body.get("unanswered") or body.get("refused") else "✓"
    who = f"{body['subagent']}: " if body.get("subagent") else ""
    tool = str(body.get("tool") or "?")
    return f"{sign} {who}{tool:<6} {folded(about(event), 100)}{_how(event)}"


def _how(event: Event) -> str:
    body, parts = event.body, []
    if body.get("failed") is True:
        parts.append(f"exit {body['exit']}" if "exit" in body else "failed")
    parts += [name for name in ("interrupted", "refused", "unanswered") if body.get(name)]
    seconds = body.get("seconds")
    if isinstance(seconds, (int, float)) and seconds >= 1:
        parts.append(lasted(round(seconds * 1e6)))
    failure = body.get(FAILURE)
    message = folded(str(failure.get("message", "")), 80) if isinstance(failure, dict) else ""
    return f"  ({', '.join(parts)})" * bool(parts) + f"  {message}" * bool(message)


def _clock(event: Event) -> str:
    return time.strftime("%H:%M:%S", time.localtime(began(event) / 1e6))


# For programs


def session_json(told: Session) -> dict[str, Any]:
    """A session for programs: its turns, each with its prompt, calls and replies."""
    return {
        "session": told.session,
        "agent": told.agent,
        "projects": list(told.projects),
        "started": events.timestamp(told.started),
        "ended": events.timestamp(told.ended),
        "turns": [_turn_json(turn) for turn in told.turns],
    }


def _turn_json(turn: Turn) -> dict[str, Any]:
    return {
        "prompt": _json(turn.prompt) if turn.prompt else None,
        "calls": [_json(event) for event in turn.calls],
        "replies": [_json(event) for event in turn.followed if event.kind == REPLY],
        "others": [_json(event) for event in turn.followed if event.kind not in (TOOL_CALL, REPLY)],
    }


def _json(event: Event) -> dict[str, Any]:
    """An event with the ends of a long output; `engrain show ID` has the whole."""
    body = {key: shortened(value, MOST_OUTPUT) if key == "output" else value for key, value in event.body.items()}
    head = {"id": event.id, "time": events.timestamp(event.time), "began": events.timestamp(began(event))}
    return {**head, **({} if event.kind in (PROMPT, TOOL_CALL, REPLY) else {"kind": event.kind}), **body}
