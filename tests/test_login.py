"""Persons at a browser: let in by a token or a ticket, known by a cookie; and no other page speaks for them."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, Route

from engrain.memory import Memory
from engrain.paths import Home
from engrain.rest.app import Service, application
from engrain.rest.guard import Rules
from engrain.rest.login import COOKIE, HOURS, TICKET_SECONDS, Logins
from engrain.rest.who import same_user
from engrain.store.logins import MOST
from engrain.store.tokens import Tokens
from tests.served import Reply, Served, inside, served
from tests.test_rest import PLACE, problem

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(str(tmp_path_factory.mktemp("served"))) as one:
        yield one


def entered(api: Served, token: str) -> tuple[dict[str, str], str]:
    """The cookie of a new login, and what its pages say."""
    reply = api.ask("POST", "/login", {"token": token}, token="")
    assert reply.status == 200, reply
    said = reply.headers["set-cookie"]
    assert "HttpOnly" in said
    assert "SameSite=Strict" in said
    return {"Cookie": said.split(";")[0]}, reply.fields["csrf"]


def noted(api: Served, headers: dict[str, str], body: object = None) -> Reply:
    said = {"project": PLACE, "text": "by a page"} if body is None else body
    return api.ask("POST", "/v1/notes", said, token="", headers=headers)


def test_a_login_may_what_its_token_may_and_ends_with_it(api: Served) -> None:
    token = api.new_token("read")
    cookie, csrf = entered(api, token)
    assert api.ask("GET", "/v1/stats", token="", headers=cookie).status == 200
    assert "'write'" in problem(noted(api, {**cookie, "X-Engrain-CSRF": csrf}), 403)
    with Memory.open(api.home) as memory:
        Tokens(memory.store.database).revoke(token.split("_")[1])
    assert "does not hold" in problem(api.ask("GET", "/v1/stats", token="", headers=cookie), 401)
    problem(api.ask("POST", "/login", {"token": token}, token=""), 401)


def test_only_a_page_of_this_login_changes_something(api: Served) -> None:
    cookie, csrf = entered(api, api.token)
    other = entered(api, api.token)[1]
    says = {"X-Engrain-CSRF": csrf}
    assert noted(api, {**cookie, **says}).status == 201
    for wrong in ({}, {"X-Engrain-CSRF": other}, {"X-Engrain-CSRF": ""}, {"X-Engrain-CSRF": "ü"}):
        assert "csrf" in problem(noted(api, {**cookie, **wrong}), 403)
    for foreign in ({"Origin": "http://localhost:5173"}, {"Sec-Fetch-Site": "same-site"}):
        assert "page of this server" in problem(noted(api, {**cookie, **says, **foreign}), 403)
    own = {"Origin": api.url, "Sec-Fetch-Site": "same-origin"}
    assert noted(api, {**cookie, **says, **own}).status == 201


def test_a_form_says_it_in_a_field_and_its_body_arrives(api: Served) -> None:
    cookie, csrf = entered(api, api.token)
    for said, status in ((f"csrf={csrf}&x=1", 303), ("csrf=nonsense", 403), ("&" * 3000, 403), ("", 403)):
        reply = api.ask("POST", "/logout", said.encode(), token="", headers={**cookie, **FORM})
        assert reply.status == status
        cookie, csrf = entered(api, api.token)


def test_who_logs_out_is_out(api: Served) -> None:
    cookie, csrf = entered(api, api.token)
    reply = api.ask("POST", "/logout", token="", headers={**cookie, "X-Engrain-CSRF": csrf})
    assert (reply.status, reply.headers["location"]) == (303, "/")
    assert "Max-Age=0" in reply.headers["set-cookie"]
    problem(api.ask("GET", "/v1/stats", token="", headers=cookie), 401)


def test_a_ticket_opens_one_login(api: Served) -> None:
    ticket = api.ask("POST", "/v1/tickets", token=api.new_token("read")).fields["ticket"]
    reply = api.ask("GET", "/enter", token="", ticket=ticket, next="/somewhere?a=b")
    assert (reply.status, reply.headers["location"]) == (303, "/somewhere?a=b")
    cookie = {"Cookie": reply.headers["set-cookie"].split(";")[0]}
    assert api.ask("GET", "/v1/stats", token="", headers=cookie).status == 200
    problem(api.ask("GET", "/enter", token="", ticket=ticket), 401)
    problem(api.ask("POST", "/login", {"ticket": ticket}, token=""), 401)


@pytest.mark.parametrize(
    "next_", ["https://evil.example/", "//evil.example", "/\\evil.example", "", "/a\r\nX: 1", "/ü"]
)
def test_a_login_leads_nowhere_else(api: Served, next_: str) -> None:
    body = urlencode({"token": api.token, "next": next_}).encode()
    reply = api.ask("POST", "/login", body, token="", headers=FORM)
    assert (reply.status, reply.headers["location"]) == (303, "/")


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"token": 1}', b"\xff", b"[" * 10_000, b"x" * 20_000])
def test_what_is_no_login_is_refused(api: Served, body: bytes) -> None:
    for kind in ({}, FORM):
        assert 400 <= api.ask("POST", "/login", body, token="", headers=kind).status < 500
    problem(api.ask("POST", "/login", {"token": api.token}, token="", headers={"Origin": "http://localhost:1"}), 403)


def test_guessing_is_slowed_down(tmp_path: object) -> None:
    with served(str(tmp_path)) as one:
        found = [one.ask("POST", "/login", {"token": "x"}, token="").status for _ in range(40)]
    assert found[0] == 401
    assert found[-1] == 429


def test_a_cookie_that_is_none_opens_nothing(api: Served) -> None:
    for said in ("", f"{COOKIE}=", f"{COOKIE}=x", "a b c;;=", f"{COOKIE}=" + "x" * 9000):
        problem(api.ask("GET", "/v1/stats", token="", headers={"Cookie": said}), 401)


# Parts


def test_logins_end_and_do_not_pile_up(memory: Memory) -> None:
    now = 1_000_000
    logins = Logins(memory.store.database, lambda: now)
    other = logins.begin(same_user("local")._replace(id="other"))
    first = logins.begin(same_user("local"))
    name = f"{COOKIE}={first.name}"
    assert logins.of(name) == first
    assert other.csrf != first.csrf
    ticket = logins.ticket(same_user("local"))
    now += TICKET_SECONDS * 1_000_000
    assert logins.redeemed(ticket) is None
    for _ in range(MOST):
        now += 1
        last = logins.begin(same_user("local"))
    assert logins.of(name) is None, "of one who asks the oldest go"
    assert logins.of(f"x=1; {COOKIE}={last.name}") == last
    assert logins.of(f"{COOKIE}={other.name}") == other
    now += HOURS * 3_600_000_000
    assert logins.of(f"{COOKIE}={last.name}") is None


def test_any_worker_knows_who_logged_in_and_a_ticket_opens_one_login(where: str, home: Home) -> None:
    with served(home.root, where if "://" in where else "", 3) as one:
        cookie, csrf = entered(one, one.token)
        assert {one.ask("GET", "/v1/stats", token="", headers=cookie).status for _ in range(24)} == {200}
        assert {noted(one, {**cookie, "X-Engrain-CSRF": csrf}).status for _ in range(12)} == {201}
        ticket = one.ask("POST", "/v1/tickets").fields["ticket"]
        with ThreadPoolExecutor(8) as many:
            came = many.map(lambda _: one.ask("GET", "/enter", token="", ticket=ticket).status, range(8))
            assert sorted(came) == [303] + [401] * 7
        one.ask("POST", "/logout", token="", headers={**cookie, "X-Engrain-CSRF": csrf})
        assert {one.ask("GET", "/v1/stats", token="", headers=cookie).status for _ in range(12)} == {401}


class _Pages:
    """Two pages: one that anybody may see, and one for whoever logged in."""

    free, way_in = ("/static/", "/way-in"), "/way-in"

    @property
    def routes(self) -> list[BaseRoute]:
        def page(request: Request) -> PlainTextResponse:
            login = getattr(request.state, "login", None)
            return PlainTextResponse(f"{request.state.asker and request.state.asker.id} {login.csrf if login else ''}")

        return [Route("/way-in", page), Route("/page", page)]

    def lost(self, _: Request) -> PlainTextResponse:
        return PlainTextResponse("no page", 404)


def test_pages_know_who_looks_and_show_others_the_way_in(tmp_path: object) -> None:
    service = Service(lambda: Memory.open(str(tmp_path)), Rules("local"))
    app = application(service, pages=_Pages())
    login = service.logins.begin(same_user("local"))

    def get(path: str, accept: str = "text/html", cookie: str = "") -> tuple[int, dict[str, str], str]:
        given = {"accept": accept, **({"cookie": cookie} if cookie else {})}
        reply = inside(app, "GET", path, headers=given)
        return reply.status, reply.headers, reply.body.decode()

    status, headers, _ = get("/page?a=1")
    assert (status, headers["location"]) == (303, "/way-in?next=%2Fpage%3Fa%3D1")
    assert get("/page", "application/json")[0] == get("/v1/stats")[0] == 401
    assert get("/way-in")[2] == "None "
    cookie = f"{COOKIE}={login.name}"
    assert get("/page", cookie=cookie)[2] == f"socket {login.csrf}"
    for path, accept, says in (("/no", "text/html", "no page"), ("/no", "*/*", "{"), ("/v1/no", "text/html", "{")):
        status, _, body = get(path, accept, cookie)
        assert (status, body.startswith(says)) == (404, True), path
    service.close()
