"""Redaction: how many secrets stay, how much else goes, how fast, and how slow at worst."""

from __future__ import annotations

import glob
import gzip
import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import engrain
from bench.figure import Figure, shared
from engrain.redact import match, redact
from engrain.redact.engine import spans

NO_SECRETS = {"UUID", "AWS S3 Bucket", "Firebase Domain", "Nonce", "Salt", "Tencent WeChat API App ID"}
"""Rules of the labelled files that mark what is no secret."""

MEGABYTE = 1_000_000


def measure(full: bool) -> Iterator[Figure]:
    """Every figure of redaction that needs no store."""
    yield from _left()
    yield from _strings()
    outputs = list(tool_outputs())
    yield from _removed(outputs)
    yield from _speed(outputs)
    yield from _start()
    yield from _hostile(full)


def _left() -> Iterator[Figure]:
    """A value is left when it stands anywhere in what came out, or when less than half of it was covered in place."""
    seen: dict[str, list[bool]] = defaultdict(list)
    for row in _rows("redaction", "spans.jsonl"):
        text, out, covered = row["text"], redact(row["text"]), spans(row["text"])
        lines = [0]
        for line in text.split("\n"):
            lines.append(lines[-1] + len(line) + 1)
        for span in row["spans"]:
            if span["rule"] not in NO_SECRETS:
                at = _place(text, span, lines[span["line"] - 1])
                seen[span["rule"]].append(span["value"] in out or not _covered(covered, at, len(span["value"])))
    rates = {rule: sum(left) / len(left) for rule, left in seen.items()}
    worst = ", ".join(f"{rule} {sum(seen[rule])}/{len(seen[rule])}" for rule, rate in rates.items() if rate)
    yield Figure("secret values left, mean over rules", 100 * sum(rates.values()) / len(rates), "%", most=3, note=worst)
    every = [left for rule in seen.values() for left in rule]
    yield Figure("secret values left, of all", 100 * sum(every) / len(every), "%", note=f"{sum(every)} of {len(every)}")


def _place(text: str, span: dict[str, Any], line: int) -> int:
    """Where the value stands: at its column, else next in or after its line (values over several lines are joined)."""
    value, column = str(span["value"]), max(int(span["start"]), 0)
    return line + column if text.startswith(value, line + column) else text.find(value, line)


def _covered(found: list[Any], at: int, size: int) -> bool:
    inside = sum(max(0, min(span.end, at + size) - max(span.start, at)) for span in found)
    return at < 0 or inside * 2 >= size


def _strings() -> Iterator[Figure]:
    rows = list(_rows("redaction", "strings.jsonl"))
    for label, least in ((1, 95), (0, None)):
        texts = [row["text"] for row in rows if row["label"] == label]
        changed = sum(redact(text) != text for text in texts)
        what = f"strings of label {label} changed"
        yield Figure(what, 100 * changed / len(texts), "%", least=least, note=f"{changed} of {len(texts)}")


def _removed(outputs: list[str]) -> Iterator[Figure]:
    found = [(span, text) for text in outputs for span in spans(text)]
    size = sum(map(len, outputs))
    share = 100 * sum(span.end - span.start for span, _ in found) / size
    note = (
        f"{len(found)} removals in {len(outputs):,} outputs, {size / 1e6:.1f} MB; python -m bench.removals shows them"
    )
    yield Figure("characters removed from tool output", share, "%", most=0.5, note=note)


def _speed(outputs: list[str]) -> Iterator[Figure]:
    some = outputs[::7]
    size = sum(map(len, some)) / MEGABYTE
    joined = ["\n".join(some)]
    for what, texts in (("output by output", some), ("in one text", joined)):
        best = min(_seconds(lambda: [redact(text) for text in texts]) for _ in range(5))  # noqa: B023 - called at once
        yield Figure(f"speed on tool output, {what}", size / best, "MB/s", least=8)


def _start() -> Iterator[Figure]:
    """A fresh process: what importing and the first call cost, against starting Python alone."""
    source = os.path.dirname(os.path.dirname(os.path.abspath(engrain.__file__)))
    text = "'collected 12 items; tests/test_app.py::test_login PASSED token count 12\\n' * 140"
    first = f"import sys; sys.path.insert(0, {source!r})\nfrom engrain.redact import redact\nredact({text})"
    alone, with_json = _start_of("pass"), _start_of("import json, re")
    yield Figure("starting Python and redacting 10 kB", _start_of(first) / alone, "× python -c pass")
    yield Figure("importing json and re, to compare", with_json / alone, "× python -c pass")


def _start_of(program: str) -> float:
    command = [sys.executable, "-I", "-S", "-c", program]
    return min(_seconds(lambda: subprocess.run(command, check=True), time.perf_counter) for _ in range(15))


def _hostile(full: bool) -> Iterator[Figure]:
    """Lines of a megabyte that repeat one thing; the processor's time, best of two where the first was slow."""
    slowest = sorted(((_worst(line), unit) for unit, line in _lines(full)), reverse=True)
    names = ", ".join(f"{unit!r} {seconds:.2f}" for seconds, unit in slowest[:5])
    note = f"slowest of {len(slowest)} lines: {names}"
    yield Figure("hostile line of 1 MB, slowest", slowest[0][0], "s", most=1, note=note)


def _worst(line: str) -> float:
    first = _seconds(lambda: redact(line))
    return first if first < 0.5 else min(first, *[_seconds(lambda: redact(line)) for _ in range(2)])


def _lines(full: bool) -> Iterator[tuple[str, str]]:
    hints = sorted({hint.decode() for table in (match._IN_RUNS, match._EXACT, match._WORDS) for hint in table})
    hints += [hint.decode() for hint in sorted(match._NAMES)]
    shapes = ["{}", '{}="', "{}a1B2c3D4e5F6g7H8", "{} ", "{}:", "'{}'"] if full else ["{}"]
    units = ["a", "=", '"', "'", "`", "\\", '\\"', "QUJDREVGR0g=", "QUJDREVG", " ", "\n", "-", "A1", "0", "{", '{"a":']
    units += ["password=", 'password="', "password='x' ", '"password": "hunter2", ', "token: aB3dE6gH9 ", "://a:b@"]
    units += ["-----BEGIN PRIVATE KEY-----\nAAAA\n", "«redacted:password»", "MIIEpAIBAAKCAQEA", "eyJhbGciOiJIUzI1NiJ9."]
    units += [shape.format(hint) for hint in hints for shape in shapes]
    for unit in dict.fromkeys(units):
        yield unit, (unit * (MEGABYTE // len(unit) + 1))[:MEGABYTE]


def _seconds(call: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    """Of this process alone, so that a busy machine does not count as slow code."""
    started = clock()
    call()
    return clock() - started


def _rows(*path: str) -> Iterator[dict[str, Any]]:
    with open(shared(*path), encoding="utf-8") as file:
        for line in file:
            if line.strip():
                yield json.loads(line)


def tool_outputs() -> Iterator[str]:
    """What tools answered in the recorded sessions."""
    for row in recorded():
        yield from _outputs(row)


def everything_else() -> Iterator[str]:
    """What was said in the recorded sessions and given to tools, text by text."""
    for row in recorded():
        answers = set(_outputs(row))
        yield from (text for text in _all_texts(row) if text not in answers)


def _all_texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _all_texts(item)


def recorded() -> Iterator[dict[str, Any]]:
    """The lines of the recorded sessions."""
    for path in sorted(glob.glob(os.path.join(shared("transcripts"), "**", "*.jsonl.gz"), recursive=True)):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for line in file:
                try:
                    yield json.loads(line)
                except ValueError:
                    continue  # a torn line, as recorded sessions have


def _outputs(row: dict[str, Any]) -> Iterator[str]:
    message, payload = row.get("message"), row.get("payload")
    if isinstance(message, dict) and isinstance(message.get("content"), list):
        for block in message["content"]:
            if isinstance(block, dict) and block.get("type") == "tool_result":
                yield from _texts(block.get("content"))
    if isinstance(payload, dict) and payload.get("type") in ("function_call_output", "custom_tool_call_output"):
        yield from _texts(payload.get("output"))


def _texts(content: object) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        yield from (block["text"] for block in content if isinstance(block, dict) and "text" in block)
