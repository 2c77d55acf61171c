"""Search: what is remembered of anything that somebody types, the most useful first. Functions over a Memory.

What the rankers found is fused, weighed and told once, and each hit says why it stands there. What another project
knows comes before it only where that is clearly better.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from engrain import event as events
from engrain.errors import BadInput
from engrain.event import FIX, LESSON, NOTE, PROMPT, TASK, Event
from engrain.learn import terms
from engrain.learn.direct import gist, searchable
from engrain.learn.likeness import words
from engrain.learn.terms import Term, Typed
from engrain.memory import notes, rankers
from engrain.memory.wanted import Wanted
from engrain.recall import rank
from engrain.recall.fuse import Fused, fused
from engrain.recall.lessons import PROPOSED, RETIRED, STOPPED
from engrain.recall.rank import EXACT, MEANING, WORDS, Standing
from engrain.recall.told import one_line
from engrain.store.rows import Key

if TYPE_CHECKING:
    from engrain.memory import Memory

SPARE = 10
"""Events that are read beyond those that are asked for: some say the same as others."""
MOST_SAID = 2000
"""Characters of a text that tell what it says."""
MOST_SHOWN = 5
"""Words that a reason names."""
ELSEWHERE, LONGEST_NAME = "clearly better than anything here, from another project", 40


Item = TypeVar("Item")


class Hit(NamedTuple):
    """An event that was found, how well it stands, why, how many more say nearly the same, how often it was said."""

    event: Event
    score: float
    because: str = ""
    alike: int = 0
    times: int = 1


def search(
    memory: Memory, text: str, wanted: Wanted = Wanted(), *, limit: int = 10, beyond: bool = False  # noqa: B008
) -> list[Hit]:  # fmt: skip
    """What is remembered of a text, the most useful first. Any text is a question. `beyond`: and what another project
    knows clearly better."""
    typed = terms.typed(text)
    here = rankers.found(memory, text, typed, wanted)
    best = fused(here.rankings)
    known = _read(memory, best, wanted, limit)
    standings = _standings(memory, known.values())
    weighed = [(each.score * rank.worth(standings[each.key]), each) for each in best if each.key in known]
    weighed.sort(key=lambda pair: -pair[0])
    weighed = [pair for pair, _ in _once_asked([(pair, known[pair[1].key]) for pair in weighed])]
    told = rank.once(weighed, lambda pair: _said(known[pair[1].key]), limit)
    times = notes.times(memory, [known[each.key] for (_, each), _ in told if known[each.key].kind == NOTE])
    hits = [
        _hit(known[each.key], score, _reasons(known[each.key], each, typed, here.keyed.get(each.key, "")), more, times)
        for (score, each), more in told
    ]
    there = rankers.clearly_better(memory, text, typed, wanted, here) if beyond else None
    return [*_elsewhere(memory, there, hits), *hits][:limit]


def project_named(memory: Memory, named: str) -> str:
    """The id of a project, by that or by its name."""
    seen = memory.projects()
    found = [each.id for each in seen if each.id == named] or [each.id for each in seen if each.name == named]
    if len(found) != 1:
        several = f"{named!r} could be {' or '.join(found[:4])}: give its id"
        raise BadInput(several if found else f"there is no project {named!r}; `engrain project list` names them")
    return found[0]


def _elsewhere(memory: Memory, key: Key | None, hits: Sequence[Hit]) -> list[Hit]:
    """What another project knows clearly better, to stand before what was found here."""
    if key is None:
        return []
    names = {seen.id: seen.name for seen in memory.projects()}
    why = f"{ELSEWHERE}: {one_line(names.get(key[1], ''), LONGEST_NAME) or key[1]}"
    found = list(memory.store.keyed([key]).values())
    old = notes.superseded(memory, [event for event in found if event.kind == NOTE])
    return [Hit(event, hits[0].score if hits else 0.0, why) for event in found if event.id not in old]


def _hit(event: Event, score: float, reasons: list[str], more: int, times: Mapping[str, int]) -> Hit:
    said = times.get(event.id, 1)
    reasons = [*reasons, f"said {said} times"] if said > 1 else reasons
    return Hit(event, score, "; ".join(reasons), more, said)


# What was found


def _read(memory: Memory, best: Sequence[Fused[Key]], wanted: Wanted, limit: int) -> Mapping[Key, Event]:
    """The events that may be told, of this tenant."""
    places = set(wanted.projects)
    keys = [each.key for each in best if each.key[0] == memory.tenant and (not places or each.key[1] in places)]
    known = memory.store.keyed(keys[: 2 * limit + SPARE])
    old = notes.superseded(memory, [event for event in known.values() if event.kind == NOTE])
    return {key: event for key, event in known.items() if event.id not in old}


def _standings(memory: Memory, found: Collection[Event]) -> Mapping[Key, Standing]:
    """What is known of what was found, besides that it fits."""
    now, here = events.now(), set(memory.store.same_project(memory.project.id))
    holds = _holds(memory, found)
    return {
        (each.tenant, each.project, each.id): Standing(
            each.kind, now - each.time, each.project in here, holds.get(each.id, 1.0)
        )
        for each in found
    }


def _holds(memory: Memory, found: Collection[Event]) -> dict[str, float]:
    """How far fixes and rules proved to be true."""
    holds: dict[str, float] = {}
    ask: Callable[..., list[tuple[str, int, int]]] = memory.store.database.all
    if fixes := [each.id for each in found if each.kind == FIX]:
        rows = ask("how_fixes_went", {"tenant": memory.tenant, "ids": fixes})
        holds |= {id_: rank.proven(int(worked), int(failed)) for id_, worked, failed in rows}
    if lessons := [each.id for each in found if each.kind == LESSON]:
        rows_ = memory.store.database.all("states_of_lessons", {"tenant": memory.tenant, "ids": lessons})
        holds |= {id_: _STATES.get(state, 1.0) for id_, state in rows_}
    return holds


_STATES = {RETIRED: rank.UNTRUE, STOPPED: rank.UNTRUE, PROPOSED: rank.FADED}


def _once_asked(found: Iterable[tuple[Item, Event]]) -> Iterator[tuple[Item, Event]]:
    """Without the prompts whose tasks stand before them: these have what was asked, and what came of it."""
    tasks: set[tuple[str, str]] = set()
    for item, event in found:
        asked = event.session, str(event.body.get("text", ""))[:MOST_SAID]
        if event.kind == TASK:
            tasks.add(asked)
        if event.kind != PROMPT or asked not in tasks:
            yield item, event


def _said(event: Event) -> str:
    """What it says, to tell whether another says the same; of a fix what it does, whatever the failure."""
    said = " ".join(event.body.get("steps", ())) if event.kind == FIX else searchable(event)
    return f"{event.kind} {said[:MOST_SAID]}"


# Why


def _reasons(event: Event, found: Fused[Key], typed: Typed, keyed: str) -> list[str]:
    """Why it was found, each in a few words."""
    said = searchable(event)[: terms.MOST_TYPED]
    reasons = [keyed]
    if EXACT in found.places:
        reasons.append(_exactly(said, typed))
    if WORDS in found.places and (shared := _shared(said, typed.words)):
        reasons.append(f"words: {shared}")
    if MEANING in found.places:
        reasons.append("the nearest in meaning" if found.places[MEANING] == 1 else "near in meaning")
    return [*filter(None, reasons)] or [f"fits {gist(event)[:20]!r}"]


def _exactly(said: str, typed: Typed) -> str:
    apart = " ".join(terms.parts(said))
    named = [" ".join(each.phrases[0]) for each in (*typed.quoted, *typed.names)]
    there = [each for each in named if each in apart][:MOST_SHOWN]
    return f"has exactly: {', '.join(there)}" if there else ""


def _shared(said: str, sought: Sequence[Term]) -> str:
    have = set(words(said))
    shown = [term.phrases[0][0] for term in sought if set(words(term.phrases[0][0])) & have]
    return ", ".join(shown[:MOST_SHOWN])
