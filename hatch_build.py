"""Packs what pages use of others into the wheel; where npm is not there the wheel goes without, and so do its pages."""

from __future__ import annotations

import importlib.util
import os
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Packed(BuildHookInterface):
    """Runs before a wheel is made."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - the hook's own shape
        if version == "editable":
            return
        web = os.path.join(self.root, "src", "engrain", "web")
        spec = importlib.util.spec_from_file_location("packing", os.path.join(web, "packing.py"))
        assert spec is not None
        assert spec.loader is not None
        packing = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(packing)
        for each in packing.pack(os.path.join(web, "static", "vendor")):
            self.app.display_warning(f"pages go without {each}")
