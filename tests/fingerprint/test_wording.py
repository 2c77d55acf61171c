"""Messages → template and what decides: rows of (message, template, decides)."""

from __future__ import annotations

import pytest

from engrain.fingerprint.wording import wording

ROWS: tuple[tuple[str, str, dict[str, str]], ...] = (
    # The name of what is missing decides.
    ("No module named 'orjson'", "No module named <name>", {"module": "orjson"}),
    ("Cannot find module './b' or its types.", "Cannot find module <name> or its types", {"module": "./b"}),
    ("Cannot find module '../lib/b.js'", "Cannot find module <name>", {"module": "./b"}),
    ("‘cnt’ undeclared (first use); did you mean ‘int’?", "<name> undeclared (first use)", {"name": "cnt"}),
    ("no method named `run` found for struct `A`", "no method named <name> found for struct <name>", {"method": "run"}),
    ("Property 'x' does not exist on type 'Cart'.", "Property <name> does not exist on type <name>", {"property": "x"}),
    ("Module '\"pkg\"' has no exported member 'I'.", "Module <name> has no exported member <name>", {"member": "I"}),
    ("no such table: users", "no such table: <name>", {"table": "users"}),
    ("unrecognized command-line option ‘-fx’", "unrecognized command-line option <name>", {"option": "-fx"}),
    ("UNIQUE constraint failed: account.id", "UNIQUE constraint failed: <name>", {"constraint": "account.id"}),
    ("HTTP Error 404: Not Found", "HTTP Error <number>: Not Found", {"status": "404"}),
    # The name of what is there does not.
    ("borrow of moved value: `total`", "borrow of moved value: <name>", {}),
    ('Cannot invoke "String.length()" because "<local1>" is null', "Cannot invoke <name> because <name> is null", {}),
    ("variable total is already defined in class Cart", "variable <name> is already defined in class <name>", {}),
    # Words of the language stay.
    ("cannot convert ‘const char*’ to ‘int*’", "cannot convert const char* to int*", {}),
    ("'NoneType' object is not subscriptable", "NoneType object is not subscriptable", {}),
    ("'[' was never closed", "[ was never closed", {}),
    # What stands beside a slip is chance.
    ("expected ‘;’ before ‘return’", "expected ; before <token>", {}),
    ("Unexpected token '}'", "Unexpected token <token>", {}),
    # Values go.
    (
        "can't read /home/me/a.yml: port 8080 on 10.0.0.1:80 is taken",
        "can't read <path>: port <number> on <host> is taken",
        {},
    ),
    ("index 5 is out of range [0, 3)", "index <number> is out of range [<number>, <number>)", {}),
    ("index out of range [10] with length 3", "index out of range [<number>] with length <number>", {}),
    ("at 0xdeadbeef after 30 ms, used 20.00 MiB", "at <pointer> after <duration>, used <size>", {}),
    ("see https://example.com/a?b=c for 3f2504e0-4f89-41d3-9a0c-0305e82c3301", "see <url> for <uuid>", {}),
    ("takes 2 arguments but 3 were given", "takes <number> argument but <number> was given", {}),
    ("file '/srv/a/b.bin' not found", "file <name> not found", {}),
    ("file 'requirements.txt' not found", "file <name> not found", {"file": "requirements.txt"}),
    ("could not resolve host: db.internal.example.com", "could not resolve host: <name>", {}),
    ("", "", {}),
)

KNOWN_WRONG: tuple[tuple[str, dict[str, str]], ...] = (
    # A name in plain words is not told from a word.
    ("Unknown column foo in where", {}),
    ("cannot open libbilling", {}),
)


@pytest.mark.parametrize(("message", "template", "decides"), ROWS, ids=[row[0][:40] for row in ROWS])
def test_wording(message: str, template: str, decides: dict[str, str]) -> None:
    found = wording(message)
    assert (found.template, dict(found.decides)) == (template, decides)


@pytest.mark.parametrize(("message", "decides"), KNOWN_WRONG)
def test_known_to_be_wrong(message: str, decides: dict[str, str]) -> None:
    assert dict(wording(message).decides) == decides
