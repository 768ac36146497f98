"""After an outage or a wrong set-up, orders wait, and one order at a time tries again.

An outage or a wrong set-up ends an order without an attempt. Other orders that need the same wait
with it, for 30 seconds at first and 30 minutes at most, or as long as the model's server says; then
one of them goes first. What a commit may have brought upon itself (its set-up fails, its gate is not
found) is put to main first: only where main meets the same is it a pause.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from action.report import AgentReport, GateOrderReport, Obstacle
from bot.core.decide.decision import Decision
from bot.core.journal.events import MainAsked, OrderDeferred, PauseProbed, PausesEnded
from bot.core.journal.pause_state import Pause
from bot.core.journal.state import OrderFacts, OrderKind, RepositoryState
from bot.core.spec.agent_budget import agent_settings
from bot.core.state.leftovers import leftovers
from bot.core.state.pauses import PROBE_RUNS, all_needs, is_held, need
from bot.core.state.queue_order import is_doubtful
from bot.core.values.ids import Frozen, OrderId
from bot.core.values.pause import OF_A_TREE, OF_THE_MODEL, Cause
from gates.result import Ending, GateResult

SHORTEST = timedelta(seconds=30)
LONGEST = timedelta(minutes=30)
# However long a server says: longer than a weekend is a mistake.
_SERVER_SECONDS_MAX = 3 * 24 * 3_600

_SENTENCE_CHARACTERS_MAX = 4_000
# POSIX, "Exit Status for Commands": cannot be executed, was not found.
_NOT_STARTED = frozenset({126, 127})


class Met(Frozen):
    """What an order met, and what its runner said of it."""

    cause: Cause
    about: str
    sentence: str
    retry_after_seconds: float | None = None
    report: AgentReport | None = None


def next_steps(decision: Decision) -> None:
    """End the pauses that no order of today's policy would wait for."""
    if not decision.state.pauses:
        return
    needed = all_needs(decision.policy, decision.observed.models)
    gone = tuple(key for key in decision.state.pauses if key not in needed)
    if gone:
        decision.emit(PausesEnded(pauses=gone))


def place_after(decision: Decision, order: OrderId, needs: frozenset[str]) -> None:
    """Note that an order that was just placed shows whether pauses are over."""
    orders = decision.state.orders
    probed = tuple(
        key
        for key, pause in decision.state.pauses.items()
        if key in needs and (pause.probe is None or not orders[pause.probe].is_open)
    )
    if probed:
        decision.emit(PauseProbed(order=order, pauses=probed))


def holds(decision: Decision, needs: frozenset[str]) -> bool:
    """Whether an order with these needs is not placed now."""
    return is_held(decision.state, needs, decision.now)


def met_on_the_way(
    decision: Decision, order: OrderFacts, sentence: str, *, is_refused: bool
) -> Met:
    """What an order met that GitHub refused to start, or that no runner took."""
    file = decision.policy.file
    return Met(
        cause=Cause.NO_WORKFLOW if is_refused else Cause.NO_RUNNER,
        about=file.agent_workflow if order.kind is OrderKind.AGENT else file.gates_workflow,
        sentence=sentence,
    )


def met_by_agent(decision: Decision, order: OrderFacts, report: AgentReport) -> Met:
    cause = Cause((report.obstacle or Obstacle.MODEL_AWAY).value)
    change = decision.state.changes.get(order.change) if order.change else None
    about = decision.policy.file.agent_workflow
    if cause in {Cause.PROGRAM_MISSING, Cause.PROXY_REFUSED}:
        about = decision.policy.agent.command or ""
    elif cause in OF_THE_MODEL and change is not None:
        settings = agent_settings(decision.policy, decision.observed.models, change.size)
        about = report.model or settings.model
    return Met(
        cause=cause,
        about=about,
        sentence=report.sentence,
        retry_after_seconds=report.retry_after_seconds,
        report=report,
    )


def met_by_gates(decision: Decision, order: OrderFacts, report: GateOrderReport) -> Met | None:
    """What a gate order met; None where it has something to say of the commit."""
    if report.report is None:
        if report.obstacle is None:
            return None
        cause, about = Cause(report.obstacle.value), decision.policy.file.gates_workflow
        return Met(cause=cause, about=about, sentence=report.sentence)
    change = decision.state.changes.get(order.change) if order.change else None
    pull = decision.state.queued_pulls.get(order.pull) if order.pull else None
    policy = decision.policy_of(pull) if pull else decision.policy_for(change)
    required = policy.required_gates
    red = [r for r in report.report.results if r.gate in required and r.is_red]
    missing = [r for r in red if _is_missing(r)]
    if not missing or missing != red:
        return None
    first = missing[0]
    return Met(cause=Cause.GATE_MISSING, about=first.gate, sentence=first.sentence)


def _is_missing(result: GateResult) -> bool:
    return result.ending is Ending.COULD_NOT_RUN and result.exit_code in _NOT_STARTED


def put_off(decision: Decision, order: OrderFacts, met: Met) -> bool:
    """Defer the order, or let it wait for main's own; False where its commit is to blame."""
    state = decision.state
    pull = state.queued_pulls.get(order.pull) if order.pull else None
    if pull is not None and pull.is_from_fork:
        # Other runners, and less for setup: what it met is nobody else's.
        return False
    pause = state.pauses.get(need(decision.policy, met.cause, met.about).pause)
    is_known = pause is not None and not pause.is_met_again_by(order.placed_at)
    if met.cause not in OF_A_TREE or is_known or _is_of_main(state, order):
        _defer(decision, order, met)
        return True
    if state.main is None or is_doubtful(state, state.main):
        return True
    if any(o.put_to_main for o in state.orders.values() if o.commit == order.commit):
        return False
    decision.emit(MainAsked(sha=state.main, because=order.id))
    return True


def _is_of_main(state: RepositoryState, order: OrderFacts) -> bool:
    is_of_entry = order.change is not None or order.pull is not None
    return not is_of_entry or any(line.sha == order.commit for line in state.ledger)


def _defer(decision: Decision, order: OrderFacts, met: Met) -> None:
    needed = need(decision.policy, met.cause, met.about)
    known = decision.state.pauses.get(needed.pause)
    report = met.report
    spent = (
        {name: getattr(report, name) for name in ("turns", "tokens", "model", "seconds", "sandbox")}
        | {"bundle": report.bundle_sha256 if report.head_sha else None}
        | {"left_out": leftovers(report)}
        if report is not None
        else {}
    )
    decision.emit(
        OrderDeferred(
            change=order.change,
            order=order.id,
            pause=needed.pause,
            cause=met.cause,
            about=needed.about,
            sentence=met.sentence[:_SENTENCE_CHARACTERS_MAX],
            deferred_at=decision.now,
            until=_until(decision.now, order, known, met.retry_after_seconds),
            main=decision.state.main,
            **spent,
        )
    )


def _until(
    now: datetime, order: OrderFacts, known: Pause | None, retry_after_seconds: float | None
) -> datetime:
    """Growing; the server's own clock counts before ours, unless the run itself waited that long."""
    if retry_after_seconds is not None and retry_after_seconds >= SHORTEST.total_seconds():
        return now + timedelta(seconds=min(retry_after_seconds, _SERVER_SECONDS_MAX))
    if known is not None and not known.is_met_again_by(order.placed_at):
        return known.until
    doubled: int = 2 ** min(known.times if known else 0, 16)
    return now + min(SHORTEST * doubled, LONGEST)


def deadlines(state: RepositoryState) -> Iterable[datetime]:
    """When the next order may be placed for each pause."""
    for pause in state.pauses.values():
        probe = state.orders.get(pause.probe) if pause.probe else None
        if probe is not None and probe.is_open and probe.leased_at is not None:
            yield probe.leased_at + PROBE_RUNS
        yield pause.until
