"""An agent that the demo plays: its commands run for real, and its hooks are told of them."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from typing import Any


class Agent:
    """A session in a checkout whose settings have our hooks."""

    def __init__(self, session: str, folder: str, environ: Mapping[str, str]) -> None:
        self._common = {"session_id": session, "cwd": folder, "transcript_path": os.path.join(folder, "none.jsonl")}
        self._folder, self._environ, self._calls = folder, environ, 0
        with open(os.path.join(folder, ".claude", "settings.json"), encoding="utf-8") as file:
            self._hooks = json.load(file)["hooks"]

    def asked(self, prompt: str) -> None:
        """What a person says."""
        self._tell("UserPromptSubmit", prompt=prompt)

    def runs(self, command: str) -> tuple[bool, str, str]:
        """Runs a command: whether it failed, what it wrote, and what memory says beside that."""
        done = subprocess.run(
            ["sh", "-c", command], cwd=self._folder, env=self._environ, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        )  # fmt: skip
        self._calls += 1
        call = {
            "tool_name": "Bash", "tool_input": {"command": command},
            "tool_use_id": f"{self._common['session_id']}-{self._calls}",
        }  # fmt: skip
        if not done.returncode:
            answer = {"stdout": done.stdout, "stderr": "", "interrupted": False, "isImage": False}
            self._tell("PostToolUse", **call, tool_response=answer)
            return False, done.stdout, ""
        error = f"Exit code {done.returncode}\n{done.stdout}"
        return True, done.stdout, self._tell("PostToolUseFailure", **call, error=error, is_interrupt=False)

    def line(self, event: str) -> str:
        """What the settings have run at an event."""
        return str(self._hooks[event][0]["hooks"][0]["command"])

    def _tell(self, event: str, **about: Any) -> str:
        said = json.dumps({"hook_event_name": event, **self._common, **about}).encode()
        done = subprocess.run(
            ["sh", "-c", self.line(event)], input=said, cwd=self._folder, env=self._environ,
            capture_output=True, check=True,
        )  # fmt: skip
        if not done.stdout:
            return ""
        return str(json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"])
