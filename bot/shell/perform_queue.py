"""Performs the effects that land a person's pull: its merge on main, and main's move."""

from datetime import datetime

from bot.core.decide.queue.land import LAND_AGAIN
from bot.core.journal import effects as ef
from bot.core.journal.candidate_facts import recipe_of
from bot.core.journal.events import (
    Event,
    EvictionCause,
    PullCandidateBuilt,
    PullLandAborted,
    PullLanded,
    PullReviewed,
    PullUnfit,
    PullWithdrawn,
)
from bot.core.spec.policy_file import POLICY_PATH
from bot.core.spec.roots import paths_under
from bot.core.state.unasked_pulls import are_green
from bot.core.talk import queue_text
from bot.core.talk.merge_text import was_recalled
from bot.core.values.candidate import WORKFLOWS_FOLDER, MergeConflict, MovedBy
from bot.core.values.ids import EntryId, Sha
from bot.core.values.pull_review import Approvals
from bot.core.values.repository import Pull, RepositoryFacts
from bot.shell.failure import NotPushed
from bot.shell.make_candidate import Made, make
from bot.shell.merge_pull import Merged, merged_before, wanted_merge_of
from bot.shell.move_main import Move, found_elsewhere
from bot.shell.observe_queue import approvals_of, by_others, with_owners, with_threads
from bot.shell.own_pushes import push_ours
from bot.shell.perform_git import build_again, build_again_after, diff_digest, is_main_elsewhere
from bot.shell.perform_task import Task
from bot.shell.process_ports import Ports
from bot.shell.queue_on_github import CLOCKS_APART, carry_out, take_out
from bot.shell.sign_commit import sign
from bot.shell.steering import steering_of


def build_pull(task: Task[ef.BuildPull]) -> tuple[Event, ...]:
    """Merge the head on the base as GitHub's own merge would, and push it to its ref."""
    ports, git, facts, effect = task.ports, task.ports.git, task.facts, task.effect
    if not git.has(facts, effect.head):
        git.fetch_pull(facts, effect.number)
    made = make(git, facts, recipe_of(effect))
    if not isinstance(made, Made):
        if is_main_elsewhere(ports, facts, effect.base):
            return build_again(ports, facts)
        files = made.files if isinstance(made, MergeConflict) else ()
        said = queue_text.conflict(effect.branch_of_queue, effect.base, files)
        return (_unfit(effect, EvictionCause.CONFLICT, said),)
    changed = git.changed_paths(facts, effect.base, made.tree)
    # A merge of ours leaves the workflows of a head out.
    if git.changed_since_fork(facts, effect.head, effect.base, (WORKFLOWS_FOLDER,)):
        said = queue_text.workflows(WORKFLOWS_FOLDER)
        return (_unfit(effect, EvictionCause.REFUSED, said),)
    rules = paths_under(changed, effect.rules)
    if not changed:
        said = queue_text.brings_nothing(effect.branch_of_queue)
        return (_unfit(effect, EvictionCause.NOTHING_NEW, said),)
    if effect.is_signed and (unsigned := ports.forge.unsigned_commits(facts, effect.number)):
        return (_unfit(effect, EvictionCause.REFUSED, queue_text.unsigned(unsigned)),)
    before, sha = None, made.sha
    try:
        if effect.is_signed:
            before, sha = sign(ports, facts, effect.ref, made.commit)
        push_ours(ports, facts, effect.ref, before, sha)
    except NotPushed as failure:
        return build_again_after(ports, facts, effect.base, failure)
    return (
        PullCandidateBuilt(
            number=effect.number,
            nth=effect.nth,
            base=effect.base,
            head=effect.head,
            sha=sha,
            tree=made.tree,
            diff_digest=diff_digest(ports, facts, effect.base, sha),
            built_at=effect.at,
            steering=steering_of(ports, facts, effect, sha, ()),
            is_signed=effect.is_signed,
            rules=rules,
            policy_after=_policy_after(ports, facts, made.tree) if POLICY_PATH in rules else None,
        ),
    )


def _policy_after(ports: Ports, facts: RepositoryFacts, tree: Sha) -> str:
    """Empty where the pull removes it."""
    found = ports.git.files(facts, tree, (POLICY_PATH,))
    return found.get(POLICY_PATH, b"").decode("utf-8", errors="replace")


def _unfit(effect: ef.BuildPull, cause: EvictionCause, sentence: str) -> PullUnfit:
    return PullUnfit(
        number=effect.number, nth=effect.nth, base=effect.base, cause=cause, sentence=sentence
    )


def land_pull(task: Task[ef.LandPull]) -> tuple[Event, ...]:
    """Move main from exactly the base to the merge, if the pull is still what a person queued.

    After a crash main at (or past) the candidate means landed, and at the base that it is tried again.
    """
    ports, facts, effect, wanted = task.ports, task.facts, task.effect, wanted_merge_of(task.effect)
    known = task.state.queued_pulls.get(effect.number)
    if wanted.is_by_github and known is not None and known.has_left:
        # Main was seen with its merge meanwhile.
        return ()
    if task.look_first and not wanted.is_by_github:
        elsewhere = found_elsewhere(ports, facts, effect.base, effect.candidate)
        if elsewhere is not None:
            return _ended(ports, effect, elsewhere)
    pull = ports.forge.pull(facts, effect.number)
    if wanted.is_by_github and pull is not None:
        merged = merged_before(ports, facts, wanted, pull)
        if merged is not None:
            return _merged(ports, effect, merged)
    why = queue_text.why_out(pull, facts.default_branch, effect.head)
    if pull is None or why:
        if effect.queues:
            take_out(ports, facts, effect.number)
        return _left(ports, facts, effect, why)
    stopped = _stopped(task, pull)
    if stopped:
        if effect.queues:
            take_out(ports, facts, effect.number)
        return stopped
    came = carry_out(ports, facts, wanted, effect.at)
    return _ended(ports, effect, came) if isinstance(came, Move) else _merged(ports, effect, came)


def _stopped(task: Task[ef.LandPull], pull: Pull) -> tuple[Event, ...]:
    """What people, reviews and checks say against the pull now; nothing where it may land."""
    ports, facts, effect = task.ports, task.facts, task.effect
    entry = task.state.entries.get(EntryId(f"pull:{effect.number}"))
    if effect.queues and entry is not None and entry.recall is not None:
        said = was_recalled(effect.number, entry.recall)
        again_at = ports.clock.now() + CLOCKS_APART
        return (PullLandAborted(number=effect.number, sentence=said, again_at=again_at),)
    approvals = Approvals()
    if effect.approvals_needed is not None:
        approvals = approvals_of(ports, facts, pull, effect.base)
        if effect.needs_others:
            approvals = by_others(ports, facts, pull, effect.base, approvals)
        if approvals.against or len(approvals.by) < effect.approvals_needed:
            return _not_approved(effect, approvals)
    if effect.needs_owners:
        approvals = with_owners(ports, facts, pull, effect.base, approvals)
    if effect.needs_resolution:
        approvals = with_threads(ports, facts, effect.number, approvals)
    if approvals.unresolved or approvals.owners:
        return _not_approved(effect, approvals)
    if effect.checks and not _are_checks_green(ports, facts, effect):
        named = ", ".join(f"`{gate.check}`" for gate in effect.checks)
        why = f"Some required checks of its head are no longer green ({named})."
        again_at = ports.clock.now() + LAND_AGAIN
        return (PullLandAborted(number=effect.number, sentence=why, again_at=again_at),)
    return ()


def _merged(ports: Ports, effect: ef.LandPull, merged: Merged) -> tuple[Event, ...]:
    """It is merged either way; what nobody judged is accounted for like any commit of others."""
    if merged.sentence:
        return (
            PullLandAborted(number=effect.number, sentence=merged.sentence),
            PullWithdrawn(number=effect.number, by="", sentence=merged.sentence),
        )
    moved_by = MovedBy.MERGE_QUEUE if effect.queues else MovedBy.PULL_MERGE
    landed = _landed(effect, merged.sha, ports.clock.now(), moved_by)
    return (landed.replace(candidate=effect.candidate),)


def _are_checks_green(ports: Ports, facts: RepositoryFacts, effect: ef.LandPull) -> bool:
    names = {gate.check for gate in effect.checks}
    return are_green(effect.checks, ports.forge.checks(facts, effect.head, names))


def _not_approved(effect: ef.LandPull, approvals: Approvals) -> tuple[Event, ...]:
    """It keeps its place and its results, and waits for reviews."""
    needed = effect.approvals_needed
    return (
        PullLandAborted(number=effect.number, sentence=""),
        PullReviewed(number=effect.number, approvals=approvals, needed=needed),
    )


def _left(ports: Ports, facts: RepositoryFacts, effect: ef.LandPull, why: str) -> tuple[Event, ...]:
    """The pull is not what was queued; unless that is because main moved to our merge of it."""
    elsewhere = found_elsewhere(ports, facts, effect.base, effect.candidate)
    if elsewhere is not None and elsewhere.is_done:
        return _ended(ports, effect, elsewhere)
    return (
        PullLandAborted(number=effect.number, sentence=why),
        PullWithdrawn(number=effect.number, by="", sentence=why),
    )


def _ended(ports: Ports, effect: ef.LandPull, move: Move) -> tuple[Event, ...]:
    now = ports.clock.now()
    if not move.is_done:
        again_at = now + LAND_AGAIN if move.is_refused else None
        return (PullLandAborted(number=effect.number, sentence=move.sentence, again_at=again_at),)
    return (_landed(effect, effect.candidate, now, move.moved_by),)


def _landed(
    effect: ef.LandPull, sha: Sha, landed_at: datetime, moved_by: MovedBy | None
) -> PullLanded:
    return PullLanded(
        number=effect.number,
        base=effect.base,
        sha=sha,
        tree=effect.tree,
        landed_at=landed_at,
        moved_by=moved_by,
    )
