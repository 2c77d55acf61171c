"""What turns sources of the web into others: esbuild, webpack, vite, rollup, babel, sass, solc."""

from __future__ import annotations

from tests.recorded.record.case import Case

CASES = [
    Case(
        "esbuild",
        "esbuild-could-not-resolve-payments-sdk",
        "esbuild-could-not-resolve",
        "esbuild --bundle @file.js",
        {"@file.js": "@pad\nimport { charge } from 'payments-sdk';\ncharge(@n);\n"},
        modules="ts5",
        wraps=("npm", "colour"),
        colour="esbuild --color=true --bundle @file.js",
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
        "webpack-no-loader-vue",
        "webpack-parse-failed",
        "webpack --mode=development",
        {"src/index.js": "@pad\nimport './@thing.vue';\n", "src/@thing.vue": "<template>@other</template>\n"},
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
        "sass",
        "sass-undefined-variable-brand",
        "sass-undefined-variable",
        "sass @file.scss",
        {"@file.scss": "@pad\n.@thing {\n  color: $brand;\n}\n"},
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
]
