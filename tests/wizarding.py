"""Stages that are quick and real, for a wizard without a model: rows of the journal, a table of what follows what, its
file. Each can be held half-way: it waits for ever where a pipe of its name lies in `held`."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from engrain.paths import replace_file
from engrain.train import examples, points, recipe
from engrain.train.examples import HELD, TRAIN, Reader
from engrain.wizard import config as configs
from engrain.wizard.plain import walked
from engrain.wizard.plan import Stage
from engrain.wizard.state import Done, digest, file_digest
from engrain.wizard.walk import Walk
from engrain.wizard.work import Work

HERE = "tests.wizarding"
MANIFEST, TABLE, REPORT = "MANIFEST.json", "TABLE.json", "REPORT.json"


def count(messages: Sequence[dict[str, Any]]) -> int:
    return sum(len(json.dumps(each)) // 4 for each in messages)


READER = Reader(count, lambda _: True, "by characters")


def _half(work: Work, name: str) -> None:
    """Half of a stage is done."""
    work.say(f"half of {name}")
    work.left(90)
    hold = work.at("..", "held", name)
    if os.path.exists(hold):
        with open(hold, encoding="utf-8") as pipe:
            pipe.read()


def machine(work: Work) -> Done:
    work.figure("python", "3")
    _half(work, "machine")
    fit = not os.path.exists(work.at("..", "broken"))
    because = "all that is needed is here" if fit else "a part is missing"
    check = {"name": "python", "passed": fit, "value": "3", "bound": "≥ 3", "because": "", "hard": True}
    return Done(work.inputs, digest("machine"), fit, because, {"python": "3"}, (check,))


def data(work: Work) -> Done:
    from engrain.memory import Memory, training

    out = work.own("rows")
    chosen = recipe.recipe_of({"tier": work.config.tier, "length": 600})
    if not os.path.exists(os.path.join(out, MANIFEST)):
        with Memory.open() as memory:
            told = list(training.trajectories(memory, everywhere=True))
        work.say(f"{len(told)} sessions")
        _half(work, "data")
        examples.write(out, examples.make(told, chosen, READER), chosen)
    made = examples.manifest(out)
    rows, path = made["rows"], os.path.join(out, MANIFEST)
    with Memory.open() as memory:
        training.record(memory, "data", key=f"{out} {work.inputs}", **training.of_rows(out, made))
    return Done(work.inputs, made["digest"], rows[TRAIN] > 0, f"{rows[TRAIN]} rows to train, {rows[HELD]} held out",
                {"rows": rows[TRAIN]}, files={f"rows/{MANIFEST}": file_digest(path)})  # fmt: skip


def train(work: Work) -> Done:
    """A table: after this call, which."""
    out = work.own("table")
    path = os.path.join(out, TABLE)
    found = Counter[str]()
    for number, row in enumerate(examples.read(work.at("rows"), TRAIN)):
        found.update(point.tool for point in points.points([row], 100, 7))
        work.figure("rows read", number + 1)
    _half(work, "train")
    replace_file(path, json.dumps(dict(sorted(found.items()))).encode())
    return Done(work.inputs, file_digest(path)[:16], True, f"{sum(found.values())} steps were counted",
                {"steps": sum(found.values())}, files={f"table/{TABLE}": file_digest(path)})  # fmt: skip


def gate(work: Work) -> Done:
    """Whether the commonest tool of the table is right more often than none at held-out places."""
    with open(work.at("table", TABLE), encoding="utf-8") as file:
        table = json.load(file)
    asked = points.points(examples.read(work.at("rows"), HELD), 100, 7)
    _half(work, "gate")
    best = max(table, key=lambda name: table[name])
    share = {"candidate": best, "base": "nothing", **({"incumbent": min(table)} if work.config.incumbent else {})}
    beside = {
        who: {"tool": round(sum(point.tool == name for point in asked) / len(asked), 4)} for who, name in share.items()
    }
    passed = beside["candidate"]["tool"] > beside["base"]["tool"] and work.config.context < 9
    word = {"name": "tool", "passed": passed, "value": beside["candidate"]["tool"], "bound": "> base",
            "because": f"{beside['candidate']['tool']:.0%} right", "hard": True}  # fmt: skip
    replace_file(work.at("table", REPORT), json.dumps([word, beside]).encode())
    because = "1 of 1 gates are open" if passed else "the gates say no: tool"
    found = digest(word, beside, work.before["data"].digest)
    return Done(work.inputs, found, passed, because, {"places asked": len(asked)}, (word,), beside,
                {f"table/{REPORT}": file_digest(work.at("table", REPORT))})  # fmt: skip


def export(work: Work) -> Done:
    out = os.path.join(work.own("export"), f"{work.config.name}.json")
    _half(work, "export")
    shutil.copyfile(work.at("table", TABLE), f"{out}.partial")
    os.replace(f"{out}.partial", out)
    return Done(work.inputs, file_digest(out)[:16], True, "the table is whole", {"bytes": os.path.getsize(out)},
                files={f"export/{work.config.name}.json": file_digest(out)})  # fmt: skip


def install(work: Work) -> Done:
    made = work.at("export", f"{work.config.name}.json")
    os.makedirs(work.config.install, exist_ok=True)
    _half(work, "install")
    where = os.path.join(work.config.install, f"{work.config.name}.json")
    shutil.copyfile(made, f"{where}.partial")
    os.replace(f"{where}.partial", where)
    return Done(work.inputs, file_digest(where)[:16], True, "it is where it is used")


def verify(work: Work) -> Done:
    _half(work, "verify")
    with open(os.path.join(work.config.install, f"{work.config.name}.json"), encoding="utf-8") as file:
        whole = bool(json.load(file))
    return Done(work.inputs, digest(whole), whole, "it can be read")


def _stage(
    run: Callable[[Work], Done], title: str, fields: tuple[str, ...], needs: tuple[str, ...], **more: Any
) -> Stage:
    return Stage(run.__name__, title, f"{title}, for real.", f"{HERE}:{run.__name__}", fields, needs, **more)


STAGES = (
    _stage(machine, "Verify the machine", ("base",), ()),
    _stage(data, "Build the rows", ("tier",), ("machine",)),
    _stage(train, "Count what follows", (), ("data",)),
    _stage(gate, "The gate", ("context",), ("data", "train"), gate=True),
    _stage(export, "Export", ("name",), ("train", "gate")),
    _stage(install, "Install", ("install", "name"), ("export",), asks=True),
    _stage(verify, "Verify", (), ("export", "install")),
)


def main() -> int:
    """A walk without a screen, by a config."""
    with Walk(configs.load(sys.argv[1]), STAGES) as walk:
        return 0 if walked(walk, lambda text: print(text, flush=True)) else 1


if __name__ == "__main__":
    sys.exit(main())
