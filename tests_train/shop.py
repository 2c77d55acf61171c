"""A small journal of made-up sessions, all of one way: a test is run; where it fails its file is read, mended, and it
is run again; then it is said that it passes."""

from __future__ import annotations

import os

from engrain.capture.session import Session
from engrain.event import Event
from engrain.train import examples, recipe
from engrain.train.examples import Reader
from engrain.train.recipe import Recipe
from engrain.train.render import Renderer
from engrain.train.trajectory import trajectory
from tests.making import START

CWD = "/srv/shop"
NAMES = (
    "cart", "order", "price", "stock", "user", "mail", "pay", "ship", "rate", "tax", "gift", "log", "menu", "page",
    "role", "sale", "tag", "unit", "view", "zone", "bill", "code", "date", "item", "job", "key", "link", "map", "note",
    "page2", "quiz", "road", "seat", "task", "area", "word", "year", "bank", "card", "desk",
)  # fmt: skip

CHOSEN = recipe.recipe_of({
    "tier": "tiny", "length": 768, "batch": 4, "epochs": 2.0, "rate": 2e-3, "points": 12, "rollouts": 3, "turns": 3,
    "reply_tokens": 64, "least_points": 10, "looked_at": 6, "parse_floor": 0.5, "most_overfit": 1.0,
    "repeat_recovery": 1, "most_general_loss": 1.0,
})  # fmt: skip


def session(number: int) -> list[Event]:
    """One of them; every second test passes at once."""
    name = NAMES[number]
    who = Session("claude-code", f"shop{number}", project="shop", tenant="local")
    at = START + number * 1_000_000_000
    file = f"{CWD}/{name}.py"
    run: dict[str, object] = {"command": f"pytest tests/test_{name}.py"}
    told = [who.prompted(at, "p", f"Run the test of {name}.")]

    def call(tool: str, given: dict[str, object], output: str, failed: bool = False) -> None:
        place = len(told)
        time = at + place * 10_000_000
        told.append(who.called(time, f"{number}-{place}", tool, given, output, failed=failed, cwd=CWD))

    if number % 2:
        call("Bash", run, f"Exit code 1\n{name}.py:3: assert 1 == 2", failed=True)
        call("Read", {"file_path": file}, f"def {name}(): return 1")
        call("Edit", {"file_path": file, "new_string": "return 2", "old_string": "return 1"}, "done")
    call("Bash", run, "1 passed")
    return [*told, who.replied(at + 900_000_000, "end", f"The test of {name} passes.")]


def rows_in(folder: str, renderer: Renderer, chosen: Recipe = CHOSEN, sessions: int = len(NAMES)) -> str:
    """The rows of these sessions in a folder."""
    told = [trajectory(session(number), {}) for number in range(sessions)]
    reader = Reader(renderer.count, renderer.clean, "SmolLM2")
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    examples.write(folder, examples.make([each for each in told if each], chosen, reader), chosen)
    return folder
