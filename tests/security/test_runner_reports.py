"""Reports of runners: numbers, texts and ids that could be stored but not read again."""

from pathlib import Path

import pytest
from pydantic import TypeAdapter, ValidationError

from action.order import EventBatch, LeaseRequest
from action.report import Report
from bot.core.values.ids import OrderId
from bot.shell.orders import keep_events
from tests.testkit.house import house
from tests.testkit.specs import requirement, spec

_REPORT: TypeAdapter[object] = TypeAdapter(Report)
_AGENT = '{"kind": "agent", "order_id": "o1", "ending": "finished", "sentence": "", '
_MANY = "9" * 4_000


REPORTS = {
    "turns without end": f'"turns": {_MANY}}}',
    "tokens without end": f'"tokens": {{"input": {_MANY}}}}}',
    "tokens below nothing": '"tokens": {"output": -1}}',
    "ages of seconds": '"seconds": 1e300}',
    "no seconds": '"seconds": NaN}',
    "tasks without end": f'"tasks": {_MANY}}}',
    "ticks below nothing": '"ticked": -1}',
    "seconds without end": '"retry_after_seconds": Infinity}',
}
_GATES = (
    '{"kind": "gate", "order_id": "o1", "sentence": "", "report": {"candidate_sha": "a", '
    '"tree_sha": "b", "definition_hash": "c", "results": [{"gate": "test", "judges": "tree", '
    '"ending": "passed", "sentence": "", '
)
_PROVED = '"proof": [{"requirement": "TILL-1", '
RESULTS = {
    "tests without end": f'"tests": {{"passed": {_MANY}}}',
    "tests below nothing": '"tests": {"failed": -1}',
    "ages of seconds": '"seconds": 1e300',
    "seconds before it began": '"seconds": -1.0',
    "an exit code without end": f'"exit_code": -{_MANY}',
    "a line without end": f'"annotations": [{{"path": "a.py", "line_start": 1, "line_end": {_MANY}, '
    '"level": "failure", "title": "", "message": ""}]',
    "plans without end": f'{_PROVED}"planned": {_MANY}}}]',
    "cases without end": f'{_PROVED}"tests": [{{"path": "a", "name": "b", "cases": {_MANY}}}]}}]',
}
DOINGS = {
    "a gate's seconds": '{"status": {"gates": [{"gate": "test", "seconds": NaN}]}}',
    "dollars": '{"status": {"dollars": Infinity}}',
    "tokens": f'{{"status": {{"tokens": {_MANY}}}}}',
    "ticks": f'{{"status": {{"fingerprint": {{"ticked": {_MANY}}}}}}}',
    "a late line": f'{{"first": {2**31}}}',
    "an early line": '{"first": -1}',
}


@pytest.mark.attack(
    "A run reports a number that cannot be stored or priced, and every look at its order fails",
    held="`action.report.Count`: refused at the door",
)
@pytest.mark.parametrize("name", REPORTS)
def test_numbers_in_an_agent_report_must_be_plausible(name: str) -> None:
    with pytest.raises(ValidationError):
        _REPORT.validate_json(_AGENT + REPORTS[name])


@pytest.mark.attack(
    "A run says of its gates a number that cannot be printed, and every look at its order fails",
    held="`action.report.GateOrderReport`: refused at the door",
)
@pytest.mark.parametrize("name", RESULTS)
def test_numbers_in_a_gate_report_must_be_plausible(name: str) -> None:
    with pytest.raises(ValidationError):
        _REPORT.validate_json(_GATES + RESULTS[name] + "}]}}")


def test_numbers_of_an_earlier_gate_run_must_be_plausible() -> None:
    said = _GATES.replace('"results": [', '"results": [], "doubts": [') + '"seconds": 1e300}]}}'
    assert '"doubts"' in said
    with pytest.raises(ValidationError, match="a number of the gate"):
        _REPORT.validate_json(said)


@pytest.mark.parametrize("said", ['"exit_code": -9', '"exit_code": 3221225477', '"seconds": 0.5'])
def test_a_program_that_a_signal_ended_is_reported(said: str) -> None:
    _REPORT.validate_json(_GATES + said + "}]}}")


@pytest.mark.attack(
    "A run says of a gate that it took no number of seconds, and every look at its order fails",
    held="`action.report.Frozen`: refused at the door",
)
@pytest.mark.parametrize("name", DOINGS)
def test_numbers_in_the_status_of_a_run_must_be_readable(name: str) -> None:
    with pytest.raises(ValidationError):
        EventBatch.model_validate_json(DOINGS[name])


@pytest.mark.attack(
    "A run asks for the lease of an order whose name is a zero character, or a page of text",
    held="`action.order.LeaseRequest`: refused before the database is asked",
)
@pytest.mark.parametrize("order", ["\0", "o1\n", "", "o" * 41, "o\u202e1", "\u043e1"])
def test_the_name_of_an_order_is_short(order: str) -> None:
    with pytest.raises(ValidationError):
        LeaseRequest(order_id=order, oidc_token="")
    assert LeaseRequest(order_id="o17", oidc_token="").order_id == "o17"


@pytest.mark.attack(
    "A run says a zero character, which PostgreSQL does not take",
    held="`bot.shell.orders.keep_events`",
)
def test_a_zero_character_is_replaced(tmp_path: Path) -> None:
    with house(tmp_path) as shop:
        shop.start(spec(requirement("TILL")))
        lease = shop.runner.take()
        assert lease is not None
        token, order = lease.grant.lease_token, OrderId(lease.order.order_id)
        keep_events(shop.ports, token, order, EventBatch(lines=('{"said": "a\0b"}',)))
        facts = shop.state.facts
        assert facts is not None
        said = shop.ports.transcripts.lines(facts.id, order)
        assert [line for _, line in said] == ['{"said": "a\ufffdb"}']
