"""Imports an agent's bundle by way of a throwaway repository.

Single files that break a rule are dropped: the tree is made anew without them, and judged again.
Nothing of a refused bundle reaches the mirror; of an accepted one, only the objects of that tree that
the base lacks. git reads the bundle without secrets and under limits of processor time and
memory, and never lists a whole tree of it, because a tree can be a bomb.
"""

import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bot.adapters.git.inspection import (
    BundleHeader,
    Fault,
    TreeDelta,
    deltas_between,
    judge_links,
    judge_names,
    judge_secrets,
    judge_sizes,
    nothing_changed,
    out_of_place,
    parse_header,
    refused_files,
    too_large_together,
    too_many_files,
)
from bot.adapters.git.mirrors import make_bare
from bot.adapters.git.process import (
    Answer,
    CallOptions,
    GitFailed,
    GitProgram,
    OutputTooLong,
    TimedOut,
)
from bot.core.values.candidate import BundleRefusal, BundleRules, ImportedHead, RefusalCode
from bot.core.values.ids import Sha

_UNPACK_TIMEOUT_SECONDS = 120.0
_COMMITS_MAX = 1_000
_READ_AT_ONCE_BYTES = 16 * 1024 * 1024
# Names for which git refuses a pack as a whole; here they are faults of single files.
_JUDGED_BY_US = "hasDot=warn,hasDotdot=warn,hasDotgit=warn"
# A row of ls-tree is 53 bytes and a path; folders have rows, too.
_ROW_BYTES_MAX = 1_000
_START_REF, _TIP_REF = "refs/heads/start", "refs/heads/tip"
_EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
# Small windows keep a mirror of gigabytes inside of the memory limit.
_LOW_MEMORY_CONFIG = """\
	packedGitWindowSize = 32m
	packedGitLimit = 256m
	bigFileThreshold = 10m
[pack]
	threads = 1
"""
_DOT_GIT_FAULT = re.compile(r"hasDotgit|hasDotdot|hasDot\b|fullPathname", re.IGNORECASE)
_FSCK_FAULT = re.compile(
    r"^(error: object|fatal: fsck error|fatal: .* in tree entry)", re.MULTILINE
)
_OUT_OF_BOUNDS = re.compile(
    r"out of memory|mmap failed|died of signal|exceeds maximum|too large", re.IGNORECASE
)


class _Refused(Exception):
    def __init__(self, code: RefusalCode, sentence: str) -> None:
        super().__init__(sentence)
        self.refusal = BundleRefusal(code=code, sentence=sentence)


def import_bundle(
    git: GitProgram, mirror: Path, bundle: bytes, rules: BundleRules
) -> ImportedHead | BundleRefusal:
    """Check the bundle and copy its tree into the mirror; a second import gives the same result.

    Raises `GitFailed` where the mirror lacks `start_sha`.
    """
    if len(bundle) > rules.bundle_bytes_max:
        sentence = f"The bundle is larger than {rules.bundle_bytes_max} bytes."
        return BundleRefusal(code=RefusalCode.TOO_LARGE, sentence=sentence)
    header = parse_header(bundle)
    if isinstance(header, BundleRefusal):
        return header
    with tempfile.TemporaryDirectory(prefix="headgate-bundle-") as folder:
        throwaway = _Throwaway(git, Path(folder), mirror, rules)
        try:
            throwaway.unpack(bundle, header)
            throwaway.check_commits()
            head = throwaway.check_changes()
            if isinstance(head, BundleRefusal):
                return head
            pack = throwaway.pack(head.tree)
        except _Refused as refused:
            return refused.refusal
        git.run(mirror, ["unpack-objects", "-q", "--strict"], pack)
    return head


@dataclass(frozen=True)
class _Throwaway:
    """The repository of one import; it borrows the mirror's objects."""

    git: GitProgram
    folder: Path
    mirror: Path
    rules: BundleRules

    def unpack(self, bundle: bytes, header: BundleHeader) -> None:
        """Unpack and check that its prerequisites are in our history and all objects are valid.

        Not by `git fetch`, which ignores `transfer.fsckObjects` for a bundle (git 2.39).
        """
        make_bare(self.git, self._git_dir)
        with (self._git_dir / "config").open("a", encoding="utf-8") as config:
            config.write(f"[core]\n{_LOW_MEMORY_CONFIG}")
        made = self._attempt(["update-ref", _START_REF, self.rules.start_sha])
        if made.code != 0:
            raise GitFailed(made.code, made.complaint)
        file = self.folder / "agent.bundle"
        file.write_bytes(bundle)
        verified = self._attempt(["bundle", "verify", str(file)])
        if "prerequisite commits" in verified.complaint:
            raise _Refused(RefusalCode.OTHER_BASE, self._other_base)
        self._must(verified)
        strict = f"--strict={_JUDGED_BY_US}"
        options = ["--stdin", "--fix-thin", strict, f"--max-input-size={len(bundle)}"]
        self._must(self._attempt(["index-pack", *options], bundle[header.pack_at :]))
        self._must(self._attempt(["update-ref", _TIP_REF, f"{header.tip}^{{commit}}"]))

    def check_commits(self) -> None:
        """Check that only commits with one parent each lead from `start_sha` to the tip."""
        options = ["--parents", f"--max-count={_COMMITS_MAX + 1}"]
        output = self._must(self._attempt(["rev-list", *options, _TIP_REF, f"^{_START_REF}", "--"]))
        commits = [row.split(" ") for row in output.decode().splitlines()]
        if len(commits) > _COMMITS_MAX:
            sentence = f"The bundle has more than {_COMMITS_MAX} commits."
            raise _Refused(RefusalCode.TOO_LARGE, sentence)
        if not commits:
            tip = self._must(self._attempt(["rev-parse", _TIP_REF])).decode().strip()
            if tip == self.rules.start_sha:
                raise _Refused(RefusalCode.EMPTY, "The agent made no commit.")
            raise _Refused(RefusalCode.OTHER_BASE, self._other_base)
        expected = [*(row[0] for row in commits[1:]), self.rules.start_sha]
        if [row[1:] for row in commits] != [[parent] for parent in expected]:
            raise _Refused(RefusalCode.OTHER_BASE, self._other_base)

    def check_changes(self) -> ImportedHead | BundleRefusal:
        """The tree without files that break a rule; refused whole where nothing else is left."""
        changed = self._changes(_TIP_REF)
        if isinstance(changed, BundleRefusal):
            return changed
        asked = tuple(row for row in changed if self._is_asked(row))
        faults = self._faults(asked)
        if isinstance(faults, BundleRefusal):
            return faults
        if asked == changed and not faults:
            return self._head(_TIP_REF, changed)
        refused = refused_files(faults) if faults else None
        kept = tuple(row for row in asked if row not in faults)
        if refused and not kept:
            return refused
        tree = self._made_anew(kept)
        # A file that is put back may need the place of one that is kept, so it is judged again.
        again = self._changes(tree)
        if isinstance(again, BundleRefusal) or again != kept:
            return refused or out_of_place()
        return self._head(tree, kept).replace(refused=refused)

    def _is_asked(self, row: TreeDelta) -> bool:
        return not self.rules.only or row.display_path in self.rules.only

    def _head(self, tree: str, deltas: tuple[TreeDelta, ...]) -> ImportedHead:
        paths = tuple(row.display_path for row in deltas)
        output = self._must(self._attempt(["rev-parse", f"{tree}^{{tree}}"]))
        tree_sha = Sha(output.decode().strip())
        return ImportedHead(tree=tree_sha, paths=paths)

    def _changes(self, tree: str) -> tuple[TreeDelta, ...] | BundleRefusal:
        """What differs from the start, in order.

        `ls-tree` streams, so it can be stopped early; `diff-tree` would load a tree bomb into memory.
        """
        listing = ["ls-tree", "-r", "-t", "-z", "--full-tree"]
        before = self._must(self._attempt([*listing, _START_REF]))
        out_max = len(before) + (self.rules.files_changed_max + 1) * _ROW_BYTES_MAX
        try:
            after = self._must(self._attempt([*listing, tree], out_max=out_max))
        except OutputTooLong:
            return too_many_files(self.rules)
        rows = deltas_between(before, after)
        if any(row.is_folder and row.object_id == _EMPTY_TREE for row in rows):
            raise _Refused(RefusalCode.FOREIGN_OBJECT, "The bundle has a folder without files.")
        deltas = tuple(row for row in rows if not row.is_folder)
        if not deltas and not self.rules.only:
            return nothing_changed()
        return too_many_files(self.rules) if len(deltas) > self.rules.files_changed_max else deltas

    def _faults(self, deltas: tuple[TreeDelta, ...]) -> dict[TreeDelta, Fault] | BundleRefusal:
        """What is wrong with single files; a refusal for what they are together."""
        found = dict(judge_names(deltas, self.rules))
        rest = [row for row in deltas if row not in found]
        sizes = self._sizes(rest)
        found |= judge_sizes(rest, sizes, self.rules)
        links = [row for row in rest if row.is_symlink and row not in found]
        found |= judge_links({row: self._read_blob(row.object_id) for row in links})
        left = [row for row in rest if row not in found]
        refused = too_large_together(left, sizes, self.rules)
        if refused is not None:
            return refused
        for contents in self._contents(left, sizes):
            found |= judge_secrets(contents, self._text)
        return {row: found[row] for row in deltas if row in found}

    def _contents(
        self, deltas: list[TreeDelta], sizes: Mapping[Sha, int]
    ) -> Iterator[dict[TreeDelta, bytes]]:
        """The files' contents, some megabytes at a time."""
        files = [row for row in deltas if row.exists and not row.is_symlink]
        while files:
            size, count = 0, 0
            while count < len(files) and size < _READ_AT_ONCE_BYTES:
                size += sizes[files[count].object_id]
                count += 1
            yield self._read(files[:count], sizes)
            files = files[count:]

    def _read(self, deltas: list[TreeDelta], sizes: Mapping[Sha, int]) -> dict[TreeDelta, bytes]:
        names = "".join(f"{row.object_id}\n" for row in deltas).encode()
        output = self._must(self._attempt(["cat-file", "--batch=%(objectname)"], names))
        found, at = {}, 0
        for row in deltas:
            begin = at + len(row.object_id) + 1
            at = begin + sizes[row.object_id] + 1
            found[row] = output[begin : at - 1]
        return found

    def _text(self, blob: Sha) -> str:
        return self._read_blob(blob).decode("utf-8", "replace")

    def _sizes(self, deltas: list[TreeDelta]) -> dict[Sha, int]:
        blobs = list(dict.fromkeys(row.object_id for row in deltas if row.exists))
        names = "".join(f"{blob}\n" for blob in blobs).encode()
        check = ["cat-file", "--batch-check=%(objecttype) %(objectsize)"]
        output = self._must(self._attempt(check, names)).decode().splitlines()
        if len(output) != len(blobs) or not all(line.startswith("blob ") for line in output):
            raise _Refused(RefusalCode.UNREADABLE, "The bundle lacks files of its tree.")
        return {blob: int(line.split(" ")[1]) for blob, line in zip(blobs, output, strict=True)}

    def _made_anew(self, kept: tuple[TreeDelta, ...]) -> Sha:
        """The start's tree with these changes alone."""
        self._must(self._attempt(["read-tree", _START_REF]))
        rows = (
            f"{row.mode} {row.object_id}".encode() if row.exists else b"0 " + b"0" * 40
            for row in kept
        )
        lines = b"".join(
            facts + b"\t" + row.path + b"\0" for facts, row in zip(rows, kept, strict=True)
        )
        self._must(self._attempt(["update-index", "-z", "--index-info"], lines))
        return Sha(self._must(self._attempt(["write-tree"])).decode().strip())

    def pack(self, tree: Sha) -> bytes:
        """A thin pack of the tree's objects that `start_sha` lacks."""
        wanted = f"{tree}\n^{self.rules.start_sha}\n".encode()
        options = ["--revs", "--thin", "--stdout", "-q"]
        return self._must(self._attempt(["pack-objects", *options], wanted))

    def _read_blob(self, blob: Sha) -> bytes:
        return self._must(self._attempt(["cat-file", "blob", blob]))

    @property
    def _git_dir(self) -> Path:
        return self.folder / "throwaway.git"

    @property
    def _other_base(self) -> str:
        return (
            "The bundle's commits are not a linear series on top of "
            f"{self.rules.start_sha[:10]}, the agent's starting commit."
        )

    def _attempt(
        self, arguments: list[str], stdin: bytes = b"", out_max: int | None = None
    ) -> Answer:
        """Run git under limits, because the objects are not checked yet."""
        borrowed = str(self.mirror / "objects")
        limits = CallOptions(
            environment={"GIT_ALTERNATE_OBJECT_DIRECTORIES": borrowed},
            timeout_seconds=_UNPACK_TIMEOUT_SECONDS,
            out_bytes_max=out_max,
            limited=True,
        )
        try:
            return self.git.attempt(self._git_dir, arguments, stdin, limits)
        except TimedOut as late:
            raise _Refused(RefusalCode.TOO_LARGE, f"The bundle: {late.sentence}") from late

    def _must(self, answer: Answer) -> bytes:
        if answer.code == 0:
            return answer.out
        if answer.code < 0 or answer.code > 128 or _OUT_OF_BOUNDS.search(answer.complaint):
            raise _Refused(RefusalCode.TOO_LARGE, "The unpacked bundle is larger than allowed.")
        if _DOT_GIT_FAULT.search(answer.complaint):
            sentence = "The bundle has a name that would be written into a `.git` folder."
            raise _Refused(RefusalCode.LEAVES_THE_TREE, sentence)
        if _FSCK_FAULT.search(answer.complaint):
            sentence = f"git refuses an object of the bundle: {_first_fault(answer.complaint)}"
            raise _Refused(RefusalCode.FOREIGN_OBJECT, sentence)
        raise _Refused(RefusalCode.UNREADABLE, "git cannot read the bundle; it is damaged.")


def _first_fault(complaint: str) -> str:
    faults = [line for line in complaint.splitlines() if _FSCK_FAULT.search(line)]
    return faults[0].removeprefix("error: ")[:300]
