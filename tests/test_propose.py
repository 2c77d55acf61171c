"""Proposed lessons: what keeps failing in one way is proposed once, says what passes, and never fires by itself."""

from __future__ import annotations

import re

import pytest

from engrain.event import LESSON
from engrain.learn.trigger import Call
from engrain.memory import Memory
from engrain.upkeep.propose import LEAST, expression
from tests.making import START
from tests.sessions import Deed, Ran, session
from tests.test_episodes import USAGE

DAY = 86_400_000_000
WRAPPED: list[Deed] = [Ran("wrap bun run test 2>&1", 2, USAGE), Ran("bun run test")]


def seen(memory: Memory, number: int, deeds: list[Deed] = WRAPPED) -> None:
    project = memory.project.id
    memory.store.append(session(deeds, name=f"s{number}", project=project, start=START + number * DAY))
    memory.learn()


def test_what_keeps_failing_is_proposed_once_and_fires_when_accepted(memory: Memory) -> None:
    for number in range(LEAST):
        assert memory.lessons() == []
        seen(memory, number)
    (found,) = memory.lessons()
    assert (found.state, found.source) == ("proposed", "mined")
    assert found.text == (
        "`wrap bun run test` keeps failing here (unrecognized subcommand 'bun'); "
        "what passed in its place: `bun run test`"
    )
    call = Call("Bash", "cd web && wrap bun run test | tail -3")
    assert memory.lessons_for(call).lessons == (), "nobody has accepted it"
    seen(memory, LEAST)
    assert len([event for event in memory.store.events() if event.kind == LESSON]) == 1
    dump = list(memory.dump())
    memory.learn()
    memory.rebuild()
    assert list(memory.dump()) == dump


def test_what_helped_by_another_command_is_none(memory: Memory) -> None:
    fails = Ran("python app.py", 1, "ModuleNotFoundError: No module named 'orjson'")
    for number in range(LEAST):
        seen(memory, number, [fails, Ran("pip install orjson"), Ran("python app.py")])
    assert memory.lessons() == []


def test_what_holds_for_that_time_alone_is_none(memory: Memory) -> None:
    """The branch of that day, and what was taken out because it was a secret."""
    no_upstream = "fatal: The current branch feat/cart has no upstream branch."
    token = "npm_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"
    for number in range(LEAST):
        seen(memory, 2 * number, [Ran("git push", 128, no_upstream), Ran("git push -u origin feat/cart")])
        denied = Ran("npm install @shop/ui", 1, "npm error code E401\nnpm error Incorrect or missing password.")
        seen(memory, 2 * number + 1, [denied, Ran(f"NPM_TOKEN={token} npm install @shop/ui")])
    assert memory.lessons() == []


FORMS = [
    ("a word too much", "wrap bun run test", "bun run test", "x && wrap bun  run test | tail", "bun run test --wrap"),
    ("an option behind it", "gh pr list", "gh pr list --repo a/b", "gh pr list", "gh pr list --repo c/d"),
    ("a folder before it", "pnpm build", "cd web && pnpm build", "pnpm build", "cd web && pnpm build"),
    ("another place", "bun install", "~/.bun/bin/bun install", "bun install -q", "~/.bun/bin/bun install"),
]


@pytest.mark.parametrize(("failed", "passed", "fires", "not_at"), [row[1:] for row in FORMS], ids=[r[0] for r in FORMS])
def test_the_form_that_fails_is_known_from_the_one_that_passes(
    failed: str, passed: str, fires: str, not_at: str
) -> None:
    pattern = expression(failed, passed)
    assert re.search(pattern, fires)
    assert not re.search(pattern, not_at)


def test_a_long_command_is_no_rule() -> None:
    assert expression(" ".join("abcdefghij"), "a") == ""
