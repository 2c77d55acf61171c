"""Tools that recall: by words, then the whole by its id."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from engrain.errors import BadInput, NotFound
from engrain.event import MAX_TIME, Event, now, timestamp
from engrain.learn.moment import moment
from engrain.learn.terms import FAILED, WORKED
from engrain.mcp import answers
from engrain.mcp.answers import MOST_TEXT, Answer, brief, cut, fix_fields, fix_lines, recalled
from engrain.mcp.desk import Desk
from engrain.memory.history import Session
from engrain.recall.quote import quoted

_MANY = 50


def search_memory(
    desk: Desk, query: Annotated[str, Field(min_length=1, max_length=2000)],
    everywhere: Annotated[bool, Field(description="in all projects")] = False,
    limit: Annotated[int, Field(ge=1, le=_MANY)] = 10,
    kinds: Annotated[list[str], Field(description="note, prompt, tool.call, fix, lesson, pattern, task")] = [],  # noqa: B006
    file: Annotated[str, Field(description="that names this path")] = "", tag: str = "", agent: str = "",
    outcome: Annotated[str, Field(description="worked or failed")] = "",
    since: Annotated[str, Field(description="2026-11-18 or 2d")] = "", before: str = "", project: str = "",
) -> Answer:  # fmt: skip
    """Find notes, commands, failures and what was asked or decided in earlier sessions, by words, names or meaning.
    Call it before work that may have been done before. Answers with short quotes; get_memories gives the whole."""
    desk.catch_up()
    # One more than asked for tells whether there is more.
    everywhere = not project and (everywhere or not desk.visit.named)
    if outcome not in ("", WORKED, FAILED):
        raise BadInput(f"outcome is {WORKED} or {FAILED}, not {outcome!r}")
    found = desk.memory.search(
        query, everywhere=everywhere, limit=limit + 1, kinds=kinds, file=file, tags=[tag] if tag else [], agent=agent,
        outcome=outcome, since=moment(since, 0, now()), before=moment(before, MAX_TIME, now()), project=project,
    )  # fmt: skip
    hits = desk.mine([hit.event for hit in found])
    why = {hit.event.id: hit.because for hit in found}
    items = [{**brief(event), "because": why[event.id]} for event in hits[:limit]]
    more = len(hits) > limit
    fields = {"hits": items, "more": more}
    if not items:
        return recalled(
            fields, [f"nothing found{'' if everywhere else ' in this project; everywhere=true looks in all'}"]
        )
    rest = [f"There is more: raise limit (to {_MANY}) or say more words."] if more else []
    return recalled(fields, [*(answers.line(item) for item in items), *rest])


def get_memories(
    desk: Desk, ids: Annotated[list[str], Field(min_length=1, max_length=20)],
    start: Annotated[int, Field(ge=0, description="skip so many characters of each: for the rest of a long one")] = 0,
) -> Answer:  # fmt: skip
    """The whole of memories or fixes, by the ids that other tools answered with; of a session its timeline."""
    desk.catch_up()
    events = {event.id: event for event in desk.mine(desk.memory.get(*ids))}
    room = max(MOST_TEXT // len(set(ids)), 400)
    items, lines = [], []
    for id_ in dict.fromkeys(ids):
        item, said = _event(events[id_], start, room) if id_ in events else _fix(desk, id_)
        items.append(item)
        lines += said
    return recalled({"memories": items}, lines)


def _event(event: Event, start: int, room: int) -> tuple[dict[str, Any], list[str]]:
    text, rest = cut(answers.whole(event), start, room)
    item = {
        **brief(event), "quote": text, "project": event.project, "session": event.session, "rest": rest,
    }  # fmt: skip
    head = f"{event.kind} {event.id}, {timestamp(event.time)}, {item['source']} ({item['trust']})"
    more = [f'{rest} more characters: get_memories(ids=["{event.id}"], start={start + len(text)})'] if rest else []
    return item, [head, quoted(text), *more]


def timeline_lines(told: Session, most: int) -> list[str]:
    """What happened in a session, in order; of a long one the end."""
    turns = [event for turn in told.turns for event in (*([turn.prompt] if turn.prompt else []), *turn.followed)]
    left = [f"{len(turns) - most} earlier ones are left out"] if len(turns) > most else []
    return [*left, *(answers.line(brief(event)) for event in turns[-most:])]


def _session(desk: Desk, id_: str) -> tuple[dict[str, Any], list[str]]:
    try:
        told = desk.memory.session(id_)
    except (NotFound, BadInput) as exc:
        raise BadInput(f"there is no memory {id_!r}: give ids that search_memory or find_fix answered with") from exc
    lines = timeline_lines(told, _MANY)
    return {"kind": "session", "id": told.session, "agent": told.agent, "timeline": lines}, lines


def _fix(desk: Desk, id_: str) -> tuple[dict[str, Any], list[str]]:
    try:
        fix = desk.memory.fix(id_)
    except (NotFound, BadInput):
        return _session(desk, id_)
    return {"kind": "fix", **fix_fields(fix)}, [quoted(fix.failure), *fix_lines(1, fix)]
