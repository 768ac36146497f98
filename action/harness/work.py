"""Turns the tree that an agent left into a bundle: inspect, commit, pack, limit its size.

Only the tree counts: whatever history, branches or configuration the agent made in its own `.git`
are thrown away. Leftovers of tools are left out. A path that breaks a rule (it could harm another
machine, is protected, holds a secret) is named and not committed; the rest of the work is.
"""

import itertools
import posixpath
import shutil
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from action.harness.folder import OrderFolder
from action.harness.git import OrderGit, StagedPath
from action.harness.leftovers import Leftovers, marked_folders, patterns
from action.order import AgentOrder
from action.sandbox.trees import remove

BUNDLE_BYTES_MAX = 50 * 1024**2
# What the server takes of one file.
FILE_BYTES_MAX = 10 * 1024**2
# Of what is refused so much is told.
_TOLD_MAX = 50
_LINK = "120000"
_REPOSITORY = "160000"
_A_REPOSITORY = "is a separate git repository inside the tree"
_TOO_LARGE = f"is larger than {FILE_BYTES_MAX // 1024**2} MiB"
_NOT_HELD = "is a kind of file that git cannot store"


@dataclass(frozen=True)
class Work:
    head_sha: str
    bundle: Path
    left_out: tuple[str, ...]
    refused: tuple[str, ...]


@dataclass(frozen=True)
class NoWork:
    left_out: tuple[str, ...]
    refused: tuple[str, ...]


@dataclass(frozen=True)
class TooMuchWork:
    sentence: str


def replace_git_folder(folder: OrderFolder) -> None:
    """Give the work tree a throwaway `.git`, in place of any other; the harness never reads it."""
    own = folder.tree / ".git"
    if own.is_symlink() or own.exists():
        remove(own)
    shutil.copytree(folder.git, own, symlinks=True)


def collect(folder: OrderFolder, git: OrderGit, order: AgentOrder) -> "Collected":
    """Commit what changed since the order's start and pack `base..head`."""
    left_out, faults, bad = _staged(folder, git, order)
    if bad:
        git.unstage([path for path in git.staged() if path.path in bad])
    refused = _sentences(faults | bad)
    own = order.artefacts.paths if order.artefacts else ()
    # Ticked tasks alone are no work. Remade files count as work even if they come out as on main.
    if all(path.path in own for path in git.staged()) and not order.remake:
        return NoWork(left_out, refused)
    head = git.commit(order.start_sha, "Work of the agent")
    bundle = folder.root / "work.bundle"
    git.bundle(order.base_sha, bundle)
    size = bundle.stat().st_size
    if size > BUNDLE_BYTES_MAX:
        return TooMuchWork(
            f"The work is {size // 1024**2} MiB packed, but the limit is "
            f"{BUNDLE_BYTES_MAX // 1024**2} MiB. Remove generated or large files, or list "
            "them in .gitignore."
        )
    return Work(head, bundle, left_out, refused)


def refusals(folder: OrderFolder, git: OrderGit, order: AgentOrder) -> tuple[str, ...]:
    """What of the tree would be refused now, a sentence each; nothing may run in it."""
    _, faults, bad = _staged(folder, git, order)
    # Collecting begins with what is untracked then.
    git.read_index(order.start_sha)
    return _sentences(faults | bad)


def _staged(
    folder: OrderFolder, git: OrderGit, order: AgentOrder
) -> tuple[tuple[str, ...], dict[str, str], dict[str, str]]:
    """Stage the work; what is left out, what could not be staged and what is staged and refused."""
    untracked = git.untracked()
    leftovers = _leftovers(git, order.base_sha, untracked)
    left_out = tuple(shown(name) for name in leftovers.found_in(untracked))
    work = [path for path in untracked if not leftovers.covers(path)]
    faults = {path.removesuffix("/"): _A_REPOSITORY for path in work if path.endswith("/")}
    files = [path for path in work if not path.endswith("/")]
    large = _too_large(folder.tree, git, order.start_sha, files)
    faults |= dict.fromkeys(large, _TOO_LARGE)
    wanted = [path for path in files if path not in faults]
    git.stage(order.start_sha, wanted, large)
    faults |= dict.fromkeys(git.not_staged(wanted), _NOT_HELD)
    own = order.artefacts.paths if order.artefacts else ()
    return left_out, faults, faults_of(git.staged(), folder.tree, git, order.protected, own)


def _too_large(
    tree: Path, git: OrderGit, start_sha: str, untracked: Sequence[str]
) -> tuple[str, ...]:
    """What is not even read, because a file without content can say that it has terabytes."""
    sizes = {path: (tree / path).lstat().st_size for path in (*untracked, *git.changed())}
    large = {path for path, size in sizes.items() if size > FILE_BYTES_MAX}
    before = git.sizes_of(start_sha) if large else {}
    # Main may have large files; which of them changed is not known yet.
    return tuple(sorted(path for path in large if sizes[path] != before.get(path)))


def _sentences(faults: Mapping[str, str]) -> tuple[str, ...]:
    told = [f"`{shown(path)}` {why}" for path, why in faults.items()]
    if len(told) <= _TOLD_MAX:
        return tuple(told)
    return (*told[: _TOLD_MAX - 1], f"and {len(told) - _TOLD_MAX + 1} more")


Collected = Work | NoWork | TooMuchWork


def shown(path: str) -> str:
    """A path as a report can hold it."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _leftovers(git: OrderGit, base_sha: str, untracked: Sequence[str]) -> Leftovers:
    listed = git.untracked_by(patterns(git.ignore_files(base_sha)))
    marked = (folder for folder in marked_folders(untracked) if not git.has_tracked(folder))
    return Leftovers(frozenset((*listed, *marked)))


def faults_of(
    staged: Sequence[StagedPath],
    tree: Path,
    git: OrderGit,
    protected: Sequence[str],
    own: Sequence[str] = (),
) -> dict[str, str]:
    """What is wrong with staged paths, by path; such a path is not handed back.

    `own` are not protected where they are plain files.
    """
    if not staged:
        return {}
    # Imported here: an order that ends without work does not need it.
    from action.harness.protection import Protection

    touches = Protection(protected)
    found = {
        path.path: "is protected"
        if touches.covers(path.path) and not (path.path in own and path.is_plain_file)
        else _fault(path, tree, git)
        for path in staged
    }
    return {path: why for path, why in found.items() if why}


def _fault(path: StagedPath, tree: Path, git: OrderGit) -> str:
    if path.mode == _REPOSITORY:
        return _A_REPOSITORY
    if path.mode == _LINK:
        is_outside = leads_out(path.path, str((tree / path.path).readlink()))
        return "is a symbolic link that leads out of the tree" if is_outside else ""
    if path.is_deleted:
        return ""
    facts = (tree / path.path).lstat()
    if facts.st_mode & (stat.S_ISUID | stat.S_ISGID):
        return "is set-user-id or set-group-id"
    if facts.st_size > FILE_BYTES_MAX:
        return _TOO_LARGE
    return _new_secret(path, tree, git)


def _new_secret(path: StagedPath, tree: Path, git: OrderGit) -> str:
    # Imported here: it costs a third of a second.
    from gates.secret_rules import SECRET_BYTES_MAX, new_secret

    with (tree / path.path).open("rb") as file:
        content = file.read(SECRET_BYTES_MAX)
    return new_secret(content, lambda: git.text_of(path.before) if path.before.strip("0") else "")


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
