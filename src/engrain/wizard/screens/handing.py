"""Handing: the model in use beside the new one, before that is installed."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Button, Footer

from engrain.wizard.plain import side_by_side, table
from engrain.wizard.screens.parts import Choices, plain
from engrain.wizard.state import Done


class Handing(Screen[bool]):
    """What is to be installed and where; yes or not now."""

    BINDINGS: ClassVar[list[BindingType]] = [("y", "install", "Install"), ("escape", "back", "Not now")]

    def __init__(self, where: str, made: Done | None, judged: Done | None) -> None:
        super().__init__()
        self._where, self._made, self._judged = where, made, judged

    def compose(self) -> ComposeResult:
        """The files, the models side by side, two buttons."""
        beside = side_by_side(self._judged) if self._judged else []
        use = "incumbent" in (self._judged.beside if self._judged else ())
        yield plain("Install the new model", classes="title")
        with VerticalScroll():
            yield plain("\n".join(table(self._made)) if self._made else "", id="files")
            yield plain("candidate is the new one, incumbent the one in use" if use else "no model is in use yet")
            yield plain("\n".join(beside), id="beside")
        yield plain(f"It is put into {self._where}." if self._where else "It stays where it was made.", id="where")
        yield Choices(("install", "Install" if self._where else "Go on", "success"), ("back", "Not now", "default"))
        yield Footer()

    @on(Button.Pressed, "#install")
    def action_install(self) -> None:
        """A person wants it."""
        self.dismiss(True)

    @on(Button.Pressed, "#back")
    def action_back(self) -> None:
        """Not now."""
        self.dismiss(False)
