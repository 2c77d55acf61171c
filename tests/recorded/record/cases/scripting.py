"""Ruby, PHP, Perl, Lua, R, Tcl, Elixir, Lisps: programs that end in an error."""

from __future__ import annotations

from tests.recorded.record.case import Case


def _script(
    tool: str,
    cause: str,
    family: str,
    body: str,
    *,
    ending: str,
    run: str,
    wrap: tuple[str, str] = ("", ""),
    wraps: tuple[str, ...] = (),
    head: str = "",
    version: str = "",
) -> Case:
    """The fault at the top of a file; in the second take inside a function of another."""
    top, bottom = wrap
    inside = f"{head}@pad\n{top}{body}{bottom}" if top else f"{head}@pad\n{body}"
    return Case(
        tool,
        f"{tool}-{cause}",
        f"{tool}-{family}",
        f"{run} @file.{ending}",
        {f"@file.{ending}": f"{head}@pad\n{body}"},
        f"{run} lib/@dir/@file.{ending}",
        {f"lib/@dir/@file.{ending}": inside},
        wraps=wraps,
        version=version,
    )


def _ruby(cause: str, family: str, body: str, *, wraps: tuple[str, ...] = ()) -> Case:
    return _script(
        "ruby",
        cause,
        family,
        body,
        ending="rb",
        run="ruby",
        wrap=("def @verb\n", "end\n\nputs '@thing'\n@verb\n"),
        wraps=wraps,
    )


def _php(cause: str, family: str, body: str, *, wraps: tuple[str, ...] = ()) -> Case:
    return _script(
        "php",
        cause,
        family,
        body,
        ending="php",
        run="php",
        wrap=("function @verb() {\n", '}\n\necho "@thing\\n";\n@verb();\n'),
        wraps=wraps,
        head="<?php\n",
    )


def _perl(cause: str, family: str, body: str, *, wraps: tuple[str, ...] = ()) -> Case:
    return _script(
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
    return _script(
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
    return _script(
        "Rscript",
        cause,
        family,
        body,
        ending="R",
        run="Rscript",
        wrap=("@verb <- function() {\n", "}\n\ncat('@thing\\n')\n@verb()\n"),
    )


def _elixir(cause: str, family: str, body: str) -> Case:
    return _script(
        "elixir",
        cause,
        family,
        body,
        ending="exs",
        run="elixir",
        wrap=("defmodule @Thing do\n  def @verb do\n", "  end\nend\n\n@Thing.@verb()\n"),
    )


_SPEC = "RSpec.describe 'prices' do\n  it '{}' do\n    expect(@n + 1).to eq(@m)\n  end\nend\n"

CASES = [
    _ruby(
        "undefined-method-for-nil-upcase",
        "undefined-method-for-nil",
        "@thing = nil\n@thing.upcase\n",
        wraps=("make", "ci"),
    ),
    _ruby("undefined-method-for-nil-each", "undefined-method-for-nil", "{}[:@thing].each { |x| puts x }\n"),
    _ruby("undefined-local-variable-total", "undefined-name", "puts total + @n\n"),
    _ruby("uninitialized-constant-Money", "uninitialized-constant", "puts Money.new(@n)\n"),
    _ruby("cannot-load-nokogiri", "cannot-load", "require 'nokogiri'\n", wraps=("make",)),
    _ruby("cannot-load-pg", "cannot-load", "require 'pg'\n"),
    _ruby("cannot-load-relative-settings", "cannot-load-relative", "require_relative 'settings'\n"),
    _ruby("key-error-currency", "key-error", "{ total: @n }.fetch(:currency)\n"),
    _ruby("key-error-env-API_URL", "key-error", "ENV.fetch('API_URL')\n"),
    _ruby("zero-division", "zero-division", "puts @n / 0\n"),
    _ruby("type-error-string-integer", "type-error", "puts '@thing' + @n\n"),
    _ruby("argument-error-integer", "argument-error", "Integer('@thing')\n"),
    _ruby("wrong-number-of-arguments", "wrong-number-of-arguments", "[].first(1, @n)\n"),
    _ruby("enoent-config-yml", "enoent", "File.read('config.yml')\n"),
    _ruby("econnrefused", "econnrefused", "require 'socket'\nTCPSocket.new('127.0.0.1', 60@m)\n"),
    _ruby("own-error-quota", "own-error", "raise 'quota used up'\n"),
    _ruby("cause-key-error", "cause", "begin\n  {}.fetch(:port)\nrescue KeyError\n  raise 'no port for @thing'\nend\n"),
    _ruby("frozen-error", "frozen", "'@thing'.freeze << '@n'\n"),
    _ruby("stack-level-too-deep", "stack-level-too-deep", "walk = ->(x) { walk.(x + @n) }\nwalk.(0)\n"),
    _ruby("json-parse-error", "json-parse", "require 'json'\nJSON.parse('{ \"@thing\": @n, }')\n"),
    Case(
        "ruby",
        "ruby-syntax-unexpected-end",
        "ruby-syntax",
        "ruby @file.rb",
        {"@file.rb": "@pad\ndef @verb\n  puts @n\n"},
        "ruby lib/@file.rb",
        {"lib/@file.rb": "@pad\nclass @Thing\n  def @verb\n    puts @n\nend\n"},
        wraps=("make",),
    ),
    Case("ruby", "ruby-no-such-file", "ruby-no-such-file", "ruby @file.rb", b_command="ruby -W lib/@file.rb"),
    Case(
        "rspec",
        "rspec-failed-adds",
        "rspec-failed",
        "rspec",
        {"spec/@file_spec.rb": "@pad\n" + _SPEC.format("adds")},
        "rspec --format documentation",
        wraps=("make", "colour"),
        colour="rspec --force-color",
    ),
    Case(
        "rspec",
        "rspec-failed-refunds",
        "rspec-failed",
        "rspec",
        {"spec/@file_spec.rb": "@pad\n" + _SPEC.format("refunds")},
        "rspec --format documentation",
    ),
    Case(
        "rspec",
        "rspec-load-error-nokogiri",
        "rspec-load-error",
        "rspec",
        {"spec/@file_spec.rb": "@pad\nrequire 'nokogiri'\n"},
        "rspec -fd",
    ),
    Case(
        "minitest",
        "minitest-failed-test_total",
        "minitest-failed",
        "ruby test_@file.rb",
        {
            "test_@file.rb": (
                "require 'minitest/autorun'\n@pad\nclass Test@Thing < Minitest::Test\n  def test_total\n"
                "    assert_equal @n + 1, @m\n  end\nend\n"
            )
        },
        "ruby test_@file.rb --verbose",
        version="ruby -e 'require \"minitest\"; puts Minitest::VERSION'",
    ),
    Case("bundler", "bundler-no-gemfile", "bundler-no-gemfile", "bundle install", b_command="bundle exec rake @thing"),
    Case(
        "bundler",
        "bundler-gem-not-found-leftpadd",
        "bundler-gem-not-found",
        "bundle install --local",
        {"Gemfile": "source 'https://rubygems.example.com'\n@pad\ngem 'leftpadd'\n"},
    ),
    Case(
        "bundler",
        "bundler-command-not-found-railsx",
        "bundler-command-not-found",
        "bundle exec railsx",
        {"Gemfile": "@pad\n"},
        "bundle exec railsx server -p @m",
    ),
    Case(
        "gem",
        "gem-command-unreachable",
        "gem-unreachable",
        "gem install left@thing --source http://127.0.0.1:41@m",
        version="gem --version",
    ),
    Case("rake", "rake-no-rakefile", "rake-no-rakefile", "rake build", b_command="rake -s @thing"),
    Case("rake", "rake-unknown-task-deploy", "rake-unknown-task", "rake deploy", {"Rakefile": "@pad\ntask :build\n"}),
    Case(
        "rake",
        "rake-failed-undefined-local-total",
        "rake-aborted",
        "rake build",
        {"Rakefile": "@pad\ntask :build do\n  puts total + @n\nend\n"},
    ),
    Case(
        "rubocop",
        "rubocop-Lint/UselessAssignment".replace("/", "-"),
        "rubocop-Lint-UselessAssignment",
        "rubocop --cache false --only Lint",
        {"@file.rb": "def @verb\n  total = @n\nend\n"},
        "rubocop --cache false --only Lint lib",
        {"lib/@file.rb": "@pad\ndef @verb(x)\n  total = x\nend\n"},
        wraps=("make",),
    ),
    _php("undefined-function-parse_row", "undefined-function", "parse_row(@n);\n", wraps=("make", "ci")),
    _php("class-not-found-Money", "class-not-found", "$@thing = new Money(@n);\n"),
    _php("method-on-null-save", "method-on-null", "$@thing = null;\n$@thing->save();\n"),
    _php("undefined-method-close", "undefined-method", "$@thing = new ArrayObject([@n]);\n$@thing->close();\n"),
    _php("division-by-zero", "division-by-zero", "echo intdiv(@n, 0);\n"),
    _php("require-missing-autoload", "require-failed", "require 'vendor/autoload.php';\n", wraps=("make",)),
    _php("type-error-strlen-array", "type-error", "strlen([@n]);\n"),
    _php("argument-count-connect", "argument-count", "(function (int $a, int $b) {})(@n);\n"),
    _php("uncaught-own-quota", "uncaught", "throw new RuntimeException('quota used up');\n"),
    _php(
        "previous-exception-json",
        "previous",
        (
            "try {\n  json_decode('{', false, 5, JSON_THROW_ON_ERROR);\n} catch (JsonException $e) {\n"
            "  throw new RuntimeException('could not @verb', 0, $e);\n}\n"
        ),
    ),
    _php("memory-exhausted", "memory-exhausted", "ini_set('memory_limit', '8M');\n$@thing = range(1, 9000000);\n"),
    Case(
        "php",
        "php-syntax-unexpected-brace",
        "php-syntax",
        "php @file.php",
        {"@file.php": "<?php\n@pad\nfunction @verb() {\n  return @n\n}\n"},
        "php -l lib/@file.php",
        {"lib/@file.php": "<?php\n@pad\nfunction @verb($x) {\n  return $x + @n\n}\n"},
    ),
    Case(
        "php",
        "php-could-not-open-file",
        "php-no-such-file",
        "php @file.php",
        b_command="php -d memory_limit=1G bin/@file.php",
    ),
    Case(
        "phpunit",
        "phpunit-failed-testTotal",
        "phpunit-failed",
        "phpunit @ThingTest.php",
        {
            "@ThingTest.php": (
                "<?php\n@pad\nuse PHPUnit\\Framework\\TestCase;\n\nclass @ThingTest extends TestCase {\n"
                "  public function testTotal(): void {\n    $this->assertSame(@n + 1, @m);\n  }\n}\n"
            )
        },
        "phpunit --testdox @ThingTest.php",
        wraps=("make", "colour"),
        colour="phpunit --colors=always @ThingTest.php",
    ),
    Case(
        "phpunit",
        "phpunit-failed-testRefund",
        "phpunit-failed",
        "phpunit @ThingTest.php",
        {
            "@ThingTest.php": (
                "<?php\n@pad\nuse PHPUnit\\Framework\\TestCase;\n\nclass @ThingTest extends TestCase {\n"
                "  public function testRefund(): void {\n    $this->assertSame(@n + 1, @m);\n  }\n}\n"
            )
        },
        "phpunit --testdox @ThingTest.php",
    ),
    Case(
        "composer",
        "composer-no-composer-json",
        "composer-no-composer-json",
        "composer install --no-interaction",
        b_command="composer update -n -q || composer update -n",
    ),
    Case(
        "composer",
        "composer-json-syntax",
        "composer-json-syntax",
        "composer install --no-interaction",
        {"composer.json": '{"name": "@user/@thing",}\n'},
        "composer validate -n",
    ),
    Case(
        "composer",
        "composer-package-unreachable",
        "composer-unreachable",
        "composer require --no-interaction acme/payments",
        {
            "composer.json": (
                '{"repositories": [{"packagist.org": false}, {"type": "composer", "url": '
                '"http://127.0.0.1:41@m"}], "config": {"secure-http": false}}'
            )
        },
        "composer update -n",
        {
            "composer.json": (
                '{"require": {"acme/payments": "*"}, "repositories": [{"packagist.org": false}, {"type": '
                '"composer", "url": "http://127.0.0.1:41@m"}], "config": {"secure-http": false}}'
            )
        },
    ),
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
