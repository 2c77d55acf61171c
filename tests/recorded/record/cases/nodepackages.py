"""Node's package tools, and bun and deno. The only registry is a server of our own."""

from __future__ import annotations

import json
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


_PKG = {"name": "@thing-web", "version": "1.@n.0", "private": True}


def pkg(**more: Any) -> dict[str, str]:
    return {"package.json": json.dumps({**_PKG, **more}, indent=2)}


_REGISTRY = code("""
    const http = require('http');
    http.createServer((request, response) => {
      const name = decodeURIComponent(request.url.slice(1));
      const known = ['left-pad', 'old-pad'].includes(name);
      response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' });
      const peer = name === 'old-pad' ? { 'left-pad': '^1.0.0' } : {};
      const dist = { tarball: 'http://127.0.0.1:4873/gone.tgz', shasum: '0'.repeat(40) };
      const one = (version) => ({ name, version, dist, peerDependencies: peer, engines: { node: '>=4' } });
      const versions = { '1.0.0': one('1.0.0'), '2.0.0': one('2.0.0') };
      const found = { name, 'dist-tags': { latest: '2.0.0' }, versions };
      response.end(JSON.stringify(known ? found : { error: 'Not found' }));
    }).listen(4873, '127.0.0.1');
    """)

_SERVED = {
    ".registry.cjs": _REGISTRY,
    ".npmrc": "registry=http://127.0.0.1:4873/\nfetch-retries=0\nfund=false\naudit=false\n",
}

_SERVE = "node .registry.cjs & sleep 0.6"

_DNS = {".npmrc": "registry=https://registry.npm.example.com/\nfetch-retries=0\n"}

CASES = [
    Case(
        "npm",
        "npm-no-package-json",
        "npm-no-package-json",
        "npm run build",
        b_command="npm test",
        wraps=("make", "colour", "ci"),
        colour="npm --color=always run build",
    ),
    Case("npm", "npm-no-package-json-install-ci", "npm-no-lockfile", "npm ci", pkg()),
    Case(
        "npm",
        "npm-missing-script-build",
        "npm-missing-script",
        "npm run build",
        pkg(scripts={"start": "node @file.js"}),
        b_command="npm run build -- --watch",
        wraps=("make",),
    ),
    Case(
        "npm", "npm-missing-script-lint", "npm-missing-script", "npm run lint", pkg(scripts={"start": "node @file.js"})
    ),
    Case(
        "npm",
        "npm-package-json-broken",
        "npm-package-json-broken",
        "npm install",
        {"package.json": '{ "name": "@thing", "version": "1.@n.0", }'},
        b_command="npm run build",
        b_files={"package.json": '{\n  "name": "@thing",\n  "private": true,\n  "scripts": {},\n}\n'},
    ),
    Case(
        "npm",
        "npm-404-leftpadd",
        "npm-404",
        "npm install leftpadd",
        {**pkg(), **_SERVED},
        "npm i",
        {**pkg(dependencies={"leftpadd": "^1.@n.0"}), **_SERVED},
        setup=_SERVE,
        wraps=("tty", "make", "colour"),
        colour="npm --color=always install leftpadd",
    ),
    Case(
        "npm",
        "npm-404-reactt",
        "npm-404",
        "npm install reactt",
        {**pkg(), **_SERVED},
        "npm i",
        {**pkg(dependencies={"reactt": "^1.@n.0"}), **_SERVED},
        setup=_SERVE,
    ),
    Case(
        "npm",
        "npm-no-such-version-left-pad",
        "npm-no-version",
        "npm install left-pad@9.@n.0",
        {**pkg(), **_SERVED},
        "npm i",
        {**pkg(dependencies={"left-pad": "^8.@n.0"}), **_SERVED},
        setup=_SERVE,
    ),
    Case(
        "npm",
        "npm-eresolve-old-pad",
        "npm-eresolve",
        "npm install old-pad",
        {**pkg(dependencies={"left-pad": "^2.0.0"}), **_SERVED},
        "npm i",
        {**pkg(dependencies={"left-pad": "2.0.0", "old-pad": "^2.0.0"}), **_SERVED},
        setup=_SERVE,
        wraps=("ci",),
    ),
    Case("npm", "npm-registry-dns", "npm-registry-unreachable", "npm install @thing", {**pkg(), **_DNS}),
    Case(
        "npm",
        "npm-registry-refused",
        "npm-registry-unreachable",
        "npm install @thing",
        {**pkg(), ".npmrc": "registry=http://127.0.0.1:41@m/\nfetch-retries=0\n"},
    ),
    Case(
        "npm",
        "npm-lock-out-of-sync-left-pad",
        "npm-lock-out-of-sync",
        "npm ci",
        {
            **pkg(dependencies={"left-pad": "^2.0.0"}),
            **_SERVED,
            "package-lock.json": (
                '{"name": "@thing-web", "version": "1.@n.0", "lockfileVersion": 3, "packages": {"": {"name": '
                '"@thing-web", "version": "1.@n.0"}}}'
            ),
        },
        setup=_SERVE,
    ),
    Case("npm", "npm-engine-strict", "npm-engine", "npm install --engine-strict", pkg(engines={"node": ">=99"})),
    Case(
        "npm",
        "npm-script-command-not-found-rimrafx",
        "npm-script-missing-command",
        "npm run clean",
        pkg(scripts={"clean": "rimrafx dist/@thing"}),
        wraps=("make",),
    ),
    Case(
        "npm",
        "npm-script-command-not-found-cross-envx",
        "npm-script-missing-command",
        "npm start",
        pkg(scripts={"start": "cross-envx NODE_ENV=@thing node @file.js"}),
    ),
    Case("npm", "npm-unknown-command", "npm-usage", "npm biuld", b_command="npm --loglevel=error biuld"),
    Case(
        "npm",
        "npm-eacces-global",
        "npm-eacces",
        "npm install -g ./pkg",
        {"pkg/package.json": '{"name": "@thing", "version": "1.0.0"}'},
        env={"npm_config_prefix": "/usr"},
    ),
    Case(
        "pnpm",
        "pnpm-no-package-json",
        "pnpm-no-package-json",
        "pnpm run build",
        b_command="pnpm run test",
        wraps=("make",),
    ),
    Case(
        "pnpm",
        "pnpm-missing-script-build",
        "pnpm-missing-script",
        "pnpm run build",
        pkg(scripts={"start": "node @file.js"}),
    ),
    Case(
        "pnpm",
        "pnpm-missing-script-lint",
        "pnpm-missing-script",
        "pnpm run lint",
        pkg(scripts={"start": "node @file.js"}),
    ),
    Case(
        "pnpm",
        "pnpm-404-leftpadd",
        "pnpm-404",
        "pnpm add leftpadd",
        {**pkg(), **_SERVED},
        "pnpm install",
        {**pkg(dependencies={"leftpadd": "^1.@n.0"}), **_SERVED},
        setup=_SERVE,
        wraps=("colour",),
    ),
    Case(
        "pnpm",
        "pnpm-no-such-version-left-pad",
        "pnpm-no-version",
        "pnpm add left-pad@9.@n.0",
        {**pkg(), **_SERVED},
        setup=_SERVE,
    ),
    Case(
        "pnpm",
        "pnpm-frozen-lockfile-missing",
        "pnpm-no-lockfile",
        "pnpm install --frozen-lockfile",
        {**pkg(dependencies={"left-pad": "^2.0.0"}), **_SERVED},
        setup=_SERVE,
    ),
    Case(
        "pnpm",
        "pnpm-package-json-broken",
        "pnpm-package-json-broken",
        "pnpm install",
        {"package.json": '{ "name": "@thing", "version": "1.@n.0", }'},
    ),
    Case(
        "pnpm", "pnpm-command-not-found-vitex", "pnpm-missing-command", "pnpm exec vitex", pkg(), b_command="pnpm vitex"
    ),
    Case("yarn", "yarn-no-package-json", "yarn-no-package-json", "yarn run build", b_command="yarn build"),
    Case(
        "yarn",
        "yarn-command-not-found-build",
        "yarn-missing-script",
        "yarn run build",
        pkg(scripts={"start": "node @file.js"}),
        b_command="yarn build",
    ),
    Case(
        "yarn",
        "yarn-package-json-broken",
        "yarn-package-json-broken",
        "yarn install",
        {"package.json": '{ "name": "@thing", "version": "1.@n.0", }'},
    ),
    Case("yarn", "yarn-404-leftpadd", "yarn-404", "yarn add leftpadd", {**pkg(), **_SERVED}, setup=_SERVE),
    Case(
        "yarn",
        "yarn-no-such-version-left-pad",
        "yarn-no-version",
        "yarn add left-pad@9.@n.0",
        {**pkg(), **_SERVED},
        setup=_SERVE,
    ),
    Case(
        "bun",
        "bun-missing-script-build",
        "bun-missing-script",
        "bun run build",
        pkg(scripts={"start": "bun @file.js"}),
        wraps=("make",),
    ),
    Case(
        "bun",
        "bun-missing-package-express",
        "bun-missing-package",
        "bun @file.ts",
        {"@file.ts": "@pad\nimport express from 'express';\nexpress();\n"},
        "bun run src/@file.ts",
        {"package.json": "{}", "src/@file.ts": "@pad\nimport express from 'express';\nexpress();\n"},
        env={"BUN_CONFIG_REGISTRY": "http://127.0.0.1:4999"},
    ),
    Case("bun", "bun-no-package-json", "bun-no-package-json", "bun install", b_command="bun install --frozen-lockfile"),
    Case(
        "bun",
        "bun-type-error-undefined-map",
        "bun-type-error",
        "bun @file.ts",
        {"@file.ts": "@pad\nconst @thing: any = {};\n@thing.@other.map(String);\n"},
    ),
    Case(
        "bun",
        "bun-test-adds",
        "bun-test",
        "bun test",
        {
            "@file.test.ts": (
                "@pad\nimport { test, expect } from 'bun:test';\n\ntest('adds prices', () => {\n"
                "  expect(@n + 1).toBe(@m);\n});\n"
            )
        },
        wraps=("colour",),
    ),
    Case(
        "bun",
        "bun-404-leftpadd",
        "bun-404",
        "bun add leftpadd",
        {**pkg(), **_SERVED},
        setup=_SERVE,
        env={"BUN_CONFIG_REGISTRY": "http://127.0.0.1:4873"},
    ),
    Case(
        "deno",
        "deno-type-error-TS2322",
        "deno-TS2322",
        "deno check @file.ts",
        {"@file.ts": "@pad\nconst @thing: number = '@other';\nconsole.log(@thing);\n"},
    ),
    Case(
        "deno",
        "deno-module-not-found",
        "deno-module-not-found",
        "deno run @file.ts",
        {"@file.ts": "@pad\nimport { parse } from './parse.ts';\nparse(@n);\n"},
    ),
    Case(
        "deno",
        "deno-not-capable-env-HOME_DIR",
        "deno-not-capable",
        "deno run @file.ts",
        {"@file.ts": "@pad\nDeno.env.get('API_TOKEN');\n"},
        b_command="deno run --no-prompt @file.ts",
    ),
]
