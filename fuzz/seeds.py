"""Seeds: what the tests have of the world, as bytes to begin with."""

from __future__ import annotations

import glob
import json
import os
import tempfile
from functools import cache

from engrain import event as events
from tests import agents, payloads, speaking, transcripts
from tests.making import event
from tests.redact import redact_fakes as fakes

RECORDED = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests", "recorded")
MOST = 20_000


@cache
def failures() -> tuple[bytes, ...]:
    """Outputs of real tools that failed; of each tool a few."""
    found: list[bytes] = []
    for folder in sorted(glob.glob(os.path.join(RECORDED, "*", ""))):
        for path in sorted(glob.glob(os.path.join(folder, "*.txt")))[::7]:
            with open(path, "rb") as file:
                found.append(file.read(MOST))
    return tuple(found)


@cache
def secrets() -> tuple[bytes, ...]:
    """Texts with secrets that nobody issued, in the places where such things stand."""
    places = ("export TOKEN={}", '{{"token": "{}"}}', "curl -H 'Authorization: Bearer {}' https://x", "{}\n")
    said = [place.format(secret) for _, secret in fakes.PROVIDED for place in places]
    return tuple(text.encode() for text in [*said, fakes.PEM, fakes.JWT, f"password={fakes.PASSWORD}"])


@cache
def told() -> tuple[bytes, ...]:
    """What agents tell their hooks."""
    ours = [payloads.payload(name) for name in payloads.EVENTS]
    theirs = [said for each in vars(agents).values() if isinstance(each, dict) for said in each.values()]
    return tuple(json.dumps(said).encode() for said in [*ours, *theirs] if isinstance(said, dict))


@cache
def written() -> tuple[bytes, ...]:
    """What agents write down of their sessions."""
    rows = [
        transcripts.asks(1, "make the tests pass"),
        transcripts.uses(2, "c1", "Bash", command="pytest -q"),
        transcripts.gets(3, "c1", "Exit code 1\nModuleNotFoundError: No module named 'x'", error=True),
        transcripts.says(4, "done"),
    ]
    whole = transcripts.lines(*rows)
    return (whole, whole[: len(whole) // 2], json.dumps(rows, indent=2).encode(), b"".join(failures()[:3]))


@cache
def journal() -> tuple[bytes, ...]:
    """Lines of an export."""
    kinds = ("note", "tool.call", "command", "fix", "lesson", "fix.outcome")

    made = [event(n, kind=kind, body={"text": f"text {n}"}) for n, kind in enumerate(kinds)]
    return tuple(events.line(each).encode() for each in [*made, events.forget(["e00001"])])


@cache
def rules() -> tuple[bytes, ...]:
    """Triggers and calls that they might fire at."""
    pairs = (
        ({"tool": "Bash", "command": r"git\s+push.*--force"}, "git push --force origin main"),
        ({"command": r"(a+)+$"}, "a" * 40 + "!"),
        ({"path": "**/*.sql,migrations/"}, "vi migrations/001.sql"),
        ({"output": "(?i)deprecated", "phase": "after"}, "DeprecationWarning: deprecated"),
    )
    return tuple(json.dumps({"trigger": trigger, "command": command}).encode() for trigger, command in pairs)


@cache
def replies() -> tuple[bytes, ...]:
    """What models write: calls in every form, in circles, and half of each."""
    texts = [text for _, text, _, _, _ in speaking.FORMS if len(text) < MOST]
    more = [speaking.MARKED * 4, f"<think>hm</think>{speaking.MARKED}", "no, no. " * 60]
    return tuple(each.encode() for text in [*texts, *more] for each in (text, text[: len(text) // 2]))


@cache
def models() -> tuple[bytes, ...]:
    """The head of a model's file."""
    with tempfile.TemporaryDirectory() as place:
        path = speaking.gguf(os.path.join(place, "m.gguf"), speaking.CHATML, speaking.CHATML_TOKENS)
        with open(path, "rb") as file:
            return (file.read(),)
