"""Steps: which commands change what another one works with, and can be done again.

A step is one simple command. One that only looks or checks changes nothing; one that destroys is never told to anybody,
whatever came after it; a piece of code, and a script that the session wrote for itself, are not there the next time.
"""

from __future__ import annotations

from collections.abc import Sequence
from posixpath import basename

from engrain.learn import programs
from engrain.learn.commands import folders, only_looks, parts
from engrain.learn.retyped import bare, tokens
from engrain.patterns import compiled
from engrain.redact.rule import vocabulary

LONGEST = 160
"""Characters of a step."""

_CHECKS = vocabulary(
    """
    test tests check checks lint vet typecheck type-check tsc pytest unittest jest vitest mocha mypy pyright ruff eslint
    flake8 pylint ctest tox nox clippy phpunit rspec nosetests cypress playwright coverage biome bench spec verify
    validate runtests.py runtests test.py test.sh doctest stylelint golangci-lint shellcheck audit doctor ci
    """
)
_CHANGES = (
    r"(?:^|[-:_.])(?:fix|write|update|snapshot|format|fmt|generate|u|w|apply|install|build|compile|migrate|sync|add|init"
    r"|setup|seed|create|make\w+|codegen|restore|upgrade|download|fetch|pull|gen)"
    r"(?:$|[-:_=.])"
)
_DESTROYS = (
    r"(?:^|\s)(?:rm|rmdir|shred|truncate|dd|mkfs\S*|kill|pkill|killall|shutdown|reboot|dropdb)(?:\s|$)"
    r"|\bgit\s+(?:clean|reset|push|commit|stash|add|rebase|merge|cherry-pick|am|tag|branch|config|revert|rm|update-ref"
    r"|filter-\S+|gc|worktree|checkout\s+(?:--\s+)?\.|restore\s+\.)(?:\s|$)|--force\b|--hard\b|--no-verify\b"
    r"|\b(?:prune|drop|destroy|delete|uninstall|purge|unlink)\b|-delete\b"
)
_OPENS = (
    r"(?:^|\s)chmod\s+(?:-\S+\s+)*(?:0?[67]{3}|[ago]*\+[rx]*w\w*)(?:\s|$)"
    r"|(?:^|\s)(?:setenforce|ufw|iptables|visudo|passwd)\s|--(?:privileged|insecure|trusted-host|allow-unauthenticated)\b"
    r"|\b(?:NODE_TLS_REJECT_UNAUTHORIZED|GIT_SSL_NO_VERIFY|PYTHONHTTPSVERIFY|LD_PRELOAD|LD_LIBRARY_PATH|DYLD_\w+|PATH)="
)
_FETCHES = (
    r"://|(?:^|\s)(?:curl|wget|aria2c|ftp|scp|rsync|ssh|nc|telnet)\s|^(?:\S*/)?(?:ba|z|da|k)?sh(?:\s+-[a-z]+)*$"
    r"|\w@[\w.-]+:"
)
"""What brings something in from a place that somebody named: who wrote the transcript may have chosen it."""

_CODE = (
    r"^(?:\S*/)?(?:python|node|ruby|perl|php|bun|deno|sh|bash|zsh)[\d.]*\s(?:\S+\s)*?(?:-c|-e|--eval|-p|-lc)\s"
    r"|<<|\$\(|[\n`]|^\s*[\w.]+\s*=\s|\{|\}"
)
_STARTS = (
    r"(?:^|[-:_.])(?:up|start|enable|use|tidy|vendor|link|bootstrap|prepare|provision|register|login|load|import|deploy"
    r"|stage|restart|switch)(?:$|[-:_.=])"
)
_DOES = vocabulary(
    """
    pip npm pnpm yarn bun deno npx bunx make just task rake gradle mvn go cargo git docker docker-compose uv poetry pdm
    pipenv conda gem bundle composer mix apt apt-get brew dnf yum apk nvm fnm asdf mise rustup corepack dotnet terraform
    black isort gofmt goimports rustfmt yapf autopep8 autoflake clang-format prettier ktlint swiftformat ormolu createdb
    initdb redis-server postgres mysqld mongod lerna nx turbo cmake
    """
)
"""Programs that are run for what they change."""

_SETS_UP = vocabulary("mkdir touch cp mv ln chmod chown source .")
_WRITES = vocabulary("echo printf cat sed cd tee awk perl nl patch apply_patch")


def said(command: str) -> list[str]:
    """The simple commands of a line as they are typed."""
    found = [bare(command)] if not compiled(r"[\n;&|<]").search(command) else parts(command)
    # A folder may be there the next time.
    return [compiled(r"^mkdir (?!-)").sub("mkdir -p ", step) for step in found]


def said_in(command: str, cwd: str) -> list[tuple[str, str]]:
    """The same, each with the folder in which it runs."""
    steps, places = said(command), folders(command, cwd)
    return list(zip(places, steps, strict=True)) if len(places) == len(steps) else [(cwd, step) for step in steps]


def matters(step: str, made: frozenset[str]) -> bool:
    """Whether a step that passed may be what helped; `made` are the names of the session's own files."""
    words = tokens(step)
    if not words or len(step) > LONGEST or compiled(_CODE).search(step) or unsafe(step):
        return False
    if only_looks(step) or checks(words):
        return False
    name = programs.name(words[0])
    if name in _WRITES or (name in programs.HOUSE and name not in _SETS_UP):
        return False
    return name in ("mkdir", "touch") or (not own(words, made) and does(words))


def does(words: Sequence[str]) -> bool:
    """Whether a command is one of those that are run for what they change: an installer, a task, a script."""
    if words[1:3] in (["-m", "venv"], ["-m", "virtualenv"]):
        return True
    if programs.name(words[0]) in _DOES | _SETS_UP or words[0].startswith("./") or words[0].endswith(".sh"):
        return True
    return changes([*words[1:], *map(basename, words[1:])]) or any(compiled(_STARTS).search(word) for word in words[1:])


def own(words: Sequence[str], made: frozenset[str]) -> bool:
    """Whether one of the words is a file of the session's own."""
    return any(basename(word.strip("'\"")) in made for word in words)


def unsafe(step: str) -> bool:
    """Whether a command takes something away that may not come back, opens what was closed, or brings in who knows
    what."""
    return any(compiled(pattern).search(step) for pattern in (_DESTROYS, _FETCHES, _OPENS))


def checks(words: Sequence[str]) -> bool:
    """Whether a command only tells whether something holds: a test, a linter without its `--fix`."""
    core = [word for word in words if word[:1] != "-"]
    known = any(
        part in _CHECKS for word in core[:4] for part in (word, basename(word), *word.replace(":", " ").split()[:1])
    )
    return known and not changes(words[1:])


def changes(words: Sequence[str]) -> bool:
    """Whether one of the words says that something is written: `lint:fix`, `--write`, `-u`."""
    return any(compiled(_CHANGES).search(word) for word in words)


# What others wrote

_NAMED = r"\{[a-z_]{1,40}\}"
_RULES = (
    r"(?:^|[\s;&|(])(?:sudo|doas|su|eval|exec|xargs|nohup|crontab|systemctl|launchctl|mv|tee|fdisk|chattr|chgrp|base64"
    r"|osascript|powershell|pwsh|nc|ncat|socat|source)(?:\s|$)|\b(?:flush\w*|unpublish|wipe|erase|overwrite|reset"
    r"|format)\b|[|;&]\s*(?:\S*/)?(?:ba|z|da|k|fi)?sh\b|(?<![<\d&])>{1,2}\s*(?!&|/dev/null\b)|[<>]\("
)
"""What a stranger's step may not be beside what nobody's may: it runs as somebody else, hides what it runs,
overwrites."""


def harmless(step: str) -> bool:
    """Whether a step that came with a repository may be kept at all: a command that names its program, takes nothing
    away, fetches nothing that somebody chose, and carries no code."""
    plain = compiled(_NAMED).sub("x", step)
    if not plain.isprintable() or compiled(rf"^\s*{_NAMED}").match(step):
        return False
    return not any(
        unsafe(each) or compiled(_CODE).search(each) or compiled(_RULES).search(each) for each in (plain, plain.lower())
    )
