"""Verbs: what Memory can be asked, by the names that it has in Python, so that one on a server is as one at hand.

Arguments are those of the method, checked against its signature; the result says which of our values it is
(`memory.remote.wire`). For Python's own client: whoever speaks HTTP by hand has a route for each thing.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any, NamedTuple, get_type_hints

from fastapi import APIRouter
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from engrain.learn.trigger import Call
from engrain.memory import Memory
from engrain.memory.remote import wire
from engrain.memory.remote.memory import SPREAD
from engrain.memory.remote.verbs import QUICK, VERBS
from engrain.model import Diagnostic, Fingerprint
from engrain.rest.desk import Asked, Here
from engrain.rest.problems import Problem
from engrain.rest.shapes import Fields, In, Place

router = APIRouter(tags=["memory"])

LONGEST, MOST = 1_000_000, 10_000
_Text = Annotated[str, Field(max_length=LONGEST)]
_Count = Annotated[int, Field(ge=0, le=MOST)]
_Number = Annotated[int, Field(ge=-(2**63), lt=2**63)]


class _Diagnostic(NamedTuple):
    toolchain: _Text
    type: _Text
    message: _Text
    decides: tuple[tuple[_Text, _Text], ...]
    file: _Text
    rank: int
    at: int
    settled: bool
    shown: _Text


class _Fingerprint(NamedTuple):
    fingerprint: _Text
    family: _Text
    toolchain: _Text
    error_type: _Text
    message: _Text
    parameters: dict[str, _Text]
    through: _Text
    root: _Diagnostic
    diagnostics: tuple[_Diagnostic, ...]
    known: bool


class _Call(NamedTuple):
    tool: _Text = ""
    command: _Text = ""
    paths: tuple[_Text, ...] = ()
    input: _Text = ""
    output: _Text = ""
    phase: _Text = "before"


class Verb(In):
    """A verb's arguments, and where it is asked."""

    project: Place
    arguments: Annotated[Fields, Field(default_factory=dict)]


def _failure(said: _Fingerprint) -> Fingerprint:
    root, parts = Diagnostic(*said.root), tuple(Diagnostic(*each) for each in said.diagnostics)
    return Fingerprint(*said[:7], root, parts, said.known)


MADE: dict[type, Callable[[Any], Any]] = {_Fingerprint: _failure, _Call: lambda said: Call(*said)}
"""What is read as one type and handed on as another, which has no types to be read by."""

INSTEAD: dict[Any, Any] = {
    str: _Text, int: _Number, str | Fingerprint: _Fingerprint, str | bytes | Fingerprint: _Fingerprint, Call: _Call,
    Iterable[str]: list[_Text], Sequence[str]: list[_Text], Sequence[str] | str: list[_Text] | _Text,
}  # fmt: skip
"""Annotations of Memory's methods, and what is taken for them over HTTP."""

OF = {("match", "exit_code"): _Number | None, ("get", "ids"): list[_Text], ("rate", "time"): _Number | None}
COUNTS = frozenset(["limit", "offset", "number"])
"""Numbers that say how much is wanted."""


class _Closed(BaseModel):
    """Arguments of a verb."""

    model_config = ConfigDict(extra="forbid")


class _Open(BaseModel):
    """Arguments of a verb that takes more fields, as tasks have them."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, _Text | int | float | list[_Text]]


def _shape(name: str) -> type[BaseModel]:
    """The arguments of a verb, as its method has them."""
    method = getattr(Memory, name)
    hints = get_type_hints(method)
    fields: dict[str, Any] = {}
    base: type[BaseModel] = _Closed
    for each in list(inspect.signature(method).parameters.values())[1:]:
        if each.name == "progress":
            continue
        kind = OF.get((name, each.name)) or INSTEAD.get(hints[each.name], hints[each.name])
        kind = _Count if each.name in COUNTS else kind
        if each.kind is inspect.Parameter.VAR_KEYWORD:
            base = _Open
            continue
        spread = each.kind is inspect.Parameter.VAR_POSITIONAL
        fields[each.name] = (kind, ... if each.default is inspect.Parameter.empty or spread else each.default)
    return create_model(f"Asked_{name}", __base__=base, **fields)


SHAPES = {name: _shape(name) for name in VERBS}


@router.post("/v1/memory/{verb}", include_in_schema=False)
async def asked(verb: str, said: Verb, here: Here) -> Fields:
    """What a verb of Memory answers."""
    if verb not in VERBS:
        raise Problem(404, f"there is no verb {verb[:100]!r}; this server is {_version()}")
    try:
        shaped = SHAPES[verb].model_validate(said.arguments)
    except ValidationError as exc:
        raise RequestValidationError(exc.errors(include_url=False, include_context=False)) from exc
    given = {name: _handed(getattr(shaped, name)) for name in shaped.model_fields_set}
    if "agent" in type(shaped).model_fields:
        given["agent"] = here.agent(str(given.get("agent", "")))
    if verb in QUICK:
        return _done(verb, said.project, given, here)
    return await run_in_threadpool(_done, verb, said.project, given, here)


def _handed(value: Any) -> Any:
    made = MADE.get(type(value))
    return made(value) if made else value


def _done(verb: str, place: Place, given: dict[str, Any], here: Asked) -> Fields:
    with here.memory(place) as memory:
        spread = given.pop("ids") if verb in SPREAD else ()
        return {"result": wire.packed(getattr(memory, verb)(*spread, **given))}


def _version() -> str:
    from engrain import __version__

    return f"Engrain {__version__}"
