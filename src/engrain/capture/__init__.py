"""Capture only records: what happened comes in, an event in the spool goes out.

    admit        what may be written of an event: the gate that every way in goes through
    adapters     what an agent tells its hooks → events
    own          what Engrain itself said, which is not recorded again
    session      what an agent's session is made of: its start, prompts, tool calls, replies, its end
    transcripts  what an agent wrote down of a session → the events that hooks would have made of it
    spool        owner-only files that any number of processes append to, with nobody running to receive it
    watch        a command that runs as if nobody watched, and what it wrote

It knows nothing of the store, of learning or of recall. A record that was appended is safe from the death of any
process.
"""

from __future__ import annotations
