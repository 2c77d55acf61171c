"""Python's checkers: mypy, pyright, ty, ruff, black, isort, flake8, pylint, bandit."""

from __future__ import annotations

from typing import Any

from tests.recorded.record.case import Case


def _check(
    tool: str,
    code: str,
    source: str,
    command: str,
    *,
    b: str = "",
    wraps: tuple[str, ...] = (),
    what: str = "",
    colour: str = "",
) -> Case:
    """A finding of a checker in one file; the second take has another file and another place in it."""
    cause = f"{tool}-{code}{'-' + what if what else ''}"
    b_files = {"@dir/__init__.py": "", "@dir/@file.py": f"@pad\n\n{b or source}"}
    return Case(
        tool,
        cause,
        f"{tool}-{code}",
        f"{command} @file.py",
        {"@file.py": f"{source}"},
        f"{command} @dir",
        b_files,
        wraps=wraps,
        colour=colour,
    )


def _mypy(code: str, source: str, **more: Any) -> Case:
    return _check("mypy", code, source, "mypy --strict", **more)


def _pyright(code: str, source: str, **more: Any) -> Case:
    return _check("pyright", code, source, "pyright", **more)


def _ruff(code: str, source: str, **more: Any) -> Case:
    return _check("ruff", code, source, "ruff check --no-cache --select E,F,B,I,S,UP", **more)


def _ty(code: str, source: str) -> Case:
    return _check("ty", code, source, "ty check --no-progress")


CASES = [
    _mypy("return", "def @verb() -> int:\n    print(@n)\n", wraps=("make", "ci", "colour", "tox")),
    _mypy(
        "arg-type",
        "def @verb(@thing: int) -> None: ...\n\n\n@verb('@other')\n",
        wraps=("make", "colour"),
        what="int-from-str",
    ),
    _mypy("arg-type", "def @verb(@thing: list[int]) -> None: ...\n\n\n@verb(None)\n", what="list-from-none"),
    _mypy("assignment", "@thing: int = '@other'\n", wraps=("pre-commit",), what="int-from-str"),
    _mypy("attr-defined", "import os\n\n\nos.makedir('@thing')\n", what="os-makedir"),
    _mypy("union-attr", "def @verb(@thing: str | None) -> str:\n    return @thing.strip()\n", what="none-strip"),
    _mypy(
        "import-not-found", "import payments_sdk\n\n\npayments_sdk.charge(@n)\n", what="payments_sdk", wraps=("make",)
    ),
    _mypy("import-not-found", "import ledger_client\n\n\nledger_client.post(@n)\n", what="ledger_client"),
    _mypy("import-untyped", "import yaml\n\n\nyaml.safe_load('@thing')\n", what="yaml"),
    _mypy("no-untyped-def", "def @verb(@thing):\n    return @n\n"),
    _mypy("return-value", "def @verb() -> str:\n    return @n\n", what="str-from-int"),
    _mypy("name-defined", "print(json.dumps(@n))\n", what="json"),
    _mypy("call-arg", "def @verb(*, timeout: int) -> None: ...\n\n\n@verb()\n", what="timeout"),
    _mypy("syntax", "def @verb(:\n    pass\n"),
    _mypy(
        "override",
        (
            "class Base:\n    def run(self, @thing: int) -> None: ...\n\n\nclass @Thing(Base):\n"
            "    def run(self, @thing: str) -> None: ...\n"
        ),
        what="run",
    ),
    _mypy("type-arg", "def @verb(@thing: dict) -> None: ...\n", what="dict"),
    _mypy("unused-ignore", "@thing = @n  # type: ignore\n"),
    _mypy("index", "@thing = @n\n@thing[0]\n"),
    _mypy("operator", "@thing = @n + '@other'\n", what="int-plus-str"),
    _mypy("valid-type", "def @verb(@thing: any) -> None: ...\n", what="any"),
    Case("mypy", "mypy-no-such-file", "mypy-cannot-read", "mypy src/@file.py"),
    Case("mypy", "mypy-duplicate-module", "mypy-duplicate-module", "mypy a b", {"a/@thing.py": "", "b/@thing.py": ""}),
    _pyright(
        "reportArgumentType",
        "def @verb(@thing: int) -> None: ...\n\n\n@verb('@other')\n",
        what="int-from-str",
        wraps=("make", "ci"),
    ),
    _pyright(
        "reportMissingImports", "import payments_sdk\n\nprint(payments_sdk)\n", what="payments_sdk", wraps=("colour",)
    ),
    _pyright("reportMissingImports", "import ledger_client\n\nprint(ledger_client)\n", what="ledger_client"),
    _pyright("reportAttributeAccessIssue", "import os\n\nos.makedir('@thing')\n", what="os-makedir"),
    _pyright(
        "reportOptionalMemberAccess", "def @verb(@thing: str | None) -> str:\n    return @thing.strip()\n", what="strip"
    ),
    _pyright("reportUndefinedVariable", "print(json.dumps(@n))\n", what="json"),
    _pyright("reportReturnType", "def @verb() -> str:\n    return @n\n", what="str-from-int"),
    _pyright("reportCallIssue", "def @verb(*, timeout: int) -> None: ...\n\n\n@verb()\n", what="timeout"),
    _pyright("reportIndexIssue", "@thing = @n\n@thing[0]\n"),
    _ty("unresolved-import", "import payments_sdk\n\nprint(payments_sdk)\n"),
    _ty("invalid-argument-type", "def @verb(@thing: int) -> None: ...\n\n\n@verb('@other')\n"),
    _ty("unresolved-reference", "print(json.dumps(@n))\n"),
    _ty("invalid-return-type", "def @verb() -> str:\n    return @n\n"),
    _ruff("F401", "import os\n\n@thing = @n\n", what="os", wraps=("make", "ci", "colour", "pre-commit", "tox")),
    _ruff("F401", "import json\n\n@thing = @n\n", what="json", wraps=("make",)),
    _ruff("F821", "@thing = json.dumps(@n)\n", what="json", wraps=("colour",)),
    _ruff("F841", "def @verb():\n    total = @n\n", what="total"),
    _ruff("E501", "@thing = '" + "long " * 30 + "@n'\n".replace("'", '"')),
    _ruff("E711", "@thing = @n\nif @thing == None:\n    @thing = 0\n"),
    _ruff("B006", "def @verb(@thing=[]):\n    return @thing\n"),
    _ruff("E722", "try:\n    @thing = @n\nexcept:\n    @thing = 0\n"),
    _ruff("S608", 'def @verb(cursor, name):\n    cursor.execute(f"select {name} from @thing where id = @n")\n'),
    _ruff("I001", "import sys\nimport os\n\n@thing = (sys, os)\n"),
    _ruff("F811", "def run():\n    return @n\n\n\ndef run():\n    return @m\n", what="run"),
    _ruff("invalid-syntax", "def @verb(:\n    pass\n", what="parameter"),
    _ruff("F401-F841-mixed", "import os\nimport sys\n\n\ndef @verb():\n    total = @n\n"),
    Case(
        "ruff",
        "ruff-format-would-reformat",
        "ruff-format",
        "ruff format --check .",
        {"@file.py": "@thing = {  'a':@n }\n"},
        "ruff format --check @dir",
        {"@dir/@file.py": "@pad\ndef @verb( a ):\n    return  a\n"},
        wraps=(
            "tty",
            "make",
        ),
    ),
    Case(
        "ruff",
        "ruff-config-unknown-field",
        "ruff-config",
        "ruff check .",
        {"ruff.toml": "line-lenght = 1@n\n"},
        b_files={"ruff.toml": "@pad\nline-lenght = 1@n\n", "@file.py": ""},
    ),
    Case(
        "ruff",
        "ruff-config-unknown-rule-XYZ",
        "ruff-config",
        "ruff check --select XYZ999 .",
        {"@file.py": ""},
        b_command="ruff check @dir --select=XYZ999",
    ),
    Case(
        "black",
        "black-would-reformat",
        "black-would-reformat",
        "black --check .",
        {"@file.py": "@thing = {  'a':@n }\n"},
        "black --check @dir",
        {"@dir/@file.py": "@pad\ndef @verb( a ):\n    return  a\n"},
        wraps=("make", "pre-commit"),
    ),
    Case(
        "black",
        "black-cannot-parse",
        "black-cannot-parse",
        "black .",
        {"@file.py": "def @verb(:\n    pass\n"},
        "black --check @dir",
        {"@dir/@file.py": "@pad\ndef @verb(:\n    return @n\n"},
    ),
    Case(
        "isort",
        "isort-unsorted",
        "isort-unsorted",
        "isort --check .",
        {"@file.py": "import sys\nimport os\n"},
        "isort --check-only --diff @dir",
        {"@dir/@file.py": "@pad\nimport os\nimport abc\n"},
    ),
    Case(
        "flake8",
        "flake8-F401-os",
        "flake8-F401",
        "flake8 .",
        {"@file.py": "import os\n"},
        "flake8 @dir",
        {"@dir/@file.py": "@pad\nimport os\n"},
        wraps=("make", "tox"),
    ),
    Case(
        "flake8",
        "flake8-F821-json",
        "flake8-F821",
        "flake8 .",
        {"@file.py": "@thing = json.dumps(@n)\n"},
        "flake8 @dir",
        {"@dir/@file.py": "@pad\n@thing = [json.loads('@n')]\n"},
    ),
    Case(
        "flake8",
        "flake8-E999",
        "flake8-E999",
        "flake8 .",
        {"@file.py": "def @verb(:\n    pass\n"},
        "flake8 @dir",
        {"@dir/@file.py": "@pad\ndef @verb(:\n    pass\n"},
    ),
    Case(
        "pylint",
        "pylint-E0401-payments_sdk",
        "pylint-E0401",
        "pylint -E @file.py",
        {"@file.py": "import payments_sdk\n"},
        "pylint -E @dir",
        {"@dir/__init__.py": "", "@dir/@file.py": "@pad\nimport payments_sdk\n"},
        wraps=("make",),
    ),
    Case(
        "pylint",
        "pylint-E1101-makedir",
        "pylint-E1101",
        "pylint -E @file.py",
        {"@file.py": "import os\n\nos.makedir('@thing')\n"},
        "pylint -E @dir",
        {"@dir/__init__.py": "", "@dir/@file.py": "@pad\nimport os\n\nos.makedir(str(@n))\n"},
    ),
    Case(
        "pylint",
        "pylint-E0602-json",
        "pylint-E0602",
        "pylint -E @file.py",
        {"@file.py": "print(json.dumps(@n))\n"},
        "pylint -E @dir",
        {"@dir/__init__.py": "", "@dir/@file.py": "@pad\n@thing = json\n"},
    ),
    Case(
        "bandit",
        "bandit-B602",
        "bandit-B602",
        "bandit -q @file.py",
        {"@file.py": "import subprocess\n\n\ndef @verb(@thing):\n    subprocess.run(@thing, shell=True)\n"},
    ),
    Case(
        "bandit",
        "bandit-B307",
        "bandit-B307",
        "bandit -q @file.py",
        {"@file.py": "@pad\n\n\ndef @verb(@thing):\n    return eval(@thing)\n"},
    ),
]
