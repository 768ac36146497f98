"""Differences between two commits, as GitHub lists files.

One process names the files and their blobs, then counts their lines, then gives the hunks; they are
joined by their order. Routes do the paging.
"""

import re
from dataclasses import dataclass
from itertools import islice

from bot.localhub.git_store import FileDelta, GitStore

# GitHub leaves the patch of a very large file out of a listing.
PATCH_MAX = 200_000

_STATUS = {"A": "added", "D": "removed", "M": "modified", "R": "renamed", "C": "copied"}
_EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


@dataclass(frozen=True)
class _Raw:
    status: str
    sha: str
    path: str
    previous: str | None


def _raw(fields: list[str]) -> tuple[list[_Raw], int]:
    """The files, and where what is said after them begins."""
    found = []
    at = 0
    while at < len(fields) and fields[at].startswith(":"):
        _, _, before, after, letter = fields[at].split(" ")
        kind = letter[0]
        if kind in "RC":
            found.append(_Raw(_STATUS[kind], after, fields[at + 2], fields[at + 1]))
            at += 3
        else:
            sha = before if kind == "D" else after
            found.append(_Raw(_STATUS.get(kind, "changed"), sha, fields[at + 1], None))
            at += 2
    return found, at


def _counts(fields: list[str], at: int) -> tuple[list[tuple[int, int]], int]:
    """The lines added and removed, and where what is said after them begins."""
    counts = []
    while at < len(fields) and fields[at]:
        added, removed, path = fields[at].split("\t", 2)
        counts.append((int(added) if added != "-" else 0, int(removed) if removed != "-" else 0))
        at += 1 if path else 3
    return counts, at


def _patches(text: str) -> list[str]:
    patches = []
    for part in re.split(r"(?m)^diff --git .*\n", text)[1:]:
        hunks = re.search(r"(?m)^@@ ", part)
        patches.append(part[hunks.start() :].rstrip("\n") if hunks else "")
    return patches


def changed_files(git: GitStore, before: str | None, after: str) -> list[FileDelta]:
    """What differs between two commits (`before` None: everything is new), renames followed."""
    if (before, after) not in git.known_diffs:
        git.known_diffs[before, after] = _compare(git, before, after)
    return git.known_diffs[before, after]


def _compare(git: GitStore, before: str | None, after: str) -> list[FileDelta]:
    ends = [before or _EMPTY_TREE, after]
    forms = ["-z", "--raw", "--no-abbrev", "--numstat", "-p"]
    said = git.run(["diff-tree", "-r", "-M", "--no-commit-id", *forms, *ends])
    fields = said.decode(errors="replace").split("\0")
    raw, at = _raw(fields)
    if not raw:
        return []
    counts, at = _counts(fields, at)
    # An empty field stands before the patches, which may hold any byte.
    parts = iter(_patches("\0".join(fields[at + 1 :])))
    # A file that becomes a link, or a link a file, is two patches: one goes, one comes.
    patches = [
        "\n".join(islice(parts, 2 if file.status == "changed" else 1)).strip("\n") for file in raw
    ]
    return [
        FileDelta(
            path=file.path,
            previous_path=file.previous,
            status=file.status,
            additions=added,
            deletions=removed,
            sha=file.sha,
            patch=patch if len(patch) <= PATCH_MAX else "",
        )
        for file, (added, removed), patch in zip(raw, counts, patches, strict=True)
    ]


def commit_files(git: GitStore, sha: str) -> list[FileDelta]:
    parents = git.commit(sha).parents
    return changed_files(git, parents[0] if parents else None, sha)


def unified_diff(git: GitStore, before: str, after: str) -> str:
    return git.run(["diff-tree", "-r", "-M", "-p", "--no-commit-id", before, after]).decode(
        errors="replace"
    )


def touched_paths(git: GitStore, shas: list[str]) -> dict[str, list[tuple[str, str]]]:
    """(status letter, path) of what each commit touched against its first parent, one by one."""
    if not shas:
        return {}
    raw = git.run(
        ["diff-tree", "--stdin", "-r", "-z", "--root", "--name-status"],
        "".join(f"{sha}\n" for sha in shas).encode(),
    )
    found: dict[str, list[tuple[str, str]]] = {sha: [] for sha in shas}
    fields = iter(raw.decode(errors="replace").split("\0"))
    current = ""
    for field in fields:
        name = field.strip("\n")
        if name in found:
            current = name
        elif name:
            found[current].append((name, next(fields)))
    return found
