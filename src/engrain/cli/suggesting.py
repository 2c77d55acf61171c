"""The quick half of `engrain suggest`: an agent asks at the beginning of everything, so it waits for no more than the
answer takes. Without click and without Memory; where these are needed after all (another store, something new to take
in, an option that it does not know), it leaves the question to them, and they answer the same.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from engrain.errors import EngrainError
from engrain.event import LOCAL, TASK, TASK_SHOWN, timestamp
from engrain.recall.quote import EVIDENCE
from engrain.recall.tasks import Asked, Found, Suggestion, Who, similar, suggested

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engrain.paths import Home
    from engrain.project import Project
    from engrain.recall.similar import Near
    from engrain.store.reader import Reader

ONE = {"--type": "type", "--entry": "entry", "--area": "area", "--session": "session"}
MANY = {"--file": "files", "--command": "commands", "--test": "tests", "--error": "errors"}
LIMIT, MOST_NEAR = 3, 200
MINILM, NONE = "minilm", "none"
MOST_WAITING = 1 << 20
_SHOWN = f'"kind":"{TASK_SHOWN}"'.encode()


def strategy_json(found: Found) -> dict[str, Any]:
    """A task that fits, as far as it helps whoever begins one like it."""
    task = found.task
    return {
        "task": task.id, "score": round(found.score, 2), "because": list(found.because), "outcome": task.outcome,
        "provenance": task.provenance["outcome"], "sources": list(task.sources),
        "text": task.text, "type": task.type, "area": task.area, "entry": task.entry, "files": list(task.modified),
        "commands": list(task.commands), "tests": [dict(each) for each in task.tests], "summary": task.summary,
        "errors": [dict(each) for each in task.errors], "when": timestamp(task.time),
    }  # fmt: skip


def suggestion_json(found: Suggestion) -> dict[str, Any]:
    """What is known of such work."""
    return {
        "evidence": EVIDENCE,
        "hint": strategy_json(found.hint) if found.hint else None,
        "strategies": [strategy_json(each) for each in found.strategies],
        "warnings": [strategy_json(each) for each in found.warnings],
    }


def asked_in(words: Sequence[str]) -> tuple[Asked, str] | None:
    """What these words ask, and the session that asks; None: click has to look at them."""
    text: list[str] = []
    one: dict[str, str] = {}
    many: dict[str, list[str]] = {}
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if word == "--json":
            continue
        if word[:1] != "-":
            text.append(word)
        elif name in ONE or name in MANY:
            value = value if equals else next(rest, "")
            if not value or value[0] == "-":
                return None
            if name in ONE:
                one[ONE[name]] = value
            else:
                many.setdefault(MANY[name], []).append(value)
        else:
            return None
    session = one.pop("session", "")
    said = " ".join(text).strip()
    given: dict[str, Any] = {**one, **{name: tuple(each) for name, each in many.items()}}
    return (Asked(said, **given), session) if said else None


def main(words: Sequence[str]) -> int | None:
    """The exit code of `engrain suggest` with these words; None where Memory has to answer."""
    asked = asked_in(words)
    if asked is None:
        return None
    try:
        found = _found(*asked)
    except (EngrainError, OSError, ImportError):
        # Whatever it is, Memory says it better.
        return None
    if found is None:
        return None
    from engrain.cli.text import as_text

    sys.stdout.write(as_text(suggestion_json(found), indent=2) + "\n")
    sys.stdout.flush()
    return 0 if found.hint else 1


def _found(asked: Asked, session: str) -> Suggestion | None:
    from engrain.hook.place import place
    from engrain.hook.settings import settings
    from engrain.model import merged
    from engrain.paths import locate
    from engrain.store.reader import Reader
    from engrain.upkeep import records

    home = locate(os.environ)
    model = _model(home)
    if model not in (MINILM, NONE):
        return None
    mine, here = settings(home, os.environ), place(os.getcwd(), home)
    file = os.path.expanduser(mine.store) or home.database
    if "://" in file or not os.path.exists(file) or not _all_is_known(home):
        return None
    if not records.looked_at(home, mine.tenant, here.root):
        return None
    look = Reader(file)
    projects = merged(here.id, look("dump_merges", {}))
    near = _near(look, home, file, asked.text, Who(mine.tenant, projects)) if model == MINILM else {}
    if near is None:
        return None
    found = suggested(similar(look, Who(mine.tenant, projects), asked, near), LIMIT)
    _shown(found, home, here, mine.tenant, session)
    return found


def _model(home: Home) -> str:
    """What makes vectors; reading TOML costs something, so only where there is any."""
    if not os.path.exists(home.config) and not any(name.startswith("ENGRAIN_EMBED") for name in os.environ):
        return MINILM
    from engrain import config

    return config.load(home, os.environ).text("embed.model")


def _all_is_known(home: Home) -> bool:
    """Whether nothing waits in the spool but that others were shown something."""
    from engrain.capture import spool

    for path in spool.waiting(home.spool):
        if os.path.getsize(path) > MOST_WAITING:
            return False
        with open(path, "rb") as file:
            if any(line.strip() and _SHOWN not in line for line in file):
                return False
    return True


def _near(look: Reader, home: Home, file: str, text: str, who: Who) -> dict[str, float] | None:
    """How near tasks are to the request in meaning; none where meaning can't be had, None where some of them have no
    vector yet."""
    from importlib.util import find_spec

    from engrain.embed import weights

    folder = weights.found(home.root)
    if not folder or any(find_spec(library) is None for library in ("numpy", "tokenizers")):
        return {}
    if look("task_without_vector", {"model": weights.FOLDER, "job": f"embed:{weights.FOLDER}"}):
        return None
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    found = _nearest(look, folder, file, text, who)
    events = {each.id: each.similarity for each in found}
    near: dict[str, float] = {}
    for event, task in look("tasks_by_events", {"tenant": who.tenant, "ids": sorted(events)}) if events else ():
        near[task] = max(near.get(task, 0.0), events[event])
    return near


class _Asking:
    """A store as the index of vectors asks it."""

    dialect = "sqlite"

    def __init__(self, look: Reader, file: str) -> None:
        self.where = os.path.abspath(file)
        self._look = look

    def all(self, question: str, args: dict[str, Any] | None = None) -> list[tuple[Any, ...]]:
        return self._look(question, args or {})


def _nearest(look: Reader, folder: str, file: str, text: str, who: Who) -> list[Near]:
    from engrain.embed.minilm import MiniLM
    from engrain.learn.meant import LONGEST
    from engrain.recall.similar import Similar
    from engrain.redact import redact
    from engrain.store.vectors import Vectors, Wanted

    database: Any = _Asking(look, file)
    model = MiniLM(folder)
    table = Vectors(database).table(model.name, model.dimension)
    if table is None:
        return []
    vector = model.embed([redact(text[:LONGEST])])[0]
    return Similar(database).nearest(table, vector, Wanted(who.tenant, tuple(who.projects), (TASK,)), MOST_NEAR)


def _shown(found: Suggestion, home: Home, here: Project, tenant: str, session: str) -> None:
    """Which strategies were shown, in the spool."""
    from engrain import event as events
    from engrain.capture import admit, spool

    body = {"tasks": [each.task.id for each in found.strategies], "of": ""}
    made = events.make(TASK_SHOWN, body, project=here.id, tenant=tenant or LOCAL, session=session)
    admitted = admit.admitted(made, admit.Gate(os.path.expanduser("~"), os.environ.get("XDG_CONFIG_HOME", "")))
    spool.append(home.spool, events.line(admitted).encode())
