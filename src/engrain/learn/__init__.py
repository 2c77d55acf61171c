"""Learn: functions from events to memory.

    direct     what follows from one event by itself

Events come in, rows of derived tables go out. Nothing here opens a store, reads a clock or keeps a state.
"""

from __future__ import annotations
