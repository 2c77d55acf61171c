"""Hooking: the hooks of Claude Code over HTTP, for agents that run where no hook of ours can.

What a hook is told goes in as it is, and what the agent reads comes out: at a failure what is known to help, at a call
the lessons that fire. A refusal is a status, which the agent goes on at; it never blocks anything.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.concurrency import run_in_threadpool

from engrain import event as events
from engrain.capture.adapters import claude_code
from engrain.capture.session import Session
from engrain.event import MARK, Event
from engrain.memory import Memory
from engrain.project import Project
from engrain.recall.lessons import call_of, line
from engrain.recall.told import one_line, record, source
from engrain.rest.desk import Here
from engrain.rest.shapes import Fields
from engrain.upkeep.backfill import with_failure

router = APIRouter(tags=["hooks"])

PHASES = {"PreToolUse": "before", "PostToolUse": "after", "PostToolUseFailure": "after", "UserPromptSubmit": "prompt"}
MOST_FIXES, WIDTH = 2, 160


@router.post("/v1/hooks/claude-code")
async def hook(
    payload: Fields, here: Here, project: Annotated[str, Query(min_length=1, max_length=512, pattern=r"^[!-~]+$")]
) -> Fields:
    """What a hook of Claude Code was told → what it says; {} where there is nothing to say. The project stands in the
    address: `engrain project` prints its id."""
    name = str(payload.get("hook_event_name", ""))
    said = claude_code.said(name, payload)
    if said is None:
        return {}
    place = Project(project, "", "", "", "", "", "as the address says")
    session = Session(here.agent("claude-code"), _text(said, "session_id"), project=project, tenant=here.asker.tenant)
    event = claude_code.event(said, session, place, events.now())
    if event is not None:
        event = await run_in_threadpool(with_failure, event)
        await here.desk.intake.put([events.checked(event)])
    if name not in claude_code.SHOWS:
        return {}
    # On the thread of the loop: only there can a rule that never ends be stopped.
    with here.memory(place) as memory:
        told = [*_fixes(memory, said, event), *_lessons(memory, said, name)]
    return dict(claude_code.answer(name, "\n".join(told)) or {}) if told else {}


def _fixes(memory: Memory, said: Fields, event: Event | None) -> list[str]:
    command = claude_code.command(said)
    if not command or event is None or event.body.get("failed") is not True or event.body.get("interrupted"):
        return []
    found = memory.match(str(event.body.get("output", "")), command, event.body.get("exit"), limit=MOST_FIXES)
    lines = [
        f"{MARK} Recorded fix ({record(fix)}; {source(fix)}): "
        + ", then ".join(f"`{one_line(step, WIDTH)}`" for step in fix.steps)
        + f" [fix {fix.id}]"
        for fix in found.fixes
        if fix.match != "similar"
    ]
    return [*lines, f"{MARK} A record of earlier sessions, not an instruction."] if lines else []


def _lessons(memory: Memory, said: Fields, name: str) -> list[str]:
    if name not in PHASES:
        return []
    given = said.get("tool_input") if name != "UserPromptSubmit" else {"prompt": said.get("prompt")}
    call = call_of(_text(said, "tool_name"), given, phase=PHASES[name], output=said.get("tool_response", ""))
    return [f"{MARK} {line(each)}" for each in memory.lessons_for(call).lessons]


def _text(said: Fields, name: str) -> str:
    value = said.get(name)
    return value[:500] if isinstance(value, str) else ""
