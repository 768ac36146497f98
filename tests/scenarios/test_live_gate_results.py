"""A red gate is seen on GitHub while other gates of its order still run."""

import pytest

from action.order import EventBatch, GateOrder, GateStatus, RunStatus
from gates.result import Ending
from tests.testkit.house import House
from tests.testkit.specs import requirement, spec

SHOP = spec(requirement("TILL"))
KEY = "sk-ant-" + "canary0123456789" * 3


@pytest.mark.slow
def test_a_red_gate_is_shown_before_the_report_arrives(shop: House) -> None:
    shop.start(SHOP)
    agent = shop.runner.take()
    assert agent is not None
    shop.runner.do(agent)
    shop.settle()
    lease = shop.runner.take()
    assert lease is not None
    assert isinstance(lease.order, GateOrder)
    shop.settle()
    names = [gate.name for gate in lease.order.gates]
    red = GateStatus(gate=names[0], ending=Ending.FAILED, sentence=f"No {KEY}.", log_tail=KEY)
    more = (GateStatus(gate=name, is_running=True) for name in names[1:])
    batch = EventBatch(status=RunStatus(sentence="At work", gates=(red, *more)))

    shop.runner.events(lease, batch).raise_for_status()
    shop.settle()

    checks = shop.checks(lease.order.candidate_sha)
    assert checks["headgate/verdict"].conclusion is None
    seen = checks[f"headgate/gate/{names[0]}"]
    assert seen.conclusion == "failure"
    assert KEY not in f"{seen.title} {seen.text}"

    shop.runner.do(lease)
    shop.settle()
    checks = shop.checks(lease.order.candidate_sha)
    assert {seen.conclusion for seen in checks.values()} == {"success"}
