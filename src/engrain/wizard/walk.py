"""Walk: what comes next in a folder, and doing it. Knows nothing of a screen.

A stage is done when its result was made of what is there now: of the same config, of the same results of the stages
that it needs, and with its own files as it left them. What is not done is done again, and so is all that needs it.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import IO, Any, NamedTuple

from engrain.errors import BadInput, EngrainError
from engrain.paths import owner_only, reason
from engrain.wizard import config as configs
from engrain.wizard import state as states
from engrain.wizard.child import DONE, GONE, WRONG
from engrain.wizard.config import Config
from engrain.wizard.plan import STAGES, Stage, by_name
from engrain.wizard.state import Done, digest, file_digest
from engrain.wizard.work import SAY, Told

RUN, APPROVE, REFUSED, OVER = "run", "approve", "refused", "over"


class Next(NamedTuple):
    """What comes next: `what` is to be done with which stage, and how it went if it is done."""

    what: str
    stage: Stage | None = None
    done: Done | None = None


class Walk:
    """A walk in a folder; nobody else walks there meanwhile."""

    def __init__(self, config: Config, stages: Sequence[Stage] = STAGES) -> None:
        self.stages = tuple(stages)
        self._by_name = by_name(self.stages)
        self.config = configs.checked(config)
        self._process: subprocess.Popen[str] | None = None
        self._lock: IO[str] | None = states.locked(config.folder)
        try:
            self.state = states.load(config.folder)
            configs.save(self._approving(config))
        except BaseException:
            self.close()
            raise
        for stage in self.stages:
            self.again(stage)

    def __enter__(self) -> Walk:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """The stage that runs is told to stop, and the folder let go of."""
        self.stop()
        if self._lock:
            self._lock.close()
            self._lock = None

    def next(self) -> Next:
        """What comes next."""
        for stage in self.stages:
            done = self.done(stage)
            if done is None:
                return Next(RUN, stage)
            if not done.passed:
                return Next(REFUSED, stage, done)
            if stage.gate and not self.approved(stage, done):
                return Next(APPROVE, stage, done)
        return Next(OVER)

    def done(self, stage: Stage) -> Done | None:
        """How a stage went, if it was done of what is there now, and its files are as it left them."""
        found = self.state.done.get(stage.name)
        if found is None or found.inputs != self.inputs(stage):
            return None
        at = self.config.folder
        return found if all(file_digest(os.path.join(at, name)) == was for name, was in found.files.items()) else None

    def inputs(self, stage: Stage) -> str:
        """Of what a stage is made."""
        values = self.config._asdict()
        needed = [(name, found.digest if (found := self.state.done.get(name)) else "") for name in stage.needs]
        return digest(stage.name, [(name, self._content(name, values[name])) for name in stage.fields], needed)

    def _content(self, name: str, value: Any) -> Any:
        """What a field of the config stands for: a recipe for its text, a base for its files."""
        if name == "recipe" and value:
            return file_digest(value) or value
        return _looks(value) if name == "base" else value

    def approved(self, stage: Stage, done: Done) -> bool:
        """Whether a person let this very result pass, here or in the config."""
        return done.digest in (self.state.approved.get(stage.name), self._by_config(stage))

    def _by_config(self, stage: Stage) -> str:
        named = [each.partition(":")[2] for each in self.config.approved if each.partition(":")[0] == stage.name]
        return named[-1] if named else ""

    def approve(self, stage: Stage, of: str) -> None:
        """A person lets a result pass, named by its digest. One that was refused can't be."""
        done = self.done(stage)
        if not stage.gate or done is None or done.digest != of:
            raise BadInput(f"there is no result {of!r} of {stage.name} to be approved")
        if not done.passed:
            raise BadInput(f"{stage.name} said no: {done.because}. What is measured can't be approved away")
        self.state.approved[stage.name] = of
        self._save()

    def again(self, stage: Stage) -> None:
        """What failed, and is no gate, may be tried again: a disk has room by now, a part is installed."""
        done = self.state.done.get(stage.name)
        if done is not None and not done.passed and not stage.gate:
            del self.state.done[stage.name]

    def run(self, stage: Stage, hear: Callable[[Told], None]) -> Done | None:
        """Does a stage in a process of its own; `hear` gets what it tells. None if it was told to stop: what it had
        written down by then is kept."""
        inputs = self.inputs(stage)
        result: Done | None = None
        wrong = ""
        with open(self._log(stage), "ab") as log, self._started(log) as process:
            self._process = process
            for each in self._told(process, stage, inputs):
                if each.kind == DONE:
                    result = Done(**{**each.value, "gates": tuple(each.value["gates"]), "inputs": inputs})
                elif each.kind == WRONG:
                    wrong = each.value
                else:
                    _noted(log, each)
                    hear(each)
        self._process = None
        if wrong or (result is None and process.returncode != GONE):
            raise self._failed(stage, wrong, process.returncode)
        if result is None:
            return None
        self.state.done[stage.name] = result
        self._save()
        return result

    def log(self, stage: Stage, most: int = 400) -> list[str]:
        """The last lines of what a stage said and what was printed meanwhile."""
        try:
            with open(self._log(stage), encoding="utf-8", errors="replace") as file:
                return [line.rstrip("\n").rpartition("\r")[2] for line in file.readlines()[-most:]]
        except OSError:
            return []

    def stop(self) -> None:
        """The stage that runs ends at once; it goes on from what it wrote down."""
        if (process := self._process) is not None and process.stdin is not None and not process.stdin.closed:
            process.stdin.close()

    def _started(self, log: Any) -> subprocess.Popen[str]:
        assert self._lock is not None, "the walk is closed"
        return subprocess.Popen(
            [sys.executable, "-m", "engrain.wizard.child"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
            text=True, pass_fds=[self._lock.fileno()], process_group=0,
        )  # fmt: skip

    def _told(self, process: subprocess.Popen[str], stage: Stage, inputs: str) -> Any:
        asked = {"run": stage.run, "inputs": inputs, "config": self.config._asdict(),
                 "before": {name: one._asdict() for name, one in self.state.done.items()}}  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(json.dumps(asked) + "\n")
            process.stdin.flush()
        for line in process.stdout:
            if line.endswith("]\n"):
                yield Told(*json.loads(line))

    def _failed(self, stage: Stage, wrong: str, code: int) -> EngrainError:
        if wrong:
            return BadInput(f"{stage.name}: {wrong}")
        log = self._log(stage)
        if code == -9:
            return BadInput(f"{stage.name} was killed by the system, most likely for want of memory; {log} has its last"
                            " words, and a smaller batch or base may do")  # fmt: skip
        last = next((line for line in reversed(self.log(stage)) if line.strip()), "nothing")
        return BadInput(
            f"{stage.name} ended unexpectedly ({code}), its last words {last[:200]!r}; {log} has all of them"
        )

    def _log(self, stage: Stage) -> str:
        folder = owner_only(os.path.join(self.config.folder, "log"))
        return os.path.join(folder, f"{stage.name}.log")

    def _save(self) -> None:
        states.save(self.config.folder, self.state)
        configs.save(self._approving(self.config))

    def _approving(self, config: Config) -> Config:
        """The config with all that was approved: with it the same can be played again."""
        named = dict(each.partition(":")[::2] for each in config.approved)
        named.update(self.state.approved)
        return config._replace(approved=tuple(f"{name}:{of}" for name, of in named.items()))


def _noted(log: IO[bytes], told: Told) -> None:
    """What a stage said is in its log, where what was printed is, too."""
    if told.kind == SAY:
        log.write(f"{told.value}\n".encode("utf-8", "replace"))
        log.flush()


def _looks(path: str) -> Any:
    """A model by the names, sizes and times of its files: to read all of it takes long."""
    try:
        if not os.path.isdir(path):
            found = os.stat(path)
            return [found.st_size, found.st_mtime_ns]
        with os.scandir(path) as entries:
            return sorted(
                [each.name, each.stat().st_size, each.stat().st_mtime_ns] for each in entries if each.is_file()
            )
    except OSError as exc:
        return reason(exc)
