"""What refs a repository has, as git tells it over HTTP (gitprotocol-v2, gitprotocol-pack).

Every look of a client asks for it. What git can do is git's own answer, asked once a repository.
"""

from collections.abc import Iterator

from bot.localhub.git_store import GitStore
from bot.localhub.github_json import ZERO_SHA

_FLUSH, _DELIMITER = b"0000", b"0001"


def readers_refs(git: GitStore, asked: bytes) -> bytes | None:
    """The answer to `ls-refs`; None where something else is asked, or tags must be peeled."""
    lines = list(_lines(asked))
    refs = git.read_refs()
    is_listing = lines[:1] == ["command=ls-refs"]
    if not is_listing or ("peel" in lines and any(ref.startswith("refs/tags/") for ref in refs)):
        return None
    prefixes = tuple(
        line.removeprefix("ref-prefix ") for line in lines if line.startswith("ref-prefix ")
    )
    target = git.head
    link = f" symref-target:{target}" if "symrefs" in lines else ""
    found = []
    if not prefixes or "HEAD".startswith(prefixes):
        if target in refs:
            found.append(f"{refs[target]} HEAD{link}")
        elif "unborn" in lines:
            found.append(f"unborn HEAD{link}")
    found += [
        f"{sha} {ref}" for ref, sha in refs.items() if not prefixes or ref.startswith(prefixes)
    ]
    return b"".join(packet(f"{one}\n".encode()) for one in found) + _FLUSH


def pushers_refs(git: GitStore) -> bytes:
    """What `git receive-pack` tells first (version 0)."""
    refs = git.read_refs() or {"capabilities^{}": ZERO_SHA}
    (first, sha), *others = refs.items()
    head = f"{sha} {first}".encode() + b"\0" + git.push_capabilities + b"\n"
    return b"".join([packet(head), *(packet(f"{s} {r}\n".encode()) for r, s in others), _FLUSH])


def packet(content: bytes) -> bytes:
    """A pkt-line (gitprotocol-common)."""
    return f"{len(content) + 4:04x}".encode() + content


def _lines(asked: bytes) -> Iterator[str]:
    """The lines of a request up to its flush packet."""
    at = 0
    while (length_text := asked[at : at + 4]) not in (_FLUSH, b""):
        length = 4 if length_text == _DELIMITER else int(length_text, 16)
        yield asked[at + 4 : at + length].decode(errors="replace").rstrip("\n")
        at += max(length, 4)
