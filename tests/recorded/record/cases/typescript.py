"""TypeScript and the tools around it: tsc, eslint, biome, prettier, jest, vitest, mocha, bundlers."""

from __future__ import annotations

import json

from tests.recorded.record.case import Case, Files

_CONFIG = {
    "compilerOptions": {
        "strict": True,
        "noEmit": True,
        "target": "es2022",
        "module": "nodenext",
        "moduleResolution": "nodenext",
        "types": [],
        "skipLibCheck": True,
        "jsx": "react-jsx",
        "noUnusedLocals": False,
    }
}


def _tsc(
    number: int,
    source: str,
    what: str = "",
    *,
    wraps: tuple[str, ...] = (),
    more: Files | None = None,
    b: str = "",
    options: dict[str, object] | None = None,
    name: str = "ts",
) -> Case:
    config = json.dumps({**_CONFIG, "compilerOptions": {**_CONFIG["compilerOptions"], **(options or {})}})
    rest = {"tsconfig.json": config, "package.json": '{"type": "module"}', **(more or {})}
    cause = f"tsc-TS{number}" + (f"-{what}" if what else "")
    files = {f"src/@file.{name}": source, **rest}
    b_files = {
        f"src/@dir/@file.{name}": f"@pad\nexport const start@Other = @m;\n\n{b or source}",
        **{key.replace("src/", "src/@dir/"): text for key, text in rest.items()},
    }
    return Case(
        "tsc",
        cause,
        f"tsc-TS{number}",
        "tsc -p .",
        files,
        "npx tsc -p . --pretty",
        b_files,
        modules="ts5",
        wraps=wraps,
        colour="tsc -p . --pretty true",
        version="tsc --version",
    )


_ESLINT = """import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(js.configs.recommended, ...tseslint.configs.recommended, {
  rules: { eqeqeq: 'error', 'no-console': 'error', 'prefer-const': 'error', 'max-len': ['error', 100] },
});
"""


def _eslint(rule: str, source: str, what: str = "", *, wraps: tuple[str, ...] = ()) -> Case:
    cause = f"eslint-{rule.replace('@typescript-eslint/', 'ts-')}" + (f"-{what}" if what else "")
    rest = {"eslint.config.mjs": _ESLINT, "package.json": '{"name": "@thing"}'}
    return Case(
        "eslint",
        cause,
        f"eslint-{rule}",
        "eslint src",
        {"src/@file.ts": source, **rest},
        "npx eslint src --max-warnings 0",
        {"src/@dir/@file.ts": f"@pad\nexport const start = @m;\n{source}", **rest},
        modules="ts5",
        wraps=wraps,
        colour="eslint --color src",
    )


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
    _tsc(
        2304,
        "export const @thing = @nothing;\n".replace("@nothing", "totalPrice"),
        "totalPrice",
        wraps=("make", "npm", "ci", "colour"),
    ),
    _tsc(2304, "export const @thing: Money = @n;\n", "Money", wraps=("npm",)),
    _tsc(
        2305,
        "import { formatPrice } from './@thing.js';\nexport const @other = formatPrice(@n);\n",
        "formatPrice",
        more={"src/@thing.ts": "export const @verb = @n;\n"},
        wraps=("npm", "colour"),
    ),
    _tsc(2307, "import { charge } from 'payments-sdk';\ncharge(@n);\n", "payments-sdk", wraps=("npm", "make")),
    _tsc(2307, "import { post } from 'ledger-client';\npost(@n);\n", "ledger-client"),
    _tsc(2307, "import { tax } from './tax.js';\ntax(@n);\n", "relative-tax"),
    _tsc(2322, "export const @thing: number = '@other';\n", "number-from-string", wraps=("ci", "npm")),
    _tsc(2322, "export const @thing: string = null;\n", "string-from-null"),
    _tsc(
        2345,
        "function @verb(@thing: number) {\n  return @thing;\n}\n@verb('@other');\nexport {};\n",
        "number-from-string",
    ),
    _tsc(2339, "const @thing = { id: @n };\nexport const @other = @thing.fullName;\n", "fullName", wraps=("make",)),
    _tsc(2551, "export const @thing = [@n].lenght;\n", "lenght"),
    _tsc(
        2554,
        (
            "function charge(amount: number, currency: string) {\n  return amount + currency;\n}\n"
            "export const @thing = charge(@n);\n"
        ),
        "charge",
    ),
    _tsc(18047, "const @thing = null as string | null;\nexport const @other = @thing.length;\n", "length"),
    _tsc(2532, "const @thing: number[] = [];\nexport const @other = @thing.at(@n).toFixed();\n", "at"),
    _tsc(7006, "export function @verb(items) {\n  return items;\n}\n", "items"),
    _tsc(
        2741,
        "interface Account {\n  id: number;\n  email: string;\n}\nexport const @thing: Account = { id: @n };\n",
        "email",
    ),
    _tsc(
        2353,
        "interface Account {\n  id: number;\n}\nexport const @thing: Account = { id: @n, nickname: '@other' };\n",
        "nickname",
    ),
    _tsc(2300, "type Row = number;\ntype Row = string;\nexport const @thing: Row = @n;\n", "Row"),
    _tsc(2451, "const limit = @n;\nconst limit = @m;\nexport {};\n", "limit"),
    _tsc(2588, "const limit = @n;\nlimit = @m;\nexport {};\n", "limit"),
    _tsc(1005, "export const @thing = { id: @n; };\n", "comma"),
    _tsc(1109, "export const @thing = ;\n"),
    _tsc(2365, "export const @thing = { a: @n } > '@other';\n", ""),
    _tsc(
        2420, "interface Store {\n  close(): void;\n}\nexport class @Thing implements Store {\n  id = @n;\n}\n", "close"
    ),
    _tsc(
        2416,
        (
            "class Base {\n  run(): number {\n    return @n;\n  }\n}\nexport class @Thing extends Base {\n"
            "  run(): string {\n    return '@other';\n  }\n}\n"
        ),
        "run",
    ),
    _tsc(2515, "abstract class Base {\n  abstract close(): void;\n}\nexport class @Thing extends Base {}\n", "close"),
    _tsc(2564, "export class @Thing {\n  client: string;\n}\n", "client"),
    _tsc(
        2835,
        "import { @thing } from './@thing';\nexport const @other = @thing;\n",
        "extension",
        more={"src/@thing.ts": "export const @thing = @n;\n"},
    ),
    _tsc(
        18046,
        "try {\n  throw @n;\n} catch (error) {\n  console.log(error.message);\n}\nexport {};\n",
        "error",
        options={"lib": ["es2022", "dom"]},
    ),
    _tsc(2584, "document.title = '@thing';\nexport {};\n", "document", options={"lib": ["es2022"]}),
    _tsc(2591, "export const @thing = process.env.NAME;\n", "process"),
    _tsc(6133, "export function @verb() {\n  const unused = @n;\n}\n", "unused", options={"noUnusedLocals": True}),
    _tsc(
        7030,
        "export function @verb(@thing: number) {\n  if (@thing) return @n;\n}\n",
        "",
        options={"noImplicitReturns": True},
    ),
    Case(
        "tsc",
        "tsc-TS18003-no-inputs",
        "tsc-TS18003",
        "tsc -p .",
        {"tsconfig.json": '{"include": ["src"]}'},
        modules="ts5",
        b_command="npx tsc --build",
    ),
    Case(
        "tsc",
        "tsc-TS5023-unknown-option",
        "tsc-TS5023",
        "tsc -p .",
        {"tsconfig.json": '{"compilerOptions": {"strictt": true}}', "@file.ts": "export {};"},
        modules="ts5",
    ),
    Case(
        "tsc",
        "tsc-TS5058-no-config",
        "tsc-TS5058",
        "tsc -p config/tsconfig.json",
        modules="ts5",
        b_command="tsc --noEmit -p config/tsconfig.json",
    ),
    Case("tsc", "tsc-TS6053-no-file", "tsc-TS6053", "tsc --noEmit src/@file.ts", modules="ts5"),
    _eslint(
        "@typescript-eslint/no-unused-vars",
        "const total = @n;\n",
        "total",
        wraps=("make", "npm", "colour", "pre-commit"),
    ),
    _eslint(
        "@typescript-eslint/no-explicit-any",
        "export function @verb(@thing: any) {\n  return @thing;\n}\n",
        wraps=("npm",),
    ),
    _eslint("eqeqeq", "export const @thing = (a: number) => a == @n;\n", wraps=("ci",)),
    _eslint(
        "no-console",
        "export function @verb() {\n  // eslint-disable-next-line no-undef\n  console.log('@thing', @n);\n}\n",
    ),
    _eslint("prefer-const", "let @thing = @n;\nexport default @thing;\n"),
    _eslint("no-empty", "export function @verb(@thing: number) {\n  if (@thing) {\n  }\n}\n"),
    _eslint("no-cond-assign", "export function @verb(@thing: number) {\n  while (@thing = @n) return @thing;\n}\n"),
    _eslint("@typescript-eslint/ban-ts-comment", "// @ts-ignore\nexport const @thing: number = '@other';\n"),
    _eslint("max-len", "export const @thing = '" + "long " * 30 + "@n';\n"),
    _eslint("parse-error", "export const @thing = { id: @n;\n"),
    Case(
        "eslint", "eslint-no-config", "eslint-no-config", "eslint src", {"@file.js": "let @thing = 1;\n"}, modules="ts5"
    ),
    Case(
        "eslint",
        "eslint-no-files-match",
        "eslint-no-files",
        "eslint 'lib/**/*.js'",
        {"eslint.config.mjs": "export default [];\n"},
        modules="ts5",
        b_command="npx eslint lib/@dir",
    ),
    Case(
        "eslint",
        "eslint-config-missing-plugin-react",
        "eslint-config-missing-package",
        "eslint src",
        {
            "eslint.config.mjs": "@pad\nimport react from 'eslint-plugin-react';\nexport default [react];\n",
            "@file.js": "",
        },
        modules="ts5",
        wraps=("npm",),
    ),
    Case(
        "eslint",
        "eslint-config-unknown-rule-no-foo",
        "eslint-config",
        "eslint src",
        {"eslint.config.mjs": "@pad\nexport default [{ rules: { 'no-foo': 'error' } }];\n", "@file.js": "@thing();\n"},
        modules="ts5",
    ),
    Case(
        "biome",
        "biome-noDoubleEquals",
        "biome-noDoubleEquals",
        "biome lint .",
        {"@file.js": "export const @thing = (a) => a == @n;\n"},
        "npx biome lint src",
        {"src/@file.js": "@pad\nexport const @thing = (a, b) => a + b == @n;\n"},
        modules="ts5",
        wraps=("make", "npm", "colour"),
    ),
    Case(
        "biome",
        "biome-noUnusedVariables-or-format",
        "biome-format",
        "biome format .",
        {"@file.js": "const   @thing=  @n\n"},
        modules="ts5",
    ),
    Case(
        "biome",
        "biome-parse",
        "biome-parse",
        "biome lint .",
        {"@file.js": "@pad\nconst @thing = { a: @n;\n"},
        modules="ts5",
    ),
    Case(
        "biome",
        "biome-noDebugger",
        "biome-noDebugger",
        "biome lint .",
        {"@file.js": "@pad\nexport function @verb() {\n  debugger;\n  return @n;\n}\n"},
        modules="ts5",
    ),
    Case(
        "prettier",
        "prettier-unformatted",
        "prettier-unformatted",
        "prettier --check .",
        {"@file.js": "const   @thing=  @n\n"},
        "npx prettier -c src",
        {"src/@file.js": "const   @thing=  [@n ]\n"},
        modules="ts5",
        wraps=("make", "npm"),
    ),
    Case(
        "prettier",
        "prettier-syntax-error",
        "prettier-syntax-error",
        "prettier --check .",
        {"@file.js": "@pad\nconst @thing = { a: @n;\n"},
        modules="ts5",
    ),
    Case(
        "prettier",
        "prettier-no-files",
        "prettier-no-files",
        "prettier --check 'lib/**'",
        {"@file.txt": ""},
        modules="ts5",
    ),
    _jest(
        "jest-to-be-adds",
        "jest-assertion",
        "test('adds prices', () => {\n  expect(@n + 1).toBe(@m);\n});\n",
        wraps=("make", "npm", "ci", "colour"),
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
        wraps=("make", "npm", "ci", "colour"),
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
    Case(
        "ts-node",
        "ts-node-TS2322",
        "ts-node-TS2322",
        "ts-node @file.ts",
        {"@file.ts": "@pad\nconst @thing: number = '@other';\nconsole.log(@thing);\n"},
        modules="ts5",
    ),
    Case(
        "tsx",
        "tsx-missing-package-zodd",
        "tsx-missing-package",
        "tsx @file.ts",
        {"@file.ts": "@pad\nimport { z } from 'zodd';\nz(@n);\n"},
        modules="ts5",
    ),
    Case(
        "esbuild",
        "esbuild-could-not-resolve-payments-sdk",
        "esbuild-could-not-resolve",
        "esbuild --bundle @file.js",
        {"@file.js": "@pad\nimport { charge } from 'payments-sdk';\ncharge(@n);\n"},
        modules="ts5",
        wraps=("npm", "colour"),
    ),
    Case(
        "esbuild",
        "esbuild-syntax",
        "esbuild-syntax",
        "esbuild @file.js",
        {"@file.js": "@pad\nconst @thing = { a: @n;\n"},
        modules="ts5",
    ),
    Case(
        "webpack",
        "webpack-module-not-found-payments-sdk",
        "webpack-module-not-found",
        "webpack --mode=development",
        {"src/index.js": "@pad\nimport { charge } from 'payments-sdk';\ncharge(@n);\n"},
        b_files={
            "src/index.js": "import './@thing.js';\n",
            "src/@thing.js": "@pad\nimport { charge } from 'payments-sdk';\ncharge(@n);\n",
        },
        modules="main",
        wraps=("npm",),
    ),
    Case(
        "webpack",
        "webpack-no-loader-css",
        "webpack-parse-failed",
        "webpack --mode=development",
        {"src/index.js": "@pad\nimport './@thing.css';\n", "src/@thing.css": ".@other { color: red; }\n"},
        modules="main",
    ),
    Case(
        "vite",
        "vite-build-unresolved-payments-sdk",
        "vite-unresolved-import",
        "vite build",
        {
            "index.html": '<script type="module" src="/@file.js"></script>',
            "@file.js": "@pad\nimport { charge } from 'payments-sdk';\ncharge(@n);\n",
        },
        modules="main",
    ),
    Case("vite", "vite-build-no-index-html", "vite-no-entry", "vite build", {"@file.js": ""}, modules="main"),
    Case(
        "rollup",
        "rollup-no-export-parse",
        "rollup-missing-export",
        "rollup @file.js",
        {
            "@file.js": "@pad\nimport { parse } from './@thing.js';\nparse(@n);\n",
            "@thing.js": "export const @other = 1;\n",
        },
        modules="main",
    ),
    Case(
        "stylelint",
        "stylelint-color-no-invalid-hex",
        "stylelint-color-no-invalid-hex",
        "stylelint '**/*.css'",
        {
            "@file.css": ".@thing {\n  color: #ggg@n;\n}\n",
            ".stylelintrc.json": '{"rules": {"color-no-invalid-hex": true}}',
        },
        modules="main",
    ),
    Case(
        "sass",
        "sass-undefined-variable-brand",
        "sass-undefined-variable",
        "sass @file.scss",
        {"@file.scss": "@pad\n.@thing {\n  color: $brand;\n}\n"},
        modules="main",
    ),
    Case(
        "oxlint",
        "oxlint-no-debugger",
        "oxlint-no-debugger",
        "oxlint --deny-warnings .",
        {"@file.js": "@pad\nexport function @verb() {\n  debugger;\n}\n"},
        modules="main",
    ),
    Case(
        "solc",
        "solc-undeclared-identifier",
        "solc-undeclared-identifier",
        "solcjs --bin @file.sol",
        {
            "@file.sol": (
                "// SPDX-License-Identifier: MIT\npragma solidity >=0.8.0;\n@pad\ncontract @Thing {\n"
                "    function @verb() public pure returns (uint) {\n        return ownerCount;\n    }\n}\n"
            )
        },
        version="solcjs --version",
    ),
    Case(
        "babel",
        "babel-unexpected-token",
        "babel-unexpected-token",
        "babel @file.js",
        {"@file.js": "@pad\nconst @thing = { a: @n b };\n"},
        modules="extra",
    ),
    Case(
        "prisma",
        "prisma-schema-validation",
        "prisma-P1012",
        "prisma validate",
        {
            "prisma/schema.prisma": (
                'datasource db {\n  provider = "sqlite"\n}\n@pad\nmodel @Thing {\n  id Int @id\n  owner Customer\n}\n'
            )
        },
        modules="extra",
    ),
]
