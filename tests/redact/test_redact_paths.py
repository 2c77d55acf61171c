"""Sensitive files, ignored files, home folders."""

from __future__ import annotations

import os
import random
import subprocess
import time

import pytest

from engrain.redact.home import homeless
from engrain.redact.ignored import Ignored, find, global_file
from engrain.redact.sensitive import SENSITIVE, _told, sensitive

ROOT = "/" + "root"

HIDDEN = """
.env .env.local .env.production config/.env.test prod.env .envrc ~/.ssh/id_rsa ~/.ssh/id_ed25519 .ssh/config server.key
certs/server.pem key.p12 release.keystore Login.kdbx ~/.aws/credentials .aws/config ~/.kube/config kubeconfig.yaml
~/.config/gcloud/application_default_credentials.json my-service-account.json client_secret_123.json secrets.yaml
k8s/db-secret.yaml config/master.key config/credentials.yml.enc terraform.tfstate prod.tfvars .npmrc .pypirc ~/.netrc
.git-credentials ~/.docker/config.json ~/.pgpass .htpasswd ~/.cargo/credentials.toml /etc/shadow ~/.bash_history
wallet.dat credentials.json .vault-token ~/.gnupg/private-keys-v1.d/x.key ~/.config/gh/hosts.yml token.txt
C:\\Users\\me\\.aws\\credentials /proc/1/environ .ENV .dev.vars auth.json ~/.claude/.credentials.json
"""

SHOWN = """
.env.example .env.sample .env.template config/.env.dist README.md src/env.py environment.ts id_rsa.pub server.pub
known_hosts main.py tokens.py test_credentials.py secret_santa.py key.py keyboard.ts public.pem package.json
credentials.py src/auth/token.ts docs/secrets.md monkey.txt .gitignore .github/workflows/ci.yml passwords.go
"""


@pytest.mark.parametrize("path", HIDDEN.split())
def test_sensitive(path: str) -> None:
    assert sensitive(path)


@pytest.mark.parametrize("path", SHOWN.split())
def test_not_sensitive(path: str) -> None:
    assert sensitive(path) == ""


@pytest.mark.parametrize(
    "word", [".env*", ".en?", ".e*", ".[e]nv", "/w/{.env,x.py}", ".{env,npmrc}", "id_r*", "token.*", " .env\n"]
)
def test_a_word_that_a_shell_makes_a_sensitive_path_of(word: str) -> None:
    assert sensitive(word)


@pytest.mark.parametrize("word", ["*", "*.py", "src/*", "te?t.py", "{a,b}.ts", "**/*.json", "[a]", ".*", "build/**"])
def test_a_word_that_is_about_other_files(word: str) -> None:
    assert not sensitive(word)


def test_every_pattern_of_the_table_matches_what_it_says() -> None:
    for row in SENSITIVE:
        for pattern in row.patterns:
            path = pattern.replace("**", "a/b").replace("*", "x").replace("?", " ")
            assert sensitive(path), pattern
            assert pattern == pattern.lower()


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("/home/alice/x/y.py", "~/x/y.py"),
        ("/Users/alice/x", "~/x"),
        ("C:\\Users\\alice\\x", "~\\x"),
        ('{"p": "C:\\\\Users\\\\alice\\\\x"}', '{"p": "~\\\\x"}'),
        ("/c/Users/alice/x", "~/x"),
        (f"{ROOT}/x", "~/x"),
        (f"cd {ROOT} && ls", "cd ~ && ls"),
        ("see /home/alice, /home/bob/z:3", "see ~, ~/z:3"),
        ('File "/home/alice/app/main.py", line 3', 'File "~/app/main.py", line 3'),
        ("/home/runner/work/x", "/home/runner/work/x"),
        ("/Users/Shared/x", "/Users/Shared/x"),
        (f"/srv{ROOT}/x /chroot/x", f"/srv{ROOT}/x /chroot/x"),
        ("https://example.com/home/news", "https://example.com/home/news"),
        ("~/x", "~/x"),
        ("nothing", "nothing"),
    ],
)
def test_home_folders(given: str, expected: str) -> None:
    assert homeless(given) == expected
    assert homeless(expected) == expected


def test_a_home_that_lies_elsewhere() -> None:
    assert homeless("/data/u/al/x /data/u/alma/x", "/data/u/al") == "~/x /data/u/alma/x"


GIT = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "PATH": os.environ["PATH"]}


def git(root: str, *words: str, given: str = "") -> str:
    env = {**GIT, "HOME": os.path.dirname(root), "XDG_CONFIG_HOME": os.path.join(os.path.dirname(root), "xdg")}
    done = subprocess.run(
        ["git", "-C", root, *words], input=given, capture_output=True, text=True, env=env, check=False
    )
    return done.stdout


def write(root: str, path: str, text: str = "") -> None:
    full = os.path.join(root, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "w", encoding="utf-8") as file:
        file.write(text)


NAMES = ["a", "b", "build", "x.log", "y.txt", "foo-1", "A", "d.e", "[z]", "sp ace", "#h", "!n"]
PATTERNS = """
*.log build build/ /build a/ /a a/b a/**/b **/b b/** ** */b a/* /* !a !b !x.log !/a/b *.txt ?.log [ab] [!ab]
[a-z].log foo-* *o-1 a*b .* **/build/ d.? d.[a-f] \\[z\\] #c \\#h \\!n a/**/ **/a/b [[:digit:]]
foo-[[:digit:]] sp\\ ace build/** !build/ a** **a a/**b [ab [] []a] * !*/ /*/b b/ !b/x.log **/*.log [^a]*
"""


def test_ignored_as_git_says(tmp_path: str) -> None:
    """Random trees under random rules, nested, excluded and global, against `git check-ignore --no-index`."""
    draw = random.Random(7)
    for number in range(25):
        base = os.path.join(str(tmp_path), str(number))
        root = os.path.join(base, "tree")
        os.makedirs(root)
        git(root, "init", "-q")
        paths = {"/".join(draw.choices(NAMES, k=draw.randint(1, 4))) for _ in range(25)}
        files = [p for p in sorted(paths) if not any(other.startswith(p + "/") for other in paths)]
        for path in files:
            write(root, path)
        folders = [folder for folder, _, _ in os.walk(root) if f"{os.sep}.git" not in folder]
        for folder in [root, *draw.sample(folders, min(3, len(folders)))]:
            write(folder, ".gitignore", "\n".join(draw.choices(PATTERNS.split(), k=draw.randint(1, 6))) + "\n")
        write(root, ".git/info/exclude", "\n".join(draw.choices(PATTERNS.split(), k=1)))
        write(base, "xdg/git/ignore", "\n".join(draw.choices(PATTERNS.split(), k=1)))
        asked = [*files, *[os.path.relpath(folder, root) for folder in folders if folder != root]]
        said = set(git(root, "check-ignore", "--no-index", "--stdin", "-z", given="\0".join(asked)).split("\0"))
        ignored = Ignored(root, global_file(base, os.path.join(base, "xdg")))
        wrong = [p for p in asked if ignored(p, os.path.isdir(os.path.join(root, p))) != (p in said)]
        assert not wrong, (number, wrong, said)


def test_spaces_at_the_end_and_escapes(tmp_path: str) -> None:
    root = os.path.join(str(tmp_path), "tree")
    os.makedirs(root)
    git(root, "init", "-q")
    write(root, ".gitignore", "\ufeffone  \ntwo\\ \nthree\r\n\\#four\n# five\n\n/six\\\n")
    ignored = Ignored(root)
    for path in ("one", "two ", "two", "three", "#four", "# five", "six"):
        assert ignored(path) == (path in git(root, "check-ignore", "--no-index", path).rstrip("\n").strip('"')), path


def test_rules_are_read_again_when_their_file_changes(tmp_path: str) -> None:
    root = str(tmp_path)
    os.makedirs(os.path.join(root, ".git"))
    ignored = Ignored(root)
    assert not ignored("x.log")
    write(root, ".gitignore", "*.log\n")
    assert ignored("x.log")
    assert ignored(os.path.join(root, "deep", "x.log"))
    write(root, ".gitignore", "*.txt\n")
    os.utime(os.path.join(root, ".gitignore"), ns=(time.time_ns(), time.time_ns() + 10**9))
    assert not ignored("x.log")
    assert not ignored("/elsewhere/x.txt")
    assert ignored(".git/config")


def test_the_file_that_the_settings_name(tmp_path: str) -> None:
    home = str(tmp_path)
    write(home, ".gitconfig", "[core]\n\texcludesFile = ~/ignore-me\n")
    assert global_file(home) == os.path.join(home, "ignore-me")
    os.unlink(os.path.join(home, ".gitconfig"))
    assert global_file(home) == os.path.join(home, ".config", "git", "ignore")


def test_a_worktree_shares_what_is_excluded(tmp_path: str) -> None:
    root = os.path.join(str(tmp_path), "tree")
    os.makedirs(root)
    git(root, "init", "-q")
    git(root, "commit", "-q", "--allow-empty", "-m", "x")
    other = os.path.join(str(tmp_path), "other")
    git(root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x")
    git(root, "worktree", "add", "-q", other)
    write(root, ".git/info/exclude", "*.tmp\n")
    write(other, "x.tmp")
    assert find(os.path.join(other, "x.tmp")) == other
    assert Ignored(other)("x.tmp")
    assert find("/") == ""


def test_who_asks_often_is_told_the_same_as_who_asks_once() -> None:
    words = [pattern.replace("*", "x") for row in SENSITIVE for pattern in row.patterns]
    words += [*HIDDEN.split(), *SHOWN.split(), "README.md"]
    words += [f"{word}.py" for word in words] + [f"a/{word}/b" for word in words] + ["x[0].y", "a*b", ".e*", "{.env,x}"]
    once = []
    for word in words:
        _told.clear()
        once.append(sensitive(word))
    assert len(_told) == 1
    _told.update({f"file{n}": "" for n in range(100)})
    assert [sensitive(word) for word in words] == once
