"""MCP as agents start it: a process of its own, real pipes, both eras of the protocol, and how it ends."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from mcp_types import ElicitResult

from engrain.mcp.catalog import TOOLS
from engrain.mcp.stdio import whole
from engrain.memory import Memory
from engrain.paths import Home
from tests.clients import ERAS, agent, command, walked
from tests.making import run

SECONDS = 60
START = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "pipe", "version": "1"}},
}  # fmt: skip


@pytest.mark.parametrize("era", ERAS)
def test_a_client_goes_through_every_tool_resource_and_prompt(era: str, home: Home, tmp_path: object) -> None:
    folder = str(tmp_path)

    def yes(_: str) -> ElicitResult:
        return ElicitResult(action="accept", content={"erase": True})

    with agent(command(folder), era, name="claude-code", asked=yes) as here:
        assert [tool["name"] for tool in here.tools()] == [entry.name for entry in TOOLS]
        answers = walked(here)
        assert sorted(answers) == sorted(entry.name for entry in TOOLS)
        assert [name for name, said in answers.items() if said.wrong or not said.fields or not said.text] == []
        wrong = {entry.name: here.call(entry.name, nonsense=1) for entry in TOOLS}
        assert all(said.wrong and "has no argument 'nonsense'" in said.text for said in wrong.values())
        resources, templates, prompts = here.named()
        assert resources == ["engrain://project/current/lessons", "engrain://stats"]
        assert templates == ["engrain://project/{project}/lessons", "engrain://session/{session}/timeline"]
        assert prompts == ["recall", "retrospective"]
        assert "ask before" in here.read(resources[0])
        assert json.loads(here.read(resources[1]))["events"] > 3
        assert here.read("engrain://session/nope/timeline").startswith("error -32602")
        assert "teach_fix" in here.prompt("retrospective")
        assert "staging" in here.prompt("recall", about="staging")
        assert here.prompt("recall").startswith("error -32602")
    with Memory.open(home.root, folder=folder) as memory:
        assert {event.agent for event in memory.store.events() if event.kind == "fix"} == {"claude-code"}


def test_the_project_can_be_named(home: Home, tmp_path: object) -> None:
    shop, other = os.path.join(str(tmp_path), "shop"), os.path.join(str(tmp_path), "other")
    os.makedirs(shop)
    os.makedirs(other)
    with agent(command(other, "--project", shop)) as here:
        noted = here.call("save_note", text="sold out").fields["id"]
    with Memory.open(home.root, folder=shop) as memory:
        assert memory.get(noted)[0].project == memory.project.id
    refused = run(["mcp", "--project", "nowhere"], folder=other, environ=os.environ)
    assert (refused.code, refused.err) == (2, "engrain: --project nowhere: there is no such folder\n")


# How it ends


@contextmanager
def piped(folder: str) -> Iterator[subprocess.Popen[bytes]]:
    """The server on pipes that a test writes to by hand; it must be gone when the block ends."""
    words = [sys.executable, "-m", "engrain", "mcp"]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe) as server:
        try:
            yield server
            server.wait(SECONDS)
        finally:
            server.kill()


def say(server: subprocess.Popen[bytes], message: dict[str, object]) -> None:
    assert server.stdin is not None
    server.stdin.write(json.dumps(message).encode() + b"\n")
    server.stdin.flush()


def hear(server: subprocess.Popen[bytes]) -> dict[str, object]:
    assert server.stdout is not None
    found: dict[str, object] = json.loads(server.stdout.readline())
    return found


@pytest.mark.parametrize("last", [b"", b'{"jsonrpc":"2.0","id":2,"meth', b"\xff\xfe\n{}\n[]\nnull\n"])
def test_it_exits_when_its_input_ends_whatever_came_last(home: Home, tmp_path: object, last: bytes) -> None:
    with piped(str(tmp_path)) as server:
        say(server, START)
        assert hear(server)["id"] == 1
        assert server.stdin is not None
        server.stdin.write(last)
        server.stdin.close()
    assert server.returncode == 0


def test_a_line_that_is_no_message_does_not_end_it(home: Home, tmp_path: object) -> None:
    with piped(str(tmp_path)) as server:
        say(server, START)
        hear(server)
        assert server.stdin is not None
        server.stdin.write(b'{"jsonrpc":"2.0","id":2,"meth\nnonsense\n\xff\n')
        say(server, {"jsonrpc": "2.0", "method": "notifications/initialized"})
        say(server, {"jsonrpc": "2.0", "id": 3, "method": "tools/list", "params": {}})
        while (answer := hear(server)).get("id") != 3:
            pass
        assert "result" in answer
        server.stdin.close()
    assert server.returncode == 0


def test_half_a_character_is_answered(home: Home, tmp_path: object) -> None:
    asks = {"name": "find_fix", "arguments": {"error": "Error: it broke at \ud83d"}}
    with piped(str(tmp_path)) as server:
        say(server, START)
        hear(server)
        say(server, {"jsonrpc": "2.0", "method": "notifications/initialized"})
        say(server, {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": asks})
        answer = hear(server)
        assert answer["id"] == 2
        assert "it broke at \ufffd" in json.dumps(answer["result"], ensure_ascii=False)
        assert server.stdin is not None
        server.stdin.close()
    assert server.returncode == 0


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        (rb"\ud83d\ude00", "\U0001f600"), (rb"\ud83d", "\ufffd"), (rb"\udE00\uD83D", "\ufffd\ufffd"),
        (rb"\ud83d\ud83d\ude00", "\ufffd\U0001f600"), (rb"\\ud83d", "\\ud83d"), (rb"\\\ud83d", "\\\ufffd"),
        (rb"\n\ud7ff\ue000", "\n\ud7ff\ue000"), (rb"\ud83", None),
    ],
)  # fmt: skip
def test_only_halves_of_characters_are_mended(said: bytes, heard: str | None) -> None:
    line = whole(b'{"text":"' + said + b'"}')
    if heard is None:
        assert line == b'{"text":"' + said + b'"}'
    else:
        assert json.loads(line) == {"text": heard}


def test_it_exits_when_nobody_reads_it_any_more(home: Home, tmp_path: object) -> None:
    with piped(str(tmp_path)) as server:
        say(server, START)
        hear(server)
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        server.stdout.close()
        say(server, {"jsonrpc": "2.0", "id": 2, "method": "ping"})
        server.stdin.close()
        assert b"Traceback" not in server.stderr.read()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_it_exits_when_told_to(home: Home, tmp_path: object, how: signal.Signals) -> None:
    with piped(str(tmp_path)) as server:
        say(server, START)
        hear(server)
        server.send_signal(how)
    assert server.returncode == -how


CLIENT = """
import subprocess, sys, os
server = subprocess.Popen([sys.executable, "-m", "engrain", "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
server.stdin.write(sys.argv[1].encode() + b"\\n" + b'{"jsonrpc":"2.0","id":2,"method":"tools/ca')
server.stdin.flush()
server.stdout.readline()
print("ready", flush=True)
sys.stdin.read()
"""


def test_no_process_is_left_when_its_client_is_killed(home: Home, tmp_path: object) -> None:
    # Whoever holds the writing end of this pipe still lives: the client and the server that it started.
    alive, held = os.pipe()
    words = [sys.executable, "-c", CLIENT, json.dumps(START)]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, cwd=str(tmp_path), stdin=pipe, stdout=pipe, stderr=held) as client:
        os.close(held)
        assert client.stdout is not None
        assert client.stdout.readline() == b"ready\n"
        client.kill()
        client.wait(SECONDS)
    gone, _, _ = select.select([alive], [], [], SECONDS)
    assert gone
    assert os.read(alive, 1) == b""
    os.close(alive)
