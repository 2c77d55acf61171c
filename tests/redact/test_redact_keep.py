"""What may be kept of a tool call, and the command that tries it out."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from engrain.cli import main
from engrain.redact.keep import IGNORED, REDACTED, SENSITIVE, hashed, kept
from tests.redact.redact_fakes import PASSWORD, PROVIDED

SECRET, BODY = PROVIDED[0][1], "CONTENT-OF-THE-FILE"

CALLS: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("read a .env", {"file_path": "/w/.env"}, SENSITIVE),
    ("write a .env", {"file_path": "/w/.env", "content": BODY}, SENSITIVE),
    ("edit a key", {"file_path": "/w/id_rsa", "old_string": BODY, "new_string": BODY}, SENSITIVE),
    ("several edits", {"edits": [{"path": "/w/.npmrc", "text": BODY}]}, SENSITIVE),
    ("cat", {"command": "cat .env"}, SENSITIVE),
    ("cat with a folder", {"command": "cd /w && cat ./config/.env.local | head"}, SENSITIVE),
    ("credentials", {"command": "cat ~/.aws/credentials"}, SENSITIVE),
    ("quoted", {"command": "grep KEY '/w/.env'"}, SENSITIVE),
    ("in another shell", {"command": "bash -c 'cat .env; ls'"}, SENSITIVE),
    ("redirected", {"command": f"echo {BODY} > .env"}, SENSITIVE),
    ("redirected without a space", {"command": f"echo {BODY} >>.env"}, SENSITIVE),
    ("heredoc", {"command": f"cat > .env <<'EOF'\nKEY={BODY}\nEOF"}, SENSITIVE),
    ("copied to a host", {"command": "scp host:/srv/app/.env ."}, SENSITIVE),
    ("sent", {"command": "curl -F file=@.env https://x.example"}, SENSITIVE),
    ("only loaded", {"command": "docker run --env-file=.env x"}, REDACTED),
    ("of another commit", {"command": "git show HEAD:.env"}, SENSITIVE),
    ("a patch", {"command": f"*** Begin Patch\n*** Update File: .env\n+KEY={BODY}\n*** End Patch"}, SENSITIVE),
    ("PowerShell", {"command": "Get-Content C:\\app\\.env"}, SENSITIVE),
    ("printenv", {"command": "printenv"}, SENSITIVE),
    ("env and sort", {"command": "cd /w; env | sort"}, SENSITIVE),
    ("export", {"command": "export -p"}, SENSITIVE),
    ("a token of a tool", {"command": "gh auth token"}, SENSITIVE),
    ("Kubernetes", {"command": "kubectl get secret db -o yaml"}, SENSITIVE),
    ("read an ignored file", {"file_path": "/w/dist/app.js", "content": BODY}, IGNORED),
    ("cat an ignored file", {"command": "cat dist/app.js"}, IGNORED),
    ("read source", {"file_path": "/w/src/app.js", "content": BODY}, REDACTED),
    ("a sample", {"file_path": "/w/.env.example"}, REDACTED),
    ("env for a command", {"command": "env FOO=1 make test"}, REDACTED),
    ("setup", {"command": "npm set progress=false && setup.sh"}, REDACTED),
    ("nothing", {}, REDACTED),
)


def dist(path: str) -> bool:
    return "dist/" in path


@pytest.mark.parametrize(("label", "given", "level"), CALLS, ids=[row[0] for row in CALLS])
def test_tool_calls(label: str, given: dict[str, Any], level: str) -> None:
    done = kept(given, {"stdout": f"OUTPUT {BODY} {SECRET}"}, ignored=dist)
    text = json.dumps([done.input, done.output])
    assert done.level == level
    assert SECRET not in text
    if level == SENSITIVE:
        assert BODY not in text
        assert ".env" not in text
        assert done.output is None
        assert done.reason
    if level == IGNORED:
        assert BODY not in text
        assert "size" in text
    if level == REDACTED:
        assert BODY in text
        assert done.found == {"aws-key-id": 1}


TELLING = """
env; /usr/bin/env; env -0 -u HOME; A=b env | sort; sudo -u app env; bash -lc "env"; docker exec web env
declare -p; ps auxe; node -p "process.env"; python3 -c "print(dict(os.environ))"; ruby -e 'puts ENV.to_h'
php -r 'print_r($_ENV);'; python -c "print(os.environ['API_TOKEN'])"
python manage.py shell -c "print(settings.SECRET_KEY)"; cmd /c set; docker inspect web
docker inspect -f '{{.Config.Env}}' web; echo "$DB_PASSWORD"; echo ${GITHUB_TOKEN}; $env:API_KEY; ls env:
kubectl -n shop get secret db -o yaml; aws --profile p configure get aws_secret_access_key
terraform -chdir=infra output; gh auth status --show-token; npm config get //registry.npmjs.org/:_authToken
helm -n x get values shop; oc whoami -t; gcloud secrets versions access latest --secret=x
az storage account keys list; bin/rails credentials:show; tofu output; T=$(gh auth token) make
git push "$(vault kv get -field=url x)"; ssh web 'printenv'; kubectl exec pod -- printenv
"""

QUIET = """
env FOO=1 pytest; env -i PATH=/bin make; make env; set -euo pipefail; export FOO=bar; npm run export
conda env list; go env; docker ps; docker inspect --format '{{.State.Status}}' web; kubectl get pods
gh auth status; echo $PATH; echo "$HOME/x"; git checkout -- env; grep -rn printenv src
git commit -m "print env"; ps aux; python -c "os.environ['A'] = '1'"; python -c "print(config.debug)"
node -p "process.env.NODE_ENV"; aws configure list; terraform plan; typeset -f prompt
"""


def parts(text: str) -> list[str]:
    return [part for line in text.strip().split("\n") for part in line.split("; ")]


@pytest.mark.parametrize("command", parts(TELLING))
def test_commands_whose_answer_is_made_of_secrets(command: str) -> None:
    assert kept({"command": command}, BODY).output is None


@pytest.mark.parametrize("command", parts(QUIET))
def test_commands_that_only_look_like_it(command: str) -> None:
    assert kept({"command": command}, "an answer").output == "an answer"


def test_the_input_is_redacted_and_homeless() -> None:
    done = kept({"command": f"deploy --password {PASSWORD} /home/alice/x"}, "done in /home/alice/x")
    assert done.input == {"command": "deploy --password «redacted:password» ~/x"}
    assert done.output == "done in ~/x"


def test_a_diff_is_shown_without_its_sensitive_files() -> None:
    shown = [f"diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n@@\n+{name}\n" for name in ("a.py", "z.py")]
    hidden = f"diff --git a/w/.env b/w/.env\n--- a/w/.env\n+++ b/w/.env\n@@\n+{BODY}\n"
    done = kept({"command": "git show"}, {"stdout": "commit 1\n" + shown[0] + hidden + shown[1]})
    assert done.output["stdout"] == f"commit 1\n{shown[0]}diff --git of {hashed('w/.env')}, an unshown file\n{shown[1]}"
    assert kept({}, done.output).output == done.output


FOUND = [
    ("grep -rn K .", "./a.py:1:K = 1\n./w/.env:2:{b}\n./w/.env-3-{b}\n./b.py:9:K", "./a.py:1:K = 1\n{h}\n./b.py:9:K"),
    ("rg -uu K", "a.py:1:K\nout/x.log:{b}\nb.py:2:K", "a.py:1:K\nout/x.log, an unshown file\nb.py:2:K"),
    ("rg --heading K", "a.py\n1:K\n\nw/.env\n1:{b}\n2-{b}\n\nb.py\n3:K", "a.py\n1:K\n\n{h}\n\nb.py\n3:K"),
    (
        "head -2 *",
        "==> a.py <==\nK\n\n==> w/.env <==\n{b}\n{b}\n==> b.py <==\nK",
        "==> a.py <==\nK\n\n{h}\n==> b.py <==\nK",
    ),
    ("git grep K v1", "a.py:K\nw/.env:{b}", "a.py:K\n{h}"),
    ("make", "out/x.log:1: no file\nw/.env:1: no", "out/x.log:1: no file\nw/.env:1: no"),
]


@pytest.mark.parametrize(("command", "output", "left"), FOUND, ids=[row[0] for row in FOUND])
def test_a_search_is_shown_without_the_files_that_it_should_not_show(command: str, output: str, left: str) -> None:
    done = kept({"command": command}, {"stdout": output.format(b=BODY)}, ignored=lambda path: path[:4] == "out/")
    text = done.output["stdout"]
    assert BODY not in text
    shown = [line if line[:5] != "path:" else "{h}" for line in text.splitlines()]
    assert shown == left.splitlines()
    assert kept({"command": command}, done.output, ignored=lambda path: path[:4] == "out/").output == done.output


def test_a_search_by_a_tool_of_its_own() -> None:
    done = kept({"pattern": "K", "path": "w"}, {"content": f"w/.env:1:{BODY}\nw/a.py:1:K", "numFiles": 2})
    assert BODY not in str(done.output)
    assert done.output["content"].endswith("\nw/a.py:1:K")


def test_a_path_is_one_hash() -> None:
    assert hashed("/w/.env") == hashed("/w/./.env") != hashed("/v/.env")
    assert "env" not in hashed("/w/.env")
    assert kept({"file_path": "/w/.env"}, "").input == {"file_path": hashed("/w/.env")}


def run(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, given: bytes, *words: str
) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given)))
    code = main(["redact", *words])
    out, err = capfd.readouterr()
    return code, out, err


def test_redact_passes_text_through(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, err = run(capfd, monkeypatch, f"a\npassword={PASSWORD}\n".encode())
    assert (code, out, err) == (0, "a\npassword=«redacted:password»\n", "")


def test_redact_reads_a_file(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: str) -> None:
    file = f"{tmp_path}/big.log"
    with open(file, "w", encoding="utf-8") as opened:
        for number in range(20_000):
            opened.write(f"line {number} password={PASSWORD}\n")
    code, out, _ = run(capfd, monkeypatch, b"", file)
    assert code == 0
    assert out.count("«redacted:password»\n") == 20_000
    assert PASSWORD not in out


def test_redact_jsonl(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    given = json.dumps({"text": f"password={PASSWORD}", "id": 1}) + "\n\n" + json.dumps({"text": "plain"})
    code, out, _ = run(capfd, monkeypatch, given.encode(), "--jsonl")
    assert code == 0
    assert [json.loads(line) for line in out.splitlines()] == [
        {"text": "password=«redacted:password»", "found": [{"rule": "password", "count": 1}]},
        {"text": "plain", "found": []},
    ]


def test_redact_json(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, _ = run(capfd, monkeypatch, SECRET.encode(), "--json")
    assert (code, json.loads(out)["found"]) == (0, [{"rule": "aws-key-id", "count": 1}])


@pytest.mark.parametrize("given", [b"no json\n", b"[1]\n", b'{"text": 1}\n', b"[" * 100_000, b'\xff"\n'])
def test_bad_lines_are_one_line(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, given: bytes
) -> None:
    code, out, err = run(capfd, monkeypatch, given, "--jsonl")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "line 1" in err


def test_a_missing_file_is_one_line(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    code, _, err = run(capfd, monkeypatch, b"", "/nowhere/x.log")
    assert code != 0
    assert err.count("\n") == 1
