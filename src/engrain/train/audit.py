"""Audit: what is in the rows, held to the recipe's thresholds before anything is trained. A hard failure stops.

out/AUDIT.json     every figure and every check          out/*.svg     tokens of a row, tools
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from engrain.paths import replace_file
from engrain.redact.engine import Marks
from engrain.redact.value import clean_value
from engrain.train import examples, plot
from engrain.train.examples import Row, abstains, called, learned
from engrain.train.recipe import Recipe
from engrain.train.render import NONE, Rendered, Renderer

AUDIT = "AUDIT.json"
_NAMED = re.compile(r"(?:<root>/[\w./@+-]{8,}|\b[0-9a-f]{12,40}\b)")
_FOREIGN = re.compile(
    r"(?:/home/|/Users/|C:\\\\Users\\\\)(?!runner|shared|user|node|app|ubuntu)[A-Za-z][\w.-]*", re.IGNORECASE
)
_MAKING = frozenset(["Write", "apply_patch", "write_file"])


class Check(NamedTuple):
    """Something that must hold; `hard`: nothing is trained where it does not."""

    name: str
    passed: bool
    value: float
    bound: str
    hard: bool


class Audit(NamedTuple):
    """Every check and figure, and whether rows may be trained."""

    passed: bool
    checks: tuple[Check, ...]
    figures: dict[str, Any]


def audit(folder: str, recipe: Recipe, renderer: Renderer) -> Audit:
    """Looks at every row of a folder."""
    rows = {part: examples.read(folder, part) for part in (examples.TRAIN, examples.HELD)}
    texts = {part: [renderer.row(row) for row in found] for part, found in rows.items()}
    figures = _figures(rows, texts, recipe)
    checks = tuple(check(figures, recipe) for check in CHECKS)
    return Audit(all(each.passed for each in checks if each.hard), checks, figures)


def _figures(rows: dict[str, list[Row]], texts: dict[str, list[Rendered]], recipe: Recipe) -> dict[str, Any]:
    train = rows[examples.TRAIN]
    every = [row for found in rows.values() for row in found]
    rendered = [text for found in texts.values() for text in found]
    tools = Counter(called(message) for row in train for message in learned(row) if called(message))
    sizes = [len(text.ids) for text in rendered]
    named, fabricated = _fabricated(every)
    sessions = {part: {row["session"] for row in found} for part, found in rows.items()}
    return {
        "rows": {part: len(found) for part, found in rows.items()},
        "tokens": sum(sizes),
        "tokens_of_a_row": {"least": min(sizes, default=0), "mean": sum(sizes) / (len(sizes) or 1),
                            "most": max(sizes, default=0)},
        "sizes": plot.histogram(sizes),
        "supervised_tokens": sum(sum(label != NONE for label in text.labels) for text in rendered),
        "tools": dict(tools.most_common()),
        "multi_turn": _share(sum(bool(called(m)) for m in row["messages"]) >= 2 for row in train),
        "abstain": _share(map(abstains, train)),
        "paths_and_hashes": named,
        "fabricated": fabricated,
        "foreign_users": sum(bool(_FOREIGN.search(json.dumps(row["messages"]))) for row in every),
        "secrets": sum(_secrets(row) for row in every),
        "truncated": _share(size > recipe.length for size in sizes),
        "unsupervised_rows": sum(all(label == NONE for label in text.labels) for text in rendered),
        "turns": sum(text.turns for text in rendered),
        "turns_that_end": sum(text.ended for text in rendered),
        "sessions_in_both_parts": len(sessions[examples.TRAIN] & sessions[examples.HELD]),
    }  # fmt: skip


def _share(values: Any) -> float:
    found = list(map(bool, values))
    return sum(found) / len(found) if found else 0.0


def _secrets(row: Row) -> bool:
    marks = Marks()
    clean_value(row["messages"], marks)
    return bool(marks.found)


def _fabricated(rows: Sequence[Row]) -> tuple[int, float]:
    """Of the files and hashes that calls name: how many there are, and which share no text before them showed. What a
    call makes itself, and what lies below a folder that was shown, is not made up."""
    named = unseen = 0
    for row in rows:
        before = ""
        for message in row["messages"]:
            if message.get("learn") and called(message) and called(message) not in _MAKING:
                said = json.dumps(message["tool_calls"][0]["function"]["arguments"], ensure_ascii=False)
                found = {each[0] for each in _NAMED.finditer(said)}
                named += len(found)
                unseen += sum(not _shown(each, before) for each in found)
            before += f"\n{message.get('content') or ''}" + json.dumps(
                message.get("tool_calls", ""), ensure_ascii=False
            )
    return named, unseen / named if named else 0.0


def _shown(name: str, before: str) -> bool:
    """Whether a hash, or a part of a path that tells it from others, stood there before."""
    if "/" not in name:
        return name[:7] in before
    parts = [part for part in name.split("/")[1:] if len(part) > 2]
    return not parts or any(part in before for part in parts[-3:]) or parts[-1].partition(".")[0] in before


def _check(
    name: str, value: Callable[[dict[str, Any]], float], bound: Callable[[Recipe], float], *, most: bool = True,
    hard: bool = True,
) -> Callable[[dict[str, Any], Recipe], Check]:  # fmt: skip
    def check(figures: dict[str, Any], recipe: Recipe) -> Check:
        found, limit = value(figures), bound(recipe)
        passed = found <= limit if most else found >= limit
        return Check(name, passed, round(found, 4), f"{'≤' if most else '≥'} {limit:g}", hard)

    return check


def _of_one_tool(figures: dict[str, Any]) -> float:
    tools = figures["tools"]
    return max(tools.values()) / sum(tools.values()) if len(tools) > 1 else 0.0


def _endless(figures: dict[str, Any]) -> float:
    return float(figures["turns"] - figures["turns_that_end"])


CHECKS = (
    _check("rows to train", lambda f: f["rows"]["train"], lambda r: r.least_rows, most=False),
    _check("rows held out", lambda f: f["rows"]["held"], lambda r: r.least_held, most=False),
    _check("sessions in both parts", lambda f: f["sessions_in_both_parts"], lambda _: 0),
    _check("rows without a label", lambda f: f["unsupervised_rows"], lambda _: 0),
    _check("turns whose end is not learned", _endless, lambda _: 0),
    _check("truncated rows", lambda f: f["truncated"], lambda r: r.most_truncated),
    _check("rows with a secret", lambda f: f["secrets"], lambda _: 0),
    _check("rows with somebody's home", lambda f: f["foreign_users"], lambda _: 0),
    _check("paths and hashes made up", lambda f: f["fabricated"], lambda r: r.most_fabricated, hard=False),
    _check("calls of one tool", _of_one_tool, lambda r: r.most_of_one_tool),
    _check("rows with several calls", lambda f: f["multi_turn"], lambda r: r.least_multi_turn, most=False),
)


def write(folder: str, found: Audit) -> None:
    """The audit beside the rows."""
    replace_file(os.path.join(folder, "tokens.svg"), plot.bars("Tokens of a row", found.figures["sizes"]).encode())
    replace_file(
        os.path.join(folder, "tools.svg"), plot.bars("Calls that are learned", found.figures["tools"]).encode()
    )
    replace_file(os.path.join(folder, AUDIT), json.dumps(plain(found), indent=2, ensure_ascii=False).encode())


def plain(found: Audit) -> dict[str, Any]:
    """The audit as JSON has it."""
    return {"passed": found.passed, "checks": [each._asdict() for each in found.checks], "figures": found.figures}
