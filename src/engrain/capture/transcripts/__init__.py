"""Transcripts: what an agent wrote down of a session → the events that hooks would have made of it.

    files         which files are transcripts, and their lines, whatever they are packed in
    records       lines of a file → JSON values, whatever was torn, cut short or pretty-printed
    said          texts as somebody said them: without what an agent, or we, put around them; no pictures, no blobs
    claude_code   a transcript of Claude Code → events
    codex         a rollout of Codex → events

A reader takes lines and yields events in the order of the file, one at a time, so that a file of any size can be read.
A reader is pure: no disk, no store, no clock. Neither redaction nor a fingerprint is in what it yields: `admit` comes
after it, as after anything else.

A call becomes one event when its result is there, at the time of the result; one that never got a result is told at the
end of a file that ended before it is `settled`, because a session that still runs may yet give it. The formats are
nobody's promise: unknown types and fields are passed over, and what can't be read is counted, never a reason to stop.
"""

from __future__ import annotations
