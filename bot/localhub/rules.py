"""Which ref updates are refused: protected branches, required checks, workflow files.

What depends on the caller and on stored records is computed here. What depends on the pushed
objects is checked by the `update` hook, inside git's quarantine. Git pushes and REST ref updates
run the same hook, so that both are equally strict.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase

from bot.localhub.access import grants
from bot.localhub.github_json import ZERO_SHA
from bot.localhub.model import Account, Actor, CheckRun, Pull, Repository, Role, TokenKind
from bot.localhub.rule_model import (
    PUSH_KINDS,
    ContentRule,
    ContentRuleKind,
    RefRule,
    RequiredCheck,
    Ruleset,
)

# Each merge group has a branch of its own here while its checks are awaited.
QUEUE_FOLDER = "gh-readonly-queue/"


class MoveVia(StrEnum):
    """How a ref is moved: directly, by merging a pull, or by the merge queue (which some rules require)."""

    PUSH = "push"
    PULL = "pull"
    QUEUE = "queue"


@dataclass(frozen=True)
class RefMove:
    """A ref moves from one object to another; `ZERO_SHA` stands for no ref."""

    ref: str
    before: str
    after: str

    @property
    def creates(self) -> bool:
        return self.before == ZERO_SHA

    @property
    def deletes(self) -> bool:
        return self.after == ZERO_SHA

    @property
    def branch(self) -> str | None:
        prefix = "refs/heads/"
        return self.ref[len(prefix) :] if self.ref.startswith(prefix) else None


def rulesets_for(repository: Repository, branch: str) -> list[Ruleset]:
    """The rulesets of a branch; `~DEFAULT_BRANCH` and `~ALL` as on GitHub."""

    def matches(pattern: str) -> bool:
        if pattern == "~ALL":
            return True
        if pattern == "~DEFAULT_BRANCH":
            return branch == repository.default_branch
        return fnmatchcase(branch, pattern.removeprefix("refs/heads/"))

    return [held for held in repository.rulesets if any(map(matches, held.branches))]


def required_checks(repository: Repository, branch: str) -> list[RequiredCheck]:
    return [
        check for ruleset in rulesets_for(repository, branch) for check in ruleset.required_checks
    ]


def newest_run(repository: Repository, sha: str, check: RequiredCheck) -> CheckRun | None:
    """The check's newest run on a commit, from the required App."""
    runs = [
        run
        for run in repository.check_runs.values()
        if run.suite.head_sha == sha
        and run.name == check.context
        and check.app_id in (None, run.suite.app.id)
    ]
    return runs[-1] if runs else None


def has_passed(repository: Repository, sha: str, check: RequiredCheck) -> bool:
    """Whether a commit has the check: success, neutral or skipped, from the required App."""
    run = newest_run(repository, sha, check)
    if run is not None:
        return run.conclusion in ("success", "neutral", "skipped")
    statuses = [
        status
        for status in repository.statuses
        if status.sha == sha and status.context == check.context and check.app_id is None
    ]
    return bool(statuses) and statuses[-1].state == "success"


def approvers(repository: Repository, pull: Pull) -> list[Account]:
    """The people with write access who approve: by each person's last review that is no comment."""
    last = {review.user: review.state for review in pull.reviews if review.state != "COMMENTED"}
    return [
        account
        for account, state in last.items()
        if state == "APPROVED" and _may_write(repository, account)
    ]


def last_pusher(repository: Repository, pull: Pull) -> Account | None:
    """Who pushed the head of a pull; None if nobody knows."""
    moves = (pull.fork or repository).activities
    at_head = (one for one in reversed(moves) if one.after == pull.head_sha)
    ours = (one.actor for one in at_head if one.ref == f"refs/heads/{pull.head_ref}")
    return next(ours, None)


def _may_write(repository: Repository, account: Account) -> bool:
    role = repository.collaborators.get(account.login.lower())
    return account is repository.owner or role in (Role.WRITE, Role.MAINTAIN, Role.ADMIN)


def rule_lines(repository: Repository, actor: Actor, move: RefMove, via: MoveVia) -> list[str]:
    """What the update hook must check for one move, as lines of `LOCALHUB_RULES`."""
    lines: list[tuple[str, str]] = []
    if move.ref.startswith("refs/pull/"):
        lines.append(("refuse", "deny updating a hidden ref"))
    if move.ref.startswith(f"refs/heads/{QUEUE_FOLDER}") and via is not MoveVia.QUEUE:
        lines.append(("refuse", "Only the merge queue updates this branch."))
    if actor.kind in (TokenKind.INSTALLATION, TokenKind.JOB) and not grants(
        actor.permissions, "workflows", "write"
    ):
        lines.append(("workflows", f"refs/heads/{repository.default_branch}"))
    if not move.deletes:
        lines.append(("contents", " ".join(sorted(repository.allowed_secrets))))
    branch = move.branch
    for ruleset in rulesets_for(repository, branch) if branch is not None else []:
        if actor.app is None or actor.app.id not in ruleset.bypass_app_ids:
            lines.extend(_ruleset_lines(repository, ruleset, move, via))
    for ruleset in repository.rulesets if not move.deletes else []:
        if actor.app is None or actor.app.id not in ruleset.bypass_app_ids:
            lines.extend(line for rule in ruleset.contents if (line := _push_line(rule)))
    return [f"{move.ref}\t{kind}\t{sentence}" for kind, sentence in lines]


# No commit here has what they ask for. GitHub's own words for them are not known.
_BEFORE_A_PUSH = {
    RefRule.REQUIRED_DEPLOYMENTS: "Required deployment environments are missing.",
    RefRule.WORKFLOWS: "Required workflows have not run.",
    RefRule.CODE_SCANNING: "Code scanning is waiting for results.",
    RefRule.LICENSES: "Results of license compliance are missing.",
}


def _ruleset_lines(
    repository: Repository, ruleset: Ruleset, move: RefMove, via: MoveVia
) -> list[tuple[str, str]]:
    rules = ruleset.rules
    if move.deletes:
        return [("refuse", "Cannot delete this branch")] if RefRule.DELETION in rules else []
    lines: list[tuple[str, str]] = []
    if RefRule.CREATION in rules and move.creates:
        lines.append(("refuse", "Cannot create ref due to creations being restricted."))
    if RefRule.UPDATE in rules and not move.creates:
        lines.append(("refuse", "Cannot update this protected ref."))
    if RefRule.PULL_REQUEST in rules and via is MoveVia.PUSH and not move.creates:
        lines.append(("refuse", "Changes must be made through a pull request."))
    if RefRule.MERGE_QUEUE in rules and via is not MoveVia.QUEUE and not move.creates:
        lines.append(("refuse", "Changes must be made through the merge queue"))
    if via is MoveVia.PUSH and not move.creates:
        lines.extend(("refuse", said) for rule, said in _BEFORE_A_PUSH.items() if rule in rules)
    if RefRule.REQUIRED_SIGNATURES in rules:
        lines.append(("signatures", "Commits must have verified signatures."))
    lines.extend(_content_lines(ruleset, move))
    if RefRule.NON_FAST_FORWARD in rules:
        lines.append(("fast_forward", "Cannot force-push to this branch"))
    if RefRule.REQUIRED_LINEAR_HISTORY in rules:
        lines.append(("linear", "This branch must not contain merge commits."))
    if via is MoveVia.PUSH and not move.creates:
        lines.extend(
            ("refuse", f'Required status check "{check.context}" is expected.')
            for check in ruleset.required_checks
            if not has_passed(repository, move.after, check)
        )
    return lines


def _content_lines(ruleset: Ruleset, move: RefMove) -> list[tuple[str, str]]:
    lines: list[tuple[str, str]] = []
    for rule in ruleset.contents:
        match rule.kind:
            case ContentRuleKind.COMMIT_MESSAGE_PATTERN:
                lines.append(("message", rule.value))
            case ContentRuleKind.BRANCH_NAME_PATTERN:
                if move.creates and not re.search(rule.value, move.branch or ""):
                    said = f"Branch name must match a given regex pattern: {rule.value}"
                    lines.append(("refuse", said))
            case _:
                pass
    return lines


def _push_line(rule: ContentRule) -> tuple[str, str] | None:
    """A rule of a push ruleset; None for one that is about some branches."""
    if rule.kind not in PUSH_KINDS:
        return None
    match rule.kind:
        case ContentRuleKind.FILE_EXTENSION_RESTRICTION:
            return "path", f"*{rule.value}"
        case ContentRuleKind.MAX_FILE_SIZE:
            return "size", rule.value
        case ContentRuleKind.MAX_FILE_PATH_LENGTH:
            return "length", rule.value
        case _:
            return "path", rule.value
