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
        "coverage deselected failures markers name py pytest required tests unknown unrecognized usageerror",
        ("= FAILURES =", "= ERRORS =", "\nE   ", "INTERNALERROR>"),
        ("python",),
    ),
    parser(
        "unittest",
        "",
        (
            "\n======================================================================\n",
            "FAIL: ",
            "Failed example:",
            "\nFAILED (",
        ),
        ("python",),
    ),
    parser(
        "python",
        "module open python sitecustomize traceback unknown",
        ("Error", "Exception: ", "Interrupt", "Warning: "),
        (),
    ),
    parser(
        "pythontools",
        "build building cause command condaerror confidence connection d dependencies dependency different "
        "distribution environment environmentnamenotfound evaluation externally format generation incorrectly "
        "installable interpreter invocationerror ipynb issue libmambaunsatisfiableerror lockfile matching mypy "
        "notice nox option packages packagesnotfounderror perhaps pip poetry project py pyi pyproject read "
        "reformat registry report requirement requirements resolutionimpossible significantly solution spawn "
        "subprocess syntax unformatted unsatisfiableerror version versions wheels",
        (),
        (),
    ),
    parser(
        "node",
        "bun deno eacces ebusy eexist eisdir emfile enoent enospc enotdir enotempty eperm erofs find javascript "
        "module node option relative requires script trace uncaught",
        ("Error: ", "Error [", "\n    at ", "Rejection", "Exception: "),
        (),
    ),
    parser(
        "npm",
        "bun canceled command couldn elifecycle engine executable finished husky lerna lifecycle lockfile npm nx "
        "package packagemanager pnpm recursive run script unknown versions workspaces yarn yn",
        (),
        (),
    ),
    parser(
        "typescript",
        "cjs command cts js jsx mjs mts svelte ts tsx vue",
        (),
        (),
    ),
    parser(
        "weblint",
        "definition eslint internalerror issues matching parsing prettier problem problems standard ts tsx violations",
        ("  error  ", "  warning  ", "━━", "Error ---", "Error ┈", ", Error - ", ", Warning - "),
        (),
    ),
    parser(
        "bundlers",
        "build compile config configuration csssyntaxerror during exported if module occurred plugin preset "
        "resolve rollup rolluperror type vite webpack",
        ("✘ [ERROR]", ": ERROR: ", "✘"),
        (),
    ),
    parser(
        "jstest",
        "cypress encountered executable failing files jest module playwright suite tests threshold vitest",
        ("● ", " FAIL ", "\nFAIL ", "FAIL  ", "not ok ", "(fail) ", "✗ ", " › "),
        ("node",),
    ),
    parser(
        "c",
        "c cc clang collect command compilation cpp cu cxx definition duplicate f find format framework gcc h hh "
        "hidden hpp incompatible inl ld library lnk m missing mm nvcc output ptxas recompile region relocation "
        "returned undefined",
        ("Undefined symbols",),
        (),
    ),
    parser(
        "build",
        "bazel build cmake command configure denied gmake invalid just justfile make meson ninja recipe scons "
        "separator specified stop stopped target targets task undefined",
        ("FAILED: ", "*** "),
        (),
    ),
    parser(
        "crash",
        "abort aborted assert assertion bug bus corrupted dcheck definitely double exception failure fault free "
        "instruction invalid libraries library malloc overflow reached realloc received required sig smashing "
        "symbol terminated uninitialised virtual",
        (
            "Sanitizer",
            "#0 ",
            "runtime error: ",
            "libFuzzer",
            "terminate called",
            "ailed: ",
            " fault",
            "failure: ",
            "+0x",
            "\nF0",
            "\nF1",
        ),
        (),
    ),
    parser(
        "rust",
        "aborting build cargo command compile diff feature installed linker linking lock matching panicked parse "
        "rerun rs rustc successfully target toolchain version workspace",
        ("error[E", " --> "),
        (),
    ),
    parser(
        "go",
        "address allowed concurrent data executable files go golangci goroutine goroutines inconsistent level "
        "missing mod module package panic parsing permission providing required requires revision timed unknown "
        "updates",
        ("--- FAIL", "FAIL\t", ": no such file"),
        ("crash",),
    ),
    parser(
        "jvm",
        "artifact attribute build class command compilation compile contain dependencies e execute failing "
        "failure failures find gradle groovy initialization invalid jarfile java javac kt kts lifecycle locate "
        "maven method parseable plugin property resolvable resolve sbt sc scala symbol there unrecognized "
        "unresolved unsupportedclassversionerror virtual w",
        ("Exception", "[ERROR]", "Caused by: ", "Error: "),
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
        "cs csproj dotnet execute fail fs fsproj install msb netsdk nu project sln vb vbproj",
        ("Exception: ",),
        (),
    ),
    parser(
        "scripting",
        "asserting bareword build command compatible compilation composer dependencies e erl ex execution exs "
        "extension find function gemfile gemspec global haml https input jl load locate lua module package parse "
        "perl php pl pm pp r rake rb ruby script scss slim subroutine syntax task uncaught valid version your",
        ("** (", "Error in ", "rspec", "ERROR: LoadError", "-e:"),
        (),
    ),
    parser(
        "functional",
        "build cabal dart dependencies elm exception ghc hs interactive lhs library ml mli module nim purescript "
        "purs swift unbound unknown xcodebuild zig",
        ("rror found:", "arning found:", ", characters ", "• "),
        (),
    ),
    parser(
        "git",
        "abort already ambiguous authentication automatic changes clone command commit conflict corrupt couldn "
        "current destination empty entries exceeds fatal forward graphql hook http index information login merged "
        "nothing object overwritten ownership patch patches pathspec permission please push reconcile reference "
        "rejected remote repository requests revision svn unable unknown unmerged unrelated upstream username "
        "valid worktree",
        ("abort: ",),
        (),
    ),
    parser(
        "ops",
        "access address allocated command configuration connect connection container context copy "
        "crashloopbackoff credentials current docker dockerfile errimagepull executable gcloud imagepullbackoff "
        "installation instruction job login manifest matches occurred oomkilled opentofu operation parsing "
        "permission prepare profile repo resource response returned server service solve specify successfully "
        "systemd terraform tf unknown unrecognized upgrade vagrant validating",
        ("│ Error: ", "ERROR! ", "fatal: [", "failed to "),
        (),
    ),
    parser(
        "sql",
        "authentication column connect connection database function login mongonetworkerror mongoservererror msg "
        "mysql near ora parse pg prepare psql relation role runtime sqlite sqlstate table translate",
        ("ERROR:  ", "FATAL:  ", "ERROR 1", "ERROR 2", "(error) "),
        (),
    ),
    parser(
        "net",
        "certificate connecting connection curl denied dial exchange http identification load lookup nc refused "
        "reset resolution resolve route rsync service ssh timed unprotected unreachable verification wget",
        (),
        (),
    ),
    parser(
        "packages",
        "apt argument available dependencies dpkg e fetch formulae installation interrupted lock open package "
        "packages signed target unable w",
        ("E: ", "W: "),
        (),
    ),
    parser(
        "shell",
        "ambiguous arguments awk bash can cannot cat cmd command cp dash denied device division dl document event "
        "execute expression find format found grep identifier illegal interpreter invalid jq killed list ls "
        "matches md must mv operator option parameter parse permitted readonly recognized rm sc sed sh status "
        "substitution such sudo sudoers syntax tar terminated unexpected unknown unrecognized usage variable zsh",
        (),
        (),
    ),
    parser(
        "resources",
        "alloc allocate allocation available command compiled cuda cudnn deadline device driver exceeded "
        "exhausted files kill memory nccl sigkill signal space timed timeout",
        (),
        (),
    ),
)
