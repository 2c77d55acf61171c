"""Recall: from what is asked to what is remembered, the most useful first.

    answer     a failure → the fixes known for it: exact, then generalised, or else similar, or else nothing
    brief      what was found → a text within a budget, quoted as evidence
    files      a task → the files that it will likely change
    rank       what rankers found → what is most worth reading first
    near       how alike two failures of one tool are
    similar    a vector → the events whose vectors are nearest to it
    fuse       what several rankers found → one order
    shown      a failure and what was shown for it, as bodies of events
    told       fixes → the few lines that a person or an agent reads

`answer` is on the hook's path: it asks its questions by name, of a store or of a bare database file, and keeps nothing.
"""

from __future__ import annotations
