"""Main moves from exactly the tested base, by GitHub's own compare-and-swap or by a leased push."""

import pytest

from bot.core.journal.events import Landed
from bot.localhub.faults import Fault, FaultKind
from bot.localhub.rule_model import RefRule, Ruleset
from tests.testkit.house import House
from tests.testkit.specs import requirement, spec

SHOP = spec(requirement("TILL"))
TILL = "src/till-make-the-till-work.txt"
GRAPHQL = "/api/graphql"


def no_graphql(shop: House) -> None:
    """A GitHub without GraphQL."""
    shop.hub.faults.add(
        Fault(kind=FaultKind.REFUSE_BEFORE, path_glob=GRAPHQL, times=1_000, status=404)
    )


def how_it_landed(shop: House) -> list[str | None]:
    """What the journal says of every landing."""
    return [e.moved_by for e in shop.events("Landed") if isinstance(e, Landed)]


def wait_for_the_front(shop: House) -> None:
    """Work until only the gates of the first candidate are left to run."""
    shop.start(SHOP)
    lease = shop.runner.take()
    assert lease is not None
    shop.runner.do(lease)
    shop.settle()


def test_main_is_moved_by_githubs_own_compare_and_swap(shop: House) -> None:
    shop.start(SHOP)

    shop.work()

    assert TILL in shop.main_files()
    assert how_it_landed(shop) == ["updateRefs"]


def test_without_graphql_main_is_moved_by_a_push_with_lease(shop: House) -> None:
    no_graphql(shop)
    shop.start(SHOP)

    shop.work()

    assert TILL in shop.main_files()
    assert how_it_landed(shop) == ["push"]


@pytest.mark.parametrize("has_graphql", [True, False])
def test_a_lost_response_after_main_moved_lands_once(shop: House, has_graphql: bool) -> None:
    tracking = shop.start(SHOP)
    if has_graphql:
        lost = Fault(kind=FaultKind.LOSE_ANSWER, path_glob=GRAPHQL, nth=1)
        shop.hub.faults.add(lost)
        shop.work()
    else:
        no_graphql(shop)
        wait = shop.runner.take()
        assert wait is not None
        shop.runner.do(wait)
        shop.settle()
        gates = shop.runner.take()
        assert gates is not None
        shop.runner.do(gates)
        shop.hub.faults.add(
            Fault(kind=FaultKind.LOSE_ANSWER, path_glob="*/git-receive-pack", nth=1)
        )
        shop.settle()
    shop.forward(seconds=30)
    shop.ring_due()

    assert set(how_it_landed(shop)) == {None}
    assert [s for s in shop.history() if "till" in s.lower()] == ["Make the till work"]
    assert shop.issue(tracking)["state"] == "closed"


@pytest.mark.parametrize("has_graphql", [True, False])
def test_a_moved_main_is_never_overwritten(shop: House, has_graphql: bool) -> None:
    if not has_graphql:
        no_graphql(shop)
    wait_for_the_front(shop)
    gates = shop.runner.take()
    assert gates is not None
    shop.runner.do(gates)
    # The bell is held, so that the landing is tried on what was main before the push.
    shop.push({"README.md": "# A busy shop\n"}, "Edit the readme")
    shop.hold_deliveries()
    shop.settle()

    shop.work()

    assert shop.history()[-2:] == ["Edit the readme", "Make the till work"]
    assert shop.main_files()["README.md"] == "# A busy shop"
    assert TILL in shop.main_files()


@pytest.mark.parametrize("has_graphql", [True, False])
def test_a_ruleset_refuses_both_ways_with_its_own_message(shop: House, has_graphql: bool) -> None:
    if not has_graphql:
        no_graphql(shop)
    rule = Ruleset(1, "No pushes", ("~DEFAULT_BRANCH",), frozenset({RefRule.UPDATE}))
    shop.start(SHOP)
    shop.hub.add_ruleset(shop.full_name, rule)

    shop.work()

    till = shop.number("Make the till work")
    assert "GitHub refused to move main" in shop.body(till)
    assert "Cannot update this protected ref." in shop.body(till)
    assert TILL not in shop.main_files()
    assert how_it_landed(shop) == []


def test_a_pull_with_an_edited_base_does_not_land_on_main(shop: House) -> None:
    wait_for_the_front(shop)
    gates = shop.runner.take()
    assert gates is not None
    shop.runner.do(gates)
    pull = shop.pulls("open")[0]
    shop.api("POST", shop.repo("/git/refs"), {"ref": "refs/heads/other", "sha": shop.ref()})
    edited = shop.api("PATCH", shop.repo(f"/pulls/{pull['number']}"), {"base": "other"})
    assert edited.json()["base"]["ref"] == "other"

    shop.settle()

    assert TILL not in shop.main_files()
    assert how_it_landed(shop) == []
    assert "is now `other`, but a change can land only on" in shop.body(
        shop.number("Make the till work")
    )

    shop.api("PATCH", shop.repo(f"/pulls/{pull['number']}"), {"base": "main"})
    shop.forward(minutes=6)
    shop.ring_due()
    shop.work()

    assert TILL in shop.main_files()
