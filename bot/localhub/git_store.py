"""One bare repository: objects and refs by their files, everything else by git itself.

A git process gets a clean environment; commits are immutable and cached. Who may move which ref is
decided elsewhere.
"""

import base64
import hashlib
import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.localhub.github_json import ZERO_SHA
from bot.localhub.object_files import (
    FOLDER_MODE,
    GitObject,
    ObjectFiles,
    Row,
    rows_of,
    tree_of_rows,
)
from bot.localhub.ref_files import Step, moved_by_files
from bot.localhub.tree_edits import FileChange, GitError, by_folder, edited_tree


@dataclass(frozen=True)
class Signature:
    name: str
    email: str
    at: datetime

    @property
    def line(self) -> str:
        """As a commit has it. Raises `GitError` where git finds no name."""
        name, email = _plain(self.name), _plain(self.email)
        if not name:
            raise GitError("empty ident name not allowed")
        return f"{name} <{email}> {int(self.at.timestamp())} +0000"


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


# The file of a repository that names the commits which the hub has signed; the update hook reads it.
SIGNED_COMMITS = "localhub-signed"
_SIGNATURE = "gpgsig"

# Commands whose answer about full SHAs never changes.
_READING = {"cat-file", "diff-tree", "ls-tree", "merge-base", "rev-list", "rev-parse"}
_PINNED = re.compile(r"\^?[0-9a-f]{40}([:^].*)?|blob|commit")
_REMEMBERED_MAX = 2_000
_REMEMBERED_BYTES_MAX = 16_384

# What git's programs say first, by program and the repository's settings: a process for each repository.
_ABLE: dict[tuple[str, ...], bytes] = {}

_SHA = re.compile("[0-9a-f]{40}")
# What git takes from the ends of a name (ident.c).
_CRUD = "".join(map(chr, range(33))) + ".,:;<>\"\\'"


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
    def __init__(self, folder: Path, incoming: Path | None = None) -> None:
        self.folder = folder
        self.known_diffs: dict[tuple[str | None, str], list[FileDelta]] = {}
        self._objects = ObjectFiles(folder, incoming)
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

    @property
    def capabilities(self) -> bytes:
        """The first answer to readers by protocol version 2; it never changes."""
        return self._able("upload-pack", {"GIT_PROTOCOL": "version=2"})

    @property
    def push_capabilities(self) -> bytes:
        """What git says that it can do for pushes; it never changes."""
        return self._able("receive-pack", {}).partition(b"\n")[0].partition(b"\0")[2]

    def _able(self, program: str, environment: Mapping[str, str]) -> bytes:
        """What a program of git's says first; of repositories with equal settings it is the same."""
        lines = (self.folder / "config").read_text(encoding="utf-8").splitlines()
        asked = (program, *(line for line in lines if "hooksPath" not in line))
        if asked not in _ABLE:
            arguments = [program, "--stateless-rpc", "--advertise-refs", str(self.folder)]
            _ABLE[asked] = self.run(arguments, environment=environment)
        return _ABLE[asked]

    @property
    def head(self) -> str:
        return (self.folder / "HEAD").read_text().removeprefix("ref: ").strip()

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
        """All refs with the object that each names, by name."""
        loose = {}
        for folder, _, names in os.walk(self.folder / "refs"):
            for place in (Path(folder, name) for name in names if not name.endswith(".lock")):
                with suppress(FileNotFoundError):
                    loose[str(place.relative_to(self.folder))] = place.read_text().strip()
        # Afterwards: git writes this file before it takes what it packs away.
        packed = self.folder / "packed-refs"
        lines = packed.read_text().splitlines() if packed.exists() else []
        found = {line[41:]: line[:40] for line in lines if _SHA.match(line)}
        return dict(sorted((found | loose).items()))

    def move_refs(self, steps: Sequence[Step]) -> bool:
        """Move all of these refs or none."""
        sound = all(after == ZERO_SHA or self._may_name(ref, after) for ref, after, _ in steps)
        if sound and moved_by_files(self.folder, steps):
            return True
        lines = [f"update {ref} {after} {before or ''}".rstrip() for ref, after, before in steps]
        script = "\n".join(["start", *lines, "prepare", "commit", ""]).encode()
        return self.attempt(["update-ref", "--stdin"], script).returncode == 0

    def set_ref(self, ref: str, sha: str) -> None:
        """Wherever it was before. Raises `GitError` where git refuses it."""
        if not self.move_refs([(ref, sha, None)]):
            raise GitError(f"{ref} cannot be at {sha}")

    def _may_name(self, ref: str, sha: str) -> bool:
        kind = self.type_of(sha)
        return kind is not None and (kind == "commit" or not ref.startswith("refs/heads/"))

    def _object(self, sha: str) -> GitObject | None:
        if not _SHA.fullmatch(sha):
            return None
        found = self._objects.read(sha)
        if found is None:
            head, _, content = self.run(["cat-file", "--batch"], f"{sha}\n".encode()).partition(
                b"\n"
            )
            words = head.decode().split()
            found = GitObject(words[1], content[:-1]) if len(words) == 3 else None
        return found

    def _required(self, sha: str, kind: str) -> bytes:
        found = self._object(sha)
        if found is None or found.kind != kind:
            raise GitError(f"{sha} is no {kind}")
        return found.content

    def type_of(self, sha: str) -> str | None:
        """`commit`, `tree`, `blob` or `tag`; None if there is no such object."""
        found = self._object(sha)
        return None if found is None else found.kind

    def commit_sha(self, name: str) -> str | None:
        """The full SHA of the commit that a (short) SHA or a tag object names, or None."""
        if name.startswith("-"):
            return None
        if self.type_of(name) == "commit":
            return name
        done = self.attempt(["rev-parse", "--verify", "--quiet", f"{name}^{{commit}}"])
        return done.stdout.decode().strip() if done.returncode == 0 else None

    def commit(self, sha: str) -> Commit:
        """The commit; raises `GitError` if the SHA names none."""
        known = self._commits.get(sha)
        if known is None:
            known = _parse_commit(sha, self._required(sha, "commit").decode(errors="replace"))
            self._commits[sha] = known
        return known

    def commit_list(
        self, revisions: Sequence[str], options: Sequence[str] = (), paths: Sequence[str] = ()
    ) -> list[str]:
        """SHAs that the revisions reach, newest first."""
        is_whole = not paths and (len(revisions) > 1 or not options)
        if is_whole and self.is_next(revisions[0], [name[1:] for name in revisions[1:]]):
            return [revisions[0]]
        text = self._text("rev-list", *options, *revisions, "--", *paths)
        return [line for line in text.splitlines() if line]

    def is_next(self, tip: str, excluded: Sequence[str]) -> bool:
        """Whether the excluded are exactly the parents of this commit: it is all that is new."""
        is_commit = self.type_of(tip) == "commit"
        return is_commit and set(self.commit(tip).parents) == set(excluded)

    def new_commits(self, tip: str, excluded: Sequence[str]) -> list[str]:
        """What the tip has and none of the excluded, of which there may be very many; oldest first."""
        if self.is_next(tip, excluded):
            return [tip]
        revisions = "\n".join([tip, *(f"^{sha}" for sha in excluded)])
        options = ["--reverse", "--topo-order", "--stdin"]
        return self.run(["rev-list", *options], revisions.encode()).decode().split()

    def merge_base(self, one: str, other: str) -> str | None:
        done = self.attempt(["merge-base", one, other])
        return done.stdout.decode().split("\n")[0] if done.returncode == 0 else None

    def is_ancestor(self, ancestor: str, descendant: str) -> bool:
        """Whether the one is reachable from the other; a commit is reachable from itself."""
        is_commit = self.type_of(descendant) == "commit"
        if is_commit and ancestor in self.commit(descendant).parents:
            return True
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
        found = Row(FOLDER_MODE, self._tree_sha(treeish), "")
        for part in path.split("/") if path else ():
            rows = self.rows(found.sha) if found.mode == FOLDER_MODE else {}
            if part not in rows:
                return None
            found = rows[part]
        size = len(self.blob(found.sha)) if found.kind == "blob" else None
        return TreeEntry(found.mode, found.kind, found.sha, size, path)

    def _tree_sha(self, treeish: str) -> str:
        kind = self.type_of(treeish)
        if kind == "commit":
            return self.commit(treeish).tree
        return treeish if kind == "tree" else self._text("rev-parse", f"{treeish}^{{tree}}").strip()

    def rows(self, tree: str) -> dict[str, Row]:
        return {row.name: row for row in rows_of(self._required(tree, "tree"))}

    def blob(self, sha: str) -> bytes:
        return self._required(sha, "blob")

    def write_blob(self, content: bytes) -> str:
        return self._objects.write("blob", content)

    def write_tree(self, rows: Mapping[str, Row]) -> str:
        return self._objects.write("tree", tree_of_rows(rows))

    def read_file(self, treeish: str, path: str) -> bytes | None:
        entry = self.entry(treeish, path)
        return self.blob(entry.sha) if entry is not None and entry.type == "blob" else None

    def names_in(self, treeish: str, folder: str) -> list[str]:
        entry = self.entry(treeish, folder)
        rows = self.rows(entry.sha) if entry is not None and entry.type == "tree" else {}
        return [row.name for row in rows.values() if row.kind == "blob"]

    def merged_tree(self, one: str, other: str) -> str | None:
        """The tree of merging two commits; None if they conflict."""
        done = self.attempt(
            ["merge-tree", "--write-tree", "--allow-unrelated-histories", one, other]
        )
        return done.stdout.decode().split("\n")[0] if done.returncode == 0 else None

    def changed_tree(self, base: str | None, changes: Sequence[FileChange]) -> str:
        before = None if base is None else self._tree_sha(base)
        return edited_tree(self, before, by_folder(changes)) or self.write_tree({})

    def commit_tree(
        self,
        tree: str,
        parents: Sequence[str],
        message: str,
        author: Signature,
        committer: Signature,
    ) -> str:
        """Make a commit object; no ref moves."""
        if "\0" in message:
            raise GitError("a NUL byte in commit log message not allowed.")
        lines = [f"tree {tree}", *(f"parent {parent}" for parent in dict.fromkeys(parents))]
        lines += [f"author {author.line}", f"committer {committer.line}", "", message]
        return self._objects.write("commit", "\n".join(lines).encode())

    def sign(self, sha: str) -> str:
        """The commit once more, as the hub signs it; no ref moves."""
        payload = self._required(sha, "commit").decode()
        head, _, message = payload.partition("\n\n")
        seal = base64.b64encode(hashlib.sha512(payload.encode()).digest()).decode()
        lines = ["-----BEGIN PGP SIGNATURE-----", "", seal, "-----END PGP SIGNATURE-----", ""]
        text = f"{head}\n{_SIGNATURE} " + "\n ".join(lines) + f"\n\n{message}"
        signed = self._objects.write("commit", text.encode())
        with (self.folder / SIGNED_COMMITS).open("a", encoding="ascii") as known:
            known.write(f"{signed}\n")
        return signed

    def signature(self, sha: str) -> SignedText | None:
        """A commit's signature, whoever made it; None where it has none."""
        text = self._required(sha, "commit").decode(errors="replace")
        head, _, message = text.partition("\n\n")
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


def _plain(name: str) -> str:
    """A name or an address as git writes it."""
    return re.sub("[\n<>]", "", name.strip(_CRUD))
