"""What others say of a candidate, as the policy asks: awaited on each candidate that our own gates passed.

What people (`await_acceptance`) and models (`ask_reviews`) are asked is concluded here, too.

Green counts as the gate's pass, red as its failure. A check that did not come in time, or did not
run, convicts nobody: the entry is held, others go before it, and it goes on when the check is green there.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from bot.core.decide.changes import ask_reviews, await_acceptance
from bot.core.decide.decision import Decision
from bot.core.journal.events import (
    CandidateFailed,
    CandidatePassed,
    ChangeFailed,
    ChangeHeld,
    ChangeReleased,
    ChecksAwaited,
    FailureReason,
)
from bot.core.journal.state import Awaited, ChangeFacts, OrderFacts, RepositoryState
from bot.core.spec.awaited_gates import ExternalGate
from bot.core.spec.policy import Policy
from bot.core.state.candidates import awaited_now
from bot.core.state.verdict import Judgement, Verdict, gates_hash, judge
from bot.core.talk.text import moment
from bot.core.values.seen_check import CheckEnding, SeenCheck
from gates.result import Ending, GateResult, Judges

_ENDINGS = {
    CheckEnding.GREEN: Ending.PASSED,
    CheckEnding.RED: Ending.FAILED,
    CheckEnding.PENDING: Ending.COULD_NOT_RUN,
    CheckEnding.NOT_RUN: Ending.COULD_NOT_RUN,
}
# Where several check runs have the name, the worst counts.
_WORST_FIRST = (CheckEnding.RED, CheckEnding.PENDING, CheckEnding.NOT_RUN, CheckEnding.GREEN)


def begins(
    decision: Decision, order: OrderFacts, change: ChangeFacts | None, judgement: Judgement
) -> bool:
    """Whether checks of others are awaited now, because our own gates passed a candidate."""
    is_green = judgement.verdict is Verdict.GREEN
    if change is None or not is_green or not decision.policy_for(change).awaited_gates:
        return False
    decision.emit(
        ChecksAwaited(
            change=change.id,
            order=order.id,
            candidate=order.commit,
            definition_hash=order.definition_hash,
            results=judgement.results,
            since=decision.now,
            asks_people=bool(decision.policy_for(change).acceptance_gates),
            reviews=ask_reviews.open_gates(decision, order, change),
        )
    )
    return True


def is_awaiting(decision: Decision, change: ChangeFacts) -> bool:
    """Whether the change's candidate waits for others, under the gates that main asks for now."""
    awaited = awaited_now(decision.state, change)
    return awaited is not None and awaited.definition_hash == gates_hash(
        decision.policy_for(change)
    )


def settle(decision: Decision, change: ChangeFacts) -> None:
    """Conclude when every check has ended, or its time is up."""
    awaited = awaited_now(decision.state, change)
    seen = decision.observed.checks.get(awaited.candidate) if awaited else None
    if awaited is None or decision.state.facts is None:
        return
    reviewed = ask_reviews.results(decision, change, awaited)
    change = decision.state.changes[change.id]
    if seen is None and decision.policy_for(change).external_gates:
        return
    ours = decision.state.facts.app_id
    gates = decision.policy_for(change).external_gates
    found = {gate.name: _seen(gate, seen or (), ours) for gate in gates}
    results = tuple(_result(gate, found[gate.name]) for gate in gates)
    required = [result for gate, result in zip(gates, results, strict=True) if gate.required]
    said = await_acceptance.answers(decision, change, awaited)
    people = tuple(result for result in said.values() if result is not None)
    asked = {gate.name for gate in decision.policy_for(change).acceptance_gates if gate.required}
    required += [result for result in people if result.gate in asked]
    reviews = decision.policy_for(change).review_gates
    read = tuple(result for result in reviewed.values() if result is not None)
    required += [one for gate in reviews if gate.required and (one := reviewed[gate.name])]
    is_red = any(result.ending is Ending.FAILED for result in required)
    late = [gate for gate in gates if gate.required and _is_open(found[gate.name])]
    since = _since(decision.state, change, awaited)
    if not is_red and any(decision.now < _until(gate, since) for gate in late):
        return
    if not is_red and any(result is None for result in reviewed.values()):
        return
    circles = [
        g.name for g in reviews if g.required and ask_reviews.circle(change, awaited, g.name)
    ]
    if circles:
        _ask_a_person(decision, change, [reviewed[name] for name in circles])
        return
    missing = [r for r in required if r.ending is Ending.COULD_NOT_RUN and r not in results]
    if missing and not is_red:
        decision.emit(
            ChangeFailed(
                change=change.id,
                reason=FailureReason.CHECK_MISSING,
                sentence=" ".join(result.sentence for result in missing)
                + " The work is kept: `/headgate retry` judges it again without an agent.",
            )
        )
        return
    absent = [gate for gate in gates if gate.required and _is_absent(found[gate.name])]
    if absent and not is_red:
        _hold(decision, change, awaited, [(g, _result(g, found[g.name])) for g in absent])
        return
    if not is_red and any(said[name] is None for name in asked):
        return
    _release(decision, change)
    _conclude(decision, change, awaited, (*awaited.results, *results, *read, *people))


def _hold(
    decision: Decision,
    change: ChangeFacts,
    awaited: Awaited,
    late: Iterable[tuple[ExternalGate, GateResult]],
) -> None:
    """A check that does not come is no failure: the entry is held. A person's own hold is not replaced."""
    why = " ".join(
        f"{result.sentence} Headgate has waited for {_whose(gate)} on {awaited.candidate[:12]} "
        f"since {moment(awaited.since)}."
        for gate, result in late
    )
    hold = decision.state.entry_of(change).hold
    if hold is None or (hold.is_for_check and hold.why != why):
        decision.emit(ChangeHeld(change=change.id, by="", why=why, held_at=decision.now))


def _whose(gate: ExternalGate) -> str:
    return "another App" if gate.app is None else f"the App {gate.app}"


def _release(decision: Decision, change: ChangeFacts) -> None:
    hold = decision.state.entry_of(change).hold
    if hold is not None and hold.is_for_check:
        decision.emit(ChangeReleased(change=change.id, by=""))


def release_what_waits_no_more(decision: Decision, change: ChangeFacts) -> None:
    """Release the entry if its check is no longer awaited: another candidate, attempt or set of gates."""
    if not is_awaiting(decision, change):
        _release(decision, change)


def _ask_a_person(
    decision: Decision, change: ChangeFacts, results: Iterable[GateResult | None]
) -> None:
    """Two reviews that undo each other would send agents round in a circle."""
    decision.emit(
        ChangeFailed(
            change=change.id,
            reason=FailureReason.REVIEW_CIRCLES,
            sentence=" ".join(result.sentence for result in results if result is not None)
            + " Decide which one is right: comment `/headgate tell`, then `/headgate retry "
            "agent`. To review the same work again, comment `/headgate retry`.",
        )
    )


def _conclude(
    decision: Decision, change: ChangeFacts, awaited: Awaited, results: tuple[GateResult, ...]
) -> None:
    judgement = judge(decision.policy_for(change), results)
    if judgement.verdict is Verdict.GREEN:
        decision.emit(
            CandidatePassed(
                change=change.id,
                order=awaited.order,
                candidate=awaited.candidate,
                definition_hash=awaited.definition_hash,
                results=judgement.results,
            )
        )
        return
    decision.emit(
        CandidateFailed(
            change=change.id,
            order=awaited.order,
            candidate=awaited.candidate,
            definition_hash=awaited.definition_hash,
            results=judgement.results,
            sentence=judgement.sentence,
        )
    )


def _seen(gate: ExternalGate, seen: Iterable[SeenCheck], ours: int) -> SeenCheck | None:
    """The worst check of the gate's name and App; what we report ourselves never counts."""
    matching = [
        one
        for one in seen
        if one.name == gate.check and one.app_id != ours and gate.is_of(one.app_id, one.app_slug)
    ]
    return min(matching, key=lambda one: _WORST_FIRST.index(one.ending), default=None)


def _is_open(seen: SeenCheck | None) -> bool:
    return seen is None or seen.ending is CheckEnding.PENDING


def _is_absent(seen: SeenCheck | None) -> bool:
    return _is_open(seen) or (seen is not None and seen.ending is CheckEnding.NOT_RUN)


def _since(state: RepositoryState, change: ChangeFacts, awaited: Awaited) -> datetime:
    """From when on the deadline counts: a person who ends a hold gives the check its time once more."""
    released = state.entry_of(change).released_at
    return max(awaited.since, released) if released else awaited.since


def _until(gate: ExternalGate, since: datetime) -> datetime:
    return since + timedelta(seconds=gate.deadline_seconds)


def _result(gate: ExternalGate, seen: SeenCheck | None) -> GateResult:
    name = f"The check `{gate.check}`"
    within = f"within {gate.deadline_seconds} seconds"
    if seen is None:
        said = f"{name} was not reported on the candidate {within}."
    elif seen.ending is CheckEnding.PENDING:
        said = f"{name} did not end {within}."
    elif seen.ending is CheckEnding.GREEN:
        said = f"{name} is green."
    else:
        did = "failed" if seen.ending is CheckEnding.RED else "did not run"
        said = f"{name} {did} (GitHub says {seen.said or seen.ending})."
    if seen is not None and seen.url and seen.ending is not CheckEnding.GREEN:
        said += f" Details: {seen.url}"
    ending = Ending.COULD_NOT_RUN if seen is None else _ENDINGS[seen.ending]
    return GateResult(gate=gate.name, judges=Judges.TREE, ending=ending, sentence=said)


def deadlines(state: RepositoryState, policy: Policy) -> Iterable[datetime]:
    for change in state.changes.values():
        awaited = awaited_now(state, change)
        if awaited is not None:
            since = _since(state, change, awaited)
            yield from (_until(gate, since) for gate in policy.external_gates)
            yield from (ask_reviews.until(gate, awaited) for gate in policy.review_gates)
