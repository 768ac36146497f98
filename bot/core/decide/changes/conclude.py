"""What gate results mean: asked again, passed or failed, for a candidate or for a commit of main.

Only what a change introduced convicts it. While nobody knows what main fails, and where all that
fails is inherited, the report of a candidate waits.
"""

from bot.core.decide.changes import await_checks
from bot.core.decide.changes.void_outdated import is_outdated, void_if_outdated
from bot.core.decide.decision import Decision
from bot.core.journal.events import (
    AdoptionJudged,
    CandidateFailed,
    CandidatePassed,
    GateFlaked,
    GatesDoubted,
    MainAsked,
    MainBlamed,
)
from bot.core.journal.state import (
    Adoption,
    ChangeFacts,
    OrderFacts,
)
from bot.core.state.blame import baseline_for, is_all_inherited, with_blame
from bot.core.state.flaky_results import (
    as_told,
    ask_again,
    counted_at_once,
    flaked,
    without_second_run,
)
from bot.core.state.queue_order import is_doubtful
from bot.core.state.queue_void import Phase
from bot.core.state.verdict import Judgement, Verdict, judge
from bot.core.state.waivers import failing, waived_now, with_losses_allowed, with_waivers
from bot.core.talk.blame_text import whose_failure
from bot.core.talk.steering_text import lost_text
from gates.result import GateResult

# So many failing tests of main are named in a sentence.
_TESTS_NAMED = 10


def conclude(
    decision: Decision,
    order: OrderFacts,
    change: ChangeFacts | None,
    results: tuple[GateResult, ...],
    sentence: str,
    doubted: tuple[GateResult, ...] = (),
) -> None:
    """Record the verdict on the order's commit: of a candidate, or (`change` None) of main.

    `doubted`: red runs of gates that ran once more in the same order.
    """
    policy = decision.policy_for(change)
    no_second_run = _without_second_run(decision, change)
    results = counted_at_once(results, doubted, no_second_run)
    waived = waived_now(decision.state, policy, decision.now)
    guards = policy.guards_of_tests
    may_lose = change.may_lose if change else {}
    accepted = (with_losses_allowed(with_waivers(r, waived), guards, may_lose) for r in results)
    judgement = judge(policy, tuple(accepted))
    candidate = decision.state.candidate_of(change) if change else None
    baseline = baseline_for(decision.state, order, candidate)
    blamed = tuple(with_blame(r, baseline) for r in judgement.results)
    is_of_main = is_all_inherited(blamed, policy.required_gates)
    adoption = decision.state.adoptions.get(order.commit) if change is None else None
    judged = candidate if change else adoption
    doubts = (*(judged.doubts if judged else ()), *doubted)
    # What main fails is known already, and needs no repetition.
    if results and not is_of_main and ask_again(policy, blamed, doubts, no_second_run):
        decision.emit(
            GatesDoubted(
                change=change.id if change else None,
                order=order.id,
                candidate=order.commit,
                definition_hash=order.definition_hash,
                results=(*doubted, *blamed),
            )
        )
        return
    told = tuple(as_told(r, doubts, no_second_run) for r in blamed)
    judgement = judgement.replace(results=told)
    is_red = judgement.verdict is Verdict.RED
    if change is not None and is_red and is_outdated(decision, change, Phase.RED):
        _void(decision, order, change, told)
        return
    if change is not None and is_red and (is_of_main or not baseline.is_known):
        _wait_for_main(decision, order, change, told if is_of_main else ())
        return
    _note_flakes(decision, order, change, told, doubts)
    if await_checks.begins(decision, order, change, judgement):
        return
    if change is None:
        _conclude_main(decision, order, judgement, adoption)
    else:
        _conclude_candidate(decision, order, change, judgement, sentence)


def _without_second_run(decision: Decision, change: ChangeFacts | None) -> frozenset[str]:
    """Gates and tests whose red counts without a second run. None on main, where a wrong red would hold up
    everybody; none after an agent found no fault in the work, which earns one more judgement.
    """
    if change is None or (change.head is not None and change.rejudged == change.head.sha):
        return frozenset()
    return without_second_run(decision.state, decision.policy, decision.now)


def _void(
    decision: Decision, order: OrderFacts, change: ChangeFacts, results: tuple[GateResult, ...]
) -> None:
    """A red result on an outdated main counts for nothing; a green one holds for the same diff."""
    decision.emit(
        GatesDoubted(
            change=change.id,
            order=order.id,
            candidate=order.commit,
            definition_hash=order.definition_hash,
            results=results,
        )
    )
    void_if_outdated(decision, decision.state.changes[change.id], Phase.RED)


def _conclude_main(
    decision: Decision, order: OrderFacts, judgement: Judgement, adoption: Adoption | None
) -> None:
    green = judgement.verdict is Verdict.GREEN
    where = "The merge group" if adoption is not None and adoption.group is not None else "main"
    red = f"{where} at {order.commit[:12]} is red. {judgement.sentence}"
    if tests := failing(judgement.results):
        red += f" Failing tests: {', '.join(tests[:_TESTS_NAMED])}."
    if adoption is not None:
        red += f" {whose_failure(decision.state, adoption)}"
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
    else:
        decision.emit(
            CandidateFailed(
                change=change.id,
                order=order.id,
                candidate=order.commit,
                definition_hash=order.definition_hash,
                results=judgement.results,
                sentence=" ".join(
                    part
                    for part in (
                        judgement.sentence,
                        sentence,
                        _how_to_allow(decision, judgement, order),
                    )
                    if part
                ),
            )
        )


def _how_to_allow(decision: Decision, judgement: Judgement, order: OrderFacts) -> str:
    """Where a person's word is all that is missing, how to give it."""
    required = set(decision.policy.required_gates)
    red = [r for r in judgement.results if r.gate in required and not r.is_accepted]
    guards = decision.policy.guards_of_tests
    is_all = all(r.gate in guards and r.failed_tests for r in red)
    return lost_text(order.commit) if red and is_all else ""


def _wait_for_main(
    decision: Decision, order: OrderFacts, change: ChangeFacts, inherited: tuple[GateResult, ...]
) -> None:
    """The report waits until main is repaired, or what fails there is accepted (law 10)."""
    candidate = decision.state.candidate_of(change)
    base = candidate.base if candidate else None
    if base is None or void_if_outdated(decision, change, Phase.OF_MAIN):
        return
    if not is_doubtful(decision.state, base):
        # The failure was accepted on main and is not any more: ask main's gates again.
        decision.emit(MainAsked(sha=base, because=order.id))
    elif inherited:
        decision.emit(
            MainBlamed(change=change.id, order=order.id, candidate=order.commit, results=inherited)
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
