"""What the recorded failures of real tools are taken for: rows of (recording, toolchain, type, what decides)."""

from __future__ import annotations

import os

import pytest

from engrain.fingerprint import fingerprint
from tests.recorded.corpus import HERE, Case, cases, pairwise

ROWS: tuple[tuple[str, str, str, dict[str, str]], ...] = (
    ("Rscript/Rscript-no-package-ggplotx--a", "r", "no such package", {"package": "ggplotx"}),
    ("apt-get/apt-get-permission-lock--a", "apt", "lock", {"why": "13: Permission denied"}),
    ("awk/awk-syntax--a", "awk", "syntax error", {}),
    ("black/black-would-reformat--a", "black", "would reformat", {}),
    ("bundler/bundler-gem-not-found-leftpadd--a", "bundler", "no such gem", {"gem": "leftpadd"}),
    ("cargo/cargo-no-manifest--a", "cargo", "no Cargo.toml", {}),
    ("cat/cat-no-such-file-version--a", "cat", "no such file or directory", {"file": "VERSION"}),
    ("clang/clang-missing-header-curl--a", "cc", "missing header", {"header": "curlx/curlx.h"}),
    ("clang++/clang++-no-member-push--a", "cc", "error", {"member": "push"}),
    ("cmake/cmake-package-not-found-Eigen9--a", "cmake", "package not found", {"package": "Eigen9"}),
    ("composer/composer-no-composer-json--a", "composer", "no composer.json", {}),
    ("curl/curl-http-503--a", "curl", "22", {"status": "503"}),
    ("deno/deno-not-capable-env-HOME_DIR--a", "deno", "NotCapable", {}),
    ("docker/docker-tcp-daemon-refused--a", "docker", "no daemon", {}),
    ("elixir/elixir-match-error--a", "elixir", "MatchError", {}),
    ("env/env-missing-command-nodex--a", "shell", "command not found", {"command": "nodex"}),
    ("eslint/eslint-no-empty--a", "eslint", "no-empty", {}),
    ("find/find-unknown-predicate--a", "find", "unknown option", {"option": "-nmae"}),
    ("fish/fish-missing-command-sops--a", "shell", "command not found", {"command": "sops"}),
    ("flake8/flake8-F401-os--a", "flake8", "F401", {}),
    ("g++/g++-no-member-push--a", "cc", "error", {"member": "push"}),
    ("gdb/gdb-backtrace-segfault--a", "signal", "SIGSEGV", {}),
    ("gh/gh-unknown-command--a", "gh", "unknown command", {"command": "prs"}),
    ("git/git-nothing-to-commit--a", "git", "nothing to commit", {}),
    ("glibc/glibc-invalid-pointer-free--a", "glibc", "free(): invalid pointer", {}),
    ("gofmt/gofmt-syntax-error--a", "gofmt", "syntax", {}),
    ("gradle/gradle-unknown-property-releaseVersion--a", "gradle", "unknown property", {"property": "releaseVersion"}),
    ("hadolint/hadolint-DL3008--a", "hadolint", "DL3008", {}),
    ("java/java-jar-not-found--a", "java", "no jar", {}),
    ("ld/ld-shared-library-missing-at-run-time--a", "loader", "shared library", {"library": "libbilling.so"}),
    ("make/make-recipe-missing-command-gox--a", "shell", "command not found", {"command": "gox"}),
    ("maven/maven-no-pom--a", "maven", "no POM", {}),
    ("mcs/mcs-CS0246-Money--a", "dotnet", "CS0246", {"name": "Money"}),
    ("mono/mono-inner-exception-timeout--a", "dotnet", "System.TimeoutException", {}),
    ("mysql/mysql-no-such-table-invoices--a", "mysql", "1146", {"table": "test.invoices"}),
    ("npm/npm-no-package-json--a", "npm", "ENOENT", {"missing": "package.json"}),
    ("ocaml/ocaml-unbound-module-Jsonx--a", "ocaml", "Unbound", {"kind": "module", "name": "Jsonx"}),
    ("phpunit/phpunit-failed-testTotal--a", "phpunit", "assertion", {"test": "testTotal"}),
    ("pip/pip-no-such-package-fastjsonx--a", "pip", "no such version", {"package": "fastjsonx"}),
    ("pytest/pytest-fixture-fails-keyerror-API_URL--a", "pytest", "KeyError", {"key": "API_URL"}),
    ("python/python-no-module-named-m-celeryx--a", "python", "ModuleNotFoundError", {"module": "celeryx"}),
    ("rollup/rollup-no-export-parse--a", "rollup", "no such export", {"export": "parse"}),
    ("rspec/rspec-failed-refunds--a", "rspec", "expectation", {"test": "prices refunds"}),
    ("rubocop/rubocop-Lint-UselessAssignment--a", "rubocop", "Lint/UselessAssignment", {}),
    ("ruff/ruff-F821-json--a", "ruff", "F821", {"name": "json"}),
    ("rust-panic/rust-panic-own-queue-closed--a", "rust", "panic", {}),
    ("rustc/rustc-E0425-type-Money--a", "rustc", "E0425", {"type": "Money"}),
    ("shellcheck/shellcheck-SC2086--a", "shellcheck", "SC2086", {}),
    ("ssh/ssh-identity-file-too-open--a", "ssh", "key permissions", {}),
    ("stylelint/stylelint-color-no-invalid-hex--a", "stylelint", "color-no-invalid-hex", {}),
    ("systemctl/systemctl-no-systemd--a", "systemd", "no systemd", {}),
    ("task/task-unknown-task-deploy--a", "task", "no such task", {"task": "deploy"}),
    ("terraform/terraform-not-initialised-module--a", "terraform", "Module not installed", {}),
    ("tsc/tsc-TS2416-run--a", "tsc", "TS2416", {}),
    ("tsx/tsx-missing-package-zodd--a", "node", "Cannot find module", {"module": "zodd"}),
    ("ubsan/ubsan-signed-overflow--a", "sanitizer", "undefined behaviour", {}),
    ("unittest/unittest-error-keyerror-vat--a", "unittest", "KeyError", {"key": "vat"}),
    ("valgrind/valgrind-invalid-read--a", "valgrind", "Invalid read", {}),
    ("yamllint/yamllint-trailing-spaces--a", "yamllint", "trailing-spaces", {}),
    ("yarn/yarn-no-package-json--a", "yarn", "no package.json", {}),
    ("zig/zig-undeclared-total--a", "zig", "error", {"identifier": "total"}),
)

KNOWN_WRONG = (
    # A tool that prints no name of its own is taken for whoever prints in the same form.
    ("bats/bats-failed-adds--a", "tap"),
    ("oxlint/oxlint-no-debugger--a", "js lint"),
    ("cppcheck/cppcheck-null-pointer--a", "cc"),
    # No parser yet, only the shape of a complaint.
    ("nginx/nginx-unknown-directive-lisen--a", "general"),
    ("tclsh/tclsh-no-variable-total--a", "general"),
    ("sbcl/sbcl-undefined-function-parse-row--a", "general"),
)


def text(name: str) -> bytes:
    with open(os.path.join(HERE, f"{name}.txt"), "rb") as file:
        return file.read()


@pytest.mark.parametrize(("name", "toolchain", "kind", "decides"), ROWS, ids=[row[0] for row in ROWS])
def test_a_recording_is_taken_for_what_it_is(name: str, toolchain: str, kind: str, decides: dict[str, str]) -> None:
    found = fingerprint(text(name))
    assert (found.toolchain, found.error_type, dict(found.parameters)) == (toolchain, kind, decides)
    assert found.known


@pytest.mark.parametrize(("name", "instead"), KNOWN_WRONG, ids=[row[0] for row in KNOWN_WRONG])
def test_known_to_be_wrong(name: str, instead: str) -> None:
    """Not wanted, but known: who mends one of these takes it off the list."""
    assert fingerprint(text(name)).toolchain == instead


ALL = cases()
FOUND = {case.file: fingerprint(case.text, case.command, case.exit_code) for case in ALL}


def test_the_corpus_as_a_whole() -> None:
    # Recordings of two tools that fail alike (bash and zsh, gcc and clang) have two labels and one key: that is meant.
    score = pairwise([FOUND[case.file].fingerprint for case in ALL], [case.cause for case in ALL])
    assert score.precision > 0.75
    assert score.recall > 0.90


def test_most_recordings_are_known() -> None:
    assert sum(found.known for found in FOUND.values()) / len(FOUND) > 0.97


def test_a_family_never_crosses_toolchains() -> None:
    toolchains: dict[str, set[str]] = {}
    for found in FOUND.values():
        toolchains.setdefault(found.family, set()).add(found.toolchain)
    assert all(len(each) == 1 for each in toolchains.values())


def test_the_command_changes_nothing_where_the_output_speaks() -> None:
    def differs(case: Case) -> bool:
        return fingerprint(case.text).fingerprint != fingerprint(case.text, "some --other command", 1).fingerprint

    assert [case.file for case in ALL[::7] if case.text.strip() and differs(case)] == []


SAME = (
    ("tar/tar-no-such-archive--a", "tar/tar-no-such-archive--b"),
    ("perl/perl-missing-module-Moose--a", "perl/perl-missing-module-Moose--b"),
)
APART = (
    ("git/git-add-pathspec--a", "git/git-pathspec--a"),
    ("git/git-pull-no-tracking--a", "git/git-push-no-upstream--a"),
)


@pytest.mark.parametrize(("one", "other"), SAME)
def test_two_ways_to_say_the_same(one: str, other: str) -> None:
    assert fingerprint(text(one)).fingerprint == fingerprint(text(other)).fingerprint


@pytest.mark.parametrize(("one", "other"), APART)
def test_two_causes_in_nearly_the_same_words(one: str, other: str) -> None:
    assert fingerprint(text(one)).family != fingerprint(text(other)).family


def test_a_port_in_use_is_one_failure_however_python_says_it() -> None:
    said = (
        "[Errno 98] Address already in use",
        "[Errno 98] Address already in use (while attempting to bind on address ('127.0.0.1', 40831))",
        "[Errno 98] error while attempting to bind on address ('127.0.0.1', 8000): address already in use",
    )
    head = 'Traceback (most recent call last):\n  File "serve.py", line 2, in <module>\n    serve()\nOSError: '
    assert len({fingerprint(head + each).fingerprint for each in said}) == 1


def test_a_module_that_perl_can_not_load_at_a_line() -> None:
    said = "Can't locate Foo/Zed.pm in @INC (you may need to install the Foo::Zed module) (@INC contains: /etc/perl)"
    found = fingerprint(f"{said} at a.pl line 2.\nBEGIN failed--compilation aborted at a.pl line 2.\n")
    assert found.error_type == "missing module"
    assert found.fingerprint == fingerprint(f"{said}.\nBEGIN failed--compilation aborted.\n").fingerprint
