"""Orders: what the runner desk and GitHub say of them, turned into facts.

A runner takes an order (lease), renews it, hands in, or is given up: its lease ran out, its
workflow run ended without a report, or nobody took it in time. The rule: an order that was given up
stays given up; what comes for it later is kept and never used. Deliberately absent: ordering work
again, which follows from the change's state.
"""

from datetime import timedelta

from action.report import AgentEnding, AgentReport, GateOrderReport
from bot.core.decide.changes.wait_for_answers import take_questions
from bot.core.decide.decision import Draft
from bot.core.decide.main.account_commits import is_doubtful
from bot.core.journal.effects import DispatchOrder, RevokeOrder
from bot.core.journal.events import (
    AdoptionJudged,
    AgentLost,
    CandidateFailed,
    CandidatePassed,
    CandidateVoided,
    ChangeFailed,
    FailureReason,
    GatesLost,
    LateReportKept,
    OrderLeased,
    TextPublished,
    WorkFailed,
    WorkHandedIn,
)
from bot.core.journal.state import ChangeFacts, OrderFacts, OrderKind, OrderState
from bot.core.state.observed import DeskEntry
from bot.core.state.verdict import Verdict, believable, gates_hash, judge
from bot.core.values.check_run import ANNOTATIONS_PER_REQUEST
from bot.core.values.repository import WorkflowRunState
from gates.result import GateResult, definition_hash

# A journal event keeps this much of a log or sentence; the whole report is a blob.
LOG_CHARACTERS_KEPT = 4_000

# Gates that are lost this often on one candidate are not ordered again. Where a runner came to say
# that it could not run them, that is their result; else the change is given up.
GATES_LOST_MAX = 3


def next_steps(draft: Draft) -> None:
    """Leases, reports and losses of every order that was looked at."""
    for id_, entry in draft.observed.desk.items():
        order = draft.state.orders.get(id_)
        if order is None:
            continue
        if order.state is OrderState.LOST:
            _keep_late(draft, order, entry)
        elif order.is_open:
            _follow(draft, order, entry)


def _keep_late(draft: Draft, order: OrderFacts, entry: DeskEntry) -> None:
    subject = f"late:{order.id}"
    if entry.report_digest is None or subject in draft.state.published:
        return
    draft.emit(LateReportKept(order=order.id, report=entry.report_digest))
    draft.emit(
        TextPublished(subject=subject, digest=entry.report_digest[:12], published_at=draft.now)
    )


def _follow(draft: Draft, order: OrderFacts, entry: DeskEntry) -> None:
    if order.state is OrderState.PLACED and entry.leased_at and entry.workflow_run is not None:
        draft.emit(
            OrderLeased(
                change=order.change,
                order=order.id,
                workflow_run=entry.workflow_run,
                leased_at=entry.leased_at,
            )
        )
    if entry.report is not None:
        _take_report(draft, order, entry)
        return
    lost = _why_lost(draft, order, entry)
    if lost:
        _give_up(draft, order, lost)


def _why_lost(draft: Draft, order: OrderFacts, entry: DeskEntry) -> str | None:
    refused = draft.state.refused.get(DispatchOrder.key_of(order.id))
    if refused is not None:
        return refused
    run = draft.observed.workflow_runs.get(order.id)
    if run is not None and run.state is WorkflowRunState.COMPLETED:
        return f"Its workflow run ended ({run.conclusion}) without a report: {run.html_url}"
    if entry.lease_until is not None:
        if draft.now > entry.lease_until:
            return "Its runner stopped answering: three heartbeats were missed."
        return None
    start = timedelta(seconds=draft.policy.file.runner_start_seconds)
    if order.dispatched_at is not None and draft.now > order.dispatched_at + start:
        return f"No runner took it within {draft.policy.file.runner_start_seconds} seconds."
    return None


def _give_up(draft: Draft, order: OrderFacts, sentence: str) -> None:
    if order.kind is OrderKind.AGENT and order.change is not None:
        draft.emit(AgentLost(change=order.change, order=order.id, sentence=sentence))
    else:
        draft.emit(GatesLost(change=order.change, order=order.id, sentence=sentence))
        _fail_where_gates_never_come(draft, order, sentence)
    revoke(draft, order)


def revoke(draft: Draft, order: OrderFacts) -> None:
    """End an order's lease, once."""
    effect = RevokeOrder(order=order.id, workflow_run=order.workflow_run)
    if effect.subject not in draft.state.published:
        draft.intend(effect)


def _fail_where_gates_never_come(draft: Draft, order: OrderFacts, sentence: str) -> None:
    """Nothing is known against the work, so a retry judges it again without the agent."""
    change = draft.state.changes.get(order.change) if order.change else None
    times = _gates_lost(draft, order)
    if change is None or change.is_ended or times < GATES_LOST_MAX:
        return
    draft.emit(
        ChangeFailed(
            change=change.id,
            reason=FailureReason.RUNNERS_LOST,
            sentence=f"Its gates were lost {times} times in a row. The last time: {sentence}",
        )
    )


def _take_report(draft: Draft, order: OrderFacts, entry: DeskEntry) -> None:
    match entry.report:
        case AgentReport() as report if order.kind is OrderKind.AGENT:
            _take_agent_report(draft, order, report)
        case GateOrderReport() as report if order.kind is OrderKind.GATE:
            _take_gate_report(draft, order, report)
        case _:
            _give_up(draft, order, "Its report is of another kind than the order.")


def _take_agent_report(draft: Draft, order: OrderFacts, report: AgentReport) -> None:
    if order.change is None:
        return
    if report.ending is AgentEnding.ASKED:
        take_questions(draft, order, report)
        return
    if report.ending is AgentEnding.FINISHED and report.bundle_sha256 and report.head_sha:
        draft.emit(
            WorkHandedIn(
                change=order.change,
                order=order.id,
                bundle=report.bundle_sha256,
                turns=report.turns,
                tokens=report.tokens,
                model=report.model,
                seconds=report.seconds,
                sandbox=report.sandbox,
            )
        )
        return
    draft.emit(
        WorkFailed(
            change=order.change,
            order=order.id,
            ending=report.ending,
            sentence=report.sentence[:LOG_CHARACTERS_KEPT] or f"The agent ended: {report.ending}.",
            turns=report.turns,
            tokens=report.tokens,
            model=report.model,
            seconds=report.seconds,
            sandbox=report.sandbox,
        )
    )


def _take_gate_report(draft: Draft, order: OrderFacts, report: GateOrderReport) -> None:
    gates = report.report
    if gates is not None and not believable(gates, order.commit, order.asked_hash):
        _give_up(draft, order, "Its report speaks of another commit or other gates.")
        return
    if _asked_otherwise(draft, order):
        _give_up(draft, order, "The gates were changed on main while it ran.")
        return
    change = draft.state.changes.get(order.change) if order.change else None
    if gates is None and not _is_last_loss(draft, order):
        _give_up(draft, order, report.sentence)
        return
    results = tuple(_shortened(r) for r in gates.results) if gates else ()
    conclude(draft, order, change, (*order.reused, *results), report.sentence)


def _asked_otherwise(draft: Draft, order: OrderFacts) -> bool:
    """Whether main asks for other gates now than the order did: its report convicts nobody."""
    if order.change is None:
        return order.asked_hash != definition_hash(draft.policy.gates)
    return order.definition_hash != gates_hash(draft.policy)


def _is_last_loss(draft: Draft, order: OrderFacts) -> bool:
    return _gates_lost(draft, order) >= GATES_LOST_MAX - 1


def _gates_lost(draft: Draft, order: OrderFacts) -> int:
    return sum(
        1
        for other in draft.state.orders.values()
        if other.kind is OrderKind.GATE
        and other.commit == order.commit
        and other.state is OrderState.LOST
    )


def _shortened(result: GateResult) -> GateResult:
    return result.model_copy(
        update={
            "sentence": result.sentence[:LOG_CHARACTERS_KEPT],
            "log_tail": result.log_tail[-LOG_CHARACTERS_KEPT:],
            "annotations": result.annotations[:ANNOTATIONS_PER_REQUEST],
            "passed_tests": (),
        }
    )


def conclude(
    draft: Draft,
    order: OrderFacts,
    change: ChangeFacts | None,
    results: tuple[GateResult, ...],
    sentence: str,
) -> None:
    """Turn results into a verdict on the order's commit; on main (no change) into an adoption's.

    While a commit that we did not land is unjudged or red, a red candidate on top of it convicts
    nobody: the report waits on the desk until main is known to be sound (law 10).
    """
    judgement = judge(draft.policy, results)
    green = judgement.verdict is Verdict.GREEN
    if change is None:
        draft.emit(
            AdoptionJudged(
                sha=order.commit,
                order=order.id,
                results=judgement.results,
                green=green,
                sentence=judgement.sentence
                if green
                else f"main at {order.commit[:12]} is red. {judgement.sentence}",
            )
        )
        return
    if green:
        draft.emit(
            CandidatePassed(
                change=change.id,
                order=order.id,
                candidate=order.commit,
                definition_hash=order.definition_hash,
                results=judgement.results,
            )
        )
    elif change.candidate is not None and is_doubtful(draft.state, change.candidate.base):
        if draft.state.main != change.candidate.base:
            draft.emit(CandidateVoided(change=change.id, order=order.id, candidate=order.commit))
    else:
        draft.emit(
            CandidateFailed(
                change=change.id,
                order=order.id,
                candidate=order.commit,
                definition_hash=order.definition_hash,
                results=judgement.results,
                sentence=f"{judgement.sentence} {sentence}".strip(),
            )
        )
