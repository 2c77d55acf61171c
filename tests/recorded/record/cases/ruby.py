"""Ruby and its tools."""

from __future__ import annotations

from tests.recorded.record.case import Case
from tests.recorded.record.shapes import script


def _ruby(cause: str, family: str, body: str, *, wraps: tuple[str, ...] = ()) -> Case:
    return script(
        "ruby",
        cause,
        family,
        body,
        ending="rb",
        run="ruby",
        wrap=("def @verb\n", "end\n\nputs '@thing'\n@verb\n"),
        wraps=wraps,
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
        "bundler-missing-command",
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
]
