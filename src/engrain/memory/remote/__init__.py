"""A memory on a server: the same verbs, asked over HTTP.

    with Memory.open("http://127.0.0.1:3377") as memory:
        memory.note("the staging database is read-only on Sundays")

    verbs      what can be asked of a server by the name that it has here, and what must be done where the store is
    wire       values ↔ JSON
    line       requests and answers; every answer but success is an error that says whether to come again
    journal    events on their way to the server's journal
    memory     Remote: Memory, with a server in place of a store

What is recorded passes the gate here, before it goes over the wire. What can't be sent waits in the spool, and the tick
sends it: nothing that was recorded is lost while a server is away, and an event that is sent twice is there once.
"""
