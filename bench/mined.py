"""Mined: fixes drawn at random, each with what it was mined from, to be judged by hand by somebody else.

    python -m bench.mined --draw 50 --seed 11 > drawn.txt
    python -m bench.mined --whole --draw 50 --seed 11      of every session of every set, not of the history alone
    python -m bench.mined --sets claude-code/context-evaluator --home folder

One fix is one recipe of one project, however often it was mined; the evidence is a session that it is from, itself
drawn. A verdict is `sensible` where somebody who meets that failure there is helped by the steps, or at least sent the
right way.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import tempfile
from collections.abc import Iterator, Sequence

from bench.figure import shared
from bench.learning import SETS, engrain, laid_out
from engrain.event import FIX, TOOL_CALL, Event
from engrain.learn.recipe import rendered
from engrain.memory import Memory

MOST_BETWEEN = 14
OUTPUT = 700


def drawn(home: str, number: int, seed: int) -> Iterator[str]:
    """Fixes at random, as texts to read."""
    with Memory.open(home, folder=home) as memory:
        events = list(memory.store.events())
    calls = {event.id: event for event in events if event.kind == TOOL_CALL}
    sessions: dict[str, list[Event]] = {}
    for call in calls.values():
        sessions.setdefault(call.session, []).append(call)
    fixes: dict[str, list[Event]] = {}
    for event in events:
        if event.kind == FIX and event.body.get("source") == "mined":
            fixes.setdefault(_recipe(event), []).append(event)
    chance = random.Random(seed)
    for place, one in enumerate(chance.sample(sorted(fixes), min(number, len(fixes))), start=1):
        event = chance.choice(fixes[one])
        yield _told(f"{place} of {number}", event, len(fixes[one]), calls, sessions[event.session])


def _recipe(event: Event) -> str:
    return json.dumps([event.project, event.body.get("fingerprint"), event.body.get("steps")])


def _told(place: str, fix: Event, times: int, calls: dict[str, Event], session: Sequence[Event]) -> str:
    first, last = calls[str(fix.body["of"])], calls.get(str(fix.body["by"]))
    between = [call for call in session if first.time < call.time <= (last.time if last else first.time)]
    kept = between if len(between) <= MOST_BETWEEN else [*between[: MOST_BETWEEN // 2], *between[-MOST_BETWEEN // 2 :]]
    left_out = f"  … {len(between) - len(kept)} more …\n" if len(kept) < len(between) else ""
    steps = rendered(tuple(map(str, fix.body["steps"])), dict(fix.body.get("parameters", {}))) or fix.body["steps"]
    lines = [
        f"\n===== {place} · {fix.body.get('how')} · mined in {times} session(s) · {fix.session}",
        f"$ {_line(first)[-600:]}",
        _cut(str(first.body.get("output", ""))),
        "\nthen:",
        *(f"  {'✗' if call.body.get('failed') else '✓'} {_line(call)[:300]}" for call in kept),
        left_out,
        "----> the fix:",
        *(f"      {step}" for step in steps),
    ]
    return "\n".join(lines)


def _line(call: Event) -> str:
    given = call.body.get("input")
    given = given if isinstance(given, dict) else {}
    return str(given.get("command") or f"{call.body.get('tool')} {given.get('file_path', '')}").replace("\n", "\n    ")


def _cut(text: str) -> str:
    return text if len(text) <= 2 * OUTPUT else f"{text[: OUTPUT // 2]}\n[…]\n{text[-OUTPUT:]}"


def whole(folder: str) -> None:
    """Every session of every set, as an agent keeps it."""
    for kind in ("claude-code", "swe"):
        for repository in sorted(os.listdir(shared("transcripts", kind))):
            into = os.path.join(folder, ".claude", "projects", f"-Users-dev-{kind}-{repository}")
            os.makedirs(into)
            for name in sorted(os.listdir(shared("transcripts", kind, repository))):
                with gzip.open(shared("transcripts", kind, repository, name)) as packed:
                    session = packed.read()
                with open(os.path.join(into, name.removesuffix(".gz")), "wb") as file:
                    file.write(session)


def main() -> None:
    """Draws from the sets, or from a home that has learned already."""
    parser = argparse.ArgumentParser(prog="python -m bench.mined", description="Mined fixes to judge by hand.")
    parser.add_argument("--draw", type=int, default=50, metavar="N")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--sets", default=",".join(SETS), help="of the transcripts, with commas between")
    parser.add_argument("--whole", action="store_true", help="every session of every set")
    parser.add_argument("--home", help="a home that has learned, in place of the sets")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="engrain-bench-") as folder:
        home = asked.home or os.path.join(folder, "home")
        if not asked.home:
            if asked.whole:
                whole(folder)
            else:
                laid_out(folder, asked.sets.split(","))
            engrain(home, "import", "claude-code", os.path.join(folder, ".claude", "projects"))
        for text in drawn(home, asked.draw, asked.seed):
            print(text)


if __name__ == "__main__":
    main()
