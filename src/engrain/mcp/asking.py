"""Asking: what is never done before a person said yes. An agent can't say it in their place.

A client that can put a question to its person is asked to, in either era of the protocol; where none can, nothing is
done. Whatever an agent read somewhere, it erases nothing by itself.
"""

from __future__ import annotations

from typing import Annotated, Any, Protocol, cast

from mcp.server.mcpserver import AcceptedElicitation, Context, Elicit, ElicitationResult, Resolve
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, Field

from engrain.errors import BadInput, NotFound
from engrain.learn.direct import gist
from engrain.mcp.answers import LINE, Answer
from engrain.mcp.desk import Desk
from engrain.recall.told import one_line
from engrain.store.store import Choice

SHOWN = 5
"""How many of the memories that would go a person is shown."""

NOBODY = (
    "nothing was forgotten: a person has to say yes, and this client can't ask one. "
    "Tell the person which ids are meant; they can do it at their terminal"
)

Ids = Annotated[list[str], Field(min_length=1, max_length=50)]


class Consent(BaseModel):
    """What a person says to the question."""

    erase: bool = Field(description="erase them for good; there is no undo")


class AtDesk(Protocol):
    """A server that has a desk."""

    desk: Desk


def consent(ids: Ids, context: Context[Any, Any]) -> Elicit[Consent]:
    """Puts the question to a person."""
    if not _can_ask(context):
        raise ToolError(NOBODY)
    desk = cast(AtDesk, context.mcp_server).desk
    return Elicit(desk.served(lambda: question(desk, chosen(desk, ids))), Consent)


def forget(
    ids: Ids, context: Context[Any, Any], said: Annotated[ElicitationResult[Consent], Resolve(consent)]
) -> Answer:
    """Erase memories or fixes for good, by id. A person is asked first; call it only when one wants that."""
    if not isinstance(said, AcceptedElicitation) or not said.data.erase:
        return Answer({"forgotten": [], "still_holding": []}, "nothing was forgotten: the person said no")
    desk = cast(AtDesk, context.mcp_server).desk
    return desk.served(lambda: erase(desk, chosen(desk, ids)))


def chosen(desk: Desk, ids: list[str]) -> list[str]:
    """The events that are meant: a fix is all that it is made of."""
    desk.catch_up()
    try:
        return desk.memory.to_forget(Choice(ids=tuple(ids)))
    except NotFound as exc:
        raise BadInput("nothing is known under these ids: give ids that other tools answered with") from exc


def question(desk: Desk, ids: list[str]) -> str:
    """What a person is asked, with what would go."""
    number = "1 memory" if len(ids) == 1 else f"{len(ids)} memories"
    events = desk.mine(desk.memory.get(*ids))[:SHOWN]
    lines = [f"An agent asks Engrain to erase {number} for good, from the journal and its copies:"]
    lines += [f"- {event.kind} {event.id}: {one_line(gist(event), LINE)}" for event in events]
    lines += [f"… and {len(ids) - SHOWN} more"] if len(ids) > SHOWN else []
    return "\n".join(lines)


def erase(desk: Desk, ids: list[str]) -> Answer:
    """Erases these events everywhere."""
    done = desk.memory.forget(ids)
    left = [f"a copy elsewhere still holds it: {path}" for path in done.still_holding]
    fields = {"forgotten": list(done.ids), "still_holding": list(done.still_holding)}
    return Answer(fields, "\n".join([f"forgot {len(done.ids)}", *left]))


def _can_ask(context: Context[Any, Any]) -> bool:
    capabilities = context.client_capabilities
    asks = capabilities.elicitation if capabilities else None
    return asks is not None and (asks.form is not None or asks.url is None)
