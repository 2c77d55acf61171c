"""Forgetting: says what would go, and erases it for good when that was confirmed."""

from __future__ import annotations

from engrain.errors import BadInput, NotFound
from engrain.memory import looking
from engrain.store.store import Choice
from engrain.web.asked import Asked, Gone, Page

SHOWN = 12


def ask(asked: Asked) -> Page:
    """What would go."""
    id_, session = asked.text("id"), asked.text("session")
    with asked.memory() as memory:
        ids = _meant(asked, id_, session)
        values = {
            "ids": ids, "shown": memory.store.get(ids[:SHOWN]), "id": id_, "session": session,
            "back": _local(asked.text("back", "/")), "names": looking.names(memory),
        }  # fmt: skip
    return Page("forget.html", values)


def do(asked: Asked) -> Gone:
    """It is gone."""
    ids = _meant(asked, asked.said("id"), asked.said("session"))
    with asked.memory() as memory:
        memory.forget(ids)
    return Gone(_local(asked.said("back", "/")))


def _meant(asked: Asked, id_: str, session: str) -> list[str]:
    if not (id_ or session):
        raise BadInput("say what is to be forgotten")
    with asked.memory() as memory:
        ids = memory.to_forget(Choice(ids=(id_,)) if id_ else Choice(session=session))
    if not ids:
        raise NotFound("there is nothing of that, or it was forgotten already")
    return ids


def _local(path: str) -> str:
    """A page of ours."""
    return path if path.startswith("/") and path[1:2] not in ("/", "\\") and path.isascii() else "/"
