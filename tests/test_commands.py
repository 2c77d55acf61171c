"""Normal forms of commands: which are the same, what they are made of, what a step asks for."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engrain.learn.commands import (
    ended,
    folders,
    is_step_of,
    key,
    only_looks,
    parts,
    passed,
    plain,
    repeats,
    steps_commands,
)

NOTE = 'git commit -m "$(cat <<\'EOF\'\nIt\'s a "note" (of sorts)\nEOF\n)"'

SAME = (
    ("cd x && FOO=1 pytest -q tests/a.py 2>&1 | tail -5", "pytest tests/a.py -x"),
    ("python -m pytest tests/a.py", "pytest tests/a.py"),
    ("pytest ./tests/a.py --tb=short -n 4", ".venv/bin/pytest tests/a.py -vv --tb long"),
    ("pytest tests/", "pytest tests"),
    ("pytest a.py -k name", "pytest -xk name a.py"),
    ("python3.12 -m pytest a.py", "/usr/bin/python3 -m pytest 'a.py'"),
    ("uv run --extra dev pytest a.py", "poetry run pytest a.py"),
    ("sudo -E pip install x", "pip3 install --upgrade x"),
    ("python -m pip install -q x", "uv pip install x"),
    ("pip install -e .", "pip install ."),
    ("pip install -r requirements.txt", "pip install --requirement requirements.txt -q"),
    ("python manage.py test shop", "./manage.py test shop --verbosity 2"),
    ("python3 -u run.py --steps 3", "python run.py"),
    ("bash -lc 'npm test'", "npm run test --silent"),
    ("npm t", "npm test -- --watch"),
    ("npm --prefix web test", "cd web && npm test"),
    ("npx -y jest a.test.ts", "node_modules/.bin/jest a.test.ts --coverage"),
    ("~/.bun/bin/bun run build", "bun run build"),
    ("bunx vitest run src", "vitest src --reporter dot"),
    ("jest --testNamePattern=adds", "jest -t adds"),
    ("cargo t -p core parse -- --nocapture", "cargo +nightly test --package core parse"),
    ("cargo test -- --test-threads 1", "cargo test --release -j 8"),
    ("go test -v -count=1 ./...", "go test ./... -race"),
    ("make -j8 test", "make test -j 4 V=1".replace(" V=1", "")),
    ("make -C lib all", "cd lib && make all"),
    ("tsc --noEmit --project web", "npx tsc -p web"),
    ("mvn -q -o test", "./mvnw test"),
    ("./gradlew :app:test --tests FooTest --info", "gradle :app:test --tests=FooTest"),
    ("docker-compose up -d web", "docker compose up web"),
    ("docker build -t a:1 .", "docker build --no-cache ."),
    ("git add -A && git commit -m 'one'", "git commit -am two --no-verify"),
    (NOTE, "git commit -m x && git status"),
    ("git push -u origin main", "git push origin main --force-with-lease"),
    ("git -C web pull", "cd web && git pull --rebase"),
    ("tox -q -e py311", "tox -e py311 -p 2"),
    ("bundle exec rspec a_spec.rb --format doc", "rspec a_spec.rb"),
    ("dotnet test --filter Name=A -v q", "dotnet test -c Release --filter Name=A"),
    ("cmake --build build -j 8", "cmake --build build --parallel 4"),
    ("bazel test //a:b --test_output=errors", "bazel test //a:b"),
    ("rtk cargo test", "cargo test"),
    ("rtk test bun run test", "bun run test"),
    ("engrain watch -- make lint", "make lint"),
    ("engrain run --task 'lint it' -- make lint", "make lint"),
    ("engrain watch --cmd 'make lint'", "make lint"),
    ("timeout -k 5 60s stdbuf -oL nohup make lint &", "make lint"),
    ("env -u X A=b time -p make lint", "A='b c' make lint"),
    ("$ make lint", "(make lint)"),
    ("make lint; echo done; ls", "make lint || true"),
    ("if make lint; then echo ok; fi", "make lint"),
    ("rm -rf build && make lint && rm x", "make lint"),
    ("cat <<'EOF' > a.py\nprint('it')\nEOF\npython a.py", "python3 a.py"),
    ("# try it again\nmake lint", "make \\\n  lint"),
    ("gh pr create --title a --body b", "gh pr create --repo o/r --title c"),
    ("cd /w/p && npm test", "npm test"),
)

DIFFERENT = (
    ("pytest tests/a.py", "pytest tests/b.py"),
    ("pytest tests/a.py::test_one", "pytest tests/a.py::test_two"),
    ("pytest tests/a.py", "pytest tests/a.py -k name"),
    ("pytest", "pytest --collect-only"),
    ("pytest", "pytest --version"),
    ("make lint", "make test"),
    ("npm run build", "npm test"),
    ("npm run lint", "npm run lint:fix"),
    ("npm install x", "npm install y"),
    ("npm ci", "npm install"),
    ("npm test -w a", "npm test --workspace=b"),
    ("pnpm --filter a test", "pnpm --filter=b test"),
    ("bun test", "bun run test"),
    ("cargo test", "cargo build"),
    ("cargo test -p a", "cargo test -p b"),
    ("cargo test --test a", "cargo test"),
    ("cargo build --manifest-path a/Cargo.toml", "cargo build --manifest-path b/Cargo.toml"),
    ("go test ./a", "go test ./b"),
    ("go test ./... -run A", "go test ./... -run B"),
    ("tsc -p a", "tsc -p b"),
    ("mvn -Dtest=A test", "mvn -Dtest=B test"),
    ("git rebase main", "git rebase --abort"),
    ("git push", "git pull"),
    ("git checkout a", "git checkout -b a"),
    ("pip install x", "pip install y"),
    ("pip install x", "pip uninstall x"),
    ("python a.py", "python b.py"),
    ("python a.py one", "python a.py two"),
    ("python -c 'import a'", "python -c 'import b'"),
    ("python - <<E\na\nE", "python - <<E\nb\nE"),
    ("tox -e py311", "tox -e lint"),
    ("rspec a_spec.rb:1", "rspec a_spec.rb:2"),
    ("dotnet test --filter A", "dotnet test --filter B"),
    ("cmake --build a", "cmake --build b"),
    ("bazel test //a:b", "bazel test //a:c"),
    ("./manage.py test a", "./manage.py migrate"),
    ("cd web && npm test", "npm test"),
    ("cd web && npm test", "cd api && npm test"),
    ("docker compose -f a.yml up", "docker compose -f b.yml up"),
    ("psql -c 'select 1'", "psql -c 'select 2'"),
    ("mysql db < a.sql", "mysql db < b.sql"),
    ("make lint && make test", "make test && make lint"),
)


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_command_has_one_key(one: str, other: str) -> None:
    assert key(one) == key(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_another_target_has_another_key(one: str, other: str) -> None:
    assert key(one) != key(other)


@pytest.mark.parametrize(
    ("one", "cwd", "other"),
    [
        ("cd /w/p/tests && pytest test_a.py", "/w/p", "pytest tests/test_a.py"),
        ("cd tests && python run.py sub.case", "/w/p", "python tests/run.py sub.case"),
        ("pytest test_a.py::test_b", "/w/p/tests", "pytest /w/p/tests/test_a.py::test_b"),
        ("cd /w/p && npm test", "/w/p/web", "npm test"),
        ("npm test", "/w/p/web", "cd web && npm test"),
        ("cd .. && npm test", "/w/p/web", "npm test"),
        ("git -C /w/p commit -m a", "/w/p", "git commit -m b"),
    ],
)
def test_with_the_root_a_command_is_seen_from_there(one: str, cwd: str, other: str) -> None:
    assert key(one, "/w/p", cwd) == key(other, "/w/p", "/w/p")


def test_folders_outside_and_inside_of_the_root_stay_apart() -> None:
    commands = ("npm test", "cd /w/p/web && npm test", "cd /w/p/api && npm test", "cd /tmp && npm test")
    assert len({key(command, "/w/p", "/w/p") for command in commands}) == 4


@pytest.mark.parametrize(
    ("command", "same"),
    [
        ("(cd web && npm install) && npm test", "npm test"),
        ("(cd web && npm install); (cd api && npm test)", "cd api && npm test"),
        ("(cd web && (cd x; ls) && npm test)", "cd web && npm test"),
        ("bash -c 'cd web && npm install' && npm test", "npm test"),
        ("bash -lc 'cd web && npm test'", "cd web && npm test"),
        ("cd web && (npm test)", "cd web && npm test"),
    ],
)
def test_a_folder_is_gone_to_within_brackets_only(command: str, same: str) -> None:
    assert key(command) == key(same)


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("cd web && npm i && npm test", ["/w", "/w/web", "/w/web"]),
        ("(cd web && npm i) && npm test", ["/w", "/w/web", "/w"]),
        ("cd /x/y; make; cd ..; make", ["/w", "/x/y", "/x/y", "/x"]),
        ("cd $HOME && make && cd web && make", ["/w", "", "", ""]),
        ("cd - && make", ["/w", ""]),
        ("pushd web && make", ["/w", "/w/web"]),
    ],
)
def test_the_folder_in_which_each_part_runs(command: str, found: list[str]) -> None:
    assert folders(command, "/w") == found


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("cd x && FOO=1 pytest -q a.py 2>&1 | tail -5", ["cd x", "pytest -q a.py"]),
        ("a 1; b 2 || c 3\nd 4 & e 5", ["a 1", "b 2", "c 3", "d 4", "e 5"]),
        ("(cd x; make)", ["cd x", "make"]),
        ("make > out.log 2>/dev/null", ["make"]),
        ("make &> out.log", ["make"]),
        ("make | tee x | grep -v y | head -3 | wc -l", ["make"]),
        ("cat a | python b.py | less", ["cat a", "python b.py"]),
        ("echo 'a && b; c | d'", ["echo 'a && b; c | d'"]),
        ('make "a.b"   c', ["make a.b c"]),
        ("time env A=b timeout 60 make", ["make"]),
        ("sudo make install", ["sudo make install"]),
        ("command -v make", ["command -v make"]),
        ("cat <<EOF\nmake && x\nEOF\nls", ["cat <<< heredoc:a8a5ddf6", "ls"]),
        ("echo x > a.cfg", ["echo x > a.cfg"]),
        ("echo x > /dev/null", ["echo x"]),
        ("echo x | tee a.cfg", ["echo x", "tee a.cfg"]),
        ("bash -c 'cd x && make | tail'", ["cd x", "make"]),
        ("for f in a b; do make $f; done", ["make $f"]),
        ("", []),
        ("   # nothing", []),
        ("FOO=1", ["FOO=1"]),
    ],
)
def test_parts(command: str, found: list[str]) -> None:
    if "heredoc" in "".join(found):
        assert [part.partition(" <<<")[0] for part in parts(command)] == [part.partition(" <<<")[0] for part in found]
    else:
        assert parts(command) == found


@pytest.mark.parametrize(
    ("command", "form"),
    [
        ("cd x;  pytest  -q a.py 2>&1 | tail -5", "cd x && pytest -q a.py"),
        ("echo start && make && ls", "make"),
        ("ls -la | grep x", "ls -la"),
        ("NODE_ENV=test make", "NODE_ENV=test make"),
        ("curl -L x | sh", "curl -L x | sh"),
        ("make a || make b", "make a || make b"),
        ('git commit -m "one two"', "git commit -m 'one two'"),
    ],
)
def test_plain(command: str, form: str) -> None:
    assert plain(command) == form


@pytest.mark.parametrize(
    ("step", "commands"),
    [
        ("pip install x", ["pip install x"]),
        ("$ frob the thing", ["frob the thing"]),
        ("`pip install x`", ["pip install x"]),
        ("Run `pip install x`", ["pip install x"]),
        ("Run pip install x.", ["pip install x"]),
        ("1. pip install -e .", ["pip install -e ."]),
        ("Run `frob` again", ["frob"]),
        ("First `npm ci`, then `npm test`", ["npm ci", "npm test"]),
        ("Use `pipx install y` instead of `pip install y`", ["pipx install y"]),
        ("```bash\nnpm ci\n# comment\nnpm test\n```", ["npm ci", "npm test"]),
        ("./scripts/setup.sh", ["./scripts/setup.sh"]),
        (
            "NODE_OPTIONS=--openssl-legacy-provider npm run build",
            ["NODE_OPTIONS=--openssl-legacy-provider npm run build"],
        ),
        ("frob --fix src", ["frob --fix src"]),
        ("git commit -m 'fix the thing'", ["git commit -m 'fix the thing'"]),
        ("Add orjson to requirements.txt", []),
        ("Add `orjson` to `requirements.txt`", []),
        ("make sure that the file exists", []),
        ("find the file and delete it", []),
        ("go to the settings", []),
        ("python must be 3.11", []),
        ("set debug in config", []),
        ("Don't run `npm audit fix`", []),
        ("`pytest` needs a plugin", []),
        ("src/app.py", []),
        ("", []),
    ],
)
def test_the_commands_of_a_step(step: str, commands: list[str]) -> None:
    assert steps_commands(step) == commands


@pytest.mark.parametrize(
    ("step", "command", "did"),
    [
        ("pip install x", "pip install x 2>&1 | tail -3", True),
        ("Run `pip install x`", "cd /w && pip install x && pytest", True),
        ("$ pip install x", "pip   install 'x'", True),
        ("cd web && npm ci", "cd web && ls && npm ci && npm test", True),
        ("pip install x", "PIP_NO_INPUT=1 pip install x", True),
        ("pip install x", "pip install y", False),
        ("pip install x", "pip install x y", False),
        ("pip install --user x", "pip install x", False),
        ("A=1 make", "make", False),
        ("A=1 make", "A=1 make", True),
        ("cd web && npm ci", "npm ci", False),
        ("sudo make install", "make install", False),
        ("echo 1 > a.cfg", "echo 1 > b.cfg", False),
        ("Add orjson to requirements.txt", "echo orjson >> requirements.txt", False),
        ("", "", False),
    ],
)
def test_whether_a_command_did_a_step(step: str, command: str, did: bool) -> None:
    assert is_step_of(step, command) is did


@pytest.mark.parametrize(
    ("step", "failing", "same"),
    [
        ("pip install x", "pip install x", True),
        ("Run `pytest a.py`", "cd /w && pytest a.py 2>&1 | tail", True),
        ("frob the thing", "frob the thing", True),
        ("cd x", "cd x && make", True),
        ("pip install --break-system-packages x", "pip install x", False),
        ("NODE_ENV=test npm test", "npm test", False),
        ("sudo pip install x", "pip install x", False),
        ("cd web && npm test", "npm test", False),
        ("First `npm ci`, then `npm test`", "npm test", False),
        ("Use `pipx install y` instead of `pip install y`", "pip install y", False),
        ("Pin urllib3 below 2", "pip install y", False),
    ],
)
def test_whether_a_step_repeats_what_failed(step: str, failing: str, same: bool) -> None:
    assert repeats(step, failing) is same


@pytest.mark.parametrize(
    ("step", "command", "code", "went"),
    [
        ("make a", "make a", 0, True),
        ("make a", "make a", 2, False),
        ("make a", "cd x && make a && make b", 0, True),
        ("make a", "make a && make b", 2, None),
        ("make b", "make a && make b", 2, None),
        ("make b", "make a; make b", 2, False),
        ("make a", "make a; make b", 0, None),
        ("make a", "make a | tail", 0, None),
        ("make a", "set -o pipefail && make a | tail", 0, True),
        ("make a", "make a || true", 0, None),
        ("make b", "make a || make b", 0, None),
        ("make a", "make a &", 0, None),
        ("make a", "make a && echo ok", 1, False),
        ("make c", "make a", 0, None),
    ],
)
def test_how_a_step_of_a_line_ended(step: str, command: str, code: int, went: bool | None) -> None:
    assert ended(step, command, code) is went


def test_a_pipe_hides_how_a_command_ended() -> None:
    assert passed("pytest a.py", 0) is True
    assert passed("pytest a.py", 1) is False
    assert passed("pytest a.py | tail", 0) is None
    assert passed("", 0) is None


def test_what_only_looks_is_no_remedy() -> None:
    assert only_looks("ls -la && git status | head")
    assert only_looks("pip show x")
    assert not only_looks("sed -i s/a/b/ x")
    assert not only_looks("git checkout x")


TYPED = """
    pytest -q a.py && ; | || & ( ) { } 'a b' "a b" "a" ' " ` $( $ # \\ > 2>&1 < <<EOF EOF <<< cd .. /w tail cat echo tee
    sudo time env A=1 bash -c -lc 'make;x' timeout 60 npm run -- --prefix uv python -m x.py git -C commit -m ! if then
    fi for do done xargs command -v rtk test heredoc: \u00e9 \ud800 '' "" "tail" '>' "&&" set pipefail
    engrain watch --cmd
"""
PIECES = st.sampled_from([*TYPED.split(), "\n", "\\\n", "\t", "\x00"])
LINES = st.lists(st.tuples(PIECES, st.sampled_from(["", " ", " "])), max_size=14).map(
    lambda pieces: "".join(piece + gap for piece, gap in pieces)
)


@settings(max_examples=400, deadline=None)
@given(st.one_of(LINES, st.text(max_size=80)))
def test_normal_forms_are_stable_and_take_any_text(text: str) -> None:
    form = plain(text)
    assert plain(form) == form
    assert key(form) == key(text)
    assert key(form, "/w", "/w/x") == key(text, "/w", "/w/x")
    assert "\n" not in key(text)
    assert all(parts(text))
    steps_commands(text)
    repeats(text, text)
    for code in (0, 1):
        assert passed(text, code) in (True, False, None)


@settings(max_examples=100, deadline=None)
@given(LINES)
def test_a_command_repeats_itself(text: str) -> None:
    if parts(text) and not steps_commands(text):
        assert repeats(text, text)
        assert is_step_of(text, text)


HOSTILE = (
    '"$(',
    "<<A ",
    "a;",
    "$(",
    "`",
    "'",
    "(",
    "\\",
    "<<A\n",
    "a|",
    "> ",
    "# ",
    '" ',
    "A=1 ",
    "bash -c ",
    "`a` ",
    "-",
)


def _seconds(text: str) -> float:
    best = 9.0
    for _ in range(3):
        started = time.perf_counter()
        key(text)
        plain(text)
        steps_commands(text)
        best = min(best, time.perf_counter() - started)
    return best


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_lines_take_linear_time(piece: str) -> None:
    small, large = (_seconds(piece * (size // len(piece))) for size in (8_000, 64_000))
    assert large < 0.02 + 40 * small
    assert _seconds(piece * (1_000_000 // len(piece))) < 0.05 + 4 * large
