"""The leases, reports and losses of orders, as events.

An order is lost if its lease or its workflow run ended without a report. A lost order stays lost: a
report that arrives later is kept and never used. What is nobody's attempt is deferred
(`pause_orders`).
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

from action.report import AgentEnding, AgentReport, GateOrderReport
from bot.core.decide.changes.answer_threads import take_accounts
from bot.core.decide.changes.conclude import conclude
from bot.core.decide.changes.conclude_pull import conclude_pull
from bot.core.decide.changes.prove import proven
from bot.core.decide.changes.revoke import revoke
from bot.core.decide.changes.wait_for_answers import take_questions
from bot.core.decide.decision import Decision
from bot.core.decide.main.pause_orders import (
    met_by_agent,
    met_by_gates,
    met_on_the_way,
    put_off,
)
from bot.core.decide.main.smoke_main import judge_smoke
from bot.core.journal.effects import DispatchOrder
from bot.core.journal.events import (
    AgentLost,
    ChangeFailed,
    FailureReason,
    GatesLost,
    LateReportKept,
    OrderLeased,
    TextPublished,
    WorkFailed,
    WorkHandedIn,
)
from bot.core.journal.state import OrderFacts, OrderKind, OrderState
from bot.core.state.coverage import naming_tests
from bot.core.state.leftovers import leftovers
from bot.core.state.lost_gates import lost_gates
from bot.core.state.observed import OrderEntry
from bot.core.state.queue_definitions import definitions_of
from bot.core.state.verdict import believable, gates_hash
from bot.core.values.check_run import ANNOTATIONS_MAX
from bot.core.values.ids import OrderId
from bot.core.values.pause import NO_LEASE
from bot.core.values.repository import WorkflowRunState
from gates.result import GateResult, definition_hash

# An event keeps this much of a log or sentence; the whole report is stored separately.
LOG_CHARACTERS_KEPT = 4_000
_ERROR_CHARACTERS = 500
_RESTARTS_KEPT = 20


# After this many losses on one candidate, gates are not ordered again. If the last runner reported
# that it could not run them, that is their result; otherwise the change fails.
GATES_LOST_MAX = 3


def next_steps(decision: Decision) -> None:
    """Record leases, reports and losses of every observed order."""
    for id_, entry in _entries(decision).items():
        order = decision.state.orders.get(id_)
        if order is None or entry.is_waiting:
            continue
        with decision.on(order.branch_of_queue) as is_seen:
            if order.state is OrderState.LOST:
                _keep_late(decision, order, entry)
            elif order.is_open and (is_seen or entry.report is None):
                _follow(decision, order, entry)
            elif order.is_open:
                give_up(decision, order, "Its branch no longer has a queue.")


def _entries(decision: Decision) -> Mapping[OrderId, OrderEntry]:
    """What is known of each order. One that its store lacks, though it was sent or refused, was never
    taken."""
    state = decision.state
    sent = (
        id_
        for id_ in state.open_orders
        if state.orders[id_].dispatched_at is not None or DispatchOrder.key_of(id_) in state.refused
    )
    return {**{id_: OrderEntry(order=id_) for id_ in sent}, **decision.observed.order_store}


def _keep_late(decision: Decision, order: OrderFacts, entry: OrderEntry) -> None:
    subject = f"late:{order.id}"
    if entry.report_digest is None or subject in decision.state.published:
        return
    decision.emit(LateReportKept(order=order.id, report=entry.report_digest))
    decision.emit(
        TextPublished(subject=subject, digest=entry.report_digest[:12], published_at=decision.now)
    )


def _follow(decision: Decision, order: OrderFacts, entry: OrderEntry) -> None:
    if order.state is OrderState.PLACED and entry.leased_at and entry.workflow_run is not None:
        decision.emit(
            OrderLeased(
                change=order.change,
                order=order.id,
                workflow_run=entry.workflow_run,
                leased_at=entry.leased_at,
            )
        )
    if entry.report is not None:
        _take_report(decision, order, entry)
        return
    lost = _why_lost(decision, order, entry)
    if lost and not _put_off_what_got_no_lease(decision, order, entry):
        give_up(decision, order, lost)
    elif not lost and entry.lease_until is None:
        _put_off_what_never_began(decision, order)


def _put_off_what_never_began(decision: Decision, order: OrderFacts) -> None:
    refused = decision.state.refused.get(DispatchOrder.key_of(order.id))
    seconds = decision.policy.file.runner_start_seconds
    sentence = refused or f"No runner took the order within {seconds} seconds."
    is_late = order.dispatched_at is not None and decision.now > order.dispatched_at + timedelta(
        seconds=seconds
    )
    if refused is None and not is_late:
        return
    met = met_on_the_way(decision, order, sentence, is_refused=refused is not None)
    if put_off(decision, order, met):
        revoke(decision, order)
    else:
        give_up(decision, order, sentence)


def _put_off_what_got_no_lease(decision: Decision, order: OrderFacts, entry: OrderEntry) -> bool:
    """Whether the job told that the server gave it no lease: no other job of that file gets one."""
    run = decision.observed.workflow_runs.get(order.id)
    errors = run.errors if run is not None and entry.leased_at is None else ()
    told = next((" ".join(one.split()) for one in errors if NO_LEASE in one), None)
    if told is None:
        return False
    met = met_on_the_way(decision, order, told[:_ERROR_CHARACTERS], is_refused=False)
    if not put_off(decision, order, met):
        return False
    revoke(decision, order)
    return True


def _why_lost(decision: Decision, order: OrderFacts, entry: OrderEntry) -> str | None:
    run = decision.observed.workflow_runs.get(order.id)
    if run is not None and run.state is WorkflowRunState.COMPLETED:
        said = "; ".join(" ".join(one.split())[:_ERROR_CHARACTERS] for one in run.errors[:3])
        told = f" The job's message: {said}" if said else ""
        return f"The workflow run ended ({run.conclusion}) without a report: {run.html_url}{told}"
    if entry.lease_until is not None and decision.now > entry.lease_until:
        return "The runner stopped responding: it missed three heartbeats."
    return None


def give_up(decision: Decision, order: OrderFacts, sentence: str) -> None:
    """End an order without a report; one that comes later is kept and never used."""
    if order.kind is OrderKind.AGENT and order.change is not None:
        entry = decision.observed.order_store.get(order.id)
        said = entry.doing.status.dollars if entry is not None and entry.doing else None
        decision.emit(
            AgentLost(change=order.change, order=order.id, sentence=sentence, dollars=said)
        )
    else:
        decision.emit(GatesLost(change=order.change, order=order.id, sentence=sentence))
        _fail_where_gates_never_come(decision, order, sentence)
    revoke(decision, order)


def _fail_where_gates_never_come(decision: Decision, order: OrderFacts, sentence: str) -> None:
    """The work has no known fault, so a retry judges it again without an agent."""
    change = decision.state.changes.get(order.change) if order.change else None
    times = len(lost_gates(decision.state, order.commit))
    if change is None or change.is_ended or times < GATES_LOST_MAX:
        return
    decision.emit(
        ChangeFailed(
            change=change.id,
            reason=FailureReason.RUNNERS_LOST,
            sentence=f"No runner completed the gates, {times} times in a row. The last time: "
            f"{sentence}",
        )
    )


def _take_report(decision: Decision, order: OrderFacts, entry: OrderEntry) -> None:
    match entry.report:
        case AgentReport() as report if order.kind is OrderKind.AGENT:
            _take_agent_report(decision, order, report)
        case GateOrderReport() as report if order.kind is OrderKind.GATE:
            _take_gate_report(decision, order, report)
        case _:
            give_up(decision, order, "The report is of another kind than the order.")


def _take_agent_report(decision: Decision, order: OrderFacts, report: AgentReport) -> None:
    if order.change is None:
        return
    if report.ending is AgentEnding.ASKED:
        take_questions(decision, order, report)
        return
    is_deferred = report.ending is AgentEnding.DEFERRED
    if is_deferred and put_off(decision, order, met_by_agent(decision, order, report)):
        return
    if report.ending is AgentEnding.FINISHED and report.bundle_sha256 and report.head_sha:
        decision.emit(
            WorkHandedIn(
                change=order.change,
                order=order.id,
                bundle=report.bundle_sha256,
                turns=report.turns,
                tokens=report.tokens,
                model=report.model,
                seconds=report.seconds,
                sandbox=report.sandbox,
                left_out=leftovers(report),
                ticked=report.ticked,
                tasks=report.tasks,
                restarts=_restarts(report),
            )
        )
        take_accounts(decision, order, report)
        return
    decision.emit(
        WorkFailed(
            change=order.change,
            order=order.id,
            ending=report.obstacle or report.ending,
            sentence=report.sentence[:LOG_CHARACTERS_KEPT] or f"The agent ended: {report.ending}.",
            turns=report.turns,
            tokens=report.tokens,
            model=report.model,
            seconds=report.seconds,
            sandbox=report.sandbox,
            bundle=report.bundle_sha256 if report.head_sha else None,
            left_out=leftovers(report),
            ticked=report.ticked,
            tasks=report.tasks,
            restarts=_restarts(report),
        )
    )


def _restarts(report: AgentReport) -> tuple[str, ...]:
    return tuple(why[:_ERROR_CHARACTERS] for why in report.restarts[:_RESTARTS_KEPT])


def _take_gate_report(decision: Decision, order: OrderFacts, report: GateOrderReport) -> None:
    gates = report.report
    if gates is not None and not believable(gates, order.commit, order.asked_hash):
        give_up(decision, order, "The report is about another commit or other gates.")
        return
    if _asked_otherwise(decision, order):
        give_up(decision, order, "The gates changed on main while they ran.")
        return
    met = met_by_gates(decision, order, report)
    if met is not None and put_off(decision, order, met):
        return
    change = decision.state.changes.get(order.change) if order.change else None
    if gates is None and met is None and not _is_last_loss(decision, order):
        give_up(decision, order, report.sentence)
        return
    said = proven(decision, order, gates.results) if gates else ()
    results = tuple(_shortened(decision, order, r) for r in said)
    asked = {r.gate for r in results}
    doubts = tuple(
        _shortened(decision, order, r)
        for r in (gates.doubts if gates else ())
        if r.is_red and r.gate in asked
    )
    if order.is_smoke:
        judge_smoke(decision, order, results)
        return
    if order.pull is not None:
        conclude_pull(decision, order, (*order.reused, *results), report.sentence, doubts)
        return
    conclude(decision, order, change, (*order.reused, *results), report.sentence, doubts)


def _asked_otherwise(decision: Decision, order: OrderFacts) -> bool:
    """Whether main now requires other gates than the order: then its report does not count."""
    if order.pull is not None:
        pull = decision.state.queued_pulls.get(order.pull)
        candidate = decision.state.candidate_of(pull) if pull else None
        asked = definitions_of(decision.policy, pull, candidate) if pull and candidate else ()
        return order.definition_hash not in {gates_hash(policy) for policy in asked}
    if order.is_smoke:
        return order.definition_hash != gates_hash(decision.policy.of_smoke())
    if order.change is None:
        of_all = order.definition_hash or order.asked_hash
        return of_all != definition_hash(decision.policy.gates)
    change = decision.state.changes[order.change]
    return order.definition_hash != gates_hash(decision.policy_for(change))


def _is_last_loss(decision: Decision, order: OrderFacts) -> bool:
    return len(lost_gates(decision.state, order.commit)) >= GATES_LOST_MAX - 1


def _shortened(decision: Decision, order: OrderFacts, result: GateResult) -> GateResult:
    return replace(
        result,
        sentence=result.sentence[:LOG_CHARACTERS_KEPT],
        log_tail=result.log_tail[-LOG_CHARACTERS_KEPT:],
        annotations=result.annotations[:ANNOTATIONS_MAX],
        passed_tests=_naming_a_requirement(decision, order, result.passed_tests),
    )


def _naming_a_requirement(
    decision: Decision, order: OrderFacts, passed: tuple[str, ...]
) -> tuple[str, ...]:
    """The passed tests that name a requirement of a run under way, by the commit's own tests.

    All of them where these or a spec could not be read: they may be the evidence.
    """
    tests = decision.observed.judged_tests.get(order.commit)
    kept: dict[str, None] = {}
    for run in decision.state.spec_runs.values():
        spec = decision.spec_of(run)
        if not run.is_open or not passed:
            continue
        if tests is None or spec is None:
            return passed
        asked = [r for r in spec.requirements if r.id in run.requirements]
        kept.update(dict.fromkeys(naming_tests(asked, tests.mentions, passed)))
    return tuple(kept)
