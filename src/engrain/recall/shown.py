"""Shown: a failure, and the fixes that were shown for it, as bodies of events. On the hook's path."""

from __future__ import annotations

from engrain.learn.commands import key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from engrain.model import Fingerprint, Fix

MOST_MESSAGE = 400


def described(found: Fingerprint) -> dict[str, Any]:
    """A failure as the body of an event has it."""
    return {
        "fingerprint": found.fingerprint,
        "family": found.family,
        "toolchain": found.toolchain,
        "error_type": found.error_type,
        "message": found.message[:MOST_MESSAGE],
        "parameters": dict(found.parameters),
        "known": found.known,
        **({"through": found.through} if found.through else {}),
    }


def shown(
    found: Fingerprint, fixes: Sequence[Fix], *, channel: str, command: str, root: str, cwd: str, of: str
) -> dict[str, Any]:
    """What was shown, where and for what. `command` is as it may be written: a part of a secret is harder to know."""
    return {
        "fixes": [
            {
                "fix": fix.id,
                "general": fix.general,
                "match": fix.match,
                "belief": round(fix.belief, 4),
                "steps": fix.steps,
            }
            for fix in fixes
        ],
        "fingerprint": found.fingerprint,
        "command": key(command, root, cwd),
        "root": root,
        "channel": channel,
        "of": of,
    }
