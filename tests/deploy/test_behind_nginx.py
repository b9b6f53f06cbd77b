"""The site as deploy/ sets it up: two server processes behind nginx, under a base path."""

from __future__ import annotations

import subprocess
import uuid
from contextlib import ExitStack, contextmanager

import httpx
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

from core import __version__
from pages.kit.page_head import tab_title
from pages.kit.registry import PAGES, page_info
from tests.deploy.behind_nginx import (
    PATIENCE,
    UPLOAD_MB,
    free_ports,
    nginx_path,
    running_site,
    write_configuration,
)

COOKIE = "mirage_process"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with running_site(tmp_path_factory.mktemp("nginx")) as running:
        yield running


@contextmanager
def visitor(site, cookie=None):
    """Open a session as a browser does: the page, then the websocket; yield the client and the session's id."""
    with httpx.Client(base_url=site.address, timeout=PATIENCE) as client:
        if cookie:
            client.cookies.set(COOKIE, cookie, domain="127.0.0.1", path="/mirage/")
        client.get("/mirage/lifespan").raise_for_status()
        client.get("/mirage/_stcore/health").raise_for_status()  # gives the token that uploads need
        with open_socket(site, client) as socket:
            yield client, session_of(socket)


def open_socket(site, client):
    cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    socket = connect(
        f"{site.address.replace('http', 'ws')}/mirage/_stcore/stream",
        subprotocols=["streamlit"],
        origin=site.address,
        additional_headers={"Cookie": cookies} if cookies else {},
        open_timeout=PATIENCE,
        max_size=None,
        max_queue=None,  # what is not read must not keep the connection from closing
    )
    for header in socket.response.headers.get_all("Set-Cookie"):
        name, _, value = header.partition(";")[0].partition("=")
        client.cookies.set(name, value, domain="127.0.0.1", path="/mirage/")
    return socket


def session_of(socket):
    """Start the page's script and return the session's id, which the server's first message names."""
    start = BackMsg()
    start.rerun_script.query_string = ""
    socket.send(start.SerializeToString())
    while True:
        message = ForwardMsg.FromString(socket.recv(PATIENCE))
        if message.WhichOneof("type") == "new_session":
            return message.new_session.initialize.session_id


def upload(client, session, size=1000):
    token = client.cookies.get("_streamlit_xsrf")
    return client.put(
        f"/mirage/_stcore/upload_file/{session}/{uuid.uuid4()}",
        files={"file": ("items.csv", b"x" * size)},
        headers={"X-Xsrftoken": token} if token else {},
    )


def test_nginx_accepts_the_configuration(tmp_path):
    main = write_configuration(tmp_path, *free_ports(3))
    done = subprocess.run(
        [nginx_path(), "-t", "-p", tmp_path, "-c", main],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "warn" not in done.stderr


def test_health_is_told_as_json(site):
    answer = httpx.get(f"{site.address}/mirage/health", timeout=PATIENCE)
    report = answer.json()
    assert answer.status_code == 200
    assert report["status"] == "ok"
    assert report["version"] == __version__
    assert len(report["data"]["version"]) == 8
    assert report["data"]["faults"] == []
    assert report["jobs"] == {"running": 0, "waiting": 0, "at_once": 1}
    assert httpx.get(f"{site.address}/mirage/_stcore/health", timeout=PATIENCE).text == "ok"


def test_the_bare_base_path_leads_to_the_start(site):
    answer = httpx.get(f"{site.address}/mirage?v=1", timeout=PATIENCE)
    assert answer.status_code == 308
    assert answer.headers["location"].endswith("/mirage/?v=1")


@pytest.mark.parametrize("page", [PAGES[0], page_info("lifespan")], ids=lambda page: page.stem)
def test_a_deep_link_has_its_own_head(site, page):
    html = httpx.get(f"{site.address}/mirage{page.path}", timeout=PATIENCE).text
    assert f"<title>{tab_title(page)}</title>" in html
    assert f'<meta property="og:url" content="https://example.org/mirage{page.path}" />' in html
    assert 'src="./static/js/' in html


def test_both_ways_of_starting_a_process_serve_the_same(site):
    for port in site.processes:
        html = httpx.get(f"http://127.0.0.1:{port}/mirage/lifespan", timeout=PATIENCE).text
        assert f"<title>{tab_title(page_info('lifespan'))}</title>" in html


def test_fonts_and_program_come_through(site):
    with httpx.Client(base_url=f"{site.address}/mirage/", timeout=PATIENCE) as client:
        font = client.get("app/static/MirageSans-Regular.woff2")
        assert font.content.startswith(b"wOF2")
        html = client.get("").text
        program = client.get(html.partition('src="./')[2].partition('"')[0])
        assert program.status_code == 200
        assert program.headers["content-encoding"] == "gzip"


def test_security_headers_are_on_every_answer(site):
    for path in ("/mirage/", "/mirage/health", "/mirage/_stcore/upload_file/a/b"):
        headers = httpx.get(f"{site.address}{path}", timeout=PATIENCE).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert "default-src 'self'" in headers["content-security-policy"]
        assert "http" not in headers["content-security-policy"]


def test_a_visitor_stays_with_the_process_that_has_the_session(site):
    ports = {str(port) for port in site.processes}
    with ExitStack() as stack:
        visitors = [stack.enter_context(visitor(site)) for _ in range(4)]
        homes = [client.cookies[COOKIE] for client, _ in visitors]
        assert set(homes) == ports, "four visitors are spread over both processes"
        for client, session in visitors:
            assert upload(client, session).status_code == 204
        client, session = visitors[0]
        (elsewhere,) = ports - {homes[0]}
        client.cookies.set(COOKIE, elsewhere, domain="127.0.0.1", path="/mirage/")
        assert upload(client, session).status_code == 400, "the other process does not know the session"


def test_uploads_pass_through_memory_up_to_the_limit(site):
    with visitor(site) as (client, session):
        assert upload(client, session, UPLOAD_MB * 1024**2 - 2000).status_code == 204
        assert upload(client, session, UPLOAD_MB * 1024**2 + 1).status_code == 413
    assert (
        "buffered to a temporary file" not in site.log()
    )  # so nginx complains where it puts a body aside on disk


def test_one_process_serves_all_when_the_other_is_gone(site):
    gone, stays = sorted(site.processes)
    with visitor(site, cookie=str(gone)) as (client, session):
        assert client.cookies[COOKIE] == str(gone)
        site.kill(gone)
        assert upload(client, session).status_code == 400  # its session went with it
        with open_socket(site, client) as socket:  # the browser connects anew by itself
            renewed = session_of(socket)
            assert client.cookies[COOKIE] == str(stays)
            assert upload(client, renewed).status_code == 204
    for _ in range(3):
        with visitor(site) as (client, session):
            assert client.cookies[COOKIE] == str(stays)
            assert upload(client, session).status_code == 204
