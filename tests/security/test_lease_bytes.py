"""How much a run may hand in."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from action.report import AgentEnding, AgentReport
from bot.core.values.ids import OrderId
from bot.shell.orders import (
    BUNDLE_BYTES_MAX,
    LEASE_BYTES_MAX,
    Refused,
    hand_in,
    keep_bundle,
)
from tests.testkit.house import house
from tests.testkit.specs import requirement, spec


def pieces(text: str) -> Iterator[bytes]:
    yield from (letter.encode() for letter in text)


@pytest.mark.attack(
    "A run hands in bundle after bundle, and report after report, until the disk is full",
    held="`bot.shell.orders.keep_bundle`: the bytes of a lease are reserved before they are read",
)
def test_the_bytes_of_a_lease_are_limited(tmp_path: Path) -> None:
    with house(tmp_path) as shop:
        shop.start(spec(requirement("TILL")))
        lease = shop.runner.take()
        assert lease is not None
        token, order = lease.grant.lease_token, OrderId(lease.order.order_id)

        def keep(text: str, length: int | None) -> None:
            keep_bundle(shop.ports, token, order, pieces(text), length)

        with pytest.raises(Refused, match="A bundle may have"):
            keep("more", 3)
        # What was refused, and what was announced and did not come, takes no room.
        for _ in range(6):
            keep("same", None)
        left = LEASE_BYTES_MAX - len("same")
        assert shop.ports.order_store.reserve(token, left - 5, LEASE_BYTES_MAX)
        with pytest.raises(Refused, match="The data that a lease sends"):
            keep("larger", 6)
        with pytest.raises(Refused, match="The data that a lease sends"):
            keep("", BUNDLE_BYTES_MAX)
        keep("small", 5)

        def report(sentence: str) -> None:
            said = AgentReport(order_id=order, ending=AgentEnding.GAVE_UP, sentence=sentence)
            hand_in(shop.ports, token, order, said)

        def kept() -> int:
            return sum(1 for one in shop.settings.var.rglob("*") if one.is_file())

        report("Done.")
        files = kept()
        for word in ("Done.", "Better.", "Best."):
            report(word)
        assert kept() == files
