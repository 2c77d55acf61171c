"""Answer: a failure → the fixes that are known for it, the best first.

    exact         the same fingerprint, come out through the same exceptions, of a failure that says what is wrong
    generalised   the same family; the recipe names what varies, and here is what it names
    similar       the same root that came out another way; the same words that could mean anything (`vague`); a fix
                  that names what only the other failure was about; or, where nothing else is known, the same tool and
                  type of error in nearly the same words. Never mixed with what is exact: it says so.

When unsure it is silent: an output that no parser could make sense of has no answer, a fix that is believed to fail is
not served, nor one whose step is the command that has just failed.

What comes in is a fingerprint and `look`, a function that answers named questions (`Database.all`, or `Reader`). On the
hook's path, a thousandth of a second long however many fixes there are: each question reads a bounded number of rows
along an index.
"""

from __future__ import annotations

from collections import namedtuple

from engrain import light
from engrain.learn.belief import Sources, belief, believed_to_fail, interval, lower
from engrain.learn.broken import KEY as ANY_BROKEN
from engrain.learn.broken import broken
from engrain.learn.commands import repeats
from engrain.learn.here import BOTH, COMMAND, FILE, KIND, everywhere
from engrain.learn.named import to_be_had
from engrain.learn.recipe import names_in, rendered, unpacked
from engrain.learn.retyped import applied, is_rule
from engrain.learn.values import files, values
from engrain.model import EXACT, GENERALISED, NOISE, SIMILAR, Fix
from engrain.recall.evidence import EDIT, SAID, counted, enough, fitting, is_edit, local_keys, mined_only
from engrain.recall.near import alike, elsewhere_named, kin, vague, wording_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, NamedTuple

    from engrain.learn.belief import Belief
    from engrain.model import Fingerprint

    Look = Callable[[str, dict[str, Any]], list[tuple[Any, ...]]]

    class Asked(NamedTuple):
        """Who asks, where and when: `projects` are all ids of the project, `command` is what failed, in `cwd`."""

        tenant: str
        projects: Sequence[str]
        now: int
        command: str = ""
        cwd: str = ""

    class Row(NamedTuple):
        """A row of the table of fixes."""

        project: str
        fix: str
        key: str
        wide: int
        through: str
        family: str
        toolchain: str
        error_type: str
        wording: str
        steps: str
        parameters: str
        general: str
        taught: int
        mined: int
        imported: int
        worked: int
        failed: int
        first: int
        last: int

    class Candidate(NamedTuple):
        """A fix with its rows of all projects, before anything is known of how it went."""

        rows: list[Row]
        match: str
        steps: tuple[str, ...]
        because: str

    class Outcome(NamedTuple):
        """A row of the table of evidence."""

        project: str
        fix: str
        week: int
        provenance: str
        worked: int
        failed: int

    class Weighed(NamedTuple):
        """A candidate with what is believed of it, what would be by what was `seen` alone, and how often it was seen to
        work and to fail."""

        candidate: Candidate
        belief: Belief
        seen: Belief
        worked: int
        failed: int
        here: bool
else:
    Asked = namedtuple("Asked", "tenant projects now command cwd", defaults=("", ""))
    Row = namedtuple(
        "Row",
        "project fix key wide through family toolchain error_type wording steps parameters general"
        " taught mined imported worked failed first last",
    )
    Candidate = namedtuple("Candidate", "rows match steps because")
    Outcome = namedtuple("Outcome", "project fix week provenance worked failed")
    Weighed = namedtuple("Weighed", "candidate belief seen worked failed here")

MOST_ROWS = 64
"""Rows of one question. A failure with more recipes than that has no recipe."""

MOST_RANKED = 8
"""Fixes that get an exact bound."""

SHOWN = 3

MOST_FILES = 4
"""Files that one step names."""

EDIT_NAMED = '["edit {file}"]'
"""The steps of a recipe that only says to edit what the failure names."""

SEEN = ("explicit", "runtime_observed")
"""Provenances of an outcome that somebody saw; the others are guesses."""

_ORDER = {EXACT: 0, GENERALISED: 1, SIMILAR: 2}


def answer(look: Look, found: Fingerprint, asked: Asked, *, limit: int = SHOWN) -> tuple[Fix, ...]:
    """The fixes for a failure."""
    if not answerable(found):
        return ()
    named = values(found, asked.cwd)
    sure = [*_exact(look, found, named, asked), *_generalised(look, found, named, asked)]
    known = _proven(look, found, named, asked, [*sure, *_here(look, found, named, asked)])
    if not known:
        known = _proven(look, found, named, asked, list(_similar(look, found, named, asked)))
    helping = [each for each in (_without_repeats(each, asked.command) for each in known) if each.steps]
    told = [_told(look, each, asked) for each in _best(look, helping, asked)[:limit]]
    return tuple(sorted([_of_this(each, found, asked) for each in told], key=lambda fix: _ORDER[fix.match]))


def answerable(found: Fingerprint) -> bool:
    """Whether the failure is known well enough: the last line of an output that nobody understood is not."""
    if found.root.rank >= NOISE:
        # Nothing but a warning: it stood there before the failure, too.
        return False
    return found.known or len(wording_of(found).split()) >= 4


def kept(look: Look, rows: Iterable[Sequence[Any]], asked: Asked) -> list[Fix]:
    """Fixes as they are kept, whatever is believed of them: for lists."""
    candidates = [Candidate(each, "", _own_steps(each[0]), "") for each in _grouped(rows)]
    return [_told(look, each, asked) for each in _weighed(look, candidates, asked)]


# What may help


def _exact(look: Look, found: Fingerprint, named: Mapping[str, str], asked: Asked) -> Iterator[Candidate]:
    unclear = vague(found)
    # Where nothing decides, a failure has the key of its family: what is kept for that is general.
    for rows in (rows for rows in _fixes(look, found.fingerprint, asked) if not rows[0].wide):
        if not names_in(unpacked(rows[0].steps), _parameters(rows[0])) <= named.keys():
            continue
        same = rows[0].through == found.through
        because = unclear or ("the same failure" if same else "the same root, come out another way")
        match = EXACT if same and not unclear else SIMILAR
        yield Candidate(rows, match, _steps(rows, found, named, asked), because)
    for rows in _local(look, found, named, asked, BOTH):
        if _parameters(rows[0]).keys() <= named.keys():
            yield Candidate(rows, EXACT, _steps(rows, found, named, asked), SAID[BOTH])


def _generalised(look: Look, found: Fingerprint, named: Mapping[str, str], asked: Asked) -> Iterator[Candidate]:
    for rows in _fixes(look, found.family, asked) if named else ():
        known = rows[0].wide and _parameters(rows[0]).keys() <= named.keys()
        if known and to_be_had(unpacked(rows[0].steps), named, asked.cwd):
            yield Candidate(rows, GENERALISED, _steps(rows, found, named, asked), "the same kind of failure")
    for rows in _fixes(look, everywhere(found.family), asked) if not vague(found) else ():
        if not _parameters(rows[0]).keys() <= named.keys() or not to_be_had(unpacked(rows[0].steps), named, asked.cwd):
            continue
        yield Candidate(rows, GENERALISED, _steps(rows, found, named, asked), "the same kind of failure")
    if broken(found.error_type) and "file" in named:
        for rows in _fixes(look, ANY_BROKEN, asked):
            yield Candidate(rows, GENERALISED, _steps(rows, found, named, asked), "a file that does not parse")


def _similar(look: Look, found: Fingerprint, named: Mapping[str, str], asked: Asked) -> Iterator[Candidate]:
    like = alike(found)
    for toolchain in kin(found.toolchain):
        args = {"tenant": asked.tenant, "toolchain": toolchain, "error_type": found.error_type, "limit": MOST_ROWS}
        because = f"the same {'tool' if toolchain == found.toolchain else 'language'}, in nearly the same words"
        for rows in _grouped(look("fixes_by_type", args)):
            if like(rows[0].wording, rows[0].parameters):
                yield Candidate(rows, SIMILAR, _steps(rows, found, named, asked), because)


def _here(look: Look, found: Fingerprint, named: Mapping[str, str], asked: Asked) -> Iterator[Candidate]:
    """What ended other failures of this command in this project."""
    for kind in (KIND, FILE, COMMAND):
        for rows in _local(look, found, named, asked, kind):
            if _parameters(rows[0]).keys() <= named.keys():
                yield Candidate(rows, SIMILAR, _steps(rows, found, named, asked), SAID[kind])


def _local(look: Look, found: Fingerprint, named: Mapping[str, str], asked: Asked, kind: str) -> list[list[Row]]:
    keys = [key for key, of in local_keys(found, named, asked).items() if of == kind]
    args = {"tenant": asked.tenant, "keys": keys, "limit": MOST_ROWS}
    return _grouped(look("fixes_by_keys", args)) if keys else []


def _proven(
    look: Look, found: Fingerprint, named: Mapping[str, str], asked: Asked, candidates: list[Candidate]
) -> list[Candidate]:
    """Without what was only mined, and not often enough."""
    if not any(mined_only(each) for each in candidates):
        return candidates
    counts = counted(look, found, local_keys(found, named, asked), asked)
    kept: list[Candidate] = []
    # An edit comes last: where something else is known, it may stand beside that.
    for each in sorted(candidates, key=lambda each: bool(each.steps) and is_edit(each.steps[0])):
        fits = mined_only(each) and fitting(look, each, named, asked)
        why = enough(each, counts, asked, beside=bool(kept)) if fits else ""
        if why or not mined_only(each):
            kept.append(each._replace(because=f"{each.because}: {why}") if why else each)
    return kept


def _fixes(look: Look, key: str, asked: Asked) -> list[list[Row]]:
    args = {"tenant": asked.tenant, "key": key, "limit": MOST_ROWS}
    rows = look("fixes_by_key", args)
    if len(rows) == MOST_ROWS and any(row.imported for row in map(Row._make, rows)):
        # However many fixes somebody shares for a failure, what was learned here is not pushed out by them.
        rows = [*look("learned_by_key", args), *rows]
    return _grouped(dict.fromkeys(map(tuple, rows)))


def _grouped(rows: Iterable[Sequence[Any]]) -> list[list[Row]]:
    by_fix: dict[str, list[Row]] = {}
    for row in map(Row._make, rows):
        by_fix.setdefault(row.fix, []).append(row)
    return list(by_fix.values())


def _parameters(row: Row) -> Mapping[str, str]:
    found: dict[str, str] = light.loads(row.parameters)
    return found


def _steps(rows: list[Row], found: Fingerprint, named: Mapping[str, str], asked: Asked) -> tuple[str, ...]:
    """The steps for this failure; a change of the command is shown as the command that it makes of this one."""
    steps = rendered(unpacked(rows[0].steps), named)
    if rows[0].steps == EDIT_NAMED:
        named_files = files(found, asked.cwd)[:MOST_FILES]
        return (EDIT + ", ".join(named_files),) if named_files else ()
    if not asked.command or not any(is_rule(step) for step in steps):
        return steps
    changed = tuple(applied(step, asked.command) if is_rule(step) else step for step in steps)
    return changed if all(changed) else ()


def _own_steps(row: Row) -> tuple[str, ...]:
    """The steps as they were taught; of a whole family as they are kept."""
    steps = unpacked(row.steps)
    return steps if row.wide else rendered(steps, _parameters(row)) or steps


def _without_repeats(each: Candidate, command: str) -> Candidate:
    """Without the steps that are what has just failed: doing that again is no help."""
    if not command or any(is_rule(step) for step in unpacked(each.rows[0].steps)):
        return each
    return each._replace(steps=tuple(step for step in each.steps if not repeats(step, command)))


# How sure that is


def _best(look: Look, candidates: list[Candidate], asked: Asked) -> list[Weighed]:
    """Those that are not believed to fail, the best of each match first; of two with the same steps the better."""
    found = [each for each in _weighed(look, candidates, asked) if not believed_to_fail(each.belief)]
    found.sort(key=lambda each: (_ORDER[each.candidate.match], -min(map(_about, _beliefs(each)))))
    distinct: dict[tuple[str, ...], Weighed] = {}
    for each in found:
        distinct.setdefault(each.candidate.steps, each)
    return sorted(list(distinct.values())[:MOST_RANKED], key=_rank)


def _rank(each: Weighed) -> tuple[bool, int, float, bool, int, str]:
    """What can be run comes before what was edited once, whose hunk may be about something else."""
    rows, match = each.candidate.rows, each.candidate.match
    edit, newest = mined_only(each.candidate) and is_edit(each.candidate.steps[0]), max(row.last for row in rows)
    return edit, _ORDER[match], -min(map(lower, _beliefs(each))), not each.here, -newest, rows[0].fix


def _beliefs(each: Weighed) -> tuple[Belief, ...]:
    """What is believed, and what would be without the counts that somebody wrote into a corpus: the worse of both
    ranks, or whoever shares fixes could put theirs above one that was taught here."""
    return (each.belief, each.seen) if each.seen != each.belief else (each.belief,)


def _about(belief: Belief) -> float:
    """Near the lower bound, and quick: it chooses which are worth an exact one."""
    total = belief.alpha + belief.beta
    return belief.mean - float((belief.mean * (1 - belief.mean) / (total + 1)) ** 0.5)


def _weighed(look: Look, candidates: list[Candidate], asked: Asked) -> list[Weighed]:
    if not candidates:
        return []
    ids = [each.rows[0].fix for each in candidates]
    outcomes: dict[str, list[Outcome]] = {id_: [] for id_ in ids}
    for row in look("evidence_of", {"tenant": asked.tenant, "fixes": ids}):
        outcomes[row[1]].append(Outcome._make(row))
    return [_weigh(each, outcomes[each.rows[0].fix], asked) for each in candidates]


def _weigh(each: Candidate, outcomes: list[Outcome], asked: Asked) -> Weighed:
    sources = Sources(*(sum(getattr(row, name) for row in each.rows) for name in Sources._fields))
    if each.match in (GENERALISED, SIMILAR):
        # Taught against another failure: here it is a guess, as a mined one is.
        sources = sources._replace(taught=0, mined=sources.taught + sources.mined)
    here = [outcome[2:] for outcome in outcomes if outcome.project in asked.projects]
    elsewhere = [outcome[2:] for outcome in outcomes if outcome.project not in asked.projects]
    claims = sources.worked or sources.failed
    believed = belief(sources, here, elsewhere, asked.now)
    return Weighed(
        each,
        believed,
        belief(sources._replace(worked=0, failed=0), here, elsewhere, asked.now) if claims else believed,
        sum(outcome.worked for outcome in outcomes if outcome.provenance in SEEN),
        sum(outcome.failed for outcome in outcomes if outcome.provenance in SEEN),
        any(row.project in asked.projects for row in each.rows),
    )


def _of_this(fix: Fix, found: Fingerprint, asked: Asked) -> Fix:
    """An exact fix whose steps name what only the failure was about that it was taught against is no longer one."""
    other = elsewhere_named(fix, found, asked.command) if fix.match == EXACT else ""
    return fix._replace(match=SIMILAR, because=f"the same failure, but of {other}") if other else fix


def _told(look: Look, each: Weighed, asked: Asked) -> Fix:
    """The fix with what was said about it."""
    rows = each.candidate.rows
    said = look("told_of", {"tenant": asked.tenant, "fix": rows[0].fix})
    failure, cause, example = said[0] if said else ("", "", "")
    low, high = interval(each.belief)
    return Fix(
        id=rows[0].fix,
        general=rows[0].general,
        steps=each.candidate.steps,
        # Why another module was missing says nothing of this one.
        cause="" if each.candidate.match == GENERALISED else cause,
        example=example,
        failure=failure,
        match=each.candidate.match,
        belief=each.belief.mean,
        low=low,
        high=high,
        worked=each.worked,
        failed=each.failed,
        taught=sum(row.taught for row in rows),
        mined=sum(row.mined for row in rows),
        imported=sum(row.imported for row in rows),
        here=each.here,
        first=min(row.first for row in rows),
        last=max(row.last for row in rows),
        because=each.candidate.because,
    )
