"""Which parsers to ask: a table of a few plain pieces of text for each.

Looking for a piece of text is a hundred times cheaper than running a pattern, and most failures hold the text of one or
two tools. A parser is imported when its text first occurs.
"""

from __future__ import annotations

import re
from collections import namedtuple

from engrain.model import ROOT, diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import NamedTuple

    from engrain.model import Diagnostic

    class Parser(NamedTuple):
        """A module of this package, the texts that call for it, and the parsers that it makes needless by finding a root."""

        name: str
        hints: tuple[str, ...]
        instead_of: tuple[str, ...]
else:
    Parser = namedtuple("Parser", "name hints instead_of")

PARSERS = (
    Parser("pytest", ("= FAILURES =", "= ERRORS =", "\nE   ", "FAILED ", "ERROR ", "test session starts", " pytest: error", "INTERNALERROR>", "while loading conftest", "seconds =="), ("python",)),
    Parser("unittest", ("\n======================================================================\n", "FAIL: ", "Failed example:", "\nFAILED ("), ("python",)),
    Parser("python", ("Traceback (", "Error: ", "Error\n", "Exception: ", "Warning: ", "No module named", "can't open file", '  File "', "Interrupt", "Fatal Python error"), ()),
    Parser("pythontools", ("ERROR: ", "error: ", "note: ", "[*]", "warning: ", "pylint", "poetry", "Poetry", "would reformat", "uv ", "conda", "Solver", ".py:", " --> ", "\n  × ", "× ", ".pyi:", "-->", "mypy"), ()),
    Parser("node", ("Error: ", "\n    at ", "Node.js v", "node:internal", "JavaScript heap", "Error [", "Rejection", "error: Uncaught", "ENOENT", "ECONN", "EACCES", "EADDR", "node: ", "Uncaught ", "error: Cannot find", "EMFILE", "ETIMEDOUT", "ENOSPC"), ()),
    Parser("npm", ("npm ", "ERR_PNPM", "ELIFECYCLE", "yarn", "YN0", "error: script ", "bun ", "pnpm", "lockfile", "npx", "turbo", "ERESOLVE", "lerna", "husky"), ()),
    Parser("typescript", ("error TS", " TS", ".ts(", ".tsx(", ".js(", ".mts(", ".cts(", "ts:", "tsx:"), ()),
    Parser("weblint", ("problem", " error  ", " warning  ", "eslint", "ESLint", "━━", "prettier", "[error]", "[warn]", ", Error - ", ", Warning - ", "✖", "standard: ", "error- ", "Error ---", "Error ┈"), ()),
    Parser("bundlers", ("webpack", "Module not found", "Module build failed", "vite", "[plugin", "rollup", "Rollup", "✘ [ERROR]", "Build failed", "Failed to compile", "error during build", "esbuild", "ERROR in ", "parcel", "Parcel", "babel", "Could not resolve"), ()),
    Parser("jstest", ("●", "FAIL ", "✕", "not ok ", " failing", "× ", "❌", "expect(", "AssertionError", "(fail)", "Test Files", "✗", "Cypress", "✖ failing"), ("node",)),
    Parser("c", ("error: ", "warning: ", "ld: ", "/ld", "undefined reference", "collect2", "Undefined symbols", "lld", "error C", "error LNK", "LNK", "multiple definition", "fatal error", "cannot find -l", "terminate called"), ()),
    Parser("build", ("make", "ninja: ", "FAILED: ", "CMake ", "configure: error", "meson", "bazel", "BUILD", "ERROR: ", "No rule", "just", "task: ", "scons", "Error "), ()),
    Parser("crash", ("Sanitizer", "runtime error: ", "#0 ", "#0  ", "==ERROR", "egmentation fault", "Aborted", "Bus error", "Illegal instruction", "Floating point exception", "core dumped", "double free", "free():", "malloc", "corrupted", "valgrind", "==Memcheck", "libFuzzer", "Check failed", "CHECK failed", "Assertion", "assertion", "BUG: ", "Program received signal", "Fatal error", "general protection", "stack smashing", "DCHECK", "shared libraries", "Kernel panic", "SIG", "FATAL:", "CSA_DCHECK", "Oops", "Unable to handle kernel"), ()),
    Parser("rust", ("error[", " --> ", "warning: ", "panicked at", "cargo", "Cargo", "error: ", "test result: ", "clippy", "rustc", "rustup", "error in ", "aborting due to"), ()),
    Parser("go", (".go:", "panic: ", "fatal error: ", "--- FAIL", "go: ", "go.mod", "no required module", "build failed", "cannot find package", "no Go files", "FAIL\t", "gofmt", "go.sum", "DATA RACE", "level=error", ": no such file", ": permission denied", "address already in use", "executable file not found"), ("crash",)),
    Parser("jvm", ("Exception", ".java:", "Caused by: ", "[ERROR]", "FAILURE: Build", "e: ", "Error: Could not", "javac", ".kt:", ".scala", "[error]", "BUILD FAILED", "BUILD FAILURE", "* What went wrong", "Tests run:", "Error occurred during initialization", "error: ", "java."), ()),
    Parser("scala3", ("-- [", "-- Error", "-- Warning", "Error: ", "Warning: "), ()),
    Parser("dotnet", ("error CS", "warning CS", "error MSB", "error NU", "error FS", "Unhandled exception", "error NETSDK", "dotnet", "System.", "error VB", "[FAIL]", "MSBUILD", "error BC", "  Failed ", "error CA", "warning CA"), ()),
    Parser("scripting", (".rb:", "Bundler", "bundle", "Gem::", "gem ", "rspec", "Failure/Error", "rubocop", "rake", "PHP ", "Fatal error: ", ".php", "Composer", "composer", "PHPUnit", "Your requirements", "SQLSTATE", "Can't locate", " at ", "perl", "lua", ".lua", "Error in ", "Execution halted", "** (", ".ex", "Perl", "syntax error", "cpan", "LoadError", "NameError", "mix ", "Package ", "there is no package"), ()),
    Parser("functional", ("error: [GHC", "GHC-", ".hs:", "Error found:", "Warning found:", ".purs", "Error --", "-- ", ".swift", "swift", "ocaml", "File \"", "elm", "cabal", "stack", "Swift", ".ml", ".elm", "flow", "Error ┈", "Undefined symbols", "xcodebuild", "** BUILD", "Exception: ", "dart", "zig", "nim"), ()),
    Parser("git", ("fatal: ", "git ", "CONFLICT", "error: ", "! [rejected]", "remote: ", "gh: ", "HTTP 4", "GraphQL", "hint: ", "pre-commit", "hook id:", "abort: ", "gh auth", "svn: ", "husky"), ()),
    Parser("ops", ("docker", "Docker", "Error response from daemon", "ERROR: ", "kubectl", "Error from server", "error: ", "terraform", "Terraform", "│ Error", "Error: ", "helm", "ansible", "fatal: [", "An error occurred (", "aws", "gcloud", "ERROR: (", "podman", "Vagrant", "failed to solve", "The connection to the server", "CrashLoop", "ImagePull", "OOMKilled", "az: ", "unable to", "level=", "systemctl", "Failed to start", "Pulumi", "service "), ()),
    Parser("sql", ("psql", "ERROR:", "ERROR ", "FATAL:", "FATAL ", "SQLSTATE", "mysql", "ORA-", "Error: near", "Parse error", "Runtime error", "MongoServerError", "MongoNetworkError", "redis", "Redis", "sqlite", "Msg ", "Could not connect to Redis", "SQL", "WRONGTYPE", "NOAUTH", "no such table", "(error)"), ()),
    Parser("net", ("ssh", "curl", "wget", "Host key", "ermission denied (", "Could not resolve host", "certificate", "SSL", "TLS", "Connection refused", "onnection timed out", "rsync", "getaddrinfo", "Name or service not known", "handshake", "scp", "Temporary failure", "HTTP", "nc:", "dig", "No route to host", "ftp", "onnection reset", "connection refused", "x509"), ()),
    Parser("packages", ("E: ", "apt", "dpkg", "dnf", "yum", "apk", "brew", "Error: No ", "pacman", "target not found", "No match for argument", "unable to select", "unsatisfiable", "Unable to locate"), ()),
    Parser("shell", ("command not found", "not found", "ermission denied", "No such file", "no such file", "unbound variable", "syntax error", "not recognized", "nexpected", "invalid option", "illegal option", "unrecognized option", "bad substitution", "rgument list too long", "Is a directory", "Not a directory", "File exists", "read-only", "Read-only", "cannot ", "usage: ", "Usage: ", "Unknown", "unknown", "invalid", "missing", "Killed", "Terminated", "too many", "division by", "event not found", "ambiguous redirect", "exec format", "Exec format", "not a valid", "Invalid", "no matches found", "expected", "bad ", "illegal"), ()),
    Parser("resources", ("Killed", "ut of memory", "annot allocate", "OOM", "No space left", "Disk quota", "CUDA", "cuda", "imed out", "imeout", "Too many open files", "heap space", "signal: killed", "SIGKILL", "SIGTERM", "exceeded", "cuDNN", "NCCL", "std::bad_alloc", "timeout: "), ()),
    Parser("general", ("",), ()),
)

FALLBACK = "unknown"
"""The toolchain of what no parser knows."""

_loaded: dict[str, Callable[[str], Iterable[Diagnostic]]] = {}
_NOTHING = re.compile(r"^[\W\d_]*$")


def diagnostics(text: str) -> list[Diagnostic]:
    """Everything that the parsers whose text occurs have found."""
    found: list[Diagnostic] = []
    needless: set[str] = set()
    rooted = False
    for parser in PARSERS:
        if parser.name in needless or (rooted and parser.name == "general"):
            continue
        for hint in parser.hints:
            if hint in text:
                break
        else:
            continue
        new = list(_find(parser.name)(text))
        if new:
            found += new
            if any(each.rank == ROOT for each in new):
                rooted = True
                needless.update(parser.instead_of)
    return found


def unknown(text: str, exit_code: int | None) -> Diagnostic:
    """The fallback: the last line that says something, as an unknown tool's complaint."""
    for line in reversed(text[-20_000:].split("\n")):
        if len(line) > 2 and not _NOTHING.match(line[:400]):
            return diagnostic(FALLBACK, "failure", line.strip()[:400])
    return diagnostic(FALLBACK, "silence", "", (("exit", str(exit_code)),) if exit_code else (), settled=True)


def _find(name: str) -> Callable[[str], Iterable[Diagnostic]]:
    found = _loaded.get(name)
    if found is None:
        import importlib

        found = _loaded[name] = importlib.import_module(f"engrain.fingerprint.parsers.{name}").find
    return found
