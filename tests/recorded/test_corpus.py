"""The corpus is whole, small and clean, and its scores mean what they say."""

from __future__ import annotations

import os
import re
from collections import defaultdict

import pytest

from .corpus import HERE, Case, cases, pairwise, purity, score, whole
from .record.__main__ import every_case, path_of, takes_of

CASES = cases()

FORBIDDEN = (
    r"(?<!\w)/root\b",
    r"/tmp/stage-",
    r"/opt/(?:venv|node|new|old|cache)\b",
    r"\bsetpriv\b",
    r"\b(?:ghp|gho|github_pat|sk|xox[abp])[-_][A-Za-z0-9_-]{16,}",
    r"\bAKIA[0-9A-Z]{16}\b",
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----",
    r"\bBearer [A-Za-z0-9._-]{16,}",
)

TOPS = {"home", "srv", "usr", "opt", "tmp", "etc", "var", "bin", "lib", "dev", "run"}
TOPS |= {"rustc", "simple", "node_modules", "ticket"}
"""First parts of the paths inside; the last four are a compiler's own name for its sources and pieces of addresses."""


def test_every_file_is_listed_once_and_every_listed_file_is_there() -> None:
    there = {
        os.path.relpath(os.path.join(folder, name), HERE).replace(os.sep, "/")
        for folder, _, names in os.walk(HERE)
        for name in names
        if name.endswith(".txt")
    }
    listed = [case.file for case in CASES]
    assert sorted(listed) == sorted(there)


def test_every_recording_has_its_case_and_every_case_its_recordings() -> None:
    told = {path_of(take): take.command for _, case in every_case() for take in takes_of(case)}
    assert {case.file: case.command for case in CASES} == told


def test_a_file_is_named_after_its_toolchain_cause_and_variant() -> None:
    assert [case.file for case in CASES] == [f"{case.toolchain}/{case.cause}--{case.variant}.txt" for case in CASES]


def test_every_cause_has_two_takes_one_family_and_one_toolchain() -> None:
    by_cause: dict[str, list[Case]] = defaultdict(list)
    for case in CASES:
        by_cause[case.cause].append(case)
    assert [cause for cause, found in by_cause.items() if not {"a", "b"} <= {case.variant for case in found}] == []
    assert [
        cause for cause, found in by_cause.items() if len({(case.family, case.toolchain) for case in found}) > 1
    ] == []


def test_families_do_not_cross_toolchains() -> None:
    by_family: dict[str, set[str]] = defaultdict(set)
    for case in CASES:
        by_family[case.family].add(case.toolchain)
    assert {family: found for family, found in by_family.items() if len(found) > 1} == {}


def test_the_corpus_is_broad_and_small() -> None:
    assert len({case.cause for case in CASES}) >= 150
    assert len({case.toolchain for case in CASES}) >= 40
    assert max(len(case.text.encode()) for case in CASES) <= 8_192
    assert sum(len(case.text.encode()) for case in CASES) <= 2 * 1024 * 1024


def test_every_recording_failed_and_said_so() -> None:
    assert [case.file for case in CASES if case.exit_code == 0 or not case.text.strip()] == []


def test_a_take_in_colour_has_colour_and_one_in_a_terminal_its_line_ends() -> None:
    assert [case.file for case in CASES if case.variant == "colour" and "\x1b[" not in case.text] == []
    assert [case.file for case in CASES if case.variant == "tty" and "\r\n" not in case.text] == []
    assert len({case.cause for case in CASES if case.variant in ("colour", "tty")}) >= 20


@pytest.mark.parametrize("pattern", FORBIDDEN)
def test_nothing_of_the_recording_machine_and_no_secret_is_inside(pattern: str) -> None:
    assert [case.file for case in CASES if re.search(pattern, case.text + case.command + case.version)] == []


def test_paths_begin_where_a_user_would_have_them() -> None:
    inside = (re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", case.text) for case in CASES)
    found = {top for text in inside for top in re.findall(r"(?<![\w.:/@)*$\\>-])/([A-Za-z][\w.-]*)/", text)}
    assert found <= TOPS


def test_no_two_causes_have_the_same_text() -> None:
    by_text: dict[str, set[str]] = defaultdict(set)
    for case in CASES:
        by_text[case.text].add(case.cause)
    assert [causes for causes in by_text.values() if len(causes) > 1] == []


SCORES = [
    # keys, labels, precision, recall, purity, whole
    ("aabb", "aabb", 1.0, 1.0, 1.0, 1.0),
    ("aabb", "ccdd", 1.0, 1.0, 1.0, 1.0),
    ("aaaa", "aabb", 2 / 6, 1.0, 0.5, 0.0),
    ("abcd", "aabb", 1.0, 0.0, 1.0, 0.0),
    ("aaab", "aabb", 1 / 3, 0.5, 0.75, 0.0),
    ("aabc", "aabb", 1.0, 0.5, 1.0, 0.5),
    ("", "", 1.0, 1.0, 1.0, 1.0),
]


@pytest.mark.parametrize(("keys", "labels", "precision", "recall", "pure", "kept"), SCORES)
def test_scores(keys: str, labels: str, precision: float, recall: float, pure: float, kept: float) -> None:
    assert pairwise(keys, labels) == pytest.approx((precision, recall))
    assert purity(keys, labels) == pytest.approx(pure)
    assert whole(keys, labels) == pytest.approx(kept)


def test_merging_everything_and_splitting_everything_both_score_badly() -> None:
    assert score(lambda case: "", lambda case: case.cause, CASES).f1 < 0.1
    assert score(lambda case: case.file, lambda case: case.cause, CASES).f1 < 0.1
    assert score(lambda case: case.cause, lambda case: case.cause, CASES).f1 == 1.0
