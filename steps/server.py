"""The development server: the built site on 127.0.0.1, with the headers a good host would send."""

from __future__ import annotations

import functools
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from steps import headers
from steps.failure import BuildError
from steps.report import note

HOST = "127.0.0.1"


class SiteHandler(SimpleHTTPRequestHandler):
    """Files of one folder under one path prefix; nothing outside it, no listings."""

    protocol_version = "HTTP/1.1"
    # Named here because the system's own table is wrong on some machines.
    extensions_map = {
        **SimpleHTTPRequestHandler.extensions_map,
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".css": "text/css; charset=utf-8",
        ".json": "application/json",
        ".svg": "image/svg+xml",
        ".wasm": "application/wasm",
        ".webmanifest": "application/manifest+json",
        ".whl": "application/octet-stream",
        ".zip": "application/zip",
        ".txt": "text/plain; charset=utf-8",
    }
    base_path = "/"

    def do_GET(self) -> None:
        """Answer a file, or send the bare root to the site's own path."""
        if self._inside():
            super().do_GET()

    def do_HEAD(self) -> None:
        """As GET, without the content."""
        if self._inside():
            super().do_HEAD()

    def _inside(self) -> bool:
        """Take the prefix off the requested path; False when the request has been answered here."""
        if self.path.startswith(self.base_path):
            self.path = "/" + self.path[len(self.base_path) :]
            return True
        if self.path in ("/", self.base_path.rstrip("/")):
            self.send_response(HTTPStatus.FOUND)
            self.send_header("Location", self.base_path)
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            self.send_error(HTTPStatus.NOT_FOUND)
        return False

    def list_directory(self, path: object) -> None:
        """A folder without a page is not found."""
        self.send_error(HTTPStatus.NOT_FOUND)

    def end_headers(self) -> None:
        """Add the site's own headers; the browser asks again before it uses a kept copy."""
        for name, value in headers.read(Path(self.directory)):
            self.send_header(name, value)
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Only what went wrong is worth a line."""
        if len(args) > 1 and str(args[1]) >= "400":
            note(f"          {format % args}")


class SiteServer(ThreadingHTTPServer):
    """Serves until it is shut down; open connections do not hold it up."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that goes away in the middle of an answer is no error."""


def claim_port(port: int) -> None:
    """Raise BuildError when ``port`` cannot be listened on, before anything long is done."""
    try:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((HOST, port))
    except (OSError, OverflowError) as error:
        raise BuildError(f"port {port} cannot be used ({error}); choose another one with --port") from error


def make_server(site: Path, port: int, base_path: str = "/", handler: type[SiteHandler] = SiteHandler) -> SiteServer:
    """A server of ``site`` under ``base_path``, bound and not yet serving; port 0 takes any free one."""
    bound = type("BoundHandler", (handler,), {"base_path": base_path})
    try:
        return SiteServer((HOST, port), functools.partial(bound, directory=str(site)))
    except OSError as error:
        raise BuildError(f"port {port} cannot be used ({error}); choose another one with --port") from error


@contextmanager
def serving(
    folder: Path, base_path: str = "/", handler: type[SiteHandler] = SiteHandler
) -> Iterator[str]:
    """Serve ``folder`` on a free port; the value is its address, with ``/`` at the end."""
    with make_server(folder, 0, base_path, handler) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield f"http://{HOST}:{running.server_address[1]}{base_path}"
        finally:
            running.shutdown()
            thread.join()


def serve(site: Path, port: int, base_path: str) -> None:
    """Serve until interrupted; the address goes to standard output."""
    with make_server(site, port, base_path) as server:
        print(f"Yuva is at http://{HOST}:{server.server_address[1]}{base_path}  (Ctrl-C ends it)", flush=True)
        server.serve_forever()
