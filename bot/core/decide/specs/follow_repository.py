"""What became of the repository: another name, owner or default branch; and whether we may work.

Identity is its id. While we may not work nothing else is decided: what is under way waits, and goes
on when we are back. Where we were removed and are not back within an hour, it is closed, with its
work kept.
"""

from bot.core.decide.changes.end_without_landing import stop_change
from bot.core.decide.decision import Decision
from bot.core.journal.effects import PostComment
from bot.core.journal.events import (
    AccessLost,
    AccessRegained,
    DialogueEnded,
    DialogueEnding,
    RepositoryChanged,
    SpecRunStopped,
)
from bot.core.journal.state import Away
from bot.core.state.access import can_comment, is_removal_due
from bot.core.state.candidates import is_landing
from bot.core.talk import access_text
from bot.core.values.repository import AwayReason, Standing


def is_away(decision: Decision) -> bool:
    """Follow what was seen; whether nothing else is to be decided now."""
    seen, known = decision.observed.standing, decision.state.facts
    if seen is not None and seen.facts is not None:
        if known is not None and seen.facts != known and seen.facts.id == known.id:
            decision.emit(RepositoryChanged(facts=seen.facts, seen_at=decision.now))
        _come_back(decision)
    elif seen is not None and seen.away is not None:
        _go_away(decision, seen, seen.away)
    return decision.state.away is not None


def _go_away(decision: Decision, seen: Standing, reason: AwayReason) -> None:
    known = decision.state.away
    if known is None or (known.reason, known.lacks) != (reason, seen.lacks):
        decision.emit(AccessLost(reason=reason, lacks=seen.lacks, seen_at=decision.now))
        _tell(decision, "away", decision.state.away)
    if is_removal_due(decision.state, decision.now):
        _close(decision)


def _come_back(decision: Decision) -> None:
    away = decision.state.away
    if away is None:
        return
    decision.emit(AccessRegained(seen_at=decision.now))
    _tell(decision, "back", away)


def _tell(decision: Decision, what: str, away: Away | None) -> None:
    """In the tracking issues. What cannot be said now is not said later: then we are back."""
    if away is None or (what == "away" and not can_comment(away)):
        return
    text = access_text.away(away) if what == "away" else access_text.back(away)
    for run in decision.state.spec_runs.values():
        if run.is_open and run.issue is not None:
            subject = f"{what} {run.id} {decision.now:%Y%m%dT%H%M%S}"
            decision.intend(PostComment(issue=run.issue, subject=subject, text=text))


def _close(decision: Decision) -> None:
    by = access_text.REMOVAL
    for dialogue in tuple(decision.state.dialogues.values()):
        # A proposed spec asks nobody anything: its pull stays for people to merge.
        if dialogue.is_open:
            decision.emit(DialogueEnded(issue=dialogue.issue, ending=DialogueEnding.REMOVED))
    for run in tuple(decision.state.spec_runs.values()):
        if not run.is_open:
            continue
        for change in decision.state.changes_of(run.id):
            if not change.is_ended and not is_landing(decision.state, change):
                stop_change(decision, change, by)
        decision.emit(SpecRunStopped(spec_run=run.id, stopped_by=by))
