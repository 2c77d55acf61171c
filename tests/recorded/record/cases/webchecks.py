"""Checkers and formatters of the web: eslint, biome, prettier, oxlint, stylelint."""

from __future__ import annotations

from tests.recorded.record.case import Case

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


CASES = [
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
        "eslint", "eslint-no-config", "eslint-no-config", "eslint .", {"@file.js": "let @thing = 1;\n"}, modules="ts5"
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
        "eslint .",
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
        "eslint .",
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
        colour="biome lint --colors=force .",
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
        wraps=("tty", "make", "npm"),
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
        "oxlint",
        "oxlint-no-debugger",
        "oxlint-no-debugger",
        "oxlint --deny-warnings .",
        {"@file.js": "@pad\nexport function @verb() {\n  debugger;\n}\n"},
        modules="main",
    ),
]
