"""The bundle: the modules of a hook from one file, instead of a search of folders for each of them.

`engrain.install.launcher` writes it, from the very same modules, and anew when one of them changes. What is not in it
is imported as ever; so a bundle may be missing or old, but never wrong.

    the first file    modules that every hook needs, in one piece
    the second file   modules that only a failure needs, read when the first of them is asked for

Nothing is imported here but what every interpreter has loaded when it begins.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import CodeType, ModuleType
    from typing import Any

    Modules = dict[str, tuple[bool, str, CodeType]]
    """Whether it is a package, the file that it was made from, and its code."""


class Bundle:
    """Finds and loads the modules of a bundle; compiled ones (`.so`) where they are known to lie."""

    def __init__(self, content: dict[str, Any], file: str, unpack: Any) -> None:
        self._modules: Modules = content["modules"]
        self._compiled: dict[str, str] = content["compiled"]
        self._later: frozenset[str] = content["later"]
        self._file = file
        self._unpack = unpack

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        """The module, if it is one of these."""
        bootstrap: Any = sys.modules["_frozen_importlib"]
        if name in self._later:
            self._read()
        if name in self._modules:
            package, file, _ = self._modules[name]
            spec: ModuleSpec = bootstrap.ModuleSpec(name, self, origin=file, is_package=package)
            spec.has_location = True
            if package:
                spec.submodule_search_locations = [file.rpartition("/")[0]]
            return spec
        if name in self._compiled:
            external: Any = sys.modules["_frozen_importlib_external"]
            file = self._compiled[name]
            found: ModuleSpec = bootstrap.ModuleSpec(name, external.ExtensionFileLoader(name, file), origin=file)
            found.has_location = True
            return found
        return None

    def _read(self) -> None:
        """Takes in the second file; without it its modules are imported as ever."""
        self._later = frozenset()
        try:
            with open(self._file, "rb") as file:
                self._modules.update(self._unpack(file.read()))
        except (OSError, EOFError, ValueError, TypeError):
            return

    def create_module(self, _spec: object) -> None:
        """As ever."""

    def exec_module(self, module: ModuleType) -> None:
        """Runs the code of a module in it."""
        exec(self._modules[module.__name__][2], module.__dict__)  # noqa: S102 - the code of our own package


def install(content: dict[str, Any], file: str, unpack: Any) -> None:
    """Modules are looked for in this bundle first; `file` is the second one."""
    sys.meta_path.insert(0, Bundle(content, file, unpack))
