"""Commits that came to main past Headgate: an issue tells of them, and the queue freezes, by policy."""

from collections.abc import Sequence

from bot.core.decide.decision import Decision
from bot.core.journal.effects import OpenIssue
from bot.core.journal.events import QueueFrozen
from bot.core.spec.policy_file import OnAdopted
from bot.core.talk import adopted_text
from bot.core.talk.incident_text import incident_marker
from bot.core.values.freeze import FreezeCause
from bot.core.values.ids import SpecRunId
from bot.core.values.incident import Incident, IncidentKind
from bot.core.values.repository import CommitFacts


def note(decision: Decision, commits: Sequence[CommitFacts]) -> None:
    """One issue for all commits of a look, which are adopted just now."""
    rule, facts = decision.policy.file.adopted, decision.state.facts
    if not commits or facts is None or rule is OnAdopted.JUDGE:
        return
    tip, branch = commits[-1], decision.state.on_branch
    is_frozen = rule is OnAdopted.FREEZE
    if is_frozen:
        decision.emit(
            QueueFrozen(
                by="",
                why=adopted_text.why_frozen(tip, branch),
                until=None,
                frozen_at=decision.now,
                cause=FreezeCause.ADOPTED,
            )
        )
    incident = Incident(kind=IncidentKind.ADOPTED, sha=tip.sha, branch=branch)
    decision.intend(
        OpenIssue(
            spec_run=SpecRunId(""),
            slug=incident.slug,
            title=adopted_text.adopted_title(commits, branch),
            body=adopted_text.adopted_body(facts, commits, incident, is_frozen=is_frozen),
            marker=incident_marker(incident.slug),
            labels=(),
            digests={},
            revision=0,
            intended_at=decision.now,
        )
    )
