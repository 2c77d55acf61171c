"""`make fuzz`: see the package's story."""

from __future__ import annotations

import argparse
import faulthandler
import importlib.util
import itertools
import os
import subprocess
import sys
import tempfile
import time
import warnings

from fuzz.bend import bent

NAMES = ("redact", "fingerprint", "hooks", "transcripts", "import", "triggers", "answers", "gguf")
KEPT = ".fuzz"
HANGS = 120
"""Seconds after which an input is taken to hang, and the process is ended with a trace of where."""


class Broken(Exception):  # noqa: N818 - what was looked for
    """An input that breaks what must hold."""


def main() -> int:
    """Plays the targets that were named, or all, one after the other."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description="Bends what comes from outside.")
    parser.add_argument("words", nargs="*", metavar="TARGET|FILE", help=f"of {', '.join(NAMES)}; files play one again")
    parser.add_argument("--minutes", type=float, default=10.0, help="for each target (default 10)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plain", action="store_true", help="without atheris")
    parser.add_argument("--inside", metavar="TARGET", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    files = [word for word in asked.words if word not in NAMES and os.path.isfile(word)]
    if unknown := [word for word in asked.words if word not in NAMES and word not in files]:
        parser.error(f"no target and no file {unknown[0]!r}")
    guided = not asked.plain and importlib.util.find_spec("atheris") is not None
    if asked.inside:
        return _inside(asked.inside, asked.minutes * 60, asked.seed, guided=guided)
    names = [word for word in asked.words if word in NAMES] or list(NAMES)
    if files:
        return _again(names, files)
    if not guided and not asked.plain:
        print("atheris is not here (`pip install '.[fuzz]'` on Linux): the plain mutator plays")
    broken = [name for name in names if not _played(name, asked.minutes, asked.seed, plain=not guided)]
    print(f"{len(names) - len(broken)} targets held, {len(broken)} broken" + "".join(f"\n  {name}" for name in broken))
    return 1 if broken else 0


def _played(name: str, minutes: float, seed: int, *, plain: bool) -> bool:
    """A process of its own for each: what one breaks does not end the others."""
    words = [sys.executable, "-m", "fuzz", "--inside", name, "--minutes", str(minutes), "--seed", str(seed)]
    print(f"{name}: {minutes:g} minutes", flush=True)
    return subprocess.run([*words, *(["--plain"] if plain else [])], check=False).returncode == 0


def _inside(name: str, seconds: float, seed: int, *, guided: bool) -> int:
    if guided:
        from fuzz.guided import instrumented

        instrumented()
    from fuzz.targets import all_targets

    # What an expression may come to mean in a later Python is no concern of a target.
    warnings.simplefilter("ignore", FutureWarning)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOME"] = folder
        (target,) = (each for each in all_targets(folder) if each.name == name)
        tried = itertools.count(1)

        def once(data: bytes) -> None:
            next(tried)
            _tried(target, data)

        if guided and not target.alarms:
            from fuzz.guided import play

            play(once, _corpus(target), seconds, seed, os.path.join(KEPT, f"{name}-"))
            return 0
        ends, inputs = time.monotonic() + seconds, bent(target.seeds(), seed)
        while time.monotonic() < ends:
            data = next(inputs)
            try:
                once(data)
            except Exception:
                print(f"written to {_written(name, data)}", flush=True)
                raise
        print(f"  {next(tried) - 1:,} inputs, all held", flush=True)
    return 0


def _tried(target: object, data: bytes) -> None:
    from fuzz.targets import Target

    assert isinstance(target, Target)
    faulthandler.dump_traceback_later(HANGS, exit=True)
    began = time.thread_time()
    wrong = target.check(data)
    took = time.thread_time() - began
    faulthandler.cancel_dump_traceback_later()
    if took > target.seconds:
        wrong = wrong or f"took {took:.1f} s"
    if wrong:
        raise Broken(f"{target.name}: {wrong}")


def _again(names: list[str], files: list[str]) -> int:
    from fuzz.targets import all_targets

    with tempfile.TemporaryDirectory() as folder:
        for target in all_targets(folder):
            for path in files if target.name in names else ():
                with open(path, "rb") as file:
                    _tried(target, file.read())
                print(f"{target.name} holds {path}")
    return 0


def _corpus(target: object) -> str:
    """A folder with the seeds, where what reached a new line is kept for the next time."""
    from fuzz.targets import Target

    assert isinstance(target, Target)
    folder = os.path.join(KEPT, "corpus", target.name)
    os.makedirs(folder, exist_ok=True)
    for number, data in enumerate(target.seeds()):
        with open(os.path.join(folder, f"seed-{number:04d}"), "wb") as file:
            file.write(data)
    return folder


def _written(name: str, data: bytes) -> str:
    os.makedirs(KEPT, exist_ok=True)
    path = os.path.join(KEPT, f"{name}-broken")
    with open(path, "wb") as file:
        file.write(data)
    return path


if __name__ == "__main__":
    sys.exit(main())
