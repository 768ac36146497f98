"""Reads single objects of a mirror from their files, for which git would take a process each.

What a fetch brings in small pieces and what we made ourselves lies in such files (gitformat-loose). Whatever
is not found so, or is not whole, is git's to find or to complain about.
"""

import re
import zlib
from pathlib import Path

_SHA = re.compile("[0-9a-f]{40}")
# More is git's to read: it does not keep a whole file in this process's memory.
_BYTES_MAX = 1024 * 1024


def loose_object(mirror: Path, sha: str) -> tuple[str, bytes] | None:
    """Its type and content; None also where it is large, as a stranger's may be."""
    if not _SHA.fullmatch(sha):
        return None
    reader = zlib.decompressobj()
    try:
        with (mirror / "objects" / sha[:2] / sha[2:]).open("rb") as file:
            raw = reader.decompress(file.read(_BYTES_MAX), _BYTES_MAX)
    except (OSError, zlib.error):
        return None
    if not reader.eof:
        return None
    head, _, content = raw.partition(b"\0")
    kind, _, size = head.partition(b" ")
    return (kind.decode(), content) if size == b"%d" % len(content) else None


def loose_tree_of(mirror: Path, treeish: str) -> str | None:
    """The tree of a commit, or the tree itself."""
    found = loose_object(mirror, treeish)
    match found:
        case ("commit", content):
            return content[len("tree ") :].partition(b"\n")[0].decode()
        case ("tree", _):
            return treeish
        case _:
            return None


def loose_named(mirror: Path, name: str) -> tuple[str, bytes] | None:
    """What a SHA names, or `SHA:path` below a tree or a commit."""
    treeish, is_below, path = name.partition(":")
    if not is_below:
        return loose_object(mirror, name)
    tree = loose_tree_of(mirror, treeish)
    found = loose_object(mirror, tree) if tree else None
    for part in path.split("/") if path else ():
        if found is None or found[0] != "tree":
            return None
        _, below = tree_entries(found[1]).get(part.encode(), (b"", b""))
        found = loose_object(mirror, below.hex())
    return found


def tree_entries(content: bytes) -> dict[bytes, tuple[bytes, bytes]]:
    """Mode and id by name, as git stores them: `<mode> <name>\\0<20 bytes>`."""
    entries = {}
    at = 0
    while at < len(content):
        end = content.index(b"\0", at)
        mode, _, name = content[at:end].partition(b" ")
        entries[name] = (mode, content[end + 1 : end + 21])
        at = end + 21
    return entries
