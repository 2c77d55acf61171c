"""What somebody may have in a repository before `init`: kinds of files, each made here, and trees of them."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Mapping
from typing import NamedTuple

from hypothesis import strategies as st

Make = Callable[[str], None]
"""Makes the file at a path."""


class Seen(NamedTuple):
    """A file, a folder or a link as it lies there."""

    kind: int
    mode: int
    holds: bytes


def tree(root: str) -> dict[str, Seen]:
    """Everything below a folder, to the byte; git's own files are its own."""
    found = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name != ".git"]
        for name in (*folders, *names):
            path = os.path.join(folder, name)
            seen = os.lstat(path)
            kind = stat.S_IFMT(seen.st_mode)
            holds = b""
            if stat.S_ISLNK(kind):
                holds = os.readlink(path).encode()
            elif stat.S_ISREG(kind):
                with open(path, "rb") as file:
                    holds = file.read()
            found[os.path.relpath(path, root)] = Seen(kind, stat.S_IMODE(seen.st_mode), holds)
    return found


def plain(data: bytes | str, mode: int = 0o644) -> Make:
    """A file with these bytes."""

    def make(path: str) -> None:
        with open(path, "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode("utf-8", "surrogateescape"))
        os.chmod(path, mode)

    return make


def link(to: str, data: bytes | None = b"{}\n") -> Make:
    """A link to a file beside the repository's others, or to nothing."""

    def make(path: str) -> None:
        target = os.path.join(os.path.dirname(path), to)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if data is not None:
            plain(data)(target)
        os.symlink(to, path)

    return make


SETTINGS = {"permissions": {"allow": ["Bash(ls)"]}, "env": {"A": "é"}}
OTHERS = {"hooks": {"Stop": [{"matcher": "", "hooks": [{"type": "command", "command": "say done"}]}], "stop": []}}

JSON_KINDS: Mapping[str, Make] = {
    "empty": plain(""),
    "spaces": plain(" \n\t\n"),
    "an empty object": plain("{}"),
    "an empty object on lines": plain("{\n}\n"),
    "only permissions": plain('{"permissions": {"allow": ["Bash(ls)"]}}'),
    "indented by 2": plain(json.dumps(SETTINGS, indent=2) + "\n"),
    "indented by 3": plain(json.dumps(SETTINGS, indent=3) + "\n"),
    "indented by tabs": plain(json.dumps(SETTINGS, indent="\t")),
    "odd indentation": plain('{\n       "a": 1,\n  "b": [1,\n 2],\n\n\n   "c":{}   }'),
    "no final newline": plain(json.dumps(SETTINGS, indent=4)),
    "CRLF": plain(json.dumps(SETTINGS, indent=2).replace("\n", "\r\n") + "\r\n"),
    "CRLF and LF": plain('{\r\n  "a": 1,\n  "b": 2\r\n}\n'),
    "BOM": plain("\ufeff" + json.dumps(SETTINGS, indent=2)),
    "BOM alone": plain("\ufeff"),
    "line comments": plain('// mine\n{\n  // first\n  "a": 1, // one\n  "b": 2 // two\n  // last\n}\n// end'),
    "block comments": plain('/* mine */ {\n  /* a */ "a": /* 1 */ 1 /* , */\n}\n'),
    "a comment alone": plain("// nothing yet"),
    "an object with a comment alone": plain("{\n  // nothing yet\n}\n"),
    "trailing commas": plain('{\n  "a": [1, 2,],\n  "b": {"c": 1,},\n}\n'),
    "a trailing comma and a comment": plain('{\n  "a": 1, // one\n}\n'),
    "a trailing comma on one line": plain('{"a": 1, }'),
    "hooks of others": plain(json.dumps(OTHERS, indent=2) + "\n"),
    "hooks of others on one line": plain(json.dumps(OTHERS)),
    "empty hooks": plain('{"hooks": {}, "mcpServers": {}}'),
    "hooks with comments": plain('{\n  "hooks": {\n    // none\n    "Stop": [ /* none */ ],\n  },\n}\n'),
    "a server of that name": plain('{"mcpServers": {"engrain": {"command": "other"}}, "mcp": {"engrain": {}}}'),
    "signs in texts": plain('{"a": "// no \\" comment, } ]", "b/*": "\\u00e9 \\\\"}'),
    "the same name twice": plain('{"hooks": {"A": []}, "hooks": {}}'),
    "quotes of our own words": plain('{"note": "engrain: begin ENGRAIN_HOME/bin/hook"}'),
    "read-only": plain('{\n  "a": 1\n}\n', 0o444),
    "owner-only": plain("{}\n", 0o600),
    "a link beside it": link("real.json"),
    "a link to another folder": link("other/real.json", b'{"a":1}'),
    "a link to nothing": link("gone.json", None),
    "unparsable": plain('{"a": '),
    "two values": plain("{} {}"),
    "a list": plain("[]\n"),
    "hooks that are a list": plain('{"hooks": [], "mcpServers": [], "mcp": 1}'),
    "events that are none": plain('{"hooks": {"Stop": {}, "stop": 1, "sessionStart": "x"}}'),
    "no UTF-8": plain(b'{"a": "\xff"}'),
    "UTF-16": plain('{"a": 1}'.encode("utf-16")),
    "an open comment": plain("{} /* "),
    "NUL": plain(b"{}\0"),
}
TEXT_KINDS: Mapping[str, Make] = {
    "empty text": plain(""),
    "a line": plain("# Notes\n"),
    "a line without its end": plain("# Notes"),
    "CRLF text": plain("# Notes\r\n\r\n- one\r\n"),
    "CRLF without its end": plain("# Notes\r\n- one"),
    "BOM text": plain("\ufeff# Notes\n"),
    "empty lines at the end": plain("# Notes\n\n\n\n"),
    "latin-1": plain(b"# Gr\xfc\xdfe\n"),
    "control characters": plain("a\x0bb\x0cc\u2028d\x85e\n"),
    "carriage returns": plain("a\rb\r"),
    "an open mark of ours": plain("<!-- engrain: begin -->\n# engrain: begin\nmine\n"),
    "a closing mark of ours": plain("<!-- engrain: end -->\n# engrain: end\nmine"),
    "marks in a sentence": plain("see <!-- engrain: begin --> and # engrain: end\n"),
    "read-only text": plain("# Notes\n", 0o444),
    "a program": plain("#!/bin/sh\n", 0o755),
    "a text that is a link": link("docs/notes.md", b"# Notes"),
    "UTF-16 text": plain("# Notes\n".encode("utf-16")),
    "ignored": plain("node_modules/\n*.log"),
    "spaces alone": plain("  \n"),
}
TOML_KINDS: Mapping[str, Make] = {
    "empty toml": plain(""),
    "a table": plain('model = "x"\n\n[features]\nhooks = true\n'),
    "a table without its end": plain('[a]\nb = "c"'),
    "CRLF toml": plain('model = "x"\r\n'),
    "servers of others": plain('[mcp_servers.db]\ncommand = "db"\n# engrain: begin\n'),
    "an inline table of servers": plain('mcp_servers = {db = {command = "db"}}\n'),
    "a server of that name in toml": plain('[mcp_servers.engrain]\ncommand = "other"\n'),
    "unparsable toml": plain("[a\n"),
    "no UTF-8 in toml": plain(b'a = "\xff"\n'),
    "read-only toml": plain("a = 1\n", 0o400),
}
FILE_KINDS: Mapping[str, Make] = {
    "an empty program": plain(""),
    "a program of others": plain("export const Mine = async () => ({})\n", 0o755),
}

FILES: Mapping[str, Mapping[str, Make]] = {
    ".claude/settings.json": JSON_KINDS,
    ".mcp.json": JSON_KINDS,
    ".codex/hooks.json": JSON_KINDS,
    ".cursor/hooks.json": JSON_KINDS,
    ".gemini/settings.json": JSON_KINDS,
    "opencode.json": JSON_KINDS,
    ".windsurf/hooks.json": JSON_KINDS,
    ".codex/config.toml": TOML_KINDS,
    "AGENTS.md": TEXT_KINDS,
    "CLAUDE.md": TEXT_KINDS,
    "GEMINI.md": TEXT_KINDS,
    ".gitignore": TEXT_KINDS,
    ".opencode/plugins/engrain.js": FILE_KINDS,
    ".clinerules/hooks/PostToolUse": FILE_KINDS,
    ".engrain/.gitattributes": FILE_KINDS,
}
"""Files that `init` writes into, and what may be there."""

EVERY = [(path, kind) for path, kinds in FILES.items() for kind in kinds]
TREES = st.fixed_dictionaries({}, optional={path: st.sampled_from(sorted(kinds)) for path, kinds in FILES.items()})
"""Any tree of such files."""


def lay(root: str, chosen: Mapping[str, str]) -> None:
    """Makes the files of a tree, and a record that the team shares."""
    for path, kind in chosen.items():
        place = os.path.join(root, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        FILES[path][kind](place)


# Any JSON that people write

_SPACE = st.sampled_from(["", " ", "\n", "\n  ", "\t", "\r\n", " // x\n", "/* y */", "\n\n"])
_LEAF = st.sampled_from(["1", "null", "true", '"é"', '"a\\"b"', '"// no"', "-1.5e3", "[]", "{}"])


@st.composite
def written(draw: st.DrawFn, depth: int = 0) -> str:
    """A value as somebody may have written it, with comments, spaces and trailing commas anywhere."""
    if depth > 2 or draw(st.booleans()):
        return draw(_LEAF)
    keyed = draw(st.booleans())
    items = draw(st.lists(written(depth + 1), max_size=3))
    keys = draw(
        st.lists(st.sampled_from(["hooks", "Stop", "mcpServers", "a", "é"]), min_size=3, max_size=3, unique=True)
    )
    told = [f'{draw(_SPACE)}"{key}"{draw(_SPACE)}:{draw(_SPACE)}{item}{draw(_SPACE)}' if keyed
            else f"{draw(_SPACE)}{item}{draw(_SPACE)}" for key, item in zip(keys, items, strict=False)]  # fmt: skip
    end = draw(st.sampled_from(["", ","])) + draw(_SPACE) if told else draw(_SPACE)
    return f"{'{' if keyed else '['}{','.join(told)}{end}{'}' if keyed else ']'}"
