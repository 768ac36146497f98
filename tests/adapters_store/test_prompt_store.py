"""The questions' desk: one asker at a time, one reply for good."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from bot.adapters.store.prompt_store import SqlPromptStore
from bot.core.values.ids import RepositoryId
from bot.core.values.prompt import Asked, AskOutcome
from bot.ports import Asking

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
UNTIL = NOW + timedelta(minutes=45)
SHOP = RepositoryId(7)
ASKING = Asking(repository=SHOP, id="a1")
FIRST = Asked(outcome=AskOutcome.ANSWERED, calls=(), answer='{"n": 1}')

Engines = Callable[[], sa.Engine]


def test_one_asker_gets_a_question_and_gets_it_back_after_a_restart(engines: Engines) -> None:
    mine, other = SqlPromptStore(engines()), SqlPromptStore(engines())
    assert mine.claim(ASKING, "one", UNTIL, NOW)
    assert not other.claim(ASKING, "two", UNTIL, NOW)
    assert mine.claim(ASKING, "one", UNTIL, NOW)
    assert mine.claims(SHOP) == {"a1": UNTIL}


def test_a_claim_that_ran_out_is_anybodys(engines: Engines) -> None:
    desk = SqlPromptStore(engines())
    assert desk.claim(ASKING, "one", UNTIL, NOW)
    assert desk.claim(ASKING, "two", UNTIL + timedelta(hours=1), UNTIL)


def test_what_was_answered_is_never_asked_again_and_the_first_reply_stays(
    engines: Engines,
) -> None:
    desk = SqlPromptStore(engines())
    desk.claim(ASKING, "one", UNTIL, NOW)
    desk.keep(ASKING, FIRST)
    desk.keep(ASKING, FIRST.model_copy(update={"answer": "{}"}))
    assert not desk.claim(ASKING, "one", UNTIL, NOW)
    assert not desk.claim(ASKING, "two", UNTIL, UNTIL)
    assert desk.kept(SHOP) == {"a1": FIRST}
    assert desk.claims(SHOP) == {}
    assert desk.kept(RepositoryId(8)) == {}


def test_a_dead_askers_questions_are_asked_again_at_once(engines: Engines) -> None:
    desk = SqlPromptStore(engines())
    answered = Asking(repository=SHOP, id="a2")
    desk.claim(ASKING, "one", UNTIL, NOW)
    desk.claim(answered, "one", UNTIL, NOW)
    desk.keep(answered, FIRST)
    desk.let_go("one")
    assert desk.claims(SHOP) == {}
    assert desk.claim(ASKING, "two", UNTIL, NOW)
    assert desk.kept(SHOP) == {"a2": FIRST}


def test_what_was_taken_is_forgotten(engines: Engines) -> None:
    desk = SqlPromptStore(engines())
    desk.claim(ASKING, "one", UNTIL, NOW)
    desk.keep(ASKING, FIRST)
    desk.forget(SHOP, ("a1",))
    assert desk.kept(SHOP) == {}
