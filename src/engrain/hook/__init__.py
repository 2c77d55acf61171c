"""The hook: what an agent's settings file runs. It records, answers where it has something to say, and is gone.

    door        stdin → one event in the spool, perhaps one answer on stdout; exit 0 whatever happens
    place       the folder of a call → its project, without starting git
    settings    the few settings that a hook needs, without reading TOML
    rules       a call → the lessons that fire at it
    beginning   the beginning of a session → what earlier ones left open, and what recurs
    answering   a failure → what is known to help, in at most 500 bytes
    guessing    what a command wrote → whether it failed, for agents that do not say so
    plugin      whether settings have our hooks beside a plugin
    ticking     a tick that outlives the hook
    kept        what was learned between two hooks: the patterns that the compiler need not see again
    bundle      the modules of all this from one file

It is a surface like any other and knows none of them. It never waits for the store, opens no network, starts no daemon
and asks no model. What it loads is counted in thousandths of a second: a test holds the list.

ENGRAIN_HOOK=0     the hook does nothing
ENGRAIN_INSIDE=1   the same, set by whatever of Engrain starts an agent, so that it does not watch itself
"""

from __future__ import annotations
