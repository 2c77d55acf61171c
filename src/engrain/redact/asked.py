"""What a tool was asked for: the files, the commands and the contents in its input, whatever the tool calls them.

Agents do not agree on names (`file_path`, `TargetFile`, `pathInProject`, `filePath`), nor on shapes: a command is a
text or a list of words, a file one argument, one of several, or the key of a table of changes. So a name is read by
its words, at any depth; and a text that looks like a path counts whatever it is called.
"""

from __future__ import annotations

from engrain.light import remembered
from engrain.patterns import compiled
from engrain.redact.rule import vocabulary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_FILE_WORDS = vocabulary(
    """
    path paths file files filename filenames filepath filepaths uri uris notebook document documents resource
    resources target targets source sources destination src dst glob globs folder directory dir
    """
)
_COMMAND_WORDS = vocabulary("command commands cmd cmds script scripts input patch diff code argv args program")
_CONTENTS = vocabulary(
    """
    content contents newstring oldstring newstr oldstr newtext oldtext edits text newsource filetext inserttext body
    patch patchtext diff codeedit codecontent instructions replacement replacementchunks unifieddiff
    """
)
_DEEPEST = 100
_MOST_KEYS = 1024
"""Keys of which it is remembered what they mean: tools have few, and every call has the same."""


@remembered(_MOST_KEYS)
def content(key: str) -> bool:
    """This argument carries what stands in a file."""
    return key.replace("_", "").replace("-", "").lower() in _CONTENTS


@remembered(_MOST_KEYS)
def file(key: str) -> bool:
    """This argument names a file, or several."""
    return not content(key) and not _FILE_WORDS.isdisjoint(_words(key))


@remembered(_MOST_KEYS)
def command(key: str) -> bool:
    """This argument is a command, a program, or a patch that names its files itself."""
    words = _words(key)
    return not _COMMAND_WORDS.isdisjoint(words) and (not content(key) or "patch" in words or "diff" in words)


def paths(given: Any) -> Iterator[str]:
    """What the arguments for files name."""
    return (text.removeprefix("file://") for text, said in _texts(given) if said == "file")


def commands(given: Any) -> Iterator[str]:
    """Each command, one given as words both joined and word by word."""
    return (text for text, said in _texts(given) if said == "command")


def others(given: Any) -> Iterator[str]:
    """Other texts that look like a path, file contents aside."""
    return (text.removeprefix("file://") for text, said in _texts(given) if said == "" and _like_a_path(text))


def _texts(value: Any, said: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield value, said
    elif isinstance(value, dict) and depth < _DEEPEST:
        named = sorted((str(key) for key in value if command(str(key))), key=lambda key: "arg" in key.lower())
        words = [word for key in named for word in _flat(value.get(key))]
        if len(words) > 1:
            yield " ".join(words), "command"
        for key, item in value.items():
            yield str(key), ""
            yield from _texts(item, _said(str(key), item, said), depth + 1)
    elif isinstance(value, (list, tuple)) and depth < _DEEPEST:
        for item in value:
            yield from _texts(item, said, depth + 1)


def _said(key: str, value: Any, above: str) -> str:
    if command(key):
        return "command"
    if content(key):
        # Several edits may each name a file; a text is content.
        return "content"
    return "file" if file(key) else "" if above == "content" and not isinstance(value, str) else above


def _flat(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [item for item in value if isinstance(item, str)] if isinstance(value, (list, tuple)) else []


def _words(key: str) -> list[str]:
    return [word.lower() for word in compiled(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+").findall(key[:200])]


def _like_a_path(text: str) -> bool:
    return 3 < len(text) < 1024 and ("." in text or "/" in text) and not compiled(r"\s").search(text.strip())
