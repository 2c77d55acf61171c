"""`engrain demo`."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable

import click

from engrain.cli.playing import Agent
from engrain.errors import EngrainError

SCRIPT: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("One line wires the agents of a repository, the same for everybody who clones it.",
     ("project", "init")),
    ("A command of an agent fails. It finds out what helps, and the command passes. Nobody teaches anything.",
     ("!learn", "tick", "fixes")),
    ("A colleague's checkout, another session: the same failure is answered beside its error, and it is seen to help.",
     ("!answer", "tick", "stats")),
    ("Taught once is enough, too: the same failure from another program is answered, and another of its kind.",
     ("!fail", "!teach", "classify other.log", "!kind", "!rate")),
    ("What makes two outputs one failure is explained.", ("classify --explain other.log",)),
    ("A watched command runs as if alone. What is known stands below its error.", ("!watch",)),
    ("A note is found by words, by names however they are written, by meaning. Any text is a question.",
     ("note --tag ops run the migrations before the seed", "search 'seed OR (migrations'")),
    ("A secret is gone before anything is written.",
     ("!secret", "search deploy", "privacy .env src/app.py")),
    ("What is forgotten is gone: from the journal, the index, the log and the copies. Nothing brings it back.",
     ("backup", "export -o journal.jsonl", "forget --matching migrations --yes", "import journal.jsonl",
      "search --everywhere migrations")),
    ("The journal is the truth: everything else is made anew from it.", ("rebuild --check",)),
    ("The doctor looks at everything that can go wrong.", ("doctor",)),
    ("What was wired is taken back, to the byte.", ("clean",)),
)  # fmt: skip
"""What is said, and the command lines that show it; a line with a mark is a step of STEPS."""


@click.command("demo")
@click.option("--keep", is_flag=True, help="Leave the folder for a look around.")
def command(keep: bool) -> None:
    """Play what Engrain does, for real, in a throw-away home. Your own memory is not touched.

    \b
    Examples:
      engrain demo
      engrain demo --keep
    """
    folder = tempfile.mkdtemp(prefix="engrain-demo-")
    try:
        _play(folder)
    finally:
        if keep:
            click.echo(f"\nkept: ENGRAIN_HOME={os.path.join(folder, 'home')}  cd {os.path.join(folder, 'shop')}")
        else:
            shutil.rmtree(folder, ignore_errors=True)


def _play(folder: str) -> None:
    shop = os.path.join(folder, "shop")
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("ENGRAIN_", "GIT_"))}
    environ["ENGRAIN_HOME"] = os.path.join(folder, "home")
    _repository(shop)
    for says, lines in SCRIPT:
        click.secho(f"\n{says}", bold=True)
        for line in lines:
            if line.startswith("!"):
                STEPS[line[1:]](folder, environ)
            else:
                _command(line, shop, environ)


def _repository(shop: str) -> None:
    """A checkout with a remote, made of the two files that git itself would write."""
    os.makedirs(os.path.join(shop, ".git"))
    _write(shop, ".git/HEAD", "ref: refs/heads/main\n")
    _write(shop, ".git/config", '[remote "origin"]\n\turl = git@example.com:acme/shop.git\n')


def _learn(folder: str, environ: dict[str, str]) -> None:
    """Two sessions in which a report misses its settings until somebody copies the example."""
    shop = os.path.join(folder, "shop")
    _write(shop, "report.py", "port = open('settings.toml').read()\nprint('listening at', port.split()[-1])\n")
    _write(shop, "settings.example", "port = 8080\n")
    for number in (1, 2):
        agent = Agent(f"session-{number}", shop, environ)
        agent.asked("make the report start")
        for line in ("python3 report.py", "ls", "cp settings.example settings.toml", "python3 report.py"):
            _ran(agent, line)
        os.remove(os.path.join(shop, "settings.toml"))


def _answer(folder: str, environ: dict[str, str]) -> None:
    """A colleague's checkout of the same repository, whose agent does what memory says."""
    shop, other = os.path.join(folder, "shop"), os.path.join(folder, "colleague")
    shutil.copytree(shop, other)
    agent = Agent("session-3", other, environ)
    agent.asked("does the report start?")
    for line in ("python3 report.py", "cp settings.example settings.toml", "python3 report.py"):
        _ran(agent, line)


def _ran(agent: Agent, line: str) -> None:
    failed, output, answer = agent.runs(line)
    click.echo(click.style("agent$ ", dim=True) + line)
    click.echo(output.strip().split("\n")[-1] if failed else output.strip() or "(nothing)")
    if answer:
        click.secho(answer, fg="green")


def _write(folder: str, name: str, text: str) -> None:
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


def _secret(folder: str, environ: dict[str, str]) -> None:
    """Notes a token that was made up just now."""
    token = "ghp_" + os.urandom(18).hex()
    _command(f"note deploy with GITHUB_TOKEN={token}", os.path.join(folder, "shop"), environ)


def _fail(folder: str, environ: dict[str, str]) -> None:
    """Runs two programs that miss the same module, and keeps what each says."""
    for name, code in (
        ("one", "import orjson_of_demo\n"),
        ("other", "import os\n\n\ndef load():\n    from orjson_of_demo import loads\n\n\nload()\n"),
    ):
        _write(os.path.join(folder, "shop"), f"{name}.py", code)
        program = os.path.join(folder, "shop", f"{name}.py")
        done = subprocess.run([sys.executable, program], env=environ, capture_output=True, check=False)
        with open(os.path.join(folder, "shop", f"{name}.log"), "wb") as log:
            log.write(done.stdout + done.stderr)
        _says(f"python {name}.py 2> {name}.log exited with {done.returncode}")


def _teach(folder: str, environ: dict[str, str]) -> None:
    """Teaches the fix of the first program's failure, from what that program really said."""
    line = "fix --file one.log --steps 'pip install orjson_of_demo' --cause 'it is not in the image'"
    _command(line, os.path.join(folder, "shop"), environ)


def _kind(folder: str, environ: dict[str, str]) -> None:
    """A failure that nobody has seen: another module is missing."""
    _write(os.path.join(folder, "shop"), "third.log", "ModuleNotFoundError: No module named 'httpx_of_demo'\n")
    _command("classify third.log", os.path.join(folder, "shop"), environ)


def _rate(folder: str, environ: dict[str, str]) -> None:
    """Says that the fix helped."""
    from engrain.memory import Memory

    with Memory.open(os.path.join(folder, "home"), folder=os.path.join(folder, "shop")) as memory:
        fix = next(each.id for each in memory.fixes() if each.steps[0].startswith("pip"))
    _command(f"rate {fix} --worked", os.path.join(folder, "shop"), environ)


def _watch(folder: str, environ: dict[str, str]) -> None:
    """A check fails because a file is missing; the taught step makes it; the check passes."""
    shop = os.path.join(folder, "shop")
    check, step = "cat settings.toml", "cp settings.example settings.toml"
    error = "cat: settings.toml: No such file or directory"
    _command(f'fix "{error}" --steps "{step}"', shop, environ)
    for line in (check, step, check):
        _command(f"watch -- {line}", shop, environ)


STEPS: dict[str, Callable[[str, dict[str, str]], None]] = {
    "learn": _learn, "answer": _answer, "fail": _fail, "teach": _teach, "kind": _kind, "rate": _rate, "watch": _watch,
    "secret": _secret,
}  # fmt: skip


def _says(text: str) -> None:
    click.echo(click.style("· ", dim=True) + text)


def _command(line: str, shop: str, environ: dict[str, str]) -> None:
    """Runs one command line of Engrain; a broken demo must not look like a good one."""
    click.echo(click.style("$ ", dim=True) + click.style(f"engrain {line}", fg="cyan"))
    sys.stdout.flush()
    words = [sys.executable, "-m", "engrain", *shlex.split(line)]
    done = subprocess.run(words, cwd=shop, env=environ, stderr=subprocess.STDOUT, check=False)
    if done.returncode not in (0, 1):
        raise EngrainError(f"the demo broke: `engrain {line}` exited with {done.returncode}")
