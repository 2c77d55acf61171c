"""Shells."""

from __future__ import annotations

from tests.recorded.record.case import Case, Files


def _script(
    toolchain: str,
    cause: str,
    family: str,
    line: str,
    *,
    wraps: tuple[str, ...] = (),
    setup: str = "",
    more: Files | None = None,
    root: str = "",
) -> Case:
    """A line given to the shell with `-c`; the second take has it in a script file, after other lines."""
    ending = {"bash": "sh", "sh": "sh", "dash": "sh", "zsh": "zsh", "fish": "fish"}[toolchain]
    quoted = line.replace("'", "'\\''").rstrip("\n")
    b_files = {f"scripts/@verb.{ending}": f"@pad\necho '@verb @thing'\n{line}\n", **(more or {})}
    return Case(
        toolchain,
        f"{toolchain}-{cause}",
        f"{toolchain}-{family}",
        f"{toolchain} -c '{quoted}'",
        more or {},
        f"{toolchain} scripts/@verb.{ending}",
        b_files,
        setup=setup,
        wraps=wraps,
        root=root,
    )


def _shells(cause: str, family: str, line: str) -> list[Case]:
    """The same failure in three shells: each says it in its own way."""
    return [_script(shell, cause, family, line) for shell in ("bash", "dash", "zsh")]


CASES = [
    Case(
        "bash",
        "bash-missing-command-kubectx",
        "bash-missing-command",
        "kubectx get pods",
        b_command="echo deploy @thing; kubectx -n @other apply",
        wraps=("tty", "make", "ci", "job", "xargs"),
    ),
    Case(
        "bash",
        "bash-missing-command-pnpmx",
        "bash-missing-command",
        "pnpmx install",
        b_command="cd /tmp && pnpmx run build",
        wraps=("make",),
    ),
    Case(
        "bash",
        "bash-missing-command-terrafarm",
        "bash-missing-command",
        "terrafarm plan",
        {},
        "bash scripts/@verb.sh",
        {"scripts/@verb.sh": "@pad\nset -e\nterrafarm apply -var @thing=@n\n"},
    ),
    *_shells("missing-command-sops", "missing-command", "sops -d @thing.enc"),
    *_shells("unbound-variable-DEPLOY_ENV", "unbound-variable", "set -u; echo $DEPLOY_ENV @n"),
    *_shells("syntax-unexpected-eof-if", "syntax-error", "if true; then echo @n")[:2],
    *_shells("syntax-unexpected-token-fi", "syntax-error", "echo @n; fi"),
    *_shells("unterminated-quote", "syntax-error", 'echo "@thing @n'),
    *_shells("cd-no-such-folder", "no-such-folder", "cd /srv/release && ls"),
    *_shells("redirect-permission", "permission-denied", "echo @n > /etc/limits.conf"),
    *_shells("redirect-no-folder", "no-such-file", "echo @n > build/reports/summary.log"),
    *_shells("source-no-file-env.sh", "no-such-file", ". ./env.sh"),
    Case(
        "bash",
        "bash-script-not-executable",
        "bash-permission-denied",
        "./deploy.sh",
        {"deploy.sh": "echo @n\n"},
        "scripts/deploy.sh --@thing",
        {"scripts/deploy.sh": "echo @n\n"},
        setup="find . -name '*.sh' -exec chmod 644 {} +",
    ),
    Case(
        "bash",
        "bash-no-such-script",
        "bash-no-such-file",
        "./scripts/release.sh",
        b_command="cd /tmp && scripts/release.sh @thing",
        wraps=("make",),
    ),
    Case(
        "bash",
        "bash-required-file-not-found",
        "bash-required-file-not-found",
        "./@verb.sh",
        {"@verb.sh": "#!/usr/bin/python2.6\nprint(@n)\n"},
        "bin/@verb.sh @thing",
        {"bin/@verb.sh": "#!/usr/bin/python2.6\n@pad\n"},
    ),
    _script("bash", "too-many-arguments-test", "test-usage", "[ a b = @n ] || exit 3"),
    _script("bash", "integer-expression-expected", "test-integer", '[ "@thing" -gt @n ] || exit 3'),
    _script("bash", "division-by-zero", "arithmetic", "echo $((@n / 0))"),
    _script("bash", "bad-substitution", "bad-substitution", "echo ${@thing.name} @n"),
    _script("bash", "readonly-variable", "readonly", "readonly LIMIT=@n; LIMIT=@m; exit 1", wraps=("ci",)),
    _script("bash", "not-a-valid-identifier", "identifier", "export @thing-name=@n || exit 1"),
    _script("bash", "here-document-unterminated", "syntax-error", "cat <<EOF | grep -q zzz\n@thing\n"),
    _script(
        "bash", "argument-list-too-long", "argument-list-too-long", "/bin/echo @n $(seq 1 900000) > /dev/null", root=""
    ),
    _script("bash", "kill-no-such-process", "no-such-process", "kill 399@m"),
    _script("bash", "segmentation-fault", "signal", "sh -c 'kill -SEGV $$'; exit 139", wraps=("make",)),
    Case(
        "bash",
        "bash-carriage-returns",
        "bash-carriage-returns",
        "bash @file.sh",
        setup="printf 'cd @thing\\r\\nmake @verb\\r\\nexit 1\\n' > @file.sh",
        b_command="./@verb.sh",
        b_setup="printf '#!/usr/bin/env bash\\r\\nmake @verb\\r\\n' > @verb.sh; chmod +x @verb.sh",
    ),
    _script("bash", "killed-by-9", "signal", "sh -c 'kill -9 $$'; exit 1"),
    _script("bash", "cannot-fork-limit", "resource-limit", "ulimit -u 1; sleep 0 | cat; exit 1"),
    _script("bash", "file-size-limit", "resource-limit", "ulimit -f 1; head -c $((@n * 10000)) /dev/zero > @thing.bin"),
    Case(
        "fish",
        "fish-missing-command-sops",
        "fish-missing-command",
        "fish -c 'sops -d @thing.enc'",
        {},
        "fish scripts/@verb.fish",
        {"scripts/@verb.fish": "@pad\nsops -d @thing\n"},
    ),
]
