"""Moving: what was kept in another tool is here, once, whole as far as it goes, and nothing there was changed."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from bench.scratch import Postgres
from engrain.errors import BadInput
from engrain.event import EVERYWHERE, Event
from engrain.memory import Memory
from engrain.paths import Home
from engrain.upkeep.moving.bring import Moved
from tests.making import Ran
from tests.moving import FAILED, FIRST, LATEST, WHEN, Fixcache, aictx
from tests.transcripts import SESSION, asks, gets, lines, stamp, uses

Engrain = Callable[..., Ran]
ORJSON = "ModuleNotFoundError: No module named 'orjson'"
TOKEN = "ghp_" + "q7ZtRw2mXc9LpVb4KsNd8Hf3Gj6Ty1q7ZtRw"


def told(memory: Memory, kind: str) -> list[Event]:
    return [event for event in memory.store.events() if event.kind == kind]


def texts(memory: Memory) -> str:
    return "\n".join(str(event.body["text"]) for event in told(memory, "note"))


# fixcache


@pytest.fixture
def fixcache(tmp_path: object) -> Fixcache:
    """A store of fixcache where it keeps it, which it has open itself."""
    return Fixcache(os.path.join(str(tmp_path), "user", ".lore-memory", "default.db"))


def test_recipes_come_with_what_became_of_them(memory: Memory, fixcache: Fixcache) -> None:
    fixcache.taught("p1", ORJSON, "pip install orjson", tags=["python"])
    fixcache.rated("p1", 1, "success")
    fixcache.believed("p1", 4.5, 2.0)
    done = memory.move_in("fixcache", ())
    assert done.told == {"fixes": 1, "outcomes": 4}
    found = memory.match(f"Traceback (most recent call last):\n{ORJSON}").fixes[0]
    assert (found.steps, found.match, found.worked, found.failed) == (("pip install orjson",), "exact", 3, 1)
    times = sorted(event.time for event in told(memory, "fix.outcome"))
    assert times[0] == int((WHEN + 1) * 1e6), "an outcome that fixcache wrote down has its own time"
    assert times[1:] == [int((WHEN + 60) * 1e6)] * 3, "the others are from when the recipe was used last"
    other = memory.match("Traceback (most recent call last):\nModuleNotFoundError: No module named 'requests'").fixes[0]
    assert other.steps == ("pip install requests",), "it answers for its family, too"


def test_what_came_since_is_added(memory: Memory, fixcache: Fixcache) -> None:
    fixcache.taught("p1", ORJSON, "pip install orjson")
    fixcache.believed("p1", 2.0, 1.0)
    assert memory.move_in("fixcache", ()).appended.new == 2
    assert memory.move_in("fixcache", ()).appended.new == 0
    fixcache.believed("p1", 3.0, 1.0)
    fixcache.taught("p2", "ENOSPC: no space left on device, write", "docker system prune")
    again = memory.move_in("fixcache", ())
    assert (again.appended.new, again.appended.known) == (2, 2)
    assert len(told(memory, "fix")) == 2


def test_what_it_was_told_to_remember_is_a_note(memory: Memory, fixcache: Fixcache) -> None:
    fixcache.taught("p1", ORJSON, "pip install orjson")
    fixcache.remembered("m1", "staging is read-only on Sundays", metadata=json.dumps({"tags": ["ops"]}))
    fixcache.remembered("m2", "always run make lint", metadata=json.dumps({"convention": True}))
    fixcache.remembered("m3", "given up", score=0.0)
    fixcache.add("reflections", "r1", "opinion", "tests are slow", "[]", WHEN, 0.5)
    fixcache.add("identity", "user", "name: Dana", WHEN)
    done = memory.move_in("fixcache", ())
    assert done.told == {"fixes": 1, "notes": 4}, "what a recipe says again is no note"
    assert [left.why for left in done.left] == ["fixcache had given it up"]
    notes = told(memory, "note")
    assert {event.project for event in notes} == {EVERYWHERE}
    assert ["convention", "fixcache"] in [event.body["tags"] for event in notes]


def test_a_recipe_that_cannot_be_one_is_kept_as_a_note(memory: Memory, fixcache: Fixcache) -> None:
    fixcache.taught("p1", "it broke", "turn it off and on")
    fixcache.taught("p2", f"curl: (22) The requested URL returned error: 401 {TOKEN}", f"export TOKEN={TOKEN}")
    fixcache.add("darwin_patterns", "p3", "error_recipe", "Fix for: x", "not json", 1, 0.5, WHEN, WHEN, "{broken")
    fixcache.add("darwin_patterns", "p4", "error_recipe", None, None, 1, 0.5, None, None, None)
    done = memory.move_in("fixcache", ())
    assert done.told == {"notes": 3}
    assert [left.what for left in done.left] == ["recipe p4"]
    assert "- turn it off and on" in texts(memory)
    assert TOKEN not in json.dumps([event.body for event in memory.store.events()])


def test_a_recipe_that_was_taught_as_no_help_is_not_served(memory: Memory, fixcache: Fixcache) -> None:
    fixcache.taught("p1", ORJSON, "pip install json", outcome="failure")
    memory.move_in("fixcache", ())
    assert told(memory, "fix.outcome")[0].body["worked"] is False
    assert memory.match(f"Traceback (most recent call last):\n{ORJSON}").fixes == ()


def test_an_error_that_is_an_expression_is_read_as_a_text(memory: Memory, fixcache: Fixcache) -> None:
    fixcache.taught("p1", r"Error: connect ECONNREFUSED .*:5432\s+at TCPConnectWrap", "docker compose up -d postgres")
    memory.move_in("fixcache", ())
    assert told(memory, "fix")[0].body["example"] == "Error: connect ECONNREFUSED  :5432 at TCPConnectWrap"


def test_its_store_is_read_while_it_is_written_and_not_changed(
    engrain: Engrain, fixcache: Fixcache, tmp_path: object
) -> None:
    fixcache.taught("p1", ORJSON, "pip install orjson")
    fixcache._connection.execute("INSERT INTO memories VALUES ('x','not yet',NULL,NULL,1,1,1,1,1,1,NULL,NULL)")
    done = engrain("import", "fixcache")
    assert done.out.splitlines() == ["fixcache: 1 fix", "1 event new, 0 known"]
    fixcache._connection.rollback()
    fixcache.close()
    before = hashed(fixcache.path)
    os.chmod(fixcache.path, 0o400)
    again = engrain("import", "fixcache", fixcache.path, "--json")
    assert (again.code, again.json["new"], again.json["known"]) == (0, 0, 1)
    assert engrain("import", "fixcache", os.path.dirname(fixcache.path), "--json").json["known"] == 1
    assert hashed(fixcache.path) == before


def hashed(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


WRONG = [
    ("none on this machine", ["fixcache"], "there is no"),
    ("no such file", ["fixcache", "nope.db"], "no file nope.db"),
    ("no database", ["fixcache", "text"], "no database that can be read"),
    ("another database", ["fixcache", "other.db"], "no store of fixcache"),
    ("two stores", ["fixcache", "a", "b"], "one place at a time"),
    ("nothing of aictx", ["aictx", "."], "aictx has kept nothing there"),
    ("aictx nowhere", ["aictx"], "aictx has kept nothing there"),
    ("no URL", ["agent-memory", "text"], "postgresql://USER@HOST/DATABASE"),
    ("nobody there", ["agent-memory", "postgresql://u:hunter2xyz@127.0.0.1:1/x"], "Connection refused"),
    ("no URL at all", ["agent-memory", "postgresql://u:hunter2 xyz@[bad"], "can't be read"),
]


@pytest.mark.parametrize(("words", "says"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_what_can_not_be_brought_is_said_in_one_line(
    engrain: Engrain, tmp_path: object, words: list[str], says: str
) -> None:
    with open(f"{tmp_path}/text", "w", encoding="utf-8") as file:
        file.write("hello\n" * 1000)
    other = sqlite3.connect(f"{tmp_path}/other.db")
    other.execute("CREATE TABLE memories (id TEXT)")
    other.close()
    done = engrain("import", *words)
    assert done.code in (1, 2)
    assert says in done.err, done.err
    assert len(done.err.splitlines()) == 1
    assert "hunter2" not in done.err


# aictx


def test_what_aictx_keeps_of_a_repository_is_of_that_project(memory: Memory, tmp_path: object) -> None:
    root = f"{tmp_path}/shop"
    os.makedirs(f"{root}/.git")
    with open(f"{root}/.git/HEAD", "w", encoding="utf-8") as file:
        file.write("ref: refs/heads/main\n")
    said = "pip install pyyaml"
    fixed = {**FAILED, "error_text": "ModuleNotFoundError: No module named 'yaml'", "status": "resolved",
             "attempted_fix_summary": said, "resolution_hint": said}  # fmt: skip
    concluded = {**FAILED, "status": "resolved", "resolved_by": "cli-finalize-1"}
    aictx(
        root,
        failure_memory__failure_patterns=[concluded, fixed],
        strategy_memory__strategies=[{
            "task_text": "fix the login test", "task_type": "testing", "task_id": "t1",
            "files_edited": ["src/app.py", ".env"],
            "commands_executed": ["pytest -q"], "success": True, "timestamp": "2026-03-01T11:00:00+00:00",
        }],
        continuity__decisions=[{"title": "JSON", "decision": "parse with orjson", "rationale": "quick"}],
        continuity__handoffs=[
            {"summary": "half done", "next_steps": ["write the test"], "agent_id": "codex"},
            {"summary": "it was the clock", "reason": "fix the login test", "status": "resolved", "execution_id": "t1",
             "timestamp": "2026-03-01T11:00:00Z", "task_type": "testing"},
        ],
    )  # fmt: skip
    os.makedirs(f"{root}/.aictx/tasks/threads")
    with open(f"{root}/.aictx/tasks/threads/ship.json", "w", encoding="utf-8") as file:
        json.dump({"goal": "ship it", "status": "in_progress", "updated_at": "2026-03-02T10:00:00Z"}, file)
    done = memory.move_in("aictx", (root,))
    assert done.told == {"fixes": 1, "notes": 4, "tasks": 1}
    assert told(memory, "fix")[0].body["steps"] == ["pip install pyyaml"], "only what somebody said resolved it"
    place = memory.project_of(root).id
    assert {event.project for event in told(memory, "note")} == {place}
    for text in (
        "Tried: pytest failed",
        "Because: quick",
        "Next: write the test",
        "Task: ship it",
    ):
        assert text in texts(memory)
    with Memory.open(memory.home.root, store=memory.where, folder=root) as there:
        task = there.suggest("repair the login test").strategies[0].task
        assert (task.modified, task.type, task.outcome) == (("src/app.py",), "test", "success")
        assert (task.summary, task.commands) == ("it was the clock", ("pytest -q",)), "of two files, one task"
    assert memory.move_in("aictx", (f"{root}/.aictx",)).appended.new == 0, "named by its own folder"


def test_a_torn_line_of_aictx_costs_that_line_alone(engrain: Engrain, tmp_path: object) -> None:
    root = aictx(f"{tmp_path}/shop", failure_memory__failure_patterns=[FAILED])
    path = f"{root}/.aictx/failure_memory/failure_patterns.jsonl"
    with open(path, "ab") as file:
        file.write(b'{"error_text": "torn\n\n[1]\n\xff\xfe\n' + json.dumps({**FAILED, "timestamp": None}).encode())
    os.makedirs(f"{tmp_path}/user/.aictx")
    with open(f"{tmp_path}/user/.aictx/projects_registry.json", "w", encoding="utf-8") as registry:
        json.dump({"projects": [{"repo_path": root}, {"repo_path": "/srv/gone"}, 1]}, registry)
    done = engrain("import", "aictx")
    assert done.out.splitlines()[0] == "aictx: 2 notes"
    assert done.err.splitlines() == [f"left out: {path}:{n}: not JSON, or no object" for n in (2, 4, 5)]


# agent-memory


@pytest.fixture
def theirs(server: Postgres) -> Any:
    """The URL of a database of agent-memory, and a way to run SQL there."""
    url = server.database()
    with psycopg.connect(url, autocommit=True) as connection:
        yield url, lambda sql: connection.execute(sql.encode())
    server.drop(url)


FILLED = f"""
INSERT INTO mem_projects (id, name, full_path, git_remote) VALUES
  (1, 'shop', '/srv/gone/shop', 'git@github.com:dana/shop.git');
INSERT INTO mem_sessions (id, session_id, project_id, status, started_at, completed_at, summary) VALUES
  (1, '{SESSION}', 1, 'completed', '{stamp(0)}', '{stamp(60)}', 'made the tests pass');
INSERT INTO mem_user_prompts (id, session_id, prompt_number, prompt_text, created_at) VALUES
  (1, 1, 1, 'ok', '{stamp(0)}'), (2, 1, 2, 'ok', '{stamp(4)}');
INSERT INTO mem_tool_calls (id, session_id, project_id, tool_name, tool_input, tool_response_preview, tool_success,
  tool_error, cwd, prev_user_prompt_id, git_branch, created_at) VALUES
  (1, 1, 1, 'Bash', '{{"command": "pytest -q"}}', NULL, false,
   E'Exit code 1\\nModuleNotFoundError: No module named ''orjson''', '/srv/gone/shop', 1, 'main', '{stamp(2)}'),
  (2, 1, 1, 'Bash', '{{"command": "pip install orjson"}}', '{{"stdout":"Successfully installed","stderr":""}}', true,
   NULL, '/srv/gone/shop', 2, 'main', '{stamp(6)}'),
  (3, 1, 1, 'Bash', '{{"command": "pytest -q"}}', '{{"stdout":"3 passed"}}', true, NULL, '/srv/gone/shop', 2, 'main',
   '{stamp(8)}');
INSERT INTO mem_observations (session_id, project_id, title, type, narrative, facts, concepts, raw_text) VALUES
  (1, 1, 'orjson was missing', 'bugfix', 'The image had none', '["token {TOKEN}"]', '["gotcha"]', 'raw');
INSERT INTO mem_lessons (id, project_id, title, rule, severity, trigger_tool, trigger_pattern, active, trigger_on,
  trigger_output_pattern, trigger_files, trigger_phase, synthesized_by, detail) VALUES
  (1, NULL, 'No force', 'Never force-push', 'critical', 'Bash', 'PUSH.*--force', true, 'input', NULL, NULL, NULL, NULL,
   'It cost a day'),
  (2, 1, 'Any', 'Look twice', 'warning', NULL, 'prod', true, 'input', NULL, NULL, NULL, NULL, NULL),
  (3, 1, 'Off', 'was switched off', 'info', 'Edit', NULL, false, 'input', NULL, NULL, NULL, NULL, NULL),
  (4, 1, 'Out', 'Look at the disk', 'warning', NULL, NULL, true, 'output', 'ENOSPC', NULL, NULL, 'local:gguf', NULL),
  (5, 1, 'Pairs', 'Migrations go in pairs', 'warning', NULL, NULL, true, 'file_scope', NULL, '{{a/*.sql,b.sql}}', NULL,
   NULL, NULL),
  (6, 1, 'End', 'Write the changelog', 'warning', NULL, NULL, true, 'phase', NULL, NULL, 'session_end', NULL, NULL),
  (7, 1, 'Bad', 'A bad expression', 'warning', 'Bash', '(unclosed', true, 'input', NULL, NULL, NULL, NULL, NULL);
"""


def test_sessions_calls_observations_and_lessons_are_here(memory: Memory, theirs: Any) -> None:
    url, run = theirs
    run(LATEST + FILLED)
    done = memory.move_in("agent-memory", (url,))
    assert done.told == {
        "sessions": 1, "prompts": 2, "calls": 3, "failures": 1, "notes": 3, "lessons": 7,
    }  # fmt: skip
    assert done.left == ()
    session = memory.session(SESSION)
    assert [[call.body["input"]["command"] for call in turn.calls] for turn in session.turns if turn.prompt] == [
        ["pytest -q"], ["pip install orjson", "pytest -q"],
    ]  # fmt: skip
    first = told(memory, "tool.call")[0].body
    assert (first["exit"], first["failed"], first["failure"]["error_type"]) == (1, True, "ModuleNotFoundError")
    memory.learn()
    assert memory.match(f"Traceback (most recent call last):\n{ORJSON}", cwd="/srv/gone/shop").fixes == ()
    assert told(memory, "fix")[0].body["steps"] == ["pip install {module}"], "what helped was mined"
    lessons = {lesson.text.split(":")[0]: lesson for lesson in memory.lessons(everywhere=True, retired=True)}
    states = {name: lesson.state for name, lesson in lessons.items()}
    assert states == {
        "No force": "active", "Any": "active", "Off": "retired", "Out": "proposed", "Pairs": "active", "Bad": "stopped",
    }  # fmt: skip
    assert lessons["No force"].trigger.command == "(?i)PUSH.*--force"
    assert lessons["No force"].why == "It cost a day"
    assert "Write the changelog" in texts(memory), "a moment that is none here"
    assert TOKEN not in texts(memory)
    assert memory.move_in("agent-memory", (url,)).appended.new == 0


def test_its_first_version_has_its_calls_in_a_queue(engrain: Engrain, theirs: Any) -> None:
    url, run = theirs
    run(FIRST + f"""
        INSERT INTO mem_projects (id, name) VALUES (1, 'shop');
        INSERT INTO mem_sessions (id, session_id, project_id) VALUES (1, '{SESSION}', 1);
        INSERT INTO mem_observation_queue (session_id, tool_name, tool_input, tool_response_preview)
          SELECT 1, 'Read', '{{"file_path": "/srv/a.py"}}', 'text' FROM generate_series(1, 3);
        """)  # fmt: skip
    done = engrain("import", "agent-memory", url)
    assert done.out.splitlines()[0] == "agent-memory: 1 session, 3 tool calls"
    assert engrain("import", "agent-memory", url, "--json").json["new"] == 0


def test_a_store_of_ours_is_none_of_theirs(server: Postgres, home: Home) -> None:
    url = server.database()
    with Memory.open(home.root, store=url, folder=home.root) as memory:
        memory.note("mine")
        with pytest.raises(BadInput, match="is a store of Engrain"):
            memory.move_in("agent-memory", (url,))
    server.drop(url)


TRANSCRIPT = lines(
    asks(0, "ok"), uses(1, "c1", "Bash", command="pytest -q"), gets(2, "c1", "Exit code 1\nno orjson", error=True),
    asks(4, "ok"), uses(5, "c2", "Bash", command="pip install orjson"), gets(6, "c2", "Successfully installed"),
    uses(7, "c3", "Bash", command="pytest -q"), gets(8, "c3", "3 passed"),
)  # fmt: skip


@pytest.mark.parametrize("first", ["transcript", "agent-memory"])
def test_a_session_that_a_transcript_tells_of_too_is_there_once(
    memory: Memory, theirs: Any, tmp_path: object, first: str
) -> None:
    url, run = theirs
    run(LATEST + FILLED)
    path = f"{tmp_path}/{SESSION}.jsonl"
    with open(path, "wb") as file:
        file.write(TRANSCRIPT)

    def transcript() -> Any:
        return memory.import_transcripts("claude-code", memory.transcripts("claude-code", (path,)))

    def moved() -> Moved:
        return memory.move_in("agent-memory", (url,))

    ways: list[Callable[[], object]] = [transcript, moved]
    for way in ways if first == "transcript" else ways[::-1]:
        way()
    assert len(told(memory, "tool.call")) == 3
    assert len(told(memory, "prompt")) == 2
    assert len(told(memory, "session.start")) == 1
    assert [len(turn.calls) for turn in memory.session(SESSION).turns if turn.prompt] == [1, 2]
    assert transcript().appended.new == 0
    assert moved().appended.new == 0
