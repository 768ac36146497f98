"""What gate results mean: asked again, passed or failed, for a candidate or for a commit of main."""

from bot.core.decide.decision import Decision
from bot.core.journal.events import (
    AdoptionJudged,
    CandidateFailed,
    CandidatePassed,
    CandidateVoided,
    GateFlaked,
    GatesDoubted,
)
from bot.core.journal.state import ChangeFacts, OrderFacts
from bot.core.state.doubt import as_told, ask_again, flaked
from bot.core.state.queue_order import is_doubtful
from bot.core.state.verdict import Judgement, Verdict, judge
from bot.core.state.waivers import failing, waived_now, with_waivers
from gates.result import GateResult

# So many failing tests of main are named in a sentence.
_TESTS_NAMED = 10


def conclude(
    decision: Decision,
    order: OrderFacts,
    change: ChangeFacts | None,
    results: tuple[GateResult, ...],
    sentence: str,
) -> None:
    """Record the verdict on the order's commit: of a candidate, or (`change` None) of main."""
    waived = waived_now(decision.state, decision.policy, decision.now)
    judgement = judge(decision.policy, tuple(with_waivers(r, waived) for r in results))
    adoption = decision.state.adoptions.get(order.commit) if change is None else None
    doubts = change.doubts if change else adoption.doubts if adoption else ()
    if results and ask_again(decision.policy, judgement.results, doubts):
        decision.emit(
            GatesDoubted(
                change=change.id if change else None,
                order=order.id,
                candidate=order.commit,
                definition_hash=order.definition_hash,
                results=judgement.results,
            )
        )
        return
    _note_flakes(decision, order, change, judgement.results, doubts)
    told = tuple(as_told(r, doubts) for r in judgement.results)
    judgement = judgement.replace(results=told)
    if change is None:
        _conclude_main(decision, order, judgement)
    else:
        _conclude_candidate(decision, order, change, judgement, sentence)


def _conclude_main(decision: Decision, order: OrderFacts, judgement: Judgement) -> None:
    green = judgement.verdict is Verdict.GREEN
    red = f"main at {order.commit[:12]} is red. {judgement.sentence}"
    if tests := failing(judgement.results):
        red += f" Failing tests: {', '.join(tests[:_TESTS_NAMED])}."
    decision.emit(
        AdoptionJudged(
            sha=order.commit,
            order=order.id,
            results=judgement.results,
            green=green,
            sentence=judgement.sentence if green else red,
        )
    )


def _conclude_candidate(
    decision: Decision,
    order: OrderFacts,
    change: ChangeFacts,
    judgement: Judgement,
    sentence: str,
) -> None:
    """A red candidate on an adopted commit that is red or not judged yet does not fail: its report
    waits until main is known to be green (law 10)."""
    if judgement.verdict is Verdict.GREEN:
        decision.emit(
            CandidatePassed(
                change=change.id,
                order=order.id,
                candidate=order.commit,
                definition_hash=order.definition_hash,
                results=judgement.results,
            )
        )
    elif change.candidate is not None and is_doubtful(decision.state, change.candidate.base):
        if decision.state.main != change.candidate.base:
            decision.emit(CandidateVoided(change=change.id, order=order.id, candidate=order.commit))
    else:
        decision.emit(
            CandidateFailed(
                change=change.id,
                order=order.id,
                candidate=order.commit,
                definition_hash=order.definition_hash,
                results=judgement.results,
                sentence=f"{judgement.sentence} {sentence}".strip(),
            )
        )


def _note_flakes(
    decision: Decision,
    order: OrderFacts,
    change: ChangeFacts | None,
    results: tuple[GateResult, ...],
    doubts: tuple[GateResult, ...],
) -> None:
    for gate, tests in flaked(results, doubts).items():
        decision.emit(
            GateFlaked(
                change=change.id if change else None,
                candidate=order.commit,
                gate=gate,
                tests=tests,
                seen_at=decision.now,
            )
        )
