"""Search: what is remembered of anything that somebody types, the most useful first. Functions over a Memory.

Four rankers are asked: what is about the very failure that was typed (`key`), what has the very names and quotes
(`exact`), what has the words (`words`), what means the same (`meaning`). Each may abstain; what they found is fused,
weighed, told once, and each hit says why it stands there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from engrain import event as events
from engrain.event import FIX, LESSON, LOCAL, MAX_TIME, NOTE, Event
from engrain.learn import terms
from engrain.learn.direct import gist, searchable
from engrain.learn.likeness import words
from engrain.learn.terms import Term, Typed
from engrain.memory import keyed as keyed_by
from engrain.memory import meaning, notes
from engrain.recall import rank
from engrain.recall.fuse import Fused, Ranking, fused, standing_out
from engrain.recall.lessons import PROPOSED, RETIRED, STOPPED
from engrain.recall.rank import EXACT, KEY, MEANING, WEIGHTS, WORDS, Standing
from engrain.store.rows import Key
from engrain.store.words import Phrases, Where

if TYPE_CHECKING:
    from engrain.memory import Memory

POOL, WIDE_POOL = 100, 500
"""What a ranker names at most; and meaning, where much of what it names may be left out again."""
SPARE = 10
"""Events that are read beyond those that are asked for: some say the same as others."""
MOST_SAID = 2000
"""Characters of a text that tell what it says."""
MOST = 0.8
MOST_SHOWN = 5
"""Words that a reason names."""


class Wanted(NamedTuple):
    """What may be found: of these projects (none: of any), kinds, agents, tags; how it went; when; over which file."""

    projects: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    agent: str = ""
    tags: tuple[str, ...] = ()
    outcome: str = ""
    since: int = 0
    before: int = MAX_TIME
    file: str = ""

    @property
    def narrow(self) -> bool:
        """Whether more is asked than a vector knows of its event."""
        return self._replace(projects=(), kinds=()) != Wanted()


class Hit(NamedTuple):
    """An event that was found, how well it stands, why, how many more say nearly the same, how often it was said."""

    event: Event
    score: float
    because: str = ""
    alike: int = 0
    times: int = 1


def search(memory: Memory, text: str, wanted: Wanted = Wanted(), *, limit: int = 10) -> list[Hit]:  # noqa: B008
    """What is remembered of a text, the most useful first. Any text is a question."""
    typed = terms.typed(text)
    keyed = _keyed(memory, text, wanted)
    best = fused([Ranking(KEY, WEIGHTS[KEY], list(keyed)), *_rankings(memory, text, typed, wanted)])
    known = _read(memory, best, wanted, limit)
    standings = _standings(memory, known.values())
    weighed = [(each.score * rank.worth(standings[each.key]), each) for each in best if each.key in known]
    weighed.sort(key=lambda pair: -pair[0])
    told = rank.once(weighed, lambda pair: _said(known[pair[1].key]), limit)
    times = notes.times(memory, [known[each.key] for (_, each), _ in told if known[each.key].kind == NOTE])
    return [
        _hit(known[each.key], score, _reasons(known[each.key], each, typed, keyed.get(each.key, "")), more, times)
        for (score, each), more in told
    ]


def _hit(event: Event, score: float, reasons: list[str], more: int, times: Mapping[str, int]) -> Hit:
    said = times.get(event.id, 1)
    reasons = [*reasons, f"said {said} times"] if said > 1 else reasons
    return Hit(event, score, "; ".join(reasons), more, said)


# Rankers


def _rankings(memory: Memory, text: str, typed: Typed, wanted: Wanted) -> list[Ranking[Key]]:
    where, needed = _where(memory, wanted), _needed(wanted)
    if needed is None:
        return []
    exact = _exact(memory, typed, where, needed)
    found = [Ranking(EXACT, WEIGHTS[EXACT], exact), _by_words(memory, typed, where, needed, exact)]
    if not (exact and (typed.quoted or _only_names(typed))):
        # Whoever types a name and nothing else, or quotes, means these very words.
        found.append(Ranking(MEANING, WEIGHTS[MEANING], _near(memory, text, wanted)))
    return found


def _keyed(memory: Memory, text: str, wanted: Wanted) -> Mapping[Key, str]:
    """What is about the very failure that was typed, and how; nothing where none was."""
    keys = keyed_by.keys_of(memory, text)
    found = keyed_by.remembered(memory, keys, wanted.projects) if keys.fingerprint else {}
    if found and wanted != Wanted(wanted.projects):
        known = memory.store.keyed(list(found))
        found = {key: why for key, why in found.items() if key in known and _fits(known[key], wanted)}
    return found


def _exact(memory: Memory, typed: Typed, where: Where, needed: Sequence[Phrases]) -> list[Key]:
    """What has all that was quoted, else what has a name that is written as only names are."""
    asks = memory.store.words
    if typed.quoted:
        found = asks.all_of([*(each.phrases for each in typed.quoted), *needed], where, limit=POOL)
    else:
        found = asks.any_of([each.phrases for each in typed.names], where, needed=needed, limit=POOL)
    return [each.key for each in found] if typed.quoted or typed.names else []


def _by_words(
    memory: Memory, typed: Typed, where: Where, needed: Sequence[Phrases], exact: Collection[Key]
) -> Ranking[Key]:
    """What has the words; it counts as much as the best of it has of what was asked."""
    sought = [each.phrases for each in (*typed.names, *typed.words)]
    found = memory.store.words.any_of(sought, where, needed=needed, limit=POOL)
    if typed.quoted and exact:
        found = [each for each in found if each.key in set(exact)]
    asked = memory.store.words.telling(sought)
    sure = rank.sure(found[0].score / asked) if found and asked else 1.0
    return Ranking(WORDS, WEIGHTS[WORDS] * sure, rank.fitting([(each.key, each.score) for each in found]))


def _near(memory: Memory, text: str, wanted: Wanted) -> list[Key]:
    """What is near in meaning and stands out."""
    most = WIDE_POOL if wanted.narrow else POOL
    near = meaning.nearest(memory, text, kinds=wanted.kinds, projects=wanted.projects, limit=most)
    if wanted.narrow:
        known = memory.store.keyed([each[:3] for each in near])
        near = [each for each in near if each[:3] in known and _fits(known[each[:3]], wanted)]
    number = standing_out([each.similarity for each in near], least=rank.LEAST_NEAR, within=rank.WITHIN_NEAR)
    return [each[:3] for each in near[:number]]


def _only_names(typed: Typed) -> bool:
    """Whether nothing but names was typed."""
    parts = {part for each in typed.names for phrase in each.phrases for part in phrase}
    return bool(typed.names) and all(word.phrases[0][0] in parts for word in typed.words)


# What is asked about


def _where(memory: Memory, wanted: Wanted) -> Where:
    groups = (
        [terms.of_project(each) for each in wanted.projects],
        [terms.of_kind(each) for each in wanted.kinds],
        [terms.of_agent(wanted.agent)] if wanted.agent else [],
        [terms.of_outcome(wanted.outcome)] if wanted.outcome else [],
        # In a store of one person every event would match.
        [terms.of_tenant(memory.tenant)] if memory.tenant != LOCAL else [],
        *([terms.of_tag(tag)] for tag in wanted.tags),
    )
    if wanted.projects and _most(memory, wanted.projects):
        groups = ([], *groups[1:])
    return Where(tuple(tuple(group) for group in groups if group), wanted.since, wanted.before)


def _most(memory: Memory, projects: Collection[str]) -> bool:
    """Whether most of what there is belongs to these projects: then it is quicker to leave out the others later."""
    counts = [(project in projects, number) for _, project, _, _, number in memory.store.projects()]
    return bool(sum(number for mine, number in counts if mine) >= MOST * sum(number for _, number in counts))


def _needed(wanted: Wanted) -> list[Phrases] | None:
    """The path that must be named; None where it has no word to look for."""
    if not wanted.file:
        return []
    phrase = terms.parts(wanted.file)
    return [(phrase,)] if phrase else None


def _fits(event: Event, wanted: Wanted) -> bool:
    """Whether an event is one that is asked about."""
    if wanted.kinds and event.kind not in wanted.kinds:
        return False
    said = set(terms.place(event).split())
    asked = [terms.of_tag(tag) for tag in wanted.tags]
    asked += [terms.of_agent(wanted.agent)] if wanted.agent else []
    asked += [terms.of_outcome(wanted.outcome)] if wanted.outcome else []
    over = not wanted.file or wanted.file.casefold() in searchable(event).casefold()
    return said.issuperset(asked) and wanted.since <= event.time < wanted.before and over


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
