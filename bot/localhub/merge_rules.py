"""What the rules of a branch ask of a pull before it may be merged; refused with 405."""

from bot.localhub.code_owners import unreviewed
from bot.localhub.errors import ApiError
from bot.localhub.model import Issue, Pull, Repository
from bot.localhub.pull_stats import files_of
from bot.localhub.review_model import ReviewComment
from bot.localhub.rule_model import MergeMethod, RefRule
from bot.localhub.rules import approvers, has_passed, last_pusher, required_checks, rulesets_for

# In the words of GitHub's refusal.
_NAMED = {
    MergeMethod.MERGE: "Merge commits",
    MergeMethod.SQUASH: "Squash merges",
    MergeMethod.REBASE: "Rebase merges",
}


def require_method(repository: Repository, branch: str, method: MergeMethod) -> None:
    """The repository's settings and each rule about pulls must allow it."""
    allowed = [
        one.merge_methods
        for one in rulesets_for(repository, branch)
        if RefRule.PULL_REQUEST in one.rules
    ]
    if method not in repository.merge_methods.intersection(*allowed):
        raise ApiError(405, f"{_NAMED[method]} are not allowed on this repository.")


def require_checks(repository: Repository, pull: Pull) -> None:
    for check in required_checks(repository, pull.base_ref):
        if not has_passed(repository, pull.head_sha, check):
            raise ApiError(405, f'Required status check "{check.context}" is expected.')


def require_reviews(issue: Issue, pull: Pull, base: str) -> None:
    """So many approve, and every code owner whose files are touched."""
    repository = issue.repository
    for ruleset in rulesets_for(repository, pull.base_ref):
        if RefRule.PULL_REQUEST not in ruleset.rules:
            continue
        reviewers = approvers(repository, pull)
        if ruleset.needs_code_owners:
            paths = (file.path for file in files_of(issue, pull))
            logins = {account.login.lower() for account in reviewers}
            if missing := unreviewed(repository.git, base, paths, logins):
                raise ApiError(405, f"Waiting on code owner review from {', '.join(missing)}.")
        if len(reviewers) < ruleset.approvals_min:
            raise ApiError(
                405,
                f"At least {ruleset.approvals_min} approving review is required by reviewers "
                "with write access.",
            )
        if ruleset.needs_last_push:
            _require_another_approver(repository, pull)


def require_resolution(repository: Repository, pull: Pull, roots: list[ReviewComment]) -> None:
    """No thread is open, `roots` are the first comments of all; also one that is outdated counts."""
    is_asked = any(
        one.needs_resolution and RefRule.PULL_REQUEST in one.rules
        for one in rulesets_for(repository, pull.base_ref)
    )
    if is_asked and any(root.resolved_by is None for root in roots):
        raise ApiError(
            405, "A conversation must be resolved before this pull request can be merged."
        )


def _require_another_approver(repository: Repository, pull: Pull) -> None:
    """Also a merge of the base branch is a push here; people report both of GitHub."""
    pusher = last_pusher(repository, pull)
    at_head = {one.user for one in pull.reviews if one.commit_id == pull.head_sha}
    others = (one for one in approvers(repository, pull) if one is not pusher and one in at_head)
    if not any(others):
        who = pusher.login if pusher is not None else "the last pusher"
        raise ApiError(
            405,
            f"New changes require approval from someone other than {who} because they were the last "
            "pusher.",
        )
