"""The command line as a person meets it: processes of their own, in a home of their own."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable

import pytest

from engrain import __version__
from engrain.cli.catalog import COMMANDS
from tests.making import Ran

Engrain = Callable[..., Ran]


def test_a_note_is_found_again(engrain: Engrain) -> None:
    noted = engrain("note", "--tag", "ops", "the", "staging", "database")
    assert noted.code == 0
    id_ = noted.out.split()[-1]
    assert id_ in engrain("search", "staging").out
    assert engrain("search", "--json", "staging").json[0]["body"]["tags"] == ["ops"]
    shown = engrain("show", "--json", id_).json[0]
    assert shown["body"]["text"] == "the staging database"
    assert engrain("show", id_).out.startswith("note  ")
    assert engrain("search", "nothing").code == 1


def test_a_note_from_standard_input_survives_any_bytes(engrain: Engrain) -> None:
    assert engrain("note", "-", stdin=b"caf\xe9 \x00 \xf0\x9f\xa6\x9c").code == 0
    assert engrain("search", "--json", "caf").json[0]["body"]["text"] == "caf\ufffd \ufffd 🦜"
    assert engrain("note", "-", stdin=b"  ").code == 2


def test_export_import_backup_restore_rebuild_forget(engrain: Engrain, tmp_path: object) -> None:
    for n in range(3):
        engrain("note", f"number {n}")
    assert engrain("export", "-o", "journal.jsonl").code == 0
    assert stat.S_IMODE(os.stat(f"{tmp_path}/journal.jsonl").st_mode) == 0o600
    exported = engrain("export").out
    with open(f"{tmp_path}/journal.jsonl", encoding="utf-8") as file:
        assert file.read() == exported
    assert engrain("export", "-o", "journal.jsonl").code == 2, "it never overwrites unasked"
    again = engrain("import", "--json", "journal.jsonl").json["journal.jsonl"]
    assert (again["new"], again["known"]) == (0, 4)
    other = {"ENGRAIN_HOME": f"{tmp_path}/other"}
    assert engrain("import", "engrain", "journal.jsonl", **other).out.startswith("journal.jsonl: 4 new")
    assert engrain("import", "-", stdin=exported.encode(), **other).code == 0
    assert engrain("export", **other).out == exported
    copy = engrain("backup", "--json").json["path"]
    assert engrain("backup", "--check", copy).code == 0
    assert copy in engrain("backup", "--list").out
    assert engrain("rebuild", "--check").out.endswith("the tables were right\n")
    assert engrain("forget", "--matching", "number 1").code == 2, "it asks, and there is nobody to ask"
    assert engrain("forget", "--matching", "number 1", "--dry-run").out.endswith("would forget 1 event\n")
    assert engrain("forget", "--matching", "number 1", "--yes").code == 0
    assert "0 stay forgotten" in engrain("restore", copy).out, "the copy in the home was cleaned too"
    assert engrain("search", "number 1").out.count("\n") == 2


def test_two_projects_are_listed_and_merged_and_the_merge_is_taken_back(engrain: Engrain, tmp_path: object) -> None:
    ids = []
    for name in ("a", "b"):
        os.makedirs(f"{tmp_path}/{name}")
        engrain("note", f"said in {name}", folder=name)
        ids.append(engrain("project", "--json", folder=name).json["id"])
    listed = engrain("project", "list", "--json").json
    assert {(row["id"], row["name"], row["events"]) for row in listed} == {(ids[0], "a", 2), (ids[1], "b", 2)}
    assert engrain("search", "said", folder="b").out.count("said in") == 1
    assert engrain("project", "merge", ids[0], "nope", "--yes").err == (
        "engrain: no project nope; `engrain project list` names them\n"
    )
    assert engrain("project", "merge", ids[0], ids[0], "--yes").code == 2
    merged = engrain("project", "merge", ids[0], ids[1], "--yes").out
    assert engrain("search", "said", folder="b").out.count("said in") == 2
    undo = merged.split("`")[1].split()[1:]
    assert engrain(*undo, "--yes").code == 0
    assert engrain("search", "said", folder="b").out.count("said in") == 1
    assert engrain("project", "merge", ids[0], ids[1], "--yes").code == 0
    assert engrain("search", "said", folder="b").out.count("said in") == 2, "merging again after taking it back"


def test_settings_are_shown_with_their_source_and_without_passwords(engrain: Engrain) -> None:
    assert engrain("config", "set", "tick.seconds", "4").code == 0
    shown = engrain("config", ENGRAIN_STORE="postgresql://dana:hunter2@db.example/engrain").out
    assert "hunter2" not in shown
    assert "ENGRAIN_STORE" in shown
    rows = {row["name"]: row for row in engrain("config", "--json").json["settings"]}
    assert rows["tick.seconds"]["value"] == 4.0
    assert rows["tick.seconds"]["source"].endswith("config.toml")
    assert rows["store"]["source"] == "default"
    assert engrain("config", "unset", "tick.seconds").code == 0


def test_the_overview_and_the_version(engrain: Engrain) -> None:
    assert engrain().out == engrain("--help").out == engrain("help").out
    assert all(f"  {entry.name} " in engrain("--help").out for entry in COMMANDS)
    assert engrain("--version").out == f"engrain {__version__}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(engrain: Engrain, shell: str) -> None:
    assert "_ENGRAIN_COMPLETE" in engrain("completion", shell).out
    done = engrain(_ENGRAIN_COMPLETE=f"{shell}_complete", COMP_WORDS="engrain no", COMP_CWORD="1")
    assert "note" in done.out


WRONG = [
    ("an unknown command", ["serach"], 2, "Did you mean `engrain search`?"),
    ("an unknown option", ["note", "--colour", "x"], 2, "--colour"),
    ("nothing to note", ["note"], 2, "Missing argument"),
    ("an unknown id", ["show", "nope"], 1, "no event nope"),
    ("nothing to forget", ["forget", "--matching", "nope", "--yes"], 1, "no event fits"),
    ("a forget without a choice", ["forget"], 2, "say what to forget"),
    ("a bad time", ["forget", "--before", "soon", "--yes"], 2, "ISO 8601"),
    ("a missing file", ["import", "nope.jsonl"], 2, "no file nope.jsonl"),
    ("a missing copy", ["restore", "nope.db"], 1, "no backup at"),
    ("an option without its dashes", ["backup", "list"], 2, "--list is an option"),
    ("a kind that there is not", ["search", "--kind", "nots", "x"], 2, "there are fix, lesson, note"),
    ("an unknown setting", ["config", "set", "colour", "1"], 2, "unknown setting"),
    ("a folder that can't be", ["export", "-o", "/nowhere/x"], 1, "no such file or directory"),
    ("a server that does not answer", ["note", "x"], 0, "waits in the spool"),
]


@pytest.mark.parametrize(("words", "code", "says"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_what_goes_wrong_is_one_line(engrain: Engrain, words: list[str], code: int, says: str) -> None:
    extra = {"ENGRAIN_STORE": "postgresql://127.0.0.1:9/x"} if "spool" in says else {}
    done = engrain(*words, **extra)
    assert done.code == code
    assert says in done.err
    assert done.err.count("\n") == 1
    assert "Traceback" not in done.err


def test_what_waited_for_a_server_is_not_lost(engrain: Engrain) -> None:
    engrain("note", "while it was down", ENGRAIN_STORE="postgresql://127.0.0.1:9/x")
    assert "while it was down" in engrain("search", "down").out


def test_a_reader_that_leaves_early_is_no_error(engrain: Engrain, tmp_path: object) -> None:
    import subprocess
    import sys

    for n in range(5):
        engrain("note", f"number {n}")
    done = subprocess.run(
        f"{sys.executable} -m engrain export | head -c 10",
        shell=True,
        cwd=str(tmp_path),
        capture_output=True,
        check=False,
    )
    assert done.stderr == b""


def test_refused_lines_of_an_import_are_named_and_the_rest_goes_in(engrain: Engrain, tmp_path: object) -> None:
    engrain("note", "good")
    lines = engrain("export").out.encode()
    with open(f"{tmp_path}/mixed.jsonl", "wb") as file:
        file.write(b"garbage\n\xff\xfe\n" + lines + b'{"id":"torn')
    done = engrain("import", "mixed.jsonl", ENGRAIN_HOME=f"{tmp_path}/other")
    assert done.code == 1
    assert "2 new, 0 known, 0 forgotten, 3 refused" in done.out
    assert [line.split(":")[1] for line in done.err.splitlines()] == ["1", "2", "5"]


def test_json_is_json_for_every_listing(engrain: Engrain) -> None:
    engrain("note", "x")
    for words in (
        ["stats"],
        ["doctor"],
        ["project", "list"],
        ["tick"],
        ["rebuild"],
        ["search", "x"],
        ["backup", "--list"],
    ):
        assert json.loads(engrain(*words, "--json").out) is not None, words


def test_on_windows_it_says_where_it_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from engrain import cli

    with monkeypatch.context() as patched:
        patched.setattr("engrain.cli.os.name", "nt")
        code = cli.main(["tick"])
    assert (code, capsys.readouterr().err) == (2, cli.NO_WINDOWS)
    assert cli.NO_WINDOWS.count("\n") == 1


def test_the_demo_plays_to_its_end_and_leaves_nothing(engrain: Engrain, tmp_path: object) -> None:
    done = engrain("demo", TMPDIR=str(tmp_path))
    assert done.code == 0, done.err
    assert "✓ store" in done.out
    assert "(unconfirmed; mined 2 times): `cp settings.example settings.toml`" in done.out, "learned, and answered"
    assert "1 of 1" in done.out, "seen to help"
    assert "✗" not in done.out
    assert [name for name in os.listdir(str(tmp_path)) if name.startswith("engrain-demo")] == []
    assert not os.path.exists(os.environ["ENGRAIN_HOME"])


SHUT = [
    ("help", ["--help"], ">&-"),
    ("help on a full disk", ["--help"], ">/dev/full"),
    ("stats", ["stats"], ">&-"),
    ("no error stream", ["show", "nope"], "2>&-"),
    ("export", ["export"], ">&-"),
    ("an import of nothing", ["import", "-"], "<&-"),
    ("a note of nothing", ["note", "-"], "<&-"),
    ("a forget that can't ask", ["forget", "--before", "2100-01-01"], "<&-"),
]


@pytest.mark.parametrize(("words", "how"), [row[1:] for row in SHUT], ids=[row[0] for row in SHUT])
def test_a_stream_that_is_shut_is_no_traceback(words: list[str], how: str, engrain: Engrain, tmp_path: object) -> None:
    import shlex
    import subprocess
    import sys

    engrain("note", "x")
    line = f"{shlex.join([sys.executable, '-m', 'engrain', *words])} {how}"
    done = subprocess.run(line, shell=True, cwd=str(tmp_path), capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") <= 1


def test_help_is_printed_in_any_encoding(engrain: Engrain) -> None:
    assert engrain("--help", PYTHONIOENCODING="ascii").code == 0


SURROGATE = b"\xff".decode("utf-8", "surrogateescape")
ODD = [
    ["forget", "--matching", SURROGATE, "--yes"],
    ["forget", "--session", SURROGATE, "--yes"],
    ["forget", "--project", SURROGATE, "--yes"],
    ["forget", SURROGATE, "--yes"],
    ["show", SURROGATE],
    ["config", "set", "backup.folder", SURROGATE],
    ["import", SURROGATE],
    ["project", "merge", SURROGATE, "x"],
]


@pytest.mark.parametrize("words", ODD, ids=" ".join)
def test_bytes_that_are_no_text_are_one_line(engrain: Engrain, words: list[str]) -> None:
    done = engrain(*words)
    assert done.code in (1, 2)
    assert done.err.count("\n") == 1, done.err


@pytest.mark.parametrize("name", ["a b", "ü#?%20&a=b", SURROGATE], ids=["space", "odd", "bytes"])
def test_a_home_may_have_any_name(engrain: Engrain, tmp_path: object, name: str) -> None:
    place = os.path.join(str(tmp_path), name)
    assert engrain("note", "found again", ENGRAIN_HOME=place).code == 0
    assert "found again" in engrain("search", "found", ENGRAIN_HOME=place).out
    assert engrain("backup", ENGRAIN_HOME=place).code == 0


EMPTY = [["--project", ""], ["--session", ""], ["--matching", ""], ["--before", ""]]


@pytest.mark.parametrize("words", EMPTY, ids=lambda words: words[0])
def test_an_empty_condition_of_a_forget_is_no_condition_that_holds_for_all(engrain: Engrain, words: list[str]) -> None:
    engrain("note", "x")
    other = ["--before", "2100-01-01"] if words[0] != "--before" else ["--matching", "x"]
    done = engrain("forget", *other, *words, "--yes")
    assert done.code == 2
    assert words[0] in done.err
    assert "1 event" in engrain("search", "x").out or "x" in engrain("search", "x").out


def test_nothing_happened_before_1970(engrain: Engrain) -> None:
    engrain("note", "x")
    assert engrain("forget", "--before", "1970-01-01", "--matching", "x", "--yes").code == 1
    assert "x" in engrain("search", "x").out


@pytest.mark.parametrize("url", ["postgresql://u:hun@ter2@h/db", "postgresql://h/db?user=u&password=hun@ter2"])
def test_no_listing_shows_a_password(engrain: Engrain, url: str) -> None:
    done = engrain("config", ENGRAIN_STORE=url)
    assert "ter2" not in done.out
    assert "postgresql://" in done.out


def test_a_broken_git_folder_is_a_folder(engrain: Engrain, tmp_path: object) -> None:
    os.makedirs(f"{tmp_path}/odd/.git")
    for name, text in (("HEAD", "ref: refs/heads/main\n"), ("commondir", "a\0b\n")):
        with open(f"{tmp_path}/odd/.git/{name}", "w", encoding="utf-8") as file:
            file.write(text)
    assert engrain("project", folder="odd").code == 0


def test_a_detached_tick_works_on_the_home_that_was_meant(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    import subprocess
    from unittest import mock

    from engrain.paths import Home
    from engrain.upkeep import tick

    monkeypatch.chdir(str(tmp_path))
    with mock.patch.object(subprocess, "Popen") as started:
        tick.start(Home(f"{tmp_path}/home"), {"ENGRAIN_HOME": "home", "ENGRAIN_STORE": "some.db", "OTHER": "1"})
    environ = started.call_args.kwargs["env"]
    assert environ == {
        "ENGRAIN_HOME": f"{tmp_path}/home", "ENGRAIN_STORE": os.path.abspath("some.db"), "OTHER": "1",
    }  # fmt: skip


# A terminal shows what was stored, and does not obey it

OBEYED = "\x1b]0;title\x07\x1b[2J\x9b31m\r\u202eover\x7f"


@pytest.mark.parametrize(
    "words",
    [
        ["search", "frobnicate"],
        ["search", "--json", "frobnicate"],
        ["fixes"],
        ["fixes", "--json"],
        ["show", "{fix}"],
        ["show", "{event}"],
        ["show", "--json", "{event}"],
        ["stats"],
        ["lesson", "list"],
        ["lesson", "review"],
        ["forget", "--matching", "frobnicate", "--dry-run"],
        ["classify", "{broken}"],
        ["classify", "--explain", "{broken}"],
        ["classify", "--json", "{broken}"],
        ["redact", "--json", "{broken}"],
    ],
)
def test_no_listing_moves_the_cursor(engrain: Engrain, words: list[str], tmp_path: object) -> None:
    error = f"error: cannot frobnicate {OBEYED} the widget now"
    with open(f"{tmp_path}/broken", "w", encoding="utf-8") as file:
        file.write(error)
    taught = engrain("fix", error, "-s", f"echo {OBEYED}", "--cause", OBEYED, "--example", f"x{OBEYED}", "--json").json
    engrain("note", f"frobnicate {OBEYED}")
    engrain("lesson", "add", f"frobnicate {OBEYED}", "--command", "make deploy")
    done = engrain(*(word.format(broken=f"{tmp_path}/broken", **taught) for word in words))
    said = done.out + done.err
    assert done.code in (0, 1)
    assert said.strip()
    assert not any(sign in said for sign in "\x1b\x07\x9b\r\u202e\x7f")
    if "--json" in words:
        json.loads(done.out)


@pytest.mark.parametrize("group", ["lesson"])
def test_a_group_without_a_command_says_which_there_are(engrain: Engrain, group: str) -> None:
    done = engrain(group)
    assert done.code == 2
    assert "\nCommands:\n" in done.err


@pytest.mark.parametrize("words", [["redact", "nowhere"], ["classify", "nowhere"], ["redact", "."]])
def test_a_file_that_is_not_there_is_bad_input(engrain: Engrain, words: list[str]) -> None:
    done = engrain(*words)
    assert (done.code, done.err.count("\n")) == (2, 1)


@pytest.mark.parametrize("words", [["search", "anything"], ["fixes"], ["classify", "--json"]])
def test_a_question_on_a_new_machine_makes_nothing(engrain: Engrain, words: list[str], tmp_path: object) -> None:
    engrain(*words, stdin=b"boom")
    assert not os.path.exists(os.path.join(str(tmp_path), "home"))
