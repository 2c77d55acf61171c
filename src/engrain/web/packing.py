"""Packing: brings what pages use of others from the npm registry, checked, for a wheel or a checkout. Never committed.

    python -m engrain.web.packing                 what pages use, beside them: make web-assets
    python -m engrain.web.packing --axe FOLDER    what tests look at them with

Without npm, or without a network, nothing is brought: pages then read and work as plain links and forms.
"""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from typing import NamedTuple


class Package(NamedTuple):
    """A package of the registry, what it must be, and which of its files are kept under which names."""

    name: str
    integrity: str
    files: tuple[tuple[str, str], ...]


PACKAGES = (
    Package(
        "htmx.org@4.0.1",
        "sha512-oF7JgXhDW9UXCy/k1ZYFUQgzu/rm19ORWPSPNL91vPluB2PB9+MV55tyQdH/w7o2EAbTYUG5SDW1R60mdkdqGg==",
        (("dist/htmx.min.js", "htmx.js"), ("LICENSE", "htmx.LICENSE")),
    ),
    Package(
        "uplot@1.6.32",
        "sha512-KIMVnG68zvu5XXUbC4LQEPnhwOxBuLyW1AHtpm6IKTXImkbLgkMy+jabjLgSLMasNuGGzQm/ep3tOkyTxpiQIw==",
        (("dist/uPlot.iife.min.js", "uplot.js"), ("dist/uPlot.min.css", "uplot.css"), ("LICENSE", "uplot.LICENSE")),
    ),
    Package(
        "@fontsource-variable/inter@5.3.0",
        "sha512-OupL48va4JNofb97w6NYeF9S7W/kHNKM0Er8Dem5nqi4jeOLrVJDoE8tZEpnMJmtkvNbB1EIPPwHcdkF6b1oUA==",
        (("files/inter-latin-wght-normal.woff2", "inter.woff2"), ("LICENSE", "inter.LICENSE")),
    ),
    Package(
        "@fontsource-variable/source-serif-4@5.3.1",
        "sha512-4Rtay22SC4lMvw11r/+9kxANB6P3M0X8s1NudBC2v0J1KU2y3DcMoNcT3lBoZ/CqLirzf+StlO6UlJilyrvaUg==",
        (("files/source-serif-4-latin-wght-normal.woff2", "serif.woff2"), ("LICENSE", "serif.LICENSE")),
    ),
    Package(
        "@fontsource-variable/jetbrains-mono@5.3.0",
        "sha512-F32xpS2NsGYoQi2ADSkKTgpJj7ozajsGgDJ8woTnqjmIB+dxDIqImjl4pXZVEExu8UFZ2ndhmX18EBS/hdz3Lw==",
        (("files/jetbrains-mono-latin-wght-normal.woff2", "mono.woff2"), ("LICENSE", "mono.LICENSE")),
    ),
)

AXE = Package(
    "axe-core@4.14.1",
    "sha512-FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ==",
    (("axe.min.js", "axe.js"),),
)
"""What tests look at pages with; it is in no wheel."""


def pack(folder: str, packages: Sequence[Package] = PACKAGES) -> list[str]:
    """All of it is in this folder; what could not be had, in words."""
    if shutil.which("npm") is None:
        return ["npm is not here"]
    os.makedirs(folder, exist_ok=True)
    missing = []
    for package in packages:
        if all(os.path.isfile(os.path.join(folder, to)) for _, to in package.files) and _same(folder, package):
            continue
        with tempfile.TemporaryDirectory() as scratch:
            problem = _brought(package, scratch, folder)
        if problem:
            missing.append(f"{package.name}: {problem}")
    return missing


def _same(folder: str, package: Package) -> bool:
    """Whether what lies there is of this very version."""
    try:
        with open(os.path.join(folder, _mark(package)), encoding="utf-8") as file:
            return file.read() == package.integrity
    except FileNotFoundError:
        return False


def _mark(package: Package) -> str:
    return package.name.split("@")[-2].replace("/", "-").strip("-") + ".integrity"


def _brought(package: Package, scratch: str, folder: str) -> str:
    done = subprocess.run(
        ["npm", "pack", "--silent", "--pack-destination", scratch, package.name], cwd=scratch, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    packed = [name for name in os.listdir(scratch) if name.endswith(".tgz")]
    if done.returncode or not packed:
        return f"npm could not bring it: {(done.stderr.strip().splitlines() or ['no word'])[-1][:200]}"
    with open(os.path.join(scratch, packed[0]), "rb") as file:
        found = "sha512-" + base64.b64encode(hashlib.sha512(file.read()).digest()).decode()
    if found != package.integrity:
        return f"it is not what it was: {found}"
    with tarfile.open(os.path.join(scratch, packed[0])) as archive:
        for of, to in package.files:
            member = archive.extractfile(f"package/{of}")
            assert member is not None, of
            with member, open(os.path.join(folder, to), "wb") as out:
                shutil.copyfileobj(member, out)
    with open(os.path.join(folder, _mark(package)), "w", encoding="utf-8") as mark:
        mark.write(package.integrity)
    return ""


def main() -> int:
    """Packs beside this file, or what tests need into the folder that is named."""
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "static", "vendor")
    missing = pack(sys.argv[2], (AXE,)) if sys.argv[1:2] == ["--axe"] else pack(beside)
    for each in missing:
        sys.stderr.write(f"pages go without {each}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
