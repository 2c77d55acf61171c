"""Search, on both databases: names however they are written, quotes, filters, meaning; each hit says why."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engrain import event as events
from engrain.event import FIX, LESSON_STATE, NOTE, PROMPT, TOOL_CALL
from engrain.learn import terms
from engrain.memory import Memory
from tests.making import START, Ran, minilm

NAMED = "getUserByIdOrThrow"
PARTS = ("get", "user", "by", "id", "or", "throw")


def _texts(memory: Memory, question: str, **filters: object) -> list[str]:
    return [str(hit.event.body.get("text", hit.event.kind)) for hit in memory.search(question, **filters)]  # type: ignore[arg-type]


# What is typed

TYPED = [
    (NAMED, [PARTS], ["user", "id", "throw"]),
    ("get_user_by_id_or_throw()", [PARTS], ["user", "id", "throw"]),
    ("src/auth/login.py", [("src", "auth", "login", "py")], ["src", "auth", "login", "py"]),
    ("error TS2345 in HTTPServer", [("http", "server")], ["error", "ts2345", "http", "server"]),
    ("the of and", [], ["the", "of", "and"]),
    ("C++ & python", [], ["python"]),
    ("🦜", [], []),
]


@pytest.mark.parametrize(("text", "names", "words"), TYPED, ids=[row[0] for row in TYPED])
def test_names_are_taken_apart_and_idle_words_left_out(text: str, names: list[object], words: list[str]) -> None:
    typed = terms.typed(text)
    assert [each.phrases[0] for each in typed.names] == names
    assert [each.phrases[0][0] for each in typed.words] == words


def test_names_of_a_text_are_indexed_in_their_parts() -> None:
    assert terms.names(f"call {NAMED} and {NAMED}, not this") == "get User By Id Or Throw"
    assert terms.names("nothing_of the kind") == ""


# What is found


@pytest.mark.parametrize(
    "question",
    [NAMED, "get_user_by_id_or_throw", "repo.getUserByIdOrThrow(id) fails", f'"{NAMED}"', "GetUserByIdOrThrow"],
)
def test_a_name_is_found_however_it_is_written(memory: Memory, question: str) -> None:
    for name in ("getUserByIdOrNull", "findUserByIdOrThrow", NAMED, "getUserByNameOrThrow"):
        memory.note(f"{name} must not be called in a transaction")
    hits = memory.search(question, limit=3)
    assert NAMED in hits[0].event.body["text"]
    assert hits[0].because.startswith("has exactly: get user by id or throw")


def test_quotes_mean_these_very_words(memory: Memory) -> None:
    memory.note("the seed runs before the migrations")
    memory.note("migrations run before the seed")
    assert _texts(memory, '"before the seed"') == ["migrations run before the seed"]
    assert len(_texts(memory, "before the seed")) == 2


def test_what_means_the_same_is_found_and_says_so(memory: Memory) -> None:
    minilm()
    memory.note("the staging database is read-only on Sundays")
    memory.note("bananas are yellow when they are ripe")
    assert _texts(memory, "nobody can write to the test server at the weekend") == []
    memory.embed()
    (hit,) = memory.search("nobody can write to the test server at the weekend", limit=1)
    assert "staging" in hit.event.body["text"]
    assert hit.because == "the nearest in meaning"
    assert (
        memory.search("the staging database", limit=1)[0].because == "words: staging, database; the nearest in meaning"
    )


def test_what_says_the_same_is_told_once(memory: Memory) -> None:
    for _ in range(3):
        memory.note("run the migrations before the seed")
    memory.note("the seed is broken without the vault token")
    found = memory.search("seed", limit=5)
    assert sorted(hit.alike for hit in found) == [0, 2]


def test_filters_hold_all_at_once(memory: Memory) -> None:
    project = memory.project.id
    call = {"tool": "Bash", "input": {"command": "pytest src/shop/cart.py"}, "output": "1 failed", "exit": 1}
    memory.record(
        memory.event(TOOL_CALL, call, agent="claude-code", time=START),
        memory.event(TOOL_CALL, {**call, "exit": 0, "output": "passed: none failed"}, agent="codex", time=START + 10),
        memory.event(NOTE, {"text": "failed deploys are retried", "tags": ["Ops"], "type": "gotcha"}, time=START + 20),
        memory.event(PROMPT, {"text": "why has it failed"}, agent="codex", time=START + 30),
    )

    def kinds(**filters: object) -> list[str]:
        found = memory.search("failed", **filters)  # type: ignore[arg-type]
        assert all(hit.event.project == project for hit in found)
        return sorted(hit.event.kind for hit in found)

    assert kinds() == ["note", "prompt", "tool.call", "tool.call"]
    assert kinds(kinds=["note", "prompt"]) == ["note", "prompt"]
    assert kinds(agent="codex") == ["prompt", "tool.call"]
    assert kinds(agent="codex", kinds=["tool.call"], outcome="worked") == ["tool.call"]
    assert kinds(outcome="failed") == ["tool.call"]
    assert kinds(tags=["ops"]) == kinds(tags=["gotcha"]) == ["note"]
    assert kinds(since=START + 10, before=START + 30) == ["note", "tool.call"]
    assert kinds(file="shop/cart.py") == ["tool.call", "tool.call"]
    assert kinds(file="🦜") == kinds(tags=["ops", "another"]) == []


def test_filters_hold_for_what_means_the_same(memory: Memory) -> None:
    minilm()
    memory.note("the staging database is read-only on Sundays", tags=["ops"], agent="codex")
    memory.embed()
    asked = "nobody can write to the test server at the weekend"
    assert len(_texts(memory, asked, tags=["ops"], agent="codex", before=events.MAX_TIME - 1)) == 1
    assert _texts(memory, asked, tags=["other"]) == _texts(memory, asked, agent="x") == []
    assert _texts(memory, asked, since=events.now() + 10**9) == []


def test_what_failed_or_was_retired_stands_behind_what_holds(memory: Memory) -> None:
    bad = memory.remember_error_fix("ModuleNotFoundError: No module named 'orjson'", "pip install orjson-lite")
    memory.remember_error_fix("ModuleNotFoundError: No module named 'orjson'", "pip install orjson")
    rule = memory.learn_lesson("never force push to main", command="git push --force")
    memory.learn_lesson("never push to main on Fridays", command="git push")
    for _ in range(3):
        memory.rate(bad.fix, worked=False)
    memory.record(memory.event(LESSON_STATE, {"lesson": rule.id, "state": "retired"}))
    fixes = [hit.event.body["steps"] for hit in memory.search("orjson install", kinds=[FIX])]
    assert fixes == [["pip install orjson"], ["pip install orjson-lite"]]
    assert "Fridays" in _texts(memory, "never push to main")[0]


def test_another_project_is_told_only_when_asked(memory: Memory) -> None:
    memory.record(memory.event(NOTE, {"text": "the gulls nest here"}, project="another"))
    assert memory.search("gulls") == []
    assert len(memory.search("gulls", everywhere=True)) == 1


@pytest.mark.parametrize(
    "text", ["", '"', "foo(bar)", "a|b", "-x", "🦜", "\ud800", "a" * 10_000, '"" ""', "/", "x " * 5000]
)
def test_any_text_is_a_question(memory: Memory, text: str) -> None:
    memory.note("foo bar")
    assert isinstance(memory.search(text), list)


# Surfaces


def test_search_on_the_command_line(engrain: Callable[..., Ran]) -> None:
    engrain("note", "--tag", "ops", "the staging database is read-only on Sundays")
    engrain("note", "bananas are yellow")
    (hit,) = engrain("search", "--json", "--tag", "ops", "--kind", "note", "database").json
    assert hit["because"] == "words: database"
    assert hit["alike"] == 0
    assert engrain("search", "--since", "2020-01-01", "--before", "2020-02-01", "database").code == 1
    assert engrain("search", "--since", "yesterdayish", "database").code == 2
    assert engrain("search", "--outcome", "odd", "database").code == 2
    assert engrain("search", "database").out.endswith("words: database\n")
