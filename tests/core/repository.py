"""A repository on GitHub for `decide`, what people do there, and the journal about it."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import count

from bot.core.journal.branches import on
from bot.core.journal.events import Event
from bot.core.journal.evolve import fold
from bot.core.journal.state import ChangeFacts, RepositoryState, branch_of
from bot.core.spec.policy import Policy, PolicyRefusal, read_policy
from bot.core.spec.proposal import PullSnapshot
from bot.core.spec.quarantine import with_quarantine
from bot.core.spec.triage.mentions import Mention, TestSnapshot
from bot.core.state.observed import (
    BranchSnapshot,
    CommentWithRole,
    MainSnapshot,
    SizeSnapshot,
    SpecIssueSnapshot,
    WorkIssueSnapshot,
)
from bot.core.talk.commands import read_commands
from bot.core.values.candidate import MergeGroup
from bot.core.values.ids import CommentId, IssueNumber, PullNumber, Sha
from bot.core.values.pull_review import Approvals
from bot.core.values.queue_label import QueueLabel
from bot.core.values.repository import (
    Comment,
    CommitFacts,
    Labelling,
    Pull,
    PullState,
    Role,
    Standing,
)
from bot.core.values.rules import RepositoryRules
from bot.core.values.seen_check import SeenCheck
from bot.core.values.spec_model import Spec
from tests.core.reviews import Reviews
from tests.core.values import FACTS, GATES, PATH, START, sha

# Each tick of a story looks at the policy, and a text has one.
_policy_of = lru_cache(read_policy)

Watcher = Callable[[RepositoryState, Event], None]
_watchers: list[Watcher] = []


@contextmanager
def watched_by(watcher: Watcher) -> Iterator[None]:
    """Show it every event that any world writes meanwhile, with the state before it."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)


class PlayedRepository:
    """A repository with nothing on it but a first commit."""

    def __init__(self, policy_text: str | None = GATES) -> None:
        self.now: datetime = START
        # What GitHub says of the repository itself.
        self.standing = Standing(facts=FACTS)
        self.rules = RepositoryRules(branch="main")
        # Those of GitHub's merge queue; None: nobody looks.
        self.groups: tuple[MergeGroup, ...] | None = None
        # Other Apps' checks of every candidate.
        self.checks: tuple[SeenCheck, ...] = ()
        self.policy_text = policy_text
        # Who wrote every spec that somebody approves, as far as GitHub says.
        self.authors: tuple[str, ...] = ()
        self.quarantine_text: str | None = None
        self.specs: dict[str, tuple[Spec, str]] = {}
        self.left_for_later: set[str] = set()
        self.all_specs: dict[tuple[str, str], Spec] = {}
        self.comments: list[tuple[Comment, Role]] = []
        self.reviews = Reviews()
        self.issues: dict[int, str] = {}
        self.pulls: dict[PullNumber, Pull] = {}
        self.queue_labels: dict[PullNumber, QueueLabel] = {}
        self.approvals: dict[PullNumber, Approvals] = {}
        self.snapshots: dict[PullNumber, PullSnapshot | None] = {}
        self.sizes: dict[IssueNumber, SizeSnapshot | None] = {}
        self.spec_issues: dict[IssueNumber, SpecIssueSnapshot | None] = {}
        self.work_issues: dict[IssueNumber, WorkIssueSnapshot | None] = {}
        # What people have ticked in the lists of what they do by hand.
        self.ticked: dict[IssueNumber, tuple[str, ...]] = {}
        self.roles: dict[str, Role] = {}
        # What branches of changes show, what of it is ours, and what became of people's pushes.
        self.branches: dict[str, Sha] = {}
        self.our_candidates: set[Sha] = set()
        self.kept: list[Sha] = []
        self.empty_pushes: set[Sha] = set()
        self.refused_pushes: set[Sha] = set()
        self.tests: list[Mention] = []
        self.has_tests_of_candidates = True
        # What the second change for a requirement (by its short name) brings.
        self.when_landed: dict[str, Mention] = {}
        self.tests_commit: Sha | None = None
        self.journal: list[Event] = []
        self._numbers = count(1)
        self.main: list[CommitFacts] = []
        # Further branches that the policy names: what each has had, and the policy on it (None: main's).
        self.others: dict[str, list[CommitFacts]] = {}
        self.policies_of: dict[str, str] = {}
        self.rules_of: dict[str, RepositoryRules] = {}
        self.push(sha("genesis"), tree=sha("genesis tree"))
        self.state = RepositoryState()

    def next_number(self) -> int:
        return next(self._numbers)

    def write(self, events: Iterable[Event]) -> None:
        """Append to the journal and fold."""
        new = tuple(events)
        self.journal += new
        if not _watchers:
            self.state = fold(new, self.state)
            return
        for event in new:
            for watcher in _watchers:
                watcher(self.state, event)
            self.state = fold((event,), self.state)

    def push(
        self, commit: Sha, *paths: str, tree: Sha | None = None, author: str = "ann"
    ) -> CommitFacts:
        """Put a commit on main."""
        parents = (self.main[-1].sha,) if self.main else ()
        made = CommitFacts(
            sha=commit,
            tree=tree or sha(f"tree of {commit}"),
            parents=parents,
            author=author,
            subject="A commit",
            committed_at=self.now,
            paths=paths,
        )
        self.main.append(made)
        return made

    def push_to(
        self, branch: str, commit: Sha, *paths: str, tree: Sha | None = None, author: str = "ann"
    ) -> Sha:
        """Put a commit on another branch."""
        line = self.others.setdefault(branch, [])
        self.main, kept = line, self.main
        made = self.push(commit, *paths, tree=tree, author=author)
        self.main = kept
        return made.sha

    def push_spec(self, spec: Spec, version: str = "v1", path: str = PATH) -> None:
        """Commit a spec as a person does."""
        blob = sha(f"{path} {version}")
        self.specs[path] = (spec, blob)
        self.all_specs[path, blob] = spec
        self.push(sha(f"spec {path} {version} {len(self.main)}"), path)

    def push_code(self, name: str) -> Sha:
        """Commit code to main past Headgate."""
        return self.push(sha(f"code {name}"), "src/by_hand.py").sha

    def push_branch(self, change: ChangeFacts, name: str) -> Sha:
        """A person pushes to the branch of a change."""
        pushed = sha(f"push {name}")
        self.branches[branch_of(change, self.state.spec_runs)] = pushed
        return pushed

    def say(
        self,
        issue: int,
        body: str,
        *,
        author: str = "ann",
        role: Role = Role.WRITE,
        is_person: bool = True,
        edited_at: datetime | None = None,
    ) -> CommentId:
        """Comment on an issue or pull, now."""
        comment = Comment(
            id=CommentId(700 + self.next_number()),
            issue=IssueNumber(issue),
            body=body,
            author=author,
            author_id=1,
            author_is_person=is_person,
            created_at=self.now.replace(microsecond=0),
            updated_at=(edited_at or self.now).replace(microsecond=0),
            html_url="",
        )
        self.comments.append((comment, role))
        return comment.id

    def open_pull(
        self,
        head: str,
        *,
        is_from_fork: bool = False,
        is_draft: bool = False,
        base: str = "main",
    ) -> int:
        """A person opens a pull of the branch `head`; its number."""
        number = PullNumber(self.next_number())
        self.pulls[number] = Pull(
            number=number,
            state=PullState.OPEN,
            head_sha=sha(f"head {head}"),
            head_branch=head,
            base_branch=base,
            body="",
            html_url="",
            title=f"Bring {head}",
            is_from_fork=is_from_fork,
            is_draft=is_draft,
        )
        return number

    def review(
        self,
        number: int,
        by: tuple[str, ...] = (),
        against: tuple[str, ...] = (),
        outdated: tuple[str, ...] = (),
        says: str = "",
        by_pushers: tuple[str, ...] = (),
        unresolved: tuple[str, ...] = (),
        owners: tuple[tuple[str, ...], ...] = (),
    ) -> None:
        """Who approves the head of a pull, asks for changes, or approved another head, from now on; who
        approves it and may have pushed it; where its open threads are; which code owners have still to approve.
        """
        approvals = Approvals(
            by=by,
            by_pushers=by_pushers,
            against=against,
            outdated=outdated,
            against_commits=tuple(self.head_of(number) for _ in against),
            against_said=tuple(says for _ in against),
            unresolved=unresolved,
            owners=owners,
        )
        self.approvals[PullNumber(number)] = approvals

    def head_of(self, number: int) -> Sha:
        """What a pull shows: a person's head, or a change's newest candidate."""
        change = self.state.change_with(number)
        candidate = self.state.candidate_of(change) if change is not None else None
        return candidate.sha if candidate else self.pulls[PullNumber(number)].head_sha

    def label_pull(self, number: int, *, by: str = "ann", role: Role = Role.WRITE) -> None:
        """A person puts the queue's label on a pull."""
        act = Labelling(id=self.next_number(), by=by)
        self.queue_labels[PullNumber(number)] = QueueLabel(act=act, role=role)

    def alter_pull(self, number: int, **changes: object) -> None:
        """Something of a pull is another on GitHub."""
        pull = self.pulls[PullNumber(number)]
        self.pulls[PullNumber(number)] = pull.model_copy(update=changes)

    def close_pull(self, number: PullNumber, state: PullState = PullState.CLOSED) -> None:
        """Close a pull on GitHub."""
        self.pulls[number] = self.pulls[number].model_copy(update={"state": state})

    def merge_pull(self, number: PullNumber, head: Sha) -> None:
        """A person merges a pull that shows `head` on GitHub."""
        self.push(sha(f"merge of {head}"), "src/shop.py", author="ada")
        self.pulls[number] = self.pulls[number].model_copy(
            update={
                "state": PullState.MERGED,
                "head_sha": head,
                "merged_at": self.now,
                "merged_as": self.main[-1].sha,
                "merged_by": "ada",
            }
        )

    @property
    def policy(self) -> Policy | PolicyRefusal:
        return with_quarantine(_policy_of(self.policy_text), self.quarantine_text)

    def pass_time(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    def _tests(self) -> TestSnapshot:
        """What main's tests name."""
        tests = list(self.tests)
        for name, brought in self.when_landed.items():
            by = [c for c in self.state.changes.values() if c.landed and c.cycle]
            tests += [brought for c in by if f"shop#{name}" in c.planned.requirements]
        return TestSnapshot(commit=self.tests_commit or self.main[-1].sha, mentions=tuple(tests))

    def _served(self) -> dict[str, BranchSnapshot]:
        policy = self.policy
        named = policy.file.branches if isinstance(policy, Policy) else ()
        return {
            name: BranchSnapshot(
                main=self._sight(line, on(self.state, name).main),
                policy=_policy_of(self.policies_of.get(name, self.policy_text)),
                rules=self.rules_of.get(name, RepositoryRules(branch=name)),
            )
            for name, line in self.others.items()
            if name in named and line
        }

    def _sight(self, line: list[CommitFacts], last: Sha | None) -> MainSnapshot:
        tip = line[-1]
        known = [at for at, commit in enumerate(line) if commit.sha == last]
        history = tuple(line[known[-1] + 1 :]) if known else None
        versions = {path: version for path, (_, version) in self.specs.items()}
        return MainSnapshot(
            sha=tip.sha, tree=tip.tree, history=history, specs=versions, groups=self.groups
        )

    def _comment(self, id_: CommentId) -> CommentWithRole:
        found = next(((c, role) for c, role in self.comments if c.id == id_), None)
        if found is None:
            return CommentWithRole(comment=None)
        comment, role = found
        commands = read_commands(comment.body) if comment.author_is_person else ()
        return CommentWithRole(comment=comment, commands=commands, role=role)
