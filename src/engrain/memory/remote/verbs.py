"""Verbs: what of Memory can be had when its store is behind a server, and where it is done."""

from __future__ import annotations

READ, WRITE = "read", "write"

VERBS = {
    "search": READ, "timeline": READ, "recall_files": READ, "nearest": READ, "get": READ, "projects": READ,
    "stats": READ, "noted_before": READ, "times_noted": READ,
    "match": READ, "fixes": READ, "fix": READ, "weeks": READ, "failures": READ, "failure": READ, "proof": READ,
    "lessons": READ, "lessons_for": READ,
    "recall_similar_code": READ, "patterns": READ, "pattern": READ, "pattern_events": READ,
    "working": READ, "get_coding_context": READ, "get_start": READ,
    "sessions": READ, "session": READ, "to_learn": READ, "to_forget": READ,
    "recall_similar_tasks": READ, "tasks": READ, "task": READ, "reflect": READ, "usage": READ,
    "prepare": WRITE, "finalize": WRITE, "observed_task": WRITE, "remember_task": WRITE, "suggest": WRITE,
    "remember_error_fix": WRITE, "rate": WRITE, "learn_lesson": WRITE, "decide_lesson": WRITE,
    "learn_code_pattern": WRITE, "follow_pattern": WRITE, "merge_projects": WRITE, "forget": WRITE,
}  # fmt: skip
"""Asked of the server by their names, and the scope that a token needs for it."""

HERE = frozenset([
    "open", "close", "seen_from", "folder", "where", "opened", "visits", "exists", "untouched", "tenant", "hurry",
    "project", "project_of", "event", "record", "capture", "admitted", "note", "sighting", "serving",
    "catch_up", "wake", "tick", "observe", "unread_to_forget", "forget_unread", "look", "transcripts", "export",
    "import_journal", "import_fixes", "confirm", "follow", "heard", "joined", "apart",
])  # fmt: skip
"""Done on this machine, and what they record is sent; a tick sends what waits in the spool. Whatever else Memory can
is upkeep, or joins a store with the files of a repository: that is refused, with a word on where it is done."""

QUICK = frozenset(["lessons_for"])
"""Served where signals arrive: rules are searched for under a timer, which works there alone."""
