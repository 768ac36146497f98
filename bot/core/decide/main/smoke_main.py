"""After a landing the smoke gates run on main. Red freezes the queue; an issue names the landing.

They hold up nothing while they run. What lands meanwhile is asked with the newest main. Gates that did not
run say nothing of the commit: people are told, and nothing is frozen.
"""

from bot.core.decide.decision import Decision
from bot.core.decide.main.dispatch_gates import GatesAsked, dispatch_gates, gate_order
from bot.core.decide.main.pause_orders import holds, place_after
from bot.core.journal.effects import OpenIssue
from bot.core.journal.events import QueueFrozen, QueueThawed, SmokeJudged, SmokeOrdered
from bot.core.journal.state import OrderFacts, OrderState
from bot.core.spec.policy import Policy
from bot.core.state.pauses import needs_of_gates
from bot.core.state.smoke_due import (
    SMOKE_ORDERS_MAX,
    is_being_asked,
    is_due,
    next_wait,
    suspects,
)
from bot.core.state.verdict import Verdict, gates_hash, judge
from bot.core.state.waivers import waived_now, with_waivers
from bot.core.talk import smoke_text
from bot.core.talk.incident_text import incident_marker
from bot.core.values.freeze import FreezeCause
from bot.core.values.ids import Ref, Sha, SpecRunId
from bot.core.values.incident import Incident, IncidentKind
from bot.core.values.smoke import SmokeOutcome
from gates.result import Ending, GateResult, definition_hash

# Whatever made them red, or kept them from running, may have gone without a push.
_ASKED_AGAIN = frozenset({SmokeOutcome.RED, SmokeOutcome.NOT_RUN})


def next_steps(decision: Decision) -> None:
    state = decision.state
    if not decision.policy.file.smoke:
        # Without smoke gates in the policy, an old red one must not freeze the queue.
        if isinstance(decision.observed.policy, Policy):
            _thaw(decision)
        return
    if state.main is None or is_being_asked(state) or not is_due(state, decision.now):
        return
    smoke = state.smoke
    order = state.orders.get(smoke.order) if smoke else None
    is_lost = order is not None and order.state is OrderState.LOST
    is_untold = smoke is not None and smoke.sha == state.main and smoke.outcome is None
    if smoke and is_untold and is_lost and smoke.orders >= SMOKE_ORDERS_MAX:
        decision.emit(
            SmokeJudged(
                sha=smoke.sha,
                order=smoke.order,
                outcome=SmokeOutcome.NOT_RUN,
                results=(),
                sentence=f"No runner completed them, {smoke.orders} times. The last time: "
                f"{order.lost}"
                if order
                else "",
                again_at=decision.now + next_wait(smoke),
            )
        )
        return
    _order(decision, state.main)


def _order(decision: Decision, main: Sha) -> None:
    facts = decision.state.facts
    policy = decision.policy.of_smoke()
    needs = needs_of_gates(policy, policy.gates)
    if facts is None or holds(decision, needs):
        return
    id_ = decision.next_order_id()
    decision.emit(
        SmokeOrdered(
            sha=main,
            order=id_,
            definition_hash=gates_hash(policy),
            asked_hash=definition_hash(policy.gates),
            placed_at=decision.now,
        )
    )
    place_after(decision, id_, needs)
    asked = GatesAsked(
        order=id_, gates=policy.gates, candidate=main, ref=Ref(facts.main_ref), diff_base=main
    )
    dispatch_gates(decision, policy, gate_order(decision, facts, policy, asked))


def judge_smoke(decision: Decision, order: OrderFacts, results: tuple[GateResult, ...]) -> None:
    policy = decision.policy.of_smoke()
    waived = waived_now(decision.state, policy, decision.now)
    judgement = judge(policy, tuple(with_waivers(r, waived) for r in results))
    failed = [r for r in judgement.results if r.is_red and r.ending is not Ending.COULD_NOT_RUN]
    smoke = decision.state.smoke
    if judgement.verdict is Verdict.GREEN:
        outcome = SmokeOutcome.GREEN
    elif not failed:
        outcome = SmokeOutcome.NOT_RUN
    elif smoke and smoke.reds < min(policy.repeats(r.gate) for r in failed):
        outcome = SmokeOutcome.REPEATED
    else:
        outcome = SmokeOutcome.RED
    was_frozen = FreezeCause.SMOKE in decision.state.freezes
    decision.emit(
        SmokeJudged(
            sha=order.commit,
            order=order.id,
            outcome=outcome,
            results=judgement.results,
            sentence=judgement.sentence,
            again_at=decision.now + next_wait(smoke) if outcome in _ASKED_AGAIN else None,
        )
    )
    if outcome is SmokeOutcome.RED:
        _freeze(decision, was_frozen)
    elif outcome is SmokeOutcome.GREEN:
        _thaw(decision)


def _thaw(decision: Decision) -> None:
    if FreezeCause.SMOKE in decision.state.freezes:
        decision.emit(QueueThawed(by="", causes=(FreezeCause.SMOKE,)))


def _freeze(decision: Decision, was_frozen: bool) -> None:
    state = decision.state
    if state.smoke is None or state.facts is None:
        return
    smoke, landings = state.smoke, suspects(state, state.smoke)
    why = smoke_text.why_frozen(state, smoke, landings)
    if was_frozen and state.freezes[FreezeCause.SMOKE].why == why:
        # The same commit, asked again.
        return
    decision.emit(
        QueueFrozen(
            by="",
            why=why,
            until=None,
            frozen_at=decision.now,
            cause=FreezeCause.SMOKE,
        )
    )
    if was_frozen:
        # The issue of this freeze is open.
        return
    incident = Incident(kind=IncidentKind.SMOKE, sha=smoke.sha, branch=state.on_branch)
    decision.intend(
        OpenIssue(
            spec_run=SpecRunId(""),
            slug=incident.slug,
            title=smoke_text.smoke_title(state, landings),
            body=smoke_text.smoke_body(state, state.facts, smoke, landings, incident),
            marker=incident_marker(incident.slug),
            labels=(),
            digests={},
            revision=0,
            intended_at=decision.now,
        )
    )
