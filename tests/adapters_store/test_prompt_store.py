"""The prompt store: one holder at a time, one result for good."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from bot.adapters.store.prompt_store import SqlPromptStore
from bot.core.values.ids import RepositoryId
from bot.core.values.prompt import PromptOutcome, PromptResult
from bot.ports import PromptAttempt

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
UNTIL = NOW + timedelta(minutes=45)
SHOP = RepositoryId(7)
ATTEMPT = PromptAttempt(repository=SHOP, id="a1")
FIRST = PromptResult(outcome=PromptOutcome.ANSWERED, calls=(), answer='{"n": 1}')

Engines = Callable[[], sa.Engine]


def test_one_holder_claims_an_attempt_and_claims_it_again_after_a_restart(engines: Engines) -> None:
    mine, other = SqlPromptStore(engines()), SqlPromptStore(engines())
    assert mine.claim(ATTEMPT, "one", UNTIL, NOW)
    assert not other.claim(ATTEMPT, "two", UNTIL, NOW)
    assert mine.claim(ATTEMPT, "one", UNTIL, NOW)
    assert mine.claims(SHOP) == {"a1": UNTIL}


def test_an_expired_claim_can_be_taken_by_another_holder(engines: Engines) -> None:
    store = SqlPromptStore(engines())
    assert store.claim(ATTEMPT, "one", UNTIL, NOW)
    assert store.claim(ATTEMPT, "two", UNTIL + timedelta(hours=1), UNTIL)


def test_an_answered_attempt_cannot_be_claimed_and_its_first_result_stays(
    engines: Engines,
) -> None:
    store = SqlPromptStore(engines())
    store.claim(ATTEMPT, "one", UNTIL, NOW)
    store.keep(ATTEMPT, FIRST)
    store.keep(ATTEMPT, FIRST.model_copy(update={"answer": "{}"}))
    assert not store.claim(ATTEMPT, "one", UNTIL, NOW)
    assert not store.claim(ATTEMPT, "two", UNTIL, UNTIL)
    assert store.kept(SHOP) == {"a1": FIRST}
    assert store.claims(SHOP) == {}
    assert store.kept(RepositoryId(8)) == {}


def test_claims_of_a_dead_holder_are_released(engines: Engines) -> None:
    store = SqlPromptStore(engines())
    answered = PromptAttempt(repository=SHOP, id="a2")
    store.claim(ATTEMPT, "one", UNTIL, NOW)
    store.claim(answered, "one", UNTIL, NOW)
    store.keep(answered, FIRST)
    store.release_claims_of("one")
    assert store.claims(SHOP) == {}
    assert store.claim(ATTEMPT, "two", UNTIL, NOW)
    assert store.kept(SHOP) == {"a2": FIRST}


def test_forgotten_attempts_are_deleted(engines: Engines) -> None:
    store = SqlPromptStore(engines())
    store.claim(ATTEMPT, "one", UNTIL, NOW)
    store.keep(ATTEMPT, FIRST)
    store.forget(SHOP, ("a1",))
    assert store.kept(SHOP) == {}
