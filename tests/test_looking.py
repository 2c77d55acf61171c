"""What pages ask of a memory, on both stores; and how it is drawn and worded, without a browser."""

from __future__ import annotations

import pytest

from engrain import event as events
from engrain.errors import BadInput
from engrain.learn import belief
from engrain.memory import Memory, looking
from engrain.web import assets, drawing, packing, report, words
from engrain.web.asked import Asked
from engrain.web.drawing import Curve
from tests.making import failed
from tests.test_failures import MISSING, UNBOUND


def test_what_the_memory_did_is_counted(memory: Memory) -> None:
    assert looking.did(memory).tried == 0
    memory.record(failed(memory, MISSING), failed(memory, MISSING), failed(memory, UNBOUND))
    taught = memory.remember_error_fix(MISSING, "pip install orjson")
    match = memory.match(MISSING)
    memory.record(memory.serving(match, channel="watch", of="of-one"))
    memory.rate(taught.fix, worked=True, provenance="runtime_observed")
    memory.rate(taught.fix, worked=False, provenance="runtime_observed")
    memory.rate(taught.fix, worked=True)
    did = looking.did(memory)
    assert (did.failures, did.answered, did.resolved, did.tried) == (3, 1, 1, 2)
    assert looking.kinds(memory)["command"] == 3
    keys = [each.fingerprint for each in memory.failures()]
    assert looking.known(memory, keys) == {keys[0]: 1}
    assert [seen.id for seen in looking.projects(memory)] == [memory.project.id]
    assert memory.project.id in looking.names(memory)


def test_of_an_old_history_is_said_what_is_known_by_now_and_nothing_is_drawn(memory: Memory) -> None:
    old = [
        failed(memory, MISSING)._replace(time=events.now() - 300 * 86_400_000_000 - n, id=f"old-{n}") for n in (1, 2)
    ]
    memory.record(*old)
    assert "no fix stood beside the error yet." in report.html(memory)
    memory.remember_error_fix(MISSING, "pip install orjson")
    told = report.html(memory)
    assert "of what fails most, 1 has a fix by now." in told
    assert "Nothing failed in the last 12 weeks." in told
    assert "with a fix shown" not in told
    memory.record(failed(memory, UNBOUND))
    assert "with a fix shown" in report.html(memory)


def test_a_failure_is_taught_and_a_fix_corrected(memory: Memory) -> None:
    memory.record(failed(memory, MISSING))
    key = memory.failures()[0].fingerprint
    taught = looking.teach(memory, key, ["pip install orjson"], cause="typo")
    memory.rate(taught.fix, worked=False)
    corrected = looking.correct(memory, taught.fix, ["uv add orjson"], cause="not in the lock file")
    assert [fix.steps for fix in memory.failure(key).fixes] == [("uv add orjson",)]
    assert memory.fix(corrected).cause == "not in the lock file"
    assert memory.fix(corrected).failed == 0
    same = looking.correct(memory, corrected, ["uv add orjson"], cause="it is new")
    assert (same, memory.fix(same).cause) == (corrected, "it is new")
    assert looking.keys_of(memory, corrected) == [key]
    with pytest.raises(BadInput, match="needs steps"):
        looking.correct(memory, corrected, [])
    before = memory.rebuild()
    assert before
    assert memory.fix(corrected).cause == "it is new"


def test_another_tenant_s_is_not_seen(memory: Memory) -> None:
    memory.record(failed(memory, MISSING)._replace(tenant="other"))
    assert looking.kinds(memory) == {}
    assert looking.projects(memory) == []
    assert looking.did(memory).failures == 0
    assert looking.agents(memory) == []


@pytest.mark.parametrize(("alpha", "beta"), [(1.5, 0.5), (0.5, 8.0), (1.0, 1.0), (50.0, 2.0), (400.0, 300.0)])
def test_a_belief_is_recovered_from_what_is_told_of_it(alpha: float, beta: float) -> None:
    whole = belief.of(alpha, beta)
    found = belief.recovered(whole.mean, belief.interval(whole)[0])
    assert found.alpha == pytest.approx(alpha, rel=1e-6)
    assert found.beta == pytest.approx(beta, rel=1e-6)


def test_drawings_say_what_they_show_and_no_more_than_text() -> None:
    assert "1, 0, 3" in drawing.sparkline((1, 0, 3))
    assert "60%" in drawing.density(Curve(3, 2, 0.25, 0.9))
    assert drawing.outcomes(()) == drawing.histogram(()) == ""
    assert "worked 1 of 2 times" in drawing.outcomes(((1, True), (2, False)))
    bars = [drawing.Bar(0, 0, "<b>")] * 12
    assert "<b>" not in drawing.trend(bars, whole="failures", part="answered")
    for most in (1, 7, 99, 1234, 5_000_000):
        drawing.trend([drawing.Bar(most, 1, "x")], whole="a", part="b")
        assert most / drawing._nice(most) <= 5
    span = drawing.Span(0, 10, "tools", "call", "</svg><script>", "e-1")
    assert "<script>" not in drawing.timeline([span], ("tools",), 0, 10)
    for curve in (Curve(0.5, 0.5, 0.0, 1.0), Curve(1e6, 1.0, 0.99, 1.0), Curve(1.0, 1.0, 0.05, 0.95)):
        assert "nan" not in drawing.density(curve)


def test_numbers_and_times_are_worded() -> None:
    now = events.now()
    assert [words.ago(now - n * 1_000_000) for n in (1, 90, 7300, 86_400 * 5)] == [
        "just now",
        "2 min ago",
        "2 h ago",
        "5 d ago",
    ]
    assert [words.size(n) for n in (12, 3400, 5_600_000, 7e9)] == ["12 B", "3.4 kB", "5.6 MB", "7.0 GB"]
    assert words.signed(-0.05) == "−5"
    assert words.folded("a\n\x1b[31m b\u202e c", 20) == "a [31m b c"
    assert words.plural(1, "fix", "fixes") == "1 fix"


def test_only_files_of_the_pages_are_sent() -> None:
    for name in ("../surface.py", "engrain.css/../../surface.py", "/etc/passwd", "surface.py", "", "vendor", "x.css"):
        assert assets.held(name) is None
    assert assets.address("engrain.css").startswith("/assets/")
    assert assets.address("none.css") == ""


def test_what_npm_can_t_bring_is_said(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert packing.pack(str(tmp_path)) == ["npm is not here"]


def test_an_address_with_too_much_in_it_is_refused() -> None:
    asked = Asked(None, None, "/")  # type: ignore[arg-type]
    with pytest.raises(BadInput):
        asked.read("&".join(f"a{n}=1" for n in range(200)), "")
    with pytest.raises(BadInput):
        asked.read("", "a=" + "x" * 200_000)
    asked.read("from=99999999999999999999999&q=%00%ff", "")
    assert asked.number("from", 7) == 7
    assert asked.with_(q="", tool="a b") == "/?from=99999999999999999999999&tool=a+b"
