"""A corpus of fixes that can be shared: a fix a line, with nothing in it of who learned it where.

    {"engrain":"fix","v":1,"fingerprint":…,"family":…,"through":…,"toolchain":…,"error_type":…,"wording":…,
     "parameters":{…},"steps":[…],"cause":…,"example":…,"worked":12,"failed":1}

No project, session, agent or time, and of the failure only its wording with what varies masked. Whoever reads it takes
its counts for a hint, not for what happened to them: they are a part of the belief that is capped.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, BinaryIO

from engrain import event as events
from engrain.errors import BadEvent
from engrain.event import EVERYWHERE, FIX, MAX_LINE, Event
from engrain.learn import recipe

MARK, VERSION = "fix", 1

_TEXTS = ("fingerprint", "family", "through", "toolchain", "error_type", "wording", "cause", "example")
_NEEDED = ("fingerprint", "family")


def line(fields: dict[str, Any]) -> str:
    """One fix as its line."""
    kept = {name: fields[name] for name in (*_TEXTS, "parameters", "steps", "worked", "failed") if fields.get(name)}
    return json.dumps({"engrain": MARK, "v": VERSION, **kept}, ensure_ascii=False, separators=(",", ":"))


def is_corpus(start: bytes) -> bool:
    """Whether a file that begins so holds fixes, not a journal."""
    return start.lstrip().startswith(b'{"engrain":"fix"')


def parse(text: bytes, *, tenant: str) -> Event:
    """The event that a line becomes, or BadEvent. The same fix is the same event, whoever shared it."""
    fields = _fields(text)
    steps = recipe.steps_of([step for step in fields.get("steps") or () if isinstance(step, str)])
    if not steps or any(not isinstance(fields.get(name), str) or not fields[name] for name in _NEEDED):
        raise BadEvent("no fix: it needs a fingerprint, a family and steps")
    given = fields.get("parameters")
    parameters = {k: v for k, v in given.items() if isinstance(v, str)} if isinstance(given, dict) else {}
    body = {
        **{name: fields[name] for name in _TEXTS if isinstance(fields.get(name), str)},
        **{name: fields[name] for name in ("worked", "failed") if type(fields.get(name)) is int and fields[name] > 0},
        "parameters": parameters,
        "steps": list(steps),
        "message": str(fields.get("wording", "")),
        "source": "imported",
    }
    id_ = events.id_of("corpus", fields["fingerprint"], str(fields.get("through", "")), *steps)
    return events.make(FIX, body, project=EVERYWHERE, tenant=tenant, id=id_)


def _fields(text: bytes) -> dict[str, Any]:
    if len(text) > MAX_LINE:
        raise BadEvent(f"larger than {MAX_LINE // 1024 // 1024} MiB")
    try:
        fields = json.loads(text.decode("utf-8"))
    except (ValueError, RecursionError) as exc:
        raise BadEvent(f"not JSON: {str(exc)[:80]}") from exc
    if not isinstance(fields, dict) or fields.get("engrain") != MARK:
        raise BadEvent("not a fix of a shared corpus")
    if fields.get("v") != VERSION:
        raise BadEvent(f"version {str(fields.get('v'))[:20]} of a shared fix: written by a newer Engrain?")
    return fields


def write(fixes: Iterable[dict[str, Any]], out: BinaryIO) -> int:
    """Writes fixes; how many."""
    number = 0
    for each in fixes:
        out.write(line(each).encode() + b"\n")
        number += 1
    return number
