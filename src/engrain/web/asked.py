"""Asked: one request to a page: who asks, from which project they look, which words came along."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from urllib.parse import parse_qs, urlencode

from engrain.errors import BadInput
from engrain.project import Project

if TYPE_CHECKING:
    from engrain.memory import Memory

Memories = Callable[[str, Project], AbstractContextManager["Memory"]]
"""A memory of a tenant as seen from a project, one's own for a while."""

MOST_FIELDS, LONGEST_FIELD = 100, 100_000
MOST_NAME = 512
NOBODY = "-"
"""The project of what concerns none."""


class Asker(Protocol):
    """Whoever was let in."""

    @property
    def tenant(self) -> str: ...
    def may(self, scope: str, /) -> bool: ...


class Page(NamedTuple):
    """What is shown: a template and what stands in it."""

    template: str
    values: Mapping[str, Any]
    status: int = 200


class Gone(NamedTuple):
    """What was asked for was done; this is where it can be seen."""

    to: str


class Stream(NamedTuple):
    """What goes on being told; after an empty piece nothing is looked for that long."""

    lines: Iterator[str]
    pause: float


class Asked:
    """One request."""

    def __init__(self, memories: Memories, asker: Asker, path: str, *, token: str = "") -> None:
        self._memories, self.asker, self.path = memories, asker, path
        self.fields: dict[str, list[str]] = {}
        self.form: dict[str, list[str]] = {}
        self.token = token
        """What a form must send back, so that no other page can send it."""

    def read(self, fields: str, form: str) -> None:
        """The words of the address and of the form."""
        self.fields, self.form = _read(fields), _read(form)

    def memory(self, project: str = "") -> AbstractContextManager[Memory]:
        """A memory, as the one who asks sees it from that project."""
        place = project if project and project.isprintable() and len(project) <= MOST_NAME else NOBODY
        return self._memories(self.asker.tenant, Project(place, "", "", "", "", "", "as the page says"))

    def text(self, name: str, default: str = "") -> str:
        """A word of the address."""
        return (self.fields.get(name) or [default])[0].strip()

    def number(self, name: str, default: int, most: int = 2**53) -> int:
        """A number of the address."""
        said = self.text(name)
        return min(int(said), most) if said.isascii() and said.isdigit() and len(said) < 20 else default

    def said(self, name: str, default: str = "") -> str:
        """A field of the form."""
        return (self.form.get(name) or [default])[0].replace("\r\n", "\n").strip()

    def lines(self, name: str) -> list[str]:
        """The lines of a field of the form."""
        return [line for line in self.said(name).split("\n") if line.strip()]

    def with_(self, **changed: object) -> str:
        """This address with some of its words changed; an empty one is left out."""
        words = {name: values[0] for name, values in self.fields.items()} | {k: str(v) for k, v in changed.items()}
        kept = {name: value for name, value in words.items() if value not in ("", "0")}
        return self.path + (f"?{urlencode(kept)}" if kept else "")


Shown = Callable[..., Page | Gone | Stream]
"""What an address leads to: a function from a request, and the names in the address, to what is seen then."""


def _read(text: str) -> dict[str, list[str]]:
    try:
        found = parse_qs(text, max_num_fields=MOST_FIELDS, errors="replace")
    except ValueError as exc:
        raise BadInput(f"more than {MOST_FIELDS} fields") from exc
    for name, values in found.items():
        if any(len(value) > LONGEST_FIELD for value in values):
            raise BadInput(f"{name[:40]} has more than {LONGEST_FIELD:,} characters")
    return found


def page_of(rows: Sequence[Any], asked: Asked, each: int) -> tuple[Sequence[Any], str, str]:
    """So many rows of one more, and the addresses of the pages before and after."""
    start = asked.number("from", 0)
    before = asked.with_(**{"from": max(0, start - each)}) if start else ""
    after = asked.with_(**{"from": start + each}) if len(rows) > each else ""
    return rows[:each], before, after
