"""`make bench`: every figure that the README names, measured here and now.

    python -m bench [NAME…] [--full] [--json FILE] [--page FOLDER]

Each module of MODULES has `measure(full)`, which yields figures. Exit 1 when a figure misses its bound. Without names
the long modules are left out, so that the rest takes less than ten minutes; `--full` takes all, with more rounds.
"""

from __future__ import annotations

import argparse
import importlib
import os
import resource
import sys
import time

from bench import report
from bench.figure import Absent, Figure

MODULES = (
    "house", "redaction", "fingerprints", "fixes", "efficacy", "watching", "hooks", "history", "wiring",
    "recall", "fused", "recalled_files", "learning", "tasks", "context",
    "serving_mcp", "serving", "described", "soak", "web", "scale", "carrying", "notes",
    "training", "next_call", "exporting",
)  # fmt: skip
LONG = (
    "fused",
    "recalled_files",
    "described",
    "soak",
    "scale",
    "carrying",
    "notes",
    "training",
    "next_call",
    "exporting",
)


def main() -> int:
    """Runs the benchmarks that were named, or all."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measures what the README claims.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(MODULES)}; all by default")
    parser.add_argument("--full", action="store_true", help=f"the long ones ({', '.join(LONG)}) and more rounds")
    parser.add_argument("--json", metavar="FILE", help="write the figures there as well")
    parser.add_argument("--page", metavar="FOLDER", help="write benchmarks.md, .json and .svg there")
    asked = parser.parse_args()
    if unknown := [name for name in asked.names if name not in MODULES]:
        parser.error(f"no benchmark {unknown[0]!r}; there are: {', '.join(MODULES)}")
    names = asked.names or [name for name in MODULES if asked.full or name not in LONG]
    started, runs = time.monotonic(), []
    for name in names:
        runs.append(_run(name, full=asked.full))
        if asked.page:
            _page(asked.page, runs)
    if asked.json:
        report.write_json(asked.json, runs, report.machine())
    figures = [figure for run in runs for figure in run.figures]
    missed = sum(1 for figure in figures if not figure.reached)
    took = time.monotonic() - started
    print(f"\n{len(figures) - missed} figures reached or reported, {missed} missed, {took:,.0f} s")
    return 1 if missed else 0


def _run(name: str, *, full: bool) -> report.Run:
    started, used, found, skipped = time.monotonic(), _cpu(), list[Figure](), ""
    print(f"\n{name}", flush=True)
    module = importlib.import_module(f"bench.{name}")
    try:
        for figure in module.measure(full):
            found.append(figure)
            mark = " " if not figure.bound else "✓" if figure.reached else "✗"
            bound = f"  ({figure.bound})" if figure.bound else ""
            note = f"  {figure.note}" if figure.note else ""
            print(f"  {mark} {figure.what}: {figure.value:,.4g} {figure.unit}{bound}{note}", flush=True)
    except Absent as why:
        skipped = str(why)
        print(f"    skipped: {why}", flush=True)
    seconds, cpu = time.monotonic() - started, _cpu() - used
    print(f"    {seconds:.1f} s, {cpu:.1f} s of processors", flush=True)
    about = " ".join((module.__doc__ or "").partition("\n\n")[0].split())
    return report.Run(name, about, full, report.commit(), report.today(), tuple(found), skipped, seconds, cpu)


def _page(folder: str, runs: list[report.Run]) -> None:
    data = os.path.join(folder, "benchmarks.json")
    known = report.merged(report.read_json(data), runs, MODULES)
    report.write_json(data, known, report.machine())
    report.write_page(os.path.join(folder, "benchmarks.md"), known, report.machine())


def _cpu() -> float:
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


if __name__ == "__main__":
    sys.exit(main())
