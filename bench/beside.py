"""Beside: tools of others, each in an environment of its own, to be measured in the same run."""

from __future__ import annotations

import os
import subprocess
import sys


def environment(requirement: str) -> str:
    """The folder of the environment that has this tool, made when first asked for: `fixcache==0.4.7`."""
    home = os.path.abspath(os.path.join(".bench", requirement.partition("==")[0]))
    if not os.path.exists(os.path.join(home, ".ready")):
        subprocess.run([sys.executable, "-m", "venv", home], check=True, capture_output=True)
        python = os.path.join(home, "bin", "python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", requirement], check=True, capture_output=True)
        with open(os.path.join(home, ".ready"), "w", encoding="utf-8"):
            pass
    return home
