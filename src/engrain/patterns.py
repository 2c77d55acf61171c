"""Patterns: compiled when first needed, and where somebody kept what the compiler made of them, not even then.

Most processes see a handful of a thousand patterns, so that none is compiled before its turn. A hook is so short that
even its handful, and the compiler itself, would cost more than all it does; so a file keeps what the compiler said,
`read` takes it in, and `re` is not even loaded. What `made` is told of is new and worth keeping.

A kept pattern is the same as a compiled one: what is kept is the compiler's own output, and it is good for the very
interpreter that made it; whoever keeps the file names it so. What the file can't tell is compiled. On the hook's path.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Pattern
    from typing import Any, AnyStr

    Program = tuple[int, bytes, int, dict[str, int], tuple[Any, ...]]
    """What the compiler makes of a pattern: its flags, its code as words of 32 bits, its groups and their names."""

_sre: Any = __import__("_sre")
_ready: dict[Any, Any] = {}
_programs: dict[Any, Program] = {}
made: list[str | bytes] = []
"""The patterns that had to be compiled in this process."""


def compiled(source: AnyStr) -> Pattern[AnyStr]:
    """The pattern. Its source is a text of the program itself, never one that was made from what somebody wrote."""
    found: Pattern[AnyStr] | None = _ready.get(source)
    if found is None:
        found = _ready[source] = _recalled(source) or _compile(source)
    return found


def _recalled(source: AnyStr) -> Pattern[AnyStr] | None:
    program = _programs.get(source)
    if program is None:
        return None
    flags, code, groups, names, numbers = program
    try:
        words = memoryview(code).cast("I").tolist()
        found: Pattern[AnyStr] = _sre.compile(source, flags, words, groups, names, numbers)
    except (RuntimeError, TypeError, ValueError, OverflowError):
        return None
    return found


def _compile(source: AnyStr) -> Pattern[AnyStr]:
    import re

    made.append(source)
    return re.compile(source)


def read(programs: dict[Any, Program]) -> None:
    """Takes in what was kept."""
    _programs.update(programs)


def program(source: str | bytes) -> Program:
    """What the compiler makes of a pattern, to be kept."""
    import re
    from array import array

    told: list[Any] = []

    class Listening:
        def __getattr__(self, name: str) -> Any:
            return getattr(_sre, name)

        def compile(self, *said: Any) -> Any:
            told.extend(said)
            return _sre.compile(*said)

    compiler: Any = __import__("re._compiler", fromlist=["compile"])
    before, compiler._sre = compiler._sre, Listening()
    try:
        compiler.compile(source, 0)
    finally:
        compiler._sre = before
    _, flags, code, groups, names, numbers = told
    return int(re.RegexFlag(flags)), array("I", code).tobytes(), groups, dict(names), tuple(numbers)
