"""What the files of a diff hold, before and after, read from git's objects."""

from collections.abc import Callable, Iterable, Mapping

from gates.plumbing import Plumbing
from gates.tree import ChangedFile, EntryKind, FrozenTree, TreeDiff

# Text that people and tools read; what is larger is data, and no gate reads it.
CONTENT_BYTES_MAX = 4 * 1024 * 1024

FILES = frozenset({EntryKind.FILE, EntryKind.EXECUTABLE})


# The bytes of files, by path; what is no file, or too large, is left out.
Contents = Callable[[Iterable[str]], Mapping[str, bytes]]


def contents_after(plumbing: Plumbing, tree: FrozenTree) -> Contents:
    def read(paths: Iterable[str]) -> Mapping[str, bytes]:
        wanted = {
            path: entry.sha
            for path in paths
            if (entry := tree.entries.get(path)) is not None
            and entry.kind in FILES
            and (entry.size_bytes or 0) <= CONTENT_BYTES_MAX
        }
        return _read(plumbing, wanted)

    return read


def contents_before(plumbing: Plumbing, diff: TreeDiff) -> Contents:
    """Reads files of the base, of those that the diff changes or deletes."""
    known: dict[str, ChangedFile] = {file.path: file for file in diff.files}

    def read(paths: Iterable[str]) -> Mapping[str, bytes]:
        there = [p for p in paths if p in known and known[p].before in FILES and "\n" not in p]
        return _read(plumbing, {path: f"{diff.base_sha}:{path}" for path in there})

    return read


def _read(plumbing: Plumbing, names: Mapping[str, str]) -> dict[str, bytes]:
    if not names:
        return {}
    asked = "".join(f"{name}\n" for name in names.values())
    said = plumbing.ask_objects(
        "cat-file", "--batch", stdin=asked.encode("utf-8", "surrogateescape")
    )
    found: dict[str, bytes] = {}
    position = 0
    for path in names:
        head_end = said.index(b"\n", position)
        head = said[position:head_end].split()
        position = head_end + 1
        if head[-1] == b"missing":
            continue
        size = int(head[-1])
        if size <= CONTENT_BYTES_MAX:
            found[path] = said[position : position + size]
        position += size + 1
    return found
