"""TypeScript: tsc, ts-node, tsx."""

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
        "tsc-TS5025-unknown-option",
        "tsc-TS5025",
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
]
