"""One module per group of toolchains, and the table that says when each is asked.

A parser is a module with `find(text, words)`; most are tables of rows. It is asked when one of its words is among the
words of the text, or one of its pieces stands in it; it is imported when it is first asked. A test holds that the
words of a parser cover its rows. A parser yields what it sees, with a rank: it does not choose, and knows nothing of
the others.
"""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    class Parser(NamedTuple):
        """A module of this package, what calls for it, and the parsers that a root of its own makes needless."""

        name: str
        words: tuple[str, ...]
        pieces: tuple[str, ...]
        instead_of: tuple[str, ...]
else:
    Parser = namedtuple("Parser", "name words pieces instead_of")


def parser(name: str, words: str, pieces: tuple[str, ...] = (), instead_of: tuple[str, ...] = ()) -> Parser:
    """A row of the table."""
    return Parser(name, tuple(words.split()), pieces, instead_of)


PARSERS = (
    parser(
        "pytest",
        "conftest coverage deselected failures hook internalerror markers pytest ran summary unrecognized usageerror",
        ("= ERRORS =", "\nE   ", ".py::", "no tests ran", "no name "),
        ("python",),
    ),
    parser(
        "unittest",
        "fail ran",
        ("Failed example:",),
        ("python",),
    ),
    parser(
        "python",
        "keyboardinterrupt processing python sitecustomize traceback",
        ("Error", "Exception: ", "Warning: ", "No module named", "can't open file", "Unknown option: -"),
        ("node", "jvm", "dotnet"),
    ),
    parser(
        "pythontools",
        "appear black broken conda condaerror confidence conflicting dependency different distribution "
        "environment environmentnamenotfound evaluation externally generation hashes incorrectly installable "
        "interpreter invocationerror ipynb issue libmambaunsatisfiableerror lockfile mypy notice nox "
        "packagesnotfounderror perhaps pip poetry pyi pyproject reformat registry report requirement requirements "
        "resolutionimpossible ruff significantly solution solving spawn subprocess there tox unformatted "
        "unsatisfiableerror uv wheel wheels",
        (
            ".py:",
            "version solving failed",
            "No solution found",
            "Could not find a version",
            "Could not install packages",
            "No such option",
            "Failed to build",
            "error: command '",
            "Could not find a matching version of package",
            "Cannot read file: ",
            "cannot format",
            "cannot parse: ",
        ),
        (),
    ),
    parser(
        "node",
        "bun deno eacces ebusy eexist eisdir emfile enoent enospc enotdir enotempty eperm erofs javascript node "
        "rejection relative trace uncaught unhandledpromiserejection",
        (
            "Error: ",
            "Error [",
            "\n    at ",
            "Exception: ",
            "error: Script",
            "error: Cannot",
            "error: Module",
            "error: Could not resolve",
            "bad option",
        ),
        ("jvm", "dotnet"),
    ),
    parser(
        "npm",
        "binary bun canceled determine elifecycle engine finished husky lerna lifecycle lockfile npm nx "
        "packagemanager pnpm recursive turbo workspaces yarn yarnpkg yn",
        (
            "error Command ",
            "error: script ",
            "Unknown command",
            "Couldn't find package",
            "Couldn't find any versions",
            "Couldn't find a package.json",
            " run failed",
        ),
        (),
    ),
    parser(
        "typescript",
        "cjs cts js jsx mjs mts svelte ts tsc tsx vue",
        (),
        (),
    ),
    parser(
        "weblint",
        "biome dl eslint internalerror issues md pattern prettier problem problems rule sc standard ts tsx violations "
        "warn",
        (
            "  error  ",
            "  warning  ",
            "[error] ",
            "━━",
            "Error ---",
            "Error ┈",
            ", Error - ",
            ", Warning - ",
            "Parsing error",
        ),
        (),
    ),
    parser(
        "bundlers",
        "csssyntaxerror esbuild exported parcel preset rollup rolluperror stylesheet vite webpack",
        (
            "✘ [ERROR]",
            ": ERROR: ",
            "Module not found",
            "an't resolve",
            "ailed to resolve",
            'ould not resolve "',
            "[plugin:",
            "Type error: ",
            "Module parse failed",
            "Module build failed",
            "Invalid configuration object",
            "Entry module not found",
            "failed to load config",
            "error during build",
            "Could not resolve",
            "Build failed with",
            "Build error occurred",
            "Failed to compile",
            "does not exist. If",
        ),
        (),
    ),
    parser(
        "jstest",
        "cypress doesn encountered failing jest mocha passwithnotests playwright suite threshold vitest",
        (
            "● ",
            " FAIL ",
            "\nFAIL ",
            "FAIL  ",
            "not ok ",
            "(fail) ",
            "✗ ",
            " › ",
            "No tests found",
            "No test files found",
            "Test Files ",
        ),
        ("node",),
    ),
    parser(
        "c",
        "cc clang collect cpp cu cxx dso duplicate framework gcc hh hidden hpp incompatible inl l ld linker lnk "
        "mm multiple nvcc output ptxas recompile region relocation terminated wrong",
        (
            ".c:",
            ".h:",
            "Undefined symbols",
            "ndefined reference",
            "ndefined symbol",
            "multiple definition",
            "cannot find -l",
            "not found for -l",
            "no such instruction",
            " at (1)",
            " error C",
        ),
        (),
    ),
    parser(
        "build",
        "bazel cmake configure gmake just justfile make meson multiple ninja possibly recipe rule scons separator "
        "specified stopped targets",
        ("FAILED: ", "*** ", "configure: error", "task: "),
        (),
    ),
    parser(
        "crash",
        "abort aborted addresssanitizer assert assertion bug bus corrupted dcheck definitely double fault free "
        "hwaddresssanitizer illegal leaksanitizer libfuzzer libraries loaded lookup malloc memorysanitizer "
        "overflow point pure reached realloc received sig smashing terminated threadsanitizer "
        "undefinedbehaviorsanitizer uninitialised write",
        (
            "#0 ",
            "runtime error: ",
            "terminate called",
            "ailed: ",
            " fault",
            "ailure: ",
            "+0x",
            "\nF0",
            "\nF1",
            "symbol lookup error",
            "shared libraries",
            " point exception",
            "Illegal instruction",
            "Invalid read",
            "Invalid write",
            "not found (required by",
        ),
        (),
    ),
    parser(
        "rust",
        "aborting cargo custom diff feature installed linker linking panicked process rerun rs rustc select "
        "toolchain workspace",
        (
            "error[E",
            " --> ",
            "could not compile `",
            "could not compile",
            "target failed",
            "build failed",
            "no matching package",
            "no bin target named",
            "failed to parse",
            "the lock file",
        ),
        (),
    ),
    parser(
        "go",
        "address allowed concurrent go golangci goroutine goroutines inconsistent mod panic provides providing "
        "race sum updates",
        (
            "--- FAIL",
            "FAIL\t",
            ": no such file",
            ": permission denied",
            "address already in use",
            "executable file not found",
            "cannot find package",
            "cannot find main module",
            "unknown revision",
            "test timed out after",
            "permission denied",
            "level=error",
        ),
        ("crash",),
    ),
    parser(
        "jvm",
        "artifact attribute child contain dependency failing failures goal gradle groovy id initialization jarfile "
        "java javac kt kts lifecycle locate machine maven parseable prefix property release resolvable sbt sc scala "
        "see there unrecognized unresolved unsupportedclassversionerror",
        (
            "Exception",
            "[ERROR]",
            "Caused by: ",
            "Error: ",
            "BUILD FAILED",
            "Unrecognized option",
            "cannot find symbol",
            " does not exist",
            "Could not find or load main class",
            "Could not resolve dependencies",
            "BUILD FAILURE",
            "Could not find method ",
            "Could not compile ",
            "Not a valid command",
        ),
        (),
    ),
    parser(
        "scala3",
        "sc scala",
        ("-- [",),
        (),
    ),
    parser(
        "dotnet",
        "cs csproj dotnet fail fs fsproj msb netsdk nu sln update vb vbproj",
        ("Exception: ", "Couldn't find a project to run", "Could not execute because"),
        (),
    ),
    parser(
        "scripting",
        "aborted args asserting bareword bundler called compatible composer erl ex execution exs extension gem gemfile "
        "gemspec global haml https input jl know locate lua perl php pl pm pp r rake rb rspec ruby scss slim "
        "procedure subroutine uncaught unchecked wrong",
        (
            "** (",
            "Error in ",
            "ERROR: LoadError",
            "-e:",
            "cannot load such file",
            " on line ",
            "Parse error: ",
            "Your lock file",
            "could not find function",
            'The task "',
        ),
        (),
    ),
    parser(
        "functional",
        "cabal dart elm ghc hs interactive lhs ml mli nim purescript purs swift unbound xcodebuild zig",
        (
            "rror found:",
            "arning found:",
            ", characters ",
            "• ",
            "Could not find module",
            "** BUILD FAILED **",
            "unknown package",
            "Could not resolve dependencies",
            "Error: Library",
        ),
        (),
    ),
    parser(
        "git",
        "abort access argument auth authentication automatic branch changes clone commit conflict corrupt "
        "destination early empty entries exceeds exists fatal forward gh git graphql hook http merged nothing "
        "overwritten ownership patch patches pathspec please publickey push reconcile ref rejected repository "
        "requests rpc svn tracking unexpectedly unmerged unrelated upstream username worktree",
        (
            "abort: ",
            "Permission denied (publickey",
            "nothing to commit",
            "error: unknown option",
            "bad revision",
            "unknown revision",
            " a valid object name",
            "invalid reference",
            "index.lock",
            "No such remote",
            "unknown command",
            "is not a valid",
        ),
        (),
    ),
    parser(
        "ops",
        "access address allocated ansible aws az context copy crashloopbackoff credentials daemon docker "
        "dockerfile errimagepull flag gcloud group helm imagepullbackoff job kubectl manifest matches oomkilled "
        "opentofu operation profile provided repo resource solve specify systemd terraform tf unrecognized "
        "upgrade vagrant validating zero",
        (
            "│ Error: ",
            "ERROR! ",
            "fatal: [",
            "failed to solve",
            "Error from server",
            "An error occurred (",
            "Failed to ",
            "pull access denied",
            "onnect to the server",
            "is already in use by container",
            "No such container",
            "executable file not found in $PATH",
            "did not complete successfully",
            "unknown instruction",
            "no such service",
            "The connection to the server",
            "error parsing",
            "unknown command",
            "INSTALLATION FAILED",
        ),
        (),
    ),
    parser(
        "sql",
        "authentication mongonetworkerror mongoservererror msg mysql near ora pg psql redis sqlite sqlstate translate",
        (
            "ERROR:  ",
            "FATAL:  ",
            "ERROR 1",
            "ERROR 2",
            "(error) ",
            "connection to server",
            "connect to server",
            "connect to Redis",
            "Parse error",
            "Error: in prepare",
            "Error: stepping, ",
            "Error: unable to open database",
            "Login failed for user",
        ),
        (),
    ),
    parser(
        "net",
        "address certificate connecting curl dial exchange http identification key known lookup lost nc option reset "
        "resolution route rsync ssh unprotected unreachable verification wget",
        (
            "onnection refused",
            "timed out",
            "ould not resolve host",
            "Name or service",
            "ermission denied (",
            "unable to resolve",
            "lost connection",
        ),
        (),
    ),
    parser(
        "packages",
        "apt argument brew candidate dnf dpkg fetch formula formulae get interrupted locate match pacman select "
        "signed unmet",
        (
            "E: ",
            "W: ",
            "no such package",
            "target not found",
            "No package ",
            "Unable to find a match",
            "Could not open lock file",
        ),
        (),
    ),
    parser(
        "shell",
        "archive argument arguments awk balance bash cat cd cmd cp dash denied device directory division document "
        "event fish found grep identifier illegal integer interpreter invalid jq killed list ls matches must mv near "
        "operator option parameter parse permitted predicate readonly recognized redirect rm sed sh subscript "
        "substitution such sudo sudoers tar terminated unexpected unrecognized usage variable zsh",
        (
            "command not found: ",
            "Unknown command",
            "Syntax error: ",
            " format error",
            "cannot execute",
            "no such file or directory: ",
            "Is a directory",
            "exit status ",
            "cannot find or open ",
        ),
        (),
    ),
    parser(
        "resources",
        "alloc allocate allocation compiled cuda cudnn deadline device driver exceeded exhausted java kernel kill "
        "many memory nccl sigkill signal timeout",
        (
            " of memory",
            "allocate memory",
            "left on device",
            "timed out",
            "heap space",
            "many open files",
            "no kernel image",
        ),
        (),
    ),
)
