"""unittest and the runners built on it (Django's, nose, trial), and doctest."""

from __future__ import annotations

from engrain.fingerprint.parsers import python
from engrain.fingerprint.parsers.python_exceptions import of
from engrain.fingerprint.rows import pattern_of
from engrain.fingerprint.wording import wording
from engrain.model import SECOND, diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from engrain.model import Diagnostic

_HEADER = r"(?m)^(?P<how>FAIL|ERROR): (?P<test>[\w.]+) \((?P<where>[\w.<>]+)[^)\n]*\).*$"
_DOCTEST = r'(?m)^File "(?P<file>[^"]+)", line \d+, in (?P<test>\S+)\nFailed example:\n(?P<example>.*)'
_SUMMARY = r"(?m)^FAILED \((?:(?:failures|errors|unexpected successes)=\d+(?:, )?)+.*\)$"


def find(text: str, _words: Set[str]) -> Iterator[Diagnostic]:
    """Diagnostics of unittest and doctest."""
    headers = list(pattern_of(_HEADER).finditer(text))[:200] if ("FAIL: " in text or "ERROR: " in text) else []
    for header, after in zip(headers, [*headers[1:], None], strict=False):
        raised = python.chain_root(text[header.end() : after.start() if after else len(text)])
        if raised is None:
            yield diagnostic(
                "unittest", header["how"], "", (("test", header["test"]),), file=header["where"], at=header.start()
            )
        elif raised.type.endswith(("AssertionError", "failureException")):
            # The test decides; what it compared is another each time, and no name of anything that is missing.
            said = raised.message or raised.code
            yield diagnostic(
                "unittest",
                "AssertionError",
                wording(said).template,
                (("test", header["test"]),),
                file=header["where"],
                at=header.start(),
                shown=said,
            )
        else:
            each = of(raised._replace(file=header["where"], at=header.start()))
            yield each._replace(toolchain="unittest") if each.toolchain == "python" else each
    if "Failed example:" in text:
        for match in pattern_of(_DOCTEST).finditer(text):
            yield diagnostic(
                "doctest",
                "Failed example",
                match["example"].strip(),
                (("test", match["test"]),),
                file=match["file"],
                at=match.start(),
            )
    if not headers and (found := pattern_of(_SUMMARY).search(text)):
        yield diagnostic("unittest", "FAILED", "", rank=SECOND, at=found.start(), settled=True)
