"""PHP and its tools."""

from __future__ import annotations

from tests.recorded.record.case import Case
from tests.recorded.record.shapes import script


def _php(cause: str, family: str, body: str, *, wraps: tuple[str, ...] = ()) -> Case:
    return script(
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


CASES = [
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
]
