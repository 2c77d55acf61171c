"""The verbs of Python's client: whatever their arguments are, the server answers on and says what is right."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engrain.memory import Memory
from engrain.memory.remote.verbs import VERBS
from engrain.rest.app import Service, application
from engrain.rest.guard import Rules
from engrain.rest.routes.verbs import SHAPES
from tests.clients import values
from tests.served import Reply, inside

_WORDS = st.lists(st.text(max_size=5), max_size=3)
JUNK = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=20), _WORDS)
SIMPLE = {"string", "integer", "number", "boolean", "array"}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    home = str(tmp_path_factory.mktemp("verbs"))
    service = Service(lambda: Memory.open(home), Rules("local", writes=0, reads=0))
    yield application(service)
    service.close()


def asked(app: Any, verb: str, arguments: object, **more: object) -> Reply:
    body = {"project": {"id": "verbs"}, "arguments": arguments, **more}
    return inside(app, "POST", f"/v1/memory/{verb}", body, client="socket")


def given_to(schema: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments that a verb allows, where that is simple, and some that it does not."""
    fields = {}
    for name, each in schema["properties"].items():
        kinds = [kind for kind in each.get("anyOf", [each]) if kind.get("type") in SIMPLE]
        simple = [values(kind) for kind in kinds if "$ref" not in str(kind) and "prefixItems" not in str(kind)]
        fields[name] = st.one_of(*simple, JUNK) if simple else JUNK
    needed = {name: fields[name] for name in schema.get("required", ())}
    return st.fixed_dictionaries(needed, optional={k: v for k, v in fields.items() if k not in needed})


@pytest.mark.parametrize("verb", sorted(VERBS))
@given(data=st.data())
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
def test_whatever_a_verb_is_given_the_server_answers_on(app: Any, verb: str, data: st.DataObject) -> None:
    reply = asked(app, verb, data.draw(given_to(SHAPES[verb].model_json_schema())))
    assert reply.status in (200, 404, 422), reply
    assert b"Traceback" not in reply.body


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_arguments_that_no_method_has_are_refused(app: Any, verb: str) -> None:
    odd: list[object] = [
        {"nonsense": {"x": 1}},
        [],
        "x",
        {"limit": "many", "text": [5], "id_": {}, "fix": 1, "call": 1},
    ]
    for arguments in odd:
        assert asked(app, verb, arguments).status == 422
    assert asked(app, verb, {}, more=1).status == 422


def test_what_is_no_verb_is_not_there(app: Any) -> None:
    for verb in ("close", "backup", "__init__", "store", "rebuild", "seen_from", "nonsense"):
        assert asked(app, verb, {}).status == 404
