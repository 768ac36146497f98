"""What GitHub makes of a pull that it merges for us: main is another commit, and may be another tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.core.decide.queue.land import LAND_AGAIN
from bot.core.journal import effects as ef, events as ev
from bot.core.journal.events import Event
from bot.core.talk import merge_text
from bot.core.values.candidate import MovedBy
from bot.core.values.ids import PullNumber, Sha
from bot.core.values.repository import PullState
from tests.core.values import sha

if TYPE_CHECKING:
    from tests.core.kit import World


def merge_change(world: World, effect: ef.LandCandidate) -> tuple[Event, ...]:
    if effect.queues and world.taken_out:
        said = merge_text.taken_out(effect.pull, world.taken_out.pop())
        again_at = world.now + LAND_AGAIN
        return (ev.LandAborted(change=effect.change, sentence=said, again_at=again_at),)
    made = _merge(world, effect.pull, effect.candidate, effect.tree)
    if world.main[-1].tree == effect.tree:
        landed = ev.Landed(
            change=effect.change,
            base=effect.base,
            sha=made,
            tree=effect.tree,
            landed_at=world.now,
            moved_by=MovedBy.MERGE_QUEUE if effect.queues else MovedBy.PULL_MERGE,
            candidate=effect.candidate,
        )
        return (landed,)
    said = merge_text.not_judged(effect.pull, made, effect.base)
    by_hand = ev.MergedByHand(
        change=effect.change,
        number=effect.pull,
        sha=made,
        merged_by="headgate[bot]",
        seen_at=world.now,
        sentence=said,
    )
    return (ev.LandAborted(change=effect.change, sentence=said), by_hand)


def merge_persons(world: World, effect: ef.LandPull) -> tuple[Event, ...]:
    made = _merge(world, effect.number, effect.candidate, effect.tree)
    if world.main[-1].tree == effect.tree:
        landed = ev.PullLanded(
            number=effect.number,
            base=effect.base,
            sha=made,
            tree=effect.tree,
            landed_at=world.now,
            moved_by=MovedBy.PULL_MERGE,
            candidate=effect.candidate,
        )
        return (landed,)
    said = merge_text.not_judged(effect.number, made, effect.base)
    return (
        ev.PullLandAborted(number=effect.number, sentence=said),
        ev.PullWithdrawn(number=effect.number, by="", sentence=said),
    )


def _merge(world: World, number: PullNumber, candidate: Sha, tree: Sha) -> Sha:
    """Somebody's push to main may come before it."""
    made = sha(f"merge of {candidate}")
    if world.pushed_before_merge:
        world.push_code(world.pushed_before_merge.pop())
        world.push(made, "src/shop.py", tree=sha(f"tree of {made}"), author="headgate[bot]")
    else:
        world.push(made, tree=tree, author="headgate[bot]")
    ours = {"state": PullState.MERGED, "merged_as": made, "merged_by": "headgate[bot]"}
    world.pulls[number] = world.pulls[number].model_copy(update=ours)
    return made
