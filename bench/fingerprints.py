"""Fingerprints: do they know the same failure again, and only the same?

    python -m bench fingerprints
    python -m bench.fingerprints --draw 100 --seed 7     failed commands of the transcripts, to be judged by hand

The texts: failures made for this project by running real tools (each cause twice, with other paths, names and numbers);
fixcache's own corpus (MIT); compiler and crash output with its code as the label, from the test suites of rust,
typescript-go, ghc, scala3, ruff, flow, mypy, purescript, casr, clusterfuzz and errorformat; and failed commands of real
sessions. A half of each, chosen by the hash of its label, was looked at while the rules were written; the other half
was not, and is reported beside it.
"""

from __future__ import annotations

import argparse
import glob
import gzip
import hashlib
import json
import os
import random
import re
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from bench.beside import environment
from bench.figure import Absent, Figure, shared
from engrain.fingerprint import fingerprint
from engrain.model import Fingerprint

Row = dict[str, Any]
Pair = tuple[str, str]
"""A label and the key that its text got."""

TUNED, KEPT_BACK = "half that was looked at", "half kept back"
FIXCACHE = "fixcache==0.4.7"


def measure(full: bool) -> Iterator[Figure]:  # noqa: ARG001 - every figure here is quick
    """The rows that the fingerprints are held to."""
    yield from _tool_failures()
    yield from _fixcache_corpus()
    yield from _wrapped()
    yield from _labelled()
    yield from _transcripts()
    yield from _speed()


# what is measured


def _tool_failures() -> Iterator[Figure]:
    keyed = [(row["cause"], fingerprint(row["text"])) for row in _rows("errors", "tool_failures.jsonl")]
    pairs = [(cause, found.fingerprint) for cause, found in keyed]
    yield Figure("tool failures, pairwise F1 of fingerprint", f1(pairs), "", least=0.95, note=_halves(pairs, f1))
    yield Figure("tool failures, causes whose two variants are one", _together(pairs), "%", note="of 64")


def _fixcache_corpus() -> Iterator[Figure]:
    keyed = [(row, fingerprint(row["text"])) for row in _rows("errors", "fixcache_corpus_v2.jsonl")]
    family = [(row["class"], found.family) for row, found in keyed]
    ours = [(row["class"], found.fingerprint) for row, found in keyed]
    half = {
        name: [p for (r, _), p in zip(keyed, family, strict=True) if _tuned(r["text"]) == (name == TUNED)]
        for name in (TUNED, KEPT_BACK)
    }
    note = "; ".join(f"{name} {f1(pairs):.3f}" for name, pairs in half.items())
    yield Figure("fixcache corpus, pairwise F1 of family", f1(family), "", least=0.94, note=note)
    yield Figure("fixcache corpus, purity across classes of family", 100 * purity(family), "%", least=100)
    yield Figure("fixcache corpus, purity across classes of fingerprint", 100 * purity(ours), "%", least=100)
    yield Figure("fixcache corpus, samples", len(family), "")
    yield Figure("fixcache corpus, unique families", len({key for _, key in family}), "")
    yield Figure("fixcache corpus, collapse", len(family) / len({key for _, key in family}), "samples a family")
    yield Figure("fixcache corpus, within-class recall of family", 100 * precision_recall(family)[1], "%")


def _wrapped() -> Iterator[Figure]:
    texts = [row["text"] for row in _rows("errors", "tool_failures.jsonl")]
    texts += [row["text"] for row in _rows("errors", "fixcache_corpus_v2.jsonl")]
    texts += [row["text"] for row in _labelled_rows() if row["from"] not in ("clusterfuzz_states", "casr_crashline")]
    plain = [fingerprint(text).fingerprint for text in texts]
    for name, wrap in WRAPS.items():
        same = sum(fingerprint(wrap(text)).fingerprint == key for text, key in zip(texts, plain, strict=True))
        yield Figure(f"unchanged by {name}", 100 * same / len(texts), "%", least=97, note=f"of {len(texts):,} texts")


def _labelled() -> Iterator[Figure]:
    rows = _labelled_rows()
    keyed = [(row, fingerprint(row["text"])) for row in rows]
    exact = [(_code(row), found.fingerprint) for row, found in keyed]
    yield Figure(
        "labelled output, purity of fingerprint by code",
        100 * purity(exact),
        "%",
        least=99.5,
        note=_halves(exact, purity, "{:.4f}"),
    )
    for name in ("tsc_variant_pairs", "rustc_revision_pairs"):
        pairs = [(row["label"], found.fingerprint) for row, found in keyed if row["from"] == name]
        recall = precision_recall(pairs)[1]
        yield Figure(
            f"{name}, recall of fingerprint",
            100 * recall,
            "%",
            least=95,
            note=_halves(pairs, lambda p: precision_recall(p)[1]),
        )
    coded = [(row, found) for row, found in keyed if _has_code(row)]
    families = [(_code(row), found.family) for row, found in coded]
    yield Figure(
        "labelled output, pairwise F1 of family by code", f1(families), "", least=0.97, note=_halves(families, f1)
    )
    bare = [(_code(row), fingerprint(_without_code(row))) for row, _ in coded]
    stripped = [(code, found.fingerprint) for code, found in bare]
    yield Figure(
        "labelled output without its code, purity of fingerprint",
        100 * purity(stripped),
        "%",
        least=97,
        note=_halves(stripped, purity, "{:.4f}"),
    )


def _transcripts() -> Iterator[Figure]:
    failures = list(failed_commands())
    known = [fingerprint(text, command, code).known for _, command, text, code in failures]
    yield Figure(
        "failed commands of transcripts that get more than the fallback",
        100 * sum(known) / len(known),
        "%",
        least=80,
        note=f"of {len(known):,}",
    )


def _speed() -> Iterator[Figure]:
    rows = list(_rows("errors", "tool_failures.jsonl"))
    texts = [row["text"] for row in rows]
    ours = _per_second(fingerprint, texts)
    yield Figure("fingerprints a second, real failures, one core", ours, "/s", note=f"{1e6 / ours:.0f} µs each")
    try:
        theirs, keys = _fixcache(texts)
    except (OSError, subprocess.SubprocessError) as exc:
        raise Absent(
            f"{FIXCACHE} can't be installed here, so the speed is not compared ({type(exc).__name__})"
        ) from exc
    yield Figure("fixcache 0.4.7 in the same run", theirs, "/s")
    yield Figure("times as fast as fixcache 0.4.7", ours / theirs, "×", least=2)
    pairs = [(row["cause"], key) for row, key in zip(rows, keys, strict=True)]
    yield Figure("fixcache 0.4.7, tool failures, pairwise F1", f1(pairs), "")
    yield Figure("fixcache 0.4.7, causes whose two variants are one", _together(pairs), "%", note="of 64")


# how it is measured


def precision_recall(pairs: Sequence[Pair]) -> tuple[float, float]:
    """Of the pairs of rows with one key, how many have one label; and the other way round."""
    both = _couples(Counter(pairs).values())
    by_key = _couples(Counter(key for _, key in pairs).values())
    by_label = _couples(Counter(label for label, _ in pairs).values())
    return both / by_key if by_key else 1.0, both / by_label if by_label else 1.0


def f1(pairs: Sequence[Pair]) -> float:
    """The harmonic mean of both: merging everything and splitting everything score badly."""
    precision, recall = precision_recall(pairs)
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def purity(pairs: Sequence[Pair]) -> float:
    """The share of rows whose key belongs mostly to their own label."""
    groups: dict[str, Counter[str]] = {}
    for label, key in pairs:
        groups.setdefault(key, Counter())[label] += 1
    return sum(max(group.values()) for group in groups.values()) / len(pairs) if pairs else 1.0


def _couples(sizes: Iterable[int]) -> int:
    return sum(size * (size - 1) // 2 for size in sizes)


def _together(pairs: Sequence[Pair]) -> float:
    keys: dict[str, set[str]] = {}
    for label, key in pairs:
        keys.setdefault(label, set()).add(key)
    owners: dict[str, set[str]] = {}
    for label, key in pairs:
        owners.setdefault(key, set()).add(label)
    good = [label for label, own in keys.items() if len(own) == 1 and len(owners[next(iter(own))]) == 1]
    return 100 * len(good) / len(keys)


def _halves(pairs: Sequence[Pair], score: Callable[[Sequence[Pair]], float], form: str = "{:.3f}") -> str:
    tuned = [pair for pair in pairs if _tuned(pair[0])]
    kept = [pair for pair in pairs if not _tuned(pair[0])]
    return f"{TUNED} {form.format(score(tuned))}; {KEPT_BACK} {form.format(score(kept))}"


def _tuned(label: str) -> bool:
    return hashlib.sha256(label.encode()).digest()[0] % 2 == 0


def _rows(*path: str) -> list[Row]:
    with open(shared(*path), encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _labelled_rows() -> list[Row]:
    with gzip.open(shared("errors", "labelled_sample.jsonl.gz"), "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _has_code(row: Row) -> bool:
    return str(row["from"]).endswith(("_codes", "_pairs"))


def _code(row: Row) -> str:
    label = str(row["label"])
    return f"{row['set']} {label.split('|')[1] if str(row['from']).endswith('_pairs') else label}"


def _without_code(row: Row) -> str:
    code = _code(row).split(" ", 1)[1]
    return str(row["text"]).replace(f"[{code}]", "").replace(code, "")


def _per_line(text: str, form: str) -> str:
    return "\n".join(
        form.format(minute=n // 60 % 60, second=n % 60, line=line) for n, line in enumerate(text.split("\n"))
    )


WRAPS: dict[str, Callable[[str], str]] = {
    "colour": lambda text: "\n".join(f"\x1b[31m{line}\x1b[0m" if line else line for line in text.split("\n")),
    "CI timestamps": lambda text: _per_line(text, "2026-11-18T09:{minute:02d}:{second:02d}.1234567Z {line}"),
    "a bracketed clock": lambda text: _per_line(text, "[09:{minute:02d}:{second:02d}] {line}"),
    "a leading warning": lambda text: f"warning: the lock file is out of date\n{text}",
    "a leading npm warning": lambda text: f"npm WARN deprecated har-validator@5.1.5: no longer supported\n{text}",
    "a trailing make error": lambda text: text.rstrip("\n") + "\nmake: *** [Makefile:12: test] Error 2\n",
    "Windows line ends": lambda text: text.replace("\n", "\r\n"),
}
WRAPS["all of it"] = lambda text: WRAPS["CI timestamps"](
    WRAPS["colour"](WRAPS["a trailing make error"](WRAPS["a leading warning"](text)))
)


def failed_commands() -> Iterator[tuple[str, str, str, int | None]]:
    """Session, command, output and exit code of every failed command in the transcripts."""
    for path in sorted(glob.glob(os.path.join(shared("transcripts"), "*", "*", "*.jsonl.gz"))):
        commands: dict[str, str] = {}
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for line in file:
                for block in _blocks(line):
                    if block.get("type") == "tool_use" and block.get("name") == "Bash":
                        commands[block["id"]] = block["input"].get("command", "")
                    elif block.get("type") == "tool_result" and block.get("tool_use_id") in commands:
                        text = _said(block.get("content"))
                        code = re.search(r"<returncode>(-?\d+)|^(?:Error: )?Exit code (\d+)", text)
                        number = int(code[1] or code[2]) if code else None
                        if block.get("is_error") or number:
                            yield os.path.basename(path), commands[block["tool_use_id"]], text, number


def _blocks(line: str) -> list[Row]:
    """The parts of a message; a line that is torn has none."""
    try:
        content = (json.loads(line).get("message") or {}).get("content")
    except ValueError:
        return []
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _said(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(part.get("text", "") for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _per_second(call: Callable[[str], Fingerprint], texts: Sequence[str]) -> float:
    """By the best time of each text, because other work shares the machine."""
    best = [float("inf")] * len(texts)
    for _ in range(30):
        for index, text in enumerate(texts):
            started = time.perf_counter()
            call(text)
            best[index] = min(best[index], time.perf_counter() - started)
    return len(best) / sum(best)


_THEIRS = """
import json, sys, time
from lore_memory.fingerprint import compute_fingerprint
texts = json.load(sys.stdin)
best = [float("inf")] * len(texts)
for _ in range(30):
    for index, text in enumerate(texts):
        started = time.perf_counter()
        compute_fingerprint(text)
        best[index] = min(best[index], time.perf_counter() - started)
print(json.dumps([len(best) / sum(best), [compute_fingerprint(text).hash for text in texts]]))
"""


def _fixcache(texts: Sequence[str]) -> tuple[float, list[str]]:
    """How many fingerprints fixcache makes in a second, and which."""
    python = os.path.join(environment(FIXCACHE), "bin", "python")
    done = subprocess.run(
        [python, "-c", _THEIRS], input=json.dumps(list(texts)), capture_output=True, text=True, check=True
    )
    speed, keys = json.loads(done.stdout)
    return float(speed), list(keys)


def draw(count: int, seed: int) -> None:
    """Prints failed commands at random with what they are taken for, to be judged by hand."""
    failures = list(failed_commands())
    random.Random(seed).shuffle(failures)
    for number, (session, command, text, code) in enumerate(failures[:count], start=1):
        found = fingerprint(text, command, code)
        print(f"\n===== {number} · {session} · exit {code}\n$ {command[-300:]}")
        print(text if len(text) < 1200 else f"{text[:400]}\n[…]\n{text[-700:]}")
        print(f"----> {found.toolchain} · {found.error_type} · {found.message} · {dict(found.parameters)}")


if __name__ == "__main__":
    asked = argparse.ArgumentParser(
        prog="python -m bench.fingerprints", description="Failed commands to judge by hand."
    )
    asked.add_argument("--draw", type=int, default=100, metavar="N")
    asked.add_argument("--seed", type=int, default=7)
    given = asked.parse_args()
    draw(given.draw, given.seed)
