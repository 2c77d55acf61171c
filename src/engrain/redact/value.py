"""A JSON value without secrets. A text under a telling key (`{"password": …}`) is judged as an assignment is."""

from __future__ import annotations

from engrain.redact.assignment import named
from engrain.redact.engine import OPEN, Marks, clean, telling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_DEEPEST = 200
_PARTS = ("d", "p", "q", "dp", "dq", "qi", "k")


def clean_value(value: Any, marks: Marks, key: str = "", depth: int = 0) -> Any:
    """The value without secrets; what is no secret stays as it is."""
    if isinstance(value, str):
        return _text(value, marks, key)
    if isinstance(value, dict):
        if depth >= _DEEPEST:
            return {}
        name = _named_elsewhere(value)
        return {
            _text(k, marks, "") if isinstance(k, str) else k: _part(value, str(k), v, marks)
            or clean_value(v, marks, name if name and k in ("value", "Value") else str(k), depth + 1)
            for k, v in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [clean_value(item, marks, key, depth + 1) for item in value] if depth < _DEEPEST else []
    if isinstance(value, int) and not isinstance(value, bool) and key and (rule := named(key, str(value))):
        return marks.of(rule, str(value))
    return value


def _part(whole: dict[Any, Any], key: str, value: Any, marks: Marks) -> Any:
    """The mark of what is secret because of the record that it is in; nothing of anything else."""
    if key in _PARTS and "kty" in whole and isinstance(value, str) and len(value) >= 16 and OPEN not in value:
        return marks.of("jwk", value)
    if key in ("data", "stringData") and whole.get("kind") == "Secret" and isinstance(value, dict):
        return {
            name: marks.of("kubernetes-secret", text) if isinstance(text, str) and text and OPEN not in text else text
            for name, text in value.items()
        }
    return None


def _text(text: str, marks: Marks, key: str) -> str:
    cleaned = clean(text, marks)
    if key and cleaned is text and (rule := named(key, text)):
        return marks.of(rule, text)
    return cleaned


def without_known(value: Any, marks: Marks) -> Any:
    """The value without the secrets that were found before: announced in one text, they stand bare in another."""
    known = sorted(((s, mark) for s, mark in marks.taken.items() if telling(s)), key=lambda pair: -len(pair[0]))

    def replaced(text: str) -> str:
        for secret, mark in known:
            if secret in text:
                text = text.replace(secret, mark)
        return text

    return each_text(value, replaced) if known else value


def each_text(value: Any, change: Callable[[str], str]) -> Any:
    """A JSON value with every text in it changed, keys too."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {each_text(key, change): each_text(item, change) for key, item in value.items()}
    return [each_text(item, change) for item in value] if isinstance(value, (list, tuple)) else value


def _named_elsewhere(value: dict[Any, Any]) -> str:
    """`{"name": "DB_PASSWORD", "value": …}`: the name of the value."""
    for key in ("name", "Name", "key", "Key"):
        if isinstance(value.get(key), str):
            return str(value[key])
    return ""
