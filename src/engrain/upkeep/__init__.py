"""Upkeep: what keeps a memory whole over the years.

    tick       one short-lived process at a time moves the spool into the journal and works the jobs
    embedding  what was told gets its vector, in jobs that can be killed and go on
    forget     erases events everywhere, for good
    backup     online copies that are checked, and the way back from them
    transfer   the journal as JSONL, out and in
    retention  what was recorded and taught nothing goes when it is old
    carry      a whole store into another one, of either kind
    following  ticks for as long as somebody wants them
    doctor     finds what is wrong and explains it

A home and a store come in, reports go out. Nothing here prints.
"""

from __future__ import annotations
