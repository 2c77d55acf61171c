"""Tools: how the version of each toolchain is asked for, and what has to be installed."""

from __future__ import annotations

VERSIONS = {
    "python": "python --version",
    "unittest": "python --version",
    "pip": "pip --version | cut -d' ' -f1,2",
    "bash": "bash --version",
    "node": "node --version",
    "go": "go version",
    "java": "java -version",
    "ssh": "ssh -V",
    "ld": "ld --version",
    "asan": "gcc --version",
    "glibc": "ldd --version",
}
"""Whoever is not named here is asked with `--version`."""
