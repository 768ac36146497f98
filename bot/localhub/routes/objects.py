"""Routes of the git database: refs, commits, trees, blobs, tags and comparisons."""

import base64
import binascii

from flask import Blueprint, Response, request

from bot.localhub.errors import ApiError, invalid, not_found, unprocessable
from bot.localhub.git_diff import changed_files, commit_files, unified_diff
from bot.localhub.git_store import Signature
from bot.localhub.github_json import Json
from bot.localhub.merging import NewCommit
from bot.localhub.model import Repository
from bot.localhub.pages import page_of
from bot.localhub.request_body import Body
from bot.localhub.routes import api
from bot.localhub.shapes.commits import (
    blob_shape,
    commit_shape,
    file_shape,
    git_commit_shape,
    ref_shape,
    tree_shape,
)
from bot.localhub.shapes.repositories import repository_html_url, repository_url
from bot.localhub.tree_edits import FileChange, GitError

blueprint = Blueprint("objects", __name__)

# GitHub, "List pull requests files": the most files in comparisons and commits.
COMPARE_FILES_MAX = 300
COMPARE_COMMITS_MAX = 250


def _ref_shape(repository: Repository, ref: str) -> Json:
    return ref_shape(api.hub().state, repository, ref, repository.refs[ref])


def _require_content(repository: Repository) -> None:
    if not any(ref.startswith("refs/heads/") for ref in repository.refs):
        raise ApiError(409, "Git Repository is empty.")


@blueprint.get("/repos/<owner>/<name>/git/ref/<path:ref>")
def show_ref(owner: str, name: str, ref: str) -> Response:
    repository = api.repository(owner, name, "contents", "read")
    _require_content(repository)
    if f"refs/{ref}" not in repository.refs:
        raise not_found()
    return api.answer(_ref_shape(repository, f"refs/{ref}"))


@blueprint.get("/repos/<owner>/<name>/git/matching-refs/")
@blueprint.get("/repos/<owner>/<name>/git/matching-refs/<path:ref>")
def list_matching_refs(owner: str, name: str, ref: str = "") -> Response:
    repository = api.repository(owner, name, "contents", "read")
    _require_content(repository)
    found = sorted(held for held in list(repository.refs) if held.startswith(f"refs/{ref}"))
    return api.paged(found, lambda held: _ref_shape(repository, held))


@blueprint.post("/repos/<owner>/<name>/git/refs")
def create_ref(owner: str, name: str) -> Response:
    repository = api.repository(owner, name, "contents", "write")
    asked = api.body("Reference")
    ref, sha = asked.text("ref"), asked.text("sha")
    api.hub().refs.create(repository, api.actor(), ref, sha)
    return api.answer(_ref_shape(repository, ref), 201)


@blueprint.patch("/repos/<owner>/<name>/git/refs/<path:ref>")
def update_ref(owner: str, name: str, ref: str) -> Response:
    repository = api.repository(owner, name, "contents", "write")
    asked = api.body("Reference")
    move = api.hub().refs.force if asked.flag("force") else api.hub().refs.advance
    move(repository, api.actor(), f"refs/{ref}", asked.text("sha"))
    return api.answer(_ref_shape(repository, f"refs/{ref}"))


@blueprint.delete("/repos/<owner>/<name>/git/refs/<path:ref>")
def delete_ref(owner: str, name: str, ref: str) -> Response:
    repository = api.repository(owner, name, "contents", "write")
    api.hub().refs.delete(repository, api.actor(), f"refs/{ref}")
    return api.nothing()


@blueprint.get("/repos/<owner>/<name>/git/commits/<sha>")
def show_git_commit(owner: str, name: str, sha: str) -> Response:
    repository = api.repository(owner, name, "contents", "read")
    if repository.git.type_of(sha) != "commit":
        raise not_found()
    return api.answer(git_commit_shape(api.hub().state, repository, repository.git.commit(sha)))


def _signature(asked: Body | None, fallback: Signature) -> Signature:
    if asked is None:
        return fallback
    date = asked.maybe_text("date")
    moment = fallback.at if date is None else api.parse_time(date, "date")
    return Signature(asked.text("name"), asked.text("email"), moment)


@blueprint.post("/repos/<owner>/<name>/git/commits")
def create_git_commit(owner: str, name: str) -> Response:
    hub = api.hub()
    repository = api.repository(owner, name, "contents", "write")
    asked = api.body("Commit")
    tree, parents = asked.text("tree"), asked.texts("parents")
    if repository.git.type_of(tree) != "tree":
        raise unprocessable("Tree SHA does not exist")
    if any(repository.git.type_of(parent) != "commit" for parent in parents):
        raise unprocessable("Parent SHA does not exist or is not a commit object")
    fallback = hub.merging.signature(api.writer())
    signed_by = _signature(asked.part("author"), fallback)
    committed_by = _signature(asked.part("committer"), signed_by)
    is_custom = any(asked.has(name) for name in ("author", "committer", "signature"))
    sha = hub.merging.commit_as_asked(
        repository,
        api.actor(),
        NewCommit(tree, parents, asked.text("message"), signed_by, committed_by, is_custom),
    )
    return api.answer(git_commit_shape(hub.state, repository, repository.git.commit(sha)), 201)


@blueprint.get("/repos/<owner>/<name>/git/trees/<path:treeish>")
def show_tree(owner: str, name: str, treeish: str) -> Response:
    repository = api.repository(owner, name, "contents", "read")
    _require_content(repository)
    commit = api.hub().refs.resolve(repository, treeish)
    entry_sha = treeish if commit is None else repository.git.commit(commit).tree
    if repository.git.type_of(entry_sha) != "tree":
        raise not_found()
    options = ["-r", "-t"] if request.args.get("recursive") else []
    entries = repository.git.tree(entry_sha, options)
    return api.answer(tree_shape(api.hub().state, repository, entry_sha, entries))


@blueprint.post("/repos/<owner>/<name>/git/trees")
def create_tree(owner: str, name: str) -> Response:
    repository = api.repository(owner, name, "contents", "write")
    git = repository.git
    asked = api.body("Tree")
    base = asked.maybe_text("base_tree")
    changes = []
    for line in asked.bodies("tree"):
        sha, content = line.maybe_text("sha"), line.maybe_text("content")
        if sha is not None and git.type_of(sha) != "blob":
            raise unprocessable(f"tree.sha {sha} is not a valid blob")
        stored = None if content is None else content.encode()
        if sha is not None:
            stored = git.blob(sha)
        mode = line.one_of("mode", ("100644", "100755", "120000")) or "100644"
        changes.append(FileChange(line.text("path"), stored, mode))
    if not changes:
        raise invalid("Tree", "tree", "missing_field")
    try:
        made = git.changed_tree(base, changes)
    except GitError as error:
        raise unprocessable("GitRPC::BadObjectState") from error
    return api.answer(tree_shape(api.hub().state, repository, made, git.tree(made)), 201)


@blueprint.get("/repos/<owner>/<name>/git/blobs/<sha>")
def show_blob(owner: str, name: str, sha: str) -> Response:
    repository = api.repository(owner, name, "contents", "read")
    if repository.git.type_of(sha) != "blob":
        raise not_found()
    return api.answer(blob_shape(api.hub().state, repository, sha, repository.git.blob(sha)))


@blueprint.post("/repos/<owner>/<name>/git/blobs")
def create_blob(owner: str, name: str) -> Response:
    repository = api.repository(owner, name, "contents", "write")
    asked = api.body("Blob")
    # A blob may be longer than any text field: GitHub accepts up to 100 MB.
    content = asked.maybe_text("content", 100_000_000)
    if content is None:
        raise asked.missing("content")
    raw = content.encode()
    if asked.one_of("encoding", ("utf-8", "base64")) == "base64":
        try:
            raw = base64.b64decode(content)
        except binascii.Error as error:
            raise unprocessable("content is not valid Base64") from error
    sha = repository.git.write_blob(raw)
    url = f"{repository_url(api.hub().state, repository)}/git/blobs/{sha}"
    return api.answer({"sha": sha, "url": url}, 201)


@blueprint.get("/repos/<owner>/<name>/commits")
def list_commits(owner: str, name: str) -> Response:
    state = api.hub().state
    repository = api.repository(owner, name, "contents", "read")
    _require_content(repository)
    start = request.args.get("sha") or repository.default_branch
    tip = api.hub().refs.resolve(repository, start)
    if tip is None:
        raise not_found()
    options = []
    for field, option in (("since", "--since"), ("until", "--until")):
        moment = api.query_time(field)
        if moment is not None:
            options.append(f"{option}={moment.isoformat()}")
    path = request.args.get("path")
    shas = repository.git.commit_list([tip], options, [path] if path else [])
    return api.paged(shas, lambda sha: commit_shape(state, repository, repository.git.commit(sha)))


@blueprint.get("/repos/<owner>/<name>/commits/<path:ref>")
def show_commit(owner: str, name: str, ref: str) -> Response:
    state = api.hub().state
    repository = api.repository(owner, name, "contents", "read")
    sha = api.hub().refs.resolve(repository, ref)
    if sha is None:
        raise unprocessable(f"No commit found for SHA: {ref}")
    if "vnd.github.sha" in request.headers.get("Accept", ""):
        return Response(sha, content_type="application/vnd.github.sha")
    files = commit_files(repository.git, sha)
    page, headers = page_of(files)
    additions = sum(file.additions for file in files)
    deletions = sum(file.deletions for file in files)
    shape: Json = {
        **commit_shape(state, repository, repository.git.commit(sha)),
        "stats": {
            "total": additions + deletions,
            "additions": additions,
            "deletions": deletions,
        },
        "files": [file_shape(state, repository, sha, file) for file in page],
    }
    response = api.answer(shape)
    response.headers.update(headers)
    return response


@blueprint.get("/repos/<owner>/<name>/compare/<path:basehead>")
def compare(owner: str, name: str, basehead: str) -> Response:
    hub = api.hub()
    repository = api.repository(owner, name, "contents", "read")
    git = repository.git
    one, dots, other = basehead.partition("...")
    before = hub.refs.resolve(repository, one.rpartition(":")[2]) if dots else None
    after = hub.refs.resolve(repository, other.rpartition(":")[2]) if dots else None
    base = None if before is None or after is None else git.merge_base(before, after)
    if before is None or after is None or base is None:
        raise not_found()
    if "diff" in request.headers.get("Accept", ""):
        return Response(unified_diff(git, base, after), content_type="text/plain; charset=utf-8")
    ahead = git.commit_list([after, f"^{before}"], ["--reverse", "--topo-order"])
    behind = git.commit_list([before, f"^{after}"])
    statuses = {
        (False, False): "identical",
        (True, False): "ahead",
        (False, True): "behind",
        (True, True): "diverged",
    }
    page, headers = (
        page_of(ahead) if "per_page" in request.args else (ahead[:COMPARE_COMMITS_MAX], {})
    )
    url = f"{repository_url(hub.state, repository)}/compare/{one}...{other}"
    html = f"{repository_html_url(hub.state, repository)}/compare/{one}...{other}"

    def shape(sha: str) -> Json:
        return commit_shape(hub.state, repository, git.commit(sha))

    files = changed_files(git, base, after)[:COMPARE_FILES_MAX]
    response = api.answer(
        {
            "url": url,
            "html_url": html,
            "permalink_url": html,
            "diff_url": f"{html}.diff",
            "patch_url": f"{html}.patch",
            "base_commit": shape(before),
            "merge_base_commit": shape(base),
            "status": statuses[bool(ahead), bool(behind)],
            "ahead_by": len(ahead),
            "behind_by": len(behind),
            "total_commits": len(ahead),
            "commits": [shape(sha) for sha in page],
            "files": [file_shape(hub.state, repository, after, file) for file in files],
        }
    )
    response.headers.update(headers)
    return response


@blueprint.post("/repos/<owner>/<name>/merges")
def merge_branches(owner: str, name: str) -> Response:
    hub = api.hub()
    repository = api.repository(owner, name, "contents", "write")
    asked = api.body("Merge")
    made = hub.merging.merge_branches(
        repository,
        api.actor(),
        asked.text("base"),
        asked.text("head"),
        asked.maybe_text("commit_message"),
    )
    if made is None:
        return api.nothing()
    return api.answer(commit_shape(hub.state, repository, repository.git.commit(made)), 201)
