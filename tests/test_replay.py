"""Replay: what would have been said is only ever what was known by then, and is judged by what was done."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from engrain.cli.replaying import written
from engrain.learn.hindsight import Done, ending, names, without
from engrain.learn.remedies import made_by
from engrain.memory import Memory
from engrain.memory.replay import replay
from engrain.upkeep.replay import BESIDE, SILENT, UNJUDGED, USEFUL, Replayed, play
from tests.making import START
from tests.making import Ran as Process
from tests.sessions import Deed, Edited, Ran, calls, session
from tests.test_episodes import ASSERT, FAILS, LINT, PASSES, USAGE
from tests.test_mining import missing
from tests.test_privacy import github
from tests.transcripts import gets, lines, uses

HOUR = 3_600_000_000
WRAPPED: list[Deed] = [Ran("wrap bun run test", 2, USAGE), Ran("bun run test")]
INSTALLED: list[Deed] = [FAILS, Ran("pip install orjson"), PASSES]

ENDINGS: list[tuple[str, list[Deed], Done | None]] = [
    ("what passed", INSTALLED, Done("python app.py", ("pip install orjson",), (), "", 2, 2.0)),
    ("what failed itself is not done", [FAILS, Ran("pip install orjsn", 1, "no"), PASSES],
     Done("python app.py", (), (), "", 2, 2.0)),
    ("looking tells nothing", [FAILS, Ran("cat app.py"), PASSES], Done("python app.py", (), (), "", 2, 2.0)),
    ("an edit", [FAILS, Edited("app.py", "a", "b"), PASSES],
     Done("python app.py", (), ("/home/someone/shop/app.py",), "", 2, 2.0)),
    ("another form", WRAPPED, Done("wrap bun run test", ("bun run test",), (), "bun run test", 1, 1.0)),
    ("beyond another failure", [FAILS, Ran("pip install orjson"), FAILS, PASSES],
     Done("python app.py", ("pip install orjson",), (), "", 3, 3.0)),
    ("a script of the session's own", [FAILS, Ran("cat <<'E' > fix.py\n1\nE"), Ran("python fix.py"), PASSES],
     Done("python app.py", (), (), "", 3, 3.0)),
    ("it never passed", [FAILS, Ran("pip install orjson")], None),
]  # fmt: skip


@pytest.mark.parametrize(("deeds", "expected"), [row[1:] for row in ENDINGS], ids=[row[0] for row in ENDINGS])
def test_what_ended_a_failure(deeds: list[Deed], expected: Done | None) -> None:
    done = calls(deeds)
    assert ending(done, 0, made_by(done)) == expected


NAMED: list[tuple[str, str, Done, bool]] = [
    ("the command", "pip install orjson", Done("x", ("pip install orjson",)), True),
    ("its flags apart", "pip install orjson", Done("x", ("pip install -q orjson",)), True),
    ("another command", "pip install ujson", Done("x", ("pip install orjson",)), False),
    ("the file", "edit src/cart.py, total: `3` in place of `2`", Done("x", (), ("/srv/shop/src/cart.py",)), True),
    ("a file without a suffix", "edit Makefile: add `-Iinclude`", Done("x", (), ("/srv/shop/Makefile",)), True),
    ("in another folder", "cd web && npm ci", Done("x", ("npm ci",)), True),
    ("a file in a hunk is none", "edit a.py: `cart.py` in place of `x`", Done("x", (), ("/srv/cart.py",)), False),
    ("what is taken back", "take back the edit of a.py: `git checkout a.py`", Done("x", ("git checkout a.py",)), True),
    ("the changed command", "bun test -u", Done("npm test -u", (), (), "bun test -u"), True),
    ("the change, told otherwise", "~/bin/bun test", Done("bun test", (), (), "~/bin/bun test 2>&1 | tail"), True),
    ("another change", "~/bin/bun test", Done("bun test", (), (), "bun test --all"), False),
]


@pytest.mark.parametrize(("step", "done", "expected"), [row[1:] for row in NAMED], ids=[row[0] for row in NAMED])
def test_whether_a_step_names_what_was_done(step: str, done: Done, expected: bool) -> None:
    assert names([step], done) is expected
    assert names([], done) is False


def test_what_is_done_all_the_time_tells_nothing() -> None:
    done = Done("x", ("npm install", "npm rebuild"), ("/a.py", "/b.py"))
    assert without(done, {"npm install", "/a.py"}) == Done("x", ("npm rebuild",), ("/b.py",))


def played(*histories: tuple[float, list[Deed]]) -> Replayed:
    """Sessions, each with the hour at which it begins, as a memory plays what it recorded itself."""
    with Memory.open() as memory:
        for number, (hour, deeds) in enumerate(histories):
            memory.store.append(session(deeds, name=f"s{number}", start=START + round(hour * HOUR)))
        before = list(memory.dump())
        found = replay(memory)
        assert list(memory.dump()) == before, "the memory that asks is not touched"
    return found


def verdicts(found: Replayed) -> list[str]:
    return [each.verdict for each in found.moments]


def test_a_failure_is_answered_by_what_ended_before_it() -> None:
    found = played((0, INSTALLED), (1, INSTALLED), (2, [FAILS, Ran("pip install -U pip"), PASSES]), (3, [FAILS]))
    assert verdicts(found) == [SILENT, USEFUL, BESIDE, UNJUDGED]
    assert found.total[1:7] == (4, 3, 3, 2, 1, 1)
    assert (found.total.share, found.total.precision) == (1 / 3, 1 / 2)
    assert [each.known for each in found.moments] == [False, True, True, True]
    assert [each.name for each in found.toolchains] == ["python"]


def test_a_session_that_still_ran_had_taught_nothing_yet() -> None:
    """The first one goes on for longer than the second takes."""
    long: list[Deed] = [FAILS, Ran("pip install orjson"), PASSES, *[Ran("ls") for _ in range(9)]]
    assert verdicts(played((0, long), (5 / 3600, INSTALLED), (2, INSTALLED))) == [SILENT, SILENT, USEFUL]


def test_what_the_project_does_all_the_time_is_no_merit() -> None:
    lint: list[Deed] = [Ran("bun run lint", 1, LINT), Ran("bun run lint:fix"), Ran("bun run lint")]
    found = played(*((hour, lint) for hour in range(4)))
    assert verdicts(found) == [SILENT, USEFUL, USEFUL, UNJUDGED]
    assert [each.learnable for each in found.moments] == [True, True, True, False]


def test_examples_are_of_many_kinds() -> None:
    failing: list[Deed] = [Ran("pytest tests/test_cart.py", 1, ASSERT), Edited("src/cart.py", "return 2", "return 3"),
                           Ran("pytest tests/test_cart.py")]  # fmt: skip
    found = played(*((hour, INSTALLED) for hour in range(3)), *((hour, failing) for hour in range(9, 11)))
    tools = [each.toolchain for each in found.examples(USEFUL, 2)]
    assert sorted(tools) == ["pytest", "python"]


def test_it_plays_on_any_store(memory: Memory) -> None:
    for number in range(2):
        memory.store.append(session(INSTALLED, name=f"s{number}", start=START + number * HOUR))
    told: list[int] = []
    found = play(memory.store, "local", memory.admitted, told.append)
    assert (verdicts(found), told) == ([SILENT, USEFUL], [1, 1])


# The command


@pytest.fixture
def folder(tmp_path: object) -> str:
    """Two sessions of one agent and one of another."""
    top = os.path.join(str(tmp_path), "history")
    os.makedirs(top)
    for number, name in enumerate(("a", "b")):
        start = number * 600
        fails = f"python app.py '<script>{name}</script>'"
        told = [(fails, f"Exit code 1\n{missing('orjson')}"), ("pip install orjson", "done"), (fails, "well")]
        records = [
            record
            for place, (command, said) in enumerate(told)
            for record in (
                uses(start + 2 * place, f"{name}{place}", "Bash", command=command),
                gets(start + 2 * place + 1, f"{name}{place}", said, said.startswith("Exit") or None),
            )
        ]
        with open(os.path.join(top, f"{name}.jsonl"), "wb") as file:
            file.write(lines(*({**record, "sessionId": name} for record in records)))
    return top


def test_a_history_is_played_shown_and_written_as_a_page(
    engrain: Callable[..., Process], folder: str, tmp_path: object
) -> None:
    shown = engrain("replay", folder, "--html", "replay.html")
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.startswith("SIMULATED: ")
    assert "2 sessions, 2 failures; answered 1, useful 1 of 1 that can be judged (100 %)" in shown.out
    assert "memory: pip install orjson" in shown.out
    found = engrain("replay", folder, "--json").json
    assert (found["simulated"], found["total"]["useful"], found["total"]["precision"]) == (True, 1, 1.0)
    assert found["examples"]["useful"][0]["done"]["commands"] == ["pip install orjson"]
    with open(os.path.join(str(tmp_path), "replay.html"), encoding="utf-8") as file:
        page = file.read()
    assert "SIMULATED" in page
    assert not [sign for sign in ("<script", "://", "src=") if sign in page]
    assert "&lt;script&gt;b&lt;/script&gt;" in page
    assert not os.path.exists(os.path.join(str(tmp_path), "home", "engrain.db")), "it is played elsewhere"
    again = engrain("replay", folder, "--html", "replay.html")
    assert (again.code, again.err) == (2, "engrain: replay.html exists; --force replaces it\n")


def test_no_secret_of_a_history_gets_into_a_page(memory: Memory, folder: str) -> None:
    for name in ("a", "b"):
        with open(os.path.join(folder, f"{name}.jsonl"), encoding="utf-8") as file:
            text = file.read().replace("<script>", f"{github()}<script>")
        with open(os.path.join(folder, f"{name}.jsonl"), "w", encoding="utf-8") as file:
            file.write(text)
    found = memory.replay([folder])
    assert found.total.useful == 1
    assert github() not in written(found, 5)
    assert github() not in repr(found)


@pytest.mark.parametrize(("words", "says"), [
    (["nowhere"], "nothing at nowhere"),
    ([], "there is no session in which a tool was called"),
    (["empty.jsonl"], "there is no session in which a tool was called"),
])  # fmt: skip
def test_what_can_not_be_played_is_said(
    engrain: Callable[..., Process], tmp_path: object, words: list[str], says: str
) -> None:
    with open(os.path.join(str(tmp_path), "empty.jsonl"), "wb"):
        pass
    ran = engrain("replay", *words)
    assert (ran.code > 0, ran.err) == (True, f"engrain: {says}\n")
