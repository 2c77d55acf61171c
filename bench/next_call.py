"""Next call: a small model trained on the earlier 80 % of real sessions, asked on the later 20 % what comes next.

    python -m bench.next_call                 on a machine with a GPU: rows, audit, adapter, evaluation, the figures
    python -m bench.next_call --pack FOLDER   rows, model and packages in pieces, for a machine that reaches nothing
    python -m bench.next_call --at FOLDER     there: with what was packed
    python -m bench.next_call --tiny          the same path with few rows on any device, to see that it runs

Beside it are asked its base and a table of tool pairs (after this tool, in this project, which one), at the same places
and as `engrain train serve` would answer. What is right at a place is the tool that was called, or that none was.
Everything lies in the folder (`.bench/next_call` unless told otherwise); what is there is not made again.
"""

from __future__ import annotations

import argparse
import glob
import gzip
import importlib.util
import os
import shutil
import sys
import tarfile
from collections.abc import Iterator
from typing import Any

from bench.figure import Absent, Figure, shared

HERE = os.path.join(".bench", "next_call")
ROWS, RUN, MODEL, PACKAGES, PIECE = "rows", "run", "model.gguf", "packages", "piece-"
MOST = 54 * 2**20
"""Bytes of a piece."""
NEEDED = ("peft", "gguf")
"""What machines with torch and transformers may still lack: plain Python, so its files can be taken along."""
AGENTS = {"claude-code": ("claude-code", "swe"), "codex": ("codex",)}
DECIDED: dict[str, Any] = {
    "rank": 32, "alpha": 64, "rate": 1e-3, "epochs": 3.0, "decision": 3.0, "most_per_project": 2500,
    "abstain_share": 0.08, "points": 600, "turns": 4, "reply_tokens": 256, "evaluate_every": 100,
    "checkpoint_every": 200,
}  # fmt: skip
"""Most sessions are of one agent with one tool, of which there is little to learn: so no project has many rows."""
FEW: dict[str, Any] = {
    "tier": "tiny", "length": 768, "prompt_characters": 600, "result_characters": 300, "argument_characters": 800,
    "epochs": 0.05, "points": 12, "rollouts": 2, "turns": 2, "reply_tokens": 48, "looked_at": 4, "batch": 2,
}  # fmt: skip


def main() -> int:
    """The figures, or the pieces; exits 1 where a bound is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench.next_call", description=__doc__.partition("\n")[0])
    parser.add_argument("--at", default=HERE, metavar="FOLDER", help="where rows, model and run lie")
    parser.add_argument("--base", default="", metavar="MODEL", help="another model than SmolLM2-135M-Instruct")
    parser.add_argument("--pack", default="", metavar="FOLDER", help="write the pieces there")
    parser.add_argument("--tiny", action="store_true", help="few rows, any device")
    asked = parser.parse_args()
    os.makedirs(asked.at, exist_ok=True)
    unpack(asked.at)
    if asked.pack:
        pack(asked.at, model(asked.at, asked.base), asked.pack, tiny=asked.tiny)
        return 0
    missed = 0
    for figure in figures(asked.at, model(asked.at, asked.base), tiny=asked.tiny):
        told = f"{figure.bound:>8} {'reached' if figure.reached else 'MISSED'}" if figure.bound else ""
        print(f"{figure.what:<58} {figure.value:>9.2f} {figure.unit:<7} {told:<17} {figure.note}", flush=True)
        missed += not figure.reached
    return 1 if missed else 0


def measure(full: bool) -> Iterator[Figure]:
    """Only where there is a GPU, and only when the long figures are asked for."""
    if importlib.util.find_spec("torch") is None:
        raise Absent("the extra train is not installed")
    import torch

    if not full or not torch.cuda.is_available():
        raise Absent("training on real sessions needs a GPU and --full")
    os.makedirs(HERE, exist_ok=True)
    yield from figures(HERE, model(HERE, ""), tiny=False)


def model(place: str, base: str) -> str:
    """The model that was named, that was packed, or that `make test-train` keeps."""
    kept = os.path.join(sys.prefix, "share", "engrain", "smollm2-135m.gguf")
    found = next((path for path in (base, os.path.join(place, MODEL), kept) if path and os.path.exists(path)), "")
    if not found:
        raise Absent("SmolLM2-135M is not here: `python -m tests_train.prepare` brings it, or name a --base")
    return found


def figures(place: str, base: str, *, tiny: bool) -> Iterator[Figure]:
    """All stages, and what they came to."""
    from engrain.train import device, evaluate, lora, recipe
    from engrain.train.ask import BASE, CANDIDATE

    chosen, where = decided(tiny), device.chosen()
    rows, out = made(place, base, tiny=tiny), os.path.join(place, RUN)
    if not os.path.exists(os.path.join(out, lora.RUN)):
        lora.train(rows, base, out, chosen, where, _say)
    adapter = os.path.join(out, lora.ADAPTER)
    exam = evaluate.Exam(rows, base, chosen, where)
    _say(f"{len(exam.asked.places)} places, {len(exam.asked.games)} sessions to play")
    found = {}
    for name, folder in ((CANDIDATE, adapter), (BASE, "")):
        found[name] = exam.measured(folder)
        _say(f"{name}: {evaluate.line(found[name])}")
    report = exam.report(found, 0.0)
    evaluate.write(out, report, {"recipe": recipe.digest(chosen)})
    for word in report.gates:
        _say(f"gate {word.name}: {'open' if word.passed else 'shut'}, {word.because}")
    yield from told(report, exam.asked.places)


def decided(tiny: bool) -> Any:
    """The recipe."""
    from engrain.train import recipe

    return recipe.recipe_of(FEW if tiny else DECIDED)


def made(place: str, base: str, *, tiny: bool) -> str:
    """The folder of rows, made of the sessions unless it is there, and audited."""
    from engrain.train import audit, examples, recipe
    from engrain.train import base as bases
    from engrain.train.render import Renderer

    rows = os.path.join(place, ROWS)
    renderer = Renderer(bases.tokenizer(base))
    if not os.path.exists(os.path.join(rows, examples.MANIFEST)):
        reader = examples.Reader(renderer.count, renderer.clean, os.path.basename(base))
        examples.write(rows, examples.make(_sessions(place, tiny=tiny), decided(tiny), reader), decided(tiny))
    elif recipe.load(rows) != decided(tiny):
        raise SystemExit(f"the rows in {rows} were made by another recipe: give another --at, or remove them")
    found = audit.audit(rows, decided(tiny), renderer)
    audit.write(rows, found)
    if not found.passed and not tiny:
        raise SystemExit("; ".join(f"the audit says no: {c.name} {c.value} ({c.bound})" for c in found.checks
                                   if c.hard and not c.passed))  # fmt: skip
    return rows


def _sessions(place: str, *, tiny: bool) -> Iterator[Any]:
    """The shared transcripts as trajectories, by way of a journal of their own."""
    from engrain.memory import Memory, training

    home, unpacked = os.path.join(place, "home"), os.path.join(place, "transcripts")
    for folder in (home, unpacked):
        shutil.rmtree(folder, ignore_errors=True)
    with Memory.open(home, folder=place) as memory:
        for agent, names in AGENTS.items():
            for name in names:
                at = _unzipped(shared("transcripts", name), os.path.join(unpacked, name), 12 if tiny else 0)
                memory.import_transcripts(agent, memory.transcripts(agent, [at]))
                _say(f"{name} is read")
        yield from training.trajectories(memory, everywhere=True)
    for folder in (home, unpacked):
        shutil.rmtree(folder, ignore_errors=True)


def _unzipped(folder: str, to: str, most: int) -> str:
    """Transcripts as agents leave them."""
    paths = sorted(glob.glob(os.path.join(folder, "**", "*.jsonl.gz"), recursive=True))
    for path in paths[: most or len(paths)]:
        at = os.path.join(to, os.path.relpath(path, folder)).removesuffix(".gz")
        os.makedirs(os.path.dirname(at), exist_ok=True)
        with gzip.open(path) as packed, open(at, "wb") as file:
            shutil.copyfileobj(packed, file)
    return to


def told(report: Any, places: Any) -> Iterator[Figure]:
    """The row, and what stands behind it."""
    from engrain.train import evaluate
    from engrain.train.ask import BASE, CANDIDATE
    from engrain.train.gates import interval, mean

    mine = report.measured[CANDIDATE]
    sessions = len(set(mine.sessions))
    for of, what in (("tool", "right tool, or rightly none"), ("arguments", "arguments to the letter"),
                     ("near", "arguments in common"), ("repeats", "an earlier call again"),
                     ("ended", "ended by itself")):  # fmt: skip
        for name, found in report.measured.items():
            yield Figure(f"{what}: {name}", 100 * mean(getattr(found, of)), "%", note=f"{len(places)} places")
    for project in sorted({point.project for point in places}):
        own = [place for place, point in enumerate(places) if point.project == project and point.tool]
        shares = {name: 100 * mean([found.tool[place] for place in own]) for name, found in report.measured.items()}
        note = ", ".join(f"{name} {share:.1f}" for name, share in shares.items())
        yield Figure(f"right tool where one is called, project {project[:6]}", shares[CANDIDATE], "%", note=note)
    for of, what in (("tool", "tool"), ("near", "arguments")):
        for other in (BASE, evaluate.PAIRS):
            gain = report.gains[of][other]
            note = f"{100 * gain.value:+.1f} [{100 * gain.low:.1f}, {100 * gain.high:.1f}] over {sessions} sessions"
            yield Figure(f"{what} better than {other}: lower end", 100 * gain.low, "points", least=0.01, note=note)
    again = report.gains["repeats"][BASE]
    note = f"{100 * again.value:+.1f} [{100 * again.low:.1f}, {100 * again.high:.1f}]: worse where all of it is above 0"
    yield Figure("an earlier call again, more than base: lower end", 100 * again.low, "points", most=0, note=note)
    parted = interval(mine.repeats, mine.sessions)
    yield Figure(
        "an earlier call again", 100 * parted.value, "%", note=f"[{100 * parted.low:.1f}, {100 * parted.high:.1f}]"
    )


def pack(place: str, base: str, to: str, *, tiny: bool) -> None:
    """Rows, model and packages as one archive in pieces."""
    rows = made(place, base, tiny=tiny)
    os.makedirs(to, exist_ok=True)
    whole = os.path.join(to, "whole.tar.gz")
    with tarfile.open(whole, "w:gz", compresslevel=6) as archive:
        archive.add(rows, ROWS)
        archive.add(base, MODEL)
        for name in NEEDED:
            spec = importlib.util.find_spec(name)
            if spec and spec.origin:
                archive.add(os.path.dirname(spec.origin), f"{PACKAGES}/{name}", filter=_plain)
    for old in glob.glob(os.path.join(to, f"{PIECE}*")):
        os.remove(old)
    with open(whole, "rb") as file:
        for number, data in enumerate(iter(lambda: file.read(MOST), b"")):
            with open(os.path.join(to, f"{PIECE}{number}"), "wb") as piece:
                piece.write(data)
    os.remove(whole)
    number = len(glob.glob(os.path.join(to, f"{PIECE}*")))
    _say(f"{number} pieces in {to}; with all of them in one folder: `python -m bench.next_call --at FOLDER`")


def _plain(info: tarfile.TarInfo) -> tarfile.TarInfo | None:
    return None if "__pycache__" in info.name else info


def unpack(place: str) -> None:
    """What was packed into a folder lies there; its packages are found where the machine has none of its own."""
    pieces = sorted(glob.glob(os.path.join(place, f"{PIECE}*")), key=lambda path: int(path.rpartition("-")[2]))
    if pieces and not os.path.exists(os.path.join(place, MODEL)):
        whole = os.path.join(place, "whole.tar.gz")
        with open(whole, "wb") as file:
            for piece in pieces:
                with open(piece, "rb") as part:
                    shutil.copyfileobj(part, file)
        with tarfile.open(whole) as archive:
            archive.extractall(place, filter="data")
        os.remove(whole)
    sys.path.append(os.path.abspath(os.path.join(place, PACKAGES)))


def _say(text: str) -> None:
    print(f"  {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
