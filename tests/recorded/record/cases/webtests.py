"""JavaScript's test runners: jest, vitest, mocha."""

from __future__ import annotations

from tests.recorded.record.case import Case, Files


def _jest(cause: str, family: str, test: str, more: Files | None = None, *, wraps: tuple[str, ...] = ()) -> Case:
    rest = {"package.json": '{"name": "@thing", "jest": {"testEnvironment": "node"}}', **(more or {})}
    return Case(
        "jest",
        cause,
        family,
        "jest",
        {"@file.test.js": f"@pad\n{test}", **rest},
        "npx jest --ci --runInBand",
        {"@file.test.js": f"@pad\ntest('@thing is there', () => {{}});\n\n{test}", **rest},
        modules="ts5",
        wraps=wraps,
        colour="jest --color",
    )


def _vitest(cause: str, family: str, test: str, more: Files | None = None, *, wraps: tuple[str, ...] = ()) -> Case:
    head = "import { test, expect, vi } from 'vitest';\n"
    return Case(
        "vitest",
        cause,
        family,
        "vitest run",
        {"@file.test.ts": f"{head}@pad\n{test}", "package.json": '{"name": "@thing"}', **(more or {})},
        "npx vitest run --reporter=verbose",
        {
            "@file.test.ts": f"{head}@pad\ntest('@thing is there', () => {{}});\n\n{test}",
            "package.json": '{"name": "@thing"}',
            **(more or {}),
        },
        modules="ts5",
        wraps=wraps,
    )


CASES = [
    _jest(
        "jest-to-be-adds",
        "jest-assertion",
        "test('adds prices', () => {\n  expect(@n + 1).toBe(@m);\n});\n",
        wraps=("tty", "make", "npm", "ci", "colour"),
    ),
    _jest(
        "jest-to-be-refunds",
        "jest-assertion",
        "test('refunds are negative', () => {\n  expect(@n + 1).toBe(@m);\n});\n",
        wraps=("npm",),
    ),
    _jest(
        "jest-to-equal-maps-rows",
        "jest-assertion",
        (
            "describe('rows', () => {\n  test('are mapped', () => {\n"
            "    expect({ id: @n, name: '@thing' }).toEqual({ id: @m, name: '@thing' });\n  });\n});\n"
        ),
    ),
    _jest(
        "jest-missing-package-supertest",
        "jest-missing-module",
        "const @thing = require('supertest');\n\ntest('@verb', () => {\n  @thing();\n});\n",
        wraps=("npm",),
    ),
    _jest(
        "jest-missing-file-service",
        "jest-missing-module",
        "const @thing = require('./service');\n\ntest('@verb', () => {\n  @thing();\n});\n",
    ),
    _jest(
        "jest-type-error-undefined-items",
        "jest-error-in-test",
        "test('@verb @thing', () => {\n  const @thing = undefined;\n  expect(@thing.items).toBe(@n);\n});\n",
    ),
    _jest(
        "jest-reference-error-document",
        "jest-error-in-test",
        "test('@verb @thing', () => {\n  document.querySelector('#@thing');\n});\n",
    ),
    _jest(
        "jest-timeout-waits",
        "jest-timeout",
        "test('waits for the queue', async () => {\n  await new Promise(() => {});\n}, 10@n);\n",
    ),
    _jest(
        "jest-syntax-esm-import",
        "jest-syntax",
        "import { @thing } from './@other.js';\n\ntest('@verb', () => {\n  @thing();\n});\n",
        {"package.json": '{"name": "@thing", "jest": {"transform": {}}}', "@other.js": ""},
    ),
    _jest(
        "jest-not-called-sends-mail",
        "jest-assertion",
        (
            "test('sends mail', () => {\n  const send = jest.fn();\n"
            "  expect(send).toHaveBeenCalledWith('@thing', @n);\n});\n"
        ),
    ),
    Case(
        "jest",
        "jest-suite-without-tests",
        "jest-empty-suite",
        "jest",
        {"@file.test.js": "@pad\nconst @thing = @n;\n", "package.json": "{}"},
        "npx jest --ci",
        modules="ts5",
    ),
    Case(
        "jest",
        "jest-no-tests-found",
        "jest-no-tests",
        "jest",
        {"@file.js": "", "package.json": "{}"},
        "npx jest --ci",
        modules="ts5",
        wraps=("npm",),
    ),
    _jest(
        "jest-snapshot-obsolete-ci-renders",
        "jest-snapshot",
        "test('renders', () => {\n  expect({ id: @n }).toMatchInlineSnapshot(`\n{\n  \"id\": @m,\n}\n`);\n});\n",
    ),
    _vitest(
        "vitest-to-be-adds",
        "vitest-assertion",
        "test('adds prices', () => {\n  expect(@n + 1).toBe(@m);\n});\n",
        wraps=("tty", "make", "npm", "ci", "colour"),
    ),
    _vitest(
        "vitest-to-be-refunds",
        "vitest-assertion",
        "test('refunds are negative', () => {\n  expect(@n + 1).toBe(@m);\n});\n",
    ),
    _vitest(
        "vitest-missing-package-supertest",
        "vitest-missing-module",
        "import request from 'supertest';\n\ntest('@verb', () => {\n  request();\n});\n",
        wraps=("npm",),
    ),
    _vitest(
        "vitest-missing-file-service",
        "vitest-missing-module",
        "import { serve } from './service';\n\ntest('@verb', () => {\n  serve();\n});\n",
    ),
    _vitest(
        "vitest-type-error-undefined-items",
        "vitest-error-in-test",
        "test('@verb @thing', () => {\n  const @thing: any = undefined;\n  expect(@thing.items).toBe(@n);\n});\n",
    ),
    _vitest(
        "vitest-timeout-waits",
        "vitest-timeout",
        "test('waits for the queue', async () => {\n  await new Promise(() => {});\n}, 10@n);\n",
    ),
    Case("vitest", "vitest-no-tests-found", "vitest-no-tests", "vitest run", {"@file.ts": ""}, modules="ts5"),
    Case(
        "mocha",
        "mocha-assert-adds",
        "mocha-assertion",
        "mocha",
        {
            "test/@file.js": (
                "@pad\nconst assert = require('assert');\n\ndescribe('prices', () => {\n"
                "  it('adds', () => assert.strictEqual(@n + 1, @m));\n});\n"
            )
        },
        modules="ts5",
        wraps=("make", "npm", "colour"),
    ),
    Case(
        "mocha",
        "mocha-assert-refunds",
        "mocha-assertion",
        "mocha",
        {
            "test/@file.js": (
                "@pad\nconst assert = require('assert');\n\ndescribe('prices', () => {\n"
                "  it('refunds', () => assert.strictEqual(@n + 1, @m));\n});\n"
            )
        },
        modules="ts5",
        b_command="npx mocha --reporter dot",
    ),
    Case(
        "mocha",
        "mocha-timeout-waits",
        "mocha-timeout",
        "mocha",
        {
            "test/@file.js": (
                "@pad\nit('waits for the queue', function () {\n  this.timeout(10@n);\n"
                "  return new Promise(() => {});\n});\n"
            )
        },
        modules="ts5",
    ),
    Case(
        "mocha",
        "mocha-missing-package-supertest",
        "mocha-missing-module",
        "mocha",
        {"test/@file.js": "@pad\nrequire('supertest');\n"},
        modules="ts5",
    ),
    Case("mocha", "mocha-no-test-files", "mocha-no-tests", "mocha", modules="ts5", b_command="npx mocha 'spec/**'"),
]
