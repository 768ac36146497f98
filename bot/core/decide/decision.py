"""The events of one round, collected one by one, with the state after each.

All areas write into the same `Decision`, so each sees what the others decided before it (an order
id taken, a slot used).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from bot.core.journal.branches import effect_on, event_on, on
from bot.core.journal.effects import EditComment, EditIssue, Effect, PostComment, PublishCheckRun
from bot.core.journal.events import EffectIntended, Event
from bot.core.journal.evolve import evolve, is_news
from bot.core.journal.state import ChangeFacts, QueuedPull, RepositoryState, SpecRun
from bot.core.spec.policy import Policy
from bot.core.state.asked_requirements import asked_requirements
from bot.core.state.observed import Observed
from bot.core.state.queue_definitions import policy_of
from bot.core.talk.text import digest_of
from bot.core.values.check_run import CheckRunText
from bot.core.values.ids import IssueNumber, OrderId, PullNumber, Sha
from bot.core.values.spec_model import Spec
from gates.asked import AskedRequirement


class Decision:
    """The state so far, the observations, the policy in force and the time."""

    def __init__(self, state: RepositoryState, observed: Observed, now: datetime) -> None:
        self.state = state
        self.observed = self._whole = observed
        self.now = now
        self._events: list[Event] = []

    @property
    def policy(self) -> Policy:
        """The policy on main, or the last readable one if that cannot be read."""
        policy = self.observed.policy
        return policy if isinstance(policy, Policy) else self.observed.last_good_policy

    def policy_for(self, change: ChangeFacts | None) -> Policy:
        """The policy with the gates in their modes for a change; None: for main."""
        if change is None:
            return self.policy
        candidate = self.state.candidate_of(change)
        return self.policy.of_type(change.planned.type, candidate.raised if candidate else ())

    def policy_of(self, pull: QueuedPull) -> Policy:
        """The policy with the gates of a person's pull, as its code may run."""
        return policy_of(self.policy, pull)

    def spec_of(self, run: SpecRun) -> Spec | None:
        """The run's approved text; None if another version was read."""
        if self.observed.spec_versions.get(run.id) != run.version:
            # An edit was approved in this round; the next round reads the new text.
            return None
        return self.observed.specs.get(run.id)

    def requirements_of(self, change: ChangeFacts) -> tuple[AskedRequirement, ...]:
        spec = self.spec_of(self.state.spec_runs[change.spec_run])
        return asked_requirements(self.state, spec, change)

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(self._events)

    @contextmanager
    def on(self, branch: str) -> Iterator[bool]:
        """Decide as if the repository had this branch alone (empty: the default branch); False where nobody
        has looked at it.
        """
        before, seen_before = self.state.on_branch, self.observed
        if branch and branch not in self._whole.served:
            yield False
            return
        self.state = on(self.state, branch)
        self.observed = self._whole.on(branch) if branch else self._whole
        yield True
        self.state, self.observed = on(self.state, before), seen_before

    def emit(self, event: Event) -> None:
        """Add a fact and fold it into the state.

        One that moves nothing is left out: it would be decided again at once, without end.
        """
        if self.state.on_branch:
            event = event_on(event, self.state.on_branch)
        after = evolve(self.state, event)
        if is_news(event, self.state, after):
            self._events.append(event)
            self.state = after

    def intend(self, effect: Effect) -> bool:
        """Add an effect; False if the same one is open, or was refused for good."""
        if self.state.on_branch:
            effect = effect_on(effect, self.state.on_branch)
        if effect.key in self.state.open_effects or effect.key in self.state.refused:
            return False
        self.emit(EffectIntended(effect=effect))
        return True

    def comment_once(
        self, issue_or_pull: IssueNumber | PullNumber, subject: str, text: str
    ) -> None:
        """Post a comment, unless one was posted on this subject before."""
        comment = PostComment(issue=IssueNumber(issue_or_pull), subject=subject, text=text)
        if comment.key not in self.state.published:
            self.intend(comment)

    def keep_comment(
        self, issue: IssueNumber, subject: str, text: str, *, is_due: bool = True
    ) -> None:
        """Post the comment, or edit it if its text has changed; `is_due`: post it if there is none."""
        post = PostComment(issue=issue, subject=subject, text=text)
        known = self.state.published.get(post.key)
        if known is None:
            if is_due:
                self.intend(post)
            return
        edit = EditComment(issue=issue, subject=subject, text=text, text_digest=digest_of(text))
        if known != edit.text_digest and not self._is_being_edited(edit):
            self.intend(edit)

    def keep_region(self, issue: IssueNumber, region: str, text: str, revision: int = 0) -> None:
        """Edit the region of an issue's body if its text has changed."""
        digest = digest_of(text)
        edit = EditIssue(
            issue=issue, region=region, text=text, text_digest=digest, revision=revision
        )
        if self.state.published.get(edit.subject) != digest and not self._is_being_edited(edit):
            self.intend(edit)

    def _is_being_edited(self, edit: EditComment | EditIssue) -> bool:
        """One effect at a time, so that the newest text wins."""
        return any(
            isinstance(e, type(edit)) and e.subject == edit.subject
            for e in self.state.open_effects.values()
        )

    def keep_check(self, sha: Sha, external_id: str, text: CheckRunText, digest: str) -> None:
        """Create the check run, or update it if its digest has changed; one effect at a time."""
        known = self.state.published.get(f"check:{external_id}")
        if known == digest:
            return
        if any(
            isinstance(e, PublishCheckRun) and e.external_id == external_id
            for e in self.state.open_effects.values()
        ):
            return
        self.intend(
            PublishCheckRun(
                sha=sha,
                external_id=external_id,
                text=text,
                text_digest=digest,
                updates=known is not None,
            )
        )

    def next_order_id(self) -> OrderId:
        """The id of the next order; order ids are unique within a repository."""
        return OrderId(f"o{self.state.orders_placed + 1}")
