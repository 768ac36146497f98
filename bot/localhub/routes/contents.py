"""Routes of files: read a file or a folder at a ref, write or delete a file on a branch."""

import base64
import binascii

from flask import Blueprint, Response, request

from bot.localhub.errors import ApiError, not_found, unprocessable
from bot.localhub.git_store import Signature, TreeEntry
from bot.localhub.github_json import Json
from bot.localhub.merging import FileWrite
from bot.localhub.model import Repository
from bot.localhub.request_body import Body
from bot.localhub.routes import api
from bot.localhub.shapes.commits import content_shape, git_commit_shape

blueprint = Blueprint("contents", __name__)

# GitHub, "Get repository content": larger content is left out, above 100 MB refused.
INLINE_MAX = 1_048_576

# GitHub, "Create or update file contents": limited by the request's size only.
FILE_MAX = 100_000_000


@blueprint.get("/repos/<owner>/<name>/contents/")
@blueprint.get("/repos/<owner>/<name>/contents")
@blueprint.get("/repos/<owner>/<name>/contents/<path:path>")
def show_content(owner: str, name: str, path: str = "") -> Response:
    repository = api.repository(owner, name, "contents", "read")
    ref = request.args.get("ref") or repository.default_branch
    sha = api.hub().refs.resolve(repository, ref)
    if sha is None:
        message = (
            f"No commit found for the ref {ref}" if repository.refs else "This repository is empty."
        )
        raise ApiError(404, message)
    entry = repository.git.entry(sha, path.strip("/"))
    if entry is None:
        raise not_found()
    if entry.type == "tree":
        return _folder(repository, ref, sha, path.strip("/"))
    wants_raw = "raw" in request.headers.get("Accept", "")
    if wants_raw and entry.type == "blob":
        return Response(repository.git.blob(entry.sha), content_type="application/octet-stream")
    return api.answer(_file(repository, ref, entry))


def _folder(repository: Repository, ref: str, sha: str, path: str) -> Response:
    prefix = f"{path}/" if path else ""
    entries = [
        TreeEntry(held.mode, held.type, held.sha, held.size, prefix + held.path)
        for held in repository.git.tree(f"{sha}:{path}")
    ]
    state = api.hub().state
    return api.answer([content_shape(state, repository, ref, held) for held in entries])


def _file(repository: Repository, ref: str, entry: TreeEntry) -> Json:
    shape = content_shape(api.hub().state, repository, ref, entry)
    if entry.type != "blob":
        return shape
    content = repository.git.blob(entry.sha)
    if entry.mode == "120000":
        shape["target"] = content.decode(errors="replace")
    fits = len(content) <= INLINE_MAX
    shape["content"] = base64.encodebytes(content).decode() if fits else ""
    shape["encoding"] = "base64" if fits else "none"
    return shape


def _signatures(asked: Body) -> tuple[Signature | None, Signature | None]:
    found: list[Signature | None] = []
    for role in ("author", "committer"):
        part = asked.part(role)
        if part is None:
            found.append(None)
            continue
        date = part.maybe_text("date")
        moment = api.hub().state.now() if date is None else api.parse_time(date, "date")
        found.append(Signature(part.text("name"), part.text("email"), moment))
    return found[0], found[1]


def _write(
    repository: Repository, path: str, content: bytes | None, asked: Body, expected: str | None
) -> str:
    """The commit that writes a file, or (`content` None) deletes it."""
    write = FileWrite(
        path=path,
        content=content,
        message=asked.text("message"),
        branch=asked.maybe_text("branch"),
        expected_sha=expected,
        signatures=_signatures(asked),
    )
    return api.hub().merging.write_file(repository, api.actor(), write)


@blueprint.put("/repos/<owner>/<name>/contents/<path:path>")
def write_content(owner: str, name: str, path: str) -> Response:
    repository = api.repository(owner, name, "contents", "write")
    asked = api.body("Contents")
    text = asked.maybe_text("content", FILE_MAX)
    if text is None:
        raise unprocessable('Invalid request.\n\n"content" wasn\'t supplied.')
    try:
        # Lines are taken, as `base64` writes them; other characters are not.
        content = base64.b64decode("".join(text.split()), validate=True)
    except binascii.Error as error:
        raise unprocessable("content is not valid Base64") from error
    existed = asked.has("sha")
    sha = _write(repository, path, content, asked, asked.maybe_text("sha"))
    branch = asked.maybe_text("branch") or repository.default_branch
    entry = repository.git.entry(sha, path)
    if entry is None:
        raise not_found()
    return _written(
        repository,
        sha,
        content_shape(api.hub().state, repository, branch, entry),
        200 if existed else 201,
    )


@blueprint.delete("/repos/<owner>/<name>/contents/<path:path>")
def delete_content(owner: str, name: str, path: str) -> Response:
    repository = api.repository(owner, name, "contents", "write")
    asked = api.body("Contents")
    sha = _write(repository, path, None, asked, asked.text("sha"))
    return _written(repository, sha, None, 200)


def _written(repository: Repository, sha: str, content: Json | None, status: int) -> Response:
    commit = git_commit_shape(api.hub().state, repository, repository.git.commit(sha))
    return api.answer({"content": content, "commit": commit}, status)
