"""A process may die at any step of a model call: no prompt is lost or paid three times.

A stored reply is paid for once. A reply that was not stored is requested again: the
provider has no idempotency key that would return it.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.core.journal.events import ModelAsked
from tests.testkit.crash import (
    CrashPoint,
    FaultInjector,
    Killed,
    Side,
    Supervisor,
    inject_faults,
    ports_on_story_clock,
)
from tests.testkit.house import House
from tests.testkit.model import change, house_with_model, plan, scene
from tests.testkit.specs import requirement, spec

PLAN = plan(change("cart", "REQ-CART-01"))


def once_at(name: str, side: Side) -> Callable[[CrashPoint], None]:
    """Die once, before or after the first point with this name."""
    left = [1]

    def on_point(point: CrashPoint) -> None:
        if name in point.names and point.side is side and left:
            left.pop()
            raise Killed(str(point))

    return on_point


def start_worker(shop: House) -> None:
    """Start a worker's process; it repeats the calls that its predecessor was making."""
    shop.ports.prompt_store.release_claims_of(shop.ports.holder)
    for repository in shop.ports.journal.repositories():
        shop.bell.ring_repository(repository)
    shop.settle()


def paid(injector: FaultInjector) -> int:
    """The number of replies from the model, stored or not."""
    return sum(1 for m in injector.reached if m == CrashPoint(("ask",), Side.AFTER))


def planned_once(shop: House) -> None:
    """The plan is there, and the journal holds one answer and one plan."""
    assert "Made by a model" in shop.body(int(shop.tracking()["number"]))
    calls = [e.call.outcome.value for e in shop.events("ModelAsked") if isinstance(e, ModelAsked)]
    assert calls == ["answered"]
    assert len(shop.events("ModelAnswered")) == 1
    assert len(shop.events("PlanMade")) == 1


@pytest.mark.parametrize(
    ("name", "side", "times"),
    [
        ("claim", Side.BEFORE, 1),
        ("claim", Side.AFTER, 1),
        ("ask", Side.AFTER, 2),
        ("keep", Side.BEFORE, 2),
        ("keep", Side.AFTER, 1),
    ],
)
def test_a_killed_model_worker_loses_no_prompt_and_pays_once(
    tmp_path: Path, name: str, side: Side, times: int
) -> None:
    with house_with_model(tmp_path, scene("plan", PLAN, PLAN)) as shop:
        injector = FaultInjector(once_at(name, side))
        shop.wrap_model_ports = lambda ports: inject_faults(ports, injector)
        shop.push({"specs/shop.md": spec(requirement("CART"))}, "A spec")
        shop.settle()
        assert CrashPoint((name,), side) in injector.reached
        start_worker(shop)
        planned_once(shop)
        assert paid(injector) == times


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("name", ["ModelAnswered", "EffectDone AskModel"])
def test_a_crash_while_recording_a_reply_uses_the_stored_reply(
    tmp_path: Path, name: str, side: Side
) -> None:
    with house_with_model(tmp_path, scene("plan", PLAN, PLAN)) as shop:
        injector = FaultInjector(once_at(name, side))
        shop.wrap_model_ports = lambda ports: inject_faults(ports, injector)
        supervisor = Supervisor(shop, injector)
        shop.push({"specs/shop.md": spec(requirement("CART"))}, "A spec")
        supervisor.work_without_runners()
        assert len(supervisor.crashes) == 1
        planned_once(shop)
        assert paid(injector) == 1


def test_another_model_worker_takes_over_an_expired_claim(
    tmp_path: Path,
) -> None:
    with house_with_model(tmp_path, scene("plan", PLAN, PLAN)) as shop:
        injector = FaultInjector(once_at("ask", Side.AFTER))

        shop.wrap_model_ports = lambda ports: inject_faults(ports, injector)
        shop.restart(ports_on_story_clock(shop))
        shop.push({"specs/shop.md": spec(requirement("CART"))}, "A spec")
        shop.settle()
        shop.forward(minutes=10)
        shop.ring_due()
        assert "A model is planning" in shop.body(int(shop.tracking()["number"]))
        shop.wrap_model_ports = lambda _: inject_faults(
            ports_on_story_clock(shop, "elsewhere"), injector
        )
        shop.forward(minutes=40)
        shop.ring_due()
        planned_once(shop)
        assert paid(injector) == 2
