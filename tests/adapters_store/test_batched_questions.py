"""A question in a batch: what is known of it outlives whoever began it, and it waits for its time."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from bot.adapters.store.prompt_store import SqlPromptStore
from bot.core.values.ids import RepositoryId
from bot.core.values.prompt import Asked, AskOutcome
from bot.ports import Asking, Handed

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
UNTIL = NOW + timedelta(minutes=45)
LATER = NOW + timedelta(minutes=5)
ASKING = Asking(repository=RepositoryId(7), id="a1")
BEGUN = Handed(model="m1", began_at=NOW)
NOTED = Handed(model="m1", began_at=NOW, batch="msgbatch_1")

Engines = Callable[[], sa.Engine]


def claimed(engines: Engines) -> SqlPromptStore:
    desk = SqlPromptStore(engines())
    assert desk.claim(ASKING, "one", UNTIL, NOW)
    return desk


def test_nothing_is_known_until_it_is_noted_and_then_the_newest_word_is(engines: Engines) -> None:
    desk = claimed(engines)
    assert desk.handed(ASKING) is None
    desk.note(ASKING, BEGUN)
    assert desk.handed(ASKING) == BEGUN
    desk.note(ASKING, NOTED)
    assert SqlPromptStore(engines()).handed(ASKING) == NOTED


def test_a_batch_outlives_the_death_of_whoever_began_it(engines: Engines) -> None:
    desk = claimed(engines)
    desk.note(ASKING, NOTED)
    desk.let_go("one")
    assert desk.handed(ASKING) == NOTED
    assert desk.claim(ASKING, "two", UNTIL, NOW)


def test_nobody_gets_what_was_put_off_before_its_time(engines: Engines) -> None:
    desk = claimed(engines)
    desk.note(ASKING, NOTED)
    desk.put_off(ASKING, LATER)
    assert desk.claims(ASKING.repository) == {"a1": LATER}
    assert not desk.claim(ASKING, "one", UNTIL, NOW)
    assert desk.claim(ASKING, "one", UNTIL, LATER)
    assert desk.handed(ASKING) == NOTED


def test_what_was_answered_is_put_off_and_noted_no_more(engines: Engines) -> None:
    desk = claimed(engines)
    reply = Asked(outcome=AskOutcome.ANSWERED, calls=(), answer="{}")
    desk.keep(ASKING, reply)
    desk.put_off(ASKING, LATER)
    desk.note(ASKING, NOTED)
    assert desk.kept(ASKING.repository) == {"a1": reply}
    assert desk.handed(ASKING) is None
