"""Rollout: a held-out session played again, the model taking the agent's part for several turns.

A call that was made in the session gets what came back then; any other gets the result of the recorded call that is
most alike, if it is alike enough, else a line that nothing is known of it. All sessions take a turn together. Pure, but
for who answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from engrain.train.examples import Row
from engrain.train.points import Answer, Question, alike, recorded, told
from engrain.train.shape import Reply

UNKNOWN = "(no result is recorded for this call)"
ALIKE = 0.6


class Played(NamedTuple):
    """How a session went: the replies, how many repeated an earlier call to the letter, how many called a tool without
    what it needs, whether the last one ended it, and whether something useful was done: a call that the session
    made."""

    session: str
    replies: tuple[Answer, ...]
    repeats: int
    empty: int
    stopped: bool
    useful: bool


class Game(NamedTuple):
    """A session to be played: how it begins, its tools, and what is known of its calls."""

    session: str
    messages: tuple[dict[str, Any], ...]
    tools: tuple[dict[str, Any], ...]
    results: Mapping[tuple[str, str], str]


def games(rows: Sequence[Row], number: int) -> list[Game]:
    """The first windows of held-out sessions, one for each, with everything that was recorded of them."""
    by_session: dict[str, list[Row]] = {}
    for row in rows:
        by_session.setdefault(row["session"], []).append(row)
    found = []
    for session, own in sorted(by_session.items()):
        first = min(own, key=lambda row: row["first"])
        begin = tuple(message for message in first["messages"] if message["role"] in ("system", "user"))[:2]
        if len(begin) == 2 and (results := recorded(own)):
            found.append(Game(session, begin, tuple(first["tools"]), results))
    return found[:number]


def played(which: Sequence[Game], answers: Callable[[list[Question]], list[Answer]], turns: int) -> list[Played]:
    """Every game, turn by turn."""
    talks = [list(game.messages) for game in which]
    replies: list[list[Answer]] = [[] for _ in which]
    going = list(range(len(which)))
    for turn in range(turns):
        if not going:
            break
        found = answers([Question(talks[place], which[place].tools) for place in going])
        for place, answer in zip(list(going), found, strict=True):
            replies[place].append(answer)
            if not answer.reply.calls:
                going.remove(place)
                continue
            talks[place] += _turn(answer.reply, which[place], turn)
    return [_told(game, said) for game, said in zip(which, replies, strict=True)]


def _turn(reply: Reply, game: Game, turn: int) -> list[dict[str, Any]]:
    name = f"play_{turn}"
    call = {"id": name, "type": "function", "function": {"name": reply.tool, "arguments": dict(reply.given)}}
    return [
        {"role": "assistant", "content": reply.text, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": name, "name": reply.tool, "content": result(reply, game.results)},
    ]


def result(reply: Reply, results: Mapping[tuple[str, str], str]) -> str:
    """What comes back for a call."""
    import json

    exact = results.get((reply.tool, told(reply.given)))
    if exact is not None:
        return exact
    near = [(alike(reply.given, json.loads(given)), given) for tool, given in results if tool == reply.tool]
    score, given = max(near, default=(0.0, ""))
    return results[reply.tool, given] if score >= ALIKE else UNKNOWN


def _told(game: Game, said: Sequence[Answer]) -> Played:
    calls = [(each.reply.tool, told(each.reply.given)) for each in said if each.reply.calls]
    needed = {tool["function"]["name"]: tool["function"]["parameters"].get("required", ()) for tool in game.tools}
    empty = sum(lacking(each.reply, needed.get(each.reply.tool, ())) for each in said if each.reply.calls)
    last = said[-1] if said else None
    stopped = last is not None and not last.reply.calls and last.reply.sound and last.ended
    useful = any(result(each.reply, game.results) != UNKNOWN for each in said if each.reply.calls)
    return Played(game.session, tuple(said), len(calls) - len(set(calls)), empty, stopped, useful)


def lacking(reply: Reply, required: Sequence[str]) -> bool:
    """Whether a call goes without something that its tool never goes without."""
    return any(str(reply.given.get(name, "")).strip() == "" for name in required)
