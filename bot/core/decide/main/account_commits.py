"""Every commit on main's first-parent line is accounted for (law 10).

A commit that Headgate did not land is admitted (it touches only specs and paths that the policy
lists) or adopted (anything else: the required gates run on it). A red adopted commit freezes the
queue and blames no change; green unfreezes it. If main was rewound, the queue is frozen too, and
the new tip is judged like an adopted commit.
"""

from action.order import GateOrder
from bot.core.decide.decision import Decision
from bot.core.decide.main.pause_orders import holds, place_after
from bot.core.journal.effects import DispatchOrder
from bot.core.journal.events import (
    AdoptionAccepted,
    AdoptionJudged,
    AdoptionOrdered,
    CommitAdmitted,
    CommitAdopted,
    Landed,
    MainAsked,
    MainRewound,
)
from bot.core.journal.state import Adoption, LedgerKind, OrderState, RepositoryState
from bot.core.spec.policy_file import POLICY_PATH, RunsOnFor
from bot.core.spec.roots import paths_under
from bot.core.state.observed import MainSnapshot
from bot.core.state.pauses import needs_of_gates
from bot.core.state.verdict import Verdict, judge
from bot.core.state.waivers import waived_now, with_waivers
from bot.core.values.ids import OrderId, Ref, Sha
from bot.core.values.lifecycle import ChangeState
from bot.core.values.repository import CommitFacts, RepositoryFacts
from gates.result import definition_hash

# An adopted commit whose gates were lost this often counts as red.
ADOPTION_ORDERS_MAX = 3


def next_steps(decision: Decision) -> None:
    """Record new commits, then order gates for main's tip if it has no result."""
    snapshot = decision.observed.main
    if snapshot is not None and snapshot.sha != decision.state.main:
        _account(decision, snapshot)
    _ask_before_the_first_change(decision)
    adoption = _to_be_judged(decision.state)
    if adoption is not None and decision.state.facts is not None:
        _ensure_judged(decision, adoption, decision.state.facts)
    _accept_what_was_waived(decision)


def _to_be_judged(state: RepositoryState) -> Adoption | None:
    """What was begun is brought to its end; of all that was pushed meanwhile, the newest tip."""
    waiting = [a for a in state.adoptions.values() if a.green is None]
    begun = [a for a in waiting if a.order is not None and state.orders[a.order].is_open]
    if begun:
        return begun[0]
    under = state.adoption_under(state.main) if state.main else None
    return under if under is not None and under.green is None else None


def _ask_before_the_first_change(decision: Decision) -> None:
    """Main may have been red before anybody was asked to change it."""
    state = decision.state
    is_planned = any(run.is_open and run.plan is not None for run in state.spec_runs.values())
    asked = is_planned and bool(decision.policy.required_gates) and not state.is_main_known
    if asked and state.main is not None:
        decision.emit(MainAsked(sha=state.main))


def _accept_what_was_waived(decision: Decision) -> None:
    state = decision.state
    adoption = state.adoption_under(state.main) if state.main else None
    if adoption is None or adoption.green is not False:
        return
    waived = waived_now(state, decision.policy, decision.now)
    judgement = judge(decision.policy, tuple(with_waivers(r, waived) for r in adoption.results))
    if judgement.verdict is Verdict.GREEN:
        decision.emit(
            AdoptionAccepted(
                sha=adoption.sha, results=judgement.results, sentence=judgement.sentence
            )
        )


def _account(decision: Decision, snapshot: MainSnapshot) -> None:
    state = decision.state
    if snapshot.history is None:
        if state.main is not None:
            decision.emit(
                MainRewound(
                    expected=state.main,
                    found=snapshot.sha,
                    tree=snapshot.tree,
                    seen_at=decision.now,
                )
            )
        return
    ours = {
        c.candidate.sha: c
        for c in state.changes.values()
        if c.candidate is not None and c.state is ChangeState.LANDING
    }
    for commit in snapshot.history:
        change = ours.get(commit.sha)
        if change is not None and commit.parents:
            decision.emit(
                Landed(
                    change=change.id,
                    base=commit.parents[0],
                    sha=commit.sha,
                    tree=commit.tree,
                    landed_at=decision.now,
                )
            )
        elif _may_be_pushed(decision, commit):
            decision.emit(
                CommitAdmitted(
                    sha=commit.sha,
                    tree=commit.tree,
                    author=commit.author,
                    subject=commit.subject,
                    seen_at=decision.now,
                )
            )
        else:
            decision.emit(
                CommitAdopted(
                    sha=commit.sha,
                    tree=commit.tree,
                    author=commit.author,
                    subject=commit.subject,
                    judge_at=snapshot.sha,
                    seen_at=decision.now,
                )
            )


def _may_be_pushed(decision: Decision, commit: CommitFacts) -> bool:
    file = decision.policy.file
    workflows = (f".github/workflows/{w}" for w in (file.agent_workflow, file.gates_workflow))
    allowed = (POLICY_PATH, *workflows, *file.watch, *file.admit)
    return bool(commit.paths) and paths_under(commit.paths, allowed) == tuple(commit.paths)


def _ensure_judged(decision: Decision, adoption: Adoption, facts: RepositoryFacts) -> None:
    if not decision.policy.required_gates:
        return
    order = decision.state.orders.get(adoption.order) if adoption.order else None
    if order is not None and order.is_open:
        return
    if (
        order is not None
        and order.state is OrderState.LOST
        and (adoption.orders >= ADOPTION_ORDERS_MAX)
    ):
        decision.emit(
            AdoptionJudged(
                sha=adoption.sha,
                order=order.id,
                results=(),
                green=False,
                sentence=(
                    f"main at {adoption.sha[:12]} could not be judged: its gates were lost "
                    f"{adoption.orders} times."
                ),
            )
        )
        return
    _order_gates(decision, adoption, facts)


def _order_gates(decision: Decision, adoption: Adoption, facts: RepositoryFacts) -> None:
    policy = decision.policy
    needs = needs_of_gates(policy, policy.gates)
    if holds(decision, needs):
        return
    order = GateOrder(
        order_id=decision.next_order_id(),
        repository=facts.full_name,
        clone_url=facts.clone_url,
        candidate_sha=adoption.sha,
        candidate_ref=Ref(facts.main_ref),
        diff_base_sha=_last_landed(decision.state, adoption.sha),
        definition_hash=definition_hash(policy.gates),
        gates=policy.gates,
        protected=(),
        setup=policy.setup,
        egress_hosts=policy.file.egress,
        sandbox=policy.sandbox,
    )
    decision.emit(
        AdoptionOrdered(
            sha=adoption.sha,
            order=decision.next_order_id(),
            asked_hash=order.definition_hash,
            placed_at=decision.now,
        )
    )
    place_after(decision, OrderId(order.order_id), needs)
    decision.intend(
        DispatchOrder(
            order=order,
            change=None,
            workflow=policy.file.gates_workflow,
            runs_on=policy.runs_on(RunsOnFor.GATES, None),
            placed_at=decision.now,
        )
    )


def _last_landed(state: RepositoryState, sha: Sha) -> Sha:
    """The base of the diff: the newest commit before `sha` that was not adopted.

    A commit from before a rewind does not count, because it may be on no branch any more.
    """
    seen = False
    for line in reversed(state.ledger):
        if seen and line.kind is not LedgerKind.ADOPTED:
            return line.sha
        seen = seen or line.sha == sha
        if seen and line.previous is None:
            break
    return state.ledger[0].sha if state.ledger else sha
