"""Parts: what screens are made of."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Button, Checkbox, Static

from engrain.wizard.plan import Stage
from engrain.wizard.state import Done

WAITS, RUNS, DONE, REFUSED, ASKS = "·", "▸", "✓", "✗", "?"


def plain(text: str = "", *, id: str | None = None, classes: str | None = None) -> Static:  # noqa: A002 - Textual's name
    """A text as it is."""
    return Static(text, markup=False, id=id, classes=classes)


def marked(stage: Stage, done: Done | None, *, runs: bool = False, approved: bool = True) -> str:
    """A stage with how it stands."""
    if runs:
        return f"{RUNS} {stage.title}"
    if done is None:
        return f"{WAITS} {stage.title}"
    if not done.passed:
        return f"{REFUSED} {stage.title}"
    return f"{DONE if approved or not stage.gate else ASKS} {stage.title}"


class Ticked(Checkbox):
    """A box that says whether it is ticked without a colour, too."""

    def render(self) -> Content:
        """The box and its words."""
        self.BUTTON_INNER = "X" if self.value else " "
        return super().render()


class Choices(Widget):
    """Buttons in a row: each with its id, its words, and how it looks."""

    DEFAULT_CSS = "Choices { height: 3; } Choices Horizontal { height: 3; } Choices Button { margin-right: 2; }"

    def __init__(self, *rows: tuple[str, str, str]) -> None:
        super().__init__()
        self._rows: Sequence[tuple[str, str, str]] = rows

    def compose(self) -> ComposeResult:
        """The buttons."""
        with Horizontal():
            for name, words, look in self._rows:
                yield Button(words, id=name, variant=look)  # type: ignore[arg-type]
