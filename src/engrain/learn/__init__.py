"""Learn: functions from events to memory.

    direct         what follows from one event by itself
    belief         how likely a fix is to work; light, because the hook ranks by it
    calibration    whether fixes worked as often as was believed, and what serving them gained

Events come in, rows of derived tables go out. Nothing here opens a store, reads a clock or keeps a state.
"""

from __future__ import annotations
