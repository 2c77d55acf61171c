"""Settings: a table of names, and where each value comes from.

A value comes from the environment, else from config.toml, else from the table's default. `[tick] seconds = 5` in the
file is `tick.seconds` here and ENGRAIN_TICK_SECONDS in the environment.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engrain.errors import BadConfig
from engrain.paths import Home, reason, replace_file

Value = str | int | float | bool


class Setting(NamedTuple):
    """A row of the table."""

    name: str
    default: Value
    help: str

    @property
    def variable(self) -> str:
        return "ENGRAIN_" + self.name.upper().replace(".", "_")


class Setted(NamedTuple):
    """A value and where it comes from."""

    name: str
    value: Value
    source: str


SETTINGS = (
    Setting(
        "store",
        "",
        "where memories are kept: a path, a postgresql:// URL, or the http(s):// address of `engrain serve`; "
        "empty: engrain.db in the home",
    ),
    Setting("sync.url", "", "the server that `engrain sync` brings this machine's store to the same with"),
    Setting("tenant", "local", "whose memories these are, when several teams share a store"),
    Setting("tick.seconds", 20.0, "how long one tick may work before it leaves the rest to the next"),
    Setting("train.keep", 30.0, "days that the content of reads, writes and edits is kept; then it is erased"),
    Setting("retention.days", "", "days that kinds are kept if nothing rests on them: tool.call: 180, reply: 90"),
    Setting("retention.mb", "", "megabytes of a kind that are kept, likewise, the oldest go first: tool.call: 5000"),
    Setting("embed.model", "minilm", "what makes vectors: minilm, ollama:MODEL, openai:MODEL, or none for words alone"),
    Setting("embed.url", "", "where that model is served; empty: Ollama on this machine, or OpenAI"),
    Setting("embed.key", "", "the environment variable that holds the key for embed.url"),
    Setting(
        "hook.holdout",
        0.0,
        "share of answers of hooks that are held back, to measure what they gain; never taught ones",
    ),
    Setting("hook.brief", True, "whether a session is told at its start what earlier ones left open, and what recurs"),
    Setting(
        "tasks.records",
        True,
        "whether finalized tasks are also kept as lines in .engrain/ of their repository",
    ),
    Setting("server.host", "127.0.0.1", "where `engrain serve` listens; beyond this machine only with --open or TLS"),
    Setting("server.port", 3377, "the port that it listens at"),
    Setting("server.hosts", "", "more names that it goes by, apart by commas: others are refused (DNS rebinding)"),
    Setting("server.origins", "", "pages of other machines that may ask it, apart by commas: https://example.org"),
    Setting("server.max_mb", 16, "the largest request that it takes, in MiB"),
    Setting("server.writes", 100.0, "requests that change something, for each token a minute; 0: any number"),
    Setting("server.reads", 500.0, "requests that ask something, for each token a minute; 0: any number"),
    Setting("server.guesses", 120.0, "requests with no token that holds, for each address a minute; 0: any number"),
    Setting("server.trust_local", False, "whether agents on this machine may read and write without a token"),
    Setting("server.audit_days", 30.0, "how long it is kept who changed what through the server"),
    Setting("disk.reserve_mb", 200, "doctor warns when the disk has less than this left"),
    Setting("backup.folder", "", "where `engrain backup` puts copies; empty: backups/ in the home"),
)
_BY_NAME = {setting.name: setting for setting in SETTINGS}


class Config:
    """The settings in force, each with its source."""

    def __init__(self, values: Mapping[str, Setted]) -> None:
        self._values = dict(values)

    def __iter__(self) -> Iterator[Setted]:
        return iter(self._values[setting.name] for setting in SETTINGS)

    def get(self, name: str) -> Setted:
        """The value of a setting and its source."""
        return self._values[known(name).name]

    def having(self, name: str, value: Value) -> Config:
        """The same settings with another value of one."""
        return Config({**self._values, name: Setted(name, value, "as asked")})

    def text(self, name: str) -> str:
        return str(self.get(name).value)

    def number(self, name: str) -> float:
        value = self.get(name).value
        assert isinstance(value, (int, float))
        return float(value)


def load(home: Home, environ: Mapping[str, str]) -> Config:
    """The settings of a home under these environment variables."""
    stored = _stored(home)
    if unknown := sorted(stored.keys() - _BY_NAME.keys()):
        raise BadConfig(f"{home.config}: unknown setting {unknown[0]!r}; `engrain config` lists them all")
    return Config({setting.name: _choose(setting, stored, home.config, environ) for setting in SETTINGS})


def known(name: str) -> Setting:
    """The setting of that name, or BadConfig."""
    if name not in _BY_NAME:
        raise BadConfig(f"unknown setting {name!r}; `engrain config` lists them all")
    return _BY_NAME[name]


def store(home: Home, name: str, text: str | None) -> None:
    """Writes one setting into config.toml (None: takes it out); the other lines stay as they are."""
    setting = known(name)
    value = None if text is None else _read(setting, text, "the command line")
    before = _file_text(home)
    after = _edited(before, setting.name, value)
    if after != before:
        _parsed(after, home.config)
        try:
            data = after.encode()
        except UnicodeEncodeError as exc:
            raise BadConfig(f"{name} must be text") from exc
        replace_file(home.config, data)


def _choose(setting: Setting, stored: Mapping[str, object], file: str, environ: Mapping[str, str]) -> Setted:
    if (text := environ.get(setting.variable)) is not None and text != "":
        return Setted(setting.name, _read(setting, text, setting.variable), setting.variable)
    if setting.name in stored:
        return Setted(setting.name, _typed(setting, stored[setting.name], file), file)
    return Setted(setting.name, setting.default, "default")


def _read(setting: Setting, text: str, source: str) -> Value:
    """A value that was given as text."""
    kind = type(setting.default)
    try:
        if kind is bool:
            return {"true": True, "1": True, "false": False, "0": False}[text.lower()]
        return _typed(setting, kind(text), source)
    except (KeyError, ValueError) as exc:
        raise BadConfig(f"{source}: {setting.name} must be {_kind(setting)}, not {text!r}") from exc


def _typed(setting: Setting, value: object, source: str) -> Value:
    kind = type(setting.default)
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind:
        raise BadConfig(f"{source}: {setting.name} must be {_kind(setting)}, not {value!r}")
    if isinstance(value, (int, float)) and not 0 <= value < 1e15:
        raise BadConfig(f"{source}: {setting.name} must be a number from 0, not {value!r}")
    assert isinstance(value, (str, int, float))
    return value


def _kind(setting: Setting) -> str:
    return {str: "text", int: "a whole number", float: "a number", bool: "true or false"}[type(setting.default)]


def _stored(home: Home) -> dict[str, object]:
    return _flat(_parsed(_file_text(home), home.config))


def _parsed(text: str, file: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as exc:
        raise BadConfig(f"{file}: {exc}") from exc


def _file_text(home: Home) -> str:
    try:
        with open(home.config, "rb") as file:
            return file.read().decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except UnicodeDecodeError as exc:
        raise BadConfig(f"{home.config}: not UTF-8") from exc
    except OSError as exc:
        raise BadConfig(f"can't read {home.config}: {reason(exc)}") from exc


def _flat(table: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in table.items():
        if isinstance(value, dict):
            found.update(_flat(value, f"{prefix}{name}."))
        else:
            found[prefix + name] = value
    return found


def _edited(text: str, name: str, value: Value | None) -> str:
    """The text of a TOML file with one value set or taken out."""
    section, _, key = name.rpartition(".")
    lines = text.removesuffix("\n").split("\n") if text else []
    start, end = _section(lines, section)
    at = next((i for i in range(start, end) if re.match(rf"\s*{re.escape(key)}\s*=", lines[i])), None)
    if at is not None:
        lines[at : at + 1] = [] if value is None else [f"{key} = {_toml(value)}"]
    elif value is not None:
        if section and start == end == len(lines) and f"[{section}]" not in lines:
            lines += [f"[{section}]"]
            end = len(lines)
        lines.insert(end, f"{key} = {_toml(value)}")
    return "\n".join(lines) + "\n" if lines else ""


def _section(lines: list[str], section: str) -> tuple[int, int]:
    """The range of lines that belong to a section; an empty one at the end if it is not there."""
    heads = [i for i, line in enumerate(lines) if line.lstrip().startswith("[")]
    if not section:
        return 0, heads[0] if heads else len(lines)
    for i in heads:
        if lines[i].split("#")[0].strip() == f"[{section}]":
            return i + 1, next((h for h in heads if h > i), len(lines))
    return len(lines), len(lines)


def _toml(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        import json

        return json.dumps(value, ensure_ascii=False)
    return str(value)
