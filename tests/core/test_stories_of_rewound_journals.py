"""A journal that lost its end: for a week every create checks first what exists."""

from datetime import timedelta

from action.order import AgentOrder
from bot.core.journal.events import JournalRewound
from bot.core.journal.state import OrderState, Rewound
from bot.core.state.observed import Hint, HintKind, looks
from bot.core.values.check_button import Button, Press
from bot.core.values.lifecycle import ChangeState
from bot.core.values.repository import AwayReason, Standing
from tests.core.kit import World, approved
from tests.core.values import FACTS, START, beside, sha

EARLIER = START - timedelta(hours=1)


def rewound(world: World, hours: int = 1) -> None:
    world.tick((Hint(kind=HintKind.REWOUND, since=START - timedelta(hours=hours)),))


def test_a_rewound_journal_is_recorded_and_triggers_a_full_look() -> None:
    world = approved(beside(1))
    hint = Hint(kind=HintKind.REWOUND, since=EARLIER)
    assert looks(world.state, (hint,), world.now).comments_since is not None
    rewound(world)
    noted = [e for e in world.journal if isinstance(e, JournalRewound)]
    assert [e.known_until for e in noted] == [EARLIER]
    assert world.state.rewound == Rewound(known_until=EARLIER, seen_at=world.now)


def test_a_rewound_journal_is_recorded_even_without_access() -> None:
    world = approved(beside(1))
    world.standing = Standing(away=AwayReason.SUSPENDED)
    rewound(world)
    assert world.state.away is not None
    assert world.state.rewound is not None


def test_a_second_journal_loss_keeps_the_earlier_known_time() -> None:
    world = approved(beside(1))
    rewound(world, hours=3)
    world.now += timedelta(days=6)
    rewound(world, hours=1)
    assert world.state.rewound is not None
    assert world.state.rewound.known_until == START - timedelta(hours=3)
    assert world.state.rewound.seen_at == world.now
    world.now += timedelta(days=8)
    rewound(world, hours=1)
    assert world.state.rewound.known_until == EARLIER


def test_a_rewound_journal_counts_for_a_week() -> None:
    loss = Rewound(known_until=EARLIER, seen_at=START)
    assert loss.counts_at(START + timedelta(days=6))
    assert not loss.counts_at(START + timedelta(days=8))


def test_only_hints_that_a_look_cannot_replace_are_kept() -> None:
    assert Hint(kind=HintKind.COMMENT, number=1).is_seen_by_looking
    assert not Hint(kind=HintKind.REWOUND, since=START).is_seen_by_looking
    pressed = Press(button=Button.AGAIN, sha="a" * 40, external_id="", person="ada")
    assert not Hint(kind=HintKind.BUTTON, press=pressed).is_seen_by_looking


def test_an_order_lost_by_the_store_is_given_up() -> None:
    world = approved(beside(1))
    (order,) = world.open_orders(AgentOrder)
    del world.order_store[order]
    world.tick()
    assert world.state.orders[order].is_open
    world.ended_runs[order] = "failure"
    world.tick()
    assert world.state.orders[order].state is OrderState.LOST


def _on_main(world: World, change: str, author: str) -> None:
    """A commit on main that names a change."""
    world.push(sha(f"work of {author}"), "src/work.py", author=author)
    world.main[-1] = world.main[-1].model_copy(update={"change": change})
    world.tick()


def test_numbers_of_lost_orders_are_not_given_again() -> None:
    world = approved(beside(2))
    before = world.state.orders_placed
    rewound(world)
    assert world.state.orders_placed > before + 1_000


def test_a_change_that_landed_after_the_backup_is_not_repeated() -> None:
    world = approved(beside(1))
    (change,) = world.state.changes.values()
    rewound(world)
    _on_main(world, change.id, FACTS.bot_login)
    tip = world.main[-1].sha
    assert world.state.changes[change.id].state is ChangeState.LANDED
    assert world.state.changes[change.id].landed == tip
    assert tip in world.state.adoptions


def test_a_commit_that_only_names_a_change_is_not_a_landing() -> None:
    world = approved(beside(1))
    (change,) = world.state.changes.values()
    _on_main(world, change.id, FACTS.bot_login)
    rewound(world)
    _on_main(world, change.id, "ada")
    assert world.state.changes[change.id].landed is None
