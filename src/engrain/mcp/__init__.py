"""MCP: any agent that speaks the Model Context Protocol asks the memory, and tells it how things went.

    server     the catalog of tools, with resources and prompts, as a server of the official SDK
    stdio      the transport that an agent starts by itself: one process an agent, gone when that goes
    http       the transport for those who reach it over a network: a path of a server that guards who comes in
    catalog    every tool in one table: its name, its function, what it may change, what it answers with
    fixes      a failure → what is known to help; teach a fix, say how it went
    recalling  find what happened by its words; the whole of it by its id
    keeping    save a note; how much there is, and what it did
    asking     what is never done before a person said yes
    desk       the Memory behind it all, one's own for as long as a call is served, and who is calling
    answers    what a tool answers: fields for programs, a short text for models, recalled words fenced as quotes

What comes in are calls of tools by name; what goes out are answers, or one line that says what is wrong with the call.
Tools are typed functions that know nothing of the protocol; `server` alone binds them to it, so that another transport
serves the same ones. What is recalled was written by somebody, maybe by whoever wants to be obeyed: every answer says
that it is evidence, names its source and how far it is to be trusted, and quotes it.

Not covered: no tool reads a file, runs a command or reaches a network. What hooks see by themselves need not be told
here again.
"""

from __future__ import annotations
