"""Lands what is wished. In GitHub's merge queue a pull is watched: merged, taken out, or still there."""

from datetime import datetime, timedelta

from bot.core.state.observed import Hint, HintKind
from bot.core.talk.merge_text import no_queue, not_queued, taken_out
from bot.core.values.ids import PullNumber
from bot.core.values.repository import RepositoryFacts
from bot.ports import Retryable
from bot.shell.merge_pull import Merged, WantedMerge, merge_pull
from bot.shell.move_main import Move, move_main
from bot.shell.process_ports import Ports

# Its webhooks come before: this is for those that are lost.
_LOOK_AGAIN = timedelta(seconds=20)
# GitHub's clock may be behind ours; a landing is tried again only after longer than this.
CLOCKS_APART = timedelta(minutes=1)
_IS_THERE = "already in the queue"


def carry_out(
    ports: Ports, facts: RepositoryFacts, wanted: WantedMerge, queued_at: datetime | None
) -> Merged | Move:
    """By GitHub's queue, by its merge, or by a move of main."""
    if wanted.is_queued:
        return watch(ports, facts, wanted, queued_at or ports.clock.now())
    if wanted.methods:
        return merge_pull(ports, facts, wanted)
    return move_main(ports, facts, wanted.base, wanted.candidate)


def watch(ports: Ports, facts: RepositoryFacts, wanted: WantedMerge, since: datetime) -> Move:
    """Why it does not land; `Retryable` while it may. That it was merged is seen at the pull before."""
    standing = ports.forge.queue_standing(facts, wanted.number)
    if standing is None:
        return Move(is_done=False, sentence=no_queue(wanted.number), is_refused=True)
    if standing.place is not None:
        raise _waits(ports, facts, f"#{wanted.number} is in GitHub's queue at {standing.place}")
    if standing.removed_at is not None and standing.removed_at >= since - CLOCKS_APART:
        said = taken_out(wanted.number, standing.reason)
        return Move(is_done=False, sentence=said, is_refused=True)
    words = ports.forge.enqueue(facts, standing.node, wanted.head)
    if words and _IS_THERE not in words:
        return Move(is_done=False, sentence=not_queued(wanted.number, words), is_refused=True)
    raise _waits(ports, facts, f"#{wanted.number} was put into GitHub's merge queue")


def take_out(ports: Ports, facts: RepositoryFacts, number: PullNumber) -> None:
    """Take a pull out of GitHub's queue, if it is there; `Retryable` where GitHub does not let it go: it may be
    merging it.
    """
    standing = ports.forge.queue_standing(facts, number)
    if standing is None or standing.place is None:
        return
    words = ports.forge.dequeue(facts, standing.node)
    if words:
        raise _waits(ports, facts, f"#{number} cannot be removed from GitHub's queue: {words}")


def _waits(ports: Ports, facts: RepositoryFacts, sentence: str) -> Retryable:
    # Its merge group wants a verdict, and main may have moved.
    ports.journal.put_hints(facts.id, (Hint(kind=HintKind.MAIN),))
    return Retryable(sentence, _LOOK_AGAIN)
