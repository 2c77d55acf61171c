"""Tasks: seen in a session's events, told by an agent, corrected, found again; every field with its provenance."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import chain
from typing import Any

import pytest

from engrain.capture.session import Session
from engrain.errors import BadInput, NotFound
from engrain.event import TASK, Event
from engrain.learn.kinds import area_of, entry_of, is_test, type_of
from engrain.learn.provenance import UNKNOWN
from engrain.learn.reflect import findings
from engrain.learn.tasks import FIELDS, merged, said_in, told_in
from engrain.learn.worked import tasks as worked
from engrain.memory import Memory
from engrain.memory.tasks import Asked
from engrain.recall.tasks import similar, suggested
from engrain.store import Store
from tests.making import START
from tests.sessions import CWD, Deed, Edited, Ran, session

SECOND = 1_000_000


@pytest.fixture(autouse=True)
def _words_alone(monkeypatch: pytest.MonkeyPatch, _clean_environment: None) -> None:
    """What is found by meaning is another's matter, and takes time."""
    monkeypatch.setenv("ENGRAIN_EMBED_MODEL", "none")


FAILS = "FAILED tests/test_price.py::test_round - assert 1 == 2\n=== 1 failed, 2 passed in 0.10s ==="
PASSES = "tests/test_price.py ...                [100%]\n=== 3 passed in 0.10s ==="


def turn(number: int, prompt: str, deeds: Sequence[Deed], reply: str = "Done.", *, project: str = "p") -> list[Event]:
    """A prompt, what was done for it, and the last word of the agent."""
    start = START + number * 1000 * SECOND
    who = Session("test", "s", project=project, tenant="local")
    events = [who.prompted(start, f"p{number}", prompt, cwd=CWD)]
    done = session(deeds, name="s", project=project, start=start + SECOND)
    events += [event._replace(id=f"{event.id}-{number}") for event in done]
    return [*events, who.replied(start + (len(deeds) + 1) * SECOND, f"r{number}", reply)] if reply else events


def seen(*turns: list[Event], now: int = 0) -> list[Event]:
    """The tasks that a session worked on."""
    events = list(chain.from_iterable(turns))
    carried = {event.id: event.body.get("bodies", {}) for event in events}
    return [event for event, _ in worked(events, lambda _: carried, lambda _: (), root=CWD, now=now)]


ROUNDS = turn(
    1, "fix the rounding of prices in the cart",
    [
        Ran("cat src/price.py", output="def price(): ..."), Ran("pytest -q tests/test_price.py", 1, FAILS),
        Edited("src/price.py", "a\nb", "a\nc\nd"),
        Edited("tests/test_price.py", "", "def test_round():\n    assert price() == 2\n"),
        Ran("pytest -q tests/test_price.py", output=PASSES),
        Ran("gh pr create --fill", output="https://github.com/dana/shop/pull/17"),
    ],
    "**Rounded** half to even. `price()` is exact now.",
)  # fmt: skip


# What is seen


def test_a_prompt_without_a_word_goes_on_with_what_was_asked() -> None:
    picture = turn(2, "x", [Ran("pytest -q", output=PASSES)])
    picture[0] = picture[0]._replace(body={**picture[0].body, "text": ""})
    (event,) = seen(ROUNDS, picture)
    assert event.body["text"].startswith("fix the rounding")
    assert seen(picture) == []


def test_a_prompt_opens_a_task_and_stop_closes_it_with_all_that_was_seen() -> None:
    (event,) = seen(ROUNDS)
    task = merged([told_in(event)])[0]
    said = {name: getattr(task, name) for name in FIELDS}
    assert said == {
        "text": "fix the rounding of prices in the cart", "type": "bugfix", "outcome": "success",
        "summary": "Rounded half to even. price() is exact now.", "entry": "src/price.py", "area": "src",
        "pr": "https://github.com/dana/shop/pull/17", "read": (),
        "modified": ("src/price.py", "tests/test_price.py"), "tests_added": ("test_round",),
        "commands": ("pytest -q tests/test_price.py", "gh pr create --fill"), "added": 4, "removed": 1, "seconds": 7.0,
        "tests": ({"command": "pytest -q tests/test_price.py", "passed": 3, "failed": 0, "errors": 0, "skipped": 0},),
        "errors": (),
    }  # fmt: skip
    assert task.provenance["outcome"] == task.provenance["modified"] == "runtime_observed"
    assert task.provenance["type"] == task.provenance["area"] == task.provenance["entry"] == "heuristic"
    assert task.provenance["errors"] == "unknown"
    assert set(task.provenance) == set(FIELDS)


ENDS = [
    ([Edited("a.py", "1", "2"), Ran("pytest -q", output=PASSES)], ("success", "runtime_observed")),
    ([Edited("a.py", "1", "2"), Ran("pytest -q", 1, FAILS)], ("failed", "runtime_observed")),
    ([Ran("pytest -q", output=PASSES), Edited("a.py", "1", "2")], ("unknown", "unknown")),
    ([Edited("a.py", "1", "2"), Ran("npm run build")], ("success", "heuristic")),
    ([Edited("a.py", "1", "2"), Ran("npm run build", 1, "error")], ("failed", "heuristic")),
    ([Edited("a.py", "1", "2"), Ran("cat a.py")], ("unknown", "unknown")),
    ([Ran("git log")], ("unknown", "unknown")),
]


@pytest.mark.parametrize(("deeds", "outcome"), ENDS)
def test_how_it_ended_is_what_ran_after_the_last_edit(deeds: Sequence[Deed], outcome: tuple[str, str]) -> None:
    task = merged(map(told_in, seen(turn(1, "do it all", deeds))))[0]
    assert (task.outcome, task.provenance["outcome"]) == outcome


def test_a_task_that_has_no_end_waits_until_nobody_is_taken_to_go_on() -> None:
    open_ = turn(1, "round the prices", [Edited("a.py", "1", "2")], reply="")
    assert seen(open_, now=open_[-1].time + SECOND) == []
    assert len(seen(open_, now=open_[-1].time + 7200 * SECOND)) == 1
    assert len(seen(open_, turn(2, "now the cart", [Ran("ls")], reply=""))) == 1
    assert seen(turn(1, "what does this do?", [])) == []


def test_to_go_on_is_no_task_and_what_did_not_end_well_is_taken_up() -> None:
    first = turn(1, "round the prices", [Edited("a.py", "1", "2")])
    found = seen(first, turn(2, "yes, go ahead", [Ran("pytest -q", output=PASSES)]))
    assert [merged([told_in(each)])[0].outcome for each in found] == ["success"]
    again: Sequence[Deed] = [Edited("a.py", "2", "3"), Ran("pytest -q", output=PASSES)]
    tasks = merged(map(told_in, seen(first, turn(2, "no, half to even", again))))
    assert [(task.text, task.outcome) for task in tasks] == [
        ("round the prices", "unknown"), ("round the prices\n\nno, half to even", "success"),
    ]  # fmt: skip
    # What went well is done, and other files are another task.
    well = turn(1, "round the prices", again)
    for later in (
        seen(well, turn(2, "rename it", again)),
        seen(first, turn(2, "rename b", [Edited("b.py", "1", "2")])),
    ):
        assert "\n" not in merged(map(told_in, later))[1].text


def test_a_script_for_oneself_and_what_is_gone_again_are_no_work() -> None:
    deeds = [
        Ran("cat > try.py <<'EOF'\nprint(1)\nEOF"), Ran("python try.py"), Ran("cat > old.py <<'EOF'\nEOF"),
        Ran("sed -i 's/a/b/' src/a.py"), Ran("rm old.py"), Ran("cat > /tmp/x.py <<'EOF'\nEOF"),
    ]  # fmt: skip
    task = merged(map(told_in, seen(turn(1, "rename a", deeds))))[0]
    assert task.modified == ("src/a.py",)


TYPES = [
    ("fix the crash in login", (), "bugfix"), ("Add TOTP login", (), "feature"),
    ("speed up the history page", (), "performance"),
    ("refactor the store into two modules", (), "refactor"), ("write more unit tests for the cart", (), "test"),
    ("update the README", (), "docs"), ("the cart", ("docs/a.md", "README.md"), "docs"),
    ("the cart", ("tests/test_a.py",), "test"), ("the cart", ("src/a.py",), "unknown"), ("", (), "unknown"),
    ("Consider this:\nValueError is raised when the list is empty", (), "bugfix"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "paths", "kind"), TYPES)
def test_the_type_is_inferred_from_words_and_paths(text: str, paths: tuple[str, ...], kind: str) -> None:
    assert type_of(text, paths) == kind


def test_entry_and_area_are_where_most_was_done() -> None:
    assert entry_of([("tests/test_a.py", 5), ("src/a.py", 1), ("src/b.py", 2)]) == "src/b.py"
    assert area_of(["src/shop/cart/a.py", "src/shop/b.py", "docs/c.md"]) == "src/shop"
    assert (entry_of([]), area_of([]), area_of(["a.py"])) == ("", "", "")
    assert [is_test(path) for path in ("tests/a.py", "a_test.go", "src/x.spec.ts", "latest.py")] == [
        True,
        True,
        True,
        False,
    ]


BODIES: list[dict[str, Any]] = [
    {}, {"text": 3, "modified": "a.py", "added": -1, "seconds": True, "outcome": "won", "tests": [3, {}]},
    {"text": " ", "errors": None, "commands": [None, ""]},
]  # fmt: skip


@pytest.mark.parametrize("body", BODIES)
def test_what_makes_no_sense_says_nothing(body: dict[str, Any]) -> None:
    assert said_in(body) in ({}, {"tests": [{}]})


# What is told


def test_what_is_explicit_wins_then_what_was_seen_then_what_came_later(memory: Memory) -> None:
    begun = memory.prepare("round the prices", session="s")
    assert (begun.type, begun.suggestion.hint) == ("unknown", None)
    done = memory.finalize(begun.task, outcome="success", modified=["src/a.py"], summary="half to even")
    assert (done.task.id, done.task.outcome, done.task.area) == (begun.task, "success", "src")
    body = {
        "task": begun.task, "outcome": "failed", "modified": ["b.py"], "seconds": 3.0, "type": "bugfix",
        "provenance": {"outcome": "runtime_observed", "modified": "runtime_observed", "seconds": "runtime_observed",
                       "type": "heuristic"},
    }  # fmt: skip
    memory.record(memory.event(TASK, body))
    found = memory.task(begun.task)
    assert (found.outcome, found.modified, found.seconds, found.type) == ("success", ("src/a.py",), 3.0, "bugfix")
    assert memory.finalize(begun.task, outcome="cancelled").task.outcome == "cancelled"
    assert memory.task(begun.task[:6]).outcome == "cancelled"
    assert memory.finalize(begun.task, outcome="unknown").task.outcome == "cancelled"


def test_a_task_that_an_agent_finalized_is_the_one_that_hooks_saw(memory: Memory) -> None:
    begun = memory.prepare("round the prices")
    memory.finalize(begun.task, outcome="success", summary="half to even")
    mine = turn(
        1, "make prices round", [Edited("a.py", "1", "2"), Ran(f"engrain finalize {begun.task} --outcome success")]
    )
    memory.store.append(event._replace(project=memory.project.id) for event in mine)
    memory.learn()
    (task,) = memory.tasks()
    assert (task.id, task.outcome, task.text, task.modified) == (begun.task, "success", "round the prices", ("a.py",))
    assert task.sources == ("finalized", "mined", "prepared")


BAD: list[dict[str, Any]] = [
    {"text": " "}, {"text": "x", "type": "a\nb"}, {"text": "x", "outcome": "won"}, {"text": "x", "colour": "red"},
]  # fmt: skip


@pytest.mark.parametrize("fields", BAD)
def test_what_is_wrong_is_said_and_nothing_is_kept(memory: Memory, fields: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        memory.finalize(**fields)
    with pytest.raises(NotFound):
        memory.finalize("0123456789ab", outcome="success")
    assert memory.tasks() == []


def test_secrets_and_files_that_nobody_may_know_of_are_left_out(memory: Memory) -> None:
    done = memory.remember_task(
        "rotate the key", modified=[".env", "app.py"], commands=["export API_TOKEN=ghp_" + "a1B2" * 9]
    )
    assert done.task.modified == ("app.py",)
    assert done.redacted
    assert "a1B2a1B2" not in "".join(memory.dump())


# What is found


def remembered(memory: Memory) -> dict[str, str]:
    remember = memory.remember_task
    tests = ["pytest tests/test_price.py"]
    done = {
        "prices": remember("round the prices of the cart", modified=["src/price.py"], tests=tests),
        "login": remember("throttle failed logins", modified=["src/login.py"], type="security"),
        "bad": remember("round the prices of orders", outcome="failed", summary="floats lose cents"),
    }
    return {**{name: each.task.id for name, each in done.items()}, "open": memory.prepare("round gift prices").task}


def test_only_what_worked_is_suggested_what_failed_is_a_warning_and_nothing_where_nothing_fits(memory: Memory) -> None:
    ids = remembered(memory)
    found = memory.suggest("prices in the cart are not round")
    assert [each.task.id for each in found.strategies] == [ids["prices"]]
    assert [each.task.id for each in found.warnings] == [ids["bad"]]
    assert memory.suggest("send a letter by pigeon") == ((), ())
    assert {each.task.id for each in memory.recall_similar_tasks("round prices")} == {
        ids["prices"],
        ids["bad"],
        ids["open"],
    }
    # The words alone say too little; that it is about the same file, too, decides.
    assert memory.suggest("throttle something somewhere else entirely").hint is None
    there = memory.suggest(Asked("throttle something somewhere", files=("src/login.py",)))
    assert there.hint is not None
    assert (there.hint.task.id, "files" in there.hint.because) == (ids["login"], True)


def test_a_strategy_counts_as_followed_when_it_was_shown_and_done(memory: Memory) -> None:
    ids = remembered(memory)
    begun = memory.prepare(Asked("round the prices in the cart again"))
    assert begun.suggestion.hint is not None
    other = memory.finalize(begun.task, outcome="success", modified=["README.md"])
    assert other.task.followed == ()
    begun = memory.prepare("round the prices in the cart again")
    done = memory.finalize(begun.task, outcome="success", tests=["python -m pytest -x tests/test_price.py"])
    assert done.task.followed == (ids["prices"],)
    unseen = memory.remember_task("round the prices in the cart at last", modified=["src/price.py"])
    assert unseen.task.followed == ()
    memory.suggest("round the prices in the cart", session="x")
    mine = turn(1, "round the prices", [Edited("src/price.py", "1", "2")])
    last = max(event.time for event in memory.store.events())
    moved = [event._replace(project=memory.project.id, time=last + n) for n, event in enumerate(mine)]
    memory.store.append(moved)
    memory.learn()
    assert memory.tasks()[0].followed == ()


def test_the_later_of_two_that_fit_alike_comes_first(memory: Memory) -> None:
    first = memory.remember_task("round the prices", modified=["a.py"]).task.id
    second = memory.remember_task("round all the prices", modified=["b.py"]).task.id
    found = [each.task.id for each in memory.suggest("round prices").strategies]
    assert found[0] == second
    assert found == [second] or found == [second, first]


def test_forgetting_a_task_forgets_all_that_tells_of_it(memory: Memory) -> None:
    ids = remembered(memory)
    gone = memory.to_forget(memory_choice(ids["prices"]))
    assert len(gone) == 1
    memory.forget(gone)
    assert memory.suggest("prices in the cart are not round").hint is None
    with pytest.raises(NotFound):
        memory.task(ids["prices"])


def memory_choice(id_: str) -> Any:
    from engrain.store.store import Choice

    return Choice(ids=(id_,))


# Agreements


def test_tables_are_a_function_of_the_set_of_events(store: Store) -> None:
    events = [*seen(ROUNDS), *seen(turn(2, "now the cart", [Edited("b.py", "1", "2")]))]
    shown = events[0]._replace(id="shown", kind="task.shown", body={"tasks": ["a" * 12], "of": "b" * 12})
    events += [shown, shown._replace(id="none", body={"tasks": []})]
    dumps = set()
    for seed in range(3):
        random.Random(seed).shuffle(events)
        for each in events:
            store.append([each])
        dumps.add("".join(store.dump()))
        store.rebuild()
        dumps.add("".join(store.dump()))
    assert len(dumps) == 1


def test_whoever_looks_again_says_the_same(memory: Memory) -> None:
    memory.store.append(event._replace(project=memory.project.id) for event in ROUNDS)
    assert memory.learn() == 1
    before = memory.tasks()
    memory.store.append(event._replace(project=memory.project.id) for event in turn(2, "and the cart", [Ran("ls")]))
    memory.learn()
    assert memory.tasks()[-1:] == before
    assert memory.tasks()[0].outcome == UNKNOWN


def test_usage_counts_what_was_recorded(memory: Memory) -> None:
    assert memory.usage().tasks == 0
    remembered(memory)
    begun = memory.prepare("round the prices in the cart")
    memory.finalize(begun.task, outcome="success", modified=["src/price.py"])
    memory.suggest("send a letter by pigeon")
    found = memory.usage()
    assert (found.tasks, found.outcomes) == (5, {"failed": 1, "success": 3, "unknown": 1})
    assert (found.shown, found.silent, found.followed, found.followed_success) == (2, 1, 1, 1)
    assert [(each.shown, each.followed) for each in found.strategies] == [(2, 1)]


# Reflection


LOOK = Ran("cat a.py", output="x")
LOOPS = [Ran("pytest -q", 1, FAILS)] * 3
READS = [Ran(f"cat src/f{number}.py", output="x") for number in range(16)]
CIRCLES: list[tuple[Sequence[Deed], list[tuple[str, str, int]]]] = [
    (LOOPS, [("looping", "pytest", 3)]),
    ([*LOOPS[:2], Edited("a.py", "1", "2"), *LOOPS[:1]], []),
    ([LOOK] * 3, [("reopened_files", f"{CWD}/a.py", 3)]),
    ([*[LOOK] * 2, Edited("a.py", "1", "2"), LOOK, Ran("pytest", 0, PASSES)], []),
    (READS, [("over_exploration", "and nothing was changed", 16)]),
    (READS[:9], []),
    ([Ran("pytest", 0, PASSES), Edited("a.py", "1", "2"), Edited("a.md", "1", "2")],
     [("untested_edits", f"{CWD}/a.py", 1)]),
    ([Edited("a.py", "1", "2"), Ran("pytest", 0, PASSES)], []),
]  # fmt: skip


@pytest.mark.parametrize(("deeds", "expected"), CIRCLES)
def test_what_goes_in_circles_is_told_with_its_evidence(
    deeds: Sequence[Deed], expected: list[tuple[str, str, int]]
) -> None:
    events = session(deeds)
    found = findings(events)
    assert [each[:3] for each in found] == expected
    assert all(set(each.evidence) <= {event.id for event in events} for each in found)
    assert all(len(each.evidence) == each.times for each in found)


def test_ranking_asks_by_name_alone() -> None:
    asked: list[str] = []

    def look(question: str, args: dict[str, Any]) -> list[tuple[Any, ...]]:
        asked.append(question)
        return [(0,)] if question == "tasks_number" else []

    from engrain.recall.tasks import Who

    assert suggested(similar(look, Who("local", ("p",)), Asked("round the prices"), {}), 3) == ((), ())
    assert asked == ["tasks_number"]


@pytest.mark.parametrize(
    ("tests", "said"),
    [
        ([{"command": "pytest -q"}], "1 file changed, tested by 1 command"),
        ([{"command": "pytest -q", "passed": 3, "failed": 1}], "1 file changed, tests 3 passed, 1 failed"),
        ([], "1 file changed"),
    ],
)
def test_a_summary_counts_only_tests_that_somebody_counted(memory: Memory, tests: list[Any], said: str) -> None:
    done = memory.remember_task("round prices", modified=["src/price.py"], tests=tests, outcome="success")
    assert done.text.endswith(f": success [explicit]; {said}")
