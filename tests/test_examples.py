"""The examples in the server's description: there are some for every operation, and they are what it does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest

from engrain.rest.examples import FILE
from tests.examples import FREE, played
from tests.served import Served, served

PLAIN = {"/metrics", "/v1/export", "/v1/export/tool-calls", "/v1/export/datasets"}
"""Answers that are no JSON."""


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(str(tmp_path_factory.mktemp("served")), **FREE) as one:
        yield one


def test_every_operation_has_an_example_that_its_schema_allows(api: Served) -> None:
    document = api.ask("GET", "/openapi.json").fields
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            if path in PLAIN:
                continue
            answers = [
                each["content"]["application/json"] for code, each in operation["responses"].items() if code < "3"
            ]
            assert all("example" in each for each in answers), (method, path)
            asked = operation.get("requestBody", {}).get("content", {}).get("application/json")
            if asked:
                schema = {**asked["schema"], "components": document["components"]}
                jsonschema_rs.validate(schema, asked["example"])


def test_what_is_asked_as_in_the_examples_is_answered_as_in_them(api: Served) -> None:
    with open(FILE, encoding="utf-8") as file:
        written = json.load(file)
    now = played(api, api.ask("GET", "/openapi.json").fields["paths"])
    assert {named: _shape(each) for named, each in now.items()} == {
        named: _shape(each) for named, each in written.items()
    }


def _shape(value: Any) -> Any:
    """What a value is made of, whatever it says."""
    if isinstance(value, dict):
        return {name: _shape(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_shape(each) for each in value]
    return "number" if type(value) in (int, float) else type(value).__name__
