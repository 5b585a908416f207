"""The development server sends what a good host would."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from steps import headers, server
from steps.failure import BuildError


@pytest.fixture
def address(tmp_path: Path) -> Iterator[tuple[str, int]]:
    site = tmp_path / "site"
    site.mkdir()
    for name in ("index.html", "app.js", "a.wasm", "a.whl", "a.svg", "a.css"):
        (site / name).write_text("content")
    (tmp_path / "secret.txt").write_text("outside")
    (site / "folder").mkdir()
    headers.write(site)
    with server.make_server(site, 0, "/under/") as running:
        threading.Thread(target=running.serve_forever, args=(0.05,), daemon=True).start()
        yield server.HOST, running.server_address[1]
        running.shutdown()


def get(address: tuple[str, int], path: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(*address, timeout=5)
    connection.request("GET", path)
    response = connection.getresponse()
    response.read()
    connection.close()
    return response


@pytest.mark.parametrize(
    ("name", "content_type"),
    [
        ("", "text/html; charset=utf-8"),
        ("app.js", "text/javascript; charset=utf-8"),
        ("a.css", "text/css; charset=utf-8"),
        ("a.wasm", "application/wasm"),
        ("a.wasm?h=123", "application/wasm"),
        ("a.whl", "application/octet-stream"),
        ("a.svg", "image/svg+xml"),
    ],
)
def test_types_are_right(address: tuple[str, int], name: str, content_type: str) -> None:
    response = get(address, f"/under/{name}")
    assert (response.status, response.getheader("Content-Type")) == (200, content_type)


def test_every_answer_carries_the_policy_and_is_asked_for_again(address: tuple[str, int]) -> None:
    response = get(address, "/under/")
    assert "default-src 'none'" in str(response.getheader("Content-Security-Policy"))
    assert response.getheader("Cache-Control") == "no-cache"


@pytest.mark.parametrize("path", ["/other", "/under/nothing", "/under/folder/", "/under/../secret.txt", "/under//etc"])
def test_what_is_not_of_the_site_is_not_found(address: tuple[str, int], path: str) -> None:
    assert get(address, path).status == 404


@pytest.mark.parametrize("path", ["/", "/under"])
def test_the_root_leads_to_the_site(address: tuple[str, int], path: str) -> None:
    response = get(address, path)
    assert (response.status, response.getheader("Location")) == (302, "/under/")


def test_a_port_in_use_is_refused_in_one_line(address: tuple[str, int]) -> None:
    with pytest.raises(BuildError, match="--port"):
        server.claim_port(address[1])
