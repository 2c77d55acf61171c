"""`engrain classify`: stateless, one answer for each failure."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engrain.cli.group import run

TEXT = "Traceback (most recent call last):\n  File 'a.py'\nModuleNotFoundError: No module named 'orjson'\n"
NAMES = {"fingerprint", "family", "toolchain", "error_type", "message", "fixes"}


@pytest.fixture
def log(tmp_path: Path) -> str:
    path = tmp_path / "out.log"
    path.write_text(TEXT)
    return str(path)


def test_a_file(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["classify", log]) == 0
    assert "orjson" in capsys.readouterr().out


def test_json(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["classify", "--json", log]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert set(answer) >= NAMES
    assert answer["fixes"] == []
    assert answer["parameters"] == {"module": "orjson"}
    assert answer["message"] == "No module named 'orjson'"


def test_the_tree_names_the_parameters_and_the_reasons(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["classify", "--explain", log]) == 0
    shown = capsys.readouterr().out
    assert "module=orjson  (decides the fix)" in shown
    assert "toolchain=python  (families never cross toolchains)" in shown


def test_one_line_in_one_line_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [{"text": TEXT, "unknown": [1]}, {"text": "", "command": "grep x y", "exit_code": 1}, {"text": "??"}]
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in asked) + "\n")
    assert run(["classify", "--jsonl", str(path)]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["toolchain"] for each in answers] == ["python", "grep", "unknown"]
    assert [each["known"] for each in answers] == [True, True, False]


@pytest.mark.parametrize("line", ["{", "[]", '{"command": "x"}', '{"text": 3}'])
def test_what_is_no_question_is_refused_in_one_line(
    line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text(line + "\n")
    assert run(["classify", "--jsonl", str(path)]) == 2
    assert capsys.readouterr().err.startswith("engrain: line 1 ")
