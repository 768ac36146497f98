"""The next step of every change, by its state: order an agent, import, build, judge, retry, fail.

There are never more agents than `max_parallel`, because an order is an event before it is sent.
"""

from action.order import GateOrder, RetryReason
from bot.core.decide.changes import await_checks
from bot.core.decide.changes.agent_order import agent_order, settings_of
from bot.core.decide.changes.conclude import conclude
from bot.core.decide.changes.delta_check import check_main_specs, refuse_if_conflicting
from bot.core.decide.changes.end_without_landing import (
    intend_for,
    stop_change,
    stop_remaining,
)
from bot.core.decide.changes.import_work import import_work
from bot.core.decide.changes.keep_budgets import ask_to_go_on, dollars_limit, money_left
from bot.core.decide.changes.remake_files import order_remake
from bot.core.decide.changes.stop_steered import stop_steered
from bot.core.decide.changes.take_over import leave_to_person
from bot.core.decide.changes.wait_for_answers import (
    end_waiting,
)
from bot.core.decide.decision import Decision
from bot.core.decide.main.dispatch_gates import (
    GatesAsked,
    dispatch_gates,
    gate_order,
    gates_of_candidate,
)
from bot.core.decide.main.pause_orders import holds, place_after
from bot.core.journal.effects import BuildCandidate, DispatchOrder, OpenPull, PrepareStart
from bot.core.journal.events import (
    AgentOrdered,
    ChangeFailed,
    FailureReason,
    GatesOrdered,
)
from bot.core.journal.ground import ground_of
from bot.core.journal.state import (
    Candidate,
    ChangeFacts,
    RepositoryState,
    SpecRun,
    SpecRunState,
    branch_of,
)
from bot.core.spec.policy_file import RunsOnFor
from bot.core.state.candidates import is_being_judged, stage_of
from bot.core.state.capacity import is_main_unfit, judged_beside, with_agents
from bot.core.state.declared_scope import declared_scope
from bot.core.state.evidence import held, judged_of, keys_of
from bot.core.state.gate_order import stops_at_first_red
from bot.core.state.money import Held, spent_on_change
from bot.core.state.own_refs import candidate_ref, start_ref
from bot.core.state.pauses import needs_of_agent, needs_of_gates
from bot.core.state.queue_order import ahead_of, conflict_ahead_of, is_doubtful
from bot.core.state.refusing_rules import is_held_by_rules, needs_signatures
from bot.core.state.results_of_main import with_results_of_main
from bot.core.state.rivals import rivals
from bot.core.state.steps_by_hand import waits_for_steps
from bot.core.state.verdict import gates_hash
from bot.core.state.waiting import waits_for
from bot.core.talk.beginning import begins
from bot.core.talk.candidate_content import step_for
from bot.core.talk.issues import change_title
from bot.core.talk.pull import pull_body
from bot.core.talk.text import digest_of
from bot.core.values.ids import OrderId, Sha
from bot.core.values.lifecycle import ChangeState, OfferStage
from bot.core.values.repository import RepositoryFacts
from gates.result import definition_hash

# After this many lost runners in a row, a change is not ordered again without a person.
ORDERS_LOST_MAX = 3


def next_steps(decision: Decision) -> None:
    """One step for every change of every running spec run: front first, else as planned."""
    facts = decision.state.facts
    if facts is None:
        return
    running = []
    for run in tuple(decision.state.spec_runs.values()):
        if run.state is SpecRunState.STOPPED:
            stop_remaining(decision, run)
        if run.state is SpecRunState.RUNNING:
            check_main_specs(decision, run)
            running.append(run)
    changes = [(run, c.id) for run in running for c in decision.state.changes_of(run.id)]
    for run, id_ in sorted(
        changes, key=lambda one: _turn(decision.state, decision.state.changes[one[1]])
    ):
        await_checks.release_what_waits_no_more(decision, decision.state.changes[id_])
        change = decision.state.changes[id_]
        # What a person pushed comes first: it becomes the work, or is refused.
        if change.pushed is None or change.has_partial_work:
            _step(decision, facts, run, change)


def _turn(state: RepositoryState, change: ChangeFacts) -> tuple[int, int, int]:
    """A sort key: entries of the queue in their order, then changes to be judged, then changes that need an
    agent, by the priority that people gave them.
    """
    entry = state.entry_of(change)
    if entry.entered is not None:
        return (0, entry.entered, 0)
    if is_being_judged(state, change):
        return (1, 0, 0)
    return (2, 0 if entry.is_next else 1, -entry.priority)


def _step(decision: Decision, facts: RepositoryFacts, run: SpecRun, change: ChangeFacts) -> None:
    match change.state:
        case ChangeState.WAITING:
            if not _is_ready(decision, change):
                return
            if refuse_if_conflicting(decision, run, change):
                _retry(decision, facts, run, decision.state.changes[change.id])
            else:
                _order_agent(decision, facts, run, change)
        case ChangeState.RETRYING:
            _retry(decision, facts, run, change)
        case ChangeState.ASKING:
            if change.has_partial_work:
                import_work(decision, run, change)
            elif end_waiting(decision, change):
                _retry(decision, facts, run, decision.state.changes[change.id])
        case ChangeState.IMPORTING:
            import_work(decision, run, change)
        case ChangeState.OFFERED:
            _offer(decision, facts, run, change)
        case _:
            return


def _offer(decision: Decision, facts: RepositoryFacts, run: SpecRun, change: ChangeFacts) -> None:
    match stage_of(decision.state, change):
        case OfferStage.BUILDING:
            _build_in_turn(decision, run, change)
        case OfferStage.JUDGING:
            _open_pull(decision, run, change)
            _judge(decision, facts, decision.state.changes[change.id])
        case OfferStage.QUEUED:
            _ensure_pull_open(decision, run, change)
        case _:
            return


def _is_ready(decision: Decision, change: ChangeFacts) -> bool:
    is_waiting = bool(waits_for(decision.state, change) or waits_for_steps(decision.state, change))
    return not is_waiting and change.issue is not None and bool(decision.policy.required_gates)


def _has_slot(decision: Decision) -> bool:
    return len(with_agents(decision.state)) < decision.policy.file.max_parallel


def _retry(decision: Decision, facts: RepositoryFacts, run: SpecRun, change: ChangeFacts) -> None:
    if not decision.policy.required_gates:
        return
    if change.has_partial_work:
        import_work(decision, run, change)
    elif _tries_this_main(decision, run, change):
        return
    elif change.head is not None and change.head_is_fresh:
        # Work that was paid for and has no known fault is not ordered again (law 13).
        _build_in_turn(decision, run, change)
    elif change.held_by:
        leave_to_person(decision, change)
    elif (end := _end_of_attempts(decision, change)) is not None:
        _fail(decision, change, *end)
    elif not _is_ready(decision, change) or _is_behind(decision, change):
        return
    elif refuse_if_conflicting(decision, run, change):
        _retry(decision, facts, run, decision.state.changes[change.id])
    elif change.head is None or change.start_attempt == change.attempt + 1:
        if not order_remake(decision, change):
            _order_agent(decision, facts, run, change)
    elif decision.state.main is not None:
        attempt = change.attempt + 1
        intend_for(
            decision,
            change,
            PrepareStart(
                change=change.id,
                attempt=attempt,
                base=decision.state.main,
                head=change.head.sha,
                ref=start_ref(change, attempt),
                at=decision.now,
                union=decision.policy.union,
                remake=() if change.remake_failed else decision.policy.remade,
            ),
        )


def _tries_this_main(decision: Decision, run: SpecRun, change: ChangeFacts) -> bool:
    """Try work that did not fit an older main on the present one; True where that decides the next step."""
    state, main = decision.state, decision.state.main
    if change.retry is None or main is None:
        return False
    if _fits_again(state, change):
        _build_in_turn(decision, run, change)
        return True
    if change.retry.reason is not RetryReason.ARCHIVE_REFUSED:
        return False
    if change.unfit_on not in {None, main}:
        return False
    # An unjudged push may be why it does not fit, and may be taken back: then wait.
    if not is_doubtful(state, main):
        # Agents may not change specs, so another attempt cannot help.
        why = f"Its spec no longer fits the main specs: {change.retry.sentence}"
        _fail(decision, change, FailureReason.ARCHIVE_REFUSED, why)
    return True


def _fits_again(state: RepositoryState, change: ChangeFacts) -> bool:
    """Whether finished work that did not fit an older main may fit this one: no agent is paid for that."""
    if change.retry is None or change.unfit_on in {None, state.main} or not change.head_is_whole:
        return False
    if change.retry.reason is RetryReason.ARCHIVE_REFUSED:
        return True
    is_conflict = change.retry.reason is RetryReason.CONFLICT
    # The start of the next attempt is merged on main as well, and says whether that conflicts.
    is_tried = change.start_attempt == change.attempt + 1
    is_clean = not change.start_conflicts and not change.start_remake
    return is_conflict and is_tried and (is_clean or change.start_base == change.unfit_on)


def _build_in_turn(decision: Decision, run: SpecRun, change: ChangeFacts) -> None:
    """A candidate on a main that is about to move would be built and judged for nothing."""
    state = decision.state
    in_turn = ahead_of(state, change) is None and not judged_beside(state, change)
    if in_turn and not order_remake(decision, change):
        build_candidate(decision, run, change)


def _is_behind(decision: Decision, change: ChangeFacts) -> bool:
    """Whether a conflict waits its turn: it is met once, on the main that the work will land on."""
    is_conflict = change.retry is not None and change.retry.reason is RetryReason.CONFLICT
    state = decision.state
    return is_conflict and bool(ahead_of(state, change) or conflict_ahead_of(state, change))


def _fail(decision: Decision, change: ChangeFacts, reason: FailureReason, sentence: str) -> None:
    decision.emit(ChangeFailed(change=change.id, reason=reason, sentence=sentence))


def _end_of_attempts(decision: Decision, change: ChangeFacts) -> tuple[FailureReason, str] | None:
    """Why no agent is ordered any more; None if one is."""
    why = change.retry.sentence if change.retry else ""
    if change.orders_lost >= ORDERS_LOST_MAX:
        last = change.agent_runs[-1].sentence
        times = f"No runner completed its orders, {change.orders_lost} times in a row."
        return FailureReason.RUNNERS_LOST, f"{times} The last time: {last}"
    if change.head is not None and change.rejudged == change.head.sha:
        again = "The agent changed nothing after a red gate, and the gate was red again"
        return FailureReason.ATTEMPTS_USED_UP, f"{again}: {why}"
    if change.conflicts_now > decision.policy.file.conflicts_max:
        times = f"It had a conflict with main {change.conflicts_now} times"
        return FailureReason.CONFLICTS, f"{times}. The last time: {why}"
    if money_left(decision, change).held is Held.CHANGE:
        spent = spent_on_change(change, decision.policy)
        said = f"Its attempts have cost ${spent:.2f}, and the policy's budget is used up: {why}"
        return FailureReason.BUDGET_SPENT, said
    if change.tries >= decision.policy.file.attempts_max:
        return FailureReason.ATTEMPTS_USED_UP, f"After {change.tries} attempts: {why}"
    return None


def _order_agent(
    decision: Decision, facts: RepositoryFacts, run: SpecRun, change: ChangeFacts
) -> None:
    spec = decision.spec_of(run)
    main = decision.state.main
    if spec is None or main is None or not _has_slot(decision) or is_main_unfit(decision.state):
        return
    if rivals(decision.state, decision.policy, change):
        return
    needs = needs_of_agent(decision.policy, settings_of(decision, change))
    if holds(decision, needs) or is_held_by_rules(decision.state, decision.policy):
        return
    left = money_left(decision, change)
    if left.held is not None:
        ask_to_go_on(decision, run, left)
        return
    order = agent_order(decision, facts, spec, main, change, left)
    decision.emit(
        AgentOrdered(
            change=change.id,
            order=decision.next_order_id(),
            attempt=order.attempt,
            start=Sha(order.start_sha),
            placed_at=decision.now,
            dollars_max=dollars_limit(order.agent),
            begins=begins(change, order),
        )
    )
    place_after(decision, OrderId(order.order_id), needs)
    decision.intend(
        DispatchOrder(
            order=order,
            change=change.id,
            workflow=decision.policy.file.agent_workflow,
            runs_on=decision.policy.runs_on(RunsOnFor.AGENTS, change.planned.type),
            placed_at=decision.now,
        )
    )


def build_candidate(decision: Decision, run: SpecRun, change: ChangeFacts) -> None:
    """Build the next candidate of a change on the current main.

    This waits until the spec was read: a candidate without the archived delta must not land.
    """
    state, main = decision.state, decision.state.main
    spec = decision.spec_of(run)
    step = step_for(state, ground_of(state), run, change, spec) if spec is not None else None
    if main is None or step is None:
        return
    number = change.candidates + 1
    intend_for(
        decision,
        change,
        BuildCandidate(
            change=change.id,
            number=number,
            base=main,
            head=step.head,
            branch=branch_of(change, state.spec_runs),
            shown=change.shown,
            message=step.message,
            author=step.author,
            at=decision.now,
            archive=step.archive,
            register_entries=step.register,
            union=decision.policy.union,
            gate_lines=decision.policy.all_lines,
            setup_lines=tuple(line.run for line in decision.policy.setup),
            when=decision.policy.when,
            required_for=decision.policy.required_for,
            is_signed=needs_signatures(state),
        ),
    )


def _open_pull(decision: Decision, run: SpecRun, change: ChangeFacts) -> None:
    spec = decision.spec_of(run)
    if spec is None or (change.pull is not None and not change.pull_closed):
        return
    body = pull_body(run, change, spec)
    intend_for(
        decision,
        change,
        OpenPull(
            change=change.id,
            branch=branch_of(change, decision.state.spec_runs),
            title=change_title(change),
            body=body,
            text_digest=digest_of(body),
            round=change.pull_rounds,
        ),
    )


def _ensure_pull_open(decision: Decision, run: SpecRun, change: ChangeFacts) -> None:
    """Open the pull of a change that passed; stop the change if a person closed it."""
    being_opened = any(
        isinstance(e, OpenPull) and e.change == change.id
        for e in decision.state.open_effects.values()
    )
    if change.pull is None:
        _open_pull(decision, run, change)
    elif change.pull_closed and not being_opened:
        stop_change(decision, change, "the person who closed or merged its pull request")


def _judge(decision: Decision, facts: RepositoryFacts, change: ChangeFacts) -> None:
    candidate = decision.state.candidate_of(change)
    order = decision.state.orders.get(change.order) if change.order else None
    if (
        candidate is None
        or change.is_ended
        or (order is not None and order.commit == candidate.sha and order.is_open)
    ):
        return
    policy = decision.policy_for(change)
    if stop_steered(decision, change):
        return
    if not policy.required_gates or not is_being_judged(decision.state, change):
        # Without gates it cannot be judged; the work is kept until the policy has gates again.
        return
    if await_checks.is_awaiting(decision, change):
        await_checks.settle(decision, change)
        return
    judged = judged_of(
        change, candidate, decision.requirements_of(change), declared_scope(policy, change.planned)
    )
    known = with_results_of_main(
        decision.state, policy, change, held(decision.state, policy, judged)
    )
    names = {r.gate for r in known}
    asked = tuple(g for g in policy.gates if g.name not in names)
    needs = needs_of_gates(decision.policy, asked)
    if asked and holds(decision, needs):
        return
    id_ = decision.next_order_id()
    decision.emit(
        GatesOrdered(
            change=change.id,
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
        conclude(
            decision, decision.state.orders[id_], change, known, "Every result is still valid."
        )
        return
    place_after(decision, id_, needs)
    ref = candidate_ref(change, candidate.number)
    gates = gates_of_candidate(decision, policy, candidate, id_, asked, ref)
    dispatch_gates(decision, policy, _gate_order(decision, facts, change, candidate, gates), change)


def _gate_order(
    decision: Decision,
    facts: RepositoryFacts,
    change: ChangeFacts,
    candidate: Candidate,
    asked: GatesAsked,
) -> GateOrder:
    policy = decision.policy_for(change)
    plain = gate_order(decision, facts, policy, asked)
    return plain.replace(
        is_of_person=False,
        protected=policy.protected,
        archive_paths=candidate.archive_paths,
        requirements=decision.requirements_of(change),
        declared=declared_scope(policy, change.planned),
        measured=policy.measured,
        stop_at_first_red=stops_at_first_red(decision.state, policy, candidate.base, decision.now),
        # Files that setup depends on and that nobody allowed do not come to the gates at all.
        setup_sha="" if candidate.steering.setup else candidate.base,
    )
