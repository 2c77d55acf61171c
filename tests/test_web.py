"""The pages, in a real browser over a memory that was lived in."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from engrain.memory import Memory
from engrain.web.pages import ADDRESSES
from tests.browsing import Looked, browser
from tests.lived_in import FENCE_NOTE, SCRIPT_NOTE, live_in
from tests.making import run
from tests.served import Served, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

MISSING = "No module named 'orjson'"


class Lived:
    """A server over a memory that was lived in, a browser, and the login of somebody who may do everything."""

    def __init__(self, one: Served, opened: Browser, folder: str) -> None:
        self.one, self.browser, self.folder = one, opened, folder
        first = Looked(opened.new_context(), one.url)
        _log_in(first.page, one.url, one.token)
        first.page.wait_for_url("**/failures?tool=python")
        self.state = first.context.storage_state()
        first.context.close()
        with Memory.open(one.home, folder=os.path.join(folder, "shop")) as memory:
            self.failure = next(each.fingerprint for each in memory.failures() if each.message == MISSING)
            self.fix = memory.failure(self.failure).fixes[0].id
            self.session = memory.sessions()[0].session
            self.lesson = memory.lessons()[0].id
            self.task = memory.tasks()[0].id

    def look(self, **context: Any) -> Looked:
        """Somebody who has logged in looks."""
        return Looked(self.browser.new_context(storage_state=self.state, **context), self.one.url)

    def cli(self, *words: str) -> Any:
        """What a command says, run beside the server."""
        environ = {**os.environ, "ENGRAIN_HOME": self.one.home}
        ran = run([*words, "--json"], folder=os.path.join(self.folder, "shop"), environ=environ)
        assert ran.code in (0, 1), ran.err
        return json.loads(ran.out)

    def address(self, path: str) -> str:
        """An address with something in it that is there."""
        ids = {"lessons": self.lesson, "tasks": self.task}
        names = {"key": self.failure, "name": self.session, "id": ids.get(path.split("/")[1], self.fix)}
        more = {"/forget": f"?id={self.fix}", "/search": "?q=database", "/lessons/new": "?try=1&command=git+*"}
        return re.sub(r"\{(\w+)\}", lambda found: names[found[1]], path) + more.get(path, "")


def _log_in(page: Page, url: str, token: str) -> None:
    page.goto(url + "/failures?tool=python")
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Log in").click()


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lived]:
    folder = str(tmp_path_factory.mktemp("lived"))
    with browser() as opened:
        live_in(os.path.join(folder, "home"), os.path.join(folder, "work"), sessions=14, weeks=9)
        free = {"ENGRAIN_SERVER_WRITES": "0", "ENGRAIN_SERVER_READS": "0"}
        with served(os.path.join(folder, "home"), **free) as one:
            yield Lived(one, opened, os.path.join(folder, "work"))
            for context in opened.contexts:
                context.close()


PAGES = [address.path for address in ADDRESSES if address.show and address.path != "/live/stream"]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 360)])
def test_every_page_is_well(lived: Lived, scheme: str, width: int) -> None:
    looked = lived.look(color_scheme=scheme, viewport={"width": width, "height": 900})
    for path in PAGES:
        page = looked.at(lived.address(path))
        assert page.locator("h1").count() == 1, path
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, f"{path} is too wide"
        assert looked.serious() == [], path
        assert looked.wrong == []


def test_a_token_opens_the_page_that_was_wanted_and_a_wrong_one_none(lived: Lived) -> None:
    looked = Looked(lived.browser.new_context(), lived.one.url)
    page = looked.page
    _log_in(page, lived.one.url, "engrain_nonsense_nonsense")
    assert "no token that holds" in page.locator(".wrong").inner_text()
    assert looked.serious() == []
    page.get_by_label("Token").fill(lived.one.token)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/failures?tool=python")
    page.get_by_role("link", name=MISSING).wait_for()
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url("**/login?**")
    assert looked.wrong == []


def test_what_is_taught_rated_corrected_and_forgotten_holds_for_commands_too(lived: Lived) -> None:
    looked = lived.look()
    page = looked.at(f"/failures/{lived.failure}")
    page.get_by_text("Teach a fix").click()
    page.get_by_label("Steps, one a line").fill("uv add orjson\nuv sync")
    page.get_by_label("Cause (optional)").fill("<b>not</b> in the lock file")
    page.get_by_role("button", name="Teach", exact=True).click()
    page.get_by_text("<b>not</b> in the lock file").wait_for()
    taught = _fix(lived, "uv add orjson")
    assert taught["steps"] == ["uv add orjson", "uv sync"]

    with page.expect_navigation():
        page.locator(f"#fix-{taught['id']}").get_by_role("button", name="It worked").click()
    assert (_fix(lived, "uv add orjson")["worked"], _fix(lived, "uv add orjson")["failed"]) == (1, 0)

    page.locator(f"#fix-{taught['id']}").get_by_role("link", name="Correct").click()
    page.get_by_label("Steps, one a line").fill("uv add --group test orjson")
    page.get_by_role("button", name="Save").click()
    page.wait_for_url("**/fixes/*")
    corrected = _fix(lived, "uv add --group test orjson")
    assert corrected["worked"] == 0
    assert _fix(lived, "uv sync", place=1) is None

    page.get_by_role("link", name="Forget").click()
    page.get_by_role("button", name="Forget for good").click()
    page.wait_for_url("**/fixes")
    assert _fix(lived, "uv add --group test orjson") is None
    assert looked.wrong == []


def _fix(lived: Lived, step: str, place: int = 0) -> Any:
    found = [each for each in lived.cli("fixes", "--everywhere") if each["steps"][place:][:1] == [step]]
    return found[0] if found else None


def test_a_lesson_is_tried_saved_edited_and_decided_on(lived: Lived) -> None:
    looked = lived.look()
    page = looked.at("/lessons/new")
    page.get_by_label("What to do or not to do").fill("look at the tree before a pull: <i>stash</i> first")
    page.get_by_label("Command").fill("git pull *")
    page.get_by_label("Where it holds").select_option(label="everywhere")
    page.get_by_role("button", name="Try it on past calls").click()
    page.locator("#would h2").wait_for()
    assert re.search(r"fired at [1-9]\d* of the last \d+ calls", page.locator("#would h2").inner_text())
    page.get_by_role("button", name="Save").click()
    page.wait_for_url("**/lessons#*")
    assert _lesson(lived, "look at the tree")["state"] == "active"

    page.locator(".card", has_text="look at the tree").get_by_role("link", name="Edit and try").click()
    page.get_by_label("What to do or not to do").fill("stash before a pull")
    page.get_by_role("button", name="Save").click()
    page.wait_for_url("**/lessons#*")
    assert _lesson(lived, "look at the tree") is None
    assert _lesson(lived, "stash before")["trigger"]["command"] == "git pull *"

    proposed = page.locator(".card", has_text="tests of the cart need the database")
    with page.expect_navigation():
        proposed.get_by_role("button", name="Accept").click()
    assert _lesson(lived, "tests of the cart")["state"] == "active"
    with page.expect_navigation():
        page.locator(".card", has_text="stash before").get_by_role("button", name="Retire").click()
    assert _lesson(lived, "stash before") is None
    assert looked.wrong == []


def _lesson(lived: Lived, text: str) -> Any:
    found = [each for each in lived.cli("lesson", "list") if each["text"].startswith(text)]
    return found[0] if found else None


def test_a_refusal_is_a_page_and_loses_nothing(lived: Lived) -> None:
    looked = lived.look()
    page = looked.page
    for path, says in (
        ("/failures/ffff", "no failure"),
        ("/fixes/ffff", "no fix"),
        ("/sessions/none", "no session"),
        ("/nowhere", "no page"),
    ):
        answer = page.goto(lived.one.url + path)
        assert answer is not None
        assert answer.status == 404
        assert says in page.get_by_role("alert").inner_text()
    page = looked.at(f"/failures/{lived.failure}")
    page.get_by_text("Teach a fix").click()
    page.get_by_label("Steps, one a line").fill("export TOKEN=ghp_" + "x1Y2" * 9)
    page.get_by_role("button", name="Teach", exact=True).click()
    page.get_by_role("alert").get_by_text("secret").wait_for()
    page.go_back()
    assert page.get_by_label("Steps, one a line").input_value().startswith("export TOKEN=")


def test_what_was_stored_is_shown_as_text(lived: Lived) -> None:
    looked = lived.look()
    for note, words in ((SCRIPT_NOTE, "staging+Sundays"), (FENCE_NOTE, "ignore+told")):
        page = looked.at(f"/search?q={words}")
        shown = page.locator("#found .what", has_text=note.split()[-1])
        assert " ".join(note.split()) in shown.first.inner_text()
        assert page.locator("#found script, #found pre, main > div > pre").count() == 0
    assert looked.wrong == []


def test_what_training_came_to_is_shown_with_how_sure_it_is(lived: Lived) -> None:
    looked = lived.look()
    page = looked.at("/training")
    text = page.inner_text("main")
    for said in (
        "The smoke run judged",
        "A model written",
        "0.71",
        "0.64 to 0.77",
        "105,000,000",
        "Look",
        "Not passed",
    ):
        assert said.casefold() in text.casefold(), said
    assert page.locator("figure.chart").count() >= 1
    assert looked.wrong == []


def test_a_search_finds_while_it_is_typed(lived: Lived) -> None:
    looked = lived.look()
    page = looked.at("/search")
    page.get_by_label("What happened").press_sequentially("refunds table", delay=5)
    page.locator("#found .happened").first.wait_for()
    assert "run the migrations before the seed" in page.locator("#found").inner_text()
    assert "refunds" in page.locator("#found .under").first.inner_text()
    page.get_by_label("Kind").select_option("prompt")
    page.wait_for_url("**kind=prompt**")
    assert set(page.locator("#found .kind").all_inner_texts()) <= {"prompt"}
    assert looked.wrong == []


def test_what_happens_appears_while_somebody_looks(lived: Lived) -> None:
    looked = lived.look()
    page = looked.at("/live")
    page.get_by_text("listening").wait_for()
    with Memory.open(lived.one.home, folder=os.path.join(lived.folder, "shop")) as memory:
        body = {"text": "is the <em>stream</em> running?", "prompt": "p9"}
        memory.capture(memory.event("prompt", body, session="live-now", agent="codex"))
    page.get_by_text("is the <em>stream</em> running?").wait_for(timeout=10_000)
    assert page.locator("[data-live] > .happened").first.get_attribute("class") == "happened prompt fresh"
    assert looked.wrong == []


def test_pages_work_without_a_script(lived: Lived) -> None:
    looked = lived.look(java_script_enabled=False)
    page = looked.at("/search")
    page.get_by_label("What happened").fill("staging")
    page.get_by_role("button", name="Search").click()
    page.locator("#found", has_text="Sundays").wait_for()
    looked.at("/live")
    page = looked.at(f"/fixes/{lived.fix}")
    with page.expect_navigation():
        page.get_by_role("button", name="It did not").click()
    assert page.url.endswith(f"/fixes/{lived.fix}")
    page = looked.at(f"/sessions/{lived.session}")
    page.get_by_role("link", name="Closer").click()
    page.get_by_role("link", name="All of it").wait_for()


def test_the_keyboard_reaches_everything_and_a_theme_is_kept(lived: Lived) -> None:
    looked = lived.look(color_scheme="light")
    page = looked.at("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id || location.hash") in ("main", "#main")
    page.get_by_role("button", name="Dark").click()
    looked.at("/failures")
    dark = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(dark) == "rgb(22, 21, 18)"
    page.get_by_role("button", name="Light").focus()
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert looked.wrong == []


def test_a_token_that_may_only_read_changes_nothing(lived: Lived) -> None:
    looked = Looked(lived.browser.new_context(), lived.one.url)
    _log_in(looked.page, lived.one.url, lived.one.new_token("read"))
    looked.page.wait_for_url("**/failures?tool=python")
    page = looked.at(f"/fixes/{lived.fix}")
    before = lived.cli("show", lived.fix)
    with page.expect_navigation():
        page.get_by_role("button", name="It worked").click()
    assert "write" in page.content()
    assert lived.cli("show", lived.fix) == before


def test_the_link_of_ui_and_the_file_of_report(lived: Lived, engrain: Callable[..., Any], tmp_path: object) -> None:
    made = engrain("report", "--html", "out.html", ENGRAIN_HOME=lived.one.home)
    assert made.code == 0, made.err
    looked = Looked(lived.browser.new_context(), "file://")
    looked.page.goto(f"file://{tmp_path}/out.html")
    assert "commands failed" in looked.page.locator(".lead").inner_text()
    assert looked.page.locator("table tbody tr").count() > 3
    assert looked.page.locator("script, link, a[href]").count() == 0
    assert looked.serious() == []
    assert looked.wrong == []
