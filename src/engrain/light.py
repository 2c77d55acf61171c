"""JSON and hashes without what the standard library loads for them: a hook lives for a few thousandths of a second.

`json` brings the whole of `re` along, for decoders that its own C code replaces, and `hashlib` all of OpenSSL. Both
stand on small modules in C, and these are asked here; an interpreter without them gets the wrappers. The results are
the same, byte for byte. On the hook's path.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    Answer = TypeVar("Answer")

try:
    import _json
except ImportError:
    _json = None  # type: ignore[assignment]

_SPACES = " \t\n\r"
_HASHES = ("_sha2", "_sha256") if sys.version_info >= (3, 12) else ("_sha256", "_sha2")


class _Context:
    """What the scanner asks of a decoder."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    memo: dict[str, str] = {}  # noqa: RUF012 - the scanner clears its own

    @staticmethod
    def parse_constant(name: str) -> float:
        return float(name.replace("Infinity", "inf"))


def loads(text: str) -> Any:
    """The value of a JSON text, or ValueError."""
    if _json is None:
        import json

        return json.loads(text)
    whole = text.strip(_SPACES)
    try:
        value, end = _scanner()(whole, 0)
    except StopIteration:
        raise ValueError("no JSON value") from None
    if end != len(whole):
        raise ValueError(f"something stands behind the value at character {end}")
    return value


def dumps(value: Any, *, ordered: bool = False) -> str:
    """A value as JSON without spaces, text as it is; `ordered` sorts keys, so that equal values are equal bytes."""
    if _json is None:
        import json

        return json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=ordered, separators=(",", ":"))
    encode = _json.make_encoder({}, _unknown, _json.encode_basestring, None, ":", ",", ordered, False, False)
    return "".join(encode(value, 0))


def _unknown(value: object) -> Any:
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


_kept: list[Callable[[str, int], tuple[Any, int]]] = []


def _scanner() -> Callable[[str, int], tuple[Any, int]]:
    if not _kept:
        context: Any = _Context()
        _kept.append(_json.make_scanner(context))
    return _kept[0]


def remembered(most: int) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    """`functools.lru_cache` without functools: as many answers of a pure function are kept."""
    try:
        wrapper: Any = __import__("_functools")._lru_cache_wrapper
    except (ImportError, AttributeError):
        from functools import lru_cache

        return lru_cache(most)
    return lambda function: wrapper(function, most, False, tuple)


def sha256(data: bytes) -> str:
    """The SHA-256 of some bytes, in hexadecimal digits."""
    for name in _HASHES:
        try:
            found: str = __import__(name).sha256(data).hexdigest()
        except ImportError:
            continue
        return found
    import hashlib

    return hashlib.sha256(data).hexdigest()
