"""Setup: what is wanted."""

from __future__ import annotations

import os
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import Screen
from textual.widgets import Button, Checkbox, Footer, Input, Label, Static

from engrain.errors import EngrainError
from engrain.wizard.config import MEANING, Config, absolute, checked
from engrain.wizard.screens.parts import Choices, Ticked, plain

ASKED = ("base", "folder", "recipe", "install")


class Setup(Screen[Config | None]):
    """Fields for what a config must say; the rest is as usual, or in wizard.toml."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "leave", "Leave")]

    def __init__(self, config: Config) -> None:
        super().__init__()
        self._config = config

    def compose(self) -> ComposeResult:
        """Fields and two buttons."""
        yield plain("From recorded sessions to a local model", classes="title")
        with VerticalScroll(id="fields"):
            for name in ASKED:
                with Horizontal(classes="field"):
                    yield Label(name, classes="name")
                    yield Input(getattr(self._config, name), placeholder=MEANING[name], id=f"field-{name}")
            with Horizontal(classes="field"):
                yield Label("", classes="name")
                yield Ticked("tiny: a small run, to see that all goes well", self._config.tier == "tiny", id="tiny")
            with Horizontal(classes="field"):
                yield Label("", classes="name")
                yield Ticked("sessions of every project", self._config.everywhere, id="everywhere")
        yield plain("", id="wrong")
        yield Choices(("begin", "Begin", "primary"), ("leave", "Leave", "default"))
        yield Footer()

    def wanted(self) -> Config:
        """What the fields say."""
        texts = {name: self.query_one(f"#field-{name}", Input).value.strip() for name in ASKED}
        tiny, everywhere = (self.query_one(f"#{name}", Checkbox).value for name in ("tiny", "everywhere"))
        config = self._config._replace(**texts, tier="tiny" if tiny else "full", everywhere=everywhere)  # type: ignore[arg-type]
        return checked(absolute(config, os.getcwd()))

    @on(Button.Pressed, "#begin")
    @on(Input.Submitted)
    def begin(self) -> None:
        """Goes on with what is wanted, or says what is wrong with it."""
        try:
            self.dismiss(self.wanted())
        except EngrainError as exc:
            self.query_one("#wrong", Static).update(str(exc))

    @on(Button.Pressed, "#leave")
    def action_leave(self) -> None:
        """Nothing is begun."""
        self.dismiss(None)
