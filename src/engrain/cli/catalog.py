"""Every command in one table. A test holds that each has help, is documented, and is what this table says."""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    class Entry(NamedTuple):
        """A command: its name, the module that has it (as `command`), its group and its line of help."""

        name: str
        module: str
        group: str
        help: str
else:
    Entry = namedtuple("Entry", "name module group help")

SET_UP, REMEMBER = "Set it up", "Remember and recall"
LOOK_AFTER, TRY = "Look after it", "Try it"

COMMANDS = (
    Entry("init", "init", SET_UP, "have an agent's sessions recorded and known failures answered"),
    Entry("clean", "clean", SET_UP, "take out what init put into an agent's settings"),
    Entry("install", "install", SET_UP, "set Engrain up for yourself, for every repository"),
    Entry("uninstall", "uninstall", SET_UP, "take everything back; the memory stays unless told otherwise"),
    Entry("share", "share", SET_UP, "write what is known of this project into its repository"),
    Entry("trust", "trust", SET_UP, "use what others share in this repository, once you have seen it"),
    Entry("watch", "watch", REMEMBER, "run a command as if alone, and remember how it went"),
    Entry("fix", "fix", REMEMBER, "teach what to do against a failure"),
    Entry("rate", "rate", REMEMBER, "say whether a fix worked"),
    Entry("fixes", "fixes", REMEMBER, "what is known to help, and how sure that is"),
    Entry("lesson", "lesson", REMEMBER, "rules that fire at a risky call: teach, try, review them"),
    Entry("pattern", "pattern", REMEMBER, "how code and tests are written here: teach it, find what fits"),
    Entry("context", "context", REMEMBER, "what is known of a task, as quoted evidence"),
    Entry("prepare", "prepare", REMEMBER, "begin a task: how such work was done before"),
    Entry("finalize", "finalize", REMEMBER, "say how a task went"),
    Entry("run", "run", REMEMBER, "prepare a task, run a command for it, finalize"),
    Entry("suggest", "suggest", REMEMBER, "strategies that worked for such work, and warnings"),
    Entry("reuse", "reuse", REMEMBER, "the one strategy to begin with"),
    Entry("task", "task", REMEMBER, "what was worked on: list it, show it, forget it"),
    Entry("reflect", "reflect", REMEMBER, "what went in circles in a session, with the evidence"),
    Entry("usage", "usage", REMEMBER, "what tasks and strategies were used for, counted"),
    Entry("working", "working", REMEMBER, "what a session has in hand"),
    Entry("note", "note", REMEMBER, "save a note about this project"),
    Entry("search", "search", REMEMBER, "find what happened by words, names and meaning"),
    Entry("timeline", "timeline", REMEMBER, "what happened around an event, or around what a search finds"),
    Entry("classify", "classify", REMEMBER, "say which failure an output is, why, and what helps"),
    Entry("sessions", "sessions", REMEMBER, "sessions of agents: list them, follow them as they happen"),
    Entry("show", "show", REMEMBER, "the whole of a session, an event or a fix"),
    Entry("project", "project", REMEMBER, "which project this folder is; list and merge projects"),
    Entry("replay", "replay", LOOK_AFTER, "what memory would have said on a history: simulated, with examples"),
    Entry("stats", "stats", LOOK_AFTER, "what is in the memory"),
    Entry("forget", "forget", LOOK_AFTER, "erase events everywhere, for good"),
    Entry("export", "export", LOOK_AFTER, "write the journal as JSONL"),
    Entry("import", "import_", LOOK_AFTER, "bring sessions of agents, other memories, an export"),
    Entry("backup", "backup", LOOK_AFTER, "make, list and check copies of the store"),
    Entry("restore", "restore", LOOK_AFTER, "bring back what a copy holds"),
    Entry("migrate-store", "migrate_store", LOOK_AFTER, "carry a whole store into another: a file, PostgreSQL"),
    Entry("rebuild", "rebuild", LOOK_AFTER, "make every derived table anew from the journal"),
    Entry("privacy", "privacy", LOOK_AFTER, "what is kept, since when, how much; and of which files nothing"),
    Entry("embed", "embed", LOOK_AFTER, "have what was remembered found by its meaning"),
    Entry("mcp", "mcp", REMEMBER, "serve the memory to an agent over MCP"),
    Entry("serve", "serve", REMEMBER, "serve the memory over HTTP, to whoever has a token"),
    Entry("ui", "ui", REMEMBER, "show the memory as pages, in a browser"),
    Entry("report", "report", LOOK_AFTER, "write the overview as one file to share"),
    Entry("token", "token", LOOK_AFTER, "who may ask a server: make, list, revoke tokens"),
    Entry("sync", "sync", LOOK_AFTER, "bring this machine's store and a server to the same"),
    Entry("worker", "worker", LOOK_AFTER, "work the jobs of the store until told to end"),
    Entry("train", "training", LOOK_AFTER, "from recorded sessions to an adapter of a local model, behind gates"),
    Entry("wizard", "wizard", LOOK_AFTER, "from recorded sessions to an installed local model, stage by stage"),
    Entry("tick", "tick", LOOK_AFTER, "ingest the spool, work the jobs, exit"),
    Entry("doctor", "doctor", LOOK_AFTER, "find what is wrong and explain it"),
    Entry("config", "config", LOOK_AFTER, "show and change settings"),
    Entry("completion", "completion", LOOK_AFTER, "print the completion script of a shell"),
    Entry("redact", "redact", TRY, "print a text without its secrets"),
    Entry("demo", "demo", TRY, "play what Engrain does, in a throw-away home"),
)

BY_NAME = {entry.name: entry for entry in COMMANDS}


def overview() -> str:
    """What `engrain --help` prints."""
    lines = [
        "Usage: engrain COMMAND [ARGS]…",
        "",
        "  A memory that learns, for coding agents.",
    ]
    for group in dict.fromkeys(entry.group for entry in COMMANDS):
        lines += ["", f"{group}:"]
        lines += [f"  {entry.name:<14}{entry.help}" for entry in COMMANDS if entry.group == group]
    lines += [
        "",
        "`engrain COMMAND --help` tells more, with examples. ENGRAIN_HOME moves all state,",
        "ENGRAIN_STORE is a path, a postgresql:// URL, or the http:// address of a server.",
        "",
    ]
    return "\n".join(lines)
