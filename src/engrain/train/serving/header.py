"""Header: what a GGUF file says of itself, and whether it is whole. The weights are not read."""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping
from typing import Any, BinaryIO, NamedTuple

from engrain.errors import BadInput, NotFound
from engrain.paths import reason

MAGIC, ADAPTER = b"GGUF", "-adapter.gguf"
_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_MOST = 10_000_000


class Header(NamedTuple):
    """A file, and what stands in it under each key."""

    path: str
    about: Mapping[str, Any]

    def of(self, name: str, default: Any = None) -> Any:
        """A value under the architecture's own name, such as `context_length`."""
        return self.about.get(f"{self.about.get('general.architecture', '')}.{name}", default)


def found(path: str) -> str:
    """The GGUF file that is meant: itself, or the only one in a folder that is no adapter."""
    path = os.path.abspath(os.path.expanduser(path))
    if not os.path.isdir(path):
        return path
    names = sorted(name for name in os.listdir(path) if name.endswith(".gguf") and not name.endswith(ADAPTER))
    if not names:
        raise NotFound(f"there is no GGUF file in {path}")
    if len(names) > 1:
        raise BadInput(f"{path} has several GGUF files, say which: {', '.join(names)}")
    return os.path.join(path, names[0])


def read(path: str) -> Header:
    """The header of a file; BadInput where it is no GGUF, or not whole."""
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if file.read(4) != MAGIC:
                raise BadInput(f"{path} is not a GGUF file")
            return Header(path, _about(file, size))
    except FileNotFoundError as exc:
        raise NotFound(f"there is no model {path}") from exc
    except OSError as exc:
        raise BadInput(f"can't read {path}: {reason(exc)}") from exc
    except (struct.error, UnicodeDecodeError, KeyError, OverflowError, MemoryError) as exc:
        raise BadInput(f"{path} is a damaged or cut-off GGUF file") from exc


def _about(file: BinaryIO, size: int) -> dict[str, Any]:
    version, tensors, keys = struct.unpack("<IQQ", file.read(20))
    if version not in (2, 3):
        raise BadInput(f"{file.name} is GGUF version {version}, which is not read here: only 2 and 3 are")
    about = {}
    for _ in range(keys):
        name = _text(file, size)
        (kind,) = struct.unpack("<I", file.read(4))
        about[name] = _value(file, kind, size)
    last = max((_offset(file, size) for _ in range(tensors)), default=0)
    if file.tell() + last >= size:
        raise BadInput(f"{file.name} is cut off: its weights are not all there")
    return about


def _offset(file: BinaryIO, size: int) -> int:
    """Where a tensor begins behind the header."""
    _text(file, size)
    (dimensions,) = struct.unpack("<I", file.read(4))
    *_, offset = struct.unpack(f"<{dimensions}QIQ", file.read(8 * dimensions + 12))
    return int(offset)


def _value(file: BinaryIO, kind: int, size: int) -> Any:
    if kind == _STRING:
        return _text(file, size)
    if kind == _ARRAY:
        return _array(file, size)
    return _numbers(file, kind, 1)[0]


def _array(file: BinaryIO, size: int) -> Any:
    kind, number = struct.unpack("<IQ", file.read(12))
    if number > min(size, _MOST):
        raise OverflowError
    if kind in _NUMBERS:
        return _numbers(file, kind, number)
    return [_value(file, kind, size) for _ in range(number)]


def _numbers(file: BinaryIO, kind: int, number: int) -> tuple[Any, ...]:
    form = f"<{number}{_NUMBERS[kind]}"
    return struct.unpack(form, file.read(struct.calcsize(form)))


def _text(file: BinaryIO, size: int) -> str:
    (length,) = struct.unpack("<Q", file.read(8))
    if length > size:
        raise OverflowError
    data = file.read(length)
    if len(data) < length:
        raise OverflowError
    return data.decode("utf-8", "replace")
