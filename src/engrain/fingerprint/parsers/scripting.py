"""Ruby, PHP, Perl, Lua, R, Elixir and Erlang, Julia: interpreters, their packages and their tests."""

from __future__ import annotations

from engrain.fingerprint.rows import lines_like, pattern_of, row, scan, table
from engrain.model import NOISE, SECOND, WARNING, WRAPPER, diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from engrain.model import Diagnostic

ROWS = table(
    # Ruby
    row(
        "ruby",
        "cannot load such file",
        r"cannot load such file -- (?P<module>[^\s(]+)",
        "LoadError",
        says="cannot load such file",
    ),
    row(
        "ruby",
        "syntax error",
        r"^(?P<file>\S+\.rb|-e):\d+: (?:syntax error|.*\(SyntaxError\))(?P<message>.*)",
        "SyntaxError",
    ),
    row(
        "ruby",
        ".rb:",
        r"(?<![^\s:])(?P<file>[^\s:]{1,300}\.rb):\d+:(?:in .*?:)? (?P<message>.*) \((?P<type>[A-Z][\w:]+)\)$",
    ),
    row("ruby", "-e:", r"^-e:\d+:(?:in .*?:)? (?P<message>.*) \((?P<type>[A-Z][\w:]+)\)$"),
    row(
        "ruby",
        ":in ",
        r"^\S{1,400}?:\d+:in .*?: (?P<message>.*) \((?P<type>[A-Z]\w*(?:::[A-Z]\w*)*(?:Error|Exception"
        r"|NotFound|Exit|Interrupt|Refused\w*|ENOENT|EACCES|[A-Z]\w+))\)$",
    ),
    row("bundler", "Could not find gem", r"Could not find gem '(?P<gem>[\w-]+)", "no such gem", says=""),
    row(
        "bundler",
        "Could not find ",
        r"Could not find (?P<gem>[\w-]+)-\d[\w.]* in (?:any of the sources|locally installed gems|rubygems)",
        "no such gem",
        says="",
    ),
    row("bundler", "Could not locate Gemfile", r"(?P<message>Could not locate Gemfile)", "no Gemfile", says=""),
    row(
        "bundler",
        "Bundler could not find compatible versions",
        r"could not find compatible versions for gem \"(?P<gem>[\w-]+)\"",
        "conflict",
        says="",
    ),
    row("bundler", "command not found", r"bundler: command not found: (?P<command>\S+)", "no such command", says=""),
    row(
        "bundler",
        "Your Ruby version is",
        r"(?P<message>Your Ruby version is \S+, but your Gemfile specified)",
        "ruby version",
        says="",
    ),
    row("gem", "Could not find a valid gem", r"Could not find a valid gem '(?P<gem>[^']+)'", "no such gem", says=""),
    row(
        "gem",
        "Failed to build gem native extension",
        r"(?P<message>Failed to build gem native extension)",
        "native extension",
        SECOND,
        says="",
    ),
    row(
        "rake",
        "Don't know how to build task",
        r"Don't know how to build task '(?P<task>[^']+)'",
        "no such task",
        says="",
    ),
    row(
        "rubocop",
        ": ",
        r"^(?P<file>\S+?\.(?:rb|rake|slim|erb|gemspec)):\d+:\d+: (?P<_level>[CWEFR]): (?:\[Corr\w+\] "
        r")?(?P<code>[A-Z]\w+/\w+): (?P<message>.*)",
    ),
    row("slim-lint", " [", r"^(?P<file>\S+\.(?:slim|haml|scss)):\d+ \[[WE]\] (?P<code>\w+): (?P<message>.*)"),
    row("sorbet", "https://srb.help/", r"^(?P<file>\S+\.rb):\d+: (?P<message>.*?) https://srb\.help/(?P<code>\d+)$"),
    row("puppet", " on line ", r"^(?P<file>\S+\.pp) - (?:ERROR|WARNING): (?P<message>.*) on line \d+"),
    # PHP
    row("php", "Uncaught", r"PHP Fatal error: +Uncaught (?P<type>[\w\\]+): (?P<message>.*?)(?: in \S+:\d+)?$"),
    row("php", "Uncaught", r"^Fatal error: Uncaught (?P<type>[\w\\]+): (?P<message>.*?)(?: in \S+:\d+)?$"),
    row(
        "php",
        "Parse error: ",
        r"^(?:PHP )?Parse error: {1,9}(?P<message>syntax error, unexpected) (?!end of file)[a-z -]{1,40}"
        r"\"[^\"]{0,200}\"(?:, expecting .*)? in \S+(?: on line \d+)?$",
        "Parse error",
    ),
    row(
        "php", "Parse error: ", r"^(?:PHP )?Parse error: {1,9}(?P<message>\S.*?) in \S+(?: on line \d+)?", "Parse error"
    ),
    row(
        "php", "Fatal error: ", r"^(?:PHP )?Fatal error: {1,9}(?P<message>\S.*?) in \S+(?: on line \d+)?", "Fatal error"
    ),
    row("php", "Warning: ", r"^(?:PHP )?Warning: {1,9}(?P<message>\S.*?) in \S+ on line \d+", "Warning", WARNING),
    row("php", "Could not open input file", r"^Could not open input file: (?P<_message>.*)", "no such file", says=""),
    row(
        "composer",
        "could not be found",
        r"(?:package|Package) \"?(?P<package>[\w.-]+/[\w.-]+)\"? (?:.*)could not be found",
        "no such package",
        says="",
    ),
    row(
        "composer",
        "Root composer.json requires",
        r"Root composer\.json requires (?:PHP extension )?(?P<package>[\w./-]+)",
        "requirements",
        says="",
    ),
    row(
        "composer",
        "Your lock file",
        r"(?P<message>Your lock file does not contain a compatible set)",
        "lockfile",
        says="",
    ),
    row(
        "composer",
        "Composer could not find a composer.json",
        r"(?P<message>Composer could not find a composer.json)",
        "no composer.json",
        says="",
    ),
    row("phpunit", "Failed asserting", r"^(?P<message>Failed asserting .*)", "assertion", SECOND),
    row("phpstan", "------ ---", r"^ -{4,} -{4,}", "errors", SECOND, says=""),
    row("phpcs", "FOUND ", r"FOUND \d+ ERRORS?", "errors", SECOND, says=""),
    # Perl
    row("perl", "Can't locate", r"Can't locate (?P<module>[\w/:]+)(?:\.pm)? in @INC", "missing module", says=""),
    row(
        "perl",
        "Can't locate object method",
        r"Can't locate object method \"(?P<method>\w+)\" via package \"(?P<_package>[\w:]+)\"",
        "no such method",
        says="",
    ),
    row(
        "perl",
        "Global symbol",
        r"Global symbol \"(?P<symbol>[^\"]+)\" requires explicit package name",
        "strict",
        says="",
    ),
    row(
        "perl", "Undefined subroutine", r"Undefined subroutine &(?P<sub>[\w:]+) called", "undefined subroutine", says=""
    ),
    row("perl", "Bareword", r"Bareword \"(?P<_word>[^\"]+)\" not allowed", "bareword", says=""),
    row("perl", "syntax error at", r"^(?P<message>syntax error) at (?P<file>\S+) line \d+", "syntax error", says=""),
    row(
        "perl",
        "aborted",
        r"(?:BEGIN failed--compilation aborted|Execution of \S+ aborted due to compilation errors)",
        "compilation aborted",
        WRAPPER,
        says="",
    ),
    row("perl", "Can't open perl script", r"(?P<message>Can't open perl script) ", "no such file", says=""),
    row("perl", " line ", r"^(?P<message>\S.{3,200}?) at (?P<file>\S+\.(?:pl|pm|t)|-e) line \d+\.?$", "died"),
    # Tcl
    row("tcl", "wrong # args", r"^(?P<message>wrong # args): should be ", "wrong # args", says=""),
    # Prolog
    row("swipl", "Unknown procedure", r"Unknown procedure: (?P<procedure>\S+)", "unknown procedure", says=""),
    # Lua
    row("lua", "module '", r"lua\S*: .*module '(?P<module>[^']+)' not found", "module not found", says=""),
    row("lua", "lua", r"^lua\S*: (?:(?P<file>\S+\.lua):\d+: )?(?P<message>.*)"),
    # R
    row(
        "r",
        "there is no package called",
        r"there is no package called [‘'](?P<package>[^’']+)[’']",
        "no such package",
        says="",
    ),
    row(
        "r",
        "could not find function",
        r"could not find function [\"“](?P<function>[^\"”]+)",
        "no such function",
        says="",
    ),
    row("r", "' not found", r"object '(?P<object>[^']+)' not found", "object not found", says=""),
    row("r", "Error in ", r"^Error in (?P<_call>.*?) ?: ?(?P<message>.*)$"),
    row("r", "Execution halted", r"^Execution halted", "halted", WRAPPER, says=""),
    # Elixir, Erlang
    row("elixir", "** (", r"^\s*\*\* \((?P<type>[A-Z][\w.]+)\) (?P<message>.*)"),
    row(
        "elixir",
        "error: ",
        r"^\s*error: (?P<message>(?:undefined (?:function|variable)|module .* is not loaded|.* is undefined).*)",
        "CompileError",
    ),
    row("mix", 'The task "', r"The task \"(?P<task>[^\"]+)\" could not be found", "no such task", says=""),
    row(
        "mix", "Unchecked dependencies", r"(?P<message>Unchecked dependencies for environment)", "dependencies", says=""
    ),
    row("erlang", ".erl:", r"^(?P<file>\S+\.erl):\d+(?::\d+)?: (?P<message>.*)"),
    # Julia
    row("julia", "ERROR: ", r"^ERROR: (?:LoadError: )?(?P<type>[A-Z]\w+Error|[A-Z]\w+Exception): (?P<message>.*)"),
    row("julia", "Package ", r"ERROR: ArgumentError: Package (?P<package>\w+) not found", "no such package", says=""),
    row("ruby", "warning: ", r"^\S+\.rb:\d+: warning: .*", "warning", NOISE),
)

_OF_PHP = r"((?:readonly|private|protected|typed(?: static)?) property|Unhandled match case) .*"
_OF_LUA = (
    r"(attempt to (?:index|concatenate|compare|perform arithmetic on) .*?) \((?:global|local|field|upvalue) '.*?'\)"
)
"""Whether what was nil was a field or a local is the program's, unless it was to be called."""

_RSPEC = r"(?m)^ +Failure/Error:(?P<code>.*)\n(?P<body>(?:.*\n?){0,12})"


def find(text: str, words: Set[str]) -> Iterator[Diagnostic]:
    """Diagnostics of scripting languages."""
    for each in scan(ROWS, text, words):
        if each.toolchain == "perl" and each.type == "missing module":
            name = each.decides[0][1].removesuffix(".pm").replace("/", "::")
            yield each._replace(decides=(("module", name),))
        elif each.toolchain == "ruby":
            yield _ruby(each)
        elif each.toolchain == "php":
            yield each._replace(message=pattern_of(_OF_PHP).sub(r"\1 <name>", each.message))
        elif each.toolchain == "lua":
            yield each._replace(message=pattern_of(_OF_LUA).sub(r"\1", each.message))
        elif each.toolchain == "elixir":
            yield _elixir(each)
        else:
            yield each
    if "Error: unexpected " in text and "Execution halted" in text:
        for match in lines_like(r"\nError: (?P<message>unexpected .*)", text):
            yield diagnostic("r", "syntax", match["message"], at=match.start())
    if "Failed asserting" in text:
        yield from _phpunit(text)
    if "Failure/Error:" in text:
        yield from _rspec(text)


def _ruby(each: Diagnostic) -> Diagnostic:
    """`undefined method 'x' for nil:NilClass`: the receiver's class is there, the method is not."""
    if each.type == "LoadError" and each.decides and "/" in each.decides[0][1]:
        each = each._replace(decides=(("module", "./" + each.decides[0][1].rpartition("/")[2]),))
    if found := pattern_of(r"uninitialized constant (?:\S+::)?(?P<constant>[A-Z]\w*)").match(each.message):
        return each._replace(message="uninitialized constant", decides=(("constant", found["constant"]),))
    message = pattern_of(r"\(LoadError\)|:NilClass|#<[^>]{0,200}>?").sub("", each.message)
    message = pattern_of(r"for (?:an instance of )?([A-Z]\w*|:\w+)").sub("for <name>", message)
    return each._replace(message=message.strip())


def _elixir(each: Diagnostic) -> Diagnostic:
    """`undefined function total/0 (…)`: its name looks like a path, and why it is not there hangs on the module."""
    message = pattern_of(r"^\S+\.exs?:\d+: ").sub("", each.message)
    if found := pattern_of(r"(?P<said>undefined function) (?P<function>[\w.?!]+/\d+)").match(message):
        return each._replace(message=found["said"], decides=(("function", found["function"]),))
    return each._replace(message=message)


def _phpunit(text: str) -> Iterator[Diagnostic]:
    for match in pattern_of(
        r"(?m)^\d+\) (?P<suite>[\w\\]+)::(?P<test>\w+).*\n(?P<message>Failed asserting.*)"
    ).finditer(text):
        test = (("test", match["test"]),)
        yield diagnostic("phpunit", "assertion", match["message"], test, file=match["suite"], at=match.start())


def _rspec(text: str) -> Iterator[Diagnostic]:
    for match in pattern_of(_RSPEC).finditer(text):
        body = match["body"]
        test = pattern_of(r"(?m)^rspec \S+ # (?P<test>.*)$").search(text)
        if raised := pattern_of(r"(?m)^ +(?P<type>[A-Z]\w*(?:::\w+)*(?:Error|Exception)):\n +(?P<message>.*)$").search(
            body
        ):
            yield _ruby(diagnostic("ruby", raised["type"], raised["message"], at=match.start()))
        else:
            said = pattern_of(r"(?m)^ {6,}(?P<message>(?:expected|Expected)\b.*)$").search(body)
            decides = (("test", test["test"]),) if test else ()
            yield diagnostic(
                "rspec", "expectation", said["message"] if said else match["code"].strip(), decides, at=match.start()
            )
