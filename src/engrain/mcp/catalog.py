"""Every tool in one table, in the order that clients see: what is asked most comes first. Order and names stay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from engrain.mcp import asking, fixes, keeping, lessons, recalling, tasks
from engrain.mcp.answers import Answer

READS, ADDS, ERASES = "reads", "adds", "erases"
"""What a tool does to the memory. One that reads may still count that it was asked."""


class Entry(NamedTuple):
    """A tool: its name, what a person reads, its function, what it does, and the types of what it answers with."""

    name: str
    title: str
    function: Callable[..., Answer]
    does: str
    answers: dict[str, str]
    quick: bool = False
    """Whether it is served where signals arrive: rules are searched for under a timer, which works there alone."""


TOOLS = (
    Entry("find_fix", "Known fixes for a failure", fixes.find_fix, READS,
          {"evidence": "string", "failure": "object", "fixes": "array", "served": "string"}),
    Entry("report_outcome", "Say whether a fix worked", fixes.report_outcome, ADDS,
          {"fix": "string", "event": "string", "worked": "boolean"}),
    Entry("teach_fix", "Save what fixed a failure", fixes.teach_fix, ADDS,
          {"fix": "string", "event": "string", "again": "boolean", "failure": "object", "steps": "array"}),
    Entry("search_memory", "Search earlier sessions", recalling.search_memory, READS,
          {"evidence": "string", "hits": "array", "more": "boolean"}),
    Entry("get_memories", "The whole of memories", recalling.get_memories, READS,
          {"evidence": "string", "memories": "array"}),
    Entry("save_note", "Remember a fact", keeping.save_note, ADDS, {"id": "string", "redacted": "object"}),
    Entry("check_lessons", "Lessons for a call", lessons.check_lessons, READS,
          {"evidence": "string", "lessons": "array", "more": "boolean"}, quick=True),
    Entry("add_lesson", "Teach a lesson", lessons.add_lesson, ADDS,
          {"lesson": "string", "event": "string", "again": "boolean"}),
    Entry("begin_task", "What is known of a task", tasks.begin_task, READS,
          {"evidence": "string", "task": "string"}),
    Entry("finish_task", "Say how a task went", tasks.finish_task, ADDS,
          {"task": "string", "event": "string", "outcome": "string"}),
    Entry("memory_stats", "What the memory holds and did", keeping.memory_stats, READS,
          {"evidence": "string", "events": "integer", "failures": "integer", "answered": "integer", "tried": "array"}),
    Entry("forget", "Erase memories for good", asking.forget, ERASES, {"forgotten": "array", "still_holding": "array"}),
)  # fmt: skip


def shape(entry: Entry) -> dict[str, Any]:
    """The schema of what a tool answers with. All of it is always there; every model would read it if it said so."""
    return {"type": "object", "properties": {name: {"type": kind} for name, kind in entry.answers.items()}}
