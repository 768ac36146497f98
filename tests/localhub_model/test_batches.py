"""Message batches as the real client sees them: begun, looked at, ended in every way, read."""

import anthropic
import pytest
from anthropic import Anthropic
from anthropic.types.messages.batch_create_params import Request

from bot.localhub.model_server.script import Script
from tests.localhub_model.kit import anthropic_on, script


def plays(batch: str = "", fault: str = "") -> Script:
    return script(f"""
        version: 1
        scenes:
          - name: one
            match: {{task: [go]}}
            turns:
              - text: done
                {f"batch: {batch}" if batch else ""}
                {f"fault: {fault}" if fault else ""}
    """)


def wanted(mark: str, task: str = "go") -> Request:
    return {
        "custom_id": mark,
        "params": {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": task}]},
    }


def begin(client: Anthropic, *marks: str) -> str:
    return client.messages.batches.create(requests=[wanted(m) for m in marks]).id


def test_a_batch_is_under_way_as_often_as_scripted_and_then_has_its_results() -> None:
    with anthropic_on(plays("{looks: 2}")) as client:
        begun = client.messages.batches.create(requests=[wanted("a"), wanted("b")])
        assert (begun.processing_status, begun.results_url) == ("in_progress", None)
        assert begun.request_counts.processing == 2
        assert (begun.expires_at - begun.created_at).total_seconds() == 24 * 3600
        with pytest.raises(anthropic.APIStatusError) as early:
            client.get(f"/v1/messages/batches/{begun.id}/results", cast_to=object)
        assert early.value.status_code == 404
        looks = [client.messages.batches.retrieve(begun.id) for _ in range(3)]
        assert [b.processing_status for b in looks] == ["in_progress", "in_progress", "ended"]
        assert looks[-1].request_counts.succeeded == 2
        assert looks[-1].ended_at is not None
        results = list(client.messages.batches.results(begun.id))
        assert [r.custom_id for r in results] == ["a", "b"]
        (first, _) = (r.result for r in results)
        assert first.type == "succeeded"
        assert first.message.content[0].to_dict()["text"] == "done"


@pytest.mark.parametrize("end", ["errored", "expired", "canceled"])
def test_it_ends_as_scripted(end: str) -> None:
    with anthropic_on(plays(f"{{ends: {end}}}")) as client:
        batch = begin(client, "a")
        seen = client.messages.batches.retrieve(batch)
        assert getattr(seen.request_counts, end) == 1
        (result,) = client.messages.batches.results(batch)
        assert result.result.type == end


def test_a_request_that_is_wrong_shows_in_its_result_alone() -> None:
    with anthropic_on(plays()) as client:
        wrong = client.messages.batches.create(requests=[wanted("a"), wanted("b", "stay")])
        client.messages.batches.retrieve(wrong.id)
        types = {r.custom_id: r.result.type for r in client.messages.batches.results(wrong.id)}
        assert types == {"a": "succeeded", "b": "errored"}


def test_marks_are_unique_and_plain() -> None:
    with anthropic_on(plays()) as client:
        for marks in (("a", "a"), ("a b",), ("a" * 65,)):
            with pytest.raises(anthropic.BadRequestError):
                begin(client, *marks)


def test_a_canceled_batch_ends_without_answers() -> None:
    with anthropic_on(plays("{looks: 9}")) as client:
        batch = begin(client, "a")
        assert client.messages.batches.cancel(batch).processing_status == "canceling"
        assert client.messages.batches.retrieve(batch).processing_status == "ended"
        (result,) = client.messages.batches.results(batch)
        assert result.result.type == "canceled"


def test_the_list_is_newest_first_and_comes_in_pages() -> None:
    with anthropic_on(plays()) as client:
        begun = [begin(client, "a") for _ in range(5)]
        listed = [b.id for b in client.messages.batches.list(limit=2)]
        assert listed == begun[::-1]


def test_an_overloaded_server_begins_none() -> None:
    with anthropic_on(plays(fault="{kind: overloaded}")) as client:
        with pytest.raises(anthropic.APIStatusError) as refusal:
            begin(client, "a")
        assert refusal.value.status_code == 529
        assert list(client.messages.batches.list()) == []
        begin(client, "a")


def test_an_unknown_batch_is_not_found() -> None:
    with anthropic_on(plays()) as client:
        for ask in (client.messages.batches.retrieve, client.messages.batches.cancel):
            with pytest.raises(anthropic.NotFoundError):
                ask("msgbatch_0")
