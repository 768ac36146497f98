"""What gate results mean for the candidate of a person's pull.

A red pull leaves the queue only by what it brings itself, on main as it is now, and after its gates
have run once more; else another candidate is built, or the report waits for main's own gates.
"""

from bot.core.decide.changes.void_outdated import void_if_outdated
from bot.core.decide.decision import Decision
from bot.core.journal.events import (
    EvictionCause,
    MainAsked,
    PullEvicted,
    PullGatesDoubted,
    PullPassed,
    PullPassedAsMain,
)
from bot.core.journal.state import Candidate, OrderFacts, QueuedPull
from bot.core.state.blame import baseline_for, is_all_inherited, with_blame
from bot.core.state.evidence import is_complete
from bot.core.state.flaky_results import as_told, ask_again, counted_at_once, without_second_run
from bot.core.state.queue_definitions import definitions_of, judged_pull
from bot.core.state.queue_order import is_doubtful
from bot.core.state.queue_void import Phase
from bot.core.state.verdict import Verdict, gates_hash, judge
from bot.core.state.waivers import waived_now, with_waivers
from gates.result import GateResult


def conclude_pull(
    decision: Decision,
    order: OrderFacts,
    results: tuple[GateResult, ...],
    sentence: str,
    doubted: tuple[GateResult, ...] = (),
) -> None:
    """Record the verdict on the pull's candidate, unless the report must wait.

    `doubted`: red runs of gates that ran once more in the same order.
    """
    pull = decision.state.queued_pulls.get(order.pull) if order.pull else None
    candidate = decision.state.candidate_of(pull) if pull else None
    if pull is None or candidate is None or candidate.sha != order.commit:
        return
    state = decision.state
    asked = definitions_of(decision.policy, pull, candidate)
    policy = next((p for p in asked if gates_hash(p) == order.definition_hash), asked[0])
    no_second_run = without_second_run(state, decision.policy, decision.now)
    results = counted_at_once(results, doubted, no_second_run)
    doubts = (*candidate.doubts, *doubted)
    waived = waived_now(state, policy, decision.now)
    judgement = judge(policy, tuple(with_waivers(r, waived) for r in results))
    baseline = baseline_for(decision.state, order, candidate)
    blamed = tuple(with_blame(r, baseline) for r in judgement.results)
    is_of_main = is_all_inherited(blamed, policy.required_gates)
    if results and not is_of_main and ask_again(policy, blamed, doubts, no_second_run):
        decision.emit(
            PullGatesDoubted(
                number=pull.number,
                order=order.id,
                candidate=candidate.sha,
                results=(*doubted, *blamed),
            )
        )
        return
    told = tuple(as_told(r, doubts, no_second_run) for r in blamed)
    others = (p for p in asked if p is not policy)
    is_half = not all(is_complete(state, p, judged_pull(candidate)) for p in others)
    if judgement.verdict is Verdict.GREEN and is_half:
        decision.emit(
            PullPassedAsMain(
                number=pull.number, order=order.id, candidate=candidate.sha, results=told
            )
        )
    elif judgement.verdict is Verdict.GREEN:
        decision.emit(
            PullPassed(number=pull.number, order=order.id, candidate=candidate.sha, results=told)
        )
    elif void_if_outdated(decision, pull, Phase.RED):
        # A red result on an outdated main counts for nothing.
        return
    elif is_of_main or not baseline.is_known:
        _wait_for_main(decision, order, candidate)
    else:
        said = " ".join(part for part in (judgement.sentence, sentence) if part)
        decision.emit(_red(pull, order, told, said))


def _red(
    pull: QueuedPull, order: OrderFacts, results: tuple[GateResult, ...], sentence: str
) -> PullEvicted:
    return PullEvicted(
        number=pull.number,
        cause=EvictionCause.RED,
        sentence=sentence,
        order=order.id,
        results=results,
    )


def _wait_for_main(decision: Decision, order: OrderFacts, candidate: Candidate) -> None:
    """The report stays where it is until main's own gates have spoken."""
    if not is_doubtful(decision.state, candidate.base):
        decision.emit(MainAsked(sha=candidate.base, because=order.id))
