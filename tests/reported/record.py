"""Records anew what test runners say: small projects, the real tools, what they wrote, as it came.

    python -m tests.reported.record --tools DIR    DIR has node_modules with jest, vitest and bun, and bin with the rest

Tools are looked for in DIR, then on the path; one that is not there keeps its recordings. In each project there is a
test of every outcome that its runner knows, so that a recording tells them all.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator

HERE = os.path.dirname(os.path.abspath(__file__))

PYTHON = {
    "tests/test_cart.py": """\
import pytest


@pytest.fixture
def database():
    raise ConnectionError("no database")


class TestCart:
    def test_adds(self):
        assert 1 + 1 == 2

    def test_refunds(self):
        assert 3 - 1 == 1


@pytest.mark.parametrize("amount", [1, 20])
def test_rounds(amount):
    assert amount


@pytest.mark.skip(reason="slow")
def test_exports():
    pass


@pytest.mark.xfail(reason="known")
def test_currency():
    assert False


def test_stores(database):
    pass
""",
    "unit/test_price.py": '''\
import unittest


class PriceTest(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(2, 1 + 1)

    def test_refunds(self):
        """A refund is never more than was paid."""
        self.assertEqual(1, 3 - 1)

    def test_raises(self):
        raise KeyError("price")

    @unittest.skip("slow")
    def test_exports(self):
        pass

    @unittest.expectedFailure
    def test_currency(self):
        self.fail()


if __name__ == "__main__":
    unittest.main()
''',
    "unit/__init__.py": "",
}
SCRIPT = """\
describe("cart", () => {
  test("adds", () => { expect(1 + 1).toBe(2); });
  test("refunds", () => { expect(3 - 1).toBe(1); });
  describe("with a voucher", () => {
    test("is cheaper", () => { expect(1).toBeLessThan(2); });
  });
  test.skip("exports", () => {});
  test.todo("imports");
});
test("stands alone", () => {});
"""
IMPORTED = 'import { describe, expect, test } from "{}";\n'
JAVASCRIPT = {
    "jest/cart.test.js": SCRIPT,
    "jest/price.test.js": 'test("rounds", () => { expect(2).toBe(2); });\n',
    "jest/package.json": "{}",
    "vitest/cart.test.js": IMPORTED.replace("{}", "vitest") + SCRIPT,
    "vitest/price.test.js": IMPORTED.replace("{}", "vitest") + 'test("rounds", () => { expect(2).toBe(2); });\n',
    "vitest/package.json": "{}",
    "bun/cart.test.js": IMPORTED.replace("{}", "bun:test") + SCRIPT,
    "bun/price.test.js": IMPORTED.replace("{}", "bun:test") + 'test("rounds", () => { expect(2).toBe(2); });\n',
    "bun/package.json": "{}",
}
GO = {
    "go.mod": "module shop\n\ngo 1.20\n",
    "cart/cart.go": "package cart\n\nfunc Add(a, b int) int { return a + b }\n",
    "cart/cart_test.go": """\
package cart

import "testing"

func TestAdds(t *testing.T) {
	if Add(1, 1) != 2 {
		t.Fatal("no")
	}
}

func TestRefunds(t *testing.T) {
	t.Run("whole", func(t *testing.T) { t.Log("fine") })
	t.Run("half", func(t *testing.T) { t.Errorf("got %d, want 1", 3-1) })
}

func TestExports(t *testing.T) { t.Skip("slow") }
""",
    "price/price.go": "package price\n\nfunc Half(a int) int { return a / 2 }\n",
    "price/price_test.go": """\
package price

import "testing"

func TestHalf(t *testing.T) {
	if Half(4) != 2 {
		t.Fatal("no")
	}
}
""",
}
RUST = {
    "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/lib.rs": """\
/// Adds.
///
/// ```
/// assert_eq!(shop::add(1, 1), 2);
/// ```
pub fn add(a: i32, b: i32) -> i32 {
    a + b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(add(1, 1), 2);
    }

    #[test]
    fn refunds() {
        assert_eq!(add(3, -1), 1);
    }

    #[test]
    #[ignore = "slow"]
    fn exports() {}
}
""",
    "tests/checkout.rs": "#[test]\nfn pays() {\n    assert_eq!(shop::add(2, 2), 4);\n}\n",
}
TAKES = (
    # Which recording it is, its files, the folder of these that it runs in, and what is run there.
    ("pytest/plain", PYTHON, "", "pytest tests"),
    ("pytest/verbose", PYTHON, "", "pytest -v --durations=3 tests"),
    ("pytest/quiet", PYTHON, "", "pytest -q --tb=no tests"),
    ("pytest/all", PYTHON, "", "pytest -q --tb=no -rA tests"),
    ("pytest/spread", PYTHON, "", "pytest -v -n 2 --tb=no tests"),
    ("pytest/passed", PYTHON, "", "pytest -q tests -k 'adds or rounds'"),
    ("pytest/none", PYTHON, "", "pytest -q tests -k nothing"),
    ("unittest/plain", PYTHON, "", "python -m unittest unit.test_price"),
    ("unittest/verbose", PYTHON, "", "python -m unittest -v unit.test_price"),
    ("unittest/passed", PYTHON, "", "python -m unittest unit.test_price.PriceTest.test_adds"),
    ("jest/plain", JAVASCRIPT, "jest", "jest"),
    ("jest/verbose", JAVASCRIPT, "jest", "jest --verbose"),
    ("jest/passed", JAVASCRIPT, "jest", "jest price"),
    ("vitest/plain", JAVASCRIPT, "vitest", "vitest run"),
    ("vitest/verbose", JAVASCRIPT, "vitest", "vitest run --reporter=verbose"),
    ("vitest/passed", JAVASCRIPT, "vitest", "vitest run price"),
    ("bun/plain", JAVASCRIPT, "bun", "bun test"),
    ("bun/passed", JAVASCRIPT, "bun", "bun test price"),
    ("go/plain", GO, "", "go test ./..."),
    ("go/verbose", GO, "", "go test -v ./..."),
    ("go/json", GO, "", "go test -json ./..."),
    ("go/passed", GO, "", "go test ./price"),
    ("cargo/plain", RUST, "", "cargo test --offline --no-fail-fast"),
    ("cargo/quiet", RUST, "", "cargo test -q --offline --no-fail-fast"),
    ("cargo/passed", RUST, "", "cargo test --offline --test checkout"),
    ("junit/pytest", PYTHON, "", "pytest -q --junit-xml=r.xml tests >/dev/null; cat r.xml"),
    ("junit/vitest", JAVASCRIPT, "vitest", "vitest run --reporter=junit"),
    ("junit/bun", JAVASCRIPT, "bun", "bun test --reporter=junit --reporter-outfile=r.xml >/dev/null 2>&1; cat r.xml"),
)


def main() -> None:
    """Every take whose tool is there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tools", default="", help="a folder with node_modules and bin")
    parser.add_argument("only", nargs="*", help="the first letters of recordings")
    asked = parser.parse_args()
    for name, files, folder, command in TAKES:
        if asked.only and not name.startswith(tuple(asked.only)):
            continue
        said = recorded(files, folder, command, os.path.abspath(asked.tools) if asked.tools else "")
        if said is None:
            print(f"not there: {name}")
            continue
        path = os.path.join(HERE, f"{name}.txt")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write(f"$ {command}\n{said}")
        print(f"{len(said):6} {name}")


def recorded(files: dict[str, str], folder: str, command: str, tools: str) -> str | None:
    """What the command said in a new project with these files; None where there is no such tool."""
    with tempfile.TemporaryDirectory() as root:
        place = os.path.join(root, "shop")
        for path, text in files.items():
            os.makedirs(os.path.dirname(os.path.join(place, path)), exist_ok=True)
            with open(os.path.join(place, path), "w", encoding="utf-8") as out:
                out.write(text)
        modules = os.path.join(tools, "node_modules")
        if tools and os.path.isdir(modules) and folder:
            os.symlink(modules, os.path.join(place, folder, "node_modules"))
        environ = {
            **os.environ,
            "NO_COLOR": "1",
            "RUST_BACKTRACE": "0",
            "HOME": root,
            "PATH": os.pathsep.join(_path(modules, tools)),
        }
        for name in ("CARGO_HOME", "RUSTUP_HOME"):
            environ.setdefault(name, os.path.join(os.path.expanduser("~"), f".{name.partition('_')[0].lower()}"))
        environ.pop("PYTEST_ADDOPTS", None)
        ran = subprocess.run(
            command, shell=True, cwd=os.path.join(place, folder), env=environ, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, check=False, timeout=300,
        )  # fmt: skip
        return None if ran.returncode == 127 else _scrubbed(ran.stdout.decode("utf-8", "replace"), place, tools)


def _path(modules: str, tools: str) -> Iterator[str]:
    if tools:
        yield os.path.join(modules, ".bin")
        yield os.path.join(tools, "bin")
    yield os.environ["PATH"]


def _scrubbed(text: str, place: str, tools: str) -> str:
    """Without the folders and the name of the machine that recorded it."""
    text = text.replace(place, "/home/dana/shop").replace(place.lstrip("/"), "home/dana/shop")
    text = text.replace(os.uname().nodename, "laptop")
    for folder in filter(
        None, (tools, *(os.path.realpath(os.path.join(tools, name)) for name in ("bin", "node_modules")))
    ):
        text = text.replace(folder, "/home/dana/tools")
    return re.sub(r"[^\S\n]+\n", "\n", text)


if __name__ == "__main__":
    main()
