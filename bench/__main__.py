"""`make bench`: every figure that the README names, measured here and now.

    python -m bench [NAME…] [--full] [--json FILE]

Each module of MODULES has `measure(full)`, which yields figures. Exit 1 when a figure misses its bound.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time

from bench.figure import Absent, Figure

MODULES = (
    "house", "redaction", "fingerprints", "fixes", "efficacy", "watching", "serving_mcp", "serving", "hooks",
    "context", "wiring", "learning", "history", "described", "soak", "tasks", "web",
    "recall", "fused", "recalled_files",
    "scale",
    "training",
)  # fmt: skip


def main() -> int:
    """Runs the benchmarks that were named, or all."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measures what the README claims.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(MODULES)}; all by default")
    parser.add_argument("--full", action="store_true", help="the long ones too")
    parser.add_argument("--json", metavar="FILE", help="write the figures there as well")
    asked = parser.parse_args()
    if unknown := [name for name in asked.names if name not in MODULES]:
        parser.error(f"no benchmark {unknown[0]!r}")
    found: list[Figure] = []
    for name in asked.names or MODULES:
        found += _run(name, full=asked.full)
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as file:
            json.dump([figure._asdict() for figure in found], file, indent=2, ensure_ascii=False)
    missed = [figure for figure in found if not figure.reached]
    print(f"\n{len(found) - len(missed)} figures reached or reported, {len(missed)} missed")
    return 1 if missed else 0


def _run(name: str, *, full: bool) -> list[Figure]:
    started, found = time.monotonic(), []
    print(f"\n{name}", flush=True)
    try:
        for figure in importlib.import_module(f"bench.{name}").measure(full):
            found.append(figure)
            mark = " " if not figure.bound else "✓" if figure.reached else "✗"
            bound = f"  ({figure.bound})" if figure.bound else ""
            note = f"  {figure.note}" if figure.note else ""
            print(f"  {mark} {figure.what}: {figure.value:,.4g} {figure.unit}{bound}{note}", flush=True)
    except Absent as why:
        print(f"    skipped: {why}", flush=True)
    print(f"    {time.monotonic() - started:.1f} s", flush=True)
    return found


if __name__ == "__main__":
    sys.exit(main())
