"""What was recorded and taught nothing goes when it is old or too much; what anything rests on stays."""

from __future__ import annotations

import pytest

from engrain import event as events
from engrain.config import Config, Setted
from engrain.errors import BadConfig
from engrain.event import EPISODE, Event
from engrain.memory import Memory
from engrain.upkeep import retention
from engrain.upkeep.retention import DAY, Limit, expire, limits
from tests.making import event, failed

NOW = 1_800_000_000_000_000


def call(number: int, days: float, *, session: str = "plain", size: int = 10) -> Event:
    body = {"tool": "Bash", "input": {"command": "ls"}, "output": "x" * size, "exit": 0}
    made = event(number, kind="tool.call", body=body, session=session)
    return made._replace(time=NOW - int(days * DAY))
