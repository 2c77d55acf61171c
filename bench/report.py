"""Report: what was measured → JSON, Markdown with the machine and the commands, a picture of distances to the bounds.

Each module's table says when and by which command it was made: a page may hold tables of several runs, since the long
ones take hours in total.
"""

from __future__ import annotations

import json
import math
import os
import platform
import subprocess
import time
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

from bench.figure import Figure

PICTURE = "benchmarks.svg"
WIDTH, ROW, NAMES = 960, 17, 560
PREFACE = (
    "`python -m bench --page docs` writes this page; nothing in it is typed by hand. What others take is measured on"
    " the same machine in the same minutes: `node -e 0`, `python -c pass`, fixcache, aictx, plain transformers."
    " Timings are best read as such ratios, since machines are noisy."
)
REACH = 2.0  # a picture shows up to a hundred times better, or worse, than the bound


class Run(NamedTuple):
    """What one module said, and what that cost: by the clock, and of the processor with all children."""

    name: str
    about: str
    full: bool
    commit: str
    date: str
    figures: tuple[Figure, ...]
    skipped: str
    seconds: float
    cpu: float


def machine() -> dict[str, str]:
    """Where figures come from."""
    return {
        "processor": f"{_processor()}, {os.cpu_count()} cores",
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB",
        "system": f"{platform.system()} {platform.release().partition('-')[0]}",
        "python": platform.python_version(),
        "node": _said("node", "--version"),
    }


def commit() -> str:
    """What was measured; `-dirty` where files were changed since."""
    return _said("git", "describe", "--always", "--dirty")


def today() -> str:
    """The day, in UTC as everywhere."""
    return time.strftime("%Y-%m-%d", time.gmtime())


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.partition(":")[2].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def _said(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "none"


def merged(earlier: Sequence[Run], runs: Sequence[Run], order: Sequence[str]) -> list[Run]:
    """The latest of each module. What was skipped now, for want of data, does not replace what was measured."""
    latest = {run.name: run for run in earlier}
    latest |= {run.name: run for run in runs if run.figures or run.name not in latest}
    return [latest[name] for name in order if name in latest]


def write_json(path: str, runs: Sequence[Run], where: Mapping[str, str]) -> None:
    """Every figure, for other programs."""
    _write(path, json.dumps({"machine": where, "runs": [_plain(run) for run in runs]}, indent=1, ensure_ascii=False))


def read_json(path: str) -> list[Run]:
    """What earlier runs wrote; nothing where there is none."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        known = json.load(file)
    return [Run(**{**run, "figures": tuple(Figure(**each) for each in run["figures"])}) for run in known["runs"]]


def write_page(path: str, runs: Sequence[Run], where: Mapping[str, str]) -> None:
    """Every table, and beside the page the picture."""
    figures = [figure for run in runs for figure in run.figures]
    missed = [(run, figure) for run in runs for figure in run.figures if not figure.reached]
    bounded = sum(1 for figure in figures if figure.bound)
    on = ", ".join((where["processor"], where["memory"], where["system"], f"Python {where['python']}"))
    lines = [
        "# Benchmarks", "", f"On {on}, node {where['node']}.", "", PREFACE, "",
        f"{len(figures)} figures, {bounded} of them with a bound, {len(missed)} missed{':' if missed else '.'}", "",
        *(f"- **missed** in {run.name}: {figure.what}: {_value(figure)}, not {figure.bound}" for run, figure in missed),
        *([""] if missed else []),
        f"![How far each figure is from its bound]({PICTURE})", "",
    ]  # fmt: skip
    for run in runs:
        command = f"python -m bench {run.name}{' --full' if run.full else ''}"
        cost = f"{run.seconds:,.0f} s, {run.cpu:,.0f} s of processors"
        lines += [f"## {run.name}", "", run.about, "", f"`{command}` · {run.date} · {run.commit} · {cost}", ""]
        if run.figures:
            lines += ["| | what | seen | bound | |", "|---|---|---|---|---|", *map(_row, run.figures), ""]
        if run.skipped:
            lines += [f"Skipped: {run.skipped}", ""]
    _write(path, "\n".join(lines).rstrip() + "\n")
    _write(os.path.join(os.path.dirname(path), PICTURE), picture(runs))


def picture(runs: Sequence[Run]) -> str:
    """A bar for each figure with a bound: to the right as many times better as it is, to the left worse."""
    shown = [(run.name, figure) for run in runs for figure in run.figures if figure.bound]
    middle, half = NAMES + (WIDTH - NAMES) / 2, (WIDTH - NAMES) / 2 - 40
    tall = ROW * len(shown) + 48
    parts = [
        f'<text x="{NAMES}" y="16">100 × worse</text>',
        f'<text x="{middle}" y="16" text-anchor="middle">the bound</text>',
        f'<text x="{WIDTH - 4}" y="16" text-anchor="end">100 × better</text>',
    ]
    for number, (name, figure) in enumerate(shown):
        y = 26 + ROW * number
        far = max(-REACH, min(REACH, math.log10(better(figure))))
        x, wide = (middle, far) if far >= 0 else (middle + far / REACH * half, -far)
        colour = "#059669" if figure.reached else "#dc2626"
        says = escape(f"{name}: {figure.what}")
        label = says if len(says) <= 92 else f"{says[:91]}…"
        parts.append(
            f'<text x="{NAMES - 8}" y="{y + 11}" text-anchor="end"><title>{says}</title>{label}</text>'
            f'<rect x="{x:.1f}" y="{y + 2}" width="{max(1.5, wide / REACH * half):.1f}" height="{ROW - 5}"'
            f' fill="{colour}"/>'
        )
    parts.append(f'<path d="M{middle} 22V{tall - 16}" stroke="#64748b" stroke-dasharray="2 3"/>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {tall}" font-family="sans-serif" font-size="11">'
        f'<rect width="{WIDTH}" height="{tall}" fill="#ffffff"/>{"".join(parts)}</svg>\n'
    )


def better(figure: Figure) -> float:
    """How many times better than its bound: 1 is the bound. None lost of none allowed is as good as can be drawn."""
    if figure.least is not None:
        share = figure.value / figure.least if figure.least else 1.0
    elif figure.most:
        share = figure.most / figure.value if figure.value else 10.0**REACH
    else:
        share = 10.0**-REACH if figure.value else 10.0**REACH
    return float(max(share, 10.0**-REACH))


def _row(figure: Figure) -> str:
    mark = "" if not figure.bound else "✓" if figure.reached else "**missed**"
    cells = (mark, figure.what, _value(figure), figure.bound, figure.note)
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def _value(figure: Figure) -> str:
    return f"{figure.value:,.4g} {figure.unit}".strip()


def _plain(run: Run) -> dict[str, Any]:
    return {**run._asdict(), "figures": [figure._asdict() for figure in run.figures]}


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
