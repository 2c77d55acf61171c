"""What is installed: the wheel alone, with click and nothing else, offline; and the same bytes whoever builds it."""

from __future__ import annotations

import glob
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from typing import NamedTuple

import click
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EPOCH = "1790000000"
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "recorded", "reported", "dist", "node_modules")


class Built(NamedTuple):
    """The files of one build."""

    wheel: str
    sdist: str


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> list[Built]:
    """Two builds of the same sources, in two folders."""
    return [_build(str(tmp_path_factory.mktemp(name))) for name in ("one", "another")]


def _build(folder: str) -> Built:
    source, out = os.path.join(folder, "source"), os.path.join(folder, "dist")
    shutil.copytree(ROOT, source, ignore=LEFT_OUT)
    command = [sys.executable, "-m", "hatchling", "build", "-d", out]
    subprocess.run(command, cwd=source, check=True, capture_output=True, env={**os.environ, "SOURCE_DATE_EPOCH": EPOCH})
    (wheel,), (sdist,) = glob.glob(os.path.join(out, "*.whl")), glob.glob(os.path.join(out, "*.tar.gz"))
    return Built(wheel, sdist)


def _bytes(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def test_whoever_builds_it_gets_the_same_bytes(built: list[Built]) -> None:
    one, another = built
    assert _bytes(one.wheel) == _bytes(another.wheel)
    assert _bytes(one.sdist) == _bytes(another.sdist)


def test_the_wheel_holds_the_package_and_nothing_else(built: list[Built]) -> None:
    with zipfile.ZipFile(built[0].wheel) as wheel:
        names = set(wheel.namelist())
        (about,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        needs = [line for line in wheel.read(about).decode().splitlines() if line.startswith("Requires-Dist:")]
    assert {name.split("/")[0].partition("-")[0] for name in names} == {"engrain"}
    assert [line for line in needs if "extra ==" not in line] == ["Requires-Dist: click>=8.1"]
    source = os.path.join(ROOT, "src")
    ours = glob.glob(os.path.join(source, "engrain", "**", "*.*"), recursive=True)
    wanted = {os.path.relpath(path, source) for path in ours if path.endswith((".py", ".sql", ".typed", ".html"))}
    assert wanted <= names


def test_the_source_archive_can_be_built_and_tested_from(built: list[Built]) -> None:
    with tarfile.open(built[0].sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {
        "pyproject.toml",
        "Makefile",
        "README.md",
        "LICENSE",
        "src/engrain/__init__.py",
        "tests/conftest.py",
    } <= names


def _pythons() -> list[str]:
    """This interpreter, and of the newer ones that it should run on those that are here."""
    found = [sys.executable]
    for name in ("python3.12", "python3.13"):
        path = shutil.which(name)
        if path and subprocess.run([path, "-c", ""], capture_output=True, check=False).returncode == 0:
            found.append(path)
    return found


@pytest.mark.parametrize("python", _pythons())
def test_the_wheel_alone_learns_a_fix_and_hands_it_back(python: str, built: list[Built], tmp_path: object) -> None:
    """In an interpreter that has click, and no other package to fall back on."""
    place = os.path.join(str(tmp_path), "site")
    with zipfile.ZipFile(built[0].wheel) as wheel:
        wheel.extractall(place)
    shutil.copytree(os.path.dirname(str(click.__file__)), os.path.join(place, "click"))
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": place, "PYTHONSAFEPATH": "1"}

    def engrain(*words: str) -> subprocess.CompletedProcess[str]:
        command = [python, "-S", "-m", "engrain", *words]
        return subprocess.run(command, cwd=str(tmp_path), env=environ, capture_output=True, text=True, check=False)

    failing = ("watch", "--", python, "-S", "-c", "import nope")
    first = engrain(*failing)
    assert first.returncode == 1
    assert "ModuleNotFoundError: No module named 'nope'" in first.stderr
    assert "pip install nope" not in first.stderr
    taught = engrain("fix", "ModuleNotFoundError: No module named 'nope'", "--steps", "pip install nope-for-real")
    assert taught.returncode == 0, taught.stderr
    again = engrain(*failing)
    assert again.returncode == 1
    assert "pip install nope-for-real" in again.stderr
    assert engrain("stats").returncode == 0
