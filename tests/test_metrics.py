"""What a server tells of itself: counts that add up over its workers, and lines that hold no word of anybody."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess

import pytest

from bench.scratch import Postgres
from engrain.cli.backup import command as backup
from engrain.cli.serve import command as serve
from engrain.cli.tick import command as tick
from engrain.paths import Home
from tests.served import Served, served
from tests.test_agreements import TOP

FREE = {"ENGRAIN_SERVER_WRITES": "0", "ENGRAIN_SERVER_READS": "0"}
WORD = "quagga"


def counted(one: Served) -> dict[str, float]:
    reply = one.ask("GET", "/metrics")
    assert reply.status == 200
    assert reply.headers["content-type"].startswith("text/plain")
    lines = [line for line in reply.body.decode().splitlines() if line and not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def used(one: Served, times: int) -> None:
    for number in range(times):
        told = {"kind": "note", "project": "p", "body": {"text": f"{WORD} {number}"}}
        assert one.ask("POST", "/v1/events", {"events": [told, told]}).status == 200
        assert one.ask("GET", "/v1/search", q=WORD).status == 200
    one.ask("GET", "/v1/search", q="nothing-of-that")
    one.ask("GET", f"/{WORD}/nowhere")


@pytest.mark.parametrize("workers", [1, 3])
def test_what_was_asked_and_told_is_counted_over_all_workers(home: Home, workers: int) -> None:
    with served(home.root, "", workers, **FREE) as one:
        used(one, 12)
        found = counted(one)
    assert found["engrain_events_total"] == 24
    assert found['engrain_requests_total{method="POST",route="/v1/events",status="200"}'] == 12
    assert found['engrain_recall_total{found="yes",route="/v1/search"}'] == 12
    assert found['engrain_recall_total{found="no",route="/v1/search"}'] == 1
    assert found['engrain_recall_seconds_count{route="/v1/search"}'] == 13
    assert found['engrain_requests_total{method="GET",route="-",status="404"}'] == 1
    assert found["engrain_intake_waiting"] == 0
    assert (found["engrain_store_up"], found['engrain_jobs{state="dead"}']) == (1, 0)
    assert WORD not in str(found)


def test_lag_is_told_and_a_store_that_is_away_is(server: Postgres, home: Home) -> None:
    store = server.database()
    with served(home.root, store, **FREE) as one:
        ran = {"tool": "Bash", "input": {"command": "ls"}, "output": "", "exit": 0}
        one.ask("POST", "/v1/events", {"kind": "tool.call", "project": "p", "session": "s", "body": ran})
        found = counted(one)
        assert found['engrain_jobs{state="waiting"}'] == 1
        assert 0 < found["engrain_lag_seconds"] < 60
        assert one.ask("GET", "/metrics", token="").status == 401
    server.drop(store)


def test_a_request_is_a_line_without_a_word_of_it(home: Home) -> None:
    with served(home.root, "", 1, "--log", "json", **FREE) as one:
        used(one, 1)
        one.process.send_signal(signal.SIGTERM)
        one.process.wait(20)
        assert one.process.stderr is not None
        told = one.process.stderr.read()
    lines = [json.loads(line) for line in told.splitlines() if line.startswith("{")]
    assert [(line["method"], line["route"], line["status"]) for line in lines] == [
        ("POST", "/v1/events", 200), ("GET", "/v1/search", 200), ("GET", "/v1/search", 200), ("GET", "-", 404),
    ]  # fmt: skip
    assert all(line["ms"] > 0 and line["tenant"] == "local" and len(line["token"]) == 12 for line in lines)
    assert WORD not in told
    assert one.token not in told


# What is deployed


def deployed(name: str) -> str:
    with open(os.path.join(TOP, "deploy", name), encoding="utf-8") as file:
        return file.read()


def test_what_is_deployed_calls_commands_as_they_are() -> None:
    called = [json.loads(each) for each in re.findall(r"^CMD (\[.*\])$", deployed("Dockerfile"), re.MULTILINE)]
    called += [
        json.loads(each) for each in re.findall(r"command: (\[\"tick.*\])$", deployed("compose.yaml"), re.MULTILINE)
    ]
    for name in ("engrain.service", "engrain-work.service", "engrain-backup.service"):
        called += [shlex.split(each)[1:] for each in re.findall(r"^ExecStart=(.*)$", deployed(name), re.MULTILINE)]
    assert [words[0] for words in called] == ["serve", "tick", "serve", "tick", "backup"]
    for name, *words in called:
        command = {"serve": serve, "tick": tick, "backup": backup}[name]
        assert command.make_context(name, words).params, "every option is one"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not here to read what is written for it")
@pytest.mark.parametrize(
    "name", ["engrain.service", "engrain-work.service", "engrain-backup.service", "engrain-backup.timer"]
)
def test_systemd_understands_the_units(name: str, tmp_path: object) -> None:
    for each in (name, "engrain-backup.service"):
        with open(os.path.join(str(tmp_path), each), "w", encoding="utf-8") as file:
            file.write(deployed(each).replace("/usr/local/bin/engrain", "/bin/true"))
    path = os.path.join(str(tmp_path), name)
    ran = subprocess.run(["systemd-analyze", "verify", path], capture_output=True, text=True, check=False)
    assert [line for line in ran.stderr.splitlines() if name in line] == []
