"""Journal: events on their way into the journal of a server. What it answers for is there; what it refuses is named."""

from __future__ import annotations

import http
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from engrain import event as events
from engrain.errors import BadInput, NotFound, StoreForbidden, StoreUnreachable, TheseRefused
from engrain.event import Event
from engrain.memory.remote.line import Line
from engrain.store.store import Appended

MOST, MOST_BYTES = 500, 2 * 1024 * 1024
"""Events and bytes of one request: small enough that a rate limit lets a spool through, and a server takes it."""


ODD = "the server answers, but not as Engrain does; what it was sent is kept"

Batch = list[tuple[str, dict[str, Any]]]
"""Events by their ids, as they are sent."""


class Journal:
    """The journal at the other end of a line."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self.projects: set[str] = set()
        """Of which something was sent."""

    def append(self, given: Iterable[Event], progress: Callable[[int], None] | None = None) -> Appended:
        """The events are stored when this returns; TheseRefused names those that never can be, once the others are."""
        total = Appended()
        refused: dict[str, str] = {}
        for batch in _batches(given):
            total += self._sent(batch, refused)
            self.projects.update(str(each["project"]) for _, each in batch)
            if progress:
                progress(len(batch))
        if refused:
            raise TheseRefused(next(iter(refused.values())), refused, total)
        return total

    def _sent(self, batch: Batch, refused: dict[str, str]) -> Appended:
        try:
            answer = self._line.ask("POST", "/v1/events", {"events": [each for _, each in batch]}, takes=(200, 422))
        except NotFound as exc:
            raise StoreUnreachable(f"{ODD}: {exc}") from exc
        except BadInput as exc:
            if len(batch) == 1:
                refused[batch[0][0]] = str(exc)
                return Appended()
            # Too large as one.
            half = len(batch) // 2
            return self._sent(batch[:half], refused) + self._sent(batch[half:], refused)
        try:
            numbers, stored = _refused(answer), frozenset(answer.get("ids", ()))
        except (TypeError, ValueError, KeyError, AttributeError) as exc:
            raise StoreUnreachable(ODD) from exc
        if any(id_ not in stored and number not in numbers for number, (id_, _) in enumerate(batch)):
            raise StoreUnreachable("the server answered for less than it was sent; what it was sent is kept")
        refused.update({batch[number][0]: why for number, why in numbers.items()})
        return Appended(new=len(batch) - len(numbers))


def _refused(answer: dict[str, Any]) -> dict[int, str]:
    """What of a batch can't be stored; a token that may not is another matter."""
    found = answer.get("refused", ())
    for each in found:
        if each.get("status") == http.HTTPStatus.FORBIDDEN:
            raise StoreForbidden(str(each["detail"]))
    return {int(each["number"]): str(each["detail"]) for each in found}


def _batches(given: Iterable[Event]) -> Iterator[Batch]:
    batch: Batch = []
    size = 0
    for event in given:
        text = events.line(event)
        if batch and (len(batch) == MOST or size + len(text) > MOST_BYTES):
            yield batch
            batch, size = [], 0
        fields = json.loads(text)
        # Whose it is, the token says.
        del fields["tenant"]
        batch.append((event.id, fields))
        size += len(text)
    if batch:
        yield batch
