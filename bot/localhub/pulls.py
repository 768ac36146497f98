"""Operations on pulls, and what happens to pulls when branches move.

A pull follows its head branch, closes when the branch is deleted, and is merged when its head
becomes reachable from its base, whoever moved it. `mergeable` is unknown until git has computed it,
and is computed again after either side moved.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.localhub.errors import ApiError, invalid, not_found, unprocessable
from bot.localhub.forks import fetch_commit
from bot.localhub.git_store import Signature
from bot.localhub.github_json import Json
from bot.localhub.issues import Issues, author
from bot.localhub.model import Actor, Issue, Pull, Repository, Review
from bot.localhub.pull_stats import base_tip, pull_payload, stats_of
from bot.localhub.rules import RefMove, rulesets_for
from bot.localhub.shapes.pulls import PullStats, pull_shape, review_shape
from bot.localhub.state import State
from bot.localhub.webhooks import Announcement, Webhooks

REVIEW_STATES = {
    "APPROVE": "APPROVED",
    "REQUEST_CHANGES": "CHANGES_REQUESTED",
    "COMMENT": "COMMENTED",
}

PullIssue = tuple[Issue, Pull]


@dataclass(frozen=True)
class PullDraft:
    title: str
    body: str | None
    head: str
    base: str
    draft: bool


@dataclass(frozen=True)
class ReviewDraft:
    """A new review; `event` None leaves it pending, which localhub refuses."""

    event: str
    body: str
    commit_id: str | None


class Pulls:
    def __init__(self, state: State, webhooks: Webhooks, issues: Issues) -> None:
        self._state = state
        self._webhooks = webhooks
        self._issues = issues

    def find(self, repository: Repository, number: int) -> PullIssue:
        issue = self._issues.find(repository, number)
        if issue.pull is None:
            raise not_found()
        return issue, issue.pull

    def open_pulls(self, repository: Repository) -> list[PullIssue]:
        return [
            (issue, issue.pull)
            for issue in list(repository.issues.values())
            if issue.pull is not None and issue.state == "open"
        ]

    def open(self, repository: Repository, actor: Actor, draft: PullDraft) -> Issue:
        """Open a pull; 422 if a branch is missing, nothing differs, or one is open already."""
        owner, _, branch = draft.head.rpartition(":")
        home = _head_repository(repository, owner)
        head_sha = home.refs.get(f"refs/heads/{branch}") if home is not None else None
        base_sha = repository.refs.get(f"refs/heads/{draft.base}")
        if base_sha is None:
            raise invalid("PullRequest", "base", "invalid")
        if home is None or head_sha is None:
            raise invalid("PullRequest", "head", "invalid")
        fork = home if home is not repository else None
        with self._state.lock:
            self._require_new(repository, home, branch, draft.base)
            if fork is not None:
                fetch_commit(fork, repository, head_sha)
            if not repository.git.commit_list([head_sha, f"^{base_sha}"], ["-n", "1"]):
                raise _custom(f"No commits between {draft.base} and {branch}")
            now = self._state.now()
            issue = Issue(
                id=self._state.next_id(),
                number=self._issues.new_number(repository),
                repository=repository,
                title=draft.title,
                body=draft.body,
                user=author(actor),
                created_at=now,
                updated_at=now,
                app=actor.app,
                pull=Pull(
                    id=self._state.next_id(),
                    head_ref=branch,
                    base_ref=draft.base,
                    head_sha=head_sha,
                    base_sha=base_sha,
                    draft=draft.draft,
                    fork=fork,
                ),
            )
            self._issues.register(issue)
            self._keep_head(repository, issue, head_sha)
            self._issues.announce(issue, "opened", actor)
            return issue

    def _require_new(
        self, repository: Repository, home: Repository, branch: str, base: str
    ) -> None:
        for issue, pull in self.open_pulls(repository):
            if _is_from(issue, pull, home, branch) and pull.base_ref == base:
                label = f"{home.owner.login}:{branch}"
                raise _custom(f"A pull request already exists for {label}.")

    def _keep_head(self, repository: Repository, issue: Issue, sha: str) -> None:
        """GitHub keeps `refs/pull/N/head`, so that a pull outlives its branch."""
        ref = f"refs/pull/{issue.number}/head"
        repository.git.set_ref(ref, sha)
        repository.refs[ref] = sha

    def set_base(self, issue: Issue, pull: Pull, actor: Actor, base: str) -> None:
        repository = issue.repository
        base_sha = repository.refs.get(f"refs/heads/{base}")
        if base_sha is None:
            raise invalid("PullRequest", "base", "invalid")
        with self._state.lock:
            changes: Json = {
                "changes": {
                    "base": {"ref": {"from": pull.base_ref}, "sha": {"from": pull.base_sha}}
                }
            }
            pull.base_ref, pull.base_sha = base, base_sha
            self._issues.touch(issue)
            self._issues.announce(issue, "edited", actor, changes)

    def reopen(self, issue: Issue, pull: Pull, actor: Actor) -> None:
        """Open a closed pull again; 422 if it was merged or its branch is gone."""
        head_sha = (pull.fork or issue.repository).refs.get(f"refs/heads/{pull.head_ref}")
        if pull.merged_at is not None or head_sha is None:
            raise invalid("PullRequest", "state", "invalid", "state cannot be changed.")
        with self._state.lock:
            if pull.fork is not None:
                fetch_commit(pull.fork, issue.repository, head_sha)
            pull.head_sha = head_sha
            self._issues.reopen(issue, actor)

    def stats(self, issue: Issue, pull: Pull) -> PullStats:
        """What the pull shows now. As on GitHub, the first request after a move gets "unknown" and
        starts the computation; the next one gets the result.
        """
        answer = stats_of(issue, pull)
        if answer.mergeable is None and issue.state == "open":
            self.compute_mergeable(issue, pull)
        return answer

    def compute_mergeable(self, issue: Issue, pull: Pull) -> bool:
        """Ask git whether the pull merges, and keep the test merge commit as GitHub does."""
        repository = issue.repository
        base = base_tip(repository, pull, issue.state)
        tree = repository.git.merged_tree(base, pull.head_sha)
        with self._state.lock:
            pull.mergeable = tree is not None
            pull.mergeable_of = (base, pull.head_sha)
            if tree is not None:
                web = Signature("GitHub", "noreply@github.com", self._state.now())
                message = f"Merge {pull.head_sha} into {base}"
                pull.merge_commit_sha = repository.git.commit_tree(
                    tree, [base, pull.head_sha], message, web, web
                )
                ref = f"refs/pull/{issue.number}/merge"
                repository.git.set_ref(ref, pull.merge_commit_sha)
                repository.refs[ref] = pull.merge_commit_sha
        return tree is not None

    # Effects of moved branches. Callers hold the state's lock.

    def head_moved(
        self, repository: Repository, actor: Actor, move: RefMove, bases: Mapping[str, str]
    ) -> None:
        """The head branch of pulls has a new commit; `bases` are the refs as they were before."""
        for issue, pull in self._pulls_from(repository, move.branch):
            home = issue.repository
            if pull.fork is not None:
                fetch_commit(pull.fork, home, move.after)
            before, pull.head_sha = pull.head_sha, move.after
            base = (bases if home is repository else home.refs).get(f"refs/heads/{pull.base_ref}")
            pull.base_sha = base or pull.base_sha
            self._keep_head(home, issue, move.after)
            self._issues.touch(issue)
            if base is not None and home.git.is_ancestor(move.after, base):
                # The branch was reset to a commit of its base: nothing is left to merge.
                self._issues.close(issue, actor, None)
                continue
            extra: Json = {"before": before, "after": move.after}
            self._issues.announce(issue, "synchronize", actor, extra)
            rulesets = rulesets_for(home, pull.base_ref)
            if any(ruleset.dismisses_stale_reviews for ruleset in rulesets):
                for review in pull.reviews:
                    if review.state == "APPROVED":
                        self.dismiss(issue, pull, actor, review)

    def _pulls_from(self, repository: Repository, branch: str | None) -> list[PullIssue]:
        """The open pulls, here and in the parent, whose head is a branch of this repository."""
        places = [repository, *([repository.parent] if repository.parent else [])]
        return [
            (issue, pull)
            for place in places
            for issue, pull in self.open_pulls(place)
            if branch is not None and _is_from(issue, pull, repository, branch)
        ]

    def base_moved(self, repository: Repository, actor: Actor, move: RefMove) -> None:
        """The base branch of pulls has moved: those that it now contains are merged."""
        for issue, pull in self.open_pulls(repository):
            if pull.base_ref == move.branch and repository.git.is_ancestor(
                pull.head_sha, move.after
            ):
                self.mark_merged(issue, actor, move, self._merge_commit(repository, pull, move))

    def _merge_commit(self, repository: Repository, pull: Pull, move: RefMove) -> str:
        """The first commit on the base's first-parent line that contains the head."""
        line = repository.git.commit_list(
            [move.after, f"^{pull.head_sha}"],
            ["--first-parent", "--ancestry-path", "--reverse"],
        )
        return line[0] if line else pull.head_sha

    def mark_merged(self, issue: Issue, actor: Actor, move: RefMove, sha: str) -> None:
        """The pull's work is in its base, as this commit."""
        pull = issue.pull
        if pull is None or pull.merged_at is not None:
            return
        with self._state.lock:
            pull.merged_at = self._state.now()
            pull.merged_by = author(actor)
            pull.merge_commit_sha = sha
            pull.base_sha = pull.base_sha if move.creates else move.before
            self._issues.close(issue, actor, None)
            if pull.base_ref == issue.repository.default_branch:
                text = f"{issue.title}\n{issue.body or ''}"
                self._issues.close_referenced(text, issue.repository, actor)

    def branch_deleted(self, repository: Repository, actor: Actor, branch: str) -> None:
        """A branch is deleted: pulls from it and into it are closed."""
        into = [(i, p) for i, p in self.open_pulls(repository) if p.base_ref == branch]
        for issue, _ in (*into, *self._pulls_from(repository, branch)):
            if issue.state == "open":
                self._issues.close(issue, actor, None)

    def review(self, issue: Issue, pull: Pull, actor: Actor, draft: ReviewDraft) -> Review:
        """Review a pull; 422 for approving one's own, and for a review without text."""
        account = author(actor)
        if account is issue.user and draft.event != "COMMENT":
            verb = "approve" if draft.event == "APPROVE" else "request changes on"
            raise ApiError(422, "Unprocessable Entity", [f"Can not {verb} your own pull request"])
        if draft.event != "APPROVE" and not draft.body:
            raise unprocessable("Could not create a review without a body")
        with self._state.lock:
            review = Review(
                id=self._state.next_id(),
                user=account,
                body=draft.body,
                state=REVIEW_STATES[draft.event],
                commit_id=draft.commit_id or pull.head_sha,
                submitted_at=self._state.now(),
            )
            return self._submit(issue, pull, actor, review)

    def comment_alone(self, issue: Issue, pull: Pull, actor: Actor, commit_id: str) -> Review:
        """The review without a text that a comment at a line makes when it is written alone."""
        with self._state.lock:
            now = self._state.now()
            review = Review(
                self._state.next_id(), author(actor), "", "COMMENTED", commit_id, submitted_at=now
            )
            return self._submit(issue, pull, actor, review)

    def _submit(self, issue: Issue, pull: Pull, actor: Actor, review: Review) -> Review:
        pull.reviews.append(review)
        self._issues.touch(issue)
        self._announce_review(issue, pull, actor, "submitted", review)
        return review

    def dismiss(self, issue: Issue, pull: Pull, actor: Actor, review: Review) -> None:
        """Dismiss a review; 422 if it neither approved nor requested changes."""
        if review.state not in ("APPROVED", "CHANGES_REQUESTED"):
            raise unprocessable(f"Can not dismiss a {review.state.lower()} pull request review")
        with self._state.lock:
            review.state = "DISMISSED"
            self._issues.touch(issue)
            self._announce_review(issue, pull, actor, "dismissed", review)

    def _announce_review(
        self, issue: Issue, pull: Pull, actor: Actor, action: str, review: Review
    ) -> None:
        shape = review_shape(self._state, issue, review)
        body: Json = {
            "review": {**shape, "state": review.state.lower()},
            "pull_request": pull_shape(self._state, issue, pull),
        }
        self._webhooks.announce(
            Announcement(issue.repository, "pull_request_review", action, body, author(actor))
        )

    def payload(self, issue: Issue) -> Json:
        return pull_payload(self._state, issue)


def _is_from(issue: Issue, pull: Pull, repository: Repository, branch: str) -> bool:
    return (pull.fork or issue.repository) is repository and pull.head_ref == branch


def _head_repository(repository: Repository, owner: str) -> Repository | None:
    """The repository of `owner:branch`: this one, or that owner's fork."""
    if owner.lower() in ("", repository.owner.login.lower()):
        return repository
    return next((f for f in repository.forks if f.owner.login.lower() == owner.lower()), None)


def _custom(message: str) -> ApiError:
    return ApiError(
        422,
        "Validation Failed",
        [{"resource": "PullRequest", "code": "custom", "message": message}],
    )
