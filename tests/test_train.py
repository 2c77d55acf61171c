"""From the journal to rows, and the gates: all of it that needs no model. `make test-train` has the rest."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Sequence
from typing import Any

import pytest

from engrain.capture.session import Session
from engrain.cli.group import run
from engrain.errors import BadConfig, BadInput, NotFound
from engrain.event import BODIES, Event
from engrain.memory import Memory, training
from engrain.train import examples, flaws, formats, gates, general, pack, plot, points, recipe, rollout, shape, tools
from engrain.train.examples import HELD, TRAIN, Reader
from engrain.train.gates import Case, Measured
from engrain.train.points import Answer, Question
from engrain.train.recipe import Recipe
from engrain.train.render import NONE, Rendered
from engrain.train.shape import Reply
from engrain.train.trajectory import Call, Step, Trajectory, trajectory
from engrain.train.windows import GAP, SYSTEM, cut
from tests.making import START

CWD = "/srv/work/shop"
LONG = Recipe(length=600, least_rows=1)


def count(messages: Sequence[dict[str, Any]]) -> int:
    return sum(len(json.dumps(each)) // 4 for each in messages)


READER = Reader(count, lambda messages: "<|im_end|>" not in json.dumps(list(messages)), "by characters")


def session(number: int, calls: int = 4, **more: Any) -> list[Event]:
    """Somebody asks for a test to be mended; it fails, a file is read and edited, it passes."""
    who = Session("claude-code", f"s{number}", project="shop", tenant="local")
    at = START + number * 1_000_000_000
    told = [who.prompted(at, "p", f"mend test {number}, please")]
    for place in range(calls):
        time, name = at + (place + 1) * 10_000_000, f"{number}-{place}"
        if place % 2:
            file = f"{CWD}/src/part{number}.py"
            given = {"file_path": file, "old_string": "a", "new_string": f"b{place}"}
            event = who.called(time, name, "Edit", given, "done", failed=False, cwd=CWD)
            told.append(event)
        else:
            told.append(who.replied(time - 1000, f"r{name}", f"I run it, {place}."))
            output = "Exit code 1\nassert 1 == 2" if place == 0 else "passed"
            given = {"command": f"cd {CWD} && pytest tests/test_{number}.py -k {place}"}
            told.append(who.called(time, name, "Bash", given, output, failed=place == 0, cwd=CWD, **more))
    return [*told, who.replied(at + 900_000_000, "end", f"Test {number} passes.")]


def made(number: int = 10, chosen: Recipe = LONG, **more: Any) -> examples.Made:
    told = (trajectory(session(each, **more), {}) for each in range(number))
    return examples.make((each for each in told if each), chosen, READER)


# Trajectories


def test_a_session_becomes_what_was_said_and_done_in_order() -> None:
    found = trajectory(session(1), {})
    assert found is not None
    said = [(step.role, step.text, step.call.tool if step.call else "") for step in found.steps]
    assert said == [
        ("user", "mend test 1, please", ""),
        ("assistant", "I run it, 0.", "Bash"),
        ("assistant", "", "Edit"),
        ("assistant", "I run it, 2.", "Bash"),
        ("assistant", "", "Edit"),
        ("assistant", "Test 1 passes.", ""),
    ]
    assert found.calls[0].given["command"] == "cd <root> && pytest tests/test_1.py -k 0"
    assert found.calls[1].given["file_path"] == "<root>/src/part1.py"


def test_what_was_carried_apart_comes_back_and_what_expired_is_said() -> None:
    events = session(1)
    edit = next(event for event in events if event.body.get("tool") == "Edit")
    sized = {**edit.body, "input": {"file_path": "x.py", "old_string_size": 1, "new_string_size": 1}}
    events = [event._replace(body=sized) if event is edit else event for event in events]
    whole = trajectory(events, {edit.id: {"old_string": "a", "new_string": "b", "output": "done"}})
    gone = trajectory(events, {})
    assert whole is not None
    assert gone is not None
    assert whole.calls[1].given == {"file_path": "x.py", "old_string": "a", "new_string": "b"}
    assert "expired" in gone.calls[1].facts
    assert BODIES not in str(whole)


def test_subagents_and_sessions_without_a_question_are_left_out() -> None:
    events = session(1)
    sub = events[2]._replace(id="sub", body={**events[2].body, "subagent": "explorer"})
    found = trajectory([*events, sub], {})
    assert found is not None
    assert found.subagents == 1
    assert len(found.calls) == 4
    assert trajectory([event for event in events if event.kind != "prompt"], {}) is None


def test_a_secret_that_came_through_is_taken_out_again() -> None:
    events = session(1)
    events[-1] = events[-1]._replace(body={"text": "the key is ghp_0123456789abcdefghijABCDEFGHIJ0123456789"})
    found = trajectory(events, {})
    assert found is not None
    assert found.redacted == 1
    assert "ghp_0123" not in str(found)


# Flaws

RUN = Call("Bash", {"command": "pytest"}, "passed", False, frozenset())
EDIT = Call("Edit", {"file_path": "a.py"}, "no such text", True, frozenset())
ROWS = (
    ("interrupted", RUN._replace(facts=frozenset(["interrupted"])), ""),
    ("refused by somebody", RUN._replace(facts=frozenset(["refused"])), ""),
    ("its content was withheld", RUN._replace(facts=frozenset(["withheld"])), ""),
    ("its content has expired", RUN._replace(facts=frozenset(["expired"])), ""),
    ("never answered", RUN._replace(facts=frozenset(["unanswered"])), ""),
    ("a call of nothing", RUN._replace(tool=""), ""),
    ("pictures", RUN._replace(tool="view_image"), ""),
    ("an empty required argument", RUN._replace(given={"command": " "}), ""),
    ("an empty required argument", RUN._replace(given={}), ""),
    ("over-long arguments", RUN._replace(given={"command": "x" * 5000}), ""),
    ("a secret stood in it", RUN._replace(given={"command": "login «redacted:password»"}), ""),
    ("a foreign absolute path", RUN._replace(given={"command": "cat /home/alice/notes.txt"}), ""),
    ("a change that failed at first", EDIT, ""),
    ("repeated lines", None, "the same line again\n" * 9),
    ("", RUN, "I run it."),
    ("", RUN._replace(given={"command": "cat /etc/hosts"}), ""),
)


@pytest.mark.parametrize(("reason", "call", "text"), ROWS)
def test_what_nobody_should_learn_has_a_reason(reason: str, call: Call | None, text: str) -> None:
    seen = flaws.Seen(Recipe(), (), frozenset(["command"]) if call and call.tool == "Bash" else frozenset(), False)
    assert flaws.flaw(Step("assistant", text, call), seen) == reason


def test_the_same_call_again_is_not_learned() -> None:
    step = Step("assistant", "", RUN)
    assert flaws.flaw(step, flaws.Seen(Recipe(), (step,), frozenset(), False)) == "the call before it again"


# Rows


def test_a_long_session_is_cut_between_steps_and_every_step_is_learned_once() -> None:
    told = trajectory(session(1, calls=40), {})
    assert told is not None
    head = count([{"role": "system", "content": SYSTEM}])
    found = cut(told, tools.schemas(told.calls), LONG, count, head)
    assert len(found.windows) > 3
    learned: list[str] = []
    for window in found.windows:
        asked = {call["id"] for message in window.messages for call in message.get("tool_calls", ())}
        answered = {message["tool_call_id"] for message in window.messages if message["role"] == "tool"}
        assert asked == answered
        assert count(window.messages) <= LONG.length
        assert [message["role"] for message in window.messages[:2]] == ["system", "user"]
        learned += [json.dumps(each, sort_keys=True) for each in window.messages if each.get("learn")]
    assert len(learned) == len(set(learned)) == sum(step.role == "assistant" for step in told.steps)


def asked_twice(*results: str) -> Trajectory:
    """Two questions, each answered with a call and a word."""
    steps: list[Step] = []
    for place, result in enumerate(results):
        given = {"command": f"make part{place}"}
        steps += [
            Step("user", f"build part {place}"),
            Step("assistant", "", Call("Bash", given, result, False, NOTHING)),
        ]
        steps.append(Step("assistant", f"Part {place} is built."))
    return Trajectory("s", "claude-code", "shop", 1, 2, tuple(steps), 0, 0)


NOTHING: frozenset[str] = frozenset()


def windows(told: Trajectory, length: int = 600) -> list[list[dict[str, Any]]]:
    found = cut(told, tools.schemas(told.calls), LONG._replace(length=length), count, 60)
    return [list(window.messages) for window in found.windows]


def test_a_conversation_of_several_questions_stays_one() -> None:
    (messages,) = windows(asked_twice("done", "done"))
    assert [each["role"] for each in messages] == ["system", *["user", "assistant", "tool", "assistant"] * 2]
    assert [each["content"] for each in messages if each["role"] == "user"] == ["build part 0", "build part 1"]
    assert sum(each.get("learn", False) for each in messages) == 4


def test_what_was_called_last_is_in_view_wherever_the_next_call_is_learned() -> None:
    told = asked_twice(*["x" * 700] * 12)
    found = windows(told)
    assert len(found) > 3
    for messages in found[1:]:
        first = next(place for place, each in enumerate(messages) if each.get("learn"))
        assert any(each.get("tool_calls") for each in messages[:first])
        assert messages[1]["role"] == "user"
        assert GAP in messages[1]["content"]
        assert not any(one["role"] == other["role"] == "user" for one, other in itertools.pairwise(messages))
        assert count(messages) <= 600


def test_a_result_that_is_too_long_for_a_window_is_shortened_and_the_call_learned() -> None:
    told = asked_twice("y" * 1500)
    assert any(each.get("tool_calls") and each.get("learn") for each in windows(told, 400)[0])


def test_rows_are_split_by_session_and_time_with_the_full_list_of_tools() -> None:
    found = made()
    sessions = {part: {row["session"] for row in rows} for part, rows in found.rows.items()}
    assert sessions[HELD] == {"s8", "s9"}
    assert sessions[TRAIN] == {f"s{number}" for number in range(8)}
    for row in found.rows[TRAIN]:
        assert [tool["function"]["name"] for tool in row["tools"]] == ["Bash", "Edit"]
        assert row["tools"][0]["function"]["parameters"]["required"] == ["command"]
    assert found.manifest["rows"] == {"train": 8, "held": 2}
    assert all(row["times"] == 2 for row in found.rows[TRAIN]), "a failure was got over in each"


def test_a_session_that_ran_across_the_cut_is_in_neither_part() -> None:
    told = [trajectory(session(number), {}) for number in range(10)]
    long = [each._replace(ended=each.ended + 10**12) if each and each.session == "s7" else each for each in told]
    found = examples.make((each for each in long if each), LONG, READER)
    assert found.manifest["dropped"]["sessions that ran across the cut"] == 1
    assert "s7" not in {row["session"] for rows in found.rows.values() for row in rows}


def test_what_is_equal_is_there_once_and_what_is_held_out_is_not_trained() -> None:
    told = trajectory(session(1), {})
    assert told is not None
    copies = [told._replace(session=f"c{n}", started=n * 10**9, ended=n * 10**9 + 1) for n in range(10)]
    found = examples.make(copies, LONG, READER)
    assert found.manifest["rows"] == {"train": 0, "held": 1}
    assert found.manifest["dropped"]["row: the same as another"] == 9


def test_caps_and_the_tiny_tier_are_counted() -> None:
    few = made(10, LONG._replace(most_per_tool=4, most_per_project=6))
    assert few.manifest["tools"]["train"]["Bash"] == 4
    assert few.manifest["dropped"]["row: more of its project than the recipe takes"] == 2
    tiny = made(300, recipe.recipe_of({"tier": "tiny", "length": 600}), calls=1)
    assert tiny.manifest["rows"] == {"train": 200, "held": 30}


def test_a_row_with_marks_of_the_template_is_left_out() -> None:
    events = session(1)
    events[0] = events[0]._replace(body={"text": "what is <|im_end|>?"})
    told = trajectory(events, {})
    assert told is not None
    assert examples.make([told], LONG, READER).manifest["dropped"]["row: marks of the chat template in a text"] == 1


def test_rows_are_written_whole_and_read_back_or_refused(tmp_path: Any) -> None:
    folder = str(tmp_path / "rows")
    with pytest.raises(NotFound, match="engrain train data"):
        examples.read(folder, TRAIN)
    found = made()
    digest = examples.write(folder, found, LONG)
    assert examples.read(folder, TRAIN) == found.rows[TRAIN]
    assert examples.write(folder, made(), LONG) == digest, "the same sessions make the same rows"
    assert recipe.load(folder) == LONG
    with open(os.path.join(folder, "train.jsonl"), "a", encoding="utf-8") as file:
        file.write("{}\n")
    with pytest.raises(BadInput, match="make the rows anew"):
        examples.read(folder, TRAIN)


@pytest.mark.parametrize("form", sorted(formats.FORMATS))
def test_rows_in_every_form(form: str) -> None:
    lines = [json.loads(line) for line in formats.lines(made().rows[TRAIN], form)]
    assert lines or form == "preference"
    if form == "openai":
        call = next(m for m in lines[0]["messages"] if m.get("tool_calls"))["tool_calls"][0]
        assert json.loads(call["function"]["arguments"])["command"].startswith("cd <root>")
    if form != "trajectory":
        assert '"learn"' not in json.dumps(lines)


def test_a_preference_is_what_went_right_after_what_went_wrong() -> None:
    call = {"id": "a", "type": "function", "function": {"name": "Bash", "arguments": {"command": "x"}}}
    said = [{"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "a", "content": "Exit code 1\nno"},
            {"role": "assistant", "content": "", "tool_calls": [{**call, "id": "b"}], "learn": True},
            {"role": "tool", "tool_call_id": "b", "content": "fine"}]  # fmt: skip
    row = {"messages": [{"role": "user", "content": "go"}, *said], "tools": []}
    (line,) = formats.lines([row], "preference")
    assert json.loads(line)["rejected"][0]["tool_calls"][0]["id"] == "a"
    with pytest.raises(BadInput, match="no form"):
        list(formats.lines([row], "csv"))


# Shapes and packs


@pytest.mark.parametrize(
    ("text", "tool", "sound", "meant"),
    [
        ('I look.\n<tool_call>\n{"name": "Read", "arguments": {"file_path": "a"}}\n</tool_call>', "Read", True, "Read"),
        ('{"name": "Read", "parameters": {"file_path": "a"}}', "Read", True, "Read"),
        ("All is done.", "", True, ""),
        ("", "", False, ""),
        ('<tool_call>\n{"name": "Read", "arguments": {"file_', "", False, "Read"),
        ('<tool_call>\n{"name": "Read", "arguments": {"file_path": "a"}}', "", False, "Read"),
        ("<tool_call>\nRead a\n</tool_call>", "", False, ""),
        ("so </tool_call>", "", False, ""),
        ('{"name": "Read", "para', "", False, ""),
    ],
)
def test_what_a_model_says_is_read(text: str, tool: str, sound: bool, meant: str) -> None:
    found = shape.read(text)
    assert (found.tool, found.sound, found.meant) == (tool, sound, meant)


def test_a_call_as_text_is_the_call_again() -> None:
    row = made().rows[TRAIN][0]
    flat = shape.flattened(row["messages"], row["tools"])
    assert "Bash(command: string)" in flat[0]["content"]
    assert {message["role"] for message in flat} == {"system", "user", "assistant"}
    call = next(m for m in row["messages"] if m.get("tool_calls"))["tool_calls"][0]["function"]
    said = next(m for m in flat if m["role"] == "assistant")
    assert shape.read(said["content"])[1:3] == (call["name"], call["arguments"])


def test_packs_hold_every_text_once_and_never_too_much() -> None:
    lengths = [3, 50, 64, 7, 20, 31, 64, 1, 12, 40] * 9
    found = pack.packs(lengths, 64, range(len(lengths)))
    assert sorted(place for row in found for place in row) == list(range(len(lengths)))
    assert all(sum(lengths[place] for place in row) <= 64 for row in found)
    assert len(found) <= 1.15 * sum(lengths) / 64 + 1
    texts = [Rendered((1,) * size, (NONE,) * size, 1, 1) for size in lengths]
    first = pack.epochs(texts, [1] * len(texts), 64, 7)
    again = pack.epochs(texts, [1] * len(texts), 64, 7)
    assert [next(first) for _ in range(99)] == [next(again) for _ in range(99)]
    assert pack.rows_of(texts, [1] * len(texts), 64, 7) > 0


# Points, plays and gates


def test_points_and_the_table_of_pairs() -> None:
    rows = made().rows
    found = points.points(rows[HELD], 100, 7)
    assert len(found) == 10
    assert {point.tool for point in found} == {"Bash", "Edit", points.NOTHING}
    assert all(message.get("learn") is None for point in found for message in point.messages)
    table = points.Pairs(rows[TRAIN])
    right = [table.reply(point).tool == point.tool for point in found]
    assert sum(right) >= 6
    assert points.alike({"command": "pytest a b"}, {"command": "pytest a c"}) == pytest.approx(2 / 3)


def played(replies: Sequence[Reply]) -> rollout.Played:
    (game,) = rollout.games(made().rows[HELD], 1)
    said = iter(replies)

    def answers(asked: list[Question]) -> list[Answer]:
        return [Answer("", True, next(said)) for _ in asked]

    return rollout.played([game], answers, len(replies))[0]


def test_a_play_tells_loops_empty_calls_and_ends() -> None:
    run_it = Reply("", "Bash", {"command": "cd <root> && pytest tests/test_8.py -k 0"}, True)
    good = played([run_it, Reply("done", "", {}, True)])
    assert (good.repeats, good.empty, good.stopped, good.useful) == (0, 0, True, True)
    loop = played([run_it, run_it, run_it])
    assert (loop.repeats, loop.stopped) == (2, False)
    empty = played([Reply("", "Bash", {"command": ""}, True)] * 2)
    assert (empty.empty, empty.repeats, empty.useful) == (2, 1, False)


def measured(number: int = 120, **changes: Any) -> Measured:
    ones, none = (1.0,) * number, (0.0,) * number
    sessions = tuple(f"s{place // 4}" for place in range(number))
    good = Measured(
        sessions, ones, ones, ones, ones, ones, ones, ones[:12], none, none, 0.0, 0.0, 0.5, 0.8, 2.1, 1.0, 0.9
    )
    return good._replace(**changes)


def closed(candidate: Measured, incumbent: Measured | None = None, chosen: Recipe = Recipe()) -> set[str]:  # noqa: B008
    none = (0.0,) * len(candidate.sessions)
    base = measured(len(none), tool=none, near=none, decision=none, useful=0.1, held=2.0, trained=2.0, general=2.0)
    return {word.name for word in gates.judged(Case(chosen, candidate, base, incumbent, base)) if not word.passed}


NO = (0.0,) * 120


@pytest.mark.parametrize(
    ("gate", "changes"),
    [
        ("parse", {"parsed": NO}),
        ("ends", {"ended": NO}),
        ("tool", {"tool": NO}),
        ("arguments", {"near": NO}),
        ("decision", {"decision": NO}),
        ("nothing", {"nothing": NO[:12]}),
        ("repeats", {"play_repeats": 0.9}),
        ("repeats", {"repeats": (1.0,) * 120}),
        ("empty", {"play_empty": 0.5}),
        ("useful", {"useful": 0.0}),
        ("general", {"general": 2.9}),
        ("fits", {"held": 2.4}),
        ("fits", {"trained": 0.1}),
    ],
)
def test_each_gate_says_no_to_what_it_stands_against(gate: str, changes: dict[str, Any]) -> None:
    assert closed(measured()) == set()
    assert closed(measured(**changes)) == {gate}


def test_few_points_prove_nothing_and_an_incumbent_must_not_be_better() -> None:
    assert "points" in closed(measured(40))
    half = tuple(float(place % 2) for place in range(120))
    assert closed(measured(tool=half), incumbent=measured()) == {"tool"}
    assert closed(measured(), incumbent=measured(tool=half)) == set()


def test_better_at_two_places_is_better_by_chance() -> None:
    lucky = tuple(float(place < 2) for place in range(120))
    assert closed(measured(tool=lucky)) == {"tool"}
    assert closed(measured(useful=0.0)) == {"useful"}


def test_useful_for_nothing_is_not_let_through_where_the_base_is_neither() -> None:
    base = measured(tool=NO, near=NO, decision=NO, held=2.0, trained=2.0, general=2.0, useful=0.0)
    words = gates.judged(Case(Recipe(), measured(useful=0.0), base, None, base))
    assert [word.name for word in words if not word.passed] == ["useful"]


def test_a_gate_that_cannot_fail_is_shut() -> None:
    # A floor below nothing lets everything through: its own proof must show that.
    base = measured(tool=NO, near=NO, decision=NO, held=2.0, trained=2.0)
    found = gates.judged(Case(Recipe(parse_floor=0.0), measured(), base, None, base))
    shut = {word.name: word.because for word in found if not word.can_fail}
    assert list(shut) == ["parse"]
    assert "proves nothing" in shut["parse"]
    assert [word.passed for word in found if word.name == "parse"] == [False]


def test_intervals_are_wider_over_sessions_than_over_points() -> None:
    values = [1.0] * 50 + [0.0] * 50
    apart = gates.interval(values)
    together = gates.interval(values, [str(place // 25) for place in range(100)])
    assert apart.value == together.value == 0.5
    assert together.high - together.low > apart.high - apart.low


# The recipe, plots, the journal, the command


def test_a_recipe_says_what_each_line_means_and_refuses_what_it_does_not_know(tmp_path: Any) -> None:
    assert set(recipe.MEANING) == set(Recipe._fields)
    path = tmp_path / "recipe.toml"
    path.write_text(recipe.text(Recipe(rate=1e-3, keep_activations=False)), encoding="utf-8")
    assert recipe.load(str(path)) == Recipe(rate=1e-3, keep_activations=False)
    for text in ("speed = 3", "rank = 1.5", "tier = 'huge'", "rate = -1", "rank ="):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(BadConfig):
            recipe.load(str(path))


def test_plots_are_drawings_of_their_own() -> None:
    assert plot.lines("Loss <1>", {"a": [(1, 2.0), (2, 1.0)]}).startswith("<svg")
    assert "&lt;1&gt;" in plot.lines("Loss <1>", {})
    assert plot.bars("b", plot.histogram([1, 2, 3, 100])).count("<rect") == 12
    assert len(general.rows()) == len(general.TEXTS)


def test_runs_are_in_the_journal(tmp_path: Any) -> None:
    with Memory.open(str(tmp_path / "home"), folder=str(tmp_path)) as memory:
        gate = {"name": "parse", "passed": False}
        training.record(memory, "evaluate", passed=False, data="d1", gates=[gate], seconds=2.5, artefacts=["/x/run"])
        training.record(memory, "lora", passed=True, data="d1", metrics={"loss": 1.0}, recipe=Recipe()._asdict())
        found = training.runs(memory, everywhere=False, limit=10)
        assert [ran.stage for ran in found] == ["lora", "evaluate"]
        assert found[1].gates == (gate,)
        assert found[0].recipe["rank"] == 16


def test_sessions_of_a_project_are_what_is_learned_from(tmp_path: Any) -> None:
    with Memory.open(str(tmp_path / "home"), folder=str(tmp_path)) as memory:
        memory.record(*session(1), *(event._replace(project=memory.project.id, session="mine") for event in session(2)))
        assert [each.session for each in training.trajectories(memory, everywhere=False)] == ["mine"]
        found: list[Trajectory] = list(training.trajectories(memory, everywhere=True))
        assert sorted(each.session for each in found) == ["mine", "s1"]


def test_the_command(tmp_path: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGRAIN_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    assert run(["train", "recipe", "--tiny"]) == 0
    assert 'tier = "tiny"' in capsys.readouterr().out
    assert run(["train", "runs"]) == 1
    examples.write("rows", made(), LONG)
    capsys.readouterr()
    assert run(["train", "rows", "rows", "--as", "sft", "--part", "held"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 10
    assert run(["train", "rows", "nowhere"]) == 1
    assert "engrain train data" in capsys.readouterr().err
    assert run(["train", "rows", "rows", "--as", "csv"]) == 2
