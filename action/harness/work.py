"""Turns the tree that an agent left into a bundle: inspect, commit, pack, limit its size.

Only the tree counts: whatever history, branches or configuration the agent made in its own `.git`
are thrown away. What could harm another machine is refused before it is committed.
"""

import itertools
import os
import posixpath
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path

from action.harness.folder import OrderFolder, remove
from action.harness.git import OrderGit, StagedPath

BUNDLE_BYTES_MAX = 50 * 1024**2
_LINK = "120000"
_REPOSITORY = "160000"


@dataclass(frozen=True)
class Work:
    head_sha: str
    bundle: Path
    paths: int


@dataclass(frozen=True)
class NoWork:
    """Nothing changed."""


@dataclass(frozen=True)
class RefusedWork:
    """The tree holds something that may not leave this machine."""

    sentence: str


def replace_git_folder(folder: OrderFolder) -> None:
    """Give the work tree a throwaway `.git`, in place of any other; the harness never reads it."""
    own = folder.tree / ".git"
    if own.is_symlink() or own.exists():
        remove(own)
    shutil.copytree(folder.git, own, symlinks=True)


def collect(folder: OrderFolder, git: OrderGit, base_sha: str, start_sha: str) -> "Collected":
    """Commit what changed since `start_sha` and pack `base_sha..head`."""
    found = harmful_file(folder.tree)
    if found is not None:
        return RefusedWork(found)
    staged = git.stage_everything()
    if not staged:
        return NoWork()
    for path in staged:
        reason = harmful_path(git, path)
        if reason is not None:
            return RefusedWork(reason)
    head = git.commit(start_sha, "Work of the agent, as it was left in the tree")
    bundle = folder.root / "work.bundle"
    git.bundle(base_sha, bundle)
    size = bundle.stat().st_size
    if size > BUNDLE_BYTES_MAX:
        return RefusedWork(
            f"The work is {size // 1024**2} MiB packed, and at most "
            f"{BUNDLE_BYTES_MAX // 1024**2} MiB are taken. Remove generated or large files, or "
            "list them in .gitignore."
        )
    return Work(head, bundle, len(staged))


Collected = Work | NoWork | RefusedWork


def harmful_file(tree: Path) -> str | None:
    """A sentence on the first device or set-user-id file anywhere in the tree, ignored or not."""
    for current, folders, files in os.walk(tree):
        for name in (*folders, *files):
            path = Path(current, name)
            mode = path.lstat().st_mode
            shown = path.relative_to(tree)
            if stat.S_ISBLK(mode) or stat.S_ISCHR(mode):
                return f"The agent's work was refused: `{shown}` is a device file."
            if stat.S_ISREG(mode) and mode & (stat.S_ISUID | stat.S_ISGID):
                return f"The agent's work was refused: `{shown}` is set-user-id or set-group-id."
    return None


def harmful_path(git: OrderGit, staged: StagedPath) -> str | None:
    """A sentence on a staged path that may not be committed."""
    if staged.mode == _REPOSITORY:
        return (
            f"The agent's work was refused: `{staged.path}` is a git repository of its own inside "
            "the tree. Remove it or list it in .gitignore."
        )
    if staged.mode == _LINK and leads_out(staged.path, git.text_of(staged.sha)):
        return (
            f"The agent's work was refused: `{staged.path}` is a symbolic link that leads out of "
            "the tree."
        )
    return None


def leads_out(path: str, target: str) -> bool:
    """Whether a link at `path` points outside the tree, by its text alone.

    `..` may only stand at the beginning: after a name it would climb from the target of that name,
    and a link to `.` would make `name/..` the tree's own parent.
    """
    parts = [part for part in target.split("/") if part not in ("", ".")]
    names = list(itertools.dropwhile(lambda part: part == "..", parts))
    if target.startswith("/") or ".." in names:
        return True
    joined = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    first = joined.split("/")[0]
    return first == ".." or first.lower() == ".git"
