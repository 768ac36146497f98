"""The model adapter's batches on the real client: one question, our mark, every ending."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.adapters.model.messages import MessagesModel, Provider
from bot.adapters.model.wire import request_of
from bot.core.values.prompt import ReplyEnding
from bot.ports import Retryable, UserError
from tests.adapters.test_model_messages import CALM, QUESTION, answering, error, scripted

MARK = "0123456789abcdef"
NOW = datetime.now(UTC)


def test_the_reply_is_that_of_a_plain_call_at_our_mark() -> None:
    with scripted(CALM) as model:
        batch = model.hand_in("m1", QUESTION, MARK)
        batched, plain = model.fetch("m1", batch, MARK), model.ask("m1", QUESTION)
        assert batched is not None
        assert (batched.text, batched.tokens) == (plain.text, plain.tokens)
        assert (batched.ending, batched.request_id) == (ReplyEnding.SAID, batch)


def test_a_batch_under_way_is_no_reply() -> None:
    with scripted(f"{CALM}, batch: {{looks: 1}}") as model:
        batch = model.hand_in("m1", QUESTION, MARK)
        assert model.fetch("m1", batch, MARK) is None
        assert model.fetch("m1", batch, MARK) is not None


@pytest.mark.parametrize("end", ["errored", "expired", "canceled"])
def test_an_ending_without_an_answer_is_told(end: str) -> None:
    with scripted(f"{CALM}, batch: {{ends: {end}}}") as model:
        batch = model.hand_in("m1", QUESTION, MARK)
        with pytest.raises(UserError, match=f"without an answer \\({end}"):
            model.fetch("m1", batch, MARK)


def test_another_mark_is_nobodys_answer() -> None:
    with scripted(CALM) as model:
        batch = model.hand_in("m1", QUESTION, "another")
        with pytest.raises(UserError, match="without a word of our question"):
            model.fetch("m1", batch, MARK)


def test_what_was_cut_off_or_refused_is_told_apart() -> None:
    for stop, ending in (
        ("max_tokens", ReplyEnding.TRUNCATED),
        ("refusal", ReplyEnding.REFUSED),
    ):
        with scripted(f"{CALM}, stop_reason: {stop}") as model:
            reply = model.fetch("m1", model.hand_in("m1", QUESTION, MARK), MARK)
            assert reply is not None
            assert reply.ending is ending


class TestFinding:
    """A batch that a crash left behind is found by its mark, once it shows it."""

    def test_by_its_mark_among_others(self) -> None:
        with scripted(CALM) as model:
            mine = model.hand_in("m1", QUESTION, MARK)
            model.hand_in("m1", QUESTION, "another")
            assert model.find("m1", MARK, NOW) == mine

    def test_where_there_is_none(self) -> None:
        with scripted(CALM) as model:
            assert model.find("m1", MARK, NOW) is None
            model.hand_in("m1", QUESTION, "another")
            assert model.find("m1", MARK, NOW) is None

    def test_one_that_may_be_it_is_waited_for(self) -> None:
        with scripted(f"{CALM}, batch: {{looks: 1}}") as model:
            mine = model.hand_in("m1", QUESTION, MARK)
            with pytest.raises(Retryable, match="may hold the question"):
                model.find("m1", MARK, NOW)
            assert model.find("m1", MARK, NOW) == mine

    def test_one_of_several_requests_is_not_it_and_not_waited_for(self) -> None:
        with scripted(f"{CALM}, batch: {{looks: 9}}") as model:
            alone = request_of("m1", QUESTION)
            model._client("m1").messages.batches.create(
                requests=[{"custom_id": mark, "params": alone} for mark in ("a", "b")]
            )
            assert model.find("m1", MARK, NOW) is None

    def test_older_ones_are_not_it(self) -> None:
        with scripted(CALM) as model:
            model.hand_in("m1", QUESTION, MARK)
            assert model.find("m1", MARK, NOW + timedelta(hours=1)) is None


@pytest.mark.parametrize(
    ("status", "kind", "failure"),
    [
        (529, "overloaded_error", Retryable),
        (500, "api_error", Retryable),
        (404, "not_found_error", UserError),
        (400, "invalid_request_error", UserError),
    ],
)
def test_trouble_is_told_apart_as_for_any_call(
    status: int, kind: str, failure: type[Exception]
) -> None:
    with answering(status, error(kind)) as url, pytest.raises(failure):
        MessagesModel(Provider(url, "any"), {}).hand_in("m1", QUESTION, MARK)
