"""One contract, two memories: one at hand, and one on a real server that is asked over HTTP. Both keep it."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator

import pytest

from bench.scratch import Postgres
from engrain.errors import BadConfig, BadInput, NotFound, StoreForbidden, StoreUnreachable
from engrain.event import FAILURE, MAX_TIME
from engrain.fingerprint import fingerprint
from engrain.learn.trigger import Call
from engrain.memory import Memory
from engrain.memory.failures import Wanted as WantedFailures
from engrain.memory.history import Wanted
from engrain.memory.remote import wire
from engrain.memory.remote.line import checked_url
from engrain.memory.remote.memory import AT_THE_STORE, Remote
from engrain.memory.remote.verbs import HERE, VERBS
from engrain.recall.shown import described
from engrain.recall.tasks import Asked
from engrain.store.store import Choice
from tests.served import Served, served
from tests.test_project import git

FREE = {"ENGRAIN_SERVER_WRITES": "0", "ENGRAIN_SERVER_READS": "0"}


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(str(tmp_path_factory.mktemp("served")), **FREE) as one:
        yield one


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory, server: Postgres) -> Iterator[Served]:
    """Two workers before PostgreSQL."""
    with served(str(tmp_path_factory.mktemp("team")), server.database(), 2, **FREE) as one:
        yield one


@pytest.fixture(params=["at hand", "on a server", "at a socket", "on a server of a team"])
def memory(
    request: pytest.FixtureRequest, tmp_path: object, monkeypatch: pytest.MonkeyPatch, api: Served
) -> Iterator[Memory]:
    """A memory of a project of its own."""
    if request.param == "on a server of a team":
        api = request.getfixturevalue("team")
    place = os.path.join(str(tmp_path), "shop")
    os.makedirs(place)
    home = os.path.join(str(tmp_path), "home")
    monkeypatch.setenv("ENGRAIN_TOKEN", api.token if request.param.startswith("on a server") else "")
    store = {"at hand": None, "at a socket": f"unix://{api.socket}"}.get(request.param, api.url)
    with Memory.open(home, store=store, folder=place) as opened:
        yield opened


def error(memory: Memory) -> str:
    """A failure that no other memory of the server had."""
    said = "Traceback (most recent call last):\n  File 'a.py', line 1\nModuleNotFoundError: No module named"
    return f"{said} '{of(memory)}'"


def of(memory: Memory) -> str:
    return f"orjson_{memory.project.id[:8]}"


def failed(memory: Memory, number: int, session: str = "s1") -> str:
    """A failed command is in the journal."""
    said = {"input": {"command": "python a.py"}, "output": error(memory), "exit": 1, "failed": True}
    body = {"tool": "Bash", **said, FAILURE: described(fingerprint(error(memory), "python a.py", 1))}
    event = memory.event("tool.call", body, session=session, agent="codex", time=1_760_000_000_000_000 + number)
    memory.record(event)
    return event.id


def test_what_is_recorded_is_there_once(memory: Memory) -> None:
    event = memory.event("note", {"text": "the deploy is on Friday"}, id=f"{memory.project.id}-1")
    assert memory.record(event).new == 1
    memory.record(event)
    assert memory.waits == ""
    assert [each.body for each in memory.get(event.id, "no-such")] == [{"text": "the deploy is on Friday"}]


def test_a_note_is_found_in_its_project(memory: Memory) -> None:
    noted = memory.note("the quokka database is read-only", tags=["ops"], session="s", agent="codex")
    (found,) = memory.search("quokka database")
    assert (found.event.id, found.event.body["tags"], found.event.agent) == (noted.id, ["ops"], "codex")
    assert memory.note("The quokka database is read-only!", tags=["ops"]).id == noted.id
    assert memory.noted_before("the quokka database is writable") is None
    assert memory.times_noted(noted.id) == memory.search("quokka database")[0].times == 2
    assert memory.search("wombat") == []
    assert len(memory.search("quokka", kinds=["note"], tags=["ops"], agent="codex", since=1, before=MAX_TIME)) == 1
    assert memory.search("quokka", before=1) == []
    assert memory.nearest("quokka") == []
    assert [seen.name for seen in memory.projects() if seen.id == memory.project.id] == ["shop"]
    assert memory.stats().events >= 2


def test_a_secret_never_arrives(memory: Memory) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    id_ = memory.note(f"use {secret}").id
    assert secret not in str(memory.get(id_))
    for refused in (
        lambda: memory.learn_lesson(f"never use {secret}", command="curl"),
        lambda: memory.remember_error_fix(error(memory), [f"export TOKEN={secret}"]),
    ):
        with pytest.raises(BadInput, match="secret"):
            refused()


def test_a_fix_is_taught_matched_rated_and_listed(memory: Memory) -> None:
    taught = memory.remember_error_fix(error(memory), [f"pip install {of(memory)}"], cause="not installed", session="s")
    assert (taught.again, taught.steps, taught.failure.known) == (False, (f"pip install {of(memory)}",), True)
    assert memory.remember_error_fix(error(memory), f"pip install {of(memory)}").again
    found = memory.match(error(memory), "python a.py", 1, cwd=memory.folder)
    assert [(fix.id, fix.steps, fix.match) for fix in found.fixes] == [
        (taught.fix, (f"pip install {of(memory)}",), "exact")
    ]
    assert memory.match(found.fingerprint).fixes[0].id == taught.fix
    rated = memory.rate(taught.fix, worked=True)
    assert rated.body["worked"] is True
    assert memory.fix(taught.fix).worked == 1
    assert taught.fix in {fix.id for fix in memory.fixes()}
    with pytest.raises(NotFound, match="no fix"):
        memory.fix("ffffffffffff")
    with pytest.raises(BadInput, match="needs steps"):
        memory.remember_error_fix(error(memory), [" "])
    with pytest.raises(BadInput, match="provenance"):
        memory.rate(taught.fix, worked=True, provenance="hearsay")
    serving = memory.serving(found, channel="test", command="python a.py")
    assert memory.record(serving).new == 1


def test_lessons_fire_and_are_decided_on(memory: Memory) -> None:
    learned = memory.learn_lesson("never force-push: releases", command=r"git push .*--force")
    call = Call("Bash", "git push --force origin main")
    assert [each.id for each in memory.lessons_for(call).lessons] == [learned.id]
    assert [each.id for each in memory.lessons()] == [learned.id]
    memory.decide_lesson(learned.id, "retired", "not any more")
    assert memory.lessons_for(call).lessons == ()
    assert [each.because for each in memory.lessons(retired=True)] == ["not any more"]
    with pytest.raises(BadInput):
        memory.learn_lesson("when?")


def test_patterns_are_learned_and_followed(memory: Memory) -> None:
    says = f"data access goes through the repository of {of(memory)}"
    made = memory.learn_code_pattern("repository", description=says, uses=["db"])
    assert memory.learn_code_pattern("repository", description=says).again
    assert memory.pattern(made.id).times == 2
    assert memory.follow_pattern(made.id).body["pattern"] == made.id
    assert [each.id for each in memory.recall_similar_code("a repository for data access")] == [made.id]
    assert [each.name for each in memory.patterns()] == ["repository"]
    assert len(memory.pattern_events(made.id)) == 3


def test_sessions_failures_and_context_are_told(memory: Memory) -> None:
    name = f"session-of-{memory.project.id}"
    ids = [failed(memory, number, name) for number in range(3)]
    (listed,) = memory.sessions(Wanted(project=memory.project.id))
    assert (listed.session, listed.agent, listed.failures) == (name, "codex", 3)
    told = memory.session(name)
    assert [event.id for turn in told.turns for event in turn.followed] == ids
    assert memory.working(name)[0] == name
    assert any(of(memory) in each.message for each in memory.failures(WantedFailures(words=of(memory))))
    key = memory.failures(WantedFailures(project=memory.project.id))[0].fingerprint
    assert memory.failure(key).found is not None
    assert len(memory.weeks(4)) == 4
    assert memory.proof().failures >= 3
    assert of(memory) in str(memory.get_coding_context(f"{of(memory)} is missing").errors)
    assert memory.get_start().lessons == ()
    with pytest.raises(NotFound):
        memory.session("no-such-session")


def test_tasks_are_prepared_finalized_and_found_again(memory: Memory) -> None:
    said = f"make the export of {of(memory)} stream its rows"
    opened = memory.prepare(Asked(said, files=("src/export.py",)), session="s")
    done = memory.finalize(opened.task, outcome="success", modified=["src/export.py"], seconds=60, summary="by pages")
    assert (done.task.id, done.task.outcome, done.task.modified) == (opened.task, "success", ("src/export.py",))
    other = memory.remember_task(f"stream the import of {of(memory)}", commands=["pytest"])
    assert [each.id for each in memory.tasks()] == [other.task.id, opened.task]
    assert memory.task(opened.task).summary == "by pages"
    assert opened.task in [each.task.id for each in memory.recall_similar_tasks(said)]
    assert opened.task in [each.task.id for each in memory.suggest(said).strategies]
    assert memory.usage().tasks >= 2
    failed(memory, 1, f"reflect-{of(memory)}")
    assert memory.reflect(f"reflect-{of(memory)}").session == f"reflect-{of(memory)}"
    with pytest.raises(BadInput):
        memory.finalize(opened.task, outcome="perhaps")
    with pytest.raises(BadInput):
        memory.remember_task("a task", nonsense="x")


def test_what_a_task_came_to_may_be_told_by_whoever_saw_it(memory: Memory) -> None:
    opened = memory.prepare(Asked(f"measure the lag of {of(memory)}"), session="seen")
    done = memory.observed_task(opened.task, {"outcome": "failed", "modified": ["src/lag.py"]})
    assert (done.task.id, done.task.outcome, done.task.modified) == (opened.task, "failed", ("src/lag.py",))


def test_files_that_a_task_will_change_and_what_happened_around_a_moment(memory: Memory) -> None:
    words = f"stream the export of {of(memory)}"
    memory.record(memory.event("prompt", {"text": words, "prompt": "p1"}, session="edits", agent="codex"))
    given = {"file_path": "src/export.py", "old_string_size": 3, "new_string_size": 4}
    body = {"tool": "Edit", "input": given, "output": "done", "failed": False, "prompt": "p1"}
    edited = memory.event("tool.call", body, session="edits", agent="codex")
    memory.record(edited)
    assert memory.recall_files(words) == ["src/export.py"]
    anchor, around = memory.timeline(edited.id)
    assert anchor.id == edited.id
    assert [event.kind for event in around if event.session == "edits"] == ["prompt", "tool.call"]
    assert memory.to_learn() >= 1


def test_every_verb_is_held_to_this_contract() -> None:
    with open(__file__, encoding="utf-8") as file:
        said = file.read()
    assert [verb for verb in VERBS if f"memory.{verb}(" not in said] == []


def test_what_is_forgotten_is_gone(memory: Memory) -> None:
    noted = memory.note("forget the albatross")
    assert memory.to_forget(Choice(ids=(noted.id,))) == [noted.id]
    assert memory.forget([noted.id]).ids == (noted.id,)
    assert memory.get(noted.id) == []
    assert memory.search("albatross") == []


def test_what_hooks_spooled_is_in_the_journal_before_a_question(memory: Memory) -> None:
    event = memory.event("note", {"text": "spooled by a hook about the pelican"})
    memory.capture(event)
    memory.catch_up()
    assert [hit.event.id for hit in memory.search("pelican")] == [event.id]
    memory.capture(memory.event("note", {"text": "and another"}))
    assert memory.tick().appended.new == 1


def test_the_journal_goes_out_and_comes_back(memory: Memory) -> None:
    noted = memory.note("exported")
    out = io.BytesIO()
    assert memory.export(out) == out.getvalue().count(b"\n") >= 2
    assert noted.id.encode() in out.getvalue()
    again = memory.import_journal(io.BytesIO(out.getvalue() + b"nonsense\n"))
    assert len(again.refused) == 1
    assert memory.get(noted.id) == [noted]


def test_projects_are_merged(memory: Memory) -> None:
    memory.record(memory.event("note", {"text": "seen from the old place: heron"}, project=f"old-{memory.project.id}"))
    memory.merge_projects(f"old-{memory.project.id}", memory.project.id)
    assert len(memory.search("heron")) == 1


def test_what_was_remembered_before_there_was_a_remote_is_found_after(memory: Memory) -> None:
    memory.remember_error_fix(error(memory), f"pip install {of(memory)}")
    memory.note("zebra: before git")
    git(memory.folder, "init", "-q")
    git(memory.folder, "commit", "-q", "--allow-empty", "-m", "first")
    git(memory.folder, "remote", "add", "origin", f"https://example.com/acme/{memory.project.id}")
    with Memory.open(memory.home.root, store=memory.config.text("store") or None, folder=memory.folder) as now:
        now.tick(seconds=10)
        assert [each.project for each in now.joined()] == [memory.project.id]
        assert len(now.search("zebra", alone=True)) == 1
        assert now.match(error(memory)).fixes[0].here
        assert now.apart() == []
        now.forget([now.joined()[0].id])
        now.tick(seconds=10)
        assert now.search("zebra", alone=True) == []
        assert [each.project for each in now.apart()] == [memory.project.id]


# What is a server's own


@pytest.fixture
def remote(api: Served, tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    monkeypatch.setenv("ENGRAIN_TOKEN", api.token)
    with Memory(api.url, folder=str(tmp_path)) as opened:  # type: ignore[arg-type, call-arg]
        yield opened


def test_what_is_done_where_the_store_is_says_so(remote: Memory) -> None:
    names = {name for name in dir(Memory) if not name.startswith("_") and name != "mro"}
    assert sorted(VERBS.keys() | HERE) == sorted({*VERBS, *HERE} & names)
    assert {"store", "backup", "rebuild", "share"} <= {*AT_THE_STORE} <= names <= {*dir(Remote), "open"}
    for name in AT_THE_STORE:
        with pytest.raises(BadInput, match="where the store is"):
            getattr(remote, name)()


def test_a_token_that_may_not_is_said_and_what_is_recorded_is_kept(
    api: Served, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENGRAIN_TOKEN", api.new_token("read"))
    home = os.path.join(str(tmp_path), "reader")
    with Memory.open(home, store=api.url, folder=str(tmp_path)) as reader:
        assert reader.fixes() is not None
        with pytest.raises(StoreForbidden, match="'write'"):
            reader.learn_lesson("never", command="rm")
        noted = reader.note("kept until somebody may write it")
        assert "'write'" in reader.waits
    monkeypatch.setenv("ENGRAIN_TOKEN", api.token)
    with Memory.open(home, store=api.url, folder=str(tmp_path)) as writer:
        assert writer.tick().appended.new >= 1
        assert writer.get(noted.id) == [noted]


def test_a_server_that_is_away_costs_nothing_that_was_recorded(tmp_path: object) -> None:
    home = os.path.join(str(tmp_path), "client")
    with Memory.open(home, store="http://127.0.0.1:9", folder=str(tmp_path)) as memory:
        noted = memory.note("said while it was away")
        assert "does not answer" in memory.waits
        for asked in (lambda: memory.search("away"), lambda: memory.tick()):
            with pytest.raises(StoreUnreachable):
                asked()
        memory.catch_up()
    with served(os.path.join(str(tmp_path), "server")) as late, pytest.MonkeyPatch.context() as patch:
        patch.setenv("ENGRAIN_TOKEN", late.token)
        with Memory.open(home, store=late.url, folder=str(tmp_path)) as memory:
            assert memory.tick().appended.new == 2
            assert memory.get(noted.id) == [noted]


@pytest.mark.parametrize("url", ["http://", "http://a b", "https://x/?q=1", "http://x:y", "http://u:p@h", "http://h/p"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(BadConfig):
        checked_url(url)


@pytest.mark.parametrize(
    "value",
    [{"$": "os.system", "of": []}, {"$": "model.Fix", "of": [1]}, {"$": "cli.main", "of": []}, {"$": "event.make"},
     {"$": "memory.os.stat_result", "of": [1] * 10}, {"$": "model.FIX", "of": []}],
)  # fmt: skip
def test_no_answer_makes_anything_but_our_values(value: object) -> None:
    with pytest.raises(StoreUnreachable):
        wire.unpacked(value)


def test_values_go_over_the_wire_and_back(memory: Memory) -> None:
    found = memory.match(error(memory))
    assert wire.unpacked(wire.packed(found)) == found
    for value in ({"$": 1}, {1: (2, 3)}, [None, True, 1.5, "ü"], Choice(ids=("a",)), {"a": {"b": ()}}):
        assert wire.unpacked(wire.packed(value)) == value
