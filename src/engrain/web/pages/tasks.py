"""Tasks and strategies: what agents were asked to do, how it went, and which ways of doing it worked."""

from __future__ import annotations

from typing import Any

from engrain.learn.tasks import SUCCESS, Task
from engrain.memory import looking
from engrain.recall.tasks import Asked as Request
from engrain.web.asked import Asked, Page, page_of

EACH, FITTING = 25, 8


def listed(asked: Asked) -> Page:
    """Tasks, the last first; or the strategies that fit what is to be done."""
    project, words = asked.text("project"), asked.text("q")[:1000]
    with asked.memory(project) as memory:
        values: dict[str, Any] = {"project": project, "q": words, "names": looking.names(memory), "fit": None}
        found: list[Task] = []
        if words:
            values["fit"] = memory.suggest(Request(words), everywhere=not project, limit=FITTING, record=False)
        else:
            start = asked.number("from", 0, 100_000)
            found = memory.tasks(everywhere=not project, limit=EACH + 1, offset=start)
        rows, before, after = page_of(found, asked, EACH)
        values |= {"rows": rows, "before": before, "after": after, "success": SUCCESS}
    return Page("tasks.html", values)


def one(asked: Asked, id: str) -> Page:  # noqa: A002 - the name that the address has
    """One task, whole."""
    with asked.memory() as memory:
        task = memory.task(id)
        followed = [each.text for each in map(memory.task, task.followed)] if task.followed else []
        return Page("task.html", {"task": task, "followed": followed, "names": looking.names(memory)})
