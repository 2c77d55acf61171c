"""The examples of the server's description: told and asked of a real server, in this order.

python -m tests.examples     writes src/engrain/rest/examples.json anew
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from typing import Any

from engrain.rest.examples import FILE
from tests.served import Served, served

FREE = {"ENGRAIN_SERVER_WRITES": "0", "ENGRAIN_SERVER_READS": "0"}
SHOP = {"id": "0f3a9c1b2d4e5f60", "name": "shop", "root": "/home/dana/shop", "branch": "main"}
WHO = {"project": SHOP, "session": "s-1", "agent": "claude-code"}
ERROR = "Traceback (most recent call last):\n  File \"a.py\", line 1\nModuleNotFoundError: No module named 'orjson'"
FAILED = {"project": SHOP, "text": ERROR, "command": "python a.py", "exit_code": 1, "limit": 3}
HOOK = {
    "hook_event_name": "PostToolUseFailure", "session_id": "s-2", "cwd": "/home/dana/shop", "tool_name": "Bash",
    "tool_use_id": "toolu_01", "tool_input": {"command": "python a.py"}, "error": f"Exit code 1\n{ERROR}",
}  # fmt: skip

PLAYED: tuple[tuple[str, dict[str, Any] | None, dict[str, str]], ...] = (
    ("POST /v1/tool-calls", {
        **WHO, "tool": "Bash", "input": {"command": "python a.py"}, "output": ERROR, "exit": 1, "failed": True,
    }, {}),
    ("POST /v1/prompts", {**WHO, "text": "make the export stream its rows"}, {}),
    ("POST /v1/events", {"events": [
        {"kind": "note", "project": SHOP["id"], "id": "laptop-17", "time": "2026-11-18T09:30:00Z", "session": "s-1",
         "body": {"text": "the staging database is read-only on Sundays"}},
        {"kind": "command", "project": SHOP["id"], "body": {"command": "make", "exit": 0}},
    ]}, {}),
    ("POST /v1/notes", {**WHO, "text": "run the migrations before the seed", "tags": ["database"]}, {}),
    ("POST /v1/fixes", {
        **WHO, "error": ERROR, "steps": ["pip install orjson"], "cause": "it is in no requirements file",
        "command": "python a.py", "exit_code": 1,
    }, {"fix": "fix"}),
    ("POST /v1/match", FAILED, {}),
    ("POST /v1/served", FAILED, {"fingerprint": "failure.fingerprint"}),
    ("POST /v1/fixes/{fix}/outcomes", {**WHO, "worked": True}, {}),
    ("GET /v1/fixes", None, {}),
    ("GET /v1/fixes/{fix}", None, {}),
    ("POST /v1/hooks/claude-code?project=0f3a9c1b2d4e5f60", HOOK, {}),
    ("POST /v1/admin/jobs/work", None, {}),
    ("GET /v1/failures", None, {}),
    ("GET /v1/failures/{fingerprint}", None, {}),
    ("POST /v1/lessons", {
        **WHO, "text": "never force-push to main: releases are built from it", "severity": "danger",
        "when": {"tool": "Bash", "command": "git push .*--force"},
    }, {"lesson": "id"}),
    ("POST /v1/lessons/match", {
        "project": SHOP, "tool": "Bash", "input": {"command": "git push --force origin main"},
    }, {}),
    ("POST /v1/lessons/{lesson}/state", {**WHO, "state": "accepted", "why": "it happened once"}, {}),
    ("GET /v1/lessons", None, {}),
    ("POST /v1/tasks", {**WHO, "text": "stop password guessing at login", "files": ["src/login.py"]}, {"task": "task"}),
    ("POST /v1/tasks/{task}/end", {
        **WHO, "outcome": "success", "summary": "five tries a minute", "modified": ["src/login.py"],
        "commands": ["pytest tests/test_login.py"],
    }, {}),
    ("GET /v1/tasks", None, {}),
    ("GET /v1/tasks/{task}", None, {}),
    ("POST /v1/tasks/similar", {"project": SHOP, "text": "slow down guessing of passwords", "limit": 3}, {}),
    ("POST /v1/patterns", {
        **WHO, "name": "repository", "description": "SQL stands in a class for each table", "uses": ["class Orders:"],
        "area": "src/store",
    }, {}),
    ("GET /v1/patterns", None, {}),
    ("POST /v1/patterns/match", {"project": SHOP, "text": "a repository for orders", "limit": 3}, {}),
    ("POST /v1/context", {"project": SHOP, "text": "stop password guessing at login", "tokens": 800}, {}),
    ("GET /v1/events?limit=1", None, {}),
    ("GET /v1/events/laptop-17", None, {}),
    ("GET /v1/changes?limit=1", None, {}),
    ("GET /v1/timeline?limit=2", None, {}),
    ("GET /v1/search?q=staging+database", None, {}),
    ("GET /v1/sessions?limit=1", None, {}),
    ("GET /v1/sessions/s-1", None, {}),
    ("GET /v1/projects", None, {}),
    ("POST /v1/forget", {"ids": ["laptop-17"]}, {}),
    ("GET /v1/stats", None, {}),
    ("POST /v1/tickets", None, {}),
    ("POST /v1/admin/tokens", {"name": "laptop of dana", "scopes": ["read", "write"], "days": 90}, {"token": "id"}),
    ("GET /v1/admin/tokens?limit=1", None, {}),
    ("DELETE /v1/admin/tokens/{token}", None, {}),
    ("GET /v1/admin/audit?limit=1", None, {}),
    ("GET /v1/admin/jobs", None, {}),
    ("POST /v1/admin/embed", None, {}),
    ("GET /health", None, {}),
    ("GET /ready", None, {}),
)  # fmt: skip
"""What is asked, with what body, and which names in later addresses stand for what of the answer."""


def played(api: Served, paths: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Each operation with what it was asked and what it answered."""
    token = api.new_token("read", "write", "admin")
    known: dict[str, str] = {}
    found: dict[str, dict[str, Any]] = {}
    for asked, body, told in PLAYED:
        method, address = asked.split(" ", 1)
        reply = api.ask(method, address.format(**known), body, token=token)
        assert reply.status in (200, 201), (asked, reply)
        for name, place in told.items():
            value = reply.fields
            for key in place.split("."):
                value = value[key]
            known[name] = str(value)
        made = {"asked": body, "answered": reply.fields}
        found[_operation(method, address, paths)] = {name: value for name, value in made.items() if value is not None}
    return found


def _operation(method: str, address: str, paths: dict[str, dict[str, Any]]) -> str:
    path = address.partition("?")[0]
    fits = [each for each in paths if re.fullmatch(re.sub(r"\{[^}]*\}", "[^/]+", each), path)]
    # What is written out comes before what anything fits.
    return f"{method} {min(fits, key=lambda each: each.count('{'))}"


def _written(examples: dict[str, dict[str, Any]]) -> str:
    text = json.dumps(examples, ensure_ascii=False, indent=1)
    text = re.sub(r"engr_[0-9a-f]{12}_[A-Za-z0-9]{43}", "engr_3f2a9c0b11aa_…", text)
    return re.sub(r'("ticket": ")[^"]+', r"\1…", text) + "\n"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home, served(os.path.join(home, "home"), **FREE) as one:
        text = _written(played(one, one.ask("GET", "/openapi.json").fields["paths"]))
    with open(FILE, "w", encoding="utf-8") as file:
        file.write(text)
