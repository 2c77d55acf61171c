"""One failure from the hook to the page: the design names just the rooms that a profiler sees it pass."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest

from tests.payloads import payload

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)
DESIGN = os.path.join(TOP, "docs", "explanation", "design.md")

SEEN = """
import json, os, sys, threading
rooms, leave = [], os._exit
def look(frame, what, _):
    name = frame.f_globals.get("__name__", "")
    if what == "call" and name.startswith("engrain.") and frame.f_code.co_name != "<module>":
        room = name.split(".")[1]
        if room not in rooms:
            rooms.append(room)
def done(code=0):
    sys.setprofile(None)
    with open(sys.argv[1], "w") as file:
        json.dump(rooms, file)
    leave(code)
os._exit = done
"""
"""Rooms in whose functions a process was, in order; written when it leaves."""

STATIONS = {
    "hook": """
from engrain.hook import door
sys.setprofile(look)
door.run(["PostToolUseFailure"], sys.executable, "")
""",
    "tick": """
from engrain.cli.group import run
sys.setprofile(look)
done(run(["tick"]))
""",
    "page": """
import asyncio
from engrain.memory import Memory
from engrain.rest.app import Service, application
from engrain.rest.guard import Rules
from engrain.rest.login import COOKIE
from engrain.rest.who import same_user
from engrain.web import surface
service = Service(lambda: Memory.open(), Rules("local"))
app = application(service, pages=surface.pages(service.pool.memory))
login = service.logins.begin(same_user("local"))
with Memory.open() as memory:
    [failure] = memory.failures()
sys.path.insert(0, sys.argv[2])
from tests.served import inside
threading.setprofile(look)
sys.setprofile(look)
headers = {"accept": "text/html", "cookie": f"{COOKIE}={login.name}"}
reply = inside(app, "GET", f"/failures/{failure.fingerprint}", headers=headers)
assert reply.status == 200 and b"orjson" in reply.body, reply
done()
""",
}


def rooms(station: str, folder: str, given: bytes = b"") -> set[str]:
    """What a process of this station passed."""
    out = os.path.join(folder, f"{station}.json")
    environ = {**os.environ, "ENGRAIN_HOME": os.path.join(folder, "home")}
    command = [sys.executable, "-c", SEEN + STATIONS[station], out, TOP]
    subprocess.run(command, input=given, env=environ, cwd=folder, check=True, timeout=60)
    with open(out, encoding="utf-8") as file:
        return set(json.load(file))


@pytest.fixture(scope="module")
def named() -> dict[str, set[str]]:
    """Station → the rooms that the design names there."""
    with open(DESIGN, encoding="utf-8") as file:
        section = file.read().partition("## One failure, room by room")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (\w+) \| `([\w, /.`]+)` \|", section, re.MULTILINE)
    found: dict[str, set[str]] = {station: set() for station in STATIONS}
    for station, places in rows:
        found[station] |= {re.split(r"[/.]", each.strip("` "))[0] for each in places.split(",")}
    return found


def test_the_design_names_every_room_that_a_failure_passes(tmp_path: object, named: dict[str, set[str]]) -> None:
    folder = str(tmp_path)
    said = {**payload("PostToolUseFailure"), "cwd": folder}
    seen = {"hook": rooms("hook", folder, json.dumps(said).encode()), "tick": rooms("tick", folder)}
    seen["page"] = rooms("page", folder)
    assert named == seen
