"""Performs a change's landing: main moves to its candidate, or GitHub merges its pull."""

from datetime import datetime, timedelta

from bot.core.decide.queue.land import LAND_AGAIN
from bot.core.journal import effects as ef
from bot.core.journal.events import (
    ChangeReviewed,
    Event,
    LandAborted,
    Landed,
    MergedByHand,
    PullClosed,
)
from bot.core.talk.merge_text import was_recalled
from bot.core.talk.refusal_text import other_base
from bot.core.values.candidate import MovedBy
from bot.core.values.ids import Ref, Sha
from bot.core.values.pull_review import Approvals
from bot.core.values.repository import Pull, PullState, RepositoryFacts
from bot.ports import Retryable
from bot.shell.merge_pull import Merged, merged_before, wanted_merge_of
from bot.shell.move_main import Move, found_elsewhere
from bot.shell.observe_queue import approvals_of, with_threads
from bot.shell.perform_pushes import show_again
from bot.shell.perform_task import Task
from bot.shell.process_ports import Ports
from bot.shell.queue_on_github import CLOCKS_APART, carry_out, take_out

# GitHub shows a pull's new head a moment after the push; the next check is after this long.
_PULL_DELAY = timedelta(seconds=1)


def land_candidate(task: Task[ef.LandCandidate]) -> tuple[Event, ...]:
    """Move main from exactly the base to the candidate, which its pull shows; or have GitHub merge that.

    After a crash or a refusal: main at (or past) the candidate, or its pull merged, means landed; main at
    the base means try again; anything else means aborted.
    """
    ports, facts, effect, wanted = task.ports, task.facts, task.effect, wanted_merge_of(task.effect)
    if task.look_first and not wanted.is_by_github:
        elsewhere = found_elsewhere(ports, facts, effect.base, effect.candidate)
        if elsewhere is not None:
            return _ended(ports, effect, elsewhere)
    pull = ports.forge.pull(facts, effect.pull)
    if wanted.is_by_github and task.state.changes[effect.change].is_ended:
        # Main was seen with its merge meanwhile.
        return ()
    if wanted.is_by_github and pull is not None:
        merged = merged_before(ports, facts, wanted, pull)
        if merged is not None:
            return _merged(ports, facts, effect, merged)
    if pull is None or pull.state is not PullState.OPEN:
        return _without_pull(ports, facts, effect, pull)
    stopped = _stopped(task, pull)
    if stopped:
        if effect.queues:
            take_out(ports, facts, effect.pull)
        return stopped
    came = carry_out(ports, facts, wanted, effect.at)
    if isinstance(came, Move):
        return _ended(ports, effect, came)
    return _merged(ports, facts, effect, came)


def _stopped(task: Task[ef.LandCandidate], pull: Pull) -> tuple[Event, ...]:
    """What keeps an open pull from landing: its base, its head, its reviews; nothing where it may land."""
    ports, facts, effect = task.ports, task.facts, task.effect
    known = task.state.changes[effect.change]
    recall = task.state.entry_of(known).recall
    if effect.queues and recall is not None:
        said = was_recalled(effect.pull, recall)
        again_at = ports.clock.now() + CLOCKS_APART
        return (LandAborted(change=effect.change, sentence=said, again_at=again_at),)
    if f"refs/heads/{pull.base_branch}" != facts.main_ref:
        said = other_base(effect.pull, pull.base_branch, facts.main_ref)
        return _ended(ports, effect, Move(is_done=False, sentence=said, is_refused=True))
    if pull.head_sha != effect.candidate:
        branch = Ref(f"refs/heads/{pull.head_branch}")
        theirs = show_again(ports, facts, known, branch, effect.candidate)
        if theirs is not None:
            sentence = f"A person pushed {theirs.pushed[:12]} to its branch."
            return (_aborted(effect, sentence), theirs)
        raise Retryable(f"#{effect.pull} does not show the candidate yet", _PULL_DELAY)
    # A release that did not count reviews of changes intended none of them.
    needed = known.approvals_needed if effect.approvals_needed is None else effect.approvals_needed
    approvals, is_kept = Approvals(), False
    if needed is not None:
        approvals = approvals_of(ports, facts, pull, effect.base, known.built)
        is_kept = bool(approvals.against) or len(approvals.by) < needed
    if effect.needs_resolution:
        approvals = with_threads(ports, facts, effect.pull, approvals)
    if is_kept or approvals.unresolved:
        seen = ChangeReviewed(change=effect.change, approvals=approvals, needed=needed)
        return (_aborted(effect, ""), seen)
    return ()


def _merged(
    ports: Ports, facts: RepositoryFacts, effect: ef.LandCandidate, merged: Merged
) -> tuple[Event, ...]:
    """It is done either way; what nobody judged is accounted for like any commit of others."""
    now = ports.clock.now()
    if not merged.sentence:
        moved_by = MovedBy.MERGE_QUEUE if effect.queues else MovedBy.PULL_MERGE
        landed = _landed(effect, merged.sha, now, moved_by)
        return (landed.replace(candidate=effect.candidate),)
    by_hand = MergedByHand(
        change=effect.change,
        number=effect.pull,
        sha=merged.sha,
        merged_by=facts.bot_login,
        seen_at=now,
        sentence=merged.sentence,
    )
    return (_aborted(effect, merged.sentence), by_hand)


def _without_pull(
    ports: Ports, facts: RepositoryFacts, effect: ef.LandCandidate, pull: Pull | None
) -> tuple[Event, ...]:
    """The landing's pull is not open: merged by a person, or closed."""
    elsewhere = found_elsewhere(ports, facts, effect.base, effect.candidate)
    if elsewhere is not None:
        return _ended(ports, effect, elsewhere)
    aborted = _aborted(effect, f"#{effect.pull} is no longer open.")
    if pull is not None and pull.state is PullState.MERGED:
        return (aborted,)
    return (PullClosed(change=effect.change, number=effect.pull), aborted)


def _ended(ports: Ports, effect: ef.LandCandidate, move: Move) -> tuple[Event, ...]:
    now = ports.clock.now()
    if not move.is_done:
        # Where it was refused, trying again at once would fail again.
        again_at = now + LAND_AGAIN if move.is_refused else None
        return (LandAborted(change=effect.change, sentence=move.sentence, again_at=again_at),)
    return (_landed(effect, effect.candidate, now, move.moved_by),)


def _landed(
    effect: ef.LandCandidate, sha: Sha, landed_at: datetime, moved_by: MovedBy | None
) -> Landed:
    return Landed(
        change=effect.change,
        base=effect.base,
        sha=sha,
        tree=effect.tree,
        landed_at=landed_at,
        moved_by=moved_by,
    )


def _aborted(effect: ef.LandCandidate, sentence: str) -> LandAborted:
    return LandAborted(change=effect.change, sentence=sentence)
