"""Recording: real failures of real tools, made anew whenever somebody asks.

    cases/<group>.py ──▶ Case ──▶ Takes ──▶ stage ──▶ scrub ──▶ <toolchain>/<cause>--<variant>.txt + cases.jsonl

A `Case` says how to bring one failure about: files, a command, its label. A `Take` is one performance of it: the words
of the story, the folder, the user, the lines before the error and the wrapper around the command are all others, while
the cause stays. A take is played on a stage, a private view of the machine with a plausible home, an ordinary user, no
way out but the loopback, and the tools under `/opt`; so hardly anything is left to scrub afterwards.

It needs Linux and root (for `unshare` and `mount`), and the tools that `tools.py` names. The tests need none of that:
they read what was recorded.
"""

from __future__ import annotations
