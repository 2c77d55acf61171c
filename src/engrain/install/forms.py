"""The forms of files that we write into: how something is put in, and how it is taken out by what it says.

    json      entries of settings, comments and trailing commas kept
    toml      a marked block at the end
    markdown  a marked block at the end
    lines     a marked block at the end
    file      the whole file, where nobody has one of that name

What was put in is known to the byte as spans of the text; whoever finds the file as we left it cuts these out.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import NamedTuple

from engrain.errors import BadInput
from engrain.install import blocks, settings, texts
from engrain.install.settings import Put
from engrain.install.wiring import FILE, JSON, LINES, MARKDOWN, TOML, Part

_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class Form(NamedTuple):
    """What can be done with a file: `put` what goes in, `without` what is ours, and whether what is left is `bare`.
    `emptied` is what stays of a file that was ours alone and may not be removed."""

    put: Callable[[str, Part], Put]
    without: Callable[[str, str], str]
    bare: Callable[[str], bool]
    strict: bool
    emptied: str


def decoded(form: str, path: str, data: bytes) -> str:
    """The text of a file; bytes that are no text are carried along where the form allows it."""
    if data.startswith(_UTF16) or (form != FILE and b"\0" in data):
        raise BadInput(f"{path}: not UTF-8; it was left as it is")
    try:
        return data.decode("utf-8", "strict" if FORMS[form].strict else "surrogateescape")
    except UnicodeDecodeError as exc:
        raise BadInput(f"{path}: not UTF-8; it was left as it is") from exc


def encoded(text: str) -> bytes:
    """The bytes of such a text."""
    return text.encode("utf-8", "surrogateescape")


def ready(text: str, part: Part) -> str:
    """The text without what an older version of us put in; what is there as it should be stays."""
    form = FORMS[part.form]
    if part.form == JSON:
        settings.checked(text, part.path, part.entries)
        return settings.without(text, {settings.handler(entry) for entry in part.entries})
    if part.form in _MARKS and blocks.there(text, part.text, _MARKS[part.form]):
        return text
    return form.without(text, part.text)


# JSON


def _put_json(text: str, part: Part) -> Put:
    settings.checked(text, part.path, part.entries)
    put = settings.put(text, part.entries)
    settings.checked(put.text, part.path)
    return put


def _without_json(text: str, _ours: str) -> str:
    settings.checked(text, "the file")
    return settings.without(text)


# Blocks


_MARKS = {MARKDOWN: blocks.MARKDOWN, LINES: blocks.HASH, TOML: blocks.HASH}


def _put_block(text: str, part: Part) -> Put:
    marks = _MARKS[part.form]
    return Put(text, ()) if blocks.there(text, part.text, marks) else blocks.put(text, part.text, marks)


def _without_block(text: str, ours: str) -> str:
    return blocks.without(text, ours.splitlines())


def _blank(text: str) -> bool:
    return not text.strip("\ufeff \t\r\n")


def _put_toml(text: str, part: Part) -> Put:
    found = _toml(text, part.path)
    for name in ("mcp_servers", "engrain"):
        found = found.get(name, {}) if isinstance(found, dict) else {}
    if found:
        return Put(text, ())
    put = _put_block(text, part)
    _toml(put.text, part.path)
    return put


def _toml(text: str, path: str) -> object:
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError) as exc:
        raise BadInput(f"{path}: not TOML, or not with our part in it ({exc}); it was left as it is") from exc


# Whole files


def _put_file(text: str, part: Part) -> Put:
    if text == part.text:
        return Put(text, ())
    if not _blank(text):
        raise BadInput(f"{part.path}: there is one already, and it is not ours; it was left as it is")
    return Put(text + part.text, ((len(text), len(text) + len(part.text)),))


def _without_file(text: str, _ours: str) -> str:
    return "" if texts.whole(text) else text


FORMS = {
    JSON: Form(_put_json, _without_json, settings.bare, True, "{}\n"),
    TOML: Form(_put_toml, _without_block, _blank, True, ""),
    MARKDOWN: Form(_put_block, _without_block, _blank, False, ""),
    LINES: Form(_put_block, _without_block, _blank, False, ""),
    FILE: Form(_put_file, _without_file, _blank, False, ""),
}
