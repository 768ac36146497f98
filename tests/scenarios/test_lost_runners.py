"""Runners die, never start, or send no report: the order is lost and placed again."""

import httpx
import jwt
import pytest

from action.order import AgentOrder, GateOrder, LeaseRequest
from bot.localhub.actions.runner_messages import Annotation, Conclusion
from bot.shell.orders import Refused, grant, read_claims
from tests.testkit.house import House
from tests.testkit.runner import Lease
from tests.testkit.specs import requirement, spec

SHOP = spec(requirement("TILL"))
TILL = "src/till-make-the-till-work.txt"


def taken(shop: House) -> Lease:
    """Take the waiting order."""
    lease = shop.runner.take()
    assert lease is not None
    return lease


def test_a_dead_runners_order_is_placed_again_and_its_late_report_not_used(
    shop: House,
) -> None:
    tracking = shop.start(SHOP)
    dead = taken(shop)
    shop.settle()
    assert shop.runner.heartbeat(dead).json()["carry_on"] is True
    shop.forward(seconds=60)
    shop.ring_due()

    till = shop.number("Make the till work")
    assert "| lost | The runner stopped responding: it missed three heartbeats. |" in (
        shop.body(till)
    )
    assert shop.runner.heartbeat(dead).json()["carry_on"] is False
    answer = shop.runner.report(dead, shop.runner.work(dead))
    assert answer.status_code == 410
    assert "kept, but not used" in answer.json()["sentence"]
    shop.runner.complete(dead.job, Conclusion.CANCELLED)
    shop.settle()
    assert shop.pulls() == []

    shop.work()
    orders = [o for o in shop.runner.taken if isinstance(o, AgentOrder)]
    assert [o.attempt for o in orders] == [1, 1]
    assert shop.issue(tracking)["state"] == "closed"
    assert len(shop.events("HeadImported")) == 1
    assert len(shop.events("LateReportKept")) == 1


def test_the_error_of_a_job_without_a_report_is_shown(shop: House) -> None:
    tracking = shop.start(SHOP)
    why = "This runner's python3 lacks: pydantic."
    shop.runner.complete(
        taken(shop).job,
        Conclusion.FAILURE,
        (
            Annotation(level="failure", message=why, path=".github"),
            Annotation(level="warning", message="Node 20 is old.", path=".github"),
            Annotation(level="failure", message="Process completed with exit code 1."),
        ),
    )
    shop.settle()

    till = shop.number("Make the till work")
    row = next(line for line in shop.body(till).splitlines() if line.startswith("| – | lost |"))
    # No link in a runner's words works, so this one does not either.
    assert f"without a report: {shop.url}" in row.replace("\u200b", "")
    assert row.split("The job's message: ")[1].startswith(f"{why} |")
    assert why in shop.body(tracking).split("\n\n")[1]
    comment = shop.ask(till, "/headgate why")
    assert why in shop.reply(till, comment)

    # A report and the end of its run, seen in one look.
    shop.runner.do(taken(shop))
    shop.sweep()
    shop.work()
    assert TILL in shop.main_files()
    # Only where a run has ended without a report.
    asked = [e.path.rpartition("/")[2] for e in shop.hub.exchanges]
    assert (asked.count("jobs"), asked.count("annotations")) == (1, 1)


def test_the_error_of_a_gate_job_without_a_report_is_shown(shop: House) -> None:
    tracking = shop.start(SHOP)
    shop.runner.do(taken(shop))
    shop.settle()
    why = "No space left on device."
    gates = taken(shop)
    assert isinstance(gates.order, GateOrder)
    shop.runner.complete(
        gates.job, Conclusion.FAILURE, (Annotation(level="failure", message=why, path=".github"),)
    )
    shop.settle()

    till = shop.number("Make the till work")
    assert why in shop.body(tracking).split("\n\n")[1]
    comment = shop.ask(till, "/headgate why")
    assert f"The job's message: {why}" in shop.reply(till, comment)
    shop.work()
    assert TILL in shop.main_files()


def test_a_runner_that_renews_its_lease_keeps_its_order(shop: House) -> None:
    shop.start(SHOP)
    lease = taken(shop)
    for _ in range(4):
        shop.forward(seconds=30)
        assert shop.runner.heartbeat(lease).json()["carry_on"] is True
        shop.ring_due()

    shop.runner.do(lease)
    shop.work()

    assert TILL in shop.main_files()
    assert len([o for o in shop.runner.taken if isinstance(o, AgentOrder)]) == 1


def test_orders_without_a_runner_pause_the_work_until_one_is_online(shop: House) -> None:
    tracking = shop.start(SHOP)
    for pause in (31, 61):
        shop.forward(seconds=901)
        shop.ring_due()
        shop.forward(seconds=pause)
        shop.ring_due()

    assert "No runner takes the jobs of `headgate-agent.yml`." in shop.body(tracking)
    assert "No runner took the order within 900 seconds." in shop.body(tracking)
    shop.work()
    assert TILL in shop.main_files()
    assert "Paused" not in shop.body(tracking)
    assert {change.attempt for change in shop.state.changes.values()} == {1}


def test_a_workflow_run_that_ends_without_a_report_is_ordered_again_at_once(shop: House) -> None:
    shop.start(SHOP)
    lease = taken(shop)
    shop.settle()

    shop.runner.complete(lease.job, Conclusion.FAILURE)
    shop.settle()

    till = shop.number("Make the till work")
    assert "The workflow run ended (failure) without a report" in shop.body(till)
    shop.work()
    assert TILL in shop.main_files()


def test_a_lost_gate_runner_is_replaced_without_counting_an_attempt(
    shop: House,
) -> None:
    tracking = shop.start(SHOP)
    shop.runner.taken.clear()
    shop.runner.do(taken(shop))
    shop.settle()
    gate = taken(shop)
    assert isinstance(gate.order, GateOrder)
    shop.settle()
    shop.forward(seconds=60)
    shop.ring_due()

    shop.work()

    assert shop.issue(tracking)["state"] == "closed"
    assert len([o for o in shop.runner.taken if isinstance(o, AgentOrder)]) == 1
    judged = [o.candidate_sha for o in shop.runner.taken if isinstance(o, GateOrder)]
    assert judged == [gate.order.candidate_sha] * 2


def test_gates_that_are_always_lost_fail_with_a_reason(shop: House) -> None:
    tracking = shop.start(SHOP)
    shop.runner.do(taken(shop))
    shop.settle()
    for _ in range(12):
        lease = shop.runner.take()
        if lease is None:
            break
        if isinstance(lease.order, GateOrder):
            shop.runner.complete(lease.job, Conclusion.FAILURE)
        else:
            shop.runner.do(lease)
        shop.settle()

    till = shop.number("Make the till work")
    assert "### Failed" in shop.body(till)
    assert (
        "No runner completed the gates, 3 times in a row. The last time: The workflow run ended"
        in (shop.body(till))
    )
    assert shop.issue(tracking)["state"] == "closed"
    assert TILL not in shop.main_files()

    shop.ask(till, "/headgate retry")
    shop.work()
    assert TILL in shop.main_files()
    assert len([o for o in shop.runner.taken if isinstance(o, AgentOrder)]) == 1


def ask_for(shop: House, order: str, lease: Lease) -> httpx.Response:
    """Ask for the lease of an order with the OIDC token of a lease's workflow run."""
    token = shop.runner.oidc(lease.job, lease.server)
    wish = {"order_id": order, "oidc_token": token}
    return shop.http.post(f"{lease.server}/runner/lease", json=wish)


def test_an_order_belongs_to_its_own_workflow_run_and_to_one_lease_of_it(shop: House) -> None:
    shop.start(spec(requirement("TILL"), requirement("DOOR")))
    till, door = taken(shop), taken(shop)

    foreign = ask_for(shop, till.order.order_id, door)
    assert foreign.status_code == 410
    assert "This workflow run cannot get order" in foreign.json()["sentence"]

    again = ask_for(shop, till.order.order_id, till)
    assert again.status_code == 200
    assert shop.runner.heartbeat(till).status_code == 401

    assert shop.runner.heartbeat(door).json()["carry_on"] is True
    assert ask_for(shop, door.order.order_id, door).status_code == 410


def test_an_order_of_another_owner_cannot_be_leased(
    shop: House, caplog: pytest.LogCaptureFixture
) -> None:
    """The token names the repository of the job, independent of the requested order."""
    shop.hub.add_user("stranger")
    shop.hub.add_repository("stranger", "shop")
    shop.start(SHOP)
    mine = taken(shop)
    token = shop.runner.oidc(mine.job, mine.server)
    claims = jwt.decode(token, options={"verify_signature": False})
    theirs = read_claims(
        {
            **claims,
            "repository_id": str(shop.hub.repository("stranger/shop").id),
            "workflow_ref": claims["workflow_ref"].replace("team/", "stranger/"),
        }
    )
    wish = LeaseRequest(order_id=mine.order.order_id, oidc_token=token)

    with pytest.raises(Refused) as refused:
        grant(shop.ports, theirs, wish, lambda *_: None)

    said = (
        "No lease: Headgate is not installed in stranger/shop. Give its App access to that "
        "repository, or remove the workflow from it."
    )
    assert refused.value.sentence == said
    (line,) = [record for record in caplog.records if record.message == "runner_refused"]
    assert getattr(line, "says", "") == said


def test_an_invented_lease_is_refused(shop: House) -> None:
    shop.start(SHOP)
    lease = taken(shop)
    url = f"{lease.server}/runner/orders/{lease.order.order_id}"
    bad = {"Authorization": "Bearer made-up"}
    assert shop.runner.http.post(f"{url}/heartbeat", content="{}", headers=bad).status_code == 401
    assert shop.runner.http.put(f"{url}/bundle", content=b"x", headers=bad).status_code == 401
