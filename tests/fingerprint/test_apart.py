"""What looks alike and wants another fix has another key; what wants the same has the same."""

from __future__ import annotations

import pytest

from engrain.fingerprint import fingerprint
from tests.recorded.corpus import cases

TRACE = 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n'
REJECTED = "fatal: Could not read from remote repository.\n"
DECLINED = "error: failed to push some refs to 'x'\n"
PANIC = "thread 'main' panicked at src/main.rs:2:5:\ncalled `Result::unwrap()` on an `Err` value: Os {{ {} }}\n"

APART = {
    "git: no key, a wrong password": (
        f"git@x: Permission denied (publickey).\n{REJECTED}",
        "remote: Invalid username or password.\nfatal: Authentication failed for 'https://github.com/a/b.git/'\n",
    ),
    "git: nobody to ask, a wrong password": (
        "fatal: could not read Username for 'https://github.com': terminal prompts disabled\n",
        "fatal: Authentication failed for 'https://github.com/a/b.git/'\n",
    ),
    "git: changes and new files in the way": (
        (
            "error: Your local changes to the following files would be overwritten by "
            "checkout:\n\tf\nPlease commit your "
            "changes or stash them before you switch branches.\nAborting\n"
        ),
        (
            "error: The following untracked working tree files would be overwritten by checkout:\n\tf\nPlease move or "
            "remove them before you switch branches.\nAborting\n"
        ),
    ),
    "git: too large, cut off": (
        (
            "error: RPC failed; HTTP 413 curl 22 The requested URL returned error: 413\nfatal: the remote end hung up "
            "unexpectedly\n"
        ),
        "error: RPC failed; curl 56 GnuTLS recv error (-9)\nfatal: the remote end hung up unexpectedly\n",
    ),
    "ssh: a host that is new, a host whose key is another": (
        "No ED25519 host key is known for x and you have requested strict checking.\nHost key verification failed.\n",
        "@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\nHost key verification failed.\n",
    ),
    "shell: two interpreters": (
        "bash: ./a.sh: /usr/bin/python9: bad interpreter: No such file or directory\n",
        "bash: ./a.sh: /opt/perl: bad interpreter: No such file or directory\n",
    ),
    "shell: line ends and an interpreter": (
        "bash: ./a.sh: /bin/bash^M: bad interpreter: No such file or directory\n",
        "bash: ./a.sh: /usr/bin/python9: bad interpreter: No such file or directory\n",
    ),
    "psql: password and peer": (
        (
            'psql: error: connection to server at "localhost" (::1), port 5432 failed: FATAL:  password authentication '
            'failed for user "x"\n'
        ),
        (
            'psql: error: connection to server on socket "/run/.s.PGSQL.5432" failed: FATAL: '
            " Peer authentication failed "
            'for user "x"\n'
        ),
    ),
    "redis: refused and unknown": (
        "Could not connect to Redis at 127.0.0.1:6379: Connection refused\n",
        "Could not connect to Redis at nope:6379: Name or service not known\n",
    ),
    "pip: no such package, no such version": (
        "ERROR: Could not find a version that satisfies the requirement foo==9.9 (from versions: none)\n",
        "ERROR: Could not find a version that satisfies the requirement foo==9.9 (from versions: 1.0, 2.0)\n",
    ),
    "pip: no such version, one for another Python": (
        "ERROR: Could not find a version that satisfies the requirement foo==9.9 (from versions: 1.0, 2.0)\n",
        (
            "ERROR: Ignored the following versions that require a different python version: "
            "9.9 Requires-Python >=3.12\n"
            "ERROR: Could not find a version that satisfies the requirement foo==9.9 (from versions: 1.0, 2.0)\n"
        ),
    ),
    "cargo: two build scripts": (
        "error: failed to run custom build command for `openssl-sys v0.9.1`\n",
        "error: failed to run custom build command for `libz-sys v1.1.1`\n",
    ),
    "systemd: two services": (
        "Job for nginx.service failed because the control process exited with error code.\n",
        "Job for redis.service failed because the control process exited with error code.\n",
    ),
    "a program's settings": (
        "panic: environment variable FOO is not set\n\ngoroutine 1 [running]:\nmain.main()\n",
        "panic: environment variable BAR is not set\n\ngoroutine 1 [running]:\nmain.main()\n",
    ),
    "rust: missing and forbidden": (
        PANIC.format('code: 2, kind: NotFound, message: "No such file or directory"'),
        PANIC.format('code: 13, kind: PermissionDenied, message: "Permission denied"'),
    ),
    "node: a program and another, by path": (
        "Error: spawn /usr/bin/ffmpegx ENOENT\n    at ChildProcess._handle.onexit\n",
        "Error: spawn /usr/bin/gitx ENOENT\n    at ChildProcess._handle.onexit\n",
    ),
    "node: not built, not there": (
        "Error: Cannot find module '/x/y/dist/index.js'\n    at Module._resolveFilename\n",
        "Error: Cannot find module '/x/y/server.js'\n    at Module._resolveFilename\n",
    ),
    "python: two commands that failed, without a traceback": (
        "subprocess.CalledProcessError: Command 'make test' returned non-zero exit status 1.\n",
        "subprocess.CalledProcessError: Command 'npm ci' returned non-zero exit status 1.\n",
    ),
    "python: two commands that took too long": (
        f"{TRACE}subprocess.TimeoutExpired: Command '['git', 'push']' timed out after 5 seconds\n",
        f"{TRACE}subprocess.TimeoutExpired: Command '['npm', 'test']' timed out after 5 seconds\n",
    ),
    "tar: an archive and a file that are missing": (
        "tar: a.tar: Cannot open: No such file or directory\ntar: Error is not recoverable: exiting now\n",
        "tar: a: Cannot stat: No such file or directory\ntar: Exiting with failure status due to previous errors\n",
    ),
}

DEEP = "".join(f'  File "/srv/a/{name}.py", line {n}, in {name}\n    {name}()\n' for n, name in enumerate("pqrs"))
"""Frames below the first, of which `tail` leaves the last."""

TORN = (
    "tests/test_a.py:1: in <module>\n    import orjsonx\nE   ModuleNotFoundError: No module named 'orjsonx'\n"
    "=========== short test summary info ===========\nERROR tests/test_a.py\n!!!!! Interrupted: 1 error during "
    "collection !!!!!\n1 error in 0.12s\n"
)

TOGETHER = {
    "python: a traceback and what tail left of it": (
        f"{TRACE}{DEEP}yaml.scanner.ScannerError: mapping values are not allowed here\n",
        f"{DEEP[60:]}yaml.scanner.ScannerError: mapping values are not allowed here\n",
    ),
    "python: a chain whose head tail cut": (
        (
            f"{TRACE}{DEEP}ConnectionRefusedError: [Errno 111] Connection refused\n\nDuring handling of the above "
            f"exception, another exception occurred:\n\n{TRACE}urllib.error.URLError: <urlopen error [Errno 111] "
            "Connection refused>\n"
        ),
        (
            f"{DEEP[60:]}ConnectionRefusedError: [Errno 111] Connection refused\n\nDuring handling of the above "
            f"exception, another exception occurred:\n\n{TRACE}urllib.error.URLError: <urlopen error [Errno 111] "
            "Connection refused>\n"
        ),
    ),
    "pytest: a module that is missing, and what tail left of it": (
        (
            "=========== ERRORS ===========\n__________ ERROR collecting tests/test_a.py __________\nImportError while "
            f"importing test module.\nTraceback:\n{TORN}"
        ),
        TORN,
    ),
    "git by whatever path, however it ended": (
        (
            f"{TRACE}subprocess.CalledProcessError: Command '['/usr/bin/git', 'push', 'a']' "
            f"returned non-zero exit status 1.\n"
        ),
        "subprocess.CalledProcessError: Command '['git', 'push', 'b']' returned non-zero exit status 128.\n",
    ),
    "line ends of Windows, whoever meets them": (
        "a.sh: line 2: $'\\r': command not found\n",
        "bash: ./a.sh: /bin/bash^M: bad interpreter: No such file or directory\n",
    ),
    "an interpreter, by two shells": (
        "bash: ./a.sh: /usr/local/bin/python9: bad interpreter: No such file or directory\n",
        "zsh: ./b.sh: bad interpreter: /opt/x/python9: no such file or directory\n",
    ),
    "a certificate, with and without the library around": (
        (
            "urllib.error.URLError: <urlopen error [SSL: CERTIFICATE_VERIFY_FAILED] "
            "certificate verify failed: self signed"
            " certificate (_ssl.c:1000)>\n"
        ),
        (
            f"{TRACE}ssl.SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED] "
            f"certificate verify failed: self-signed "
            "certificate (_ssl.c:997)\n"
        ),
    ),
    "SQLite of two versions": (
        "Error: near line 1: UNIQUE constraint failed: t.a\n",
        "Error: stepping, UNIQUE constraint failed: t.a (19)\n",
    ),
}

RECORDED = (
    ("python-subprocess-no-pandoc", "python-subprocess-no-ffmpeg"),
    ("python-subprocess-no-pandoc", "python-data-file-missing"),
    ("python-subprocess-failed-git-rev-parse", "python-subprocess-failed-git-fetch"),
    ("python-no-shared-library-fastx", "python-no-shared-library-slowx"),
    ("python-certificate-self-signed", "python-certificate-another-host"),
    ("python-pydantic-missing-API_KEY", "python-pydantic-missing-DB_URL"),
    ("python-pydantic-missing-API_KEY", "python-pydantic-int-parsing-port"),
    ("git-checkout-would-overwrite", "git-untracked-would-overwrite"),
)


def key(text: str) -> str:
    return fingerprint(text).fingerprint


@pytest.mark.parametrize("name", APART)
def test_what_wants_another_fix_has_another_key(name: str) -> None:
    one, other = map(key, APART[name])
    assert one != other


@pytest.mark.parametrize("name", TOGETHER)
def test_what_wants_the_same_fix_has_one_key(name: str) -> None:
    one, other = map(key, TOGETHER[name])
    assert one == other


@pytest.mark.parametrize(("one", "other"), RECORDED)
def test_real_failures_that_look_alike_are_apart_and_each_is_one(one: str, other: str) -> None:
    keys = {cause: {key(case.text) for case in cases("a", "b") if case.cause == cause} for cause in (one, other)}
    assert [len(each) for each in keys.values()] == [1, 1]
    assert keys[one].isdisjoint(keys[other])


@pytest.mark.parametrize(
    "line",
    [
        "error: Recipe `build` failed on line 3 with exit code 1",
        'task: Failed to run task "build": exit status 1',
        "ninja: build stopped: subcommand failed.",
        " ELIFECYCLE  Command failed with exit code 1.",
        'ERROR: failed to solve: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1',
        "npm error code 1\nnpm error path /x\nnpm error workspace a@1.0.0\nnpm error command failed",
        "error: failed to push some refs to 'x'",
    ],
)
def test_a_line_that_only_repeats_that_another_failed_is_no_root(line: str) -> None:
    from engrain.model import WRAPPER

    assert fingerprint(line).root.rank >= WRAPPER
