"""No secret reaches the disk, whichever way an event comes in.

WAYS is the list of all ways in. A new one (a hook, REST, MCP …) adds its row here: the rest of the file holds for it.
"""

from __future__ import annotations

import ast
import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import nullcontext, suppress
from typing import Any
from urllib.parse import urlencode

import pytest

from engrain import event as events
from engrain.capture.admit import Gate, admitted
from engrain.errors import BadInput
from engrain.event import Event
from engrain.learn.direct import derive
from engrain.memory import Memory
from engrain.project import identify
from engrain.rest.app import Service, application
from engrain.rest.guard import Rules
from engrain.store import open_store
from engrain.upkeep import backup, records
from engrain.upkeep.moving import agent_memory
from engrain.upkeep.moving.bring import bring
from engrain.upkeep.moving.making import Making
from engrain.upkeep.sync import Far, sync
from engrain.upkeep.sync import path as sync_file
from engrain.web.asked import Asked
from engrain.web.pages import failures, fixes, lessons
from tests import agents, transcripts
from tests.making import event, failed
from tests.moving import Tables
from tests.served import inside
from tests.test_agreements import modules

VALUE = "q7Zt" + "Rw2mXc9LpVb4KsNd8Hf3Gj6Ty1"
KEY_LINES = "\n".join("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ" + VALUE[n:] + VALUE[:n] for n in range(9))


def github(_: int = 0) -> str:
    return "ghp_" + "".join(VALUE[(7 * n) % len(VALUE)] for n in range(36))


# (label, text, what must not be on the disk)
SECRETS = [
    ("prompt", f"please push with {github()} and tell nobody", github()),
    ("command", f"curl -H 'Authorization: Bearer {VALUE}' https://api.example.com", VALUE),
    ("output", f"login ok\npassword: {VALUE}\n", VALUE),
    ("environment dump", f"PATH=/bin\nDB_PASSWORD={VALUE}\nAWS_SECRET_ACCESS_KEY={VALUE}wJalrXUtnFEMI\n", VALUE),
    ("diff", f"--- a/x\n+++ b/x\n-api_key = 'old'\n+api_key = '{VALUE}'\n", VALUE),
    ("traceback", f"  File \"x.py\", line 1\n    connect(password='{VALUE}')\nValueError: no\n", VALUE),
    ("url", f"cloning https://dana:{VALUE}@git.example.com/shop.git", VALUE),
    ("connection string", f"postgresql://dana:{VALUE}@db.example.com/shop", VALUE),
    ("private key", f"-----BEGIN PRIVATE KEY-----\n{KEY_LINES}\n-----END PRIVATE KEY-----", VALUE[:20]),
    ("json", json.dumps({"client_secret": VALUE, "n": 1}), VALUE),
]


def spooled(memory: Memory, given: Event) -> None:
    memory.capture(given)


def spooled_and_ingested(memory: Memory, given: Event) -> None:
    memory.capture(given)
    memory.tick(seconds=10)


def recorded(memory: Memory, given: Event) -> None:
    memory.record(given)


def imported(memory: Memory, given: Event) -> None:
    done = memory.import_journal(io.BytesIO(events.line(given).encode()))
    assert done.appended.new + done.appended.known == 1


def restored(memory: Memory, given: Event) -> None:
    """From a copy that somebody else made, with whatever is in it."""
    from engrain.learn.direct import derive
    from engrain.store import open_store
    from engrain.store.sqlite import SqliteDatabase

    elsewhere = os.path.join(os.path.dirname(memory.home.root), "elsewhere.db")
    store = open_store(elsewhere, derive)
    store.append([given])
    assert isinstance(store.database, SqliteDatabase)
    store.database.leave_one_file()
    store.close()
    assert memory.restore(elsewhere).new == 1


def hooked(memory: Memory, given: Event) -> None:
    """What an agent tells its hooks: the text is prompt, input and output of calls, whatever it was here."""
    source = os.path.dirname(os.path.dirname(events.__file__))
    code = f"import sys; sys.path.insert(0, {source!r}); from engrain.hook.door import run; run([], '/bin/true', '')"
    call = {"tool_name": str(given.body.get("tool", "Bash")), "cwd": given.body.get("cwd", "/"), "tool_use_id": "t1"}
    said = given.body.get("text") or json.dumps(given.body, ensure_ascii=False)
    told = [
        {"hook_event_name": "UserPromptSubmit", "prompt": said},
        {"hook_event_name": "PostToolUse", **call, "tool_input": {"command": said}, "tool_response": {"stdout": said}},
        {"hook_event_name": "PostToolUseFailure", **call, "tool_input": {"q": said}, "error": f"Exit code 1\n{said}"},
        {"hook_event_name": "Stop", "last_assistant_message": said},
    ]
    if "input" in given.body:
        given_to = {**call, "tool_input": given.body["input"], "tool_response": {"stdout": given.body.get("output")}}
        told = [{"hook_event_name": "PostToolUse", **given_to}]
    for each in told:
        line = json.dumps({"session_id": "s", **each}).encode()
        done = subprocess.run([sys.executable, "-I", "-S", "-c", code], input=line, capture_output=True, check=True)
        assert (done.stdout, done.stderr) == (b"", b"")
    assert not os.path.exists(memory.home.at("hook.log"))


EACH = """
import json, os, sys
sys.path.insert(0, {source!r})
from engrain.hook.door import run
for words, said in json.load(sys.stdin):
    read, write = os.pipe()
    if not os.fork():
        os.dup2(read, 0)
        os.close(write)
        run(words, "/bin/true", "")
    os.close(read)
    with open(write, "w") as file:
        json.dump(said, file)
    os.wait()
"""


def hooked_by_others(memory: Memory, given: Event) -> None:
    """What other agents tell their hooks: the text stands wherever their payloads have one."""
    source = os.path.dirname(os.path.dirname(events.__file__))
    told = []
    for agent, names in agents.EVENTS.items():
        for name in names if "input" not in given.body else agents.CALLS.get(agent, ()):
            said = agents.payload(agent, name)
            told.append(([name, agent], _asked(said, given) if "input" in given.body else _saying(said, given)))
    words = [sys.executable, "-I", "-S", "-c", EACH.format(source=source)]
    done = subprocess.run(words, input=json.dumps(told).encode(), capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")
    assert not os.path.exists(memory.home.at("hook.log"))


def _saying(value: Any, given: Event) -> Any:
    """A payload whose texts are that of the event."""
    if isinstance(value, dict):
        return {key: each if key in agents.NAMES else _saying(each, given) for key, each in value.items()}
    if isinstance(value, list):
        return [_saying(each, given) for each in value]
    said = str(given.body.get("text") or json.dumps(given.body, ensure_ascii=False))
    return said if isinstance(value, str) else value


def _asked(value: Any, given: Event) -> Any:
    """A payload whose call is that of the event."""
    if not isinstance(value, dict):
        return value
    told = {key: _asked(each, given) for key, each in value.items()}
    ours = {
        "tool_name": "tool",
        "tool": "tool",
        "toolName": "tool",
        "cwd": "cwd",
        "tool_input": "input",
        "args": "input",
    }
    ours |= {"parameters": "input", "tool_response": "output", "output": "output", "result": "output"}
    told |= {key: given.body.get(name) for key, name in ours.items() if key in told}
    for key, name in (("workspace_roots", "cwd"), ("workspaceRoots", "cwd")):
        told |= {key: [given.body.get(name)]} if key in told else {}
    for key in {"tool_output", "llmContent"} & told.keys():
        told[key] = (
            json.dumps({"content": given.body.get("output")}) if key == "tool_output" else given.body.get("output")
        )
    return told


def transcribed(memory: Memory, given: Event) -> None:
    """What an agent wrote down: the text is prompt, input, output and error of calls, whatever it was here."""
    where = {"cwd": given.body.get("cwd", "/"), "sessionId": given.id}
    said = str(given.body.get("text") or json.dumps(given.body, ensure_ascii=False))
    records = [
        transcripts.asks(0, said, **where), transcripts.says(1, said, **where),
        transcripts.uses(2, "c1", "Bash", where, command=said), transcripts.gets(3, "c1", said, **where),
        transcripts.uses(4, "c2", "Grep", where, pattern="x"),
        transcripts.gets(5, "c2", f"Exit code 1\n{said}", error=True, **where),
    ]  # fmt: skip
    if "input" in given.body:
        asked = transcripts.uses(2, "c1", str(given.body.get("tool", "Bash")), where)
        asked["message"]["content"][0]["input"] = given.body["input"]
        records = [asked, transcripts.gets(3, "c1", given.body.get("output"), **where)]
    path = os.path.join(os.path.dirname(memory.home.root), "s.jsonl")
    with open(path, "wb") as file:
        file.write(transcripts.lines(*records))
    assert memory.import_transcripts("claude-code", memory.transcripts("claude-code", [path])).appended.new


def taught_as_a_pattern(memory: Memory, given: Event) -> None:
    """A pattern whose example and lines are the text, whatever it was here; a call is no pattern, and is recorded."""
    if "input" in given.body:
        return recorded(memory, given)
    said = str(given.body.get("text") or json.dumps(given.body, ensure_ascii=False))
    memory.learn_code_pattern("a pattern", description=said[:1000], example=said[:2000], uses=[said[:200]])
    memory.tick(seconds=10)
    return None


def told_as_a_task(memory: Memory, given: Event) -> None:
    """A task whose every field is the text; a call is no task, and is recorded."""
    if "input" in given.body:
        return recorded(memory, given)
    said = str(given.body.get("text") or json.dumps(given.body, ensure_ascii=False))
    memory.prepare(said)
    memory.remember_task(said, summary=said, commands=[said], errors=[said], modified=[said])
    memory.tick(seconds=10)
    return None


def read_from_records(memory: Memory, given: Event) -> None:
    """A task as it lies in a repository, whoever wrote it there; a call is no task, and is recorded."""
    if "input" in given.body:
        return recorded(memory, given)
    said = str(given.body.get("text") or json.dumps(given.body, ensure_ascii=False))
    fields = {
        "task": given.id.rjust(12, "0"),
        "time": 1,
        "started": 1,
        "text": said,
        "summary": said,
        "commands": [said],
    }
    line = json.dumps({**fields, "sum": records.sum_of(fields)})
    records.append(memory.project.root, {"executions": [line]})
    assert memory.read_tasks().new == 1
    records.replace(memory.project.root, {str(fields["task"]): {}})
    return None


def trusted(memory: Memory, given: Event) -> None:
    """What somebody else shares in the repository, and is trusted with whatever is in it; calls are not shared."""
    if given.kind == "tool.call":
        return
    said = str(given.body.get("text") or json.dumps(given.body, ensure_ascii=False))
    folder = os.path.join(memory.project.root, ".engrain", "shared")
    os.makedirs(folder, exist_ok=True)
    for name, body in (
        ("notes", {"engrain": "note", "text": said}),
        ("lessons", {"engrain": "lesson", "text": said, "why": said, "trigger": {"command": "pytest"}}),
        ("fixes", {"engrain": "fix", "fingerprint": "f", "family": "g", "steps": [said], "cause": said}),
    ):
        with open(os.path.join(folder, f"{name}.jsonl"), "w", encoding="utf-8") as file:
            file.write(json.dumps({**body, "v": 1, "by": "x"}) + "\n")
    what = memory.offered()
    if what.content:
        memory.trust(what)


def posted(memory: Memory, given: Event) -> None:
    """Sent to a server of this store."""
    service = Service(lambda: Memory.open(memory.home.root, store=memory.where), Rules("local"))
    fields = json.loads(events.line(given))
    assert inside(application(service), "POST", "/v1/events", fields, client="socket").status == 200
    service.close()


def synced(memory: Memory, given: Event) -> None:
    """Got from a server, or from who says that it is one."""
    far = Far("https://memory.example", lambda after, _: [] if after else [(1, given)], memory.store)
    sync(memory.home, memory.store, far, tenant="local", admit=memory.admitted)
    os.unlink(sync_file(memory.home, far.url))


def moved(memory: Memory, given: Event) -> None:
    """From what another tool keeps: a call; or a prompt, a summary, an observation and a lesson that say the same."""
    body = given.body
    asked = body.get("input", {"command": body.get("command", "")})
    output = body.get("error") or body.get("output", "")
    said = output if isinstance(output, str) else json.dumps(output)
    at = {"id": 1, "session_id": 1, "project_id": 1, "created_at": "2026-03-01T10:00:00Z"}
    call = {"tool_name": body.get("tool", "Bash"), "tool_input": asked, "cwd": body.get("cwd"), "tool_success": None}
    failed = {"tool_success": False, "tool_error": said} if "error" in body else {"tool_response_preview": said}
    text = body.get("text", "")
    tables = Tables(
        mem_projects=[{"id": 1, "full_path": body.get("cwd") or "/srv/shop"}],
        mem_sessions=[{"id": 1, "session_id": given.id, "project_id": 1, "summary": text}],
        mem_user_prompts=[{**at, "prompt_text": text}],
        mem_tool_calls=[] if text else [{**at, **call, **failed}],
        mem_observations=[{**at, "title": "seen", "narrative": text, "facts": [text], "concepts": [text]}],
        mem_lessons=[{**at, "title": "rule", "rule": text, "trigger_tool": "Bash", "trigger_pattern": "x"}],
    )
    making = Making("agent-memory", tenant=memory.tenant, admit=memory.admitted)
    bring(memory.store, making, agent_memory.read(tables, making, lambda folder, _remote: identify(folder)))
    assert not making.left


def sent_from_a_page(memory: Memory, given: Event) -> None:
    """Forms of the pages: a fix, its correction, a rule, the text in each field, or refused; no page sends calls."""
    if "input" in given.body:
        return recorded(memory, given)
    said = str(given.body.get("text") or json.dumps(given.body, ensure_ascii=False))
    asked = Asked(lambda _tenant, _project: nullcontext(memory), Person(), "/")
    memory.record(failed(memory, "ModuleNotFoundError: No module named 'orjson'"))
    key = memory.failures()[0].fingerprint
    for steps, cause in (("pip install orjson", said), (said, "")):
        asked.read("", urlencode({"steps": steps, "cause": cause[:90_000], "example": said[:90_000]}))
        with suppress(BadInput):
            failures.teach(asked, key)
            fixes.correct(asked, memory.failure(key).fixes[0].id)
    asked.read("", urlencode({"text": said[:900], "why": said[:900], "command": "x *", "project": memory.project.id}))
    with suppress(BadInput):
        lessons.add(asked)
    return None


class Person:
    """Somebody who logged in."""

    tenant = "local"

    def may(self, _: str) -> bool:
        return True


def carried(memory: Memory, given: Event) -> None:
    """From a store that somebody else filled, or an Engrain that knew fewer secrets."""
    with tempfile.TemporaryDirectory() as folder:
        older = open_store(os.path.join(folder, "engrain.db"), derive)
        older.append([given])
        older.close()
        memory.carry(older.where, memory.where)


WAYS = (
    spooled, spooled_and_ingested, recorded, imported, restored, hooked, hooked_by_others, transcribed,
    taught_as_a_pattern, told_as_a_task, read_from_records, trusted, moved, carried, posted, synced, sent_from_a_page,
)  # fmt: skip


def held(memory: Memory, needle: str) -> list[str]:
    """Where the bytes stand: files of the home, an export, a backup, the tables of the store."""
    found = []
    memory.close()
    for place, _, names in os.walk(memory.home.root):
        for name in names:
            with open(os.path.join(place, name), "rb") as file:
                if needle.encode() in file.read():
                    found.append(name)
    out = io.BytesIO()
    memory.export(out)
    found += ["export"] * (needle.encode() in out.getvalue())
    found += ["dump"] * any(needle in line for line in memory.dump())
    ids = [e.id for e in memory.store.events()]
    found += ["bodies"] * (needle in json.dumps(memory.bodies.get(ids), ensure_ascii=False))
    with backup.opened(memory.backup().path) as copy:
        found += ["backup"] * any(needle in events.line(e) for e in copy.events())
    return found


@pytest.mark.parametrize("way", WAYS, ids=lambda way: str(way.__name__))
@pytest.mark.parametrize(("text", "secret"), [row[1:] for row in SECRETS], ids=[row[0] for row in SECRETS])
def test_a_secret_anywhere_in_an_event_is_not_on_the_disk(
    memory: Memory, way: Callable[[Memory, Event], None], text: str, secret: str
) -> None:
    body: dict[str, Any] = {
        "tool": "Bash",
        "input": {"command": text, "nested": [{"deep": text}], text: "as a key"},
        "output": text,
        "error": text,
        "bodies": {"content": text},
    }
    way(memory, event(1, kind="tool.call", body=body))
    way(memory, event(2, kind="prompt", body={"text": text, "tags": [text]}))
    way(memory, event(3, kind="command", body={"command": text, "output": text}))
    assert held(memory, secret) == []
    # What others share is left out as a whole where it has a secret.
    assert bool(memory.stats().redacted) is (way is not trusted)


PLACES = [
    ".env",
    "sub/.env.production",
    "deploy/id_rsa",
    "ssl/server.pem",
    ".aws/credentials",
    "ignored/data.txt",
    "x.log",
]
CONTENT = "wombat" + "-71828-" + "kestrel"


def calls(path: str) -> list[dict[str, Any]]:
    """Every manner in which an agent reads, writes and edits a file."""
    full = {"file_path": path}
    return [
        {"tool": "Read", "input": full, "output": CONTENT},
        {"tool": "Read", "input": full, "output": {"file": {"content": CONTENT}}},
        {"tool": "Write", "input": {**full, "content": CONTENT}, "output": "ok"},
        {
            "tool": "Edit",
            "input": {**full, "old_string": CONTENT, "new_string": CONTENT},
            "output": {"patch": [CONTENT]},
        },
        {
            "tool": "MultiEdit",
            "input": {**full, "edits": [{"old_string": CONTENT, "new_string": CONTENT}]},
            "output": "",
        },
        {"tool": "Edit", "input": {**full, "old_string": CONTENT}, "error": f"not found: {CONTENT}"},
        {"tool": "Bash", "input": {"command": f"cat {path}"}, "output": CONTENT},
        {"tool": "Bash", "input": {"command": f"head -5 < '{path}' | sort"}, "output": CONTENT},
        {"tool": "Bash", "input": {"command": f"cd sub && echo {CONTENT} > {path}"}, "output": ""},
        {"tool": "Bash", "input": {"command": f"cat > {path} <<'EOF'\n{CONTENT}\nEOF"}, "output": ""},
        {"tool": "Bash", "input": {"command": f"tee -a {path} <<< {CONTENT}"}, "output": CONTENT},
        {"tool": "Bash", "input": {"command": f"sed -i 's/a/{CONTENT}/' {path}; grep x {path}"}, "output": CONTENT},
        {"tool": "Bash", "input": {"command": f"cat {path}"}, "error": f"Exit code 1\n{CONTENT}"},
    ]


@pytest.fixture
def checkout(tmp_path: object) -> str:
    """A work tree with ignored files."""
    top = f"{tmp_path}/shop"
    os.makedirs(f"{top}/ignored")
    subprocess.run(["git", "init", "-q", top], check=True)
    with open(f"{top}/.gitignore", "w", encoding="utf-8") as file:
        file.write("ignored/\n*.log\n")
    return top


@pytest.mark.parametrize("way", [way for way in WAYS if way is not trusted], ids=lambda way: str(way.__name__))
@pytest.mark.parametrize("place", PLACES)
def test_no_content_of_a_sensitive_or_ignored_file_is_kept(
    memory: Memory, way: Callable[[Memory, Event], None], place: str, checkout: str
) -> None:
    for n, body in enumerate([*calls(place), *calls(f"{checkout}/{place}")]):
        way(memory, event(n, kind="tool.call", body={**body, "cwd": checkout})._replace(id=f"{way.__name__}-{n}"))
    assert held(memory, CONTENT) == []
    if place not in ("ignored/data.txt", "x.log"):
        reads = [e for e in memory.store.events() if e.body.get("tool") in ("Read", "Write", "Edit")]
        assert reads
        assert all(place not in events.line(e) for e in reads), "the path is a hash"


def watched(memory: Memory, text: str) -> None:
    """A command that says it, and is told it."""
    folder = os.path.dirname(memory.home.root)
    code = "import sys; print(sys.argv[1]); print(sys.stdin.read(), file=sys.stderr); sys.exit(1)"
    words = [sys.executable, "-m", "engrain", "watch", "--", sys.executable, "-c", code, text]
    environ = {**os.environ, "ENGRAIN_HOME": memory.home.root, "ENGRAIN_STORE": memory.where}
    subprocess.run(words, input=text.encode(), capture_output=True, check=False, env=environ, cwd=folder)
    memory.catch_up()


def taught(memory: Memory, text: str) -> None:
    """A fix for what says it, and what is said of that; asked for, shown and rated."""
    error = f"RuntimeError: the server has refused it, and said: {text}"
    done = memory.remember_error_fix(error, "ask for another one", cause=text, example=text, command=text)
    found = memory.match(error, text)
    memory.capture(memory.serving(found, channel="watch", command=text, cwd="/", of="x"))
    memory.rate(done.fix, worked=True)
    memory.catch_up()


def shared(memory: Memory, text: str) -> None:
    """A line of a corpus that somebody else made."""
    said = dict.fromkeys(("through", "toolchain", "error_type", "wording", "cause", "example"), text)
    line = {"engrain": "fix", "v": 1, "fingerprint": "1:a", "family": "1:b", **said, "steps": [text]}
    memory.import_fixes(io.BytesIO(json.dumps({**line, "parameters": {"module": text}}).encode()))


@pytest.mark.parametrize("way", [watched, taught, shared], ids=lambda way: str(way.__name__))
@pytest.mark.parametrize(("text", "secret"), [row[1:] for row in SECRETS], ids=[row[0] for row in SECRETS])
def test_a_secret_in_what_failed_and_in_what_helps_is_not_on_the_disk(
    memory: Memory, way: Callable[[Memory, str], None], text: str, secret: str
) -> None:
    way(memory, text)
    assert list(memory.store.events())
    assert held(memory, secret) == []
    out = io.BytesIO()
    memory.export_fixes(out)
    assert secret.encode() not in out.getvalue()


NAMES = (
    "path filePath TargetFile AbsolutePath pathInProject relative_workspace_path fileName outputFile documentUri uris"
)
SPELLED: list[dict[str, Any]] = [
    *({"tool": "view", "input": {name: ".env"}, "output": CONTENT} for name in NAMES.split()),
    *({"tool": "view", "input": {name: "x.log"}, "output": CONTENT} for name in NAMES.split()),
    *({"tool": "put", "input": {name: "x.log", "newText": CONTENT, "why": CONTENT}} for name in NAMES.split()),
    {"tool": "read", "input": {"files": [{"path": ".env"}]}, "output": CONTENT},
    {"tool": "read", "input": {"args": {"target": {"name": "./.env"}}}, "output": CONTENT},
    {"tool": "read", "input": {"path": 5, "file": ".env"}, "output": CONTENT},
    {"tool": "read", "input": {"file_path": ".env\n"}, "output": CONTENT},
    {"tool": "read", "input": {}, "output": {"filePath": ".env", "content": CONTENT}},
    {"tool": "read", "input": {"file_path": "linked.txt"}, "output": CONTENT},
    {"tool": "read", "input": {"file_path": "sub/listed.yaml"}, "output": CONTENT},
    {"tool": "read", "input": {"file_path": ".env"}, "stderr": CONTENT, "tool_response": {"content": CONTENT}},
    {"tool": "read", "input": {"file_path": "x.log"}, "stdout": CONTENT, "result": [CONTENT]},
    {"tool": "edit", "input": {"changes": {".env": {"add": {"content": CONTENT}}}}},
    {"tool": "edit", "input": {"changes": [{"path": "x.log", "newString": CONTENT}]}},
    {"tool": "apply_patch", "input": {"patchText": f"*** Begin Patch\n*** Add File: .env\n+{CONTENT}"}},
    {"tool": "shell", "input": {"command": ["cat", ".env"]}, "output": CONTENT},
    {"tool": "shell", "input": {"command": ["bash", "-lc", "cat x.log"]}, "output": CONTENT},
    {"tool": "shell", "input": {"command": "cat", "args": ["x.log"]}, "output": CONTENT},
    {"tool": "shell", "input": {"CommandLine": "cat .env"}, "output": CONTENT},
    {"tool": "shell", "input": {"commands": ["pwd", "cat .env"]}, "output": CONTENT},
    {"tool": "shell", "input": "cat .env", "output": CONTENT},
    {"tool": "shell", "input": ["cat", ".env"], "output": CONTENT},
    {"tool": "shell", "input": {"command": "cat linked.txt"}, "output": CONTENT},
    {"tool": "shell", "input": {"command": "grep -r foo ignored"}, "output": CONTENT},
    {"tool": "shell", "input": {"command": f"python - <<E\nopen('.env', 'w').write('{CONTENT}')\nE"}},
    {"tool": "shell", "input": {"command": "docker exec web printenv"}, "output": CONTENT},
    {"tool": "shell", "input": {"command": "printenv TOKEN"}, "output": CONTENT},
]


@pytest.mark.parametrize("kind", ["tool.call", "tool.call.seen"])
@pytest.mark.parametrize("body", SPELLED, ids=[json.dumps(body["input"])[:60] for body in SPELLED])
def test_a_file_is_known_by_whatever_name_and_shape_a_tool_gives_it(
    body: dict[str, Any], kind: str, checkout: str
) -> None:
    os.mkdir(f"{checkout}/sub")
    for name, leads in (("linked.txt", ".env"), ("sub/listed.yaml", "../x.log")):
        os.symlink(leads, f"{checkout}/{name}")
    left = admitted(event(1, kind=kind, body={**body, "cwd": checkout}), Gate())
    assert CONTENT not in events.line(left)
    assert left.body["withheld"]
    assert admitted(left, Gate()) == left


def test_words_that_only_sound_like_a_file_hide_nothing(checkout: str) -> None:
    for given in (
        {"pattern": "password"},
        {"description": "see what .env is for", "command": "pytest -q"},
        {"command": "sam build"},
        {"prompt": "write the secrets page", "subagent_type": "writer"},
    ):
        body = {"tool": "any", "input": given, "output": "1 failed", "cwd": checkout}
        assert admitted(event(1, kind="tool.call", body=body), Gate()).body == body


USED = [
    ("source .env && pytest -q", "1 failed"),
    (".venv/bin/python -m pytest", "1 failed"),
    ("docker compose --env-file .env up", "port is taken"),
    ("ssh -i deploy/id_rsa web uptime", "connection refused"),
    ("ls ignored/ && pytest", "1 failed"),
    ("make 2>&1 | tee build.log", "make: *** [all] Error 2"),
]


@pytest.mark.parametrize(("command", "output"), USED)
def test_what_only_uses_such_a_file_keeps_its_failure(checkout: str, command: str, output: str) -> None:
    body = {"tool": "Bash", "input": {"command": command}, "output": output, "cwd": checkout}
    kept = admitted(event(1, kind="tool.call", body=body), Gate("/home/dana"))
    assert kept.body["output"] == output
    assert "withheld" not in kept.body


def test_a_path_of_nobody_knows_where_is_not_one_of_this_folder(checkout: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout)
    told = event(
        1, kind="tool.call", body={"tool": "Bash", "input": {"command": "cat ignored/a"}, "output": "7 passed"}
    )
    assert admitted(told, Gate("/home/dana")).body["output"] == "7 passed"
    here = told._replace(body={**told.body, "cwd": checkout})
    assert "withheld" in admitted(here, Gate("/home/dana")).body


def test_admitting_twice_is_admitting_once(checkout: str) -> None:
    gate = Gate("/home/dana")
    for n, body in enumerate([*calls(".env"), *calls("x.log"), *calls("src/a.py"), {"output": SECRETS[3][1]}]):
        once = admitted(event(n, kind="tool.call", body={**body, "cwd": checkout}), gate)
        assert admitted(once, gate) == once


def test_what_was_stored_before_a_rule_was_known_is_redacted_on_its_way_out(memory: Memory) -> None:
    memory.store.append([event(1, f"password={VALUE}")])
    out = io.BytesIO()
    memory.export(out)
    assert VALUE.encode() not in out.getvalue()


def test_contents_of_files_lie_beside_the_journal(memory: Memory) -> None:
    body = {"tool": "Write", "input": {"file_path": "src/a.py", "content": CONTENT}, "output": "ok"}
    memory.record(event(1, kind="tool.call", body=body))
    assert memory.bodies.get(["e00001"])["e00001"]["content"] == CONTENT
    assert memory.get("e00001")[0].body["input"] == {"file_path": "src/a.py", "content_size": len(CONTENT)}


def test_home_folders_are_not_in_what_is_kept(memory: Memory) -> None:
    memory.record(event(1, "failed in /home/alice/shop/a.py and C:\\Users\\alice\\x"))
    text = memory.get("e00001")[0].body["text"]
    assert "alice" not in text
    assert "~/shop/a.py" in text


def test_a_note_on_the_command_line_is_redacted(tmp_path: object) -> None:
    words = [sys.executable, "-m", "engrain", "note", f"the token is {github()}"]
    subprocess.run(words, check=True, cwd=str(tmp_path), capture_output=True)
    with Memory.open() as memory:
        assert held(memory, github()) == []
        assert memory.stats().redacted == {"github-token": 1}


def test_a_watched_command_leaves_no_secret(tmp_path: object) -> None:
    """The secret is split over two writes of a stream; the second command reads a sensitive file."""
    with open(f"{tmp_path}/.env", "w", encoding="utf-8") as file:
        file.write(CONTENT)
    code = (
        "import os, sys; token = 'token=' + sys.argv[1] + sys.argv[2]\n"
        "for at in range(0, len(token), 11): os.write(1, token[at:at + 11].encode())\n"
        "sys.exit(3)"
    )
    for command in ([sys.executable, "-c", code, VALUE[:9], VALUE[9:]], ["cat", ".env"]):
        words = [sys.executable, "-m", "engrain", "watch", "--", *command]
        done = subprocess.run(words, check=False, cwd=str(tmp_path), capture_output=True)
        assert VALUE.encode() in done.stdout or CONTENT.encode() in done.stdout, "what it prints is not touched"
    with Memory.open() as memory:
        assert held(memory, VALUE) == []
        assert held(memory, CONTENT) == []
        memory.tick(seconds=10)
        assert memory.stats().kinds["command"] == 2


def test_a_secret_that_was_announced_in_one_place_is_gone_from_the_others(memory: Memory) -> None:
    body = {"tool": "Bash", "input": {"command": f"export API_KEY={VALUE}"}, "output": f"now using {VALUE} for all"}
    memory.record(event(1, kind="tool.call", body=body))
    assert held(memory, VALUE) == []


def test_forgets_and_ids_pass_the_gate_untouched() -> None:
    forget = events.forget([github()])
    assert admitted(forget, Gate()) == forget


# Who writes to a store or a spool, and why it may.
WRITERS = {
    "upkeep.moving.bring": "what was made by asking the gate",
    "memory": "through the gate",
    "memory.sharing": "through the gate of its memory",
    "memory.records": "through the gate of its memory",
    "memory.replay": "what has passed it, into a store that is gone afterwards",
    "upkeep.replay": "through the gate that it is handed",
    "upkeep.tick": "from the spool, which the gate has passed",
    "upkeep.forget": "forgets alone",
    "upkeep.backup": "from the store, and back through the gate",
    "upkeep.backfill": "through the gate of its reading",
    "upkeep.confirm": "through the gate that it is handed",
    "upkeep.transfer": "through the gate that it is handed",
    "store.store": "the store itself",
    "capture.spool": "the spool itself",
    "hook.door": "through the gate",
    "cli.suggesting": "through the gate",
    "upkeep.sync": "through the gate that it is handed",
    "upkeep.answers": "from the store, which the gate has passed",
}


def test_nothing_writes_events_past_the_gate() -> None:
    for name, tree in modules():
        writes = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("append", "append_batch")
            and isinstance(node.func.value, (ast.Name, ast.Attribute))
            and (node.func.value.id if isinstance(node.func.value, ast.Name) else node.func.value.attr)
            in ("store", "_store", "spool", "target", "copy")
        ]
        assert not writes or name in WRITERS, f"{name} writes events by itself: let Memory do it"


# Fixes


@pytest.mark.parametrize(("text", "secret"), [row[1:] for row in SECRETS], ids=[row[0] for row in SECRETS])
def test_a_secret_in_a_lesson_or_a_corpus_is_not_on_the_disk(memory: Memory, text: str, secret: str) -> None:
    error = f"{text}\nTraceback (most recent call last):\nValueError: the call was refused: {text.splitlines()[0]}"
    taught = memory.remember_error_fix(error, "rotate the key", cause=text, example=text)
    assert taught.redacted
    memory.record(memory.serving(memory.match(error), channel="watch", command=text, cwd="/"))
    shared = {
        "engrain": "fix", "v": 1, "fingerprint": "1:a", "family": "1:f", "steps": [f"use {text}"],
        "cause": text, "example": text, "wording": text, "parameters": {"name": text},
    }  # fmt: skip
    assert memory.import_fixes(io.BytesIO(json.dumps(shared).encode())).appended.new == 1
    out = io.BytesIO()
    memory.export_fixes(out)
    assert secret.encode() not in out.getvalue()
    assert held(memory, secret) == []
    with pytest.raises(BadInput, match="holds a secret"):
        memory.remember_error_fix(error, f"use {text}")


def test_a_session_whose_name_is_a_secret_is_called_by_its_hash() -> None:
    given = event(1)._replace(session=f"s-{github()}", agent=github())
    once = admitted(given, Gate())
    assert github() not in f"{once.session} {once.agent}"
    assert once.session != once.agent
    assert admitted(once, Gate()) == once
    assert admitted(event(1), Gate()).session == event(1).session
