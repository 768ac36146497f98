"""Shapes of git objects: refs, commits, trees, blobs, files and comparisons."""

import base64

from bot.localhub.git_store import Commit, FileDelta, Signature, TreeEntry
from bot.localhub.github_json import Json, iso
from bot.localhub.model import Account, Repository
from bot.localhub.shapes.accounts import account_shape
from bot.localhub.shapes.repositories import repository_html_url, repository_url
from bot.localhub.state import State


def _verification_shape(repository: Repository, commit: Commit) -> Json:
    """Nobody's key is known here, so only what the hub signed is verified."""
    found = repository.git.signature(commit.sha)
    if found is None:
        return {
            "verified": False,
            "reason": "unsigned",
            "signature": None,
            "payload": None,
            "verified_at": None,
        }
    return {
        "verified": found.is_ours,
        "reason": "valid" if found.is_ours else "unknown_key",
        "signature": found.signature,
        "payload": found.payload,
        "verified_at": iso(commit.committer.at) if found.is_ours else None,
    }


def _signature_shape(signature: Signature) -> Json:
    return {"name": signature.name, "email": signature.email, "date": iso(signature.at)}


def account_of(state: State, signature: Signature) -> Account | None:
    """The account of a signature's no-reply address (or login), if any."""
    local = signature.email.partition("@")[0]
    login = local.partition("+")[2] or local
    if signature.email.partition("@")[2] != "users.noreply.localhub":
        return None
    return state.accounts.get(login.lower())


def noreply_address(account: Account) -> str:
    """The address of commits that are made through the REST API."""
    return f"{account.id}+{account.login}@users.noreply.localhub"


def git_commit_shape(state: State, repository: Repository, commit: Commit) -> Json:
    api = repository_url(state, repository)
    html = repository_html_url(state, repository)
    return {
        "sha": commit.sha,
        "node_id": f"C_{commit.sha}",
        "url": f"{api}/git/commits/{commit.sha}",
        "html_url": f"{html}/commit/{commit.sha}",
        "author": _signature_shape(commit.author),
        "committer": _signature_shape(commit.committer),
        "message": commit.message.rstrip("\n"),
        "tree": {"sha": commit.tree, "url": f"{api}/git/trees/{commit.tree}"},
        "parents": [
            {
                "sha": parent,
                "url": f"{api}/git/commits/{parent}",
                "html_url": f"{html}/commit/{parent}",
            }
            for parent in commit.parents
        ],
        "verification": _verification_shape(repository, commit),
    }


def commit_shape(state: State, repository: Repository, commit: Commit) -> Json:
    """GitHub's `commit`, as the commits API lists it."""
    api = repository_url(state, repository)
    html = repository_html_url(state, repository)
    people = {
        role: account_of(state, signature)
        for role, signature in (("author", commit.author), ("committer", commit.committer))
    }
    return {
        "sha": commit.sha,
        "node_id": f"C_{commit.sha}",
        "url": f"{api}/commits/{commit.sha}",
        "html_url": f"{html}/commit/{commit.sha}",
        "comments_url": f"{api}/commits/{commit.sha}/comments",
        "commit": {
            "url": f"{api}/git/commits/{commit.sha}",
            "author": _signature_shape(commit.author),
            "committer": _signature_shape(commit.committer),
            "message": commit.message.rstrip("\n"),
            "comment_count": sum(held.sha == commit.sha for held in repository.commit_comments),
            "tree": {"sha": commit.tree, "url": f"{api}/git/trees/{commit.tree}"},
            "verification": _verification_shape(repository, commit),
        },
        **{
            role: None if account is None else account_shape(state, account)
            for role, account in people.items()
        },
        "parents": [
            {
                "sha": parent,
                "url": f"{api}/commits/{parent}",
                "html_url": f"{html}/commit/{parent}",
            }
            for parent in commit.parents
        ],
    }


def head_commit_shape(commit: Commit) -> Json:
    """GitHub's `simple-commit`, as check suites carry it."""
    return {
        "id": commit.sha,
        "tree_id": commit.tree,
        "message": commit.message.rstrip("\n"),
        "timestamp": iso(commit.committer.at),
        "author": {"name": commit.author.name, "email": commit.author.email},
        "committer": {"name": commit.committer.name, "email": commit.committer.email},
    }


def pushed_commit_shape(
    state: State, repository: Repository, commit: Commit, touched: list[tuple[str, str]]
) -> Json:
    """A commit as the push webhook carries it; `touched` is (git's status letter, path)."""

    def person(signature: Signature) -> Json:
        shape: Json = {
            "name": signature.name,
            "email": signature.email,
            "date": iso(signature.at),
        }
        account = account_of(state, signature)
        return shape if account is None else {**shape, "username": account.login}

    return {
        "id": commit.sha,
        "tree_id": commit.tree,
        "distinct": True,
        "message": commit.message.rstrip("\n"),
        "timestamp": iso(commit.committer.at),
        "url": f"{repository_html_url(state, repository)}/commit/{commit.sha}",
        "author": person(commit.author),
        "committer": person(commit.committer),
        "added": [path for letter, path in touched if letter == "A"],
        "removed": [path for letter, path in touched if letter == "D"],
        "modified": [path for letter, path in touched if letter not in "AD"],
    }


def file_shape(state: State, repository: Repository, sha: str, file: FileDelta) -> Json:
    """GitHub's `diff-entry`."""
    api = repository_url(state, repository)
    html = repository_html_url(state, repository)
    shape: Json = {
        "sha": file.sha,
        "filename": file.path,
        "status": file.status,
        "additions": file.additions,
        "deletions": file.deletions,
        "changes": file.additions + file.deletions,
        "blob_url": f"{html}/blob/{sha}/{file.path}",
        "raw_url": f"{html}/raw/{sha}/{file.path}",
        "contents_url": f"{api}/contents/{file.path}?ref={sha}",
    }
    if file.patch:
        shape["patch"] = file.patch
    if file.previous_path is not None:
        shape["previous_filename"] = file.previous_path
    return shape


def ref_shape(state: State, repository: Repository, ref: str, sha: str) -> Json:
    """GitHub's `git-ref`."""
    api = repository_url(state, repository)
    kind = repository.git.type_of(sha) or "commit"
    folder = {"commit": "commits", "tag": "tags", "tree": "trees", "blob": "blobs"}[kind]
    return {
        "ref": ref,
        "node_id": f"REF_{repository.id}_{ref}",
        "url": f"{api}/git/{ref}",
        "object": {"sha": sha, "type": kind, "url": f"{api}/git/{folder}/{sha}"},
    }


def tree_shape(state: State, repository: Repository, sha: str, entries: list[TreeEntry]) -> Json:
    """GitHub's `git-tree`."""
    api = repository_url(state, repository)
    lines: list[Json] = []
    for entry in entries:
        line: Json = {
            "path": entry.path,
            "mode": entry.mode,
            "type": entry.type,
            "sha": entry.sha,
        }
        if entry.size is not None:
            line["size"] = entry.size
        if entry.type != "commit":
            line["url"] = f"{api}/git/{entry.type}s/{entry.sha}"
        lines.append(line)
    return {"sha": sha, "url": f"{api}/git/trees/{sha}", "tree": lines, "truncated": False}


def blob_shape(state: State, repository: Repository, sha: str, content: bytes) -> Json:
    """GitHub's `blob`, in base64."""
    return {
        "sha": sha,
        "node_id": f"B_{sha}",
        "size": len(content),
        "url": f"{repository_url(state, repository)}/git/blobs/{sha}",
        "content": base64.encodebytes(content).decode(),
        "encoding": "base64",
    }


def content_shape(state: State, repository: Repository, ref: str, entry: TreeEntry) -> Json:
    """An entry of a folder in the contents API."""
    api = repository_url(state, repository)
    html = repository_html_url(state, repository)
    kind = {"blob": "file", "tree": "dir", "commit": "submodule"}[entry.type]
    if entry.mode == "120000":
        kind = "symlink"
    is_tree = entry.type == "tree"
    url = f"{api}/contents/{entry.path}?ref={ref}"
    git_url = f"{api}/git/{'trees' if is_tree else 'blobs'}/{entry.sha}"
    html_url = f"{html}/{'tree' if is_tree else 'blob'}/{ref}/{entry.path}"
    return {
        "name": entry.path.rpartition("/")[2],
        "path": entry.path,
        "sha": entry.sha,
        "size": entry.size or 0,
        "url": url,
        "html_url": html_url,
        "git_url": git_url,
        "download_url": f"{html}/raw/{ref}/{entry.path}" if kind == "file" else None,
        "type": kind,
        "_links": {"self": url, "git": git_url, "html": html_url},
    }
