"""The writes of a landing: one create for each thing, one edit for each transition."""

from collections import Counter

from tests.bench.calls import APART, counted
from tests.bench.stage import WriteExchange
from tests.testkit.house import House
from tests.testkit.specs import requirement, spec

AREAS = ("TILL", "DOOR", "CART")
WRITES_A_LANDING = 12
# The run's own: two reactions, the plan shown as approved, an id asked, the report, refs forgotten.
WRITES_A_RUN = 6
GATE_REPORTS = ("create a check run", "update a check run")


def ours(shop: House) -> Counter[str]:
    """The writes of our App so far, by kind."""
    return counted(
        WriteExchange(method=e.method, path=e.path, status=e.status, by=e.token_kind)
        for e in shop.hub.exchanges
        if e.is_write
    )


def test_a_landing_takes_at_most_twelve_writes_without_gate_reports(shop: House) -> None:
    tracking = shop.plan(spec(*(requirement(area) for area in AREAS)))
    assert ours(shop)["open an issue"] == 1
    assert ours(shop)["edit or close an issue"] <= 1
    shop.ask(tracking, "/headgate approve")
    planned = ours(shop)
    assert planned["open an issue"] == 1 + len(AREAS)
    assert planned["link a sub-issue"] == len(AREAS)

    shop.work()

    after = ours(shop) - planned
    assert shop.issue(tracking)["state"] == "closed"
    assert after["open a pull"] == len(AREAS)
    writes = {kind: n for kind, n in after.items() if kind not in (*APART, *GATE_REPORTS)}
    assert sum(writes.values()) <= WRITES_A_LANDING * len(AREAS) + WRITES_A_RUN, writes


def test_a_finished_issue_is_updated_and_closed_in_one_edit(shop: House) -> None:
    tracking = shop.start(spec(requirement("TILL")))
    shop.work()
    till = shop.number("Make the till work")

    edits = [e for e in shop.hub.exchanges if e.path.endswith(f"/issues/{till}")]

    assert "On main as" in shop.body(till)
    assert shop.issue(till)["state"] == "closed"
    assert [e.method for e in edits if e.is_write] == ["PATCH"]
    assert shop.issue(tracking)["state"] == "closed"
