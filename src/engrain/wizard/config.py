"""Config: what is wanted, in one flat file. Also what is approved: a gate's name and the digest of its result."""

from __future__ import annotations

import json
import os
import tomllib
from typing import Any, NamedTuple

from engrain.errors import BadConfig, NotFound
from engrain.paths import reason, replace_file

FILE = "wizard.toml"


class Config(NamedTuple):
    """What a walk is to do; the comment of each is in `MEANING`."""

    folder: str = ""
    base: str = ""
    tier: str = "full"
    recipe: str = ""
    everywhere: bool = False
    device: str = ""
    incumbent: str = "last"
    name: str = "engrained"
    quants: tuple[str, ...] = ("Q4_K_M",)
    context: int = 0
    install: str = ""
    approved: tuple[str, ...] = ()


MEANING = {
    "folder": "where all of it is made",
    "base": "the model to begin from: its folder, or one GGUF file",
    "tier": "full, or tiny: a small run, to see that all goes well",
    "recipe": "a file with decisions that differ from the usual (`engrain train recipe`); it says the tier itself",
    "everywhere": "of every project's sessions, not of this one's alone",
    "device": "cpu, cuda or mps; empty: the best here",
    "incumbent": "the run in use, which must not be better: its folder, last (the one installed last), or empty",
    "name": "how the model is called",
    "quants": "what the model is written in",
    "context": "tokens that it shall reach; 0: what its base reaches",
    "install": "where to: lm-studio, ollama, or a folder; empty: it stays where it was made",
    "approved": "results of gates that a person looked at and lets pass, as `smoke-gate:3f2a…`",
}
_PATHS = ("folder", "base", "recipe", "install", "incumbent")
PLACES = ("lm-studio", "ollama")


def load(path: str) -> Config:
    """The config in a file, its paths made absolute."""
    try:
        with open(path, "rb") as file:
            values = tomllib.load(file)
    except FileNotFoundError as exc:
        raise NotFound(f"there is no config {path}") from exc
    except OSError as exc:
        raise BadConfig(f"can't read {path}: {reason(exc)}") from exc
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as exc:
        raise BadConfig(f"{path}: {exc}") from exc
    return config_of(values, path)


def config_of(values: dict[str, Any], where: str) -> Config:
    """The config that these values make."""
    known = Config()._asdict()
    for name, value in values.items():
        if name not in known:
            raise BadConfig(f"{where}: there is no {name!r} in a wizard's config")
        if not _fits(value, known[name]):
            raise BadConfig(f"{where}: {name} must be {_kind(known[name])}, not {value!r}")
    given: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    return absolute(Config(**given), os.path.dirname(os.path.abspath(where)))


def absolute(config: Config, top: str) -> Config:
    """The same, whatever folder it is read from."""
    values = config._asdict()
    given = [name for name in _PATHS if values[name] and values[name] not in (*PLACES, "last")]
    changed: dict[str, Any] = {name: _at(top, values[name]) for name in given}
    return config._replace(**changed)


def checked(config: Config) -> Config:
    """The same config; BadConfig where it can't be walked by."""
    if config.tier not in ("full", "tiny"):
        raise BadConfig(f"tier must be full or tiny, not {config.tier!r}")
    for name in ("folder", "base"):
        if not getattr(config, name):
            raise BadConfig(f"the wizard needs a {name}: {MEANING[name]}")
    for each in config.approved:
        if not each.partition(":")[2]:
            raise BadConfig(f"approved holds {each!r}: a gate is approved with its digest, as `smoke-gate:3f2a…`")
    return config


def text(config: Config) -> str:
    """The config as TOML, each line with what it means."""
    lines = [f"{name} = {_toml(value)}  # {MEANING[name]}" for name, value in config._asdict().items()]
    head = "# `engrain wizard --config` with this file does the same again, --no-tui without a screen."
    return "".join(f"{line}\n" for line in (head, *lines))


def save(config: Config) -> str:
    """The config lies in its own folder; its path."""
    path = os.path.join(config.folder, FILE)
    replace_file(path, text(config).encode())
    return path


def _at(top: str, path: str) -> str:
    return os.path.normpath(os.path.join(top, os.path.expanduser(path)))


def _toml(value: Any) -> str:
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)


def _fits(value: Any, usual: Any) -> bool:
    if isinstance(usual, tuple):
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    return type(value) is type(usual) and (not isinstance(value, int) or 0 <= value < 1e9)


def _kind(usual: Any) -> str:
    return {str: "text", int: "a whole number", bool: "true or false", tuple: "a list of texts"}[type(usual)]
