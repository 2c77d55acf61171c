"""Episodes and remedies, as rows: what was done, what became of the failure, and what of it mattered."""

from __future__ import annotations

import pytest

from engrain.learn.episodes import ABANDONED, CHANGED, RESOLVED, SUPERSEDED, UNFINISHED, WINDOW, episodes
from engrain.learn.remedies import made_by, remedies, tried
from tests.sessions import CWD, Deed, Edited, Ran, calls

MISSING = "Traceback (most recent call last):\nModuleNotFoundError: No module named 'orjson'"
OTHER = "Traceback (most recent call last):\n  File \"app.py\", line 3, in <module>\nKeyError: 'port'"
LINT = "src/cart.ts:3:1 lint/style/useConst  FIXABLE  ━━━━━━━━━━━\n\n  × This let is never used.\n\nFound 1 error."
USAGE = "error: unrecognized subcommand 'bun'\n\nUsage: wrap [OPTIONS] <COMMAND>"
ASSERT = (
    "=== FAILURES ===\n____ test_total ____\n    assert total() == 3\nE   assert 2 == 3\n\n"
    "tests/test_cart.py:9: AssertionError\n=== short test summary info ===\n"
    "FAILED tests/test_cart.py::test_total - assert 2 == 3\n"
)
BROKEN = '  File "/home/someone/shop/src/cart.py", line 9\n    retrun 3\n           ^\nSyntaxError: invalid syntax'
NO_PACKAGE = "npm error code ENOENT\nnpm error enoent Could not read package.json: no such file or directory"
NO_TESTS = " RUN  v1.6.0 /srv/web\n\nfilter:  src/cart.test.ts\nNo test files found, exiting with code 1"
FAILS = Ran("python app.py", 1, MISSING)
PASSES = Ran("python app.py")

STATES: list[tuple[str, list[Deed], list[str]]] = [
    ("the same command passes", [FAILS, Ran("pip install orjson"), PASSES], [RESOLVED]),
    ("its flags and pipes apart", [Ran("pytest -x tests 2>&1", 1, ASSERT), Ran("pytest tests -q")], [RESOLVED]),
    ("behind a folder that is the root", [FAILS, Ran("cd /home/someone/shop && python app.py")], [RESOLVED]),
    ("another target says nothing of it", [Ran("pytest tests/test_a.py", 1, ASSERT), Ran("pytest tests/test_b.py")],
     [UNFINISHED]),
    ("it fails in another way", [FAILS, Ran("pip install orjson"), Ran("python app.py", 1, OTHER)],
     [CHANGED, UNFINISHED]),
    ("it fails in the same way", [FAILS, Ran("pip install ujson"), FAILS, Ran("pip install orjson"), PASSES],
     [SUPERSEDED, RESOLVED]),
    ("nobody ran it again", [FAILS, *[Ran(f"make step{n}") for n in range(WINDOW)]], [ABANDONED]),
    ("the session ends", [FAILS, Ran("ls")], [UNFINISHED]),
    ("a corrected form passes", [Ran("wrap bun run build", 2, USAGE), Ran("bun run build")], [RESOLVED]),
    ("a folder that is elsewhere", [Ran("pnpm build", 1, "ERR_PNPM_NO_SCRIPT  Missing script: build"),
     Ran("cd web && pnpm build")], [RESOLVED]),
    ("in the folder where a cd left the shell", [Ran("npm test", 1, NO_PACKAGE), Ran("npm test", cwd=f"{CWD}/web")],
     [RESOLVED]),
    ("the tests of another folder are others", [Ran("npm test", 1, ASSERT), Ran("npm test", cwd=f"{CWD}/web"),
     Ran("npm test", 1, ASSERT, cwd=f"{CWD}/web")], [UNFINISHED, UNFINISHED]),
    ("a cd before it, and where that left the shell",
     [Ran("cd web && npm test", 1, ASSERT), Ran("npm test", cwd=f"{CWD}/web")], [RESOLVED]),
    ("a pipe hides how it ended, but not what the tests said",
     [Ran("pytest tests", 1, ASSERT), Ran("pytest tests | tail -1", 0, "=== 2 passed in 0.01s ===")], [RESOLVED]),
    ("a pipe hides that tests failed",
     [Ran("pytest tests", 1, ASSERT), Ran("pytest tests | tail -1", 0, "=== 1 failed, 1 passed in 0.01s ===")],
     [UNFINISHED]),
    ("a pipe hides how it ended", [FAILS, Ran("python app.py | tail -3"), PASSES], [RESOLVED]),
    ("nothing was found", [Ran("grep -rn total src", 1)], []),
    ("looking around", [Ran("ls nowhere", 2, "ls: cannot access 'nowhere': No such file or directory"),
     Ran("git diff --exit-code", 1), Ran("test -f x", 1), Ran("diff a b", 1)], []),
    ("a pipe into grep that finds nothing", [Ran("sed -n 1,9p app.py | grep total", 1)], []),
    ("somebody stopped it", [Ran("python app.py", 130, MISSING), PASSES], []),
    ("nobody knows how it ended", [Ran("python app.py", None, MISSING), PASSES], []),
]  # fmt: skip


@pytest.mark.parametrize(("deeds", "expected"), [row[1:] for row in STATES], ids=[row[0] for row in STATES])
def test_what_became_of_a_failure(deeds: list[Deed], expected: list[str]) -> None:
    assert [each.state for each in episodes(calls(deeds))] == expected


def helped(deeds: list[Deed]) -> list[tuple[str, tuple[str, ...]]]:
    done = calls(deeds)
    found, made = episodes(done), made_by(done)
    return [(each.kind, each.steps) for episode in found[:1] for each in remedies(done, episode, found, made)]


REMEDIES: list[tuple[str, list[Deed], list[tuple[str, tuple[str, ...]]]]] = [
    ("an install", [FAILS, Ran("pip install orjson"), PASSES], [("prepared", ("pip install orjson",))]),
    ("of several, all that passed",
     [FAILS, Ran("mkdir orjson\ntouch orjson/__init__.py"), Ran("ls"), PASSES],
     [("prepared", ("mkdir -p orjson", "touch orjson/__init__.py"))]),
    ("what failed itself helped nobody",
     [FAILS, Ran("pip install orjsn", 1, "ERROR: No matching distribution found for orjsn"),
      Ran("pip install orjson"), PASSES], [("prepared", ("pip install orjson",))]),
    ("a formatter", [Ran("bun run lint", 1, LINT), Ran("bun run lint:fix 2>&1"), Ran("bun run test | tail -5"),
     Ran("bun run lint")], [("prepared", ("bun run lint:fix",))]),
    ("a word too much", [Ran("wrap bun run test 2>&1", 2, USAGE), Ran("bun run test 2>&1 | tail -3"),
     Ran("bun run test")], [("corrected", ("in the command, without `wrap`",))]),
    ("another folder", [Ran("pnpm build", 1, "ERR_PNPM_NO_SCRIPT  Missing script: build"),
     Ran("cd web && pnpm build")], [("corrected", ("in the command, `cd web &&` before it",))]),
    ("a variable", [Ran("npm run build", 134, "FATAL ERROR: JavaScript heap out of memory"),
     Ran("NODE_OPTIONS=--max-old-space-size=8192 npm run build")],
     [("corrected", ("in the command, `NODE_OPTIONS=--max-old-space-size=8192` before it",))]),
    ("where a program really is", [Ran("bun install", 127, "bash: bun: command not found"),
     Ran("~/.bun/bin/bun install")], [("corrected", ("in the command, `~/.bun/bin/bun` in place of `bun`",))]),
    ("a missing option", [Ran("gh pr list", 1, "no default repository has been set"),
     Ran("gh pr list --repo shop/web")], [("corrected", ("in the command, `--repo shop/web` behind it",))]),
    ("to leave a check out is no fix", [Ran("git commit -m x", 1, "husky - pre-commit hook exited with code 1"),
     Ran("git commit --no-verify -m x")], []),
    ("another test is no correction", [Ran("pytest tests/test_cart.py", 1, ASSERT),
     Ran("pytest tests/test_user.py")], []),
    ("one line of a file", [Ran("pytest tests/test_cart.py", 1, ASSERT),
     Edited("src/cart.py", "def total():\n    return 2\n", "def total():\n    return 3\n"),
     Ran("pytest tests/test_cart.py")],
     [("edited", ("edit src/cart.py, total: `return 3` in place of `return 2`",))]),
    ("many lines are only named", [Ran("pytest tests/test_cart.py", 1, ASSERT),
     Edited("src/cart.py", "a\nb\nc\nd", "e\nf\ng\nh"), Ran("pytest tests/test_cart.py")],
     [("edited", ("edit src/cart.py",))]),
    ("by sed", [Ran("pytest tests/test_cart.py", 1, ASSERT), Ran("sed -i 's/return 2/return 3/' src/cart.py"),
     Ran("pytest tests/test_cart.py")], [("edited", ("edit src/cart.py: `return 3` in place of `return 2`",))]),
    ("taken back", [Ran("python app.py", 1, BROKEN), Ran("git checkout src/cart.py"), PASSES],
     [("reverted", ("git checkout src/cart.py",))]),
    ("a script of the session's own", [FAILS, Ran("cat <<'E' > patch.py\nprint(1)\nE"), Ran("python patch.py"),
     PASSES], []),
    ("a piece of code", [FAILS, Ran("python -c 'import shutil; shutil.move(1, 2)'"), PASSES], []),
    ("what destroys is nobody's advice", [FAILS, Ran("rm -rf build"), Ran("git reset --hard"), PASSES], []),
    ("looking, checking and committing", [FAILS, Ran("cat app.py"), Ran("mypy app.py"), Ran("git add -A"),
     Ran("git commit -m x"), PASSES], []),
    ("too much was done", [FAILS, *[Ran(f"make part{n}") for n in range(9)], PASSES], []),
    ("what was about another failure", [FAILS, Ran("cargo build", 101, "error[E0425]: cannot find value `x`"),
     Ran("rustup update"), Ran("cargo build"), Ran("pip install orjson"), PASSES],
     [("prepared", ("pip install orjson",))]),
    ("nothing was done", [FAILS, PASSES], []),
    ("an option in the midst", [Ran("npm install left-pad", 1, "npm error code ERESOLVE unable to resolve"),
     Ran("npm install --legacy-peer-deps left-pad")],
     [("corrected", ("in the command, `install --legacy-peer-deps` in place of `install`",))]),
    ("in one line with what had failed", [FAILS, Ran("pip install orjson && python app.py")],
     [("prepared", ("pip install orjson",))]),
    ("a part of what failed passes", [Ran("pytest tests", 1, ASSERT), Ran("pytest tests/test_user.py")], []),
    ("another program", [Ran("python -m pytest tests/test_cart.py", 1, "python: No module named pytest"),
     Ran("python tests/test_cart.py")], []),
    ("an option that skips what failed", [Ran("mvn package", 1, "[ERROR] There are test failures."),
     Ran("mvn package -DskipTests")], []),
    ("the same tool at something else",
     [Ran("django-admin shop", 1, MISSING), Ran("django-admin other"), Ran("django-admin shop")], []),
    ("a file that the failure does not name is taken back", [FAILS, Ran("git checkout src/cart.py"), PASSES], []),
    ("what somebody may have chosen", [FAILS, Ran("curl -sSf https://example.com/x | sh"),
     Ran("pip install git+https://example.com/x"), Ran("chmod -R 777 ."), PASSES], []),
    ("a way to run what lies elsewhere", [Ran("npm run build", 1, "sh: 1: vite: not found"),
     Ran("PATH=/tmp/bin:$PATH npm run build")], []),
    ("what the session does all the time",
     [Ran("npm install"), Ran("ls"), Ran("npm install"), Ran("npm install"), FAILS, Ran("npm install"), PASSES], []),
    ("the folder made before", [Ran("touch app/__init__.py", 1,
     "touch: cannot touch 'app/__init__.py': No such file or directory"),
     Ran("mkdir app && touch app/__init__.py")], [("prepared", ("mkdir -p app",))]),
    ("a folder that the failure does not name", [FAILS, Ran("mkdir -p build"), PASSES], []),
    ("a program that is run for what it says", [FAILS, Ran("django-admin greet --loud"), PASSES], []),
    ("a linter is about the files that it names",
     [Ran("bun run lint", 1, LINT), Edited("src/user.ts", "a = 1", "b = 1"), Ran("bun run lint")], []),
    ("what is not there is about no other file", [
     Ran("python run.py", 2, "python: can't open file '/home/x/run.py': [Errno 2] No such file or directory"),
     Edited("src/cart.py", "a = 1", "b = 1"), Ran("python run.py")], []),
    ("a word that only looks like one that was blamed", [
     Ran("bun run test", 1, "error: Cannot find module './a.test.ts'\nerror: script exited with code 1"),
     Ran("bun run lint")], []),
    ("by a pattern of sed", [Ran("pytest tests/test_cart.py", 1, ASSERT),
     Ran("sed -i 's/^return [0-9]*$/return 3/' src/cart.py"), Ran("pytest tests/test_cart.py")],
     [("edited", ("edit src/cart.py",))]),
    ("by sed, a line put before", [Ran("pytest tests/test_cart.py", 1, ASSERT),
     Ran("sed -i 's/^import os$/import os\\nimport re/' src/cart.py"), Ran("pytest tests/test_cart.py")],
     [("edited", ("edit src/cart.py: add `import re`",))]),
    ("a folder in one that the failure names", [FAILS, Ran("mkdir -p orjson/sub"), Ran("touch orjson/sub/__init__.py"),
     PASSES], []),
    ("what was moved is none of the failure's", [FAILS, Ran("mv notes.txt build/"), PASSES], []),
    ("another check is no correction, whatever a long output blames",
     [Ran("bun run test", 1, "error: Cannot find module 'react' in the test of the cart"), Ran("bun run lint")], []),
    ("the folder where a cd left the shell", [Ran("npm test", 1, NO_PACKAGE), Ran("cd web"),
     Ran("npm test", cwd=f"{CWD}/web")], [("corrected", ("in the command, `cd web &&` before it",))]),
    ("back in the folder above", [Ran("npm test", 1, NO_PACKAGE, cwd=f"{CWD}/web"), Ran("npm test")],
     [("corrected", ("in the command, `cd .. &&` before it",))]),
    ("an install in another folder", [FAILS, Ran("cd web && npm install"), PASSES],
     [("prepared", ("cd web && npm install",))]),
    ("an install where a cd left the shell", [FAILS, Ran("npm install", cwd=f"{CWD}/web"), PASSES],
     [("prepared", ("cd web && npm install",))]),
    ("an install of a package, wherever", [FAILS, Ran("cd web && pip install orjson"), PASSES],
     [("prepared", ("pip install orjson",))]),
    ("a variable for its line", [FAILS, Ran("export MODE=dev && python app.py")],
     [("corrected", ("in the command, `export MODE=dev &&` before it",))]),
    ("an environment for its line", [FAILS, Ran("source ~/.nvm/nvm.sh && nvm use 20 && python app.py")],
     [("corrected", ("in the command, `source ~/.nvm/nvm.sh && nvm use 20 &&` before it",))]),
    ("what somebody may have chosen, for its line",
     [FAILS, Ran("source <(curl -s https://example.com) && python app.py")], []),
    ("another runner", [Ran("python -m pytest -x", 1, "/usr/bin/python: No module named pytest"),
     Ran("poetry run pytest -x")], [("corrected", ("in the command, `poetry run` in place of `python -m`",))]),
    ("an environment made for it", [Ran("pip install -r a.txt", 1, "error: externally-managed-environment"),
     Ran("python3 -m venv .venv && .venv/bin/pip install -r a.txt")],
     [("prepared", ("python3 -m venv .venv", "in the command, `.venv/bin/pip` in place of `pip`"))]),
    ("a file that lies elsewhere", [Ran("npx vitest run src/cart.test.ts", 1, NO_TESTS),
     Ran("npx vitest run tests/cart.test.ts")],
     [("corrected", ("in the command, `tests/cart.test.ts` in place of `src/cart.test.ts`",))]),
    ("a script that lies elsewhere", [Ran("node server.js", 1, "Error: Cannot find module '/srv/shop/server.js'"),
     Ran("node src/server.js")], [("corrected", ("in the command, `src/server.js` in place of `server.js`",))]),
    ("a module, not a file", [Ran("python app/main.py", 1, MISSING.replace("orjson", "app")),
     Ran("python -m app.main")], [("corrected", ("in the command, `-m app.main` in place of `app/main.py`",))]),
    ("a target that is written otherwise", [Ran("make tests", 2, "make: *** No rule to make target 'tests'.  Stop."),
     Ran("make test")], [("corrected", ("in the command, `test` in place of `tests`",))]),
    ("an option that has another name now", [Ran("npx jest --testPathPattern=cart", 1,
     'Unrecognized option "testPathPattern". Did you mean "testPathPatterns"?'),
     Ran("npx jest --testPathPatterns=cart")],
     [("corrected", ("in the command, `--testPathPatterns` in place of `--testPathPattern`",))]),
    ("a hook that is left out", [Ran("git commit -m x", 1, "mypy....Failed\n- hook id: mypy"),
     Ran("SKIP=mypy git commit -m x")], []),
    ("told in more words", [Ran("pytest tests", 1, ASSERT), Ran("pytest tests -v")], []),
    ("an edit that git took back", [Ran("pytest tests/test_cart.py", 1, ASSERT),
     Edited("src/cart.py", "a = 1", "a = 2"), Ran("git checkout src/cart.py"), Ran("pytest tests/test_cart.py")], []),
    ("an edit that was put away", [Ran("pytest tests/test_cart.py", 1, ASSERT),
     Edited("src/cart.py", "a = 1", "a = 2"), Ran("git stash"), Ran("pytest tests/test_cart.py")], []),
    ("an edit there and back", [Ran("pytest tests/test_cart.py", 1, ASSERT), Edited("src/cart.py", "a = 1", "a = 2"),
     Edited("src/cart.py", "a = 2", "a = 1"), Ran("pytest tests/test_cart.py")], []),
    ("a test that git moved away", [Ran("pytest tests", 1, ASSERT), Ran("git mv tests/test_cart.py tests/old.py"),
     Ran("pytest tests")], []),
    ("a pipe hides that it failed",
     [FAILS, Ran("pip install ujson | tail -1", 0, "ERROR: No matching distribution found for ujson"), PASSES], []),
    ("mistyped first, with the options that it wanted", [FAILS, Ran("pip install orjson", 1,
     "error: externally-managed-environment"), Ran("pip install -q --user orjson"), PASSES],
     [("prepared", ("pip install -q --user orjson",))]),
    ("another context of the same tool", [Ran("kubectl apply -f k8s/", 1,
     "The connection to the server localhost:8080 was refused - did you specify the right host or port?"),
     Ran("kubectl config use-context staging"), Ran("kubectl apply -f k8s/")],
     [("prepared", ("kubectl config use-context staging",))]),
    ("a command beside an edit, until a test is content", [Ran("pytest tests/test_cart.py", 1, ASSERT),
     Edited("src/cart.py", "a\nb\nc\nd", "e\nf\ng\nh"), Ran("npm run build"), Ran("pytest tests/test_cart.py")],
     [("edited", ("edit src/cart.py",))]),
    ("a command alone, until a test is content", [Ran("pytest tests/test_cart.py", 1, ASSERT), Ran("npm run build"),
     Ran("pytest tests/test_cart.py")], [("prepared", ("npm run build",))]),
    ("an edit and what it calls for", [FAILS, Edited("setup.py", "[]", "['orjson']"), Ran("pip install -e ."), PASSES],
     [("prepared", ("pip install -e .",)), ("edited", ("edit setup.py: `['orjson']` in place of `[]`",))]),
    ("a formatter where nobody spoke of style", [FAILS, Ran("black src"), Ran("npx prettier --write ."), PASSES], []),
    ("a cd into the folder in which the shell was", [Ran("cd web && npm test", 1,
     "bash: line 1: cd: web: No such file or directory", f"{CWD}/web"), Ran("npm test", cwd=f"{CWD}/web")],
     [("corrected", ("in the command, without `cd web &&`",))]),
    ("an install for a script that is fed to it", [Ran("python - <<'E'\nimport orjson\nE", 1, MISSING),
     Ran("pip install orjson"), Ran("python - <<'E'\nimport orjson\nE")], [("prepared", ("pip install orjson",))]),
    ("what is left to remove is no failure", [Ran("rm a.log && python app.py", 1,
     "rm: cannot remove 'a.log': No such file or directory"), Ran("pip install -e ."), PASSES], []),
]  # fmt: skip


LEFT_OUT = [
    ("mvn package", "-Dmaven.test.skip=true"),
    ("go test ./...", "-short"),
    ("gradle build", "-x test"),
    ("pytest tests", "--deselect tests/test_cart.py"),
    ("cargo test", "--exclude cart"),
    ("ruff check .", "--exit-zero"),
]


@pytest.mark.parametrize(("command", "option"), LEFT_OUT)
def test_what_leaves_the_failure_out_is_no_fix(command: str, option: str) -> None:
    assert helped([Ran(command, 1, ASSERT), Ran(f"{command} {option}")]) == []


@pytest.mark.parametrize(("deeds", "expected"), [row[1:] for row in REMEDIES], ids=[row[0] for row in REMEDIES])
def test_what_of_it_mattered(deeds: list[Deed], expected: list[tuple[str, tuple[str, ...]]]) -> None:
    assert helped(deeds) == expected


def test_what_began_before_the_failure_was_known_did_not_help() -> None:
    """Calls that run side by side end one after the other."""
    done = calls([FAILS, Ran("pip install orjson"), PASSES])
    beside = [done[0], done[1]._replace(started=done[0].time - 9_000_000), done[2]]
    found = episodes(beside)
    assert remedies(done, found[0], found, frozenset())
    assert not remedies(beside, found[0], found, frozenset())


def test_what_was_tried_in_vain_is_told_as_that() -> None:
    done = calls([FAILS, Ran("pip install ujson"), FAILS])
    found = episodes(done)
    assert [each.steps for each in tried(done, found[0], found, made_by(done))] == [("pip install ujson",)]
    assert not remedies(done, found[0], found, made_by(done))
