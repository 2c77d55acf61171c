"""What the server says of itself holds: schemathesis asks what its description allows, and what it does not."""

from __future__ import annotations

import os
import re

from tests.described import SETTINGS, checked
from tests.served import served

FREE = {"ENGRAIN_SERVER_WRITES": "0", "ENGRAIN_SERVER_READS": "0"}


def test_every_operation_does_what_the_description_says(tmp_path: object) -> None:
    """A few requests of each here, all that are described in `python -m bench described`."""
    folder = str(tmp_path)
    with served(os.path.join(folder, "home"), **FREE) as api:
        known = sum(len(each) for each in api.ask("GET", "/openapi.json").fields["paths"].values())
        found = checked(api, api.new_token("read", "write", "admin"), folder=folder, examples=3)
        assert found.wrong == [], found.said
        assert found.operations == known
        assert api.ask("GET", "/ready").status == 200


def test_nothing_is_told_to_who_has_no_token(tmp_path: object) -> None:
    folder = str(tmp_path)
    with served(os.path.join(folder, "home"), **FREE) as api:
        found = checked(api, "", folder=folder, examples=1, phases="examples")
        assert found.wrong == [], found.said
        assert found.asked >= found.operations > 10


def test_what_the_checks_leave_out_is_one_thing() -> None:
    with open(SETTINGS, encoding="utf-8") as file:
        said = [line for line in file if line.strip() and not line.startswith("#")]
    named = [re.split(r"\s*=", line)[0].strip() for line in said]
    assert named == ["[checks]", "positive_data_acceptance.expected-statuses"]
