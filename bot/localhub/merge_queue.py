"""GitHub's merge queue: each entry becomes a merge group, and the branch once its checks have passed.

An entry's group is the branch, or the group ahead of it, with its pull merged in. Required checks must be
reported on the group's head. One by one, in order: `min_entries_to_merge` and groups of several pulls are not
here. The queue looks at itself whenever a branch moves or a check is reported, and when it is read.
"""

from datetime import timedelta

from bot.localhub.errors import ApiError
from bot.localhub.github_json import ZERO_SHA, Json, iso
from bot.localhub.merge_rules import require_checks, require_resolution, require_reviews
from bot.localhub.merging import MergeRequest, Merging
from bot.localhub.model import AccountType, Actor, Issue, Pull, Repository, TokenKind
from bot.localhub.pulls import Pulls
from bot.localhub.queue_model import MergeGroup, QueueEntry, Removal
from bot.localhub.refs import Refs
from bot.localhub.rule_model import MergeMethod, RefRule, RequiredCheck
from bot.localhub.rules import (
    QUEUE_FOLDER,
    MoveVia,
    RefMove,
    has_passed,
    newest_run,
    required_checks,
    rulesets_for,
)
from bot.localhub.state import State
from bot.localhub.webhooks import Announcement, Webhooks

# Of the rule, `check_response_timeout_minutes`.
CHECKS_WITHIN = timedelta(minutes=60)
_BOT = "github-merge-queue[bot]"
_RED = frozenset({"failure", "timed_out", "cancelled", "action_required", "stale"})


class MergeQueue:
    def __init__(
        self, state: State, webhooks: Webhooks, refs: Refs, pulls: Pulls, merging: Merging
    ) -> None:
        self._state = state
        self._webhooks = webhooks
        self._refs = refs
        self._pulls = pulls
        self._merging = merging
        self._entries: dict[int, list[QueueEntry]] = {}
        self._removals: dict[int, list[Removal]] = {}
        self._at_work: set[int] = set()

    def entry_of(self, issue: Issue) -> QueueEntry | None:
        self.look(issue.repository)
        return next((e for e in self._of(issue.repository) if e.issue is issue), None)

    def position(self, entry: QueueEntry) -> int:
        """From 1 on."""
        return 1 + self._of(entry.issue.repository).index(entry)

    def removals(self, issue: Issue) -> list[Removal]:
        self.look(issue.repository)
        found = self._removals.get(issue.repository.id, [])
        return [removal for removal in found if removal.issue is issue]

    def enqueue(
        self, issue: Issue, pull: Pull, actor: Actor, expected_head: str | None
    ) -> QueueEntry:
        """Add a pull at the end; 422 where GitHub refuses."""
        repository = issue.repository
        with repository.push_lock:
            if not _has_queue(repository, pull.base_ref):
                raise ApiError(422, "Pull request's base branch does not have a merge queue")
            if self.entry_of(issue) is not None:
                raise ApiError(422, "Pull request is already in the queue")
            if expected_head is not None and expected_head != pull.head_sha:
                raise ApiError(422, "Pull request head commit does not match the expected one")
            if issue.state != "open" or pull.draft:
                raise ApiError(422, "Pull request is not open, or a draft")
            try:
                require_checks(repository, pull)
                require_reviews(issue, pull, repository.refs[f"refs/heads/{pull.base_ref}"])
                require_resolution(repository, pull, self._state.threads_of(issue))
            except ApiError as refused:
                raise ApiError(422, f"Pull request {refused.message}") from refused
            if not self._pulls.compute_mergeable(issue, pull):
                raise ApiError(422, "Pull request is not mergeable")
            entry = QueueEntry(
                id=self._state.next_id(),
                issue=issue,
                pull=pull,
                head_sha=pull.head_sha,
                enqueuer=actor.account or self._bot().account or issue.user,
                enqueued_at=self._state.now(),
            )
            self._entries.setdefault(repository.id, []).append(entry)
            self._tell_pull(entry, "enqueued", {})
            self.look(repository)
            return entry

    def dequeue(self, issue: Issue) -> QueueEntry:
        """Take a pull out; 422 if it is not in the queue."""
        with issue.repository.push_lock:
            entry = self.entry_of(issue)
            if entry is None:
                raise ApiError(422, "Pull request is not in the queue")
            self._remove(entry, "MANUAL")
            self.look(issue.repository)
            return entry

    def branch_moved(self, repository: Repository, move: RefMove, _actor: Actor) -> None:
        """A push to an entry's head takes it out; one to the branch has all groups made anew."""
        if move.branch is not None and not move.branch.startswith(QUEUE_FOLDER):
            self.look(repository)

    def look(self, repository: Repository) -> None:
        """Bring the queue to where it is by what is so now."""
        if not self._of(repository):
            return
        # Whoever holds the state's lock must not come here: a push takes that one second.
        with repository.push_lock:
            if repository.id in self._at_work:
                return
            self._at_work.add(repository.id)
            try:
                while self._step(repository):
                    pass
            finally:
                self._at_work.discard(repository.id)

    def _of(self, repository: Repository) -> list[QueueEntry]:
        return self._entries.get(repository.id, [])

    def _step(self, repository: Repository) -> bool:
        """One move; False where nothing is to be done."""
        tips: dict[str, str] = {}
        is_first: dict[str, bool] = {}
        for entry in self._of(repository):
            branch = entry.pull.base_ref
            base = tips.get(branch) or repository.refs[f"refs/heads/{branch}"]
            if reason := self._why_out(entry):
                self._remove(entry, reason)
                return True
            group = entry.group
            if group is not None and group.base_sha != base:
                self._destroy(entry, "invalidated")
                return True
            if group is None:
                if not self._build(entry, base):
                    self._remove(entry, "MERGE_CONFLICT")
                return True
            if is_first.setdefault(branch, True) and self._has_passed(entry, group):
                self._merge(entry, group)
                return True
            is_first[branch] = False
            tips[branch] = group.head_sha
        return False

    def _why_out(self, entry: QueueEntry) -> str:
        repository, group = entry.issue.repository, entry.group
        if entry.issue.state != "open" or entry.pull.head_sha != entry.head_sha:
            return "BRANCH_PROTECTIONS"
        if not _has_queue(repository, entry.pull.base_ref):
            return "QUEUE_CLEARED"
        if group is None:
            return ""
        checks = required_checks(repository, entry.pull.base_ref)
        if any(_is_red(repository, group.head_sha, check) for check in checks):
            return "CI_FAILURE"
        return "CI_TIMEOUT" if self._state.now() - group.made_at > CHECKS_WITHIN else ""

    def _has_passed(self, entry: QueueEntry, group: MergeGroup) -> bool:
        repository = entry.issue.repository
        checks = required_checks(repository, entry.pull.base_ref)
        return all(has_passed(repository, group.head_sha, check) for check in checks)

    def _build(self, entry: QueueEntry, base: str) -> bool:
        repository, pull = entry.issue.repository, entry.pull
        request = MergeRequest(MergeMethod.MERGE)
        try:
            head = self._merging.merged_tip(entry.issue, pull, self._bot(), request, base)
        except ApiError:
            return False
        branch = f"{QUEUE_FOLDER}{pull.base_ref}/pr-{entry.issue.number}-{base}"
        entry.group = MergeGroup(branch, base, head, self._state.now())
        move = RefMove(f"refs/heads/{branch}", ZERO_SHA, head)
        self._refs.move(repository, self._bot(), move, MoveVia.QUEUE)
        self._tell_group(entry, entry.group, "checks_requested", {})
        return True

    def _merge(self, entry: QueueEntry, group: MergeGroup) -> None:
        repository, pull = entry.issue.repository, entry.pull
        move = RefMove(f"refs/heads/{pull.base_ref}", group.base_sha, group.head_sha)
        # The entry goes first: for a moment the pull is open and in no queue.
        self._entries[repository.id].remove(entry)
        try:
            self._refs.move(repository, self._bot(), move, MoveVia.QUEUE)
        except ApiError:
            self._entries[repository.id].insert(0, entry)
            self._remove(entry, "BRANCH_PROTECTIONS")
            return
        self._pulls.mark_merged(entry.issue, self._bot(), move, group.head_sha)
        self._destroy(entry, "merged")

    def _remove(self, entry: QueueEntry, reason: str) -> None:
        repository = entry.issue.repository
        self._entries[repository.id].remove(entry)
        if entry.group is not None:
            self._destroy(entry, "dequeued")
        removal = Removal(self._state.next_id(), entry.issue, reason, self._state.now())
        self._removals.setdefault(repository.id, []).append(removal)
        self._tell_pull(entry, "dequeued", {"reason": reason})

    def _destroy(self, entry: QueueEntry, reason: str) -> None:
        group, entry.group = entry.group, None
        if group is None:
            return
        repository = entry.issue.repository
        move = RefMove(f"refs/heads/{group.branch}", group.head_sha, ZERO_SHA)
        self._refs.move(repository, self._bot(), move, MoveVia.QUEUE)
        self._tell_group(entry, group, "destroyed", {"reason": reason})

    def _bot(self) -> Actor:
        account = self._state.accounts.get(_BOT) or self._state.new_account(_BOT, AccountType.BOT)
        return Actor(TokenKind.USER, account=account)

    def _tell_pull(self, entry: QueueEntry, action: str, more: Json) -> None:
        body: Json = {**more, "number": entry.issue.number}
        body["pull_request"] = self._pulls.payload(entry.issue)
        self._announce(entry, "pull_request", action, body)

    def _tell_group(self, entry: QueueEntry, group: MergeGroup, action: str, more: Json) -> None:
        repository = entry.issue.repository
        commit = repository.git.commit(group.head_sha)
        shape: Json = {
            "head_sha": group.head_sha,
            "head_ref": f"refs/heads/{group.branch}",
            "base_sha": group.base_sha,
            "base_ref": f"refs/heads/{entry.pull.base_ref}",
            "head_commit": {
                "id": group.head_sha,
                "tree_id": commit.tree,
                "message": commit.message,
                "timestamp": iso(commit.committer.at),
                "author": {"name": commit.author.name, "email": commit.author.email},
                "committer": {"name": commit.committer.name, "email": commit.committer.email},
            },
        }
        self._announce(entry, "merge_group", action, {**more, "merge_group": shape})

    def _announce(self, entry: QueueEntry, event: str, action: str, body: Json) -> None:
        sender = self._bot().account or entry.enqueuer
        self._webhooks.announce(Announcement(entry.issue.repository, event, action, body, sender))


def _has_queue(repository: Repository, branch: str) -> bool:
    return any(RefRule.MERGE_QUEUE in one.rules for one in rulesets_for(repository, branch))


def _is_red(repository: Repository, sha: str, check: RequiredCheck) -> bool:
    """Whether the check's newest run on a commit has ended, and not well."""
    run = newest_run(repository, sha, check)
    return run is not None and run.conclusion in _RED
