"""Learn: functions from events to memory.

    direct     what follows from one event by itself
    commands   what an agent typed → which command it was, and what it did (line, programs, which, prose)
    outcomes   the commands after a fix was shown → whether it helped

Events come in, rows of derived tables go out. Nothing here opens a store, reads a clock or keeps a state.
"""

from __future__ import annotations
