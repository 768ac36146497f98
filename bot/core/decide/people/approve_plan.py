"""`/headgate approve`: the plan that the tracking issue showed when the comment was written."""

from datetime import datetime

from bot.core.decide.decision import Decision
from bot.core.decide.people.approve_spec_edit import approve_edit
from bot.core.decide.people.edit_plan import being_planned
from bot.core.journal.events import ApprovalGiven, PlanApproved
from bot.core.journal.state import SpecRun, SpecRunState, asked_at
from bot.core.spec.triage.spec_questions import unanswered
from bot.core.talk import replies
from bot.core.talk.approval_text import ALL, is_too_many, missing_approvals, too_many_changes
from bot.core.talk.asked_command import AskedCommand, Reply, refuse, reply
from bot.core.talk.rules_text import approved_but_waits
from bot.core.values.plan_model import Plan


def approve_plan(decision: Decision, asked: AskedCommand, run: SpecRun) -> Reply:
    proposed_edit = run.proposed_edit if run.state is SpecRunState.RUNNING else None
    plan = proposed_edit.plan if proposed_edit else run.plan
    if _is_being_planned(run):
        return refuse(being_planned())
    if run.state is SpecRunState.RUNNING and proposed_edit is None:
        return reply(replies.already_approved(run))
    if not run.is_open or plan is None:
        return refuse(replies.not_open(run))
    if why := _not_as_shown(decision, asked, run, plan):
        return refuse(why)
    holding = unanswered(
        asked_at(decision.state, run.path), decision.state.decisions, decision.policy.file.questions
    )
    if holding:
        return refuse(replies.questions_first(holding))
    before = run.approvals.get(plan.revision, ())
    given = tuple(dict.fromkeys((*before, asked.author)))
    authors = decision.observed.authors.get(run.id, ())
    if missing := missing_approvals(given, authors, decision.policy):
        if asked.author not in before:
            decision.emit(
                ApprovalGiven(spec_run=run.id, revision=plan.revision, approved_by=asked.author)
            )
        return reply(missing)
    no_gates = ""
    if proposed_edit is not None:
        approve_edit(decision, run, proposed_edit, asked.author)
    else:
        no_gates = "" if decision.policy.required_gates else replies.no_gates()
        decision.emit(
            PlanApproved(
                spec_run=run.id,
                revision=plan.revision,
                plan_hash=plan.hash,
                approved_by=asked.author,
                archive_date=decision.now.date(),
            )
        )
    # Nobody is paid for what could not land.
    return reply(no_gates, approved_but_waits(decision.state, decision.policy))


def _is_being_planned(run: SpecRun) -> bool:
    is_edited = run.replanning is not None and run.replanning.edit is not None
    return is_edited or (run.planning is not None and run.state is SpecRunState.PROPOSED)


def _not_as_shown(decision: Decision, asked: AskedCommand, run: SpecRun, plan: Plan) -> str:
    """Why the comment does not approve this plan; empty if it does."""
    newest = plan.revision
    words = asked.argument.lower().split()
    if unknown := " ".join(w for w in words if w not in {f"r{newest}", str(newest), ALL}):
        return replies.no_such_revision(unknown, newest)
    if is_too_many(plan, decision.policy) and ALL not in words:
        return too_many_changes(plan, decision.policy)
    visible = _shown_when(run, asked.comment.created_at)
    return "" if visible == newest else replies.stale_approval(newest, visible)


def _shown_when(run: SpecRun, written_at: datetime) -> int | None:
    """The newest revision that the issue surely showed at that time.

    GitHub's times are whole seconds: a comment of the second in which a revision replaced another
    may have been written about either, and counts for the older.
    """
    seen: list[int] = []
    for revision, shown_at in sorted(run.revisions_shown.items()):
        since = shown_at.replace(microsecond=0)
        if since < written_at or (since == written_at and not seen):
            seen.append(revision)
    return max(seen, default=None)
