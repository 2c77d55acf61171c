"""pytest and unittest: failing tests, broken fixtures, files that cannot be collected."""

from __future__ import annotations

from typing import Any

from tests.recorded.record.case import Case, Files, code


def _pytest(
    cause: str,
    family: str,
    test: str,
    *,
    more: Files | None = None,
    b: str = "",
    b_more: Files | None = None,
    command: str = "pytest",
    b_command: str = "",
    wraps: tuple[str, ...] = (),
    **rest: Any,
) -> Case:
    """A test file; the second take has another folder, other options and a test that passes before."""
    files = {"tests/test_@file.py": f"@pad\n{code(test)}", **(more or {})}
    passing = "import os\n\n@pad\n\n\ndef test_@other_is_@thing():\n    assert os.sep\n\n\n"
    b_files = {
        "tests/unit/test_@file_@dir.py": passing + code(b or test),
        **(b_more if b_more is not None else more or {}),
    }
    return Case(
        "pytest",
        cause,
        family,
        command,
        files,
        b_command or f"python -m {command} -q tests",
        b_files,
        wraps=wraps,
        colour=f"{command} --color=yes",
        **rest,
    )


_TOTAL = {"billing.py": "@pad\ndef total(prices):\n    return sum(prices) + @n - @n + 1\n", "conftest.py": ""}
_COLLECT = "pytest-collection-error"

CASES = [
    _pytest(
        "pytest-assert-test_total",
        "pytest-assertion",
        "from billing import total\n\n\ndef test_total():\n    assert total([@n, @m]) == @n + @m\n",
        more=_TOTAL,
        wraps=("tty", "make", "ci", "tox", "colour", "nox", "just"),
    ),
    _pytest(
        "pytest-assert-test_refund",
        "pytest-assertion",
        "from billing import total\n\n\ndef test_refund():\n    assert total([@n, @m]) == @n + @m\n",
        more=_TOTAL,
        wraps=("make", "job"),
    ),
    _pytest(
        "pytest-assert-message-test_stock",
        "pytest-assertion",
        "def test_stock():\n    @thing = @n\n    assert @thing < 0, 'stock went up'\n",
    ),
    _pytest(
        "pytest-assert-dicts-test_payload",
        "pytest-assertion",
        (
            "def test_payload():\n    assert {'id': @n, '@thing': '@other'} == {'id': @m, '@thing': '@other', "
            "'extra': None}\n"
        ),
        command="pytest -vv",
    ),
    _pytest(
        "pytest-assert-in-class-TestCart-test_empty",
        "pytest-assertion",
        "class TestCart:\n    def test_empty(self):\n        @thing = [@n]\n        assert not @thing\n",
    ),
    _pytest(
        "pytest-parametrized-test_rounding",
        "pytest-assertion",
        (
            "import pytest\n\n\n@pytest.mark.parametrize('value', [0.5, 1.5, 2.5])\ndef test_rounding(value):\n"
            "    assert round(value) > value\n"
        ),
    ),
    _pytest(
        "pytest-did-not-raise-test_rejects",
        "pytest-did-not-raise",
        "import pytest\n\n\ndef test_rejects():\n    with pytest.raises(ValueError):\n        int('@n')\n",
    ),
    _pytest(
        "pytest-raises-wrong-message-test_refuses",
        "pytest-raises-match",
        (
            "import pytest\n\n\ndef test_refuses():\n    with pytest.raises(ValueError, match='not a price'):\n"
            "        int('@thing')\n"
        ),
    ),
    _pytest(
        "pytest-fixture-not-found-client",
        "pytest-fixture-not-found",
        "def test_@verb_@thing(client):\n    assert client.get('/@thing/@n')\n",
        wraps=("make", "colour"),
    ),
    _pytest(
        "pytest-fixture-not-found-db",
        "pytest-fixture-not-found",
        "def test_@verb_@thing(db):\n    assert db.@verb('@thing')\n",
    ),
    _pytest(
        "pytest-fixture-fails-keyerror-API_URL",
        "pytest-setup-error",
        (
            "import os\nimport pytest\n\n\n@pytest.fixture\ndef url():\n    return os.environ['API_URL']\n\n\n"
            "def test_@verb_@thing(url):\n    assert url\n"
        ),
    ),
    _pytest(
        "pytest-collect-missing-module-freezegun",
        _COLLECT,
        "import freezegun\n\n\ndef test_@thing():\n    assert freezegun\n",
        wraps=("make", "ci", "colour"),
    ),
    _pytest(
        "pytest-collect-missing-module-responses",
        _COLLECT,
        "import responses\n\n\ndef test_@thing():\n    assert responses\n",
    ),
    _pytest(
        "pytest-collect-import-name-make_app",
        _COLLECT,
        "from service import make_app\n\n\ndef test_@thing():\n    assert make_app\n",
        more={"service.py": "@pad\n", "conftest.py": ""},
    ),
    _pytest("pytest-collect-syntax-missing-colon", _COLLECT, "def test_@thing()\n    assert @n\n"),
    _pytest(
        "pytest-conftest-missing-module-factory_boy",
        "pytest-conftest-error",
        "def test_@thing():\n    assert @n\n",
        more={"conftest.py": "@pad\nimport factory\n"},
    ),
    _pytest(
        "pytest-error-in-code-none-items",
        "pytest-error-in-test",
        "def @verb(@thing):\n    return @thing.items()\n\n\ndef test_@verb_@thing():\n    assert @verb(None)\n",
        wraps=("tox",),
    ),
    _pytest(
        "pytest-error-in-code-zero-division",
        "pytest-error-in-test",
        "def @verb(@thing):\n    return @n / @thing\n\n\ndef test_@verb_@thing():\n    assert @verb(0)\n",
    ),
    Case("pytest", "pytest-no-such-file", "pytest-usage", "pytest tests/test_@thing.py", {"conftest.py": ""}),
    Case(
        "pytest",
        "pytest-no-tests-ran",
        "pytest-no-tests",
        "pytest",
        {"tests/@file.py": "@thing = @n\n"},
        "python -m pytest -q tests",
        wraps=("make",),
    ),
    Case(
        "pytest",
        "pytest-unknown-option-cov",
        "pytest-usage",
        "pytest --cov=@thing",
        {"conftest.py": ""},
        "python -m pytest -q --cov=@thing --cov-report=term",
        wraps=("make", "tox"),
    ),
    Case("pytest", "pytest-unknown-option-timeout", "pytest-usage", "pytest --timeout=@n", {"conftest.py": ""}),
    Case(
        "pytest",
        "pytest-no-test-of-that-name",
        "pytest-usage",
        "pytest tests/test_@file.py::test_@thing",
        {"tests/test_@file.py": "def test_@other(): ...\n"},
    ),
    _pytest(
        "pytest-unknown-marker-slow-strict",
        _COLLECT,
        "import pytest\n\n\n@pytest.mark.slow\ndef test_@thing():\n    assert @n\n",
        command="pytest --strict-markers",
    ),
    _pytest(
        "pytest-warning-as-error-deprecated-utcnow",
        "pytest-error-in-test",
        "import warnings\n\n\ndef test_@thing():\n    warnings.warn('old_price is deprecated', DeprecationWarning)\n",
        command="pytest -W error",
    ),
    _pytest(
        "pytest-xdist-assert-test_invoice",
        "pytest-assertion",
        "def test_invoice():\n    @thing = @n\n    assert @thing == 0\n",
        command="pytest -n 2",
    ),
    Case(
        "pytest",
        "pytest-import-file-mismatch",
        _COLLECT,
        "pytest",
        {"unit/test_@thing.py": "def test_a(): ...\n", "api/test_@thing.py": "def test_b(): ...\n"},
        "pytest -q",
    ),
    _pytest(
        "pytest-async-not-supported",
        "pytest-async",
        "async def test_@thing():\n    assert @n\n",
        command="pytest -p no:asyncio",
        version="pytest --version",
    ),
    _pytest(
        "pytest-two-failures-test_first-test_second",
        "pytest-assertion",
        "def test_first():\n    assert @n == 0\n\n\ndef test_second():\n    assert @m == 0\n",
    ),
    _pytest(
        "pytest-approx-test_ratio",
        "pytest-assertion",
        "import pytest\n\n\ndef test_ratio():\n    assert @n / 7 == pytest.approx(0.5)\n",
    ),
]


def _unittest(cause: str, family: str, body: str, *, wraps: tuple[str, ...] = (), more: str = "", **rest: Any) -> Case:
    head = "import unittest\n\n@pad\n\n\nclass Test@Thing(unittest.TestCase):\n"
    told = "\n".join("    " + line for line in code(body).splitlines()) + "\n"
    b_files = {
        "tests/__init__.py": "",
        "tests/test_@dir.py": more
        + head.replace("Test@Thing", "@ThingTests")
        + "    def test_@other(self):\n        self.assertTrue(@n)\n\n"
        + told,
    }
    return Case(
        "unittest",
        cause,
        family,
        "python -m unittest test_@file",
        {"test_@file.py": more + head + told},
        "python -m unittest discover -v",
        b_files,
        wraps=wraps,
        **rest,
    )


CASES += [
    _unittest(
        "unittest-assert-equal-test_total",
        "unittest-assertion",
        "def test_total(self):\n    self.assertEqual(@n + 1, @m)\n",
        wraps=("make", "ci"),
    ),
    _unittest(
        "unittest-assert-equal-test_discount",
        "unittest-assertion",
        "def test_discount(self):\n    self.assertEqual(@n + 1, @m)\n",
    ),
    _unittest(
        "unittest-assert-raises-test_refuses",
        "unittest-assertion",
        "def test_refuses(self):\n    with self.assertRaises(ValueError):\n        int('@n')\n",
    ),
    _unittest("unittest-error-keyerror-vat", "unittest-error", "def test_@verb(self):\n    {'@other': @n}['vat']\n"),
    _unittest(
        "unittest-missing-module-parameterized",
        "unittest-import-error",
        "def test_@verb(self): ...\n",
        more="import parameterized\n",
    ),
    Case(
        "unittest",
        "unittest-no-such-test-module",
        "unittest-import-error",
        "python -m unittest tests.test_checkout",
        {"tests/__init__.py": ""},
        b_command="python -m unittest -v tests.test_checkout.@ThingTests",
    ),
]
