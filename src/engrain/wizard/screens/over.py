"""Over: what came of it."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Button, Footer

from engrain.wizard.config import FILE
from engrain.wizard.screens.parts import Choices, plain
from engrain.wizard.stages.times import lasted
from engrain.wizard.walk import Walk


class Over(Screen[None]):
    """A line for each stage, and how to do it again."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "leave", "Leave")]

    def __init__(self, walk: Walk) -> None:
        super().__init__()
        self._walk = walk

    def compose(self) -> ComposeResult:
        """The stages with their reasons."""
        yield plain("All is done", classes="title")
        with VerticalScroll():
            for stage in self._walk.stages:
                if done := self._walk.done(stage):
                    yield plain(f"{stage.title} ({lasted(done.seconds)}): {done.because}")
        yield plain(
            f"To do the same again: engrain wizard --config {self._walk.config.folder}/{FILE} --no-tui", id="again"
        )
        yield Choices(("leave", "Leave", "primary"))
        yield Footer()

    @on(Button.Pressed, "#leave")
    def action_leave(self) -> None:
        """The end."""
        self.dismiss(None)
