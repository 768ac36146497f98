"""Git over HTTP: `git http-backend` with the same checks as the REST API.

A push is read in full and its commands are taken from the front of the request. The hub's rules go
to the update hook in the environment, and the repository stays locked until all that follows from
the push is done. The dumb protocol is not served.
"""

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from flask import Blueprint, Response, request

from bot.localhub.errors import ApiError
from bot.localhub.git_store import scrubbed_environment
from bot.localhub.model import Actor, Repository, TokenKind
from bot.localhub.routes import api
from bot.localhub.rules import RefMove

blueprint = Blueprint("git_http", __name__)

_CHUNK = 65_536


def _challenge(text: str) -> Response:
    response = Response(text, 401, content_type="text/plain; charset=utf-8")
    response.headers["WWW-Authenticate"] = 'Basic realm="GitHub"'
    return response


def _admit(owner: str, name: str, level: str) -> tuple[Actor, Repository] | Response:
    """The caller and the repository; 401 asks git for credentials, as GitHub does."""
    actor = api.actor()
    try:
        return actor, api.repository(owner, name, "contents", level)
    except ApiError as error:
        if actor.kind is TokenKind.ANONYMOUS:
            return _challenge("Repository not found.\n")
        if error.status == 404:
            return Response("Repository not found.\n", 404, content_type="text/plain")
        account = "unknown" if actor.account is None else actor.account.login
        text = f"Permission to {owner}/{name}.git denied to {account}.\n"
        return Response(text, 403, content_type="text/plain; charset=utf-8")


@blueprint.get("/<owner>/<name>.git/info/refs")
def advertise(owner: str, name: str) -> Response:
    operation = request.args.get("service", "")
    if operation not in ("git-upload-pack", "git-receive-pack"):
        return Response("Please upgrade your git client.\n", 403, content_type="text/plain")
    admitted = _admit(owner, name, "write" if operation == "git-receive-pack" else "read")
    if isinstance(admitted, Response):
        return admitted
    with tempfile.TemporaryFile() as nothing:
        return _backend(admitted, "/info/refs", nothing, scrubbed_environment())


@blueprint.post("/<owner>/<name>.git/git-upload-pack")
def upload_pack(owner: str, name: str) -> Response:
    admitted = _admit(owner, name, "read")
    if isinstance(admitted, Response):
        return admitted
    with _received() as body:
        return _backend(admitted, "/git-upload-pack", body, scrubbed_environment())


@blueprint.post("/<owner>/<name>.git/git-receive-pack")
def receive_pack(owner: str, name: str) -> Response:
    admitted = _admit(owner, name, "write")
    if isinstance(admitted, Response):
        return admitted
    actor, repository = admitted
    hub = api.hub()
    if request.content_encoding:
        # The commands must be readable here: they choose the hub's rules.
        return Response("A push must not be compressed.\n", 415, content_type="text/plain")
    with (
        _received() as body,
        hub.refs.receiving(repository, actor, list(_commands(body))) as environment,
    ):
        body.seek(0)
        return _backend(admitted, "/git-receive-pack", body, environment)


@contextmanager
def _received() -> Iterator[IO[bytes]]:
    """The request's body in a real file, whose descriptor git can read from."""
    with tempfile.TemporaryFile() as body:
        while chunk := request.stream.read(_CHUNK):
            body.write(chunk)
        body.seek(0)
        yield body


def _commands(body: IO[bytes]) -> Iterator[RefMove]:
    """The ref updates of a push: the pkt-lines before the first flush packet."""
    while True:
        length_text = body.read(4)
        if len(length_text) < 4:
            return
        try:
            length = int(length_text, 16)
        except ValueError as error:
            raise ApiError(400, "malformed push") from error
        if length <= 4:
            return
        line = body.read(length - 4).split(b"\0")[0].decode(errors="replace").strip()
        words = line.split(" ", 2)
        if len(words) == 3 and len(words[0]) == 40:
            yield RefMove(words[2], words[0], words[1])


def _backend(
    admitted: tuple[Actor, Repository],
    path: str,
    body: IO[bytes],
    environment: dict[str, str],
) -> Response:
    actor, repository = admitted
    body.seek(0, 2)
    length = body.tell()
    body.seek(0)
    cgi = {
        **environment,
        "GIT_PROJECT_ROOT": str(repository.git.folder),
        "GIT_HTTP_EXPORT_ALL": "1",
        "PATH_INFO": path,
        "QUERY_STRING": request.query_string.decode(),
        "REQUEST_METHOD": request.method,
        "CONTENT_TYPE": request.content_type or "",
        "CONTENT_LENGTH": str(length),
        "REMOTE_ADDR": "127.0.0.1",
        "REMOTE_USER": actor.account.login if actor.account is not None else "",
        "GIT_PROTOCOL": request.headers.get("Git-Protocol", ""),
        "HTTP_CONTENT_ENCODING": request.headers.get("Content-Encoding", ""),
    }
    done = subprocess.run(
        ["git", "http-backend"], stdin=body, capture_output=True, check=False, env=cgi
    )
    head, _, content = done.stdout.partition(b"\r\n\r\n")
    response = Response(content)
    for line in head.decode(errors="replace").split("\r\n"):
        key, _, value = line.partition(": ")
        if key.lower() == "status":
            response.status = value
        elif key:
            response.headers[key] = value
    if not head:
        return Response(done.stderr, 500, content_type="text/plain; charset=utf-8")
    return response
