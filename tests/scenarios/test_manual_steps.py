"""Manual steps are listed in the issue of a change, and a tick there starts its agent."""

import pytest

from tests.testkit.house import House
from tests.testkit.specs import requirement, spec

SHOP = spec(
    requirement("TILL", after="BANK"),
    requirement("BANK", says="[manual] Somebody SHALL open an account."),
)


@pytest.mark.slow
def test_a_tick_in_the_issue_lets_the_agent_begin(shop: House) -> None:
    shop.start(SHOP)
    shop.settle()
    till = shop.number("Make the till work")
    body = shop.body(till)
    assert "- [ ] **1.** Somebody SHALL open an account." in body
    assert shop.runner.take() is None

    ticked = body.replace("- [ ] **1.**", "- [x] **1.**")
    path = shop.repo(f"/issues/{till}")
    shop.api("PATCH", path, {"body": ticked}).raise_for_status()
    shop.settle()
    assert shop.runner.take() is not None
    assert "No agent starts before" not in shop.body(till)
