"""A git server on loopback: `git http-backend` behind a token, like GitHub's.

It records the requests and can answer with another status instead.
"""

import base64
import os
import subprocess
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

TOKEN = "ghs_secret_of_the_installation"


@dataclass
class GitServer:
    """Bare repositories below a folder, readable and writable with `TOKEN`."""

    folder: Path
    url: str = ""
    answers: list[str] = field(default_factory=list)
    redirect_to: str = ""
    authorizations: list[str] = field(default_factory=list)
    protocols: list[str] = field(default_factory=list)

    def __call__(self, environ: "WSGIEnvironment", start: "StartResponse") -> Iterable[bytes]:
        authorization = environ.get("HTTP_AUTHORIZATION", "")
        self.authorizations.append(authorization)
        self.protocols.append(environ.get("HTTP_GIT_PROTOCOL", ""))
        if self.redirect_to:
            where = f"{self.redirect_to}{environ['PATH_INFO']}?{environ['QUERY_STRING']}"
            start("301 Moved Permanently", [("Location", where), ("Content-Length", "0")])
            return []
        expected = base64.b64encode(f"x-access-token:{TOKEN}".encode()).decode()
        status = self.answers.pop(0) if self.answers else ""
        if not status and authorization != f"Basic {expected}":
            status = "401 Unauthorized"
        if status:
            headers = [("WWW-Authenticate", 'Basic realm="git"')] if status[:3] == "401" else []
            start(status, [*headers, ("Content-Length", "0")])
            return []
        return self._serve(environ, start)

    def _serve(self, environ: "WSGIEnvironment", start: "StartResponse") -> Iterable[bytes]:
        length = int(environ.get("CONTENT_LENGTH") or 0)
        done = subprocess.run(
            ["git", "http-backend"],
            input=environ["wsgi.input"].read(length),
            capture_output=True,
            check=True,
            env={
                "PATH": os.environ["PATH"],
                "GIT_PROJECT_ROOT": str(self.folder),
                "GIT_HTTP_EXPORT_ALL": "1",
                "GIT_PROTOCOL": environ.get("HTTP_GIT_PROTOCOL", ""),
                "PATH_INFO": environ["PATH_INFO"],
                "QUERY_STRING": environ.get("QUERY_STRING", ""),
                "REQUEST_METHOD": environ["REQUEST_METHOD"],
                "CONTENT_TYPE": environ.get("CONTENT_TYPE", ""),
                "CONTENT_LENGTH": str(length),
                "HTTP_CONTENT_ENCODING": environ.get("HTTP_CONTENT_ENCODING", ""),
                "REMOTE_USER": "headgate[bot]",
                "REMOTE_ADDR": "127.0.0.1",
            },
        )
        head, _, body = done.stdout.partition(b"\r\n\r\n")
        headers = [(key, value) for key, _, value in map(_split, head.decode().split("\r\n"))]
        status = next((value for key, value in headers if key == "Status"), "200 OK")
        start(status, [one for one in headers if one[0] != "Status"])
        return [body]


def _split(line: str) -> tuple[str, str, str]:
    return line.partition(": ")


class _Threaded(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing."""


@contextmanager
def serving(folder: Path) -> Iterator[GitServer]:
    server = GitServer(folder)
    with make_server("127.0.0.1", 0, server, _Threaded, _Quiet) as listening:
        server.url = f"http://127.0.0.1:{listening.server_port}"
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server
        finally:
            listening.shutdown()
            thread.join()
