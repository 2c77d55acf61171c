"""Fusing rankings: what several name comes first, and who has nothing to say changes nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engrain.recall.fuse import Ranking, fused, shared_places, standing_out

LISTS = st.lists(st.lists(st.integers(0, 20), unique=True, max_size=8), max_size=4)


def _keys(*rankings: Ranking[str]) -> list[str]:
    return [each.key for each in fused(rankings)]


def test_what_two_rankers_name_comes_before_what_one_has_first() -> None:
    words, meaning = Ranking("words", 1.0, ["a", "b", "c"]), Ranking("meaning", 1.0, ["d", "b", "e"])
    assert _keys(words, meaning)[0] == "b"
    assert fused([words, meaning])[0].places == {"words": 2, "meaning": 2}


def test_a_weight_says_how_much_a_ranker_counts() -> None:
    words, meaning = Ranking("words", 1.0, ["a"]), Ranking("meaning", 3.0, ["b"])
    assert _keys(words, meaning) == ["b", "a"]
    assert _keys(words, meaning._replace(weight=1.0)) == ["a", "b"], "of equals, what the earlier one has"


def test_who_abstains_changes_nothing() -> None:
    words = Ranking("words", 1.0, ["a", "b"])
    assert fused([words, Ranking[str]("meaning", 9.0, [])]) == fused([words])
    assert fused([]) == []


def test_a_ranker_names_what_stands_out() -> None:
    assert standing_out([0.8, 0.75, 0.5, 0.2], least=0.3, within=0.2) == 2
    assert standing_out([0.25, 0.2], least=0.3, within=0.2) == 0
    assert standing_out([], least=0.3, within=0.2) == 0


@given(LISTS)
def test_each_thing_stands_once_and_a_better_place_never_harms(lists: list[list[int]]) -> None:
    rankings = [Ranking(str(n), 1.0, found) for n, found in enumerate(lists)]
    scores = {each.key: each.score for each in fused(rankings)}
    assert sorted(scores) == sorted({key for found in lists for key in found})
    if lists and lists[0]:
        *others, last = lists[0]
        moved = {each.key: each.score for each in fused([Ranking("0", 1.0, [last, *others]), *rankings[1:]])}
        assert moved[last] >= scores[last]


def test_what_a_ranker_cannot_tell_apart_shares_a_place() -> None:
    assert shared_places([10.0, 9.5, 9.1, 4.0, 4.0, 1.0], alike=0.9) == [1, 1, 1, 4, 4, 6]
    assert shared_places([], alike=0.9) == []
    exact = Ranking("exact", 1.0, ["a", "b"], shared_places([1.0, 1.0], alike=0.9))
    assert [each.key for each in fused([exact, Ranking("words", 0.1, ["b", "a"])])] == ["b", "a"]
