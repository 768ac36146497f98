"""Imports an agent's bundle by way of a throwaway repository.

Nothing of a refused bundle reaches the mirror; of an accepted one, only the objects of the tip's tree
that the base lacks. git reads the bundle without secrets and under limits of processor time and
memory, and never lists a whole tree of it, because a tree can be a bomb.
"""

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bot.adapters.git.inspection import (
    BundleHeader,
    TreeDelta,
    deltas_between,
    judge_links,
    judge_names,
    judge_sizes,
    parse_header,
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
# A row of ls-tree is 53 bytes and a path; folders have rows, too.
_ROW_BYTES_MAX = 1_000
_LINK_BYTES_MAX = 4_096
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
            paths = throwaway.check_changes()
            tree, pack = throwaway.pack_tree()
        except _Refused as refused:
            return refused.refusal
        if isinstance(paths, BundleRefusal):
            return paths
        git.run(mirror, ["unpack-objects", "-q", "--strict"], pack)
    return ImportedHead(tree=tree, paths=paths)


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
        options = ["--stdin", "--fix-thin", "--strict", f"--max-input-size={len(bundle)}"]
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

    def check_changes(self) -> tuple[str, ...] | BundleRefusal:
        """The changed paths in order, or the refusal.

        `ls-tree` streams, so it can be stopped early; `diff-tree` would load a tree bomb into memory.
        """
        listing = ["ls-tree", "-r", "-t", "-z", "--full-tree"]
        before = self._must(self._attempt([*listing, _START_REF]))
        out_max = len(before) + (self.rules.files_changed_max + 1) * _ROW_BYTES_MAX
        try:
            after = self._must(self._attempt([*listing, _TIP_REF], out_max=out_max))
        except OutputTooLong:
            return too_many_files(self.rules)
        rows = deltas_between(before, after)
        if any(row.is_folder and row.object_id == _EMPTY_TREE for row in rows):
            raise _Refused(RefusalCode.FOREIGN_OBJECT, "The bundle has a folder without files.")
        deltas = tuple(row for row in rows if not row.is_folder)
        refusal = judge_names(deltas, self.rules) or self._judge_contents(deltas)
        return refusal or tuple(row.display_path for row in deltas)

    def pack_tree(self) -> tuple[Sha, bytes]:
        """The tip's tree, and a thin pack of the objects that `start_sha` lacks."""
        output = self._must(self._attempt(["rev-parse", f"{_TIP_REF}^{{tree}}"]))
        tree = Sha(output.decode().strip())
        wanted = f"{tree}\n^{self.rules.start_sha}\n".encode()
        options = ["--revs", "--thin", "--stdout", "-q"]
        return tree, self._must(self._attempt(["pack-objects", *options], wanted))

    def _judge_contents(self, deltas: tuple[TreeDelta, ...]) -> BundleRefusal | None:
        blobs = list(dict.fromkeys(row.object_id for row in deltas if row.exists))
        names = "".join(f"{blob}\n" for blob in blobs).encode()
        check = ["cat-file", "--batch-check=%(objecttype) %(objectsize)"]
        output = self._must(self._attempt(check, names)).decode().splitlines()
        if len(output) != len(blobs) or not all(line.startswith("blob ") for line in output):
            raise _Refused(RefusalCode.UNREADABLE, "The bundle lacks files that its tree names.")
        sizes = {blob: int(line.split(" ")[1]) for blob, line in zip(blobs, output, strict=True)}
        links = [row for row in deltas if row.is_symlink]
        if any(sizes[row.object_id] > _LINK_BYTES_MAX for row in links):
            raise _Refused(RefusalCode.LEAVES_THE_TREE, "A link is longer than a path can be.")
        targets = {row: self._read_link(row.object_id) for row in links}
        return judge_sizes(deltas, sizes, self.rules) or judge_links(targets)

    def _read_link(self, blob: Sha) -> bytes:
        return self._must(self._attempt(["cat-file", "blob", blob]))

    @property
    def _git_dir(self) -> Path:
        return self.folder / "throwaway.git"

    @property
    def _other_base(self) -> str:
        return (
            f"The bundle's commits do not stand one by one on {self.rules.start_sha[:10]}, "
            "from which the agent was to start."
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
            raise _Refused(RefusalCode.TOO_LARGE, "The bundle unpacks to more than is allowed.")
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
