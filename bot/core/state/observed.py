"""What was observed of the world, as values; and what should be observed next.

SHAs, texts, states and permissions come only from here, never from a webhook. None means "not
observed", which is not the same as "does not exist". The shell makes the observations.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from action.report import AgentReport, GateOrderReport
from bot.core.journal.effects import AskModel, ProposeSpec
from bot.core.journal.evolve_retired_issues import told_of_label
from bot.core.journal.state import Candidate, HeardComment, RepositoryState
from bot.core.prompts.digest_prompt import DigestPromptInput, SpecSource
from bot.core.spec.archive.folding import DeltaSnapshot
from bot.core.spec.model_choice import ServerModels
from bot.core.spec.policy import Policy, PolicyRefusal, no_policy
from bot.core.spec.proposal import PullSnapshot
from bot.core.spec.triage.mentions import TestSnapshot
from bot.core.state.access import is_removal_due
from bot.core.state.approvals import may_need_resolution
from bot.core.state.branches_watched import has_branches
from bot.core.state.looked_at import (
    awaited_checks,
    deltas,
    has_landed,
    is_untold,
    reviewed_diffs,
    sources,
)
from bot.core.state.onboarding import is_onboarding
from bot.core.state.queue_order import is_landing_refused
from bot.core.state.queued_pulls import labelled_pulls, queued_pulls, unqueued_pulls
from bot.core.state.reviews import ReviewLook, review_look, reviewed_changes
from bot.core.state.steps_by_hand import issues_with_steps
from bot.core.values.agent_activity import AgentActivity
from bot.core.values.auto_queue import ApprovedPull
from bot.core.values.candidate import MergeGroup
from bot.core.values.check_button import Press
from bot.core.values.command import Command, Verb
from bot.core.values.first_pull import OnboardingSnapshot
from bot.core.values.hint import Hint as Hint, HintKind as HintKind
from bot.core.values.ids import (
    CommentId,
    Digest,
    Frozen,
    IssueNumber,
    OrderId,
    PullNumber,
    Sha,
    SpecRunId,
    WorkflowRunId,
)
from bot.core.values.issue_input import IssuePromptInput
from bot.core.values.issue_snapshot import (
    SizeSnapshot as SizeSnapshot,
    SpecIssueSnapshot as SpecIssueSnapshot,
    WorkIssueSnapshot as WorkIssueSnapshot,
)
from bot.core.values.lifecycle import ChangeState
from bot.core.values.pull_review import Approvals
from bot.core.values.queue_label import QueueLabel
from bot.core.values.repository import (
    Comment,
    CommitFacts,
    Pull,
    Role,
    Standing,
    WorkflowRun,
)
from bot.core.values.review import ReviewSnapshot
from bot.core.values.rules import RepositoryRules
from bot.core.values.seen_check import SeenCheck
from bot.core.values.spec_model import Spec
from gates.graded.chunks import ChangedFile


class MainSnapshot(Frozen):
    """`history` is None if main no longer contains the last known commit; `groups` (of GitHub's merge queue) where
    nothing lands through that. `specs` maps the path of every spec on main (a file or a delta folder) to its version.
    """

    sha: Sha
    tree: Sha
    history: tuple[CommitFacts, ...] | None
    specs: dict[str, str]
    groups: tuple[MergeGroup, ...] | None = None


class BranchSnapshot(Frozen):
    """Another branch with a queue of its own: where it is (None: not looked at, or not there), and its own
    policy and rules.
    """

    main: MainSnapshot | None
    policy: Policy | PolicyRefusal
    policy_version: str = ""
    rules: RepositoryRules | None = None


class SpecReading(Frozen):
    """A spec as it is on main now; `bases` are hashes of the blocks that a delta folder replaces."""

    spec: Spec
    version: str
    commit: Sha
    bases: dict[str, str] = {}


class CommentWithRole(Frozen):
    """A comment, its commands, and its author's current role; `comment` is None if it was deleted.

    A bot's comment has no commands. `is_waiting`: it asks for a spec that is being read.
    """

    comment: Comment | None
    commands: tuple[Command, ...] = ()
    role: Role = Role.NONE
    is_waiting: bool = False


class PressWithRole(Frozen):
    """What somebody pressed, and their current role."""

    press: Press
    role: Role


class OrderEntry(Frozen):
    """What the order store knows of an order: its lease, and the report if there is one.

    `is_waiting`: the report names tests at a commit whose tests are not all read yet.
    """

    order: OrderId
    workflow_run: WorkflowRunId | None = None
    leased_at: datetime | None = None
    lease_until: datetime | None = None
    report_digest: Digest | None = None
    report: AgentReport | GateOrderReport | None = None
    doing: AgentActivity | None = None
    is_waiting: bool = False


class Observed(Frozen):
    """One set of observations. `edits` are edited texts of running specs that are being planned.

    `tests` are main's, `judged_tests` those of each commit that a gate report names passed tests of.
    `branches` are branches of changes that show something that is not ours.
    `authors` wrote the specs that somebody approves, where the policy asks; none: nobody can see who.
    `rewound_to` is the time of the journal's last event, where what came after it was lost.
    Where `standing` says that we are away, nothing else was observed.
    `is_unread`: the text of a run or of an edit is being read, so that only comments are answered.
    """

    policy: Policy | PolicyRefusal
    policy_version: str = ""
    last_good_policy: Policy
    models: ServerModels = ServerModels()
    standing: Standing | None = None
    rules: RepositoryRules | None = None
    authors: dict[SpecRunId, tuple[str, ...]] = {}
    main: MainSnapshot | None = None
    served: dict[str, BranchSnapshot] = {}
    specs: dict[SpecRunId, Spec] = {}
    spec_versions: dict[SpecRunId, str] = {}
    edits: dict[SpecRunId, Spec] = {}
    is_unread: bool = False
    readings: dict[str, SpecReading] = {}
    hinted_comments: tuple[HeardComment, ...] = ()
    comments_by_id: dict[CommentId, CommentWithRole] = {}
    comments: tuple[Comment, ...] = ()
    reviews: ReviewSnapshot = ReviewSnapshot()
    presses: tuple[PressWithRole, ...] = ()
    order_store: dict[OrderId, OrderEntry] = {}
    checks: dict[Sha, tuple[SeenCheck, ...]] = {}
    workflow_runs: dict[OrderId, WorkflowRun | None] = {}
    pulls: dict[PullNumber, Pull | None] = {}
    approvals: dict[PullNumber, Approvals] = {}
    queue_labels: dict[PullNumber, QueueLabel] = {}
    approved_pulls: dict[PullNumber, ApprovedPull] = {}
    branches: dict[str, Sha] = {}
    pull_snapshots: dict[PullNumber, PullSnapshot | None] = {}
    spec_issues: dict[IssueNumber, SpecIssueSnapshot | None] = {}
    work_issues: dict[IssueNumber, WorkIssueSnapshot | None] = {}
    sizes: dict[IssueNumber, SizeSnapshot | None] = {}
    ticked: dict[IssueNumber, tuple[str, ...]] = {}
    tests: TestSnapshot | None = None
    judged_tests: dict[Sha, TestSnapshot] = {}
    register_text: str | None = None
    sources: dict[str, SpecSource | None] = {}
    diffs: dict[Sha, tuple[ChangedFile, ...]] = {}
    deltas: dict[SpecRunId, DeltaSnapshot] = {}
    onboarding: OnboardingSnapshot | None = None
    rewound_to: datetime | None = None

    def on(self, branch: str) -> "Observed":
        """The same, with what was seen of one of the other branches in the place of main.

        Where its policy cannot be read, no other stands in for it: nothing is judged there.
        """
        seen = self.served[branch]
        return self.replace(
            main=seen.main,
            policy=seen.policy,
            policy_version=seen.policy_version,
            last_good_policy=no_policy(),
            rules=seen.rules,
        )

    @property
    def may_answer(self) -> bool:
        """Whether comments may be answered: not before a look says what a rewound journal lacks."""
        return not self.is_unread or self.rewound_to is None

    def has_followed(self, hint: Hint) -> bool:
        """Whether a decision on these observations needs the hint no more."""
        return not self.is_unread or (hint.kind is HintKind.COMMENT and self.may_answer)


class Looks(Frozen):
    """What to look at. `is_full`: at all pulls and issues; only at those that a hint names else.

    `is_doubted`: something says that the repository is not what the state says.
    """

    is_full: bool
    standing: bool
    is_doubted: bool
    rules: bool
    main: bool
    comments_since: datetime | None
    hinted_comments: tuple[HeardComment, ...]
    comment_ids: tuple[CommentId, ...]
    order_store: tuple[OrderId, ...]
    workflow_runs: tuple[OrderId, ...]
    checks: tuple[Sha, ...]
    pulls: tuple[PullNumber, ...]
    spec_pulls: tuple[PullNumber, ...]
    labelled_pulls: tuple[PullNumber, ...]
    unqueued_pulls: tuple[PullNumber, ...]
    reviewed_changes: tuple[PullNumber, ...]
    spec_issues: tuple[IssueNumber, ...]
    work_issues: tuple[IssueNumber, ...]
    sizes: tuple[IssueNumber, ...]
    steps: tuple[IssueNumber, ...]
    spec_runs: tuple[SpecRunId, ...]
    tests: bool = False
    registered_ids: bool = False
    sources: dict[str, DigestPromptInput] = {}
    diffs: tuple[Candidate, ...] = ()
    deltas: tuple[SpecRunId, ...] = ()
    branches: bool = False
    reviews: ReviewLook = ReviewLook()
    presses: tuple[Press, ...] = ()
    onboarding: bool = False
    rewound_to: datetime | None = None


def commits_with_passed_tests(
    state: RepositoryState, entries: Iterable[OrderEntry]
) -> tuple[Sha, ...]:
    """The commits whose gates have just named tests that passed there."""
    named = (
        entry.order
        for entry in entries
        if isinstance(entry.report, GateOrderReport)
        and entry.report.report is not None
        and any(result.passed_tests for result in entry.report.report.results)
    )
    orders = (state.orders[id_] for id_ in named if id_ in state.open_orders)
    return tuple(dict.fromkeys(order.commit for order in orders))


# What may have been the last that a pull needed to enter the queue by itself.
_OF_PULLS = frozenset({HintKind.CHECKED, HintKind.PULL, HintKind.REVIEWED})

# Comments that GitHub shows late (eventual visibility) are still caught by looking back this far.
_COMMENTS_OVERLAP = timedelta(minutes=5)


def _rewound_to(hints: Iterable[Hint]) -> datetime | None:
    """Where a journal that lost its end stops; None where none of the hints says that it did."""
    return min((hint.since for hint in hints if hint.since is not None), default=None)


def _hinted_comments(state: RepositoryState, hinted: tuple[Hint, ...]) -> tuple[HeardComment, ...]:
    return tuple(
        HeardComment(comment=CommentId(h.number), issue=IssueNumber(h.issue))
        for h in hinted
        if h.kind is HintKind.COMMENT
        and h.number not in state.heard
        and h.number not in state.answered
    )


def looks(state: RepositoryState, hints: Iterable[Hint], now: datetime) -> Looks:
    hinted = tuple(hints)
    everything = any(h.kind in {HintKind.EVERYTHING, HintKind.REWOUND} for h in hinted)
    is_doubted = any(h.kind is HintKind.REPOSITORY for h in hinted) or is_removal_due(state, now)
    runs_hinted = _numbers(hinted, HintKind.WORKFLOW_RUN)
    pulls_hinted = _pulls_hinted(state, hinted)
    main_hinted = everything or any(h.kind is HintKind.MAIN for h in hinted)
    pulls = _pulls_under_way(state, main_hinted, pulls_hinted)
    onboarding = bool(hinted) and is_onboarding(state)
    comments_to = state.comments_seen_to or now - timedelta(hours=1)
    since = comments_to - _COMMENTS_OVERLAP if everything else None
    hinted_comments = _hinted_comments(state, hinted)
    open_orders = tuple(state.orders[id_] for id_ in state.open_orders)
    return Looks(
        is_full=everything,
        standing=everything or is_doubted,
        is_doubted=is_doubted or state.away is not None,
        rules=_are_rules_wanted(state, hinted, is_full=everything),
        # A merge of a pull moves main: both must be observed together.
        main=main_hinted
        or onboarding
        or state.main is None
        or bool(pulls)
        or any(h.kind is HintKind.TIP for h in hinted),
        comments_since=since,
        hinted_comments=hinted_comments,
        comment_ids=(*state.heard, *(h.comment for h in hinted_comments)),
        order_store=(*state.open_orders, *state.lost_orders),
        workflow_runs=tuple(
            o.id
            for o in open_orders
            if o.workflow_run is not None and (everything or o.workflow_run in runs_hinted)
        ),
        checks=awaited_checks(state),
        pulls=pulls,
        spec_pulls=_spec_pulls(state, hinted),
        labelled_pulls=labelled_pulls(state, _numbers(hinted, HintKind.LABEL)),
        unqueued_pulls=unqueued_pulls(state, _numbers(hinted, *_OF_PULLS)),
        reviewed_changes=reviewed_changes(state, None if everything else pulls_hinted),
        spec_issues=_spec_issues(state, hinted, is_full=everything),
        work_issues=_work_issues(state, hinted, hinted_comments, is_full=everything),
        sizes=_changes_issues(state, hinted),
        steps=issues_with_steps(state, None if everything else _issues_hinted(hinted)),
        spec_runs=tuple(r.id for r in state.spec_runs.values() if r.is_open or is_untold(r)),
        deltas=deltas(state),
        registered_ids=not state.register_now.entries,
        sources=sources(state),
        diffs=reviewed_diffs(state),
        tests=has_landed(state),
        reviews=review_look(state, *_reviews_hinted(hinted), now, is_full=everything),
        presses=tuple(h.press for h in hinted if h.press is not None),
        onboarding=onboarding,
        rewound_to=_rewound_to(hinted),
        branches=has_branches(state) and (everything or bool(_of_kind(hinted, HintKind.BRANCH))),
    )


def _of_kind(hints: tuple[Hint, ...], *kinds: HintKind) -> tuple[Hint, ...]:
    return tuple(hint for hint in hints if hint.kind in kinds)


def _reviews_hinted(hints: tuple[Hint, ...]) -> tuple[list[tuple[int, int]], set[int]]:
    """Comments of reviews, each with its pull; and pulls in which a thread was resolved or opened again."""
    comments = [(h.number, h.issue) for h in _of_kind(hints, HintKind.REVIEW)]
    return comments, _numbers(hints, HintKind.THREAD)


def _numbers(hints: tuple[Hint, ...], *kinds: HintKind) -> set[int]:
    return {hint.number for hint in _of_kind(hints, *kinds)}


def _are_rules_wanted(state: RepositoryState, hints: tuple[Hint, ...], *, is_full: bool) -> bool:
    """They are read once, when something says so, and again while one stands in the way.

    An approval has them read, too, and a pull that is queued, which is seen only when the comment was
    read.
    """
    if state.rules is None or any(h.kind is HintKind.RULES for h in hints):
        return True
    return is_full and (is_landing_refused(state) or state.rules.may_stand_in_the_way)


def asks_for_rules(comments: Iterable[CommentWithRole]) -> bool:
    """Whether somebody approves work or queues a pull, so that the rules count as they are now."""
    verbs = {Verb.APPROVE, Verb.QUEUE}
    return any(c.verb in verbs for found in comments for c in found.commands)


def _pulls_hinted(state: RepositoryState, hints: tuple[Hint, ...]) -> set[int]:
    pulls = _numbers(hints, HintKind.PULL, HintKind.REVIEWED)
    if may_need_resolution(state):
        comments, turned = _reviews_hinted(hints)
        pulls |= turned | {pull for _, pull in comments}
    return pulls


def _pulls_under_way(
    state: RepositoryState, main_hinted: bool, pulls_hinted: set[int]
) -> tuple[PullNumber, ...]:
    ours = (
        pull
        for pull, change in state.open_pulls.items()
        if (main_hinted or pull in pulls_hinted)
        and state.changes[change].state is not ChangeState.LANDED
    )
    return (*ours, *queued_pulls(state, None if main_hinted else pulls_hinted))


def _spec_pulls(state: RepositoryState, hints: tuple[Hint, ...]) -> tuple[PullNumber, ...]:
    """Pulls that may need a new check run: after a push, an answer, or a move of main."""
    asked = {
        PullNumber(h.number)
        for h in hints
        if h.kind is HintKind.PULL and state.change_with(h.number) is None
    }
    has_main_moved = any(h.kind is HintKind.MAIN for h in hints)
    known = {n for n, d in state.pull_digests.items() if has_main_moved or state.is_outdated(d)}
    return tuple(sorted(asked | known))


def _spec_issues(
    state: RepositoryState, hints: tuple[Hint, ...], *, is_full: bool
) -> tuple[IssueNumber, ...]:
    """Issues of people with hints, and those that may have lost a label; our own are not observed."""
    asked = told_of_label(state) if is_full else set[IssueNumber]()
    asked |= _issues_hinted(hints)
    asked -= {state.queue_issue.number} if state.queue_issue is not None else set()
    return tuple(n for n in sorted(asked) if not (state.run_with_issue(n) or state.change_with(n)))


def _issues_hinted(hints: tuple[Hint, ...]) -> set[IssueNumber]:
    return {IssueNumber(h.number) for h in hints if h.kind is HintKind.ISSUE}


def _changes_issues(state: RepositoryState, hints: tuple[Hint, ...]) -> tuple[IssueNumber, ...]:
    """Issues of changes with hints; a label there may set the change's size."""
    return tuple(
        n for n in sorted(_issues_hinted(hints)) if (c := state.change_with(n)) and c.issue == n
    )


def _work_issues(
    state: RepositoryState,
    hints: tuple[Hint, ...],
    comments: tuple[HeardComment, ...],
    *,
    is_full: bool,
) -> tuple[IssueNumber, ...]:
    """Issues that may ask for work: with hints, with new comments, or waiting for our next step."""
    said = {h.issue for h in (*comments, *state.heard.values())}
    abouts = [e.about for e in state.open_effects.values() if isinstance(e, AskModel)]
    busy = {about.issue for about in abouts if isinstance(about, IssuePromptInput)}
    busy |= {e.issue for e in state.open_effects.values() if isinstance(e, ProposeSpec)}
    ours = {
        number
        for number, dialogue in state.dialogues.items()
        if dialogue.is_open
        and (number in said or (dialogue.is_thinking and (number not in busy or dialogue.reply)))
    }
    return tuple(sorted(ours | set(_spec_issues(state, hints, is_full=is_full))))
