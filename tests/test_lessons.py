"""Lessons: when a rule fires, that all of them do and none takes long, and what is decided of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engrain import event as events
from engrain.errors import BadInput, NotFound
from engrain.event import LESSON, LESSON_HEEDED
from engrain.learn.lessons import AGAIN, DAY, Past, standing
from engrain.learn.trigger import Call, Trigger, flaw, keys, keys_of, reaches, risky, runs
from engrain.memory import Memory, lessons
from engrain.recall.bounded import Clock
from engrain.recall.lessons import Fired, call_of, fired_event, line, matches, stopped_events
from engrain.upkeep import doctor
from tests.making import START, Ran, event

FORCE = Call("Bash", "git push --force origin main")
ENDLESS, FUEL = r"(a+)+$", "a" * 60 + "!"


def said(memory: Memory, call: Call) -> list[str]:
    return [lesson.text for lesson in memory.lessons_for(call).lessons]


# When a rule fires

FIRES = [
    (Trigger(command="git push"), FORCE, True),
    (Trigger(command=r"git\s+push.*(--force|-f)\b"), FORCE, True),
    (Trigger(command=r"git\s+push.*(--force|-f)\b"), Call("Bash", "git push origin main"), False),
    (Trigger(command="(?i)DROP (TABLE|DATABASE)"), Call("Bash", "psql -c 'drop table users'"), True),
    (Trigger(command=".*--force"), FORCE, True),
    (Trigger(tool="bash", command="push"), FORCE, True),
    (Trigger(tool="Edit|Write", command="push"), FORCE, False),
    (Trigger(tool="mcp__*"), Call("mcp__db__query"), True),
    (Trigger(tool="Write"), Call("write"), True),
    (Trigger(path="migrations/*.sql"), Call("Edit", paths=("/srv/shop/db/migrations/001.sql",)), True),
    (Trigger(path="migrations/*.sql"), Call("Edit", paths=("/srv/shop/migrations/old/001.sql",)), False),
    (Trigger(path="migrations/**"), Call("Edit", paths=("/srv/shop/migrations/old/001.sql",)), True),
    (Trigger(path="migrations/"), Call("Edit", paths=("migrations/old/001.sql",)), True),
    (Trigger(path="migrations/"), Call("Edit", paths=("migrations",)), False),
    (Trigger(path="*.lock, Makefile"), Call("Edit", paths=("/srv/Makefile",)), True),
    (Trigger(path="src/**/test_?.py"), Call("Edit", paths=("src/a/b/test_x.py",)), True),
    (Trigger(path="src/**/test_?.py"), Call("Edit", paths=("src/test_x.py",)), True),
    (Trigger(path="src/[ab].py"), Call("Edit", paths=("C:\\shop\\src\\b.py",)), True),
    (Trigger(input="TODO|FIXME"), Call("Write", input="x = 1  # FIXME later"), True),
    (Trigger(output="REFUSED.*6379", phase="after"), Call("Bash", output="REFUSED ::1:6379", phase="after"), True),
    (Trigger(output="REFUSED.*6379", phase="after"), Call("Bash", output="REFUSED ::1:6379"), False),
    (Trigger(command="x{0,2}yz"), Call("Bash", "an xyz"), True),
    (Trigger(command="(?=push)"), FORCE, True),
    (Trigger(command="^git"), FORCE, True),
    (Trigger(command="^push"), FORCE, False),
    (Trigger(command="ab"), Call("Bash", "tab"), True),
    (Trigger(phase="start"), Call(phase="start"), True),
]  # fmt: skip


@pytest.mark.parametrize(("trigger", "call", "fires"), FIRES, ids=range(len(FIRES)))
def test_a_rule_fires_where_all_that_it_says_holds(trigger: Trigger, call: Call, fires: bool) -> None:
    assert flaw(trigger) == ""
    with Clock() as clock:
        assert bool(matches(trigger, call, clock)) is fires
    if fires:
        assert set(keys(trigger)) & keys_of(call), "it would never be looked at"


@settings(max_examples=300, deadline=None)
@given(
    pattern=st.from_regex(r"(abc|[a-f]x|\(?:d[ef]g\)|gh\+|i\*j|\(k\|lmn\)|o\?pq|\.|\\s|\\w\+){1,5}", fullmatch=True),
    data=st.data(),
)
def test_no_rule_is_left_out_by_its_keys(pattern: str, data: st.DataObject) -> None:
    trigger = Trigger(command=pattern)
    if flaw(trigger):
        return
    command = data.draw(st.from_regex(pattern))
    with Clock() as clock:
        if matches(trigger, Call("Bash", command), clock):
            assert set(keys(trigger)) & keys_of(Call("Bash", command))


@pytest.mark.parametrize(
    ("pattern", "sure"),
    [
        ("git push", ["git push"]),
        ("git (push|pull) --force", [" --force"]),
        ("(rm -rf|mkfs)", ["rm -rf", "mkfs"]),
        ("(rm|mkfs)", []),
        (r"(?:drop)\s+table", ["table"]),
        ("x*", []),
        ("(?:abc)?", []),
        ("(?:abc)+", ["abc"]),
    ],
)
def test_what_must_stand_in_a_match(pattern: str, sure: list[str]) -> None:
    found = runs(pattern)
    assert found == sure or sorted(found) == sorted(sure)


@pytest.mark.parametrize(
    ("pattern", "bad"),
    [("(a+)+$", True), (r"(\w+\s*)*x", True), ("(a|aa)+$", True), (r"git\s+push.*-f", False), ("(ab)+c", False)],
)
def test_an_expression_that_might_never_end_is_known(pattern: str, bad: bool) -> None:
    assert risky(Trigger(command=pattern)) is bad


def test_globs_mean_what_ignore_files_mean() -> None:
    assert reaches("docs", "a/docs/x.md")
    assert not reaches("docs/", "docs")
    assert not reaches("a/*.py", "a/b/c.py")
    assert not reaches("", "x")


def test_a_call_is_read_whatever_its_tool_calls_things() -> None:
    edit = call_of("Edit", {"file_path": "/p/a.py", "old_string": "secret=1", "new_string": "x = 2"})
    assert (edit.paths, edit.input) == (("/p/a.py",), "x = 2")
    patch = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-a\n+b\n*** End Patch"
    assert "src/a.py" in call_of("apply_patch", {"command": patch}).paths
    shell = call_of("Bash", {"command": "rm -rf build/out ./x.txt"})
    assert (shell.command, shell.paths) == ("rm -rf build/out ./x.txt", ("build/out", "./x.txt"))
    assert call_of("shell", {"command": ["git", "push"]}).command == "git push"
    assert call_of("odd", None) == Call("odd")


# Time


def test_of_thousands_of_rules_all_that_match_fire_and_the_endless_one_is_stopped(memory: Memory) -> None:
    rules = [
        events.make(LESSON, {"text": f"rule {n}", "trigger": {"command": f"deploy service-{n}"}}, project="*")
        for n in range(1000)
    ]
    rules += [
        events.make(LESSON, {"text": f"push {n}", "trigger": {"command": rf"git\s+push.*--force{'.*' * (n % 3)}"}},
                    project=memory.project.id)
        for n in range(30)
    ]  # fmt: skip
    rules.append(events.make(LESSON, {"text": "endless", "trigger": {"command": ENDLESS}}, project="*"))
    memory.record(*rules)
    call = Call("Bash", f"git push --force {FUEL}")
    began = time.thread_time()
    found = memory.lessons_for(call)
    assert time.thread_time() - began < 1, "an expression that is not stopped takes years"
    assert {lesson.text for lesson in found.lessons} == {f"push {n}" for n in range(30)}
    assert [each.project for each in found.stopped] == ["*"]
    memory.record(*stopped_events(found, tenant=memory.tenant))
    assert memory.lessons_for(call).stopped == (), "what was stopped is not tried again"
    assert [each.state for each in lessons.wanting(memory)] == ["stopped"]
    patient = doctor.Patient(memory.home, lambda: memory.store, reserve_mb=0, deep=False, now=time.time())
    assert any("does not fire any more" in each.says for each in doctor.examine(patient))
    lessons.decide(memory, found.stopped[0].id, "active")
    assert memory.lessons_for(call).stopped, "accepted anew it is tried again"


def test_where_nothing_can_be_stopped_the_risky_is_not_tried(memory: Memory) -> None:
    memory.learn_lesson("endless", command=ENDLESS)
    memory.learn_lesson("no force", command="--force")
    found: list[Fired] = []

    def ask() -> None:
        with Memory.open(memory.home.root, store=memory.where, folder=memory.project.root) as other:
            found.append(other.lessons_for(Call("Bash", f"git push --force {FUEL}")))

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(timeout=60)
    assert found, "it hangs"
    assert [lesson.text for lesson in found[0].lessons] == ["no force"]
    assert len(found[0].stopped) == 1


def test_a_timer_that_was_set_before_is_set_again() -> None:
    import signal

    before = signal.signal(signal.SIGALRM, signal.SIG_IGN)
    try:
        signal.setitimer(signal.ITIMER_REAL, 1000)
        with Clock() as clock:
            assert clock.found(ENDLESS, FUEL) is None
            assert clock.found("a+", FUEL) is True
        assert 900 < signal.setitimer(signal.ITIMER_REAL, 0)[0] <= 1000
        assert signal.getsignal(signal.SIGALRM) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGALRM, before)


# What is decided


def test_only_what_is_active_fires_here_or_everywhere(memory: Memory, tmp_path_factory: pytest.TempPathFactory) -> None:
    memory.learn_lesson("here", command="push")
    memory.learn_lesson("for all", command="push", everywhere=True, severity="danger")
    proposed = memory.learn_lesson("mined", command="push", source="mined")
    assert said(memory, FORCE) == ["for all", "here"]
    lessons.decide(memory, proposed.id, "active")
    assert set(said(memory, FORCE)) == {"for all", "here", "mined"}
    memory.learn_lesson("mined", command="push", source="mined")
    assert "mined" in said(memory, FORCE), "proposed again, it stays accepted"
    lessons.decide(memory, proposed.id, "retired")
    memory.learn_lesson("mined", command="push", source="mined")
    assert "mined" not in said(memory, FORCE), "proposed again, it stays retired"
    place = str(tmp_path_factory.mktemp("elsewhere"))
    with Memory.open(memory.home.root, store=memory.where, folder=place) as other:
        assert said(other, FORCE) == ["for all"]


def test_taught_again_is_the_same_lesson_and_brings_it_back(memory: Memory) -> None:
    first = memory.learn_lesson("no force", command="--force")
    lessons.decide(memory, first.id, "retired", "we do it all the time")
    assert said(memory, FORCE) == []
    assert [each.state for each in memory.lessons(retired=True)] == ["retired"]
    again = memory.learn_lesson("no  force", command="--force")
    assert (again.id, again.again) == (first.id, True)
    assert said(memory, FORCE) == ["no force"]


def test_a_forgotten_lesson_is_gone(memory: Memory) -> None:
    learned = memory.learn_lesson("no force", command="--force")
    memory.forget([learned.event])
    assert said(memory, FORCE) == []
    assert memory.lessons() == []
    with pytest.raises(NotFound):
        lessons.one(memory, learned.id)


BAD = [
    ({"text": " "}, "needs some text"),
    ({"text": "x" * 700, "command": "a"}, "at most"),
    ({"text": "x"}, "say when"),
    ({"text": "x", "command": "("}, "no expression"),
    ({"text": "x", "command": "a" * 1001}, "at most"),
    ({"text": "x", "command": "a", "phase": "never"}, "phase is one of"),
    ({"text": "x", "command": "a", "severity": "odd"}, "severity is one of"),
    ({"text": "use ghp_" + "q7ZtRw2mXc9LpVb4KsNd8Hf3Gj6Ty1q7ZtRw", "command": "a"}, "secret"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "why"), BAD, ids=range(len(BAD)))
def test_bad_input_is_one_line_and_saves_nothing(memory: Memory, given: dict[str, Any], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        memory.learn_lesson(**given)
    assert memory.lessons() == []


def test_a_broken_rule_from_elsewhere_is_kept_and_named(memory: Memory) -> None:
    memory.record(event(1, kind=LESSON, project="*", body={"text": "odd", "trigger": {"command": "("}}))
    memory.record(event(2, kind=LESSON, project="*", body={"text": 5, "trigger": 7}))
    assert said(memory, FORCE) == []
    assert [(each.text, each.state) for each in lessons.wanting(memory)] == [("odd", "stopped")]


# How it goes


def test_firing_and_heeding_are_counted_and_observed(memory: Memory) -> None:
    learned = memory.learn_lesson("no force", command="--force")
    found = memory.lessons_for(FORCE)
    assert "no force" in line(found.lessons[0])
    now = events.now()
    for name, ago in (("c1", 2 * AGAIN), ("c2", 2 * AGAIN - 1_000_000), ("c1", 2 * AGAIN)):
        memory.record(
            fired_event(found, FORCE, name, project=memory.project.id, tenant=memory.tenant, session="s", agent="a",
                        time=now - ago)
        )  # fmt: skip
    kept = lessons.one(memory, learned.id)
    assert (kept.fired, kept.heeded, kept.ignored) == (2, 0, 0)
    assert memory.observe() == 2
    assert memory.observe() == 0, "told once"
    kept = lessons.one(memory, learned.id)
    assert (kept.fired, kept.heeded, kept.ignored) == (2, 1, 1)
    assert {e.body["provenance"] for e in memory.store.events() if e.kind == LESSON_HEEDED} == {"heuristic"}
    lessons.heed(memory, learned.id, heeded=True)
    assert lessons.one(memory, learned.id).heeded == 2


def test_what_nobody_heeds_is_named_and_old_evidence_fades() -> None:
    now = START
    never = Past("active", now, now, now, ((now - DAY, 9, 0, 9),))
    assert standing(never, now)[1] == "fires, but is not heeded"
    faded = never._replace(weeks=((now - 900 * DAY, 9, 0, 9),))
    assert standing(faded, now)[1] == ""
    assert standing(never, now)[0] < standing(faded, now)[0] < 0.5
    silent = Past("active", now - 200 * DAY, now - 200 * DAY, 0, ())
    assert standing(silent, now)[1] == "has not fired for 200 days"
    assert standing(silent._replace(state="retired"), now)[1] == ""


# As a person


def test_lessons_on_the_command_line(engrain: Callable[..., Ran]) -> None:
    assert engrain("lesson", "list").code == 1
    added = engrain("lesson", "add", "append only", "--path", "migrations/*.sql", "--tool", "Edit|Write", "--json")
    assert added.code == 0, added.err
    lesson = added.json["id"]
    assert engrain("lesson", "list", "--json").json[0]["trigger"]["path"] == "migrations/*.sql"
    assert "seconds" not in engrain("watch", "true").err
    assert engrain("lesson", "test", "--command", "^true").code == 0
    assert engrain("lesson", "test", lesson).code == 1
    assert engrain("lesson", "retire", lesson[:6]).code == 0
    assert engrain("lesson", "list").code == 1
    assert engrain("lesson", "accept", lesson).code == 0
    endless = engrain("lesson", "add", "endless", "--command", ENDLESS)
    assert "can take very long" in endless.err
    assert "nothing waits" in engrain("lesson", "review").out
    assert engrain("lesson", "test").code == 2
    assert engrain("lesson", "add", "x", "--command", "(").err.count("\n") == 1
