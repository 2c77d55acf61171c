"""Moving: what somebody kept in another tool → events, so that nobody starts anew who changes tools.

    fixcache       a SQLite file: recipes, how they went, what it was told to remember
    aictx          the `.aictx/` of a repository: failures, decisions, handovers, what was done for a task
    agent_memory   a PostgreSQL database: sessions, prompts, calls, observations, lessons
    making         an event of what another tool kept: the same row is the same event, however often it is brought
    bring          all of it → the journal

A reader takes what the tool left and yields events, one at a time. The tool's own data is read and never changed; of
what its versions have not, nothing is asked. What it can't carry over it names, and why. Scores, vectors, indexes and
graphs are left: Engrain makes its own.
"""

from __future__ import annotations
