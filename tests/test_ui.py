"""`engrain ui`: a server for oneself and a link that logs one browser in."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
from urllib.parse import urlsplit

from tests.served import Reply


def asked(url: str, cookie: str = "") -> Reply:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=30)
    headers = {"Accept": "text/html", **({"Cookie": cookie} if cookie else {})}
    try:
        connection.request("GET", f"{parts.path}?{parts.query}" if parts.query else parts.path or "/", headers=headers)
        answer = connection.getresponse()
        return Reply(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
    finally:
        connection.close()


def test_the_link_logs_one_browser_in(tmp_path: object) -> None:
    running = subprocess.Popen(
        [sys.executable, "-m", "engrain", "ui", "--no-open"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, start_new_session=True, cwd=str(tmp_path),
        env={**os.environ, "ENGRAIN_HOME": os.path.join(str(tmp_path), "home")},
    )  # fmt: skip
    assert running.stdout is not None
    try:
        link = running.stdout.readline().strip()
        base = link.partition("/enter")[0]
        assert base.startswith("http://127.0.0.1:")
        first = asked(link)
        assert (first.status, first.headers["location"]) == (303, "/")
        cookie = first.headers["set-cookie"].partition(";")[0]
        assert asked(link).status == 401
        page = asked(f"{base}/", cookie)
        assert page.status == 200
        assert "Nothing has been recorded" in page.body.decode()
        # Nobody else gets in: a person is shown the way, a program is refused.
        assert asked(f"{base}/").headers["location"].startswith("/login?next=")
        assert asked(f"{base}/v1/stats").status == 401
        sent = asked(f"{base}/login").headers
        assert "default-src 'none'" in sent["content-security-policy"]
        assert "unsafe" not in sent["content-security-policy"]
    finally:
        # As a terminal does it: whoever is in its foreground hears it.
        os.killpg(running.pid, signal.SIGINT)
        _, told = running.communicate(timeout=20)
    assert (running.returncode, told) == (0, "Ctrl-C ends it.\n")
