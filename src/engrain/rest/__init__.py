"""The server: the memory over HTTP, for agents, tools and people who share it; and only the right ones get in.

    guard      what stands before every route: Host, Origin, size, time, token, rate; and the audit log
    login      persons at a browser: a cookie in place of a token, and what their pages say to change something
    who        what a request needs, and what the one who asks may do
    routes/    what can be told and asked, a module for each thing
    shapes     what goes in and out
    intake     events of many requests, written together: one commit serves everybody who waited
    pool       memories that requests take in turn
    problems   every refusal in one form
    app        all of it as one application;  serving: that on a port and a socket

It knows Memory, and nothing of the other surfaces.
"""
