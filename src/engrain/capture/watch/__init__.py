"""Watch: run a command as if nobody watched, and keep the part of its output that matters.

    running      the run from its start to its end: `run` → Watched
    wiring       what the command gets as fd 0, 1 and 2, and where that leads
    minder       the small process between us and the command: it starts it, reports its end, survives us
    notices      signals: which we take, who sent them, to whom they go on
    terminal     the person's terminal: raw and back, its size, its keyboard
    streams      bytes from the command to our own stdout and stderr, untouched
    kept         the first and the last part of what went by
    text         what was kept, as text that a person would have read

Three ways of wiring, because a command that can tell the difference is a command that was not left alone:

    session   stdin and stdout are terminals: the command gets one of its own, and we are the wire between the two
    shared    a terminal is near, but a part of a pipeline is not ours (`… | less`): the command stays in our process
              group, reads the real terminal itself, and gets Ctrl-C and Ctrl-Z from it as we do
    own       no terminal rules us (an agent, a service): the command leads a process group, to which signals go on

Not covered: a command whose stdin is not a terminal and that reads keys from its stdout or stderr (`… | vim -`); keys
typed ahead that the command did not read, which are gone with its terminal; a stop (SIGSTOP) of our whole group by a
process without a terminal, which stops us alone.

It knows nothing of memory: who calls it records what came out.
"""

from __future__ import annotations

from engrain.capture.watch.minder import become
from engrain.capture.watch.running import Watched, run

__all__ = ["Watched", "become", "run"]
