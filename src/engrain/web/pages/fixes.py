"""Fixes: all of them, and one with how it went; rate it, correct it."""

from __future__ import annotations

from engrain.errors import BadInput
from engrain.memory import failures as told_of
from engrain.memory import looking
from engrain.web.asked import Asked, Gone, Page, page_of
from engrain.web.pages.failures import curve

EACH = 25


def listed(asked: Asked) -> Page:
    """Fixes, the newest first."""
    project = asked.text("project")
    with asked.memory(project) as memory:
        start = asked.number("from", 0, 100_000)
        found = memory.fixes(everywhere=not project, limit=start + EACH + 1)[start:]
        rows, before, after = page_of(found, asked, EACH)
        values = {
            "rows": [(fix, curve(fix)) for fix in rows], "names": looking.names(memory), "project": project,
            "before": before, "after": after,
        }  # fmt: skip
    return Page("fixes.html", values)


def one(asked: Asked, id: str) -> Page:  # noqa: A002 - the name that the address has
    """One fix, and how it went each time."""
    with asked.memory() as memory:
        fix, went = told_of.one_fix(memory, id)
        said = looking.said_of(memory, fix.id)
        values = {
            "fix": fix, "curve": curve(fix), "went": went, "keys": looking.keys_of(memory, fix.id), "said": said,
            "times": [(each.time, each.worked) for each in went], "names": looking.names(memory),
        }  # fmt: skip
    return Page("fix.html", values)


def rate(asked: Asked, id: str) -> Gone:  # noqa: A002
    """How it went, as somebody says."""
    said = asked.said("worked")
    if said not in ("yes", "no"):
        raise BadInput("say whether it worked: yes or no")
    project = _project(asked, id)
    with asked.memory(project) as memory:
        event = memory.rate(id, worked=said == "yes")
    return Gone(_back(asked, f"/fixes/{event.body['fix']}"))


def correcting(asked: Asked, id: str) -> Page:  # noqa: A002
    """The form that corrects a fix."""
    with asked.memory() as memory:
        return Page("correct.html", {"fix": memory.fix(id)})


def correct(asked: Asked, id: str) -> Gone:  # noqa: A002
    """The fix has other steps from now on."""
    with asked.memory(_project(asked, id)) as memory:
        to = looking.correct(memory, id, asked.lines("steps"), cause=asked.said("cause"), example=asked.said("example"))
    return Gone(f"/fixes/{to}")


def _project(asked: Asked, id: str) -> str:  # noqa: A002
    """Where it was taught last: what is said of it counts there."""
    with asked.memory() as memory:
        said = looking.said_of(memory, memory.fix(id).id)
        return said.project if said else ""


def _back(asked: Asked, otherwise: str) -> str:
    """The page that the form stood on, where that is one of ours."""
    to = asked.said("back")
    return to if to.startswith("/failures/") and to.isascii() and to.isprintable() else otherwise
