"""Learn: functions from events to memory.

    direct         what follows from one event by itself
    fixes          … from teaching a fix, showing it, and how it went
    recipe         steps that name what varies, and the id that follows from them
    belief         how likely a fix is to work; light, because the hook ranks by it
    calibration    whether fixes worked as often as was believed, and what serving them gained
    noted          when a note says what another says
    commands       what an agent typed → which command it was, and what it did
    moment         a time as somebody types it
    outcomes       the commands after a fix was shown → whether it helped
    reading        what a body holds, whatever somebody else wrote into it

    deeds          a tool call → what was run, how it ended, what was edited
    episodes       the calls of a session → what became of each failure
    remedies       … and what in between mattered: `steps`, `retyped` (a corrected command), `values` (what it names)
    hindsight      … and what of it an answer could have named, to judge answers by
    mined          … as events; `here` has the keys under which a project keeps what helped in it; `broken`:
                   a file does not parse

Events come in, rows of derived tables go out. Nothing here opens a store, reads a clock or keeps a state.
"""

from __future__ import annotations
