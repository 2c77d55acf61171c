"""Install: what Engrain writes outside its own home, and exactly takes back.

    launcher   <home>/bin/hook: what a settings file runs, made anew when Engrain or its interpreter changes
    command    the one line of shell that a settings file has
    wiring     a table of agents: which file, which events, which entries
    settings   one JSON file of an agent: entries in, entries out, everything else as it was
    plugin     the same as a plugin of Claude Code and Codex
    removal    which files of the home go when Engrain is uninstalled
    ledger     what was written where, so that it can be taken back to the byte

A file that somebody else may have changed meanwhile loses our entries and nothing else; one that nobody changed is the
same bytes again as before.
"""

from __future__ import annotations
