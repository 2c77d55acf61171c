"""What holds for every text: redacting twice is redacting once, JSON stays JSON, time is bounded."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engrain.redact import engine, match, redact, redact_value, redacted
from engrain.redact.announced import ANNOUNCED
from engrain.redact.command import COMMANDS
from engrain.redact.names import KEYWORDS
from engrain.redact.providers import ANYWHERE, PROVIDERS, SHAPES
from engrain.redact.stream import HELD, Stream, stream
from engrain.redact.structure import BLOBS, STRUCTURE
from tests.redact.redact_fakes import BASE62, PASSWORD, PEM, PROVIDED, lot

RULES = (*PROVIDERS, *ANYWHERE, *SHAPES.values(), *BLOBS, *STRUCTURE, *ANNOUNCED, *COMMANDS)
HINTS = sorted({hint for rule in RULES for hint in rule.hints} | {keyword.hint for keyword in KEYWORDS})

_SYNTAX = (
    """= : " ' \\" \\ \\n { } , « » «redacted:password» «redacted:jwt:3» =hunter2 ": " ://bob:pw1@h é 𝄞 < > -p $6$"""
)
_bits = st.sampled_from(
    [*HINTS, *[secret for _, secret in PROVIDED], PASSWORD, *_SYNTAX.split(" "), ": ", "\n", " ", "\x00"]
)
texts = st.lists(_bits | st.text(max_size=6), max_size=14).map("".join)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
calm = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@calm
@given(texts)
def test_redacting_twice_is_redacting_once(text: str) -> None:
    once = redact(text)
    assert redact(once) == once


@calm
@given(texts)
def test_the_same_object_when_nothing_was_found(text: str) -> None:
    done = redacted(text)
    assert (done.text is text) == (not done.found)


@calm
@given(values, st.sampled_from([None, 1]), st.booleans())
def test_json_stays_json(value: object, indent: int | None, ascii_only: bool) -> None:
    json.loads(redact(json.dumps(value, indent=indent, ensure_ascii=ascii_only)))
    nested = json.dumps({"text": json.dumps(value), "more": json.dumps(json.dumps(value))})
    read = json.loads(redact(nested))
    if read["text"].startswith(("{", "[")):
        json.loads(read["text"])


@calm
@given(values)
def test_a_redacted_value_is_a_value_and_stays(value: object) -> None:
    once = redact_value(value)
    json.dumps(once)
    assert redact_value(once) == once


@calm
@given(texts, st.sampled_from([secret for _, secret in PROVIDED]), texts)
def test_a_key_between_spaces_never_stays(before: str, secret: str, after: str) -> None:
    assert secret not in redact(f"{before} {secret} {after}")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 400), max_size=8), st.sampled_from(PROVIDED))
def test_cut_anywhere_a_secret_is_found(cuts: list[int], provided: tuple[str, str]) -> None:
    text = f"first line\nvalue = {provided[1]}\npassword: {PASSWORD}\nlast line\n" + PEM
    pieces, at = [], 0
    for cut in cuts:
        pieces.append(text[at : at + cut])
        at += cut
    assert "".join(stream([*pieces, text[at:]])) == redact(text)


def test_a_long_stream_keeps_little_and_finds_what_lies_on_every_border() -> None:
    secret = "ghp_" + lot(BASE62, 36)
    redactor, out = Stream(), []
    for number in range(4000):
        out.append(redactor.feed(f"{number} " + "x" * (number % 61)))
        out.append(redactor.feed(f"\n {secret[:20]}"))
        out.append(redactor.feed(f"{secret[20:]} "))
        assert redactor._size < HELD + 200
    out.append(redactor.close())
    text = "".join(out)
    assert secret not in text
    assert secret[:20] not in text
    assert text.count("«redacted:github-token»") == 4000
    assert redactor.found == {"github-token": 4000}


def test_a_stream_without_line_ends_and_a_secret_without_end() -> None:
    pieces = ["word " * 40_000, "password=", *["aB3xY9" * 4000] * 20, " rest"]
    out = "".join(stream(pieces))
    assert "aB3xY9aB3xY9" not in out
    assert out.endswith(" rest")


HOSTILE = [
    "a",
    "=",
    '"',
    "'",
    "\\",
    "QUJDREVG",
    "\n",
    "-----BEGIN PRIVATE KEY-----\nAAAA",
    "A" * 20 + "1",
    '{"password":"',
]
WORDS = sorted(hint.decode() for hint in (*match._WORDS, *match._NAMES))


@pytest.mark.parametrize("unit", [*HOSTILE, *WORDS, *[f'{word}="' for word in WORDS[::5]]])
def test_time_is_bounded(unit: str) -> None:
    """What is caught here is time that grows with the square; the benchmark measures megabytes."""
    line = (unit * (60_000 // len(unit) + 1))[:60_000]
    started = time.process_time()
    redact(line)
    assert time.process_time() - started < 0.6


@pytest.mark.parametrize("start", range(0, len(HINTS), 60))
def test_time_is_bounded_for_hints_of_providers(start: int) -> None:
    line = "".join((hint + "a1B2") * 600 for hint in HINTS[start : start + 60])
    started = time.process_time()
    redact(line)
    assert time.process_time() - started < 3


@given(texts)
@calm
def test_who_reads_many_texts_looks_for_all_hints_that_stand_there(text: str) -> None:
    dense = text.encode("ascii", "replace")
    match._dense[0] = match._HABIT
    looked = list(match._standing(dense))
    assert [hint for hint in match._IN_RUNS if hint in dense] == [hint for hint in looked if hint in dense]
    assert looked == [hint for hint in match._IN_RUNS if hint in looked]
    if not looked:
        assert list(match._providers(text, dense, [(0, len(dense))])) == []


def test_every_pattern_compiles_and_hints_do_not_hide_one_another() -> None:
    for rule in RULES:
        re.compile(rule.pattern)
        assert rule.hints or rule in SHAPES.values()
    words = [*match._WORDS, *match._NAMES]
    assert not [(a, b) for a in set(words) for b in set(words) if a != b and b.startswith(a)]
    assert all(word == word.lower() for word in words)


def test_rules_have_names_that_fit_a_mark() -> None:
    for name in match.ORDER:
        assert re.fullmatch(engine._MARK, f"«redacted:{name}»"), name


def test_the_hook_pays_little() -> None:
    """Neither at import nor at its first call does redacting load what is slow, or compile what is not needed."""
    program = (
        "import sys; sys.path.insert(0, 'src')\n"
        "from engrain.redact import redact\n"
        "from engrain.patterns import _ready as _patterns\n"
        "assert not _patterns, len(_patterns)\n"
        "redact('collected 12 items\\n' * 400)\n"
        "assert len(_patterns) < 12, list(_patterns)\n"
        "heavy = {'dataclasses', 'typing', 'pathlib', 'uuid', 'sqlite3', 'json', 'inspect'} & set(sys.modules)\n"
        "print(sorted(heavy))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")
