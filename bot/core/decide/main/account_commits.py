"""Every commit on main's first-parent line is accounted for (law 10).

A commit that Headgate did not land is admitted (it touches only specs and paths that the policy
lists) or adopted (anything else: the required gates run on it). A red adopted commit freezes the
queue and blames no change; green unfreezes it. If main was rewound, the queue is frozen too, and
the new tip is judged like an adopted commit.
"""

from bot.core.decide.decision import Decision
from bot.core.decide.main import note_adopted
from bot.core.decide.main.dispatch_gates import GatesAsked, dispatch_gates, gate_order
from bot.core.decide.main.merged_by_github import is_merged_by_github, passed_as_candidate
from bot.core.decide.main.pause_orders import holds, place_after
from bot.core.journal.events import (
    AdoptionAccepted,
    AdoptionJudged,
    AdoptionOrdered,
    BranchServed,
    CommitAdmitted,
    CommitAdopted,
    Landed,
    MainAsked,
    MainRewound,
    MergedByHand,
    PullLanded,
)
from bot.core.journal.state import Adoption, LedgerKind, OrderState, RepositoryState
from bot.core.spec.policy_file import POLICY_PATH
from bot.core.spec.roots import paths_under
from bot.core.state.candidates import is_landing
from bot.core.state.evidence import Judged, held, keys_of
from bot.core.state.flaky_results import repeats_in_order
from bot.core.state.observed import MainSnapshot
from bot.core.state.pauses import needs_of_gates
from bot.core.state.verdict import Verdict, judge
from bot.core.state.waivers import waived_now, with_waivers
from bot.core.values.ids import ChangeId, PullNumber, Ref, Sha
from bot.core.values.lifecycle import QueuedPullState
from bot.core.values.repository import CommitFacts, RepositoryFacts
from gates.result import definition_hash

# An adopted commit whose gates were lost this often counts as red.
ADOPTION_ORDERS_MAX = 3


def begin(decision: Decision) -> None:
    """The ledger of a further branch begins where the branch is when it is first seen."""
    state, seen = decision.state, decision.observed.main
    if state.main is None and seen is not None:
        served = BranchServed(
            branch_of_queue=state.on_branch, sha=seen.sha, tree=seen.tree, seen_at=decision.now
        )
        decision.emit(served)


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
    """The commit to judge now: one whose order is open, else the newest adopted tip, else one that GitHub's
    merge queue waits for.
    """
    waiting = [a for a in state.adoptions.values() if a.green is None]
    begun = [a for a in waiting if a.order is not None and state.orders[a.order].is_open]
    if begun:
        return begun[0]
    under = state.adoption_under(state.main) if state.main else None
    if under is not None and under.green is None:
        return under
    return next((adoption for adoption in waiting if adoption.group is not None), None)


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
        candidate.sha: c
        for c in state.changes.values()
        if is_landing(state, c) and (candidate := state.candidate_of(c)) is not None
    }
    # Main may have been moved back, or a look may have shown it as it was before, and it is there again.
    landed = {line.sha for line in state.ledger if line.kind is LedgerKind.LANDED}
    past_us = []
    for commit in snapshot.history:
        change = ours.get(commit.sha)
        if _is_landed_pull(decision, commit) or is_merged_by_github(decision, commit):
            continue
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
            _adopt(decision, commit, snapshot.sha)
            if _is_lost_landing(decision, commit):
                _handle_lost_landing(decision, commit)
            elif commit.sha not in landed:
                past_us.append(commit)
    note_adopted.note(decision, past_us)


def _adopt(decision: Decision, commit: CommitFacts, judge_at: Sha) -> None:
    decision.emit(
        CommitAdopted(
            sha=commit.sha,
            tree=commit.tree,
            author=commit.author,
            subject=commit.subject,
            judge_at=judge_at,
            seen_at=decision.now,
        )
    )


def _is_landed_pull(decision: Decision, commit: CommitFacts) -> bool:
    """Whether it is a person's pull that was landing, of which the answer was lost."""
    for pull in decision.state.queued_pulls.values():
        is_landing = pull.state is QueuedPullState.LANDING
        candidate = decision.state.candidate_of(pull) if is_landing else None
        if candidate is not None and candidate.sha == commit.sha and commit.parents:
            decision.emit(
                PullLanded(
                    number=pull.number,
                    base=commit.parents[0],
                    sha=commit.sha,
                    tree=commit.tree,
                    landed_at=decision.now,
                )
            )
            return True
    return False


def _is_lost_landing(decision: Decision, commit: CommitFacts) -> bool:
    """Whether we brought it to main after the end of a rewound journal."""
    state = decision.state
    is_rewound = state.rewound is not None and state.rewound.counts_at(decision.now)
    return is_rewound and state.facts is not None and commit.author == state.facts.bot_login


def _handle_lost_landing(decision: Decision, commit: CommitFacts) -> None:
    """Main has its change, which is not done again. It is judged like any that we did not land."""
    change = decision.state.changes.get(ChangeId(commit.change))
    if change is None or change.is_ended:
        return
    decision.emit(
        MergedByHand(
            change=change.id,
            number=change.pull or PullNumber(0),
            sha=commit.sha,
            merged_by=commit.author,
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
                    f"main at {adoption.sha[:12]} could not be judged: no runner completed its "
                    f"gates, {adoption.orders} times. The last time: {order.lost}"
                ),
            )
        )
        return
    _order_gates(decision, adoption, facts)


def _order_gates(decision: Decision, adoption: Adoption, facts: RepositoryFacts) -> None:
    policy = decision.policy
    group = adoption.group
    tree = group.tree if group is not None else _tree_of(decision.state, adoption.sha)
    judged = Judged(commit=adoption.sha, tree=tree)
    # Main that is asked is asked on purpose, whatever was said of its tree before.
    known = () if adoption.is_first else held(decision.state, policy, judged)
    if group is not None and (passed := passed_as_candidate(decision.state, group)):
        known = passed
    names = {result.gate for result in known}
    asked = tuple(gate for gate in policy.gates if gate.name not in names)
    if asked and holds(decision, needs_of_gates(policy, asked)):
        return
    id_ = decision.next_order_id()
    decision.emit(
        AdoptionOrdered(
            sha=adoption.sha,
            order=id_,
            asked_hash=definition_hash(asked),
            placed_at=decision.now,
            definition_hash=definition_hash(policy.gates),
            reused=known,
            keys=keys_of(policy, judged),
        )
    )
    if not asked:
        decision.emit(
            AdoptionJudged(
                sha=adoption.sha,
                order=id_,
                results=known,
                green=True,
                sentence="Every gate has already passed this tree.",
            )
        )
        return
    place_after(decision, id_, needs_of_gates(policy, asked))
    gates = GatesAsked(
        order=id_,
        gates=asked,
        candidate=adoption.sha,
        ref=group.ref if group is not None else Ref(facts.main_ref),
        diff_base=group.base if group is not None else _last_landed(decision.state, adoption.sha),
        repeats=repeats_in_order(policy, asked, adoption.doubts),
    )
    dispatch_gates(decision, policy, gate_order(decision, facts, policy, gates))


def _tree_of(state: RepositoryState, sha: Sha) -> Sha:
    return next((line.tree for line in reversed(state.ledger) if line.sha == sha), Sha(""))


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
