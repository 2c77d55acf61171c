"""Rows: what an adapter is trained of, and what was seen in it."""

from __future__ import annotations

import json
import os
from typing import Any

from engrain.memory import Memory, training
from engrain.train import audit as audits
from engrain.train import base, examples, recipe
from engrain.train.recipe import Recipe
from engrain.train.render import Renderer
from engrain.wizard.state import Done, digest, file_digest
from engrain.wizard.work import Work

ROWS = "rows"


def folder(work: Work) -> str:
    """Where the rows lie."""
    return work.at(ROWS)


def data(work: Work) -> Done:
    """Rows of recorded sessions."""
    out = work.own(ROWS)
    if not os.path.exists(os.path.join(out, examples.MANIFEST)):
        _made(work, out)
    told = examples.manifest(out)
    with Memory.open() as memory:
        training.record(memory, "data", key=key(work, told["digest"]), **training.of_rows(out, told))
    rows = told["rows"]
    dropped = {why: number for why, number in told["dropped"].items() if number}
    for why, number in dropped.items():
        work.say(f"{number:,}  {why}")
    because = f"{rows['train']:,} rows to train and {rows['held']:,} that are asked and never trained"
    return Done(
        work.inputs, told["digest"], rows["train"] > 0, because if rows["train"] else "no row can be trained",
        {"sessions": sum(told["sessions"].values()), "rows to train": rows["train"], "rows held out": rows["held"],
         "steps that are learned": told["learned"]["train"], "steps and rows left out": sum(dropped.values())},
        files={f"{ROWS}/{examples.MANIFEST}": file_digest(os.path.join(out, examples.MANIFEST))},
    )  # fmt: skip


def _made(work: Work, out: str) -> None:
    renderer = Renderer(base.tokenizer(work.config.base))
    with Memory.open() as memory:
        number = len(memory.store.sessions())
        work.say(f"reading {number:,} sessions")
        told = list(training.trajectories(memory, everywhere=work.config.everywhere))
    work.say(f"cutting {len(told):,} of them into rows")
    reader = examples.Reader(renderer.count, renderer.clean, os.path.basename(os.path.normpath(work.config.base)))
    examples.write(out, examples.make(told, _recipe(work), reader), _recipe(work))


def _recipe(work: Work) -> Recipe:
    if work.config.recipe:
        return recipe.load(work.config.recipe)
    return recipe.recipe_of({"tier": work.config.tier})


def audit(work: Work) -> Done:
    """Every row is looked at."""
    out = folder(work)
    work.say("reading every row as the model will")
    found = audits.audit(out, recipe.load(out), Renderer(base.tokenizer(work.config.base)))
    audits.write(out, found)
    told: dict[str, Any] = json.loads(json.dumps(audits.plain(found)))
    data_digest = examples.manifest(out)["digest"]
    with Memory.open() as memory:
        training.record(memory, "audit", key=key(work, data_digest), **training.of_audit(out, told, data_digest))
    wrong = [check.name for check in found.checks if check.hard and not check.passed]
    held = sum(check.passed for check in found.checks)
    because = f"not to be trained: {', '.join(wrong)}" if wrong else f"{held} of {len(found.checks)} checks hold"
    figures = {"tokens": found.figures["tokens"], "tokens that are learned": found.figures["supervised_tokens"],
               "longest row": found.figures["tokens_of_a_row"]["most"],
               **{f"calls of {tool}": number for tool, number in list(found.figures["tools"].items())[:5]}}  # fmt: skip
    path = os.path.join(out, audits.AUDIT)
    return Done(work.inputs, digest(data_digest, told["checks"]), found.passed, because, figures,
                tuple({"because": "", **check} for check in told["checks"]),
                files={f"{ROWS}/{audits.AUDIT}": file_digest(path)})  # fmt: skip


def key(work: Work, of: str) -> str:
    """What a stage is called in the journal of runs: done again of the same, it is there once."""
    return f"{work.config.folder} {work.inputs} {of}"
