"""Looks at people's pulls that are not in the queue and may enter it by themselves.

A full look lists all open pulls in one request. Reviews are asked for again where a pull is not what it
was, and at times, because GitHub does not promise that a review changes a pull; checks only of those
that are approved. What one look does not ask for, the next one does.
"""

import contextlib
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from bot.core.journal.state import RepositoryState
from bot.core.spec.policy import Policy, PolicyRefusal
from bot.core.state.approvals import needs_others, needs_owners, needs_resolution
from bot.core.state.observed import Looks
from bot.core.state.unasked_pulls import checks_required, is_approved, is_automatic, may_enter
from bot.core.values.auto_queue import ApprovedPull
from bot.core.values.ids import Frozen, PullNumber, RepositoryId, Sha
from bot.core.values.pull_review import Approvals, PullReview, approves, newest_opinions
from bot.core.values.repository import Pull, RepositoryFacts, Role
from bot.ports import UserError
from bot.shell.observe_queue import approvals_in, by_others, named_pulls, with_owners, with_threads
from bot.shell.process_ports import Ports
from bot.shell.recent import Recent

# What one look asks GitHub for, whatever the number of open pulls.
REVIEWS_A_LOOK = 20
CHECKS_A_LOOK = 10
REVIEWS_AGAIN = timedelta(minutes=10)
_PULLS_KEPT = 4_000

_NEVER = datetime.min.replace(tzinfo=UTC)

_PullKey = tuple[RepositoryId, PullNumber]


class _Read(Frozen):
    head: Sha
    updated_at: datetime | None
    read_at: datetime
    reviews: tuple[PullReview, ...]

    def is_of(self, pull: Pull, now: datetime) -> bool:
        """Whether GitHub is not asked again."""
        is_same = (self.head, self.updated_at) == (pull.head_sha, pull.updated_at)
        return is_same and now - self.read_at < REVIEWS_AGAIN


class ApprovedObserver:
    """Looks for one process, and keeps what it read."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._read: Recent[_PullKey, _Read] = Recent(_PULLS_KEPT)
        self._checked: Recent[_PullKey, datetime] = Recent(_PULLS_KEPT)

    def look(
        self,
        facts: RepositoryFacts,
        state: RepositoryState,
        looks: Looks,
        listed: Sequence[Pull],
        at: tuple[Sha | None, Policy | PolicyRefusal],
    ) -> dict[PullNumber, ApprovedPull]:
        """Those that are approved, with their checks. `at`: main and its policy; `listed` are all open
        pulls, where all are asked about.
        """
        main, policy = at
        if main is None or not isinstance(policy, Policy):
            return {}
        if not is_automatic(policy, state.rules):
            return {}
        named = named_pulls(self._ports, facts, looks.unqueued_pulls, listed).values()
        hinted = [pull for pull in named if pull is not None and may_enter(state, policy, pull)]
        others = [pull for pull in listed if may_enter(state, policy, pull)]
        pulls = {pull.number: pull for pull in (*hinted, *others)}
        self._read_reviews(facts, hinted, pulls.values())
        approved = [
            pull for pull in pulls.values() if self._may_be_approved(facts, state, policy, pull)
        ]
        first = {pull.number for pull in hinted}
        approved.sort(key=lambda pull: (pull.number not in first, self._checked_at(facts, pull)))
        seen = (
            self._approved(facts, state, pull, (main, policy)) for pull in approved[:CHECKS_A_LOOK]
        )
        return {one.pull.number: one for one in seen if one is not None}

    def _read_reviews(
        self, facts: RepositoryFacts, hinted: Iterable[Pull], pulls: Iterable[Pull]
    ) -> None:
        now = self._ports.clock.now()
        known = [(pull, self._read.get((facts.id, pull.number))) for pull in pulls]
        # The pull that was read longest ago comes first, so that each gets its turn.
        known.sort(key=lambda one: one[1].read_at if one[1] is not None else _NEVER)
        unread = [pull for pull, read in known if read is None or not read.is_of(pull, now)]
        wanted = {pull.number: pull for pull in (*hinted, *unread)}
        for pull in tuple(wanted.values())[:REVIEWS_A_LOOK]:
            read = _Read(
                head=pull.head_sha,
                updated_at=pull.updated_at,
                read_at=now,
                reviews=self._ports.forge.reviews(facts, pull.number),
            )
            self._read.put((facts.id, pull.number), read)

    def _reviews(self, facts: RepositoryFacts, pull: Pull) -> tuple[PullReview, ...]:
        read = self._read.get((facts.id, pull.number))
        return read.reviews if read is not None else ()

    def _may_be_approved(
        self, facts: RepositoryFacts, state: RepositoryState, policy: Policy, pull: Pull
    ) -> bool:
        """Whether so many approve it that it is worth asking who they are."""
        opinions = newest_opinions(self._reviews(facts, pull))
        by = tuple(one.by for one in opinions if approves(one))
        return is_approved(policy, state.rules, Approvals(by=by))

    def _checked_at(self, facts: RepositoryFacts, pull: Pull) -> datetime:
        return self._checked.get((facts.id, pull.number)) or _NEVER

    def _approved(
        self,
        facts: RepositoryFacts,
        state: RepositoryState,
        pull: Pull,
        at: tuple[Sha, Policy],
    ) -> ApprovedPull | None:
        main, policy = at
        forge = self._ports.forge
        self._checked.put((facts.id, pull.number), self._ports.clock.now())
        approvals = approvals_in(self._ports, facts, pull, main, self._reviews(facts, pull))
        if needs_others(policy, state.rules):
            approvals = by_others(self._ports, facts, pull, main, approvals)
        if needs_owners(policy):
            approvals = with_owners(self._ports, facts, pull, main, approvals)
        if needs_resolution(policy, state.rules):
            with contextlib.suppress(UserError):
                approvals = with_threads(self._ports, facts, pull.number, approvals)
        if not is_approved(policy, state.rules, approvals):
            return None
        needed = Role(policy.file.approver)
        may = (by for by in reversed(approvals.by) if forge.role(facts, by).covers(needed))
        required = checks_required(policy, state.rules)
        names = [check.check for check in required]
        return ApprovedPull(
            pull=pull,
            approvals=approvals,
            by=next(may, ""),
            checks=forge.checks(facts, pull.head_sha, names) if names else (),
        )
