"""A real browser for tests: the Chromium that is on this machine, and what it saw go wrong."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

NAMES = ("chromium", "chromium-browser", "google-chrome")
AXE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), ".venv", "share", "engrain", "axe.js")
WHY = "no Chromium on this machine, so nothing was looked at in a browser: `make browser` installs it where it may"
NO_AXE = "no axe-core here, so pages were not looked at for who can't see or point: `make browser` brings it"


def chromium() -> str:
    """The browser's file; '' where there is none."""
    return next((found for name in NAMES if (found := shutil.which(name))), "")


@contextmanager
def browser() -> Iterator[Browser]:
    """A running browser. Where there is none this is said, and where there must be one it is a failure."""
    from playwright.sync_api import sync_playwright

    if not chromium():
        if os.environ.get("CI"):
            pytest.fail(WHY)
        pytest.skip(WHY)
    with sync_playwright() as play:
        running = play.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield running
        running.close()


class Looked:
    """Pages that were looked at, and what went wrong on them."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.url, self.context = url, context
        self.wrong: list[str] = []
        self.page: Page = context.new_page()
        self.page.set_default_timeout(10_000)
        self.page.on("console", lambda said: self._said(said.type, said.text))
        self.page.on("pageerror", lambda error: self.wrong.append(f"{self.page.url}: {error}"))
        self.page.on("request", lambda request: self._asked(request.url))

    def _said(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.wrong.append(f"{self.page.url}: {kind}: {text}")

    def _asked(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob") and f"{parts.scheme}://{parts.netloc}" != self.url:
            self.wrong.append(f"{self.page.url} asked for {url}")

    def at(self, path: str) -> Page:
        """The page at this address."""
        answer = self.page.goto(self.url + path, wait_until="load")
        assert answer is not None
        assert answer.status == 200, f"{path}: {answer.status}"
        assert self.page.url == self.url + path
        return self.page

    def serious(self) -> list[str]:
        """What axe finds of the page that is serious."""
        if not os.path.isfile(AXE):
            if os.environ.get("CI"):
                pytest.fail(NO_AXE)
            return []
        # Run beside the page, whose policy lets no script of others in.
        found = self.page.evaluate(_axe() + "\naxe.run(document, {resultTypes: ['violations']})")
        return [_told(each) for each in found["violations"] if each["impact"] in ("serious", "critical")]


def _axe() -> str:
    with open(AXE, encoding="utf-8") as file:
        return file.read()


def _told(each: dict[str, Any]) -> str:
    return f"{each['id']}: {each['help']}: {[node['target'] for node in each['nodes'][:3]]}"
