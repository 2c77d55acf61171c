"""Writers and ticks die by SIGKILL at random; the journal has what was promised."""

from __future__ import annotations

import os

from bench.crash import torment


def test_no_event_is_lost_or_doubled_when_processes_are_killed(where: str, tmp_path: object) -> None:
    home = os.path.join(str(tmp_path), "home")
    verdict = torment(home, where, writers=8, events=5000, kills=30, seed=4)
    assert verdict.good, verdict
    assert verdict.logged == 8 * 5000
    assert verdict.kills == 30
