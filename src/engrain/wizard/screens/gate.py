"""Gate: a result, model beside model, and whether a person lets it pass."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Button, Footer

from engrain.wizard.plain import side_by_side
from engrain.wizard.plan import Stage
from engrain.wizard.screens.parts import Choices, plain
from engrain.wizard.state import Done


class Gate(Screen[bool]):
    """What was measured, in words; yes or not now."""

    BINDINGS: ClassVar[list[BindingType]] = [("y", "approve", "Approve"), ("escape", "back", "Not now")]

    def __init__(self, stage: Stage, done: Done) -> None:
        super().__init__()
        self._stage, self._done = stage, done

    def compose(self) -> ComposeResult:
        """The gates' words, the models side by side, two buttons."""
        yield plain(f"{self._stage.title}: {self._done.because}", classes="title")
        with VerticalScroll():
            yield plain("\n".join(words(self._done)), id="gates")
            yield plain("\n".join(side_by_side(self._done)), id="beside")
        yield plain(f"Your word is for this result alone: {self._done.digest}", id="digest")
        yield Choices(("approve", "Let it pass", "success"), ("back", "Not now", "default"))
        yield Footer()

    @on(Button.Pressed, "#approve")
    def action_approve(self) -> None:
        """A person lets it pass."""
        self.dismiss(True)

    @on(Button.Pressed, "#back")
    def action_back(self) -> None:
        """Not now."""
        self.dismiss(False)


def words(done: Done) -> list[str]:
    """A line for each gate: open or shut, and why."""
    said = {True: "open", False: "SHUT"}
    rows = [(said[bool(gate["passed"])] if gate["passed"] or gate.get("hard", True) else "look", str(gate["name"]),
             str(gate.get("because") or gate.get("value"))) for gate in done.gates]  # fmt: skip
    width = max((len(name) for _, name, _ in rows), default=0)
    return [f"{word}  {name.ljust(width)}  {why}" for word, name, why in rows]
