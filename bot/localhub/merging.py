"""Commits that the hub makes itself: merging a pull, merging branches, writing files by REST.

Each makes a new commit object and then moves a branch, under the repository's `push_lock`.
Conflicts are refused.
"""

from dataclasses import dataclass

from bot.localhub.errors import ApiError, not_found, unprocessable
from bot.localhub.git_store import Signature
from bot.localhub.github_json import ZERO_SHA
from bot.localhub.issues import author
from bot.localhub.merge_rules import (
    require_checks,
    require_method,
    require_resolution,
    require_reviews,
)
from bot.localhub.model import Account, Actor, Issue, Pull, Repository, TokenKind
from bot.localhub.pull_stats import commits_of
from bot.localhub.pulls import Pulls
from bot.localhub.refs import Refs
from bot.localhub.rule_model import MergeMethod
from bot.localhub.rules import MoveVia, RefMove
from bot.localhub.shapes.commits import noreply_address
from bot.localhub.state import State
from bot.localhub.tree_edits import FileChange, GitError


@dataclass(frozen=True)
class MergeRequest:
    method: MergeMethod
    sha: str | None = None
    title: str | None = None
    message: str | None = None


@dataclass(frozen=True)
class FileWrite:
    """One file to write or (content None) delete; `expected_sha` is the blob it replaces."""

    path: str
    content: bytes | None
    message: str
    branch: str | None = None
    expected_sha: str | None = None
    signatures: tuple[Signature | None, Signature | None] = (None, None)


@dataclass(frozen=True)
class NewCommit:
    tree: str
    parents: list[str]
    message: str
    author: Signature
    committer: Signature
    is_custom: bool


class Merging:
    def __init__(self, state: State, refs: Refs, pulls: Pulls) -> None:
        self._state = state
        self._refs = refs
        self._pulls = pulls

    def signature(self, account: Account) -> Signature:
        return Signature(account.login, noreply_address(account), self._state.now())

    def commit_as_asked(self, repository: Repository, actor: Actor, asked: NewCommit) -> str:
        """A commit, signed where an App or a job asks for it and names nobody as who made it.

        GitHub, "About commit signature verification", signature verification for bots.
        """
        git = repository.git
        is_app = actor.kind in (TokenKind.INSTALLATION, TokenKind.JOB)
        is_signed = is_app and not asked.is_custom and self._state.signs_for_apps
        committer = self._web() if is_signed else asked.committer
        made = git.commit_tree(asked.tree, asked.parents, asked.message, asked.author, committer)
        return git.sign(made) if is_signed else made

    def _web(self) -> Signature:
        """Who commits what GitHub signs."""
        return Signature("GitHub", "noreply@github.com", self._state.now())

    def merge_pull(self, issue: Issue, pull: Pull, actor: Actor, request: MergeRequest) -> str:
        """Merge a pull and return the new head of the base; 405 or 409 where GitHub refuses."""
        repository = issue.repository
        with repository.push_lock:
            base = self._mergeable_base(issue, pull, request)
            tip = self.merged_tip(issue, pull, actor, request, base)
            move = RefMove(f"refs/heads/{pull.base_ref}", base, tip)
            try:
                self._refs.move(repository, actor, move, MoveVia.PULL)
            except ApiError as refused:
                raise ApiError(405, refused.message) from refused
            self._pulls.mark_merged(issue, actor, move, tip)
            return tip

    def _mergeable_base(self, issue: Issue, pull: Pull, request: MergeRequest) -> str:
        repository = issue.repository
        base = repository.refs.get(f"refs/heads/{pull.base_ref}")
        if issue.state != "open" or base is None:
            raise ApiError(405, "Pull Request is not mergeable")
        if pull.draft:
            raise ApiError(405, "Pull Request is still a draft")
        if request.sha is not None and request.sha != pull.head_sha:
            raise ApiError(409, "Head branch was modified. Review and try the merge again.")
        require_method(repository, pull.base_ref, request.method)
        require_checks(repository, pull)
        require_reviews(issue, pull, base)
        require_resolution(repository, pull, self._state.threads_of(issue))
        if not self._pulls.compute_mergeable(issue, pull):
            raise ApiError(405, "Pull Request is not mergeable")
        return base

    def merged_tip(
        self, issue: Issue, pull: Pull, actor: Actor, request: MergeRequest, base: str
    ) -> str:
        """What the base would become; 405 where the pull does not merge."""
        git = issue.repository.git
        who = self.signature(author(actor))
        web = self._web()
        tree = git.merged_tree(base, pull.head_sha)
        if tree is None:
            raise ApiError(405, "Pull Request is not mergeable")
        label = f"{(pull.fork or issue.repository).owner.login}/{pull.head_ref}"
        match request.method:
            case MergeMethod.MERGE:
                title = request.title or f"Merge pull request #{issue.number} from {label}"
                message = f"{title}\n\n{request.message or issue.title}\n"
                return git.sign(git.commit_tree(tree, [base, pull.head_sha], message, who, web))
            case MergeMethod.SQUASH:
                title = request.title or f"{issue.title} (#{issue.number})"
                message = f"{title}\n\n{request.message}\n" if request.message else f"{title}\n"
                return git.sign(git.commit_tree(tree, [base], message, who, web))
            case MergeMethod.REBASE:
                return self._rebased(issue, pull, who, base)

    def _rebased(self, issue: Issue, pull: Pull, committer: Signature, base: str) -> str:
        git = issue.repository.git
        tip = base
        for sha in commits_of(issue, pull):
            commit = git.commit(sha)
            if len(commit.parents) != 1:
                raise ApiError(405, "This branch can't be rebased")
            # A temporary commit with the tip's tree on the commit's own parent makes that parent the
            # merge base: merging it with the commit is then a cherry-pick.
            temporary = git.commit_tree(
                git.commit(tip).tree, commit.parents, "stand-in", committer, committer
            )
            tree = git.merged_tree(temporary, sha)
            if tree is None:
                raise ApiError(405, "This branch can't be rebased")
            tip = git.commit_tree(tree, [tip], commit.message, commit.author, committer)
        return tip

    def merge_branches(
        self, repository: Repository, actor: Actor, base: str, head: str, message: str | None
    ) -> str | None:
        """`POST /merges`: the merge commit, or None if the base contains the head already."""
        with repository.push_lock:
            before = repository.refs.get(f"refs/heads/{base}")
            other = self._refs.resolve(repository, head)
            if before is None:
                raise ApiError(404, "Base does not exist")
            if other is None:
                raise ApiError(404, "Head does not exist")
            if repository.git.is_ancestor(other, before):
                return None
            tree = repository.git.merged_tree(before, other)
            if tree is None:
                raise ApiError(409, "Merge conflict")
            who = self.signature(author(actor))
            made = repository.git.commit_tree(
                tree, [before, other], message or f"Merge {head} into {base}", who, who
            )
            move = RefMove(f"refs/heads/{base}", before, made)
            self._refs.move(repository, actor, move, MoveVia.PUSH)
            return made

    def write_file(self, repository: Repository, actor: Actor, write: FileWrite) -> str:
        """Commit one file to a branch; 409 and 422 protect the existing file."""
        branch = write.branch or repository.default_branch
        with repository.push_lock:
            ref = f"refs/heads/{branch}"
            before = repository.refs.get(ref)
            if before is None and (repository.refs or branch != repository.default_branch):
                raise ApiError(404, f"Branch {branch} not found")
            held = None if before is None else repository.git.entry(before, write.path)
            if held is None and write.content is None:
                raise not_found()
            if held is not None and write.expected_sha is None:
                raise unprocessable('Invalid request.\n\n"sha" wasn\'t supplied.')
            if write.expected_sha is not None and (held is None or held.sha != write.expected_sha):
                raise ApiError(409, f"{write.path} does not match {write.expected_sha}")
            mode = held.mode if held is not None and held.type == "blob" else "100644"
            change = FileChange(write.path, write.content, mode)
            try:
                tree = repository.git.changed_tree(before, [change])
            except GitError as error:
                raise unprocessable("path contains a malformed path component") from error
            fallback = self.signature(author(actor))
            signed_by, committed_by = write.signatures
            made = self.commit_as_asked(
                repository,
                actor,
                NewCommit(
                    tree,
                    [] if before is None else [before],
                    write.message,
                    signed_by or fallback,
                    committed_by or signed_by or fallback,
                    is_custom=signed_by is not None or committed_by is not None,
                ),
            )
            move = RefMove(ref, before or ZERO_SHA, made)
            self._refs.move(repository, actor, move, MoveVia.PUSH)
            return made

    def commit_files(
        self, repository: Repository, actor: Actor, changes: list[FileChange], message: str
    ) -> str:
        """Commit many files to the default branch at once."""
        with repository.push_lock:
            ref = f"refs/heads/{repository.default_branch}"
            before = repository.refs.get(ref)
            tree = repository.git.changed_tree(before, changes)
            who = self.signature(author(actor))
            parents = [] if before is None else [before]
            made = repository.git.commit_tree(tree, parents, message, who, who)
            move = RefMove(ref, before or ZERO_SHA, made)
            self._refs.move(repository, actor, move, MoveVia.PUSH)
            return made
