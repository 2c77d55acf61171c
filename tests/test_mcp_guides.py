"""The guide to MCP: each snippet is parsed, and what it names is started as the agent would start it."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from mcp.client.stdio import StdioServerParameters

from engrain.mcp.catalog import TOOLS
from engrain.paths import Home
from tests.clients import agent
from tests.served import served

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
AGENTS = ("Claude Code", "Codex", "Cursor", "Windsurf", "Cline", "Gemini CLI", "Zed")


def guide() -> str:
    with open(os.path.join(TOP, "docs", "how-to", "mcp.md"), encoding="utf-8") as file:
        return file.read()


def snippets(title: str) -> Iterator[tuple[str, str]]:
    """(language, text) of each block below a heading."""
    section = guide().split(f"### {title}\n")[1].split("\n#")[0]
    yield from re.findall(r"```(\w+)\n(.*?)```", section, re.DOTALL)


def commands(language: str, text: str) -> Iterator[list[str]]:
    """The command lines of a server that a snippet names."""
    if language == "json":
        yield from _servers(json.loads(text))
    elif language == "toml":
        yield from _servers(tomllib.loads(text))
    elif language == "console":
        for line in text.splitlines():
            if " mcp add " in line:
                yield line.split(" -- ")[1].split()


def _servers(settings: Mapping[str, Any]) -> Iterator[list[str]]:
    for value in settings.values():
        if isinstance(value, dict):
            if "command" in value:
                yield [value["command"], *value["args"]]
            yield from _servers(value)


@pytest.mark.parametrize("title", AGENTS)
def test_each_agent_s_snippet_names_a_command_line_that_starts(title: str, home: Home, tmp_path: object) -> None:
    found = [command for language, text in snippets(title) for command in commands(language, text)]
    assert found
    assert {command[0] for command in found} == {"engrain"}
    # The folder of the example is the one that is worked in here.
    words = {tuple(str(tmp_path) if "/" in word or "$" in word else word for word in command[1:]) for command in found}
    assert words <= {("mcp",), ("mcp", "--project", str(tmp_path))}


@pytest.mark.parametrize("words", [["mcp"], ["mcp", "--project", "."]])
def test_those_command_lines_serve(words: list[str], home: Home, tmp_path: object) -> None:
    environ = {name: value for name, value in os.environ.items() if name.startswith(("ENGRAIN", "PYTHON", "HOME"))}
    started = StdioServerParameters(
        command=sys.executable, args=["-m", "engrain", *words], env=environ, cwd=str(tmp_path)
    )
    with agent(started) as here:
        assert [tool["name"] for tool in here.tools()] == [entry.name for entry in TOOLS]


def test_the_client_of_one_s_own_runs_as_it_is_printed(home: Home, tmp_path: object) -> None:
    (_, code) = next(each for each in snippets("A client of your own") if each[0] == "python")
    place = os.path.join(str(tmp_path), "bin")
    os.makedirs(place)
    with open(os.path.join(place, "engrain"), "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nENGRAIN_HOME={home.root} PYTHONPATH={TOP}/src exec {sys.executable} -m engrain "$@"\n')
    os.chmod(os.path.join(place, "engrain"), 0o700)
    path = os.pathsep.join([place, os.environ["PATH"]])
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=str(tmp_path), env={**os.environ, "PATH": path}, capture_output=True,
        text=True, check=True, timeout=60,
    )  # fmt: skip
    assert "no fix is known" in done.stdout
    assert done.stdout.endswith("[]\n")


def test_the_snippets_for_http_reach_a_server_that_serves(home: Home, tmp_path: object) -> None:
    section = guide().split("## Over HTTP\n")[1].split("\n## ")[0]
    blocks = dict(re.findall(r"```(\w+)\n(.*?)```", section, re.DOTALL))
    (line,) = blocks["console"].strip().splitlines()
    assert shlex.split(line)[1:6] == ["claude", "mcp", "add", "--transport", "http"]
    addresses = {
        shlex.split(line)[7],
        json.loads(blocks["json"])["mcpServers"]["engrain"]["url"],
        tomllib.loads(blocks["toml"])["mcp_servers"]["engrain"]["url"],
        *re.findall(r'http://[^"]+', blocks["python"]),
    }
    (address,) = addresses
    with served(home.root) as running:
        code = blocks["python"].replace("http://127.0.0.1:3377", running.url)
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=str(tmp_path), env={**os.environ, "ENGRAIN_TOKEN": running.token},
            capture_output=True, text=True, check=True, timeout=60,
        )  # fmt: skip
    assert address == "http://127.0.0.1:3377/mcp?project=ID"
    assert "no fix is known" in done.stdout


def test_the_guide_names_every_tool() -> None:
    assert [entry.name for entry in TOOLS if f"`{entry.name}`" not in guide()] == []
