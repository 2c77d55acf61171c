"""App: who walks on a screen: starts stages, asks for a person's word, and ends in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import App

from engrain.errors import EngrainError
from engrain.wizard.config import Config, checked
from engrain.wizard.plan import STAGES, Stage
from engrain.wizard.screens.course import Course
from engrain.wizard.screens.gate import Gate
from engrain.wizard.screens.handing import Handing
from engrain.wizard.screens.over import Over
from engrain.wizard.screens.setup import Setup
from engrain.wizard.walk import APPROVE, OVER, REFUSED, RUN, Next, Walk


class Wizard(App[int]):
    """Returns 0 when all is done, else 1: what was done by then is kept."""

    CSS_PATH = "wizard.tcss"
    TITLE = "Engrain"
    ENABLE_COMMAND_PALETTE: ClassVar[bool] = False

    def __init__(self, config: Config, stages: Sequence[Stage] = STAGES) -> None:
        super().__init__()
        self._config, self._stages = config, stages
        self.walk: Walk | None = None
        self.course: Course | None = None

    def on_mount(self) -> None:
        """Asks what is wanted, unless that is known."""
        try:
            self._begin(checked(self._config))
        except EngrainError:
            self.push_screen(Setup(self._config), self._wanted)

    def on_unmount(self) -> None:
        """Nothing goes on behind a closed screen."""
        if self.walk:
            self.walk.close()

    def _wanted(self, config: Config | None) -> None:
        if config is None:
            self.exit(1)
            return
        self._begin(config)

    def _begin(self, config: Config) -> None:
        try:
            self.walk = Walk(config, self._stages)
        except EngrainError as exc:
            self.exit(exc.exit_code, message=f"engrain: {exc}")
            return
        self.course = Course(self.walk)
        self.push_screen(self.course)

    @on(Course.Go)
    def _go(self) -> None:
        assert self.walk
        self._on(self.walk.next())

    def _on(self, found: Next) -> None:
        """What comes next is begun, or asked for."""
        assert self.walk
        if found.what == OVER:
            self.push_screen(Over(self.walk), lambda _: self.exit(0))
        elif found.what == RUN and found.stage:
            if found.stage.asks:
                self._ask(found.stage)
            else:
                self._run(found.stage)
        elif found.what == APPROVE and found.stage and found.done:
            stage, digest = found.stage, found.done.digest
            self.push_screen(Gate(stage, found.done), lambda yes: self._approved(stage, digest, yes=bool(yes)))
        elif found.what == REFUSED and found.stage and not found.stage.gate:
            self.walk.again(found.stage)
            self._run(found.stage)

    def _ask(self, stage: Stage) -> None:
        assert self.walk
        made, judged = (self.walk.state.done.get(name) for name in ("export", "gate"))
        self.push_screen(Handing(self.walk.config.install, made, judged), lambda yes: self._run(stage) if yes else None)

    def _approved(self, stage: Stage, digest: str, *, yes: bool) -> None:
        assert self.walk
        assert self.course
        if yes:
            self.walk.approve(stage, digest)
            self._further(self.course.stands())

    def _run(self, stage: Stage) -> None:
        assert self.course
        self.course.began(stage)
        self.run_worker(lambda: self._work(stage), thread=True)

    def _work(self, stage: Stage) -> None:
        """In a thread of its own: the stage, and telling the screen of it."""
        assert self.walk
        assert self.course
        course = self.course
        try:
            self.walk.run(stage, lambda told: self._tell(course.heard, told))
            self._tell(self._ended, "")
        except EngrainError as exc:
            self._tell(self._ended, str(exc))

    def _tell(self, listener: object, told: object) -> None:
        """Has the screen hear something, if there still is one."""
        if self.is_running:
            self.call_from_thread(listener, told)  # type: ignore[arg-type]

    def _ended(self, wrong: str) -> None:
        assert self.course
        found = self.course.ended()
        if wrong:
            self.course.wrong(wrong)
        else:
            self._further(found)

    def _further(self, found: Next) -> None:
        """Goes on by itself, if that is wanted and nobody has to be asked."""
        assert self.course
        if self.course.by_itself and found.what == RUN and found.stage and not found.stage.asks:
            self._run(found.stage)

    @on(Course.Leave)
    def _leave(self) -> None:
        assert self.walk
        self.walk.stop()
        self.exit(0 if self.walk.next().what == OVER else 1)
