"""Examples: trajectories → rows to train and rows held out, and a manifest that tells what became of everything.

    {"id", "project", "agent", "session", "time", "part": "train" | "held", "times", "tools": […], "messages": […]}

Split by session and by time: of each project the latest sessions are held out, and a session that still ran when these
began is in neither. What is equal is there once; what is held out is never trained. Written to files of their own, the
manifest last: where it is, everything is. Pure but for `write`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from engrain.errors import BadInput, NotFound
from engrain.event import timestamp
from engrain.paths import reason, replace_file
from engrain.train import recipe as recipes
from engrain.train.recipe import TINY, Recipe
from engrain.train.tools import Schemas, listed, schemas
from engrain.train.trajectory import Trajectory
from engrain.train.windows import SYSTEM, Window, cut

TRAIN, HELD = "train", "held"
MANIFEST = "MANIFEST.json"
SMALL = {TRAIN: 200, HELD: 30}
"""Rows of the tiny tier."""

Row = dict[str, Any]


class Reader(NamedTuple):
    """What is asked of a tokenizer: how many tokens messages take, and whether a text is free of its marks."""

    count: Callable[[list[dict[str, Any]]], int]
    clean: Callable[[Sequence[dict[str, Any]]], bool]
    name: str


class Made(NamedTuple):
    """The rows of both parts, and the manifest."""

    rows: dict[str, list[Row]]
    manifest: dict[str, Any]


def make(trajectories: Iterable[Trajectory], recipe: Recipe, reader: Reader) -> Made:
    """Rows of these trajectories."""
    told = sorted(trajectories, key=lambda each: (each.started, each.session))
    drops: Counter[str] = Counter()
    drops["steps of subagents"] = sum(each.subagents for each in told)
    parts, cuts = split(told, recipe.held_out)
    drops["sessions that ran across the cut"] = sum(not part for part in parts.values())
    rows = _unique(_rows(told, parts, recipe, reader, drops), drops)
    rows = _capped(rows, recipe, drops)
    chosen = {part: [row for row in rows if row["part"] == part] for part in (TRAIN, HELD)}
    if recipe.tier == TINY:
        chosen = few(chosen)
    chosen[TRAIN] = _weighed(chosen[TRAIN], recipe)
    return Made(chosen, _manifest(told, parts, cuts, chosen, drops, recipe, reader))


def split(told: Sequence[Trajectory], share: float) -> tuple[dict[str, str], dict[str, str]]:
    """Session → its part (empty: neither), and project → the time at which its held-out sessions begin."""
    by_project: dict[str, list[Trajectory]] = defaultdict(list)
    for each in told:
        by_project[each.project].append(each)
    parts, cuts = {}, {}
    for project, sessions in by_project.items():
        first = len(sessions) - round(share * len(sessions)) if len(sessions) > 1 else 1
        first = max(1, min(first, len(sessions)))
        begins = sessions[first].started if first < len(sessions) else None
        for place, each in enumerate(sessions):
            across = begins is not None and place < first and each.ended >= begins
            parts[each.session] = HELD if place >= first else "" if across else TRAIN
        cuts[project] = timestamp(begins) if begins is not None else ""
    return parts, cuts


def _rows(
    told: Sequence[Trajectory], parts: dict[str, str], recipe: Recipe, reader: Reader, drops: Counter[str]
) -> Iterator[Row]:
    found = _schemas(told)
    for each in told:
        part = parts[each.session]
        if not part:
            continue
        tools = listed(found[each.agent, each.project])
        head = reader.count([{"role": "system", "content": f"{SYSTEM}\n{json.dumps(tools)}"}]) if tools else 0
        pieces = cut(each, found[each.agent, each.project], recipe, reader.count, min(head, recipe.length // 2))
        drops.update(f"step: {why}" for why in pieces.flaws)
        for window in pieces.windows:
            if not reader.clean(window.messages):
                drops["row: marks of the chat template in a text"] += 1
                continue
            yield _row(each, window, part, tools)


def _schemas(told: Sequence[Trajectory]) -> dict[tuple[str, str], Schemas]:
    grouped: dict[tuple[str, str], list[Trajectory]] = defaultdict(list)
    for each in told:
        grouped[each.agent, each.project].append(each)
    return {key: schemas(call for each in group for call in each.calls) for key, group in grouped.items()}


def _row(told: Trajectory, window: Window, part: str, tools: list[dict[str, Any]]) -> Row:
    messages = list(window.messages)
    name = hashlib.sha256(json.dumps(messages, sort_keys=True).encode("utf-8", "replace")).hexdigest()[:24]
    return {
        "id": name, "project": told.project, "agent": told.agent, "session": told.session,
        "time": timestamp(told.started), "first": window.first, "part": part, "times": 1,
        "failures": window.failures, "tools": tools, "messages": messages,
    }  # fmt: skip


def _unique(rows: Iterable[Row], drops: Counter[str]) -> list[Row]:
    """Each row once; one that is held out is not trained as well."""
    kept: dict[str, Row] = {}
    for row in rows:
        earlier = kept.get(row["id"])
        if earlier is None:
            kept[row["id"]] = row
            continue
        drops["row: the same as another"] += 1
        if row["part"] == HELD:
            kept[row["id"]] = row
    return list(kept.values())


def learned(row: Row) -> list[dict[str, Any]]:
    """The messages of a row that are learned."""
    return [message for message in row["messages"] if message.get("learn")]


def called(message: dict[str, Any]) -> str:
    """The tool that a message calls; empty when none."""
    return str(message["tool_calls"][0]["function"]["name"]) if message.get("tool_calls") else ""


def _capped(rows: list[Row], recipe: Recipe, drops: Counter[str]) -> list[Row]:
    """At most so many rows of a project and calls of a tool are trained; a draw decides which."""
    kept, projects, tools = [], Counter[str](), Counter[str]()
    for row in sorted(rows, key=lambda row: _draw(row, recipe.seed)):
        if row["part"] == HELD:
            kept.append(row)
            continue
        projects[row["project"]] += 1
        if projects[row["project"]] > recipe.most_per_project:
            drops["row: more of its project than the recipe takes"] += 1
            continue
        for message in learned(row):
            tools[called(message)] += 1
            if called(message) and tools[called(message)] > recipe.most_per_tool:
                del message["learn"]
                drops["step: more of its tool than the recipe takes"] += 1
        if learned(row):
            kept.append(row)
    return sorted(kept, key=lambda row: (row["time"], row["session"], row["first"], row["id"]))


def _draw(row: Row, seed: int) -> str:
    return hashlib.sha256(f"{seed}:{row['id']}".encode()).hexdigest()


def _spread(rows: list[Row], number: int) -> list[Row]:
    """So many rows, from the whole length."""
    if len(rows) <= number:
        return rows
    return [rows[round(place * (len(rows) - 1) / (number - 1))] for place in range(number)]


def few(rows: dict[str, list[Row]]) -> dict[str, list[Row]]:
    """No more rows than the tiny tier has, from the whole length."""
    return {part: _spread(found, SMALL[part]) for part, found in rows.items()}


def _weighed(rows: list[Row], recipe: Recipe) -> list[Row]:
    """How often each row is shown in an epoch."""
    for row in rows:
        calls = sum(bool(called(message)) for message in learned(row))
        row["times"] = max(
            1, recipe.repeat_recovery if _recovers(row) else 1, recipe.repeat_multi_turn if calls >= 3 else 1
        )
    rest = [row for row in rows if abstains(row)]
    shown = sum(row["times"] for row in rows)
    while rest and sum(row["times"] for row in rest) < recipe.abstain_share * shown and rest[0]["times"] < 8:
        for row in rest:
            row["times"] += 1
        shown += len(rest)
    return rows


def _recovers(row: Row) -> bool:
    """Whether a call failed in it, and one after it was learned."""
    return row["failures"] > 0 and len(learned(row)) > 1


def abstains(row: Row) -> bool:
    """Whether there is a place to learn in it where nothing is called."""
    return any(not called(message) for message in learned(row))


def _manifest(
    told: Sequence[Trajectory], parts: dict[str, str], cuts: dict[str, str], rows: dict[str, list[Row]],
    drops: Counter[str], recipe: Recipe, reader: Reader,
) -> dict[str, Any]:  # fmt: skip
    return {
        "recipe": recipe._asdict(),
        "recipe_digest": recipes.digest(recipe),
        "tokenizer": reader.name,
        "sessions": {part or "neither": sum(each == part for each in parts.values()) for part in (TRAIN, HELD, "")},
        "held_out_since": cuts,
        "steps": sum(len(each.steps) for each in told),
        "calls": sum(len(each.calls) for each in told),
        "secrets_found_again": sum(each.redacted for each in told),
        "rows": {part: len(found) for part, found in rows.items()},
        "shown_in_an_epoch": sum(row["times"] for row in rows[TRAIN]),
        "abstain_rows": sum(abstains(row) for row in rows[TRAIN]),
        "learned": {part: sum(len(learned(row)) for row in found) for part, found in rows.items()},
        "tools": {
            part: dict(Counter(called(m) or "(none)" for row in found for m in learned(row)).most_common())
            for part, found in rows.items()
        },
        "dropped": dict(sorted(drops.items())),
    }


def write(folder: str, made: Made, recipe: Recipe) -> str:
    """The rows and their manifest in a folder; the digest of the data."""
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
    except OSError as exc:
        raise BadInput(f"can't write {folder}: {reason(exc)}") from exc
    if os.path.exists(os.path.join(folder, MANIFEST)):
        os.remove(os.path.join(folder, MANIFEST))
    digests = {}
    for part, rows in made.rows.items():
        data = "".join(json.dumps(row, ensure_ascii=False, sort_keys=True) + "\n" for row in rows)
        digests[part] = hashlib.sha256(data.encode("utf-8", "replace")).hexdigest()
        replace_file(os.path.join(folder, f"{part}.jsonl"), data.encode("utf-8", "replace"))
    replace_file(os.path.join(folder, recipes.FILE), recipes.text(recipe).encode())
    whole = hashlib.sha256(json.dumps(digests, sort_keys=True).encode()).hexdigest()[:16]
    manifest = {**made.manifest, "files": digests, "digest": whole}
    replace_file(os.path.join(folder, MANIFEST), json.dumps(manifest, indent=2, ensure_ascii=False).encode())
    return whole


def manifest(folder: str) -> dict[str, Any]:
    """What a folder of rows says of itself."""
    try:
        with open(os.path.join(folder, MANIFEST), encoding="utf-8") as file:
            found: dict[str, Any] = json.load(file)
            return found
    except FileNotFoundError as exc:
        raise NotFound(f"{folder} holds no rows (there is no {MANIFEST}); `engrain train data` makes them") from exc
    except (OSError, ValueError) as exc:
        raise BadInput(f"can't read {os.path.join(folder, MANIFEST)}: {exc}") from exc


def read(folder: str, part: str) -> list[Row]:
    """The rows of a part, which must be those that the manifest speaks of."""
    told = manifest(folder)
    path = os.path.join(folder, f"{part}.jsonl")
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as exc:
        raise BadInput(f"can't read {path}: {reason(exc)}") from exc
    if hashlib.sha256(data).hexdigest() != told["files"].get(part):
        raise BadInput(f"{path} is not the file that {MANIFEST} speaks of; make the rows anew")
    return [json.loads(line) for line in data.splitlines()]
