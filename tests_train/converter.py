"""llama.cpp's own converter, to compare our files with: out of the source of llama-cpp-python, kept beside the model.

It is asked about models with random vocabularies, which it would not know; so it is told by which name these are cut.
"""

from __future__ import annotations

import glob
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile

FOLDER = os.path.join(sys.prefix, "share", "engrain", "llama.cpp")
SOURCE = "llama-cpp-python==0.3.36"
PARTS = ("conversion", "gguf-py", "convert_hf_to_gguf.py", "convert_lora_to_gguf.py")
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")

SCRIPT = """
import runpy, sys
folder, script, cut, *words = sys.argv[1:]
sys.path[:0] = [folder, folder + "/gguf-py"]
from conversion.base import TextModel

def absent(*_):
    raise FileNotFoundError

TextModel.get_vocab_base_pre = lambda *_: cut
TextModel._set_vocab_sentencepiece = absent
sys.argv = [script, *words]
runpy.run_path(folder + "/" + script, run_name="__main__")
"""


def there() -> bool:
    """Whether it can be asked."""
    return os.path.exists(os.path.join(FOLDER, PARTS[-1]))


def fetch() -> bool:
    """Brings it, where the registry has it; whether it is here then."""
    if there():
        return True
    with tempfile.TemporaryDirectory() as place:
        asked = [*PIP, "download", "--no-deps", "--no-binary", ":all:", "--dest", place, SOURCE]
        if subprocess.run(asked, check=False).returncode:
            return False
        with tarfile.open(glob.glob(os.path.join(place, "*.tar.gz"))[0]) as source:
            wanted = [each for each in source.getmembers() if _part(each.name)]
            source.extractall(place, members=wanted, filter="data")
        found = os.path.dirname(glob.glob(os.path.join(place, "*", "vendor", "llama.cpp", PARTS[-1]))[0])
        shutil.rmtree(FOLDER, ignore_errors=True)
        shutil.copytree(found, f"{FOLDER}.partial", dirs_exist_ok=True)
        os.replace(f"{FOLDER}.partial", FOLDER)
    return True


def _part(name: str) -> bool:
    behind = name.partition("/vendor/llama.cpp/")[2]
    return behind.split("/")[0] in PARTS


def converted(model: str, target: str, cut: str) -> str:
    """The file that it makes of a model."""
    return _run("convert_hf_to_gguf.py", cut, model, "--outtype", "f16", "--outfile", target)


def adapted(adapter: str, base: str, target: str, cut: str) -> str:
    """The file that it makes of an adapter."""
    return _run("convert_lora_to_gguf.py", cut, adapter, "--base", base, "--outfile", target)


def _run(script: str, cut: str, *words: str) -> str:
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "run.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(SCRIPT)
        # With its own libraries for GGUF, not with the ones that we write by.
        done = subprocess.run([sys.executable, path, FOLDER, script, cut, *words], capture_output=True, text=True,
                              check=False)  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"the converter failed: {done.stderr[-2000:]}")
    return words[-1]
