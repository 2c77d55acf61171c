"""agent-memory: a PostgreSQL database that hooks of agents fill through a server.

    mem_projects       folders, with their remote in newer versions
    mem_sessions       sessions by the agent's own id, with a summary
    mem_user_prompts   prompts in order
    mem_tool_calls     calls with the beginning of their output; before it had them, `mem_observation_queue`
    mem_observations   what a model made of calls: title, story, facts
    mem_lessons        rules with an expression, by the tool, what goes in or comes out, files or the phase

A call has no name of its own there. Those that hooks or transcripts of the same session brought are known by what was
asked, in either order. Vectors, queues, tokens and logs are left.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from engrain.capture.session import SHELLS, Session
from engrain.capture.transcripts import said
from engrain.errors import BadInput
from engrain.event import EVERYWHERE, Event
from engrain.learn.trigger import AFTER, BEFORE, LONGEST, START, Trigger
from engrain.project import Project
from engrain.store.foreign import Foreign, Row, json_of
from engrain.upkeep.already import MOVED
from engrain.upkeep.backfill import with_failure
from engrain.upkeep.moving.making import Making, stamped, texts, word

TOOL = "agent-memory"
TABLES = ("mem_sessions", "mem_user_prompts", "mem_tool_calls", "mem_observations", "mem_lessons")
QUEUE = "mem_observation_queue"

_EXIT = re.compile(r"\s*(?:Error: )?Exit code:? (-?\d{1,10})\b")
_OPTIONS = re.compile(r"\(\?[a-zA-Z]+\)")
_SEVERITY = {"critical": "danger", "warning": "warning", "info": "info"}

Place = Callable[[str, str], Project]
"""The project of a folder that may be gone, and of its remote."""


def checked(database: Foreign) -> None:
    """BadInput where this is no database of agent-memory."""
    if database.columns("mem_migrations") and database.columns("mem_events"):
        raise BadInput(f"{database.where} is a store of Engrain: set ENGRAIN_STORE to use it")
    if not {"session_id", "project_id"} <= database.columns("mem_sessions"):
        raise BadInput(f"{database.where} is no database of agent-memory: it has no table mem_sessions")


def size(database: Foreign) -> int:
    """How many rows there are to read."""
    return sum(database.size(table) for table in _tables(database))


def _tables(database: Foreign) -> list[str]:
    there = [table for table in TABLES if database.columns(table)]
    return there if "mem_tool_calls" in there or not database.columns(QUEUE) else [*there, QUEUE]


def read(database: Foreign, making: Making, place: Place) -> Iterator[Event | None]:
    """Every row of the database; None after each."""
    there = _There(database, making, place)
    for table in _tables(database):
        names, tell = _READERS[table]
        for row in database.rows(table, names):
            yield from tell(there, row)
            yield None


class _Told(NamedTuple):
    """A session there: its name, its project and its agent."""

    session: Session
    project: str
    name: str


class _There:
    """What rows of the database name: projects and sessions."""

    def __init__(self, database: Foreign, making: Making, place: Place) -> None:
        self.making = making
        self._sessions: dict[Any, _Told] = {}
        self._projects: dict[Any, tuple[str, str]] = {}
        names = ("id", "name", "full_path", "git_remote", "canonical_root_path")
        for row in database.rows("mem_projects", names):
            folder = word(row["canonical_root_path"]) or word(row["full_path"]) or word(row["name"])
            self._projects[row["id"]] = place(folder, word(row["git_remote"])).id, folder

    def project(self, id_: Any) -> str:
        """A project; everywhere where the row names none."""
        return self._projects.get(id_, (EVERYWHERE, ""))[0]

    def began(self, row: Row) -> Iterator[Event]:
        """A session, its end and its summary."""
        name, agent = word(row["session_id"]), word(row["agent_type"]) or "claude-code"
        project, folder = self._projects.get(row["project_id"], (EVERYWHERE, ""))
        if not name:
            self.making.leave(f"session {row['id']}", "it has no name")
            return
        session = self.making.session(agent, name, project)
        self._sessions[row["id"]] = _Told(session, project, name)
        self.making.told["sessions"] += 1
        time, over = stamped(row["started_at"]), stamped(row["completed_at"])
        about = {"cwd": folder if os.path.isabs(folder) else "", MOVED: TOOL}
        yield from self.making.tried(lambda: session.started(time, **about), f"session {name}")
        if over:
            status = word(row["status"])
            yield from self.making.tried(lambda: session.ended(max(over, time), reason=status), f"session {name}")
        yield from self.making.note(
            word(row["summary"]), "summary", name, tags=["summary"], project=project, time=over or time, session=name,
            agent=agent,
        )  # fmt: skip

    def asked(self, row: Row) -> Iterator[Event]:
        """A prompt."""
        told, text = self._sessions.get(row["session_id"]), said.prompt(word(row["prompt_text"]))
        if told is None or not text:
            return
        self.making.told["prompts"] += 1
        name = _prompt(row["id"])
        yield from self.making.tried(
            lambda: told.session.prompted(stamped(row["created_at"]), name, text, prompt=name), f"prompt {row['id']}"
        )

    def called(self, row: Row) -> Iterator[Event]:
        """A call."""
        told, tool = self._sessions.get(row["session_id"]), word(row["tool_name"])
        if told is None or not tool:
            return
        given = json_of(row["tool_input"])
        failed = row["tool_success"] is False
        output = word(row["tool_error"]) if failed else ""
        output = output or _shown(row["tool_response_preview"])
        found = _EXIT.match(output) if failed and tool in SHELLS else None
        code = 0 if row["tool_success"] is True and tool in SHELLS else int(found[1]) if found else None
        about = {
            "cwd": word(row["cwd"]),
            "branch": word(row["git_branch"]),
            "prompt": _prompt(row["prev_user_prompt_id"]) if row["prev_user_prompt_id"] else None,
            "exit": code,
        }
        self.making.told["calls"] += 1
        self.making.told["failures"] += int(failed)
        time, name = stamped(row["created_at"]), f"{TOOL}:{row['id']}"

        def made() -> Event:
            call = told.session.called(time, name, tool, said.lean(given, 20_000), output, failed=failed, **about)
            body = {key: value for key, value in call.body.items() if key != "call"}
            return with_failure(call._replace(body=body))

        yield from self.making.tried(made, f"call {row['id']}")

    def observed(self, row: Row) -> Iterator[Event]:
        """An observation, as a note."""
        told = self._sessions.get(row["session_id"])
        facts = [f"- {fact}" for fact in texts(json_of(row["facts"]))]
        lines = [word(row["title"]), word(row["subtitle"]), word(row["narrative"]), *facts]
        files = texts(json_of(row["files_modified"]))
        lines += [f"Files: {', '.join(files)}"] if files else []
        yield from self.making.note(
            "\n".join(filter(None, lines)) or word(row["raw_text"]),
            "observation", told.name if told else "", row["id"],
            tags=[word(row["type"]), *texts(json_of(row["concepts"]))], project=self.project(row["project_id"]),
            time=stamped(row["created_at"]), session=told.name if told else "",
            agent=told.session.agent if told else "",
        )  # fmt: skip

    def ruled(self, row: Row) -> Iterator[Event]:
        """A lesson: one for each way in which its expression would be matched."""
        title, rule = word(row["title"]), word(row["rule"])
        text = rule if title and rule.startswith(title) else ": ".join(filter(None, (title, rule)))
        whens = _triggers(row)
        if not text or not whens:
            phase = word(row["trigger_phase"])
            yield from self.making.note(
                text, "lesson", row["id"], title, tags=["lesson", phase], project=self.project(row["project_id"]),
                time=stamped(row["created_at"]),
            )  # fmt: skip
            return
        for number, when in enumerate(whens):
            yield from self.making.lesson(
                text, when, row["id"], title, number, severity=_SEVERITY.get(word(row["severity"]), "warning"),
                active=row["active"] is not False, accepted=not word(row["synthesized_by"]),
                why=word(row["detail"])[:200], project=self.project(row["project_id"]),
                time=stamped(row["created_at"]),
            )  # fmt: skip


def _triggers(row: Row) -> list[Trigger]:
    """When a lesson fires. There an expression is matched against the whole input, capitals or not: here that is the
    command of a shell, or what is written. What fires at a moment that is none here is only a note."""
    tool, kind = word(row["trigger_tool"]), word(row["trigger_on"]) or "input"
    if kind == "output":
        return [Trigger(tool, output=_expression(row["trigger_output_pattern"]), phase=AFTER)]
    if kind == "file_scope":
        return [Trigger(tool, path=", ".join(texts(row["trigger_files"]))[:LONGEST])]
    if kind == "phase":
        phase = {"pre_tool": BEFORE, "post_tool": AFTER, "session_start": START}.get(word(row["trigger_phase"]), "")
        return [Trigger(tool, phase=phase)] if phase == START or (phase and tool) else []
    pattern = _expression(row["trigger_pattern"])
    if not pattern:
        return [Trigger(tool)] if tool else []
    ways = [Trigger(tool, command=pattern), Trigger(tool, input=pattern)]
    return ways[:1] if tool in SHELLS else ways[1:] if tool else ways


def _expression(value: Any) -> str:
    pattern = word(value)
    return pattern if not pattern or _OPTIONS.match(pattern) else f"(?i){pattern}"


def _prompt(id_: Any) -> str:
    return f"{TOOL}:{id_}"


def _shown(preview: Any) -> str:
    """The beginning of an output, which for a command is JSON with both streams."""
    text = word(preview)
    found = json_of(text) if text.startswith(("{", '"')) else text
    if isinstance(found, dict) and ("stdout" in found or "stderr" in found):
        return "\n".join(filter(None, (word(found.get("stdout")), word(found.get("stderr")))))
    return found if isinstance(found, str) else text


_READERS: dict[str, tuple[tuple[str, ...], Callable[[_There, Row], Iterator[Event]]]] = {
    "mem_sessions": (
        ("id", "session_id", "project_id", "agent_type", "status", "started_at", "completed_at", "summary"),
        _There.began,
    ),
    "mem_user_prompts": (("id", "session_id", "prompt_text", "created_at"), _There.asked),
    "mem_tool_calls": (
        ("id", "session_id", "tool_name", "tool_input", "tool_response_preview", "tool_success", "tool_error", "cwd",
         "git_branch", "prev_user_prompt_id", "created_at"),
        _There.called,
    ),
    QUEUE: (
        ("id", "session_id", "tool_name", "tool_input", "tool_response_preview", "tool_success", "tool_error", "cwd",
         "git_branch", "prev_user_prompt_id", "created_at"),
        _There.called,
    ),
    "mem_observations": (
        ("id", "session_id", "project_id", "title", "subtitle", "type", "narrative", "facts", "concepts",
         "files_modified", "raw_text", "created_at"),
        _There.observed,
    ),
    "mem_lessons": (
        ("id", "project_id", "title", "rule", "severity", "trigger_tool", "trigger_pattern", "trigger_on",
         "trigger_output_pattern", "trigger_phase", "trigger_files", "active", "synthesized_by", "detail",
         "created_at"),
        _There.ruled,
    ),
}  # fmt: skip
