"""Implements the port `Git`.

A mirror may be deleted or damaged at any time: a command that fails is run again after a fetch, and a
broken mirror is made again. Local commits that were never pushed are lost then, and are made again
from their recipes.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from bot.adapters.git.bundles import import_bundle
from bot.adapters.git.commits import Commits
from bot.adapters.git.mirrors import (
    Mirrors,
    is_machine_failure,
    lacks_objects,
    looks_broken,
)
from bot.adapters.git.process import GitFailed, GitProgram
from bot.adapters.git.pushed_work import pushed_work
from bot.adapters.git.remote import Remote, remote_failure
from bot.adapters.git.trees import Trees, blobs_below
from bot.adapters.git.union import with_lines_of_both
from bot.adapters.git.workflows import without_workflows
from bot.core.values.candidate import (
    BundleRefusal,
    BundleRules,
    CommitRecipe,
    ImportedHead,
    MergeConflict,
    MergedTree,
    PushedWork,
    PushRefusal,
    PushResult,
    PushRules,
    RefUpdate,
    RefusalCode,
)
from bot.core.values.ids import PullNumber, Ref, RepositoryId, Sha
from bot.core.values.repository import CommitFacts, RepositoryFacts
from bot.ports import Retryable, UserError

_Found = TypeVar("_Found")
_LISTED_FILES_MAX = 50
_LISTINGS_MAX = 1_000
# Some 300 files, which take 60 kB as they are kept.
_SMALL_BYTES_MAX = 32_768
_SMALL_TREES_MAX = 100
# The largest projects have half a million files, whose names take 30 MB.
_NAMES_BYTES_MAX = 64_000_000
# A mirror that is made again has another time, and lacks what was never pushed.
_MADE_AT = "config"
_UNSURE = (RefusalCode.UNREADABLE, RefusalCode.FOREIGN_OBJECT, RefusalCode.OTHER_BASE)


class MirrorGit:
    """One bare mirror per repository under `folder`; safe for several threads and processes.

    `credentials` returns a token for a repository ("" for none) and is called before each connection
    to the server; `forget` is told of one that the server does not know. git may use only `protocols`;
    tests add `file`.
    """

    def __init__(
        self,
        folder: Path,
        credentials: Callable[[RepositoryFacts], str],
        protocols: tuple[str, ...] = ("https", "http"),
        forget: Callable[[str], None] = lambda _: None,
    ) -> None:
        home = folder / "home"
        home.mkdir(parents=True, exist_ok=True)
        self._git = GitProgram(home, protocols)
        self._mirrors = Mirrors(folder, self._git)
        self._remote = Remote(self._git, credentials, forget)
        # What a tree holds never changes; the same few files are asked for at every look.
        self._listed: dict[tuple[RepositoryId, Sha, tuple[str, ...]], Mapping[str, Sha]] = {}
        self._trees: dict[tuple[RepositoryId, Sha], Sha] = {}
        self._small: dict[tuple[RepositoryId, Sha], Mapping[str, Sha]] = {}
        self._large: set[RepositoryId] = set()
        self._listable: dict[tuple[RepositoryId, Sha], bool] = {}
        self._there: set[tuple[RepositoryId, Sha, int]] = set()

    def fetch(self, repository: RepositoryFacts) -> None:
        with self._mirrors.locked_at(repository.id) as mirror:
            answer = self._remote.fetch(mirror, repository)
            is_sound = answer.code == 0 or not looks_broken(answer.complaint, mirror)
            if lacks_objects(answer.complaint):
                is_sound = self._mirrors.is_whole(repository.id)
            if not is_sound or not self._mirrors.tidy(repository.id):
                self._mirrors.replace(repository.id)
                answer = self._remote.fetch(mirror, repository)
            if answer.code != 0:
                raise remote_failure(answer.complaint)

    def fetch_pull(self, repository: RepositoryFacts, pull: PullNumber) -> None:
        """Fetch the objects of a pull's head, also from a fork; no ref of the mirror moves."""
        answer = self._remote.fetch_pull(self._mirrors.at(repository.id), repository, pull)
        if "couldn't find remote ref" in answer.complaint:
            raise UserError(f"The git server has no head of pull {pull}.")
        if answer.code != 0:
            raise remote_failure(answer.complaint)

    def fetch_commit(self, repository: RepositoryFacts, sha: Sha) -> None:
        """Fetch a commit that no ref of the server need name; no ref of the mirror moves."""
        answer = self._remote.fetch_objects(self._mirrors.at(repository.id), repository, sha)
        if answer.code != 0:
            raise remote_failure(answer.complaint)

    def remote_ref(self, repository: RepositoryFacts, ref: Ref) -> Sha | None:
        return self._remote.ref(self._mirrors.at(repository.id), repository, ref)

    def remote_refs(
        self, repository: RepositoryFacts, prefixes: tuple[str, ...]
    ) -> Mapping[Ref, Sha]:
        return self._remote.refs(self._mirrors.at(repository.id), repository, prefixes)

    def has(self, repository: RepositoryFacts, sha: Sha) -> bool:
        """Whether the mirror has the object; never fetches."""
        mirror = self._mirrors.at(repository.id)
        asked = (repository.id, sha, _made_at(mirror))
        if asked in self._there:
            return True
        found = Commits(self._git, mirror).has(sha)
        if found:
            if len(self._there) >= _LISTINGS_MAX:
                self._there.clear()
            self._there.add(asked)
        return found

    def blobs(
        self, repository: RepositoryFacts, tree: Sha, prefixes: tuple[str, ...]
    ) -> Mapping[str, Sha]:
        """Regular files (no links) at or below the prefixes; "" means all of them."""
        asked = (repository.id, tree, prefixes)
        found = self._listed.get(asked)
        if found is None:
            found = self._blobs(repository, tree, prefixes)
            if len(found) <= _LISTED_FILES_MAX:
                if len(self._listed) >= _LISTINGS_MAX:
                    self._listed.clear()
                self._listed[asked] = found
        return found

    def _blobs(
        self, repository: RepositoryFacts, tree: Sha, prefixes: tuple[str, ...]
    ) -> Mapping[str, Sha]:
        """Of a small tree all is listed once, as a look asks for its files by one folder after another."""
        every = self._small.get((repository.id, tree))
        if every is None and repository.id not in self._large:
            found = self._run(
                repository, lambda at: Trees(self._git, at).all_blobs(tree, _SMALL_BYTES_MAX)
            )
            if found is None:
                self._large.add(repository.id)
            else:
                if len(self._small) >= _SMALL_TREES_MAX:
                    self._small.clear()
                every = self._small[repository.id, tree] = found
        if every is not None:
            return blobs_below(every, prefixes)
        self._must_be_listable(repository, tree)
        return self._run(repository, lambda at: Trees(self._git, at).blobs(tree, prefixes))

    def links(self, repository: RepositoryFacts, tree: Sha) -> Mapping[str, str]:
        return self._run(repository, lambda at: Trees(self._git, at).links(tree))

    def files(
        self, repository: RepositoryFacts, tree: Sha, prefixes: tuple[str, ...]
    ) -> Mapping[str, bytes]:
        blobs = self.blobs(repository, tree, prefixes)
        read = self._run(repository, lambda at: Trees(self._git, at).read(blobs.values()))
        return dict(zip(blobs, read, strict=True))

    def history(
        self, repository: RepositoryFacts, since: Sha, until: Sha
    ) -> tuple[CommitFacts, ...] | None:
        """First-parent commits after `since` up to `until`, oldest first.

        None where `since` is not among them or no longer exists.
        """
        try:
            return self._run(repository, lambda at: Commits(self._git, at).history(since, until))
        except UserError:
            if self.has(repository, until) and not self.has(repository, since):
                return None
            raise

    def changed_together(
        self, repository: RepositoryFacts, until: Sha, commits_max: int
    ) -> tuple[tuple[str, ...], ...]:
        """The paths of each of the newest first-parent commits up to `until`, newest first."""
        return self._run(
            repository, lambda at: Commits(self._git, at).changed_together(until, commits_max)
        )

    def last_change(self, repository: RepositoryFacts, until: Sha, path: str) -> Sha | None:
        """The newest first-parent commit up to `until` that changed the path."""
        return self._run(repository, lambda at: Commits(self._git, at).last_change(until, path))

    def tree_of(self, repository: RepositoryFacts, commit: Sha) -> Sha:
        asked = (repository.id, commit)
        found = self._trees.get(asked)
        if found is None:
            found = self._run(repository, lambda at: Commits(self._git, at).tree_of(commit))
            self._keep_tree(asked, found)
        return found

    def _keep_tree(self, asked: tuple[RepositoryId, Sha], tree: Sha) -> None:
        if len(self._trees) >= _LISTINGS_MAX:
            self._trees.clear()
        self._trees[asked] = tree

    def changed_paths(self, repository: RepositoryFacts, old: Sha, new: Sha) -> tuple[str, ...]:
        """Paths that differ between two trees or commits, sorted. Raises `UserError` where `new` is no tree that can be listed."""
        self._must_be_listable(repository, new)
        return self._run(repository, lambda at: Commits(self._git, at).changed_paths(old, new))

    def merge(
        self, repository: RepositoryFacts, base: Sha, head: Sha, union: tuple[str, ...] = ()
    ) -> MergedTree | MergeConflict:
        """Files under `union` (paths, folders, globs) keep the lines of both sides.

        The workflows are those of `base`: a head carries main's, and never any of its own. Raises `UserError`
        where `head` is no tree that can be listed.
        """
        self._must_be_listable(repository, head)

        def merged(at: Path) -> MergedTree | MergeConflict:
            theirs = without_workflows(self._git, at, base, head)
            found = Commits(self._git, at).merge(base, theirs)
            if isinstance(found, MergedTree) or not union:
                return found
            return with_lines_of_both(self._git, at, found, (base, theirs), union)

        return self._run(repository, merged)

    def changed_since_fork(
        self, repository: RepositoryFacts, base: Sha, head: Sha, paths: tuple[str, ...]
    ) -> str:
        return self._run(
            repository, lambda at: Commits(self._git, at).since_fork(base, head, paths)
        )

    def edit_tree(
        self, repository: RepositoryFacts, tree: Sha, edits: Mapping[str, bytes | None]
    ) -> Sha:
        return self._run(repository, lambda at: Trees(self._git, at).edit(tree, edits))

    def with_folder_of(
        self, repository: RepositoryFacts, tree: Sha, other: Sha, folder: str
    ) -> Sha:
        return self._run(
            repository, lambda at: Trees(self._git, at).with_folder_of(tree, other, folder)
        )

    def commit(self, repository: RepositoryFacts, recipe: CommitRecipe) -> Sha:
        commit = self._run(repository, lambda at: Commits(self._git, at).commit(recipe))
        self._keep_tree((repository.id, commit), recipe.tree)
        return commit

    def import_bundle(
        self, repository: RepositoryFacts, bundle: bytes, rules: BundleRules
    ) -> ImportedHead | BundleRefusal:
        return self._run(repository, lambda at: import_bundle(self._git, at, bundle, rules))

    def pushed_work(
        self, repository: RepositoryFacts, pushed: Sha, rules: PushRules
    ) -> PushedWork | PushRefusal:
        return self._run(repository, lambda at: pushed_work(self._git, at, pushed, rules))

    def push(self, repository: RepositoryFacts, updates: tuple[RefUpdate, ...]) -> PushResult:
        return self._run(repository, lambda at: self._remote.push(at, repository, updates))

    def _must_be_listable(self, repository: RepositoryFacts, tree: Sha) -> None:
        """Raises `UserError` for a tree bomb: a few small objects that name more files than memory holds."""
        asked = (repository.id, tree)
        if asked not in self._listable:
            if len(self._listable) >= _LISTINGS_MAX:
                self._listable.clear()
            self._listable[asked] = self._run(
                repository, lambda at: Trees(self._git, at).names_fit(tree, _NAMES_BYTES_MAX)
            )
        if not self._listable[asked]:
            raise UserError(
                f"{tree} has too many files: their names are longer than {_NAMES_BYTES_MAX:,} "
                "bytes."
            )

    def _run(self, repository: RepositoryFacts, command: Callable[[Path], _Found]) -> _Found:
        """Run it; where the mirror cannot answer, fetch and run it again.

        What still fails counts only where the mirror is found whole: a disk's fault is never an
        agent's. Raises `Retryable` where the mirror was made again and lacks what was never pushed.
        """
        mirror = self._mirrors.at(repository.id)
        found = _attempt(command, mirror)
        if isinstance(found, GitFailed) and not looks_broken(found.text, mirror):
            self.fetch(repository)
            found = _attempt(command, mirror)
        if _may_be_ours(found) and not self._mirrors.is_whole(repository.id):
            with self._mirrors.locked(repository.id):
                self._mirrors.replace(repository.id)
            self.fetch(repository)
            found = _attempt(command, mirror)
            if isinstance(found, GitFailed):
                raise Retryable(f"A damaged mirror was made again: {found.text}") from found
        if isinstance(found, GitFailed):
            raise UserError(f"git cannot answer for this repository: {found.text}") from found
        return found


def _made_at(mirror: Path) -> int:
    try:
        return (mirror / _MADE_AT).stat().st_mtime_ns
    except OSError:
        # It is being replaced, or a crash took the file, without which git reads it all the same.
        return 0


def _attempt(command: Callable[[Path], _Found], mirror: Path) -> _Found | GitFailed:
    try:
        return command(mirror)
    except GitFailed as failed:
        if is_machine_failure(failed.text):
            raise Retryable(f"git cannot work on this machine now: {failed.text}") from failed
        return failed


def _may_be_ours(found: object) -> bool:
    """Whether it may have its cause in a damaged mirror, from which imports borrow objects."""
    is_unsure = isinstance(found, BundleRefusal) and found.code in _UNSURE
    return is_unsure or isinstance(found, GitFailed)
