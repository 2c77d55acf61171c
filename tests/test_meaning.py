"""Meaning, on both databases: what was told is found by what it means, embedded once, and gone when it is forgotten."""

from __future__ import annotations

from engrain.memory import Memory, meaning
from tests.making import event, minilm

SAID = (
    "the staging database is read-only on Sundays",
    "run the migrations before the seed",
    "bananas are yellow when they are ripe",
)


def test_what_was_told_is_found_by_what_it_means(memory: Memory) -> None:
    minilm()
    for text in SAID:
        memory.note(text)
    assert meaning.missing(memory) == ""
    assert memory.nearest("at the weekend nobody can write to the test server") == []
    done = memory.embed()
    assert (done.done, done.made, done.failed, done.standing.waiting) == (3, 3, 0, 0)
    found = memory.nearest("at the weekend nobody can write to the test server")
    assert memory.get(found[0].id)[0].body["text"] == SAID[0]
    assert [near.similarity for near in found] == sorted((near.similarity for near in found), reverse=True)
    assert len(memory.nearest("fruit", limit=1)) == 1
    assert memory.nearest("fruit", kinds=["prompt"]) == []
    assert memory.nearest("fruit", projects=["another"]) == []
    assert memory.nearest("fruit", projects=[memory.project.id], kinds=["note"], limit=1)[0].similarity > 0.3


def test_only_what_is_told_has_a_vector_and_an_empty_text_has_none(memory: Memory) -> None:
    minilm()
    memory.record(
        event(1, kind="tool.call"), event(2, kind="command"), event(3, body={"text": "  "}), event(4, "a note"),
        event(5, kind="prompt"), event(6, kind="reply"),
    )  # fmt: skip
    assert memory.embed().standing.waiting == 0
    assert {near.id for near in memory.nearest("anything")} == {"e00004", "e00005"}
