"""Fuzz: what comes from outside, bent at random, against the rooms that read it.

    python -m fuzz [TARGET…] [--minutes N] [--seed N] [--plain]

    targets   what is tried: seeds to begin with, one call per input, what must hold afterwards
    seeds     real failures, payloads, transcripts and events, as the tests have them
    bend      a plain mutator: the same seed bends the same way; a few turns of it run with the tests
    guided    the same targets under atheris, which watches which lines an input reaches

An input must neither raise, nor take longer than it may, nor carry a planted secret through to the disk. One that does
is written to `.fuzz/`, and `python -m fuzz TARGET FILE` plays it again.
"""

from __future__ import annotations
