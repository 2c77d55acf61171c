"""Installing: an export → where other programs look for models. Each place gets the folder whole or not at all.

    lm-studio    ~/.lmstudio/models/engrain/NAME/
    ollama       made known to Ollama by the Modelfile of the export; nothing is copied but by Ollama
    a folder     FOLDER/NAME/

Files are linked where the disk allows it, so they take no room twice. What is there already is replaced only if asked,
only if it was installed from an export, and stays until the new one is whole.
"""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from typing import NamedTuple

from engrain.errors import BadInput, GateClosed, NotFound
from engrain.train.export.beside import beside, roomy, unwritten
from engrain.train.export.made import EXPORT, Exported, exported
from engrain.train.export.modelfile import FILE

LM_STUDIO, OLLAMA = "lm-studio", "ollama"
PUBLISHER = "engrain"
POINTER = "~/.lmstudio-home-pointer"
HOMES = ("~/.lmstudio", "~/.cache/lm-studio")


class Installed(NamedTuple):
    """Where a model is now, by which file, whether another was replaced, and what to do with it."""

    where: str
    folder: str
    files: tuple[str, ...]
    replaced: bool
    next: str


def install(
    folder: str, where: str, *, quant: str = "", home: str = "", replace: bool = False, ungated: bool = False,
    progress: Callable[[str], None],
) -> Installed:  # fmt: skip
    """Puts an export where it can be used: `lm-studio`, `ollama` or a folder. `quant`: which of its files, the smallest
    unless said. `home`: LM Studio's own folder, if it is not the usual one."""
    told = exported(folder)
    if not told.gated and not ungated:
        raise GateClosed(f"{told.folder} was exported without its gates, so it is not installed")
    file = _chosen(told, quant)
    if where == OLLAMA:
        return _ollama(told, file, progress)
    place = os.path.join(_models(home), PUBLISHER) if where == LM_STUDIO else os.path.expanduser(where)
    return _copied(told, file, where, os.path.join(os.path.abspath(place), told.name), replace, progress)


def _chosen(told: Exported, quant: str) -> str:
    if not told.ggufs:
        raise BadInput(f"{told.folder} has no GGUF file")
    if not quant:
        return told.ggufs[-1]
    found = [name for name in told.ggufs if name.lower() == f"{told.name}-{quant}.gguf".lower()]
    if not found:
        have = ", ".join(name.removesuffix(".gguf").rpartition("-")[2] for name in told.ggufs)
        raise NotFound(f"{told.folder} has no {quant}: it has {have}")
    return found[0]


def _models(home: str) -> str:
    """LM Studio's folder of models."""
    if not home:
        pointer = os.path.expanduser(POINTER)
        if os.path.isfile(pointer):
            with open(pointer, encoding="utf-8") as file:
                home = file.read().strip()
    homes = [os.path.expanduser(each) for each in ((home,) if home else HOMES)]
    found = next((each for each in homes if os.path.isdir(each)), "")
    if not found:
        raise NotFound(f"LM Studio is not here (there is no {homes[0]}); give its folder, or install into a folder")
    return os.path.join(found, "models")


def _copied(
    told: Exported, file: str, where: str, place: str, replace: bool, say: Callable[[str], None]
) -> Installed:  # fmt: skip
    there = os.path.isdir(place) and bool(os.listdir(place))
    if there and not os.path.exists(os.path.join(place, EXPORT)):
        raise BadInput(f"{place} holds something that was not installed from here; nothing was changed")
    if there and not replace:
        raise BadInput(f"{place} holds an earlier model; say that it shall be replaced, or give another name")
    names = (file, "README.md", EXPORT)
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
    except OSError as exc:
        raise unwritten(exc, place) from exc
    with beside(place, replace=there) as partial:
        for name in names:
            _put(os.path.join(told.folder, name), os.path.join(partial, name))
    say(f"{place} has {file}")
    then = "choose it in LM Studio" if where == LM_STUDIO else f"give {os.path.join(place, file)} to what runs it"
    return Installed(where, place, names, there, then)


def _put(source: str, target: str) -> None:
    """The same file there: a model is linked, or copied where that can't be; what is small is copied, since whoever
    changes it there does not mean the export."""
    if source.endswith(".gguf") and _linked(source, target):
        return
    roomy(os.path.dirname(target), os.path.getsize(source))
    # Under another name until it is whole: programs look for files of that name all the time.
    shutil.copyfile(source, f"{target}.part")
    os.rename(f"{target}.part", target)


def _linked(source: str, target: str) -> bool:
    try:
        os.link(source, target)
    except OSError as exc:
        if exc.errno not in (errno.EXDEV, errno.EPERM, errno.EACCES, errno.EMLINK, errno.ENOTSUP):
            raise
        return False
    return True


def _ollama(told: Exported, file: str, say: Callable[[str], None]) -> Installed:
    program = shutil.which("ollama")
    if program is None:
        raise NotFound(f"there is no ollama here; {os.path.join(told.folder, FILE)} is what it takes")
    name = told.name.lower()
    say(f"ollama create {name}")
    with tempfile.TemporaryDirectory() as place, open(os.path.join(told.folder, FILE), encoding="utf-8") as source:
        path = os.path.join(place, FILE)
        with open(path, "w", encoding="utf-8") as target:
            target.write("\n".join([f"FROM {os.path.join(told.folder, file)}", *source.read().splitlines()[1:], ""]))
        done = subprocess.run([program, "create", name, "-f", path], capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise BadInput(f"ollama did not take it: {said[-1] if said else f'it ended with {done.returncode}'}")
    return Installed(OLLAMA, told.folder, (file,), False, f"ollama run {name}")
