"""The quickstart as somebody would follow it: each command is run, and prints what the page says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator

from engrain.paths import Home

PAGE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs", "quickstart.md")
MADE_UP = re.compile(r"\b[0-9a-f]{32}\b|\b\d{4}-\d\d-\d\d \d\d:\d\d\b")
"""Ids and times, which differ."""


def told() -> Iterator[tuple[str, list[str]]]:
    """Each command line of the page with what stands below it."""
    with open(PAGE, encoding="utf-8") as file:
        blocks = re.findall(r"```console\n(.*?)```", file.read(), re.DOTALL)
    for block in blocks:
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, *shown = part.rstrip("\n").split("\n")
            yield line, shown


def test_every_command_of_the_quickstart_prints_what_the_page_says(home: Home, tmp_path: object) -> None:
    folder, tools = os.path.join(str(tmp_path), "shop"), os.path.join(str(tmp_path), "tools")
    os.makedirs(os.path.join(folder, ".git"))
    os.makedirs(tools)
    with open(os.path.join(folder, "settings.example"), "w", encoding="utf-8") as file:
        file.write("port = 8080\n")
    with open(os.path.join(tools, "engrain"), "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nexec {sys.executable} -m engrain "$@"\n')
    os.chmod(os.path.join(tools, "engrain"), 0o755)
    environ = {**os.environ, "ENGRAIN_HOME": home.root, "PATH": f"{tools}:{os.environ['PATH']}"}
    lines = list(told())
    assert len(lines) > 8
    for line, shown in lines:
        done = subprocess.run(
            ["sh", "-c", line], cwd=folder, env=environ, text=True, check=False, timeout=60,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        assert done.returncode == (1 if shown and shown[0].startswith("cat:") else 0), (line, done.stdout)
        if shown:
            assert [MADE_UP.sub("…", each) for each in done.stdout.rstrip().split("\n")] == [
                MADE_UP.sub("…", each) for each in shown
            ], line
