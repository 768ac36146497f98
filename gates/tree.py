"""What is judged: the tree of one commit and its difference from a base, read once.

Everything is read with git's plumbing before the first gate runs, so a gate that rewrites files
changes nothing that a later gate is told. Renames are a deletion and an addition: a protected
file that moves away is a protected file that is gone. Paths are `str` with surrogate escapes where
git holds bytes that are not UTF-8.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from gates.plumbing import CheckoutError, Plumbing

# Linux resolves no path longer than this (PATH_MAX), so no symlink needs a longer target.
LINK_TARGET_BYTES_MAX = 4_096

_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


class EntryKind(StrEnum):
    FILE = "file"
    EXECUTABLE = "executable"
    SYMLINK = "symlink"
    GITLINK = "gitlink"


_KINDS = {
    "100644": EntryKind.FILE,
    "100664": EntryKind.FILE,  # written by very old versions of git
    "100755": EntryKind.EXECUTABLE,
    "120000": EntryKind.SYMLINK,
    "160000": EntryKind.GITLINK,
}


@dataclass(frozen=True)
class TreeEntry:
    """One path of a tree; `size_bytes` is None for a gitlink, which holds nothing here."""

    path: str
    kind: EntryKind
    sha: str
    size_bytes: int | None


@dataclass(frozen=True)
class FrozenTree:
    commit_sha: str
    tree_sha: str
    entries: Mapping[str, TreeEntry]


@dataclass(frozen=True)
class ChangedFile:
    """One path of a diff.

    `before` is None where the path is added, `after` where it is deleted. Line counts are None
    for what git takes for binary. `link_target` is set where `after` is a symlink.
    """

    path: str
    before: EntryKind | None
    after: EntryKind | None
    size_bytes: int | None
    lines_added: int | None
    lines_removed: int | None
    link_target: str | None


@dataclass(frozen=True)
class TreeDiff:
    """All that a commit changes of a base, by path; equal trees have no files."""

    base_sha: str
    files: tuple[ChangedFile, ...]

    @property
    def lines_added(self) -> int:
        return sum(file.lines_added or 0 for file in self.files)

    @property
    def lines_removed(self) -> int:
        return sum(file.lines_removed or 0 for file in self.files)


def read_tree(plumbing: Plumbing) -> FrozenTree:
    """The tree of the checkout's HEAD. Raises `CheckoutError` where git cannot say."""
    tree_sha = (
        plumbing.ask_objects("rev-parse", "--verify", f"{plumbing.head_sha}^{{tree}}")
        .decode("ascii")
        .strip()
    )
    listing = plumbing.ask_objects("ls-tree", "-r", "-l", "-z", "--full-tree", tree_sha)
    entries = {entry.path: entry for entry in _entries(listing)}
    return FrozenTree(plumbing.head_sha, tree_sha, MappingProxyType(entries))


def read_diff(plumbing: Plumbing, tree: FrozenTree, base_sha: str) -> TreeDiff:
    """What HEAD changes of `base_sha`. Raises `CheckoutError` where the base is not there."""
    if not _SHA.fullmatch(base_sha):
        raise CheckoutError(f"The diff base {base_sha!r} is not a full commit SHA.")
    try:
        plumbing.ask_objects("cat-file", "-e", f"{base_sha}^{{commit}}")
    except CheckoutError as refusal:
        sentence = f"The diff base {base_sha} is not in this checkout; fetch it first."
        raise CheckoutError(sentence) from refusal
    arguments = ("diff-tree", "-r", "-z", "--raw", "--numstat", "--no-renames", "--no-ext-diff")
    said = plumbing.ask_objects(
        *arguments, "--no-textconv", "--ignore-submodules=none", base_sha, tree.commit_sha
    )
    raw, counts = _raw_and_counts(said)
    links = [path for path, (_, after) in raw.items() if after is EntryKind.SYMLINK]
    targets = _link_targets(plumbing, [tree.entries[path] for path in links])
    files = []
    for path, (before, after) in raw.items():
        added, removed = counts.get(path, (None, None))
        size = tree.entries[path].size_bytes if after is not None else None
        files.append(ChangedFile(path, before, after, size, added, removed, targets.get(path)))
    return TreeDiff(base_sha, tuple(files))


def _entries(listing: bytes) -> Iterator[TreeEntry]:
    for line in listing.split(b"\0"):
        if line:
            meta, _, path = line.partition(b"\t")
            mode, _, sha, size = meta.decode("ascii").split()
            size_bytes = None if size == "-" else int(size)
            yield TreeEntry(_text(path), _kind(mode), sha, size_bytes)


def _raw_and_counts(
    said: bytes,
) -> tuple[
    dict[str, tuple[EntryKind | None, EntryKind | None]],
    dict[str, tuple[int | None, int | None]],
]:
    # `--raw -z` is ":modes shas status NUL path NUL"; `--numstat -z` is "added TAB removed TAB
    # path NUL". Only a record of the first kind starts with a colon.
    raw: dict[str, tuple[EntryKind | None, EntryKind | None]] = {}
    counts: dict[str, tuple[int | None, int | None]] = {}
    fields = iter(said.split(b"\0"))
    for field in fields:
        if field.startswith(b":"):
            before, after = field[1:].decode("ascii").split(" ")[:2]
            raw[_text(next(fields))] = (_kind_or_absent(before), _kind_or_absent(after))
        elif field:
            added, removed, path = field.split(b"\t", 2)
            counts[_text(path)] = (_count(added), _count(removed))
    return raw, counts


def _link_targets(plumbing: Plumbing, links: list[TreeEntry]) -> dict[str, str]:
    targets = {}
    short = [link for link in links if (link.size_bytes or 0) <= LINK_TARGET_BYTES_MAX]
    asked = "".join(f"{link.sha}\n" for link in short).encode("ascii")
    said = plumbing.ask_objects("cat-file", "--batch", stdin=asked) if short else b""
    position = 0
    for link in short:
        start = said.index(b"\n", position) + 1
        size = int(said[position:start].split()[2])
        targets[link.path] = _text(said[start : start + size])
        position = start + size + 1
    return targets


def _kind(mode: str) -> EntryKind:
    try:
        return _KINDS[mode]
    except KeyError:
        raise CheckoutError(f"The tree has an entry with the unknown mode {mode}.") from None


def _kind_or_absent(mode: str) -> EntryKind | None:
    return None if mode == "000000" else _kind(mode)


def _count(number: bytes) -> int | None:
    return None if number == b"-" else int(number)


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")
