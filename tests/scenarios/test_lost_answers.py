"""For each kind of create: its response is lost, and still it is created only once."""

import pytest

from bot.localhub.faults import Fault, FaultKind
from tests.simulation.laws import broken_laws
from tests.simulation.random_faults import CREATES, PUSHES
from tests.testkit.house import House
from tests.testkit.specs import requirement, spec

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("path", [*CREATES, PUSHES])
def test_a_create_with_a_lost_response_is_not_repeated(shop: House, path: str) -> None:
    tracking = shop.plan(spec(requirement("TILL")), "specs/early.md")
    shop.ask(tracking, "/headgate stop")
    shop.hub.faults.add(Fault(kind=FaultKind.LOSE_ANSWER, method="POST", path_glob=path, nth=2))
    # People push too; only ours is to be lost.
    if path == PUSHES:
        shop.hub.faults.clear()
        shop.hub.faults.add(Fault(kind=FaultKind.LOSE_ANSWER, method="POST", path_glob=path, nth=3))
    shop.push({"specs/shop.md": spec(requirement("DOOR"), requirement("CART", after="DOOR"))})
    shop.settle()
    for _ in range(4):
        shop.forward(seconds=20)
        shop.ring_due()
    shop.ask(int(shop.tracking()["number"]), "/headgate approve")
    for _ in range(4):
        shop.work()
        shop.forward(seconds=20)
        shop.ring_due()
    shop.work()

    assert broken_laws(shop) == []
    assert "2 of 2 requirements landed" in shop.comments(int(shop.tracking()["number"]))[-1]
