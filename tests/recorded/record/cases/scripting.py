"""Perl, Lua, R, Tcl, Elixir, Lisps: programs that end in an error."""

from __future__ import annotations

from tests.recorded.record.case import Case
from tests.recorded.record.shapes import script


def _perl(cause: str, family: str, body: str, *, wraps: tuple[str, ...] = ()) -> Case:
    return script(
        "perl",
        cause,
        family,
        body,
        ending="pl",
        run="perl",
        wrap=("sub @verb {\n", '}\n\nprint "@thing\\n";\n@verb();\n'),
        wraps=wraps,
        head="use strict;\nuse warnings;\n",
    )


def _lua(cause: str, family: str, body: str, *, wraps: tuple[str, ...] = ()) -> Case:
    return script(
        "lua",
        cause,
        family,
        body,
        ending="lua",
        run="lua5.4",
        wrap=("local function @verb()\n", "end\n\nprint('@thing')\n@verb()\n"),
        wraps=wraps,
        version="lua5.4 -v",
    )


def _r(cause: str, family: str, body: str) -> Case:
    return script(
        "Rscript",
        cause,
        family,
        body,
        ending="R",
        run="Rscript",
        wrap=("@verb <- function() {\n", "}\n\ncat('@thing\\n')\n@verb()\n"),
    )


def _elixir(cause: str, family: str, body: str) -> Case:
    return script(
        "elixir",
        cause,
        family,
        body,
        ending="exs",
        run="elixir",
        wrap=("defmodule @Thing do\n  def @verb do\n", "  end\nend\n\n@Thing.@verb()\n"),
    )


CASES = [
    _perl("missing-module-Moose", "missing-module", "require Moose;\n", wraps=("make", "ci")),
    _perl("missing-module-DBI-Pgx", "missing-module", "require DBD::Pgx;\n"),
    _perl("undefined-subroutine-parse_row", "undefined-subroutine", "parse_row(@n);\n"),
    _perl("global-symbol-total", "global-symbol", "print $total + @n;\n"),
    _perl("method-on-undefined-close", "method-on-undefined", "my $@thing;\n$@thing->close();\n"),
    _perl("not-a-hash-reference", "not-a-reference", "my $@thing = [@n];\nprint $@thing->{id};\n"),
    _perl("division-by-zero", "division-by-zero", "my $@thing = 0;\nprint @n / $@thing;\n"),
    _perl("die-quota", "die", "die 'quota used up';\n"),
    _perl("syntax-error-missing-brace", "syntax", "if (@n) {\n  print '@thing';\n"),
    _perl("cannot-open-input", "die", "open(my $fh, '<', 'input.csv') or die \"cannot open input.csv: $!\";\n"),
    Case("perl", "perl-cannot-open-script", "perl-no-such-file", "perl @file.pl", b_command="perl -w lib/@file.pl"),
    _lua("index-nil-name", "index-nil", "local @thing\nprint(@thing.name)\n", wraps=("make",)),
    _lua("call-nil-parse_row", "call-nil", "parse_row(@n)\n"),
    _lua("module-not-found-cjsonx", "module-not-found", "require('cjsonx')\n"),
    _lua("arithmetic-on-string", "arithmetic", "print({} + @n)\n"),
    Case(
        "lua",
        "lua-syntax-end-expected",
        "lua-syntax",
        "lua5.4 @file.lua",
        {"@file.lua": "@pad\nif true then\n  print(@n)\n"},
        version="lua5.4 -v",
    ),
    _r("object-not-found-total", "object-not-found", "print(total + @n)\n"),
    _r("function-not-found-parse_row", "function-not-found", "parse_row(@n)\n"),
    _r("no-package-ggplotx", "no-package", "library(ggplotx)\n"),
    _r("non-numeric-argument", "non-numeric", "print('@thing' + @n)\n"),
    _r("cannot-open-file", "cannot-open", "read.csv('input.csv')\n"),
    Case(
        "tclsh",
        "tclsh-no-variable-total",
        "tclsh-no-variable",
        "tclsh @file.tcl",
        {"@file.tcl": "@pad\nputs [expr {$total + @n}]\n"},
        version="echo 'puts $tcl_patchLevel' | tclsh",
    ),
    Case(
        "tclsh",
        "tclsh-invalid-command-parse_row",
        "tclsh-invalid-command",
        "tclsh @file.tcl",
        {"@file.tcl": "@pad\nparse_row @n\n"},
        version="echo 'puts $tcl_patchLevel' | tclsh",
    ),
    _elixir("undefined-function-parse_row", "undefined-function", 'IO.puts(String.parse_row("@n"))\n'),
    _elixir("match-error", "match-error", "{:ok, _} = {:error, :closed}\n"),
    _elixir("key-error-currency", "key-error", "Map.fetch!(%{total: @n}, :currency)\n"),
    _elixir("arithmetic-error", "arithmetic-error", "IO.puts(:@thing + @n)\n"),
    Case(
        "elixir",
        "elixir-syntax-missing-end",
        "elixir-syntax",
        "elixir @file.exs",
        {"@file.exs": "@pad\ndefmodule @Thing do\n  def @verb, do: @n\n"},
    ),
    Case(
        "sbcl",
        "sbcl-undefined-function-parse-row",
        "sbcl-undefined-function",
        "sbcl --script @file.lisp",
        {"@file.lisp": "@pad\n(parse-row @n)\n"},
    ),
    Case(
        "sbcl",
        "sbcl-unbound-variable-total",
        "sbcl-unbound-variable",
        "sbcl --script @file.lisp",
        {"@file.lisp": "@pad\n(print (+ total @n))\n"},
    ),
    Case(
        "guile",
        "guile-unbound-variable-total",
        "guile-unbound-variable",
        "guile --no-auto-compile @file.scm",
        {"@file.scm": "@pad\n(display (+ total @n))\n"},
    ),
]
