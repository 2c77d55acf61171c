"""Adapters: what an agent tells its hooks → what happened, as events of its session.

    claude_code   Claude Code

An adapter reads what its agent says today and takes it well that it says more tomorrow: unknown fields are left out,
unknown events are nothing. On the hook's path.
"""

from __future__ import annotations
