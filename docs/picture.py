"""`make picture`: what the README shows, played for real in a throw-away home and drawn as docs/engrain.svg.

Nothing in the picture is written by hand but the command lines: what stands below each is what it printed.
"""

from __future__ import annotations

import html
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
WIDTH, LINE, EDGE, BAR = 860, 21, 26, 44

LINES = (
    "engrain watch -- python report.py",
    "engrain fix --file error.log --steps 'pip install orjson' --cause 'not in the image'",
    "engrain watch -- python other/service.py",
    "engrain fixes",
)
FAILING = {"report.py": "import orjson\n", "other/service.py": "def load():\n    from orjson import loads\n\nload()\n"}


def played() -> list[tuple[str, str]]:
    """Each command line with what it printed."""
    with tempfile.TemporaryDirectory(prefix="engrain-picture-") as folder:
        for name, code in FAILING.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(code)
        home = os.path.join(folder, ".home")
        environ = {**os.environ, "ENGRAIN_HOME": home, "PATH": f"{_tools(folder)}:{os.environ['PATH']}"}
        told = []
        for line in LINES:
            done = subprocess.run(
                shlex.split(line),
                cwd=folder,
                env=environ,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
            )
            text = done.stdout.decode("utf-8", "replace").replace(folder + "/", "").replace(folder, "~")
            if line == LINES[0]:
                with open(os.path.join(folder, "error.log"), "w", encoding="utf-8") as file:
                    file.write(text)
            told.append((line, text.replace("~/.home/", "~/.local/share/engrain/")))
        return told


def _tools(folder: str) -> str:
    """`engrain` and a bare `python` that has no orjson."""
    tools = os.path.join(folder, ".bin")
    os.makedirs(tools)
    for name, words in (("engrain", f"{sys.executable} -m engrain"), ("python", f"{sys.executable} -I -S")):
        with open(os.path.join(tools, name), "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec {words} "$@"\n')
        os.chmod(file.name, 0o755)
    return tools


def drawn(told: list[tuple[str, str]]) -> str:
    """The terminal as SVG, readable on a light and on a dark page."""
    rows: list[str] = []
    for line, text in told:
        rows.append(f'<tspan class="dim">$ </tspan><tspan class="typed">{html.escape(line)}</tspan>')
        rows += [_row(each) for each in text.rstrip().splitlines()]
        rows.append("")
    rows = rows[:-1]
    height = BAR + len(rows) * LINE + EDGE
    texts = "\n".join(
        f'<text x="{EDGE}" y="{BAR + LINE * (number + 1) - 6}">{row}</text>' for number, row in enumerate(rows) if row
    )
    dots = "".join(f'<circle cx="{EDGE + 18 * n}" cy="22" r="5.5" class="dot"/>' for n in range(3))
    return _SVG.format(width=WIDTH, height=height, texts=texts, dots=dots)


def _row(text: str) -> str:
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    kind = "said" if plain.startswith("[engrain]") else "bad" if re.match(r"\w*Error\b", plain) else ""
    shown = html.escape(plain[:98])
    return f'<tspan class="{kind}">{shown}</tspan>' if kind else shown


_SVG = """<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" aria-label="A command fails, its fix is taught, the same failure elsewhere is answered">
<style>
.page {{ fill: #12161c }} .dot {{ fill: #39424e }}
text {{ font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #c9d3de; white-space: pre }}
.dim {{ fill: #66758a }} .typed {{ fill: #eef3f8; font-weight: 600 }} .said {{ fill: #7fd6a4 }} .bad {{ fill: #f0887c }}
</style>
<rect class="page" width="{width}" height="{height}" rx="12"/>
{dots}
{texts}
</svg>
"""


def main() -> None:
    """Plays, and writes the picture."""
    with open(os.path.join(HERE, "engrain.svg"), "w", encoding="utf-8") as file:
        file.write(drawn(played()))


if __name__ == "__main__":
    main()
