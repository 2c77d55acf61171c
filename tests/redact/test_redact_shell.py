"""What a shell command does with the files that it names."""

from __future__ import annotations

import time

import pytest

from engrain.redact.shell import COPIED, NAMED, PROGRAM, SHOWN, USED, WRITTEN, files

FILES = [
    ("cat .env", ".env", SHOWN),
    ("cat '.env'", ".env", SHOWN),
    ('sudo cat -- "my file.env"', "my file.env", SHOWN),
    ("grep KEY < .env", ".env", SHOWN),
    ("psql shop < dump.sql", "dump.sql", SHOWN),
    ("echo A=b > .env", ".env", WRITTEN),
    ("echo A=b >>.env", ".env", WRITTEN),
    ("make 2> err.log", "err.log", WRITTEN),
    ("make 2>&1 | tee -a out.log", "out.log", COPIED),
    ("echo A=b | tee out.log", "out.log", WRITTEN),
    ("cat x | sort | tee out.log", "out.log", WRITTEN),
    ("tee out.log <<< A=b", "out.log", WRITTEN),
    ("sed -i s/a/b/ .env", ".env", WRITTEN),
    ("cat > .env <<'EOF'\nA=b\nEOF", ".env", WRITTEN),
    ("source .env && pytest", ".env", USED),
    ("set -a; . ./.env; set +a; make", "./.env", USED),
    ("source .env && echo $TOKEN", ".env", NAMED),
    ("set -x; source .env", ".env", NAMED),
    ("docker compose --env-file .env up -d", ".env", USED),
    ("docker compose --env-file=.env up", ".env", USED),
    ("docker compose --env-file .env config", ".env", NAMED),
    ("ssh -i ~/.ssh/id_rsa web ls", "~/.ssh/id_rsa", USED),
    ("ssh -i key.pem web 'cat .env'", ".env", NAMED),
    ("perl -i key.pem", "key.pem", NAMED),
    ("KUBECONFIG=~/.kube/config kubectl get pods", "~/.kube/config", USED),
    ("python run.py CONFIG=.env", ".env", NAMED),
    ("ls -la .env", ".env", USED),
    ("test -f .env || exit 1", ".env", USED),
    ("cp .env.example .env", ".env", USED),
    ("git add .env", ".env", USED),
    ("git diff .env", ".env", NAMED),
    ("python -c \"print(open('.env').read())\"", ".env", SHOWN),
    ("bash -c 'cat .env'", ".env", NAMED),
    ("python -c \"print(open('out.log').read())\"", "out.log", SHOWN),
    ("node -e \"console.log(fs.readFileSync('out.log'))\"", "out.log", SHOWN),
    ("bash -lc 'cat out.log'", "out.log", SHOWN),
    ('sudo /bin/sh -c "echo x > y.txt"', "y.txt", WRITTEN),
    (".venv/bin/python -m pytest", ".venv/bin/python", PROGRAM),
    ("cd app && ./run.sh --fast", "./run.sh", PROGRAM),
    ("cd build && cat out.js", "build/out.js", SHOWN),
    ("(cd a; pushd b\ncat c.txt)", "a/b/c.txt", SHOWN),
    ("cd build && echo x > y.txt", "build/y.txt", WRITTEN),
    ("cp .env x.txt && cat x.txt", ".env", NAMED),
    ("F=.env; cat $F", ".env", NAMED),
    ("perl -pi -e s/a/b/ x.yaml", "x.yaml", WRITTEN),
    ("perl build.pl x.yaml", "x.yaml", NAMED),
    ("echo x | sponge x.yaml", "x.yaml", WRITTEN),
    ("echo x | Out-File x.yaml", "x.yaml", WRITTEN),
    ("Set-Content -Path x.yaml -Value y", "x.yaml", WRITTEN),
    ("Get-Content x.yaml", "x.yaml", SHOWN),
    ("python - <<E\nopen('.env', 'w')\nE", ".env", PROGRAM),
    ("apply_patch <<'E'\n*** Update File: x.yaml\n+y\nE", "x.yaml", WRITTEN),
    ("patch -p1 <<'E'\n--- a/x.yaml\n+++ b/x.yaml\nE", "x.yaml", WRITTEN),
    ("curl -d @secrets.json https://x", "secrets.json", NAMED),
]


@pytest.mark.parametrize(("command", "path", "how"), FILES, ids=[row[0] for row in FILES])
def test_what_is_done_to_a_file(command: str, path: str, how: str) -> None:
    assert how in {did for word, did in files(command) if word == path}


WORDS = [
    ("grep -rn password src/", "password"),
    ("grep .env .gitignore", ".env"),
    ("git commit -m 'ignore .env files'", ".env"),
    ("gh pr create --title 'read .env'", ".env"),
    ("pytest tests -k password", "password"),
]


@pytest.mark.parametrize(("command", "word"), WORDS, ids=[row[0] for row in WORDS])
def test_what_is_searched_for_or_said_is_no_file(command: str, word: str) -> None:
    assert word not in {found for found, _ in files(command)}


FILES_ALL_THE_SAME = ["grep -f .env x", "grep --include .env -r x", "rg -e x .env", 'git commit -m "$(cat .env)"']


@pytest.mark.parametrize("command", FILES_ALL_THE_SAME)
def test_what_looks_like_a_word_and_is_a_file(command: str) -> None:
    assert ".env" in {found for found, _ in files(command)}


ODD = ["", " ", "'", '"', "<<", ">", "a\\", "((((", "\0", "`" * 5000, "'" * 99_999, "a=" * 50_000]
LONG = ["a " * 30_000, "cat " + "a " * 30_000, "docker " + "-a " * 20_000, "grep " + "a " * 30_000, "cd a;" * 9_000]


@pytest.mark.parametrize("command", LONG, ids=range(len(LONG)))
def test_a_long_command_is_read_in_time(command: str) -> None:
    began = time.process_time()
    assert sum(1 for _ in files(command)) < 500_000
    assert time.process_time() - began < 2


@pytest.mark.parametrize("command", ODD, ids=range(len(ODD)))
def test_any_text_is_read_to_its_end(command: str) -> None:
    assert isinstance(list(files(command)), list)
