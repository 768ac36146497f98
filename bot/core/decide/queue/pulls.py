"""People's pulls in the queue: what became of them on GitHub, their gates, and their landing.

A pull lands as the head that a person queued, merged on main and judged as that merge. Only the front
of the queue is built and lands; what is judged goes on being judged.
"""

from bot.core.decide.changes.conclude_pull import conclude_pull
from bot.core.decide.changes.note_reviews import note_reviews
from bot.core.decide.changes.settle_orders import GATES_LOST_MAX
from bot.core.decide.changes.void_outdated import void_if_outdated
from bot.core.decide.changes.withdraw_pull import withdraw_pull
from bot.core.decide.decision import Decision
from bot.core.decide.main.dispatch_gates import dispatch_gates, gate_order, gates_of_candidate
from bot.core.decide.main.pause_orders import holds, place_after
from bot.core.journal.effects import BuildPull, DeleteRefs, LandPull
from bot.core.journal.events import (
    EvictionCause,
    PullEvicted,
    PullGatesOrdered,
    PullLandAborted,
    PullLandIntended,
    PullVoided,
)
from bot.core.journal.queued_pull import Unfit
from bot.core.journal.state import Candidate, OrderFacts, QueuedPull
from bot.core.spec.policy import Policy, PolicyRefusal
from bot.core.spec.policy_file import POLICY_PATH
from bot.core.state.approvals import needs_code_owners, needs_others, needs_owners, needs_resolution
from bot.core.state.evidence import held, is_complete, keys_of
from bot.core.state.landing_way import is_queued, merge_methods
from bot.core.state.lost_gates import lost_gates
from bot.core.state.own_refs import pull_folder
from bot.core.state.pauses import needs_of_gates
from bot.core.state.queue_definitions import brought_policy, definitions_of, judged_pull
from bot.core.state.queue_order import does_not_fit, is_doubtful
from bot.core.state.queue_void import Lack, Phase
from bot.core.state.refusing_rules import needs_signatures
from bot.core.state.unasked_pulls import checks_required
from bot.core.state.verdict import Verdict, gates_hash, judge
from bot.core.talk import queue_text
from bot.core.talk.steering_text import shadows_text
from bot.core.values.ids import Ref, Sha, SpecRunId
from bot.core.values.lifecycle import QueuedPullState
from bot.core.values.repository import RepositoryFacts
from gates.result import definition_hash

# What others are judged by: the policy, what is in quarantine, the register. Who edits it is a barrier.
_RULES = (POLICY_PATH, ".headgate/")

# Why a merge could not be made, where another main may be all that it lacks.
_BY_MAIN = frozenset({EvictionCause.CONFLICT, EvictionCause.NOTHING_NEW})


def follow(decision: Decision) -> None:
    """What people did to the pulls, and the gates of those that are being judged."""
    facts = decision.state.facts
    if facts is None:
        return
    # Asked once: two hundred pulls may wait.
    why_none = _why_none_may_land(decision)
    for pull in tuple(decision.state.queued_pulls.values()):
        if not pull.has_left and pull.state is not QueuedPullState.LANDING:
            _follow_one(decision, facts, pull, why_none)
        now = decision.state.queued_pulls[pull.number]
        if now.has_left:
            _tidy(decision, now)


def _why_none_may_land(decision: Decision) -> str:
    """What the policy and the rules say of every pull; empty where pulls may land."""
    if not decision.policy.of_pulls().required_gates:
        return queue_text.needs_gates(decision.observed.policy)
    if needs_code_owners(decision.policy, decision.state.rules):
        return queue_text.needs_code_owners(decision.state.on_branch)
    return ""


def _follow_one(
    decision: Decision, facts: RepositoryFacts, pull: QueuedPull, why_none: str
) -> None:
    if pull.number in decision.observed.pulls:
        seen = decision.observed.pulls[pull.number]
        why = queue_text.why_out(seen, facts.default_branch, pull.head)
        if why:
            withdraw_pull(decision, pull, "", why)
            return
    if pull.is_from_fork and decision.policy.file.forks.runs_on is None:
        withdraw_pull(decision, pull, "", queue_text.from_fork())
        return
    if why_none:
        withdraw_pull(decision, pull, "", why_none)
        return
    if pull.state is QueuedPullState.WAITING and pull.unfit is not None:
        _convict_unfit(decision, pull, pull.unfit)
    note_reviews(decision, pull)
    if pull.state is QueuedPullState.JUDGING:
        candidate = decision.state.candidate_of(pull)
        if candidate is not None:
            _judge(decision, facts, pull, candidate)


def _convict_unfit(decision: Decision, pull: QueuedPull, unfit: Unfit) -> None:
    """What does not fit a main that nobody judged yet, or that is red, may fit the next one."""
    if unfit.cause in _BY_MAIN and (
        not does_not_fit(decision.state, pull) or is_doubtful(decision.state, unfit.base)
    ):
        return
    _evict(decision, pull, unfit.cause, pull.sentence)


def _tidy(decision: Decision, pull: QueuedPull) -> None:
    """What left the queue has no refs of ours any more; a late build would push another."""
    forget = DeleteRefs(
        spec_run=_refs_of(pull),
        round=pull.rounds,
        prefixes=(pull_folder(pull.number),),
        names=(),
    )
    is_being_built = any(
        isinstance(effect, BuildPull) and effect.number == pull.number
        for effect in decision.state.open_effects.values()
    )
    if not is_being_built and forget.subject not in decision.state.published:
        decision.intend(forget)


def _refs_of(pull: QueuedPull) -> SpecRunId:
    """The name under which its refs are forgotten."""
    return SpecRunId(f"pull-{pull.number}")


def _is_being_tidied(decision: Decision, pull: QueuedPull) -> bool:
    """Whether refs of its rounds before are still to be deleted, and those of this one with them."""
    return any(
        isinstance(effect, DeleteRefs) and effect.spec_run == _refs_of(pull)
        for effect in decision.state.open_effects.values()
    )


def _order_of(decision: Decision, candidate: Candidate) -> OrderFacts | None:
    return decision.state.orders.get(candidate.order) if candidate.order else None


def made_ready(decision: Decision, pull: QueuedPull) -> bool:
    """Whether the candidate may land as it is; else another one is built where that helps."""
    main, candidate = decision.state.main, decision.state.candidate_of(pull)
    if main is None:
        return False
    if pull.state is QueuedPullState.WAITING:
        _build(decision, pull, main)
    if pull.state is not QueuedPullState.QUEUED or candidate is None:
        return False
    lacks = {
        Lack.NO_SIGNATURE: needs_signatures(decision.state) and not candidate.is_signed,
        Lack.OTHER_GATES: not _is_signed_off(decision, pull, candidate),
    }
    known = {lack for lack, is_so in lacks.items() if is_so}
    if void_if_outdated(decision, pull, Phase.PASSED, known):
        _build(decision, decision.state.queued_pulls[pull.number], main)
        return False
    return True


def _build(decision: Decision, pull: QueuedPull, main: Sha) -> None:
    number = pull.candidates + 1
    policy = decision.policy_of(pull)
    build = BuildPull(
        number=pull.number,
        nth=number,
        base=main,
        head=pull.head,
        ref=Ref(f"{pull_folder(pull.number)}{number}"),
        message=queue_text.pull_message(pull.number, pull.title, pull.by),
        at=decision.now,
        union=policy.union,
        gate_lines=policy.all_lines,
        setup_lines=tuple(line.run for line in policy.setup),
        rules=_RULES,
        is_signed=needs_signatures(decision.state),
    )
    refused = decision.state.refused.get(build.key)
    if _is_being_tidied(decision, pull):
        return
    if refused is None:
        decision.intend(build)
    else:
        _evict(decision, pull, EvictionCause.REFUSED, refused)


def _evict(decision: Decision, pull: QueuedPull, cause: EvictionCause, sentence: str) -> None:
    decision.emit(PullEvicted(number=pull.number, cause=cause, sentence=sentence))


def land(decision: Decision, pull: QueuedPull) -> None:
    candidate = decision.state.candidate_of(pull)
    if candidate is None:
        return
    decision.emit(
        PullLandIntended(number=pull.number, base=candidate.base, candidate=candidate.sha)
    )
    decision.intend(_landing(decision, pull, candidate))


def _landing(decision: Decision, pull: QueuedPull, candidate: Candidate) -> LandPull:
    """One that entered by itself did so by its checks, which must still be green."""
    checks = checks_required(decision.policy, decision.state.rules) if pull.is_by_policy else ()
    merges = merge_methods(decision.policy, decision.state.rules)
    queues = is_queued(decision.policy, decision.state.rules)
    return LandPull(
        checks=checks,
        queues=queues,
        at=decision.now if queues else None,
        merges=merges,
        message=candidate.recipe.steps[0].message if merges else "",
        number=pull.number,
        base=candidate.base,
        candidate=candidate.sha,
        head=candidate.head,
        tree=candidate.tree,
        approvals_needed=pull.approvals_needed,
        needs_others=needs_others(decision.policy, decision.state.rules),
        needs_resolution=needs_resolution(decision.policy, decision.state.rules),
        needs_owners=needs_owners(decision.policy),
    )


def give_up_refused(decision: Decision, pull: QueuedPull) -> None:
    candidate = decision.state.candidate_of(pull)
    if candidate is None:
        return
    key = _landing(decision, pull, candidate).key
    refused = decision.state.refused.get(key)
    if refused is not None and key not in decision.state.open_effects:
        decision.emit(PullLandAborted(number=pull.number, sentence=refused))
        _evict(decision, decision.state.queued_pulls[pull.number], EvictionCause.REFUSED, refused)


def _is_signed_off(decision: Decision, pull: QueuedPull, candidate: Candidate) -> bool:
    """Whether the results are still valid under the gates that main requires now, and would then."""
    asked = definitions_of(decision.policy, pull, candidate)
    judged = judged_pull(candidate)
    is_green = any(judge(one, candidate.results).verdict is Verdict.GREEN for one in asked)
    is_whole = all(is_complete(decision.state, one, judged) for one in asked)
    return is_green and is_whole and not pull.needs_word


def _judge(
    decision: Decision, facts: RepositoryFacts, pull: QueuedPull, candidate: Candidate
) -> None:
    order = _order_of(decision, candidate)
    if order is not None and order.is_open:
        return
    if candidate.steering.shadows:
        said = shadows_text(candidate.steering)
        _evict(decision, pull, EvictionCause.REFUSED, said)
        return
    if pull.is_from_fork and pull.rules:
        _evict(decision, pull, EvictionCause.REFUSED, queue_text.rules_from_fork(pull.rules))
        return
    brought = brought_policy(decision.policy, candidate)
    if isinstance(brought, PolicyRefusal):
        _evict(decision, pull, EvictionCause.REFUSED, queue_text.unreadable_policy(brought))
        return
    if pull.needs_word:
        # It is built again when it may be judged, on main as it is then.
        decision.emit(PullVoided(number=pull.number, candidate=candidate.sha))
        return
    times = lost_gates(decision.state, candidate.sha)
    if len(times) >= GATES_LOST_MAX:
        said = queue_text.lost(len(times), times[-1].lost)
        _evict(decision, pull, EvictionCause.RUNNERS_LOST, said)
        return
    _order_gates(decision, facts, pull, candidate)


def _next_definitions(decision: Decision, pull: QueuedPull, candidate: Candidate) -> Policy:
    """The first that nobody has judged it by; main's where all have."""
    judged = judged_pull(candidate)
    asked = definitions_of(decision.policy, pull, candidate)
    return next((p for p in asked if not is_complete(decision.state, p, judged)), asked[0])


def _order_gates(
    decision: Decision, facts: RepositoryFacts, pull: QueuedPull, candidate: Candidate
) -> None:
    policy = _next_definitions(decision, pull, candidate)
    judged = judged_pull(candidate)
    known = held(decision.state, policy, judged)
    names = {result.gate for result in known}
    asked = tuple(gate for gate in policy.gates if gate.name not in names)
    # What a fork's runners lack holds nobody else, and says nothing of what others wait for.
    needs = frozenset() if pull.is_from_fork else needs_of_gates(decision.policy, asked)
    if asked and holds(decision, needs):
        return
    id_ = decision.next_order_id()
    decision.emit(
        PullGatesOrdered(
            number=pull.number,
            order=id_,
            candidate=candidate.sha,
            definition_hash=gates_hash(policy),
            asked_hash=definition_hash(asked),
            reused=known,
            placed_at=decision.now,
            keys=keys_of(policy, judged),
        )
    )
    if not asked:
        conclude_pull(decision, decision.state.orders[id_], known, "Every result is still valid.")
        return
    place_after(decision, id_, needs)
    ref = Ref(f"{pull_folder(pull.number)}{candidate.number}")
    gates = gates_of_candidate(decision, policy, candidate, id_, asked, ref)
    dispatch_gates(decision, policy, gate_order(decision, facts, policy, gates))
