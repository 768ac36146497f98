"""Issues that told of an incident are closed, with a sentence, when it is over."""

from bot.core.decide.decision import Decision
from bot.core.journal.effects import CloseIssue, PostComment
from bot.core.journal.evolve_incidents import subject_of_end
from bot.core.journal.state import RepositoryState
from bot.core.spec.policy import Policy
from bot.core.state.queue_order import is_doubtful
from bot.core.talk.adopted_text import adopted_is_over
from bot.core.talk.queue_text import not_served
from bot.core.talk.smoke_text import smoke_is_over
from bot.core.values.freeze import FreezeCause
from bot.core.values.ids import IssueNumber, SpecRunId
from bot.core.values.incident import Incident, IncidentKind, incident_of


def next_steps(decision: Decision) -> None:
    """The sentence first, then the close."""
    for slug, number in decision.state.incidents.items():
        incident = incident_of(slug)
        if incident is None:
            continue
        policy = decision.observed.policy
        named = ("", *policy.file.branches) if isinstance(policy, Policy) else (incident.branch,)
        with decision.on(incident.branch) as is_seen:
            said = _end_of(decision.state, incident) if is_seen else ""
        if incident.branch not in named:
            said = not_served(incident.branch)
        if said:
            _end(decision, slug, number, said)


def _end_of(state: RepositoryState, incident: Incident) -> str:
    """What ended it; empty where it is not over."""
    if state.main is None or state.facts is None:
        return ""
    if incident.kind is IncidentKind.SMOKE:
        return "" if FreezeCause.SMOKE in state.freezes else smoke_is_over(state)
    if FreezeCause.ADOPTED in state.freezes or is_doubtful(state, state.main):
        return ""
    return adopted_is_over(state.facts.default_branch, state.main)


def _end(decision: Decision, slug: str, number: IssueNumber, said: str) -> None:
    subject = subject_of_end(slug)
    if f"comment:{subject}" not in decision.state.published:
        decision.intend(PostComment(issue=number, subject=subject, text=said))
        return
    decision.intend(
        CloseIssue(spec_run=SpecRunId(""), slug=slug, issue=number, reason="completed", round=0)
    )
