"""Course: the stages, and of the one that is looked at its log, its figures, the time left and the reason to go on."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Button, Checkbox, Footer, Label, ListItem, ListView, Log, Static

from engrain.wizard.plain import figure, table
from engrain.wizard.plan import Stage
from engrain.wizard.screens.parts import Choices, Ticked, marked, plain
from engrain.wizard.stages.times import lasted
from engrain.wizard.state import Done
from engrain.wizard.walk import APPROVE, OVER, REFUSED, RUN, Next, Walk
from engrain.wizard.work import FIGURE, LEFT, SAY, Told

RUNNING, SHUT = "It runs", "No way on"
GO = {APPROVE: "Look at the gate", REFUSED: "Try again", OVER: "See what came of it"}


class Course(Screen[None]):
    """The stages and the one that is looked at."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("g", "go", "Go on"),
        ("t", "itself", "By itself"),
        ("q", "leave", "Leave"),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (32, "-high")]  # noqa: RUF012 - as the library has it

    class Go(Message):
        """A person wants to go on."""

    class Leave(Message):
        """A person wants to leave."""

    def __init__(self, walk: Walk) -> None:
        super().__init__()
        self._walk = walk
        self._runs: Stage | None = None
        self._figures: dict[str, str] = {}
        self._seconds, self._left = 0, ""

    def compose(self) -> ComposeResult:
        """Stages on the left, the one looked at on the right."""
        with Horizontal():
            yield ListView(*(ListItem(Label("", markup=False)) for _ in self._walk.stages), id="stages")
            with Vertical(id="stage"):
                yield plain("", id="title", classes="title")
                yield plain("", id="does")
                yield Log(id="log", max_lines=2000)
                with VerticalScroll(id="told"):
                    yield plain("", id="figures")
                yield plain("", id="left")
                yield plain("", id="because")
                yield Choices(("go", "Begin", "primary"), ("leave", "Leave", "default"))
                yield Ticked("go on without being asked, but for gates and the installation", id="itself")
        yield Footer()

    def on_mount(self) -> None:
        """As it stands."""
        self.set_interval(1, self._second)
        self.stands()

    @property
    def by_itself(self) -> bool:
        """Whether a person wants to be asked at gates alone."""
        return self.query_one("#itself", Checkbox).value

    def stands(self) -> Next:
        """Shows how all stages stand and what comes next."""
        found = self._walk.next()
        for stage, item in zip(self._walk.stages, self.query(ListItem), strict=True):
            done = self._walk.done(stage)
            approved = done is None or self._walk.approved(stage, done)
            words = marked(stage, done, runs=stage is self._runs, approved=approved)
            item.query_one(Label).update(words)
        button = self.query_one("#go", Button)
        button.label = self._words(found)
        button.disabled = button.label.plain in (RUNNING, SHUT)
        self.look(self._runs or found.stage or self._walk.stages[-1])
        return found

    def _words(self, found: Next) -> Content:
        """What the button says."""
        if self._runs:
            return Content(RUNNING)
        if found.what == REFUSED and found.stage and found.stage.gate:
            return Content(SHUT)
        return Content(f"Begin: {found.stage.title}" if found.what == RUN and found.stage else GO[found.what])

    def look(self, stage: Stage) -> None:
        """Shows a stage."""
        place = self._walk.stages.index(stage)
        chosen = self.query_one(ListView)
        if chosen.index != place:
            chosen.index = place
        self._shown(stage)

    def _shown(self, stage: Stage) -> None:
        done = self._walk.done(stage)
        self._text("title", stage.title)
        self._text("does", stage.does)
        log = self.query_one(Log)
        log.clear()
        log.write_lines(self._walk.log(stage))
        runs = stage is self._runs
        lines = [f"{name}  {value}" for name, value in self._figures.items()] if runs else table(done) if done else []
        self._text("figures", "\n".join(lines))
        self._text("left", "" if done is None else f"It took {lasted(done.seconds)}.")
        self._clock()
        self._text("because", self._why(stage, done))

    def _why(self, stage: Stage, done: Done | None) -> str:
        if done is None:
            return ""
        if done.passed:
            return f"It may go on: {done.because}."
        also = ". No word can turn that: change the recipe, or give it more sessions" if stage.gate else ""
        return f"It does not go on: {done.because}{also}."

    def began(self, stage: Stage) -> None:
        """A stage runs."""
        self._runs, self._figures, self._seconds, self._left = stage, {}, 0, ""
        self.stands()

    def heard(self, told: Told) -> None:
        """The stage that runs told something."""
        looked = self._looked() is self._runs
        if told.kind == SAY and looked:
            self.query_one(Log).write_line(str(told.value))
        if told.kind == FIGURE:
            name, value = told.value
            self._figures[str(name)] = figure(value)
        if told.kind == LEFT:
            self._left = f", about {lasted(told.value)} left"
            self._clock()
        if told.kind == FIGURE and looked:
            self._text("figures", "\n".join(f"{name}  {value}" for name, value in self._figures.items()))

    def ended(self) -> Next:
        """The stage that ran is over."""
        stage, self._runs = self._runs, None
        found = self.stands()
        if stage is not None:
            self.look(stage)
        return found

    def wrong(self, text: str) -> None:
        """What went wrong, in a line."""
        self._text("because", text)

    def _looked(self) -> Stage:
        return self._walk.stages[self.query_one(ListView).index or 0]

    def _second(self) -> None:
        if self._runs is not None:
            self._seconds += 1
            self._clock()

    def _clock(self) -> None:
        if self._looked() is self._runs:
            self._text("left", f"It runs since {lasted(self._seconds)}{self._left}.")

    def _text(self, name: str, text: str) -> None:
        self.query_one(f"#{name}", Static).update(text)

    @on(ListView.Highlighted)
    def _other(self, event: ListView.Highlighted) -> None:
        if event.list_view.index is not None:
            self._shown(self._walk.stages[event.list_view.index])

    @on(Button.Pressed, "#go")
    def action_go(self) -> None:
        """Goes on."""
        if not self.query_one("#go", Button).disabled:
            self.post_message(self.Go())

    @on(Button.Pressed, "#leave")
    def action_leave(self) -> None:
        """Leaves; what runs is stopped and goes on another time."""
        self.post_message(self.Leave())

    def action_itself(self) -> None:
        """Whether to be asked at gates alone."""
        self.query_one("#itself", Checkbox).toggle()
