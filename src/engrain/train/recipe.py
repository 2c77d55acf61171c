"""Recipe: one flat file of everything that was decided, saved beside what it made."""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from typing import Any, NamedTuple

from engrain.errors import BadConfig, NotFound
from engrain.paths import reason

FULL, TINY = "full", "tiny"
FILE = "recipe.toml"


class Recipe(NamedTuple):
    """Every decision of a run; the comment of each is in `MEANING`."""

    tier: str = FULL
    seed: int = 7
    # rows
    length: int = 2048
    held_out: float = 0.2
    overlap: float = 0.35
    prompt_characters: int = 4000
    result_characters: int = 1500
    argument_characters: int = 4000
    repeated_lines: int = 6
    most_per_tool: int = 20_000
    most_per_project: int = 20_000
    repeat_multi_turn: int = 1
    repeat_recovery: int = 2
    abstain_share: float = 0.03
    # audit
    least_rows: int = 100
    least_held: int = 20
    most_of_one_tool: float = 0.98
    least_multi_turn: float = 0.2
    most_truncated: float = 0.0
    most_fabricated: float = 0.02
    # adapter
    rank: int = 16
    alpha: int = 32
    rate: float = 2e-4
    warmup: float = 0.05
    epochs: float = 2.0
    batch: int = 8
    accumulate: int = 1
    decision: float = 1.0
    clip: float = 1.0
    decay: float = 0.0
    keep_activations: bool = True
    evaluate_every: int = 50
    checkpoint_every: int = 50
    # gates
    points: int = 400
    rollouts: int = 40
    turns: int = 6
    reply_tokens: int = 160
    looked_at: int = 48
    least_points: int = 100
    parse_floor: float = 0.85
    ends_floor: float = 0.9
    abstain_floor: float = 0.3
    others_floor: float = 0.1
    most_repeats: float = 0.1
    most_empty: float = 0.02
    stops_floor: float = 0.0
    margin: float = 0.02
    most_general_loss: float = 0.3
    most_overfit: float = 0.5


MEANING = {
    "tier": "full, or tiny: 200 rows to train and 30 held out, floors to match",
    "seed": "what every draw follows from",
    "length": "tokens of a row",
    "held_out": "share of each project's sessions, the latest, that are asked and never trained",
    "overlap": "share of a later window that repeats what came before it, unsupervised",
    "prompt_characters": "a longer prompt keeps its beginning and its end",
    "result_characters": "a longer result keeps its beginning and its end",
    "argument_characters": "a call with longer arguments is seen, not learned",
    "repeated_lines": "a text in which one line stands more often is seen, not learned",
    "most_per_tool": "calls of one tool that are learned",
    "most_per_project": "rows of one project",
    "repeat_multi_turn": "how often a row with three calls or more is shown in an epoch",
    "repeat_recovery": "how often a row is shown in which a failure was got over",
    "abstain_share": "share of rows in which the right thing is to call nothing; shown more often until it is reached",
    "least_rows": "audit: rows to train at least",
    "least_held": "audit: rows held out at least",
    "most_of_one_tool": "audit: share of calls that one tool may have",
    "least_multi_turn": "audit: share of rows with two calls or more",
    "most_truncated": "audit: share of rows that are longer than the length",
    "most_fabricated": "audit: share of calls that name a path or hash that nothing before them showed",
    "rank": "of the adapters, at every linear layer",
    "alpha": "the adapters' scale is alpha / rank",
    "rate": "the highest learning rate",
    "warmup": "share of the steps in which the rate rises; then it falls by a cosine",
    "epochs": "how often the rows are gone through",
    "batch": "packed rows of a step on one device",
    "accumulate": "batches before a step",
    "decision": "how many times the tokens count that say whether and what is called, and that a turn ends",
    "clip": "the largest norm of a gradient",
    "decay": "weight decay",
    "keep_activations": "false: they are computed again on the way back, for models that do not fit otherwise",
    "evaluate_every": "steps between two looks at the held-out rows",
    "checkpoint_every": "steps between two checkpoints",
    "points": "places of held-out sessions where the next step is asked",
    "rollouts": "held-out sessions that are played for several turns",
    "turns": "turns of one at most",
    "reply_tokens": "the longest reply",
    "looked_at": "rows of either part whose loss is measured",
    "least_points": "gate: fewer points prove nothing",
    "parse_floor": "gate: share of replies that are a well-formed call, or text without half of one",
    "ends_floor": "gate: share of replies that end by themselves",
    "abstain_floor": "gate: share of places where nothing was to be called, and nothing was",
    "others_floor": "gate: share that is right of the places where the answer that it gives most is wrong",
    "most_repeats": "gate: share of turns that repeat an earlier call to the letter",
    "most_empty": "gate: share of calls with an empty required argument",
    "stops_floor": "gate: share of played sessions that end by themselves",
    "margin": "gate: how much worse than the incumbent is still the same",
    "most_general_loss": "gate: nats that general text may cost more than before",
    "most_overfit": "gate: nats between the loss of held-out and of trained rows, beyond what the base has",
}

TIERS: dict[str, dict[str, Any]] = {
    FULL: {},
    TINY: {
        "points": 100, "rollouts": 10, "turns": 4, "looked_at": 12, "least_rows": 20, "least_held": 5,
        "parse_floor": 0.03, "abstain_floor": 0.0, "others_floor": 0.01, "evaluate_every": 10,
        "checkpoint_every": 10, "most_repeats": 0.3,
    },
}  # fmt: skip
"""What a tier sets unless the file says otherwise."""


def recipe_of(values: dict[str, Any], where: str = "the recipe") -> Recipe:
    """The recipe that these values make, over the defaults of their tier."""
    tier = values.get("tier", FULL)
    if tier not in TIERS:
        raise BadConfig(f"{where}: tier must be full or tiny, not {tier!r}")
    known = Recipe()._asdict()
    for name, value in values.items():
        if name not in known:
            raise BadConfig(f"{where}: there is no {name!r} in a recipe")
        wanted = type(known[name])
        if not (type(value) is wanted or (wanted is float and type(value) is int)):
            raise BadConfig(f"{where}: {name} must be {_kind(wanted)}, not {value!r}")
        if not isinstance(value, str) and not 0 <= value < 1e9:
            raise BadConfig(f"{where}: {name} must be a number from 0, not {value!r}")
    return Recipe(**{**TIERS[tier], **values})


def small(recipe: Recipe) -> Recipe:
    """The recipe of a smoke run: as this one, with no more of anything than the tiny tier has, and once through."""
    tiny = TIERS[TINY]
    within = {name: (max if name.startswith("most_") else min)(value, getattr(recipe, name))
              for name, value in tiny.items()}  # fmt: skip
    return recipe._replace(**within, tier=TINY, epochs=min(1.0, recipe.epochs))


def load(path: str) -> Recipe:
    """The recipe in a file, or in the folder of what it made."""
    if os.path.isdir(path):
        path = os.path.join(path, FILE)
    try:
        with open(path, "rb") as file:
            return recipe_of(tomllib.load(file), path)
    except FileNotFoundError as exc:
        raise NotFound(f"there is no recipe {path}") from exc
    except OSError as exc:
        raise BadConfig(f"can't read {path}: {reason(exc)}") from exc
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as exc:
        raise BadConfig(f"{path}: {exc}") from exc


def text(recipe: Recipe) -> str:
    """The recipe as TOML, each line with what it means."""
    lines = [f"{name} = {_toml(value)}  # {MEANING[name]}" for name, value in recipe._asdict().items()]
    return "\n".join(lines) + "\n"


def digest(recipe: Recipe) -> str:
    """Equal recipes have equal digests."""
    return hashlib.sha256(json.dumps(recipe._asdict(), sort_keys=True).encode()).hexdigest()[:16]


def _toml(value: object) -> str:
    return json.dumps(value) if isinstance(value, (str, bool)) else repr(value)


def _kind(wanted: type) -> str:
    return {str: "text", int: "a whole number", float: "a number", bool: "true or false"}[wanted]
