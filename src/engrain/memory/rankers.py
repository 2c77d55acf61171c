"""Rankers: a question → what each way of looking finds, best first, and how good the best of it is.

    key      what is about the very failure that was typed
    exact    what has the very names and quotes
    words    what has the words
    meaning  what means the same

Each may abstain. Functions over a Memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from engrain.learn.terms import Typed
from engrain.memory import keyed, meaning
from engrain.memory.wanted import Wanted, fits, needed, where
from engrain.recall import rank
from engrain.recall.fuse import Ranking, shared_places, standing_out
from engrain.recall.rank import EXACT, KEY, MEANING, WEIGHTS, WORDS
from engrain.store.rows import Key
from engrain.store.words import Fitting, Phrases, Where

if TYPE_CHECKING:
    from engrain.memory import Memory

POOL, WIDE_POOL = 100, 500
"""What a ranker names at most; and meaning, where much of what it names may be left out again."""

Scored = Sequence[tuple[Key, float]]
"""Events with how well they fit: the share of what was asked that their words have, or how near their meaning is."""


class Found(NamedTuple):
    """What all rankers found; by words and by meaning with how well it fits; and what is about the failure that was
    typed, with what it has to do with it."""

    rankings: list[Ranking[Key]]
    words: Scored = ()
    near: Scored = ()
    keyed: Mapping[Key, str] = {}


def found(memory: Memory, text: str, typed: Typed, wanted: Wanted) -> Found:
    """What each ranker finds."""
    must = needed(wanted)
    if must is None:
        return Found([])
    place = where(memory, wanted)
    known, having = _keyed(memory, text, wanted), _exact(memory, typed, place, must)
    exact = [each.key for each in having]
    words = _of(wanted, _by_words(memory, typed, place, must))
    if typed.quoted and exact:
        words = [each for each in words if each[0] in set(exact)]
    sure = rank.sure(words[0][1]) if words else 0.0
    rankings = [
        Ranking(KEY, WEIGHTS[KEY], list(known)),
        # Of texts that have the same names none has them better; the words around them tell.
        Ranking(EXACT, WEIGHTS[EXACT], exact, shared_places([each.score for each in having], alike=rank.SAME_NAMES)),
        Ranking(WORDS, WEIGHTS[WORDS] * sure, rank.fitting(words)),
    ]  # fmt: skip
    near: Scored = ()
    if not (exact and (typed.quoted or _only_names(typed))):
        # Whoever types a name and nothing else, or quotes, means these very words.
        near = _near(memory, text, wanted)
        number = standing_out([near_ for _, near_ in near], least=rank.LEAST_NEAR, within=rank.WITHIN_NEAR)
        rankings.append(Ranking(MEANING, WEIGHTS[MEANING], [key for key, _ in near[:number]]))
    return Found(rankings, words, near, known)


def clearly_better(memory: Memory, text: str, typed: Typed, wanted: Wanted, here: Found) -> Key | None:
    """What another project knows clearly better than all that was found here."""
    anywhere, must = wanted._replace(projects=()), needed(wanted)
    if must is None or here.keyed or not _others(memory, wanted):
        return None
    if known := [key for key in _keyed(memory, text, anywhere, keyed.HELPS) if key[1] not in wanted.projects]:
        return known[0]
    words = _beside(memory, wanted, _by_words(memory, typed, where(memory, anywhere), must))
    if not rank.clearly(words, here.words, least=rank.SHARE_ELSEWHERE):
        return None
    near = _beside(memory, wanted, _near(memory, text, anywhere))
    same = bool(near) and near[0][0] == words[0][0]
    return near[0][0] if same and rank.clearly(near, here.near, least=rank.NEAR_ELSEWHERE) else None


def _others(memory: Memory, wanted: Wanted) -> bool:
    """Whether there is any other project."""
    rows = memory.store.projects() if wanted.projects else ()
    return any(tenant == memory.tenant and project not in wanted.projects for tenant, project, *_ in rows)


def _of(wanted: Wanted, scored: Scored) -> Scored:
    return [each for each in scored if each[0][1] in wanted.projects] if wanted.projects else scored


def _beside(memory: Memory, wanted: Wanted, scored: Scored) -> Scored:
    return [each for each in scored if each[0][0] == memory.tenant and each[0][1] not in wanted.projects]


def _keyed(memory: Memory, text: str, wanted: Wanted, *only: str) -> Mapping[Key, str]:
    """What is about the very failure that was typed, and how; nothing where none was."""
    keys = keyed.keys_of(memory, text)
    known = keyed.remembered(memory, keys, wanted.projects) if keys.fingerprint else {}
    known = {key: why for key, why in known.items() if not only or why in only}
    if known and wanted != Wanted(wanted.projects):
        events = memory.store.keyed(list(known))
        known = {key: why for key, why in known.items() if key in events and fits(events[key], wanted)}
    return known


def _exact(memory: Memory, typed: Typed, where: Where, needed: Sequence[Phrases]) -> Sequence[Fitting]:
    """What has all that was quoted, else what has a name that is written as only names are."""
    asks = memory.store.words
    if typed.quoted:
        found = asks.all_of([*(each.phrases for each in typed.quoted), *needed], where, limit=POOL)
    else:
        found = asks.any_of([each.phrases for each in typed.names], where, needed=needed, limit=POOL)
    return found if typed.quoted or typed.names else ()


def _by_words(memory: Memory, typed: Typed, place: Where, must: Sequence[Phrases]) -> Scored:
    """What has the words, each with the share that it has of what was asked."""
    sought = [each.phrases for each in (*typed.names, *typed.words)]
    fitting = memory.store.words.any_of(sought, place, needed=must, limit=POOL)
    asked = memory.store.words.telling(sought)
    return [(each.key, each.score / asked if asked else 1.0) for each in fitting]


def _near(memory: Memory, text: str, wanted: Wanted) -> Scored:
    """What is near in meaning."""
    most = WIDE_POOL if wanted.narrow else POOL
    near = meaning.nearest(memory, text, kinds=wanted.kinds, projects=wanted.projects, limit=most)
    if wanted.narrow:
        known = memory.store.keyed([each[:3] for each in near])
        near = [each for each in near if each[:3] in known and fits(known[each[:3]], wanted)]
    return [(each[:3], each.similarity) for each in near]


def _only_names(typed: Typed) -> bool:
    """Whether nothing but names was typed."""
    parts = {part for each in typed.names for phrase in each.phrases for part in phrase}
    return bool(typed.names) and all(word.phrases[0][0] in parts for word in typed.words)
