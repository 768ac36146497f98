"""What people push to the branches of changes: kept under a ref, then made the change's work.

A branch of a change is only ever moved from what we knew there. What somebody else put there is told
in `BranchPushed`, and the decision is the core's.
"""

from bot.core.journal import effects as ef
from bot.core.journal.events import (
    BranchPushed,
    Event,
    HeadTakenOver,
    PushPassedOver,
    PushRefused,
)
from bot.core.journal.state import ChangeFacts
from bot.core.state.own_refs import candidate_folder, kept_ref, taken_ref
from bot.core.values.candidate import PushOutcome, PushRefusal, PushRules, RefUpdate
from bot.core.values.ids import Ref, Sha
from bot.core.values.repository import RepositoryFacts
from bot.ports import UserError
from bot.shell.own_pushes import (
    by_author,
    push,
    push_all,
    push_ours,
    recipe,
    with_mains_workflows,
)
from bot.shell.perform_task import Task
from bot.shell.process_ports import Ports


def take_over_push(task: Task[ef.TakeOverPush]) -> tuple[Event, ...]:
    """Keep the push, and commit what is its own on main under its author's name."""
    ports, facts, effect = task.ports, task.facts, task.effect
    change = task.state.changes[effect.change]
    if not ports.git.has(facts, effect.pushed):
        ports.git.fetch(facts)
    if not ports.git.has(facts, effect.pushed):
        # A newer push has replaced it before we saw it; that one is noticed by itself.
        return (PushPassedOver(change=change.id, pushed=effect.pushed),)
    keeping = _keeping(ports, facts, effect)
    push_ours(ports, facts, kept_ref(change, effect.pushed), None, keeping)
    main = ports.git.remote_ref(facts, facts.main_ref)
    if main is None:
        raise UserError("The repository has no default branch.")
    if not ports.git.has(facts, main):
        ports.git.fetch(facts)
    rules = PushRules(
        main=main,
        candidates=our_candidates(ports, facts, change),
        protected=effect.protected,
        artefacts=effect.artefacts,
    )
    work = ports.git.pushed_work(facts, effect.pushed, rules)
    if isinstance(work, PushRefusal):
        return (
            PushRefused(
                change=change.id, pushed=effect.pushed, author=work.author, sentence=work.sentence
            ),
        )
    if not work.is_own:
        return (PushPassedOver(change=change.id, pushed=effect.pushed),)
    tree = with_mains_workflows(ports, facts, work.tree)
    made = by_author(facts, effect.at, tree, (work.base,), effect.message, work.authors[0])
    head = ports.git.commit(facts, made)
    push_ours(ports, facts, taken_ref(change, effect.pushed), None, head)
    return (
        HeadTakenOver(
            change=change.id,
            pushed=effect.pushed,
            base=work.base,
            head=head,
            tree=tree,
            paths=work.paths,
            authors=work.authors,
        ),
    )


def _keeping(ports: Ports, facts: RepositoryFacts, effect: ef.TakeOverPush) -> Sha:
    """The push; or a commit on it, where its workflows are not the default branch's.

    People may push those, and our refs may not hold them: the push is its parent then.
    """
    tree = with_mains_workflows(ports, facts, effect.pushed)
    if tree == ports.git.tree_of(facts, effect.pushed):
        return effect.pushed
    said = f"Keep {effect.pushed}\n"
    return ports.git.commit(facts, recipe(facts, effect.at, tree, (effect.pushed,), said))


def show(
    ports: Ports, facts: RepositoryFacts, change: ChangeFacts, keep: RefUpdate, window: RefUpdate
) -> BranchPushed | None:
    """Show a candidate on its change's branch; the event where somebody else's push is there.

    `keep` is the candidate's own ref; the branch (`window`) moves with it or not at all.
    """
    result = push(ports, facts, keep, window)
    if result.outcome is PushOutcome.DONE:
        return None
    # Somebody else pushed, or the answer to a push of ours was lost.
    there = ports.git.remote_ref(facts, window.ref)
    if there is not None and not _is_ours(ports, facts, change, there):
        return BranchPushed(change=change.id, pushed=there)
    updates = [window.replace(old=there)] if there != window.new else []
    if ports.git.remote_ref(facts, keep.ref) != keep.new:
        updates.append(keep)
    push_all(ports, facts, *updates)
    return None


def show_again(
    ports: Ports, facts: RepositoryFacts, change: ChangeFacts, branch: Ref, candidate: Sha
) -> BranchPushed | None:
    """Show the landing candidate on its branch where that shows something older of ours."""
    there = ports.git.remote_ref(facts, branch)
    if there == candidate:
        return None
    if there is not None and not _is_ours(ports, facts, change, there):
        return BranchPushed(change=change.id, pushed=there)
    push_all(ports, facts, RefUpdate(ref=branch, old=there, new=candidate))
    return None


def our_candidates(ports: Ports, facts: RepositoryFacts, change: ChangeFacts) -> tuple[Sha, ...]:
    return tuple(ports.git.remote_refs(facts, (candidate_folder(change),)).values())


def _is_ours(ports: Ports, facts: RepositoryFacts, change: ChangeFacts, sha: Sha) -> bool:
    return sha == change.shown or sha in our_candidates(ports, facts, change)
