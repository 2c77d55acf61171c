"""`engrain demo`."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable

import click

from engrain.errors import EngrainError

SCRIPT: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("A note is an event of this project. The project is its git remote, however it is spelled.",
     ("project", "note --tag ops the staging database is read-only on Sundays",
      "note run the migrations before the seed")),
    ("Any text is a question.", ("search staging database", "search 'seed OR (migrations'")),
    ("A secret is gone before anything is written.",
     ("!secret", "search deploy", "privacy .env src/app.py")),
    ("Two programs fail for real, each in its own way. It is one failure.",
     ("!fail", "classify one.log", "classify other.log", "classify --explain other.log")),
    ("Taught once, the same failure elsewhere is answered, and another of its kind. What worked is shown first.",
     ("!teach", "classify other.log", "!kind", "!rate", "fixes", "stats")),
    ("A watched command runs as if alone. What is known stands beside its error, and what became of that counts.",
     ("!watch", "stats")),
    ("An agent's hooks record its session and answer a known failure beside its error. Taken back, to the byte.",
     ("init", "!hook", "tick", "search --everywhere other.py", "clean")),
    ("What happens while nobody receives it waits in the spool; a tick brings it into the journal.",
     ("!spool", "tick", "stats")),
    ("The journal is the truth: everything else is made anew from it.", ("rebuild --check",)),
    ("A copy is read back before it gets its name.", ("backup", "backup --list", "export -o journal.jsonl")),
    ("What is forgotten is gone: from the journal, the index, the log and the copies. Nothing brings it back.",
     ("forget --matching Sundays --yes", "import journal.jsonl", "search --everywhere Sundays")),
    ("The doctor looks at everything that can go wrong.", ("doctor",)),
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
            import shutil

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
    for name, text in (
        ("HEAD", "ref: refs/heads/main\n"),
        ("config", '[remote "origin"]\n\turl = git@example.com:acme/shop.git\n'),
    ):
        with open(os.path.join(shop, ".git", name), "w", encoding="utf-8") as file:
            file.write(text)


def _spool(folder: str, _: dict[str, str]) -> None:
    """Records three events as a hook does: into the spool, without opening the store."""
    from engrain.memory import Memory

    with Memory.open(os.path.join(folder, "home"), folder=os.path.join(folder, "shop")) as memory:
        for number, words in enumerate(("pytest -q", "ruff check .", "git push"), start=1):
            body = {"command": words, "exit": 0}
            memory.capture(memory.event("command", body, session="demo", agent="demo", id=f"demo-{number}"))
    _says("three commands were recorded into the spool")


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
        program = os.path.join(folder, "shop", f"{name}.py")
        with open(program, "w", encoding="utf-8") as file:
            file.write(code)
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
    with open(os.path.join(folder, "shop", "third.log"), "w", encoding="utf-8") as log:
        log.write("ModuleNotFoundError: No module named 'httpx_of_demo'\n")
    _command("classify third.log", os.path.join(folder, "shop"), environ)


def _rate(folder: str, environ: dict[str, str]) -> None:
    """Says that the fix helped."""
    from engrain.memory import Memory

    with Memory.open(os.path.join(folder, "home"), folder=os.path.join(folder, "shop")) as memory:
        fix = memory.fixes()[0].id
    _command(f"rate {fix} --worked", os.path.join(folder, "shop"), environ)


def _watch(folder: str, environ: dict[str, str]) -> None:
    """A check fails because a file is missing; the taught step makes it; the check passes."""
    shop = os.path.join(folder, "shop")
    check, step = "cat settings.toml", "cp settings.example settings.toml"
    with open(os.path.join(shop, "settings.example"), "w", encoding="utf-8") as file:
        file.write("port = 8080\n")
    error = "cat: settings.toml: No such file or directory"
    _command(f'fix "{error}" --steps "{step}"', shop, environ)
    for line in (check, step, check):
        _command(f"watch -- {line}", shop, environ)


def _hook(folder: str, environ: dict[str, str]) -> None:
    """What Claude Code does when a command fails: it runs the line of its settings, with the failure on stdin."""
    shop = os.path.join(folder, "shop")
    with open(os.path.join(shop, ".claude", "settings.json"), encoding="utf-8") as file:
        line = json.load(file)["hooks"]["PostToolUseFailure"][0]["hooks"][0]["command"]
    with open(os.path.join(shop, "other.log"), encoding="utf-8") as log:
        error = f"Exit code 1\n{log.read()}"
    said = {
        "hook_event_name": "PostToolUseFailure", "session_id": "demo", "cwd": shop, "tool_name": "Bash",
        "tool_use_id": "toolu_1", "tool_input": {"command": "python other.py"}, "error": error,
    }  # fmt: skip
    _says(f"Claude Code's `python other.py` fails, and its hook runs: {line}")
    done = subprocess.run(
        ["sh", "-c", line], input=json.dumps(said).encode(), env=environ, capture_output=True, check=True
    )
    _says("beside the error the agent reads:")
    click.echo(json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"])


STEPS: dict[str, Callable[[str, dict[str, str]], None]] = {
    "spool": _spool, "secret": _secret, "fail": _fail, "teach": _teach, "kind": _kind, "rate": _rate, "watch": _watch,
    "hook": _hook,
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
