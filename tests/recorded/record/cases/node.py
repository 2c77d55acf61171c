"""Node programs."""

from __future__ import annotations

from typing import Any

from tests.recorded.record.case import Case, code


def node(cause: str, family: str, body: str, *, wraps: tuple[str, ...] = (), name: str = "js", **more: Any) -> Case:
    """A script that fails at its top; the second take fails in a function of another file."""
    top, _, body = code(body).rpartition("---\n")
    inside = "\n".join("  " + line for line in body.splitlines())
    b_files = {
        f"lib/@dir/@file.{name}": (
            f"@pad\n{top}\nfunction @verb@Thing() {{\n{inside}\n}}\n\nconsole.log('@verb @thing');\n@verb@Thing();\n"
        )
    }
    return Case(
        "node",
        cause,
        family,
        f"node @file.{name}",
        {f"@file.{name}": f"@pad\n{top}{body}"},
        f"node lib/@dir/@file.{name}",
        b_files,
        wraps=wraps,
        **more,
    )


CASES = [
    node(
        "node-missing-package-express",
        "node-missing-package",
        "const @thing = require('express');\n",
        wraps=("tty", "make", "npm", "ci", "colour"),
    ),
    node("node-missing-package-lodash", "node-missing-package", "const @thing = require('lodash');\n", wraps=("npm",)),
    node("node-missing-file-routes", "node-missing-file", "require('./routes');\n", wraps=("job",)),
    Case(
        "node",
        "node-esm-missing-package-chalk",
        "node-missing-package",
        "node @file.mjs",
        {"@file.mjs": "@pad\nimport chalk from 'chalk';\nchalk('@thing');\n"},
        "node src/@file.mjs",
        {"src/@file.mjs": "@pad\nimport { red } from 'chalk';\n"},
    ),
    Case(
        "node",
        "node-esm-missing-file-extension-util",
        "node-missing-file",
        "node @file.mjs",
        {"@file.mjs": "@pad\nimport { @thing } from './util';\n", "util.js": ""},
    ),
    Case(
        "node",
        "node-esm-import-outside-module",
        "node-esm-in-cjs",
        "node @file.cjs",
        {"@file.cjs": "@pad\nimport fs from 'fs';\n"},
    ),
    Case(
        "node",
        "node-require-in-esm",
        "node-cjs-in-esm",
        "node @file.mjs",
        {"@file.mjs": "@pad\nconst fs = require('fs');\n"},
    ),
    Case(
        "node",
        "node-esm-no-export-named-parse",
        "node-no-export",
        "node @file.mjs",
        {"@file.mjs": "@pad\nimport { parse } from './@thing.mjs';\n", "@thing.mjs": "export const @other = @n;\n"},
    ),
    Case(
        "node",
        "node-no-such-script",
        "node-missing-file",
        "node @file.js",
        b_command="node --inspect=0 lib/@dir/@file.js",
        wraps=("make", "npm"),
    ),
    node(
        "node-type-error-undefined-map",
        "node-read-of-undefined",
        "const @thing = {};\n@thing.@other.map((x) => x);\n",
        wraps=("make", "ci"),
    ),
    node("node-type-error-null-id", "node-read-of-null", "const @thing = null;\nconsole.log(@thing.id);\n"),
    node(
        "node-type-error-not-a-function-close", "node-not-a-function", "const @thing = { size: @n };\n@thing.close();\n"
    ),
    node("node-type-error-const-assignment", "node-type-error", "const @thing = @n;\n@thing = @m;\n"),
    node("node-type-error-not-iterable", "node-type-error", "const [first] = @n;\n"),
    node("node-type-error-set-undefined-name", "node-set-of-undefined", "let @thing;\n@thing.name = '@other';\n"),
    node("node-reference-error-window", "node-reference-error", "window.scrollTo(0, @n);\n", wraps=("colour",)),
    node("node-reference-error-process_env", "node-reference-error", "console.log(config.port);\n"),
    node(
        "node-reference-before-initialization",
        "node-reference-error",
        "console.log(@thing);\nconst @thing = @n;\n".replace("@thing", "client"),
    ),
    node(
        "node-range-error-stack",
        "node-stack-overflow",
        "function walk(@thing) {\n  return walk(@thing + @n);\n}\nwalk(0);\n",
    ),
    node("node-range-error-array-length", "node-range-error", "new Array(-@n);\n"),
    node("node-syntax-error-json", "node-json-parse", "JSON.parse('{ \"@thing\": @n, }');\n"),
    node("node-json-parse-html", "node-json-parse", "JSON.parse('<html>@thing</html>');\n"),
    node(
        "node-unhandled-rejection-error",
        "node-unhandled-rejection",
        "Promise.reject(new Error('queue is closed'));\n",
        wraps=("npm",),
    ),
    node("node-unhandled-rejection-string", "node-unhandled-rejection-value", "Promise.reject('queue is closed');\n"),
    node(
        "node-throw-own-error",
        "node-own-error",
        "class QuotaError extends Error {}\n---\nthrow new QuotaError('quota of project used up');\n",
    ),
    node(
        "node-error-cause",
        "node-error-cause",
        (
            "try {\n  JSON.parse('@thing');\n} catch (error) {\n"
            "  throw new Error('settings are unreadable', { cause: error });\n}\n"
        ),
    ),
    node("node-enoent-settings-json", "node-enoent", "require('fs').readFileSync('settings.json');\n", wraps=("make",)),
    node("node-enoent-dotenv", "node-enoent", "require('fs').readFileSync('.env');\n"),
    node("node-eacces-write", "node-eacces", "require('fs').writeFileSync('/etc/@thing.json', '@n');\n"),
    node(
        "node-eaddrinuse",
        "node-eaddrinuse",
        "const net = require('net');\n---\nnet.createServer().listen(81@m, () => net.createServer().listen(81@m));\n",
        wraps=("npm",),
    ),
    node("node-econnrefused", "node-econnrefused", "require('net').connect(60@m, '127.0.0.1');\n"),
    node("node-fetch-failed-refused", "node-fetch-failed", "fetch('http://127.0.0.1:60@m/@thing');\n"),
    node("node-dns-getaddrinfo", "node-getaddrinfo", "require('net').connect(443, '@thing.example.com');\n"),
    node("node-assert-strict-equal", "node-assertion", "require('assert').strictEqual(@n, @m);\n"),
    node(
        "node-assert-deep-equal",
        "node-assertion",
        "require('assert').deepStrictEqual({ @thing: @n }, { @thing: @m });\n",
    ),
    node(
        "node-spawn-enoent-convertx",
        "node-spawn-enoent",
        "require('child_process').spawn('convertx', ['@thing.png']);\n",
    ),
    node("node-exec-sync-failed", "node-child-failed", "require('child_process').execSync('exit @n');\n"),
    node("node-invalid-arg-type-path", "node-invalid-arg-type", "require('path').join(undefined, '@thing');\n"),
    node("node-err-unsupported-url-scheme", "node-invalid-url", "new URL('@thing');\n"),
    node(
        "node-emitter-unhandled-error",
        "node-unhandled-error-event",
        "const { EventEmitter } = require('events');\nnew EventEmitter().emit('error', new Error('socket hang up'));\n",
    ),
    Case(
        "node",
        "node-heap-out-of-memory",
        "node-heap-out-of-memory",
        "node --max-old-space-size=24 @file.js",
        {"@file.js": "@pad\nconst @thing = [];\nfor (;;) @thing.push(new Array(1000).fill('@other'));\n"},
        env={},
        b_command="node --max-old-space-size=32 @file.js",
    ),
    Case("node", "node-bad-option", "node-bad-option", "node --enable-@thing @file.js".replace("@thing", "fast-path")),
    Case(
        "node",
        "node-syntax-unexpected-token",
        "node-syntax-error",
        "node @file.js",
        {"@file.js": "@pad\nconst @thing = { a: @n b: 2 };\n"},
    ),
    Case(
        "node",
        "node-syntax-unexpected-end",
        "node-syntax-error",
        "node @file.js",
        {"@file.js": "@pad\nfunction @verb() {\n  return @n;\n"},
        wraps=("make",),
    ),
    Case(
        "node",
        "node-syntax-await-in-cjs",
        "node-syntax-error",
        "node @file.cjs",
        {"@file.cjs": "@pad\nfunction @verb() {\n  await @thing();\n}\n"},
    ),
    Case(
        "node",
        "node-syntax-typescript-type",
        "node-syntax-error",
        "node @file.js",
        {"@file.js": "@pad\nconst @thing: number = @n;\n"},
    ),
    Case(
        "node",
        "node-test-runner-assert-adds",
        "node-test",
        "node --test",
        {
            "@file.test.js": (
                "@pad\nconst test = require('node:test');\nconst assert = require('assert');\n\n"
                "test('adds prices', () => {\n  assert.strictEqual(@n + 1, @m);\n});\n"
            )
        },
        wraps=("npm",),
    ),
    Case(
        "node",
        "node-test-runner-assert-subtracts",
        "node-test",
        "node --test",
        {
            "@file.test.js": (
                "@pad\nconst test = require('node:test');\nconst assert = require('assert');\n\n"
                "test('subtracts refunds', () => {\n  assert.strictEqual(@n + 1, @m);\n});\n"
            )
        },
    ),
]
