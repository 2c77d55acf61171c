"""A real model that is really served: it answers, its calls are made, and in a loop it is stopped at the third time."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from engrain.errors import BadInput
from engrain.train.serving import http, talk
from tests_train.prepare import FILE, FOLDER


def only(*texts: str) -> str:
    """A grammar that lets a model say one of these texts and nothing else."""
    return "root ::= " + " | ".join(map(json.dumps, texts))


def marked(**given: str) -> str:
    return f"<tool_call>\n{json.dumps({'name': 'Read', 'arguments': given})}\n</tool_call>"


LOOP = only("I read it.\n" + marked(file_path="a.txt"))
LACKING = only(marked(file_path=""), marked(file_path=" "))
USER = {"role": "user", "content": "Read a.txt, please."}


@pytest.fixture(scope="module")
def served() -> Iterator[http.Listener]:
    with http.listening(FILE, 0, lambda _: None) as up:
        yield up


@pytest.fixture
def folder(tmp_path: Any) -> str:
    (tmp_path / "a.txt").write_text("hello")
    return str(tmp_path)


def test_it_answers(served: http.Listener) -> None:
    with urllib.request.urlopen(f"{served.url}/v1/models", timeout=20) as reply:
        assert json.load(reply)["data"][0]["id"] == "smollm2-135m"
    answer = talk.asked(served.url, {"messages": [{"role": "user", "content": "Say hello."}], "max_tokens": 12})
    assert answer["choices"][0]["message"]["content"]
    assert answer["choices"][0]["finish_reason"] == "length"
    assert answer["usage"]["completion_tokens"] == 12
    assert answer["usage"]["prompt_tokens"] > 5


def test_a_loop_is_stopped_at_the_third_identical_call(served: http.Listener, folder: str) -> None:
    spoken: list[tuple[str, str]] = []
    told = talk.talk(served.url, [USER], folder, lambda who, text: spoken.append((who, text)), grammar=LOOP)
    assert [who for who, _ in spoken].count("call") == 2
    assert [text for who, text in spoken if who == "result"] == ["hello", "hello"]
    assert told.stopped == 1
    last = told.messages[-1]
    assert "tool_calls" not in last
    assert "for the third time in a row" in last["content"]


def test_a_loop_is_stopped_in_pieces_too(served: http.Listener, folder: str) -> None:
    told = talk.talk(served.url, [USER], folder, lambda *_: None, grammar=LOOP)
    body = {"messages": told.messages[:-1], "tools": talk.listed(), "grammar": LOOP, "stream": True}
    request = urllib.request.Request(f"{served.url}/v1/chat/completions", json.dumps(body).encode())
    with urllib.request.urlopen(request, timeout=60) as reply:
        lines = [line for line in reply.read().decode().splitlines() if line]
    assert lines[-1] == "data: [DONE]"
    pieces = [json.loads(line.removeprefix("data: ")) for line in lines[:-1]]
    text = "".join(piece["choices"][0]["delta"].get("content", "") for piece in pieces)
    assert text == told.messages[-1]["content"]
    assert not any("tool_calls" in piece["choices"][0]["delta"] for piece in pieces)
    assert pieces[-1]["engrain"] == {"stopped": "same call"}


def test_calls_without_what_they_need_are_stopped(served: http.Listener, folder: str) -> None:
    told = talk.talk(served.url, [USER], folder, lambda *_: None, grammar=LACKING)
    assert told.stopped == 1
    assert "tool_calls" not in told.messages[-1]
    assert "file_path" in told.messages[-1]["content"] or "same arguments" in told.messages[-1]["content"]


def test_text_that_goes_in_circles_is_stopped(served: http.Listener) -> None:
    body = {"messages": [USER], "grammar": 'root ::= "la la, tra la la! "{400}', "max_tokens": 4000}
    answer = talk.asked(served.url, body)
    assert answer["engrain"] == {"stopped": "repeated text"}
    assert answer["usage"]["completion_tokens"] < 400


def test_a_call_of_another_kind_is_made_for_real(served: http.Listener, folder: str) -> None:
    write = only(json.dumps({"name": "Write", "parameters": {"file_path": "b.txt", "content": "abc"}}))
    answer = talk.asked(served.url, {"messages": [USER], "tools": talk.listed(), "grammar": write})
    call = answer["choices"][0]["message"]["tool_calls"][0]
    assert answer["choices"][0]["finish_reason"] == "tool_calls"
    assert talk.made(call, folder) == "written: 3 characters"
    with open(os.path.join(folder, "b.txt"), encoding="utf-8") as file:
        assert file.read() == json.loads(call["function"]["arguments"])["content"]


def test_what_it_can_not_do_is_said(served: http.Listener) -> None:
    with pytest.raises(BadInput, match="context size"):
        talk.asked(served.url, {"messages": [{"role": "user", "content": "word " * 20_000}]})
    with pytest.raises(BadInput, match="grammar"):
        talk.asked(served.url, {"messages": [USER], "grammar": "root ::= (("})
    for wrong in ({"seed": "a"}, {"temperature": float("nan")}):
        with pytest.raises(BadInput, match="can't be asked this"):
            talk.asked(served.url, {"messages": [USER], "max_tokens": 2, **wrong})
    half = {"messages": [{"role": "user", "content": "half of \ud83d a character"}], "max_tokens": 2}
    assert talk.asked(served.url, half)["usage"]["completion_tokens"] == 2
    for headers in ({"Host": "evil.example"}, {"Origin": "https://evil.example"}):
        request = urllib.request.Request(f"{served.url}/v1/models", headers=headers)
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(request, timeout=20)
    with pytest.raises(BadInput, match="can't listen"):
        http.Listener(int(served.url.rpartition(":")[2]), lambda _: None)


def test_several_at_once_are_answered(served: http.Listener) -> None:
    found: list[str] = []

    def ask(number: int) -> None:
        body = {"messages": [{"role": "user", "content": f"Count from {number}."}], "max_tokens": 8}
        found.append(talk.asked(served.url, body)["choices"][0]["finish_reason"])

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(found) == 4


def test_told_to_end_it_ends_at_once_whoever_is_being_answered(tmp_path: Any) -> None:
    command = [sys.executable, "-m", "engrain", "train", "serve", FILE, "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process, contextlib.ExitStack() as stack:
        stack.callback(process.kill)
        assert process.stderr is not None
        url = process.stderr.readline().partition(" at ")[2].split("/v1")[0]
        answers: list[BaseException | dict[str, Any]] = []

        def ask() -> None:
            try:
                answers.append(talk.asked(url, {"messages": [USER], "grammar": 'root ::= ([a-z]{5} " ")+'}))
            except BadInput as exc:
                answers.append(exc)

        asking = threading.Thread(target=ask)
        asking.start()
        with urllib.request.urlopen(f"{url}/health", timeout=20) as reply:
            assert json.load(reply) == {"status": "ok"}
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0
        asking.join(timeout=20)
        assert not asking.is_alive()
        assert process.stderr.read() == ""


def test_a_folder_without_a_gguf_is_said_in_a_line(capfd: pytest.CaptureFixture[str]) -> None:
    from engrain.cli.group import run

    assert run(["train", "serve", FOLDER]) == 1
    assert capfd.readouterr().err == f"engrain: there is no GGUF file in {FOLDER}\n"
