"""One bare repository, read and changed with git itself.

Every call is one git process with a clean environment; commits are immutable and cached. Who may
move which ref is decided elsewhere.
"""

import base64
import hashlib
import os
import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path


@dataclass(frozen=True)
class Signature:
    name: str
    email: str
    at: datetime


@dataclass(frozen=True)
class Commit:
    sha: str
    tree: str
    parents: tuple[str, ...]
    author: Signature
    committer: Signature
    message: str


@dataclass(frozen=True)
class SignedText:
    """A commit's signature and what it signs; `is_ours` where the hub itself made it."""

    signature: str
    payload: str
    is_ours: bool


@dataclass(frozen=True)
class TreeEntry:
    """One line of a tree; `size` is None for anything but a blob."""

    mode: str
    type: str
    sha: str
    size: int | None
    path: str


@dataclass(frozen=True)
class FileDelta:
    """One file of a diff in GitHub's words (`added`, `removed`, `modified`, `renamed`)."""

    path: str
    previous_path: str | None
    status: str
    additions: int
    deletions: int
    sha: str
    patch: str


@dataclass(frozen=True)
class FileChange:
    """A file to write (`content` None: to delete) when a commit is made here."""

    path: str
    content: bytes | None
    mode: str = "100644"


# The file of a repository that names the commits which the hub has signed; the update hook reads it.
SIGNED_COMMITS = "localhub-signed"
_SIGNATURE = "gpgsig"

# Commands whose answer about full SHAs never changes.
_READING = {"cat-file", "diff-tree", "ls-tree", "merge-base", "rev-list", "rev-parse"}
_PINNED = re.compile(r"\^?[0-9a-f]{40}([:^].*)?|blob|commit")
_REMEMBERED_MAX = 2_000
_REMEMBERED_BYTES_MAX = 16_384


class GitError(Exception):
    """git refused; the message is git's."""


def scrubbed_environment() -> dict[str, str]:
    """An environment without any git configuration of the machine or the user."""
    return {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "HOME": "/nonexistent",
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
    }


def _signature(line: str) -> Signature:
    person, _, rest = line.rpartition("> ")
    name, _, email = person.partition("<")
    seconds = int(rest.split()[0])
    return Signature(name.strip(), email, datetime.fromtimestamp(seconds, UTC))


def _parse_commit(sha: str, text: str) -> Commit:
    head, _, message = text.partition("\n\n")
    parents: list[str] = []
    fields: dict[str, str] = {}
    for line in head.split("\n"):
        key, _, value = line.partition(" ")
        if key == "parent":
            parents.append(value)
        elif key and key not in fields:
            fields[key] = value
    return Commit(
        sha=sha,
        tree=fields["tree"],
        parents=tuple(parents),
        author=_signature(fields["author"]),
        committer=_signature(fields["committer"]),
        message=message,
    )


class GitStore:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.known_diffs: dict[tuple[str | None, str], list[FileDelta]] = {}
        self._commits: dict[str, Commit] = {}
        self._remembered: dict[tuple[str, ...], subprocess.CompletedProcess[bytes]] = {}

    @classmethod
    def create(cls, folder: Path, default_branch: str, hooks: Path) -> "GitStore":
        """Create an empty bare repository with GitHub's settings for serving and receiving."""
        # What `git init --bare` makes (gitrepository-layout), without a process.
        for part in ("objects/info", "objects/pack", "refs/heads", "refs/tags"):
            (folder / part).mkdir(parents=True)
        (folder / "HEAD").write_text(f"ref: refs/heads/{default_branch}\n")
        config = {
            "core.repositoryFormatVersion": "0",
            "core.fileMode": "true",
            "core.bare": "true",
            "core.hooksPath": str(hooks),
            "core.logAllRefUpdates": "false",
            "http.receivepack": "true",
            "uploadpack.allowAnySHA1InWant": "true",
            "uploadpack.allowFilter": "true",
            "receive.advertiseAtomic": "true",
            "receive.fsckObjects": "true",
            "receive.autogc": "false",
            "gc.auto": "0",
        }
        lines = [
            f"[{key.rpartition('.')[0]}]\n\t{key.rpartition('.')[2]} = {value}\n"
            for key, value in config.items()
        ]
        (folder / "config").write_text("".join(lines), encoding="utf-8")
        return cls(folder)

    @cached_property
    def capabilities(self) -> bytes:
        """The first answer to readers by protocol version 2; it never changes."""
        arguments = ["upload-pack", "--stateless-rpc", "--advertise-refs", str(self.folder)]
        return self.run(arguments, environment={"GIT_PROTOCOL": "version=2"})

    def run(
        self,
        arguments: Sequence[str],
        stdin: bytes = b"",
        environment: Mapping[str, str] | None = None,
    ) -> bytes:
        """git's output; raises `GitError` if it exits with anything but 0."""
        done = self.attempt(arguments, stdin, environment)
        if done.returncode != 0:
            raise GitError(done.stderr.decode(errors="replace").strip())
        return done.stdout

    def attempt(
        self,
        arguments: Sequence[str],
        stdin: bytes = b"",
        environment: Mapping[str, str] | None = None,
    ) -> subprocess.CompletedProcess[bytes]:
        """git's output and exit code."""
        asked = tuple(arguments)
        known = self._remembered.get(asked)
        if known is not None:
            return known
        done = subprocess.run(
            ["git", "-C", str(self.folder), *arguments],
            input=stdin,
            capture_output=True,
            check=False,
            env={**scrubbed_environment(), **(environment or {})},
        )
        if not stdin and not environment and _is_settled(asked, done):
            if len(self._remembered) >= _REMEMBERED_MAX:
                self._remembered.clear()
            self._remembered[asked] = done
        return done

    def _text(self, *arguments: str) -> str:
        return self.run(arguments).decode(errors="replace")

    def read_refs(self) -> dict[str, str]:
        """All refs with the object that each names."""
        lines = self._text("for-each-ref", "--format=%(refname) %(objectname)").splitlines()
        return dict(line.split(" ", 1) for line in lines)

    def type_of(self, sha: str) -> str | None:
        """`commit`, `tree`, `blob` or `tag`; None if there is no such object."""
        done = self.attempt(["cat-file", "-t", sha])
        return done.stdout.decode().strip() if done.returncode == 0 else None

    def commit_sha(self, name: str) -> str | None:
        """The full SHA of the commit that a (short) SHA or a tag object names, or None."""
        if name.startswith("-"):
            return None
        done = self.attempt(["rev-parse", "--verify", "--quiet", f"{name}^{{commit}}"])
        return done.stdout.decode().strip() if done.returncode == 0 else None

    def commit(self, sha: str) -> Commit:
        """The commit; raises `GitError` if the SHA names none."""
        known = self._commits.get(sha)
        if known is None:
            known = _parse_commit(sha, self._text("cat-file", "commit", sha))
            self._commits[sha] = known
        return known

    def commit_list(
        self, revisions: Sequence[str], options: Sequence[str] = (), paths: Sequence[str] = ()
    ) -> list[str]:
        """SHAs that the revisions reach, newest first."""
        text = self._text("rev-list", *options, *revisions, "--", *paths)
        return [line for line in text.splitlines() if line]

    def merge_base(self, one: str, other: str) -> str | None:
        """The best common ancestor, or None for unrelated histories."""
        done = self.attempt(["merge-base", one, other])
        return done.stdout.decode().split("\n")[0] if done.returncode == 0 else None

    def is_ancestor(self, ancestor: str, descendant: str) -> bool:
        """Whether the one is reachable from the other; a commit is reachable from itself."""
        return self.attempt(["merge-base", "--is-ancestor", ancestor, descendant]).returncode == 0

    def tree(self, treeish: str, options: Sequence[str] = ()) -> list[TreeEntry]:
        """The entries of a tree; `-r` and `-t` in options list folders too."""
        raw = self.run(["ls-tree", "-z", "--long", *options, treeish]).decode(errors="replace")
        entries = []
        for line in raw.split("\0"):
            if not line:
                continue
            facts, _, path = line.partition("\t")
            mode, kind, sha, size = facts.split()
            entries.append(TreeEntry(mode, kind, sha, None if size == "-" else int(size), path))
        return entries

    def entry(self, treeish: str, path: str) -> TreeEntry | None:
        """The entry of a path in a tree; the root for an empty path."""
        if not path:
            sha = self._text("rev-parse", f"{treeish}^{{tree}}").strip()
            return TreeEntry("040000", "tree", sha, None, "")
        found = self.attempt(["ls-tree", "-z", "--long", "--full-tree", treeish, "--", path])
        for line in found.stdout.decode(errors="replace").split("\0"):
            facts, _, name = line.partition("\t")
            if name == path:
                mode, kind, sha, size = facts.split()
                return TreeEntry(mode, kind, sha, None if size == "-" else int(size), path)
        return None

    def blob(self, sha: str) -> bytes:
        return self.run(["cat-file", "blob", sha])

    def write_blob(self, content: bytes) -> str:
        return self.run(["hash-object", "-w", "--stdin"], content).decode().strip()

    def read_file(self, treeish: str, path: str) -> bytes | None:
        """A file's bytes at a commit; None if there is no such file."""
        entry = self.entry(treeish, path)
        return self.blob(entry.sha) if entry is not None and entry.type == "blob" else None

    def list_files(self, treeish: str, folder: str) -> list[str]:
        raw = self.run(
            ["ls-tree", "-r", "-z", "--name-only", "--full-tree", treeish, "--", folder or "."]
        )
        return [path for path in raw.decode(errors="replace").split("\0") if path]

    def merged_tree(self, one: str, other: str) -> str | None:
        """The tree of merging two commits; None if they conflict."""
        done = self.attempt(
            ["merge-tree", "--write-tree", "--allow-unrelated-histories", one, other]
        )
        return done.stdout.decode().split("\n")[0] if done.returncode == 0 else None

    def changed_tree(self, base: str | None, changes: Sequence[FileChange]) -> str:
        """The tree of `base` (None: the empty tree) with the changes made."""
        with tempfile.TemporaryDirectory() as scratch:
            index = {"GIT_INDEX_FILE": str(Path(scratch, "index"))}
            if base is not None:
                self.run(["read-tree", base], environment=index)
            lines = []
            written = [change for change in changes if change.content is not None]
            shas = iter(self._write_blobs(Path(scratch), written))
            for change in changes:
                if change.content is None:
                    lines.append(f"0 {'0' * 40}\t{change.path}\0")
                else:
                    lines.append(f"{change.mode} {next(shas)}\t{change.path}\0")
            self.run(["update-index", "-z", "--index-info"], "".join(lines).encode(), index)
            return self.run(["write-tree"], environment=index).decode().strip()

    def _write_blobs(self, scratch: Path, written: Sequence[FileChange]) -> list[str]:
        """The blobs of all contents, by one process."""
        for number, change in enumerate(written):
            (scratch / f"blob{number}").write_bytes(change.content or b"")
        paths = "".join(f"{scratch / f'blob{number}'}\n" for number in range(len(written)))
        arguments = ["hash-object", "-w", "--no-filters", "--stdin-paths"]
        return self.run(arguments, paths.encode()).decode().split() if written else []

    def commit_tree(
        self,
        tree: str,
        parents: Sequence[str],
        message: str,
        author: Signature,
        committer: Signature,
    ) -> str:
        """Make a commit object; no ref moves."""
        environment: dict[str, str] = {}
        for role, who in (("AUTHOR", author), ("COMMITTER", committer)):
            environment[f"GIT_{role}_NAME"] = who.name
            environment[f"GIT_{role}_EMAIL"] = who.email
            environment[f"GIT_{role}_DATE"] = f"{int(who.at.timestamp())} +0000"
        flags = [flag for parent in parents for flag in ("-p", parent)]
        made = self.run(["commit-tree", tree, *flags], message.encode(), environment)
        return made.decode().strip()

    def sign(self, sha: str) -> str:
        """The commit once more, as the hub signs it; no ref moves."""
        payload = self.run(["cat-file", "commit", sha]).decode()
        head, _, message = payload.partition("\n\n")
        seal = base64.b64encode(hashlib.sha512(payload.encode()).digest()).decode()
        lines = ["-----BEGIN PGP SIGNATURE-----", "", seal, "-----END PGP SIGNATURE-----", ""]
        text = f"{head}\n{_SIGNATURE} " + "\n ".join(lines) + f"\n\n{message}"
        made = self.run(["hash-object", "-w", "-t", "commit", "--stdin"], text.encode())
        signed = made.decode().strip()
        with (self.folder / SIGNED_COMMITS).open("a", encoding="ascii") as known:
            known.write(f"{signed}\n")
        return signed

    def signature(self, sha: str) -> SignedText | None:
        """A commit's signature, whoever made it; None where it has none."""
        head, _, message = self._text("cat-file", "commit", sha).partition("\n\n")
        lines = head.split("\n")
        first = next((n for n, line in enumerate(lines) if line.startswith(f"{_SIGNATURE} ")), None)
        if first is None:
            return None
        end = first + 1
        while end < len(lines) and lines[end].startswith(" "):
            end += 1
        said = [
            lines[first].removeprefix(f"{_SIGNATURE} "),
            *(s[1:] for s in lines[first + 1 : end]),
        ]
        payload = "\n".join([*lines[:first], *lines[end:]]) + f"\n\n{message}"
        known = self.folder / SIGNED_COMMITS
        is_ours = known.exists() and sha in known.read_text(encoding="ascii").split()
        return SignedText("\n".join(said), payload, is_ours)


def _is_settled(asked: tuple[str, ...], done: subprocess.CompletedProcess[bytes]) -> bool:
    """Whether the answer can never change: every object is named by its full SHA, and exists."""
    if asked[0] not in _READING or len(done.stdout) > _REMEMBERED_BYTES_MAX:
        return False
    revisions = asked[1 : asked.index("--")] if "--" in asked else asked[1:]
    names = [word for word in revisions if not word.startswith("-")]
    # `merge-base` says "no" by 1, and that an object is missing by 128.
    is_answer = done.returncode == 0 or (asked[0] == "merge-base" and done.returncode == 1)
    return is_answer and bool(names) and all(_PINNED.fullmatch(name) for name in names)
