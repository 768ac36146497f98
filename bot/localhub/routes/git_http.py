"""Git over HTTP: git's own server programs with the same checks as the REST API.

They are started without `git http-backend` between, which would be one process more a request; what
refs there are is answered without any process (`bot.localhub.ref_advertisements`). A push is read in full and its commands are taken from the front of the request. The hub's rules go
to the update hook in the environment, and the repository stays locked until all that follows from
the push is done. The dumb protocol is not served.
"""

import os
import subprocess
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from flask import Blueprint, Response, request

from bot.localhub.errors import ApiError
from bot.localhub.git_store import scrubbed_environment
from bot.localhub.model import Actor, Repository, TokenKind
from bot.localhub.plain_pushes import PUSH_BYTES_MAX, received
from bot.localhub.ref_advertisements import pushers_refs, readers_refs
from bot.localhub.routes import api
from bot.localhub.rules import RefMove

blueprint = Blueprint("git_http", __name__)

_CHUNK = 65_536
_LISTING_BYTES_MAX = 65_536


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
        if "archived" in error.message:
            text = "This repository was archived so it is read-only.\n"
            return Response(text, 403, content_type="text/plain; charset=utf-8")
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
    kind = f"application/x-{operation}-advertisement"
    program = operation.removeprefix("git-")
    versions = request.headers.get("Git-Protocol", "").split(":")
    if program == "upload-pack" and "version=2" in versions:
        # Version 2 begins with the capabilities alone, for reading; a push uses version 0 or 1.
        return _uncached(admitted[1].git.capabilities, kind)
    line = f"# service={operation}\n"
    service = f"{len(line) + 4:04x}{line}0000".encode()
    if program == "receive-pack" and "version=1" not in versions:
        return _uncached(service + pushers_refs(admitted[1].git), kind)
    arguments = [program, "--stateless-rpc", "--advertise-refs"]
    with tempfile.TemporaryFile() as nothing:
        return _run(admitted, arguments, nothing, scrubbed_environment(), kind, service)


@blueprint.post("/<owner>/<name>.git/git-upload-pack")
def upload_pack(owner: str, name: str) -> Response:
    admitted = _admit(owner, name, "read")
    if isinstance(admitted, Response):
        return admitted
    with _received() as body:
        asked = body.read(_LISTING_BYTES_MAX)
        listed = readers_refs(admitted[1].git, asked) if len(asked) < _LISTING_BYTES_MAX else None
        if listed is not None:
            return _uncached(listed, "application/x-git-upload-pack-result")
        return _answer(admitted, "upload-pack", body, scrubbed_environment())


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
        asked = body.read(PUSH_BYTES_MAX)
        if len(asked) < PUSH_BYTES_MAX and request.content_type == _content_type("receive-pack"):
            lines = environment["LOCALHUB_RULES"].splitlines()
            report = received(repository.git, repository.refs, asked, lines)
            if report is not None:
                return _uncached(report, "application/x-git-receive-pack-result")
        return _answer(admitted, "receive-pack", body, environment)


@contextmanager
def _received() -> Iterator[IO[bytes]]:
    """The request's body, unpacked, in a real file, whose descriptor git can read from."""
    with tempfile.TemporaryFile() as body:
        is_packed = request.content_encoding in ("gzip", "x-gzip")
        packed = zlib.decompressobj(zlib.MAX_WBITS | 16) if is_packed else None
        while chunk := request.stream.read(_CHUNK):
            body.write(packed.decompress(chunk) if packed else chunk)
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


def _content_type(program: str) -> str:
    return f"application/x-git-{program}-request"


def _answer(
    admitted: tuple[Actor, Repository], program: str, body: IO[bytes], environment: dict[str, str]
) -> Response:
    """The program's answer to a whole request (gitprotocol-http, "stateless")."""
    if request.content_type != _content_type(program):
        return Response("Unsupported Media Type\n", 415, content_type="text/plain")
    arguments = [program, "--stateless-rpc"]
    return _run(admitted, arguments, body, environment, f"application/x-git-{program}-result")


def _run(
    admitted: tuple[Actor, Repository],
    arguments: list[str],
    body: IO[bytes],
    environment: dict[str, str],
    content_type: str,
    before: bytes = b"",
) -> Response:
    actor, repository = admitted
    who = actor.account.login if actor.account is not None else "anonymous"
    asked = {
        **environment,
        "GIT_PROTOCOL": request.headers.get("Git-Protocol", ""),
        "GIT_COMMITTER_NAME": who,
        "GIT_COMMITTER_EMAIL": f"{who}@http.127.0.0.1",
    }
    # The descriptor itself: `seek` may stay inside of Python's buffer.
    os.lseek(body.fileno(), 0, os.SEEK_SET)
    done = subprocess.run(
        ["git", *arguments, str(repository.git.folder)],
        stdin=body,
        capture_output=True,
        check=False,
        env=asked,
    )
    if done.returncode and not done.stdout:
        return Response(done.stderr, 500, content_type="text/plain; charset=utf-8")
    return _uncached(before + done.stdout, content_type)


def _uncached(said: bytes, content_type: str) -> Response:
    response = Response(said, content_type=content_type)
    response.headers["Cache-Control"] = "no-cache, max-age=0, must-revalidate"
    return response
