"""Patterns: taught, reinforced when they are taught again, found by what is asked, forgotten as a whole."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from engrain.errors import BadInput, NotFound
from engrain.event import PATTERN, Event
from engrain.learn.likeness import overlap, shared, words
from engrain.learn.patterns import Said, alike, reaches, said_in
from engrain.memory import Memory
from engrain.memory.patterns import MOST
from tests.making import Ran, event

USERS = """\
def users(db: Database) -> list[User]:
    return [User(*row) for row in db.all("users")]
"""
REPOSITORY = Said("code", "repository function", "One function a query, rows to frozen values.", USERS)
CLIENT = Said("test", "client fixture", "Ask through the `client` fixture, never with requests.", area="tests/api")


def teach(memory: Memory, said: Said, **more: Any) -> str:
    given = said._asdict()
    return memory.learn_code_pattern(given.pop("name"), **given, **more).id


# What is the same


ALIKE = [
    (REPOSITORY, REPOSITORY, True),
    (REPOSITORY, REPOSITORY._replace(name="Repository Functions"), True),
    (REPOSITORY, REPOSITORY._replace(example=USERS.replace("    ", "\t").replace(" -> ", "  ->\n")), True),
    (REPOSITORY, REPOSITORY._replace(name="query helper", description="Reads rows."), True),
    (REPOSITORY, REPOSITORY._replace(description="One function for each query; its rows become values."), True),
    (REPOSITORY, REPOSITORY._replace(form="test"), False),
    (REPOSITORY, REPOSITORY._replace(area="src/store"), False),
    (CLIENT, CLIENT._replace(area="tests/api/"), True),
    (CLIENT, CLIENT._replace(area="tests/api/**"), True),
    (REPOSITORY, Said("code", "repository function", "Opens a socket and waits.", "while True:\n  s.accept()"), False),
    (REPOSITORY, Said("code", "error tree", "Errors are one file, each says who sees it."), False),
]


@pytest.mark.parametrize(("one", "other", "same"), ALIKE)
def test_what_is_nearly_the_same(one: Said, other: Said, same: bool) -> None:
    assert alike(one, other) is alike(other, one) is same


def test_words_are_in_one_form_and_rare_ones_count_for_more() -> None:
    assert words("fixing the loginForm, login_forms and LOGIN") == ["login", "form"]
    assert overlap(["a", "b"], ["b", "c"]) == 1 / 3
    assert overlap([], []) == 0
    likes = shared("login throttle", ["login page", "login form", "throttle", "other"])
    assert likes.index(max(likes)) == 2
    assert likes[3] == 0


@pytest.mark.parametrize(
    ("area", "path", "within"),
    [
        ("", "a.py", True), ("tests/api", "tests/api/test_a.py", True), ("tests/api/", "/srv/tests/api/x.py", True),
        ("tests/api", "tests/apis/x.py", False), ("api", "src/api", True), ("tests/**", "tests/x/y.py", True),
    ],
)  # fmt: skip
def test_where_a_pattern_holds(area: str, path: str, within: bool) -> None:
    assert reaches(area, path) is within


# Teaching


def test_a_pattern_taught_again_is_reinforced_and_says_what_was_said_last(memory: Memory) -> None:
    first = memory.learn_code_pattern("repository function", description="One function a query.", uses=["reading"])
    again = memory.learn_code_pattern("Repository function", description="One function for a query.", avoid=["an ORM"])
    other = memory.learn_code_pattern("error tree", description="Errors are one file.")
    assert (first.again, again.again, other.again) == (False, True, False)
    assert first.id == again.id != other.id
    assert again.times == 2
    found = memory.pattern(first.id)
    assert (found.times, found.description) == (2, "One function for a query.")
    assert (found.uses, found.avoid) == (("reading",), ("an ORM",))
    memory.follow_pattern(other.id)
    memory.follow_pattern(other.id)
    assert [(each.id, each.times) for each in memory.patterns()] == [(other.id, 3), (first.id, 2)]


def test_forgetting_one_teaching_takes_it_back_and_forgetting_the_pattern_takes_all(memory: Memory) -> None:
    first = memory.learn_code_pattern("a pattern", description="said first")
    again = memory.learn_code_pattern("a pattern", description="said first, and more")
    memory.follow_pattern(first.id)
    memory.forget([again.event])
    assert (memory.pattern(first.id).times, memory.pattern(first.id).description) == (2, "said first")
    memory.forget(memory.to_forget(_choice(first.id)))
    assert memory.patterns() == []
    assert {kind for kind, _ in memory.store.kinds()} == {"forget", "project.seen"}


def _choice(*ids: str) -> Any:
    from engrain.store.store import Choice

    return Choice(ids=ids)


def test_a_secret_in_an_example_is_not_kept(memory: Memory) -> None:
    secret = "q7Zt" + "Rw2mXc9LpVb4KsNd8Hf3Gj6Ty1"
    learned = memory.learn_code_pattern("connect", example=f"connect(password='{secret}')")
    assert learned.redacted
    assert secret not in memory.pattern(learned.id).example
    assert secret not in json.dumps([each.body for each in memory.store.events()])


@pytest.mark.parametrize(
    "given",
    [
        {"name": " ", "description": "x"}, {"name": "x"}, {"name": "x" * 200, "description": "x"},
        {"name": "x", "example": "y" * 3000}, {"name": "x", "description": "y", "form": "poem"},
        {"name": "x", "description": "y", "uses": ["z"] * 11}, {"name": "x", "description": "y", "avoid": ["z" * 300]},
    ],
)  # fmt: skip
def test_bad_input_is_one_line_and_saves_nothing(memory: Memory, given: dict[str, Any]) -> None:
    with pytest.raises(BadInput) as why:
        memory.learn_code_pattern(**given)
    assert "\n" not in str(why.value)
    assert memory.store.count() == 0
    with pytest.raises(NotFound):
        memory.pattern("abcdef")


# Finding


def test_what_fits_is_found_and_what_does_not_is_not(memory: Memory) -> None:
    repository, client = teach(memory, REPOSITORY), teach(memory, CLIENT)
    teach(memory, Said("code", "error tree", "Errors are one file, each class says who sees it."))
    assert [each.id for each in memory.recall_similar_code("a query that reads users as frozen values")] == [repository]
    found = memory.recall_similar_code("a test that asks the api with a client", form="test")
    assert [(each.id, each.because) for each in found] == [(client, "words")]
    assert memory.recall_similar_code("paint the bikeshed") == []
    assert memory.recall_similar_code("") == []


def test_test_patterns_hold_in_their_area(memory: Memory) -> None:
    api, web = teach(memory, CLIENT), teach(memory, CLIENT._replace(area="tests/web"))
    anywhere = teach(memory, Said("test", "client factory", "A client is made by a factory."))
    assert api != web
    found = memory.recall_similar_code("client", form="test", path="tests/api/test_users.py")
    assert {each.id for each in found} == {api, anywhere}


def test_of_other_projects_only_what_is_for_all_is_found(memory: Memory, tmp_path_factory: Any) -> None:
    teach(memory, REPOSITORY)
    everywhere = teach(memory, CLIENT, everywhere=True)
    with Memory.open(memory.home.root, store=memory.where, folder=str(tmp_path_factory.mktemp("other"))) as other:
        assert [each.id for each in other.patterns()] == [everywhere]
        assert [each.id for each in other.recall_similar_code("client query")] == [everywhere]
        assert len(other.recall_similar_code("client query", everywhere=True)) == 2


def test_at_most_100_are_looked_at_the_most_relevant_ones(memory: Memory) -> None:
    told = [
        memory.admitted(memory.event(PATTERN, {"name": f"helper {n}", "description": f"reads table{n} for a helper"}))
        for n in range(3 * MOST)
    ]
    memory.store.append(told)
    assert len(memory.recall_similar_code("helper", limit=1000)) == MOST
    assert memory.recall_similar_code("helper for table287", limit=1000)[0].name == "helper 287"
    assert len(memory.patterns(limit=1000)) == MOST


# The table


def bodies(rng: random.Random) -> dict[str, Any]:
    text = rng.choice(["x", "", "read users", 7, None, "é\n"])
    return {
        "name": rng.choice(["a", "b", text]), "description": text, "uses": rng.choice([[], ["u", 3], "no list"]),
        "pattern": rng.choice(["", "abcdefabcdef", 12]), "form": rng.choice(["code", "test", "poem"]), "example": text,
    }  # fmt: skip


def test_rows_are_a_function_of_the_set_of_events(memory: Memory) -> None:
    rng = random.Random(3)
    told: list[Event] = [
        event(n, kind=rng.choice([PATTERN, PATTERN, "pattern.used"]), body=bodies(rng)) for n in range(60)
    ]
    memory.store.append(told)
    expected = list(memory.dump())
    memory.rebuild()
    assert list(memory.dump()) == expected
    shuffled = [*told, *told]
    rng.shuffle(shuffled)
    for each in shuffled:
        memory.store.append([each])
    assert list(memory.dump()) == expected
    assert all(said_in(each).form in ("code", "test") for each in told)


# The command line


def test_patterns_on_the_command_line(engrain: Callable[..., Ran]) -> None:
    taught = engrain(
        "pattern", "add", "repository function", "-d", "one function a query", "-e", "-", stdin=USERS.encode()
    )
    assert taught.out.startswith("taught ")
    id_ = taught.out.split()[1].rstrip(";")
    assert engrain("pattern", "use", id_[:6]).out.startswith(f"{id_} was followed")
    assert [each["times"] for each in engrain("pattern", "list", "function query", "--json").json] == [2]
    assert USERS.partition("\n")[0] in engrain("pattern", "show", id_).out
    assert engrain("pattern", "list", "bikeshed").code == 1
    for words_ in (["add", "x"], ["show", "zzzz"], ["add", "x", "-e", "@/no/such"], ["forget", id_]):
        refused = engrain("pattern", *words_)
        assert refused.code in (1, 2)
        assert refused.err.strip()
    assert engrain("pattern", "forget", id_, "--yes").out == f"forgot {id_}: 2 events\n"
    assert engrain("pattern", "list").code == 1
