"""An App that is given many repositories at once."""

from datetime import datetime, timedelta

import pytest

from bot.core.values.ids import RepositoryId
from bot.localhub.faults import Fault, FaultKind
from bot.shell.process_ports import Ports
from bot.shell.sweep import SweepState, sweep
from tests.testkit.crash import ports_on_story_clock
from tests.testkit.house import House, TestClock

NAMES = ("a-broken", "b-next", "c-last")


def give(shop: House) -> None:
    """Of three more repositories the first cannot be fetched."""
    broken = Fault(kind=FaultKind.REFUSE_BEFORE, path_glob="/team/a-broken.git/*", times=1_000)
    shop.hub.faults.add(broken)
    held = list(shop.hub.state.installations.values())[-1]
    held.repository_ids = {shop.hub.repository(shop.full_name).id}
    for name in NAMES:
        shop.hub.add_repository("team", name)
        shop.hub.commit_files(f"team/{name}", {"README.md": b"# One of many\n"}, "Begin", "ada")
    shop.hub.apps.add_repositories(held, [shop.hub.repository(f"team/{name}") for name in NAMES])


def installed(shop: House) -> list[str]:
    found = {name: RepositoryId(shop.hub.repository(f"team/{name}").id) for name in NAMES}
    return [name for name, id_ in found.items() if shop.ports.journal.load(id_).facts]


@pytest.mark.parametrize("is_heard", [True, False], ids=["webhook", "sweep"])
def test_a_repository_that_cannot_be_fetched_does_not_block_other_installations(
    shop: House, is_heard: bool
) -> None:
    beats = SweepState()
    shop.restart(ports_on_story_clock(shop))
    give(shop)
    if is_heard:
        shop.settle()
    else:
        shop.hold_deliveries()
        sweep(shop.ports, beats)
        shop.settle()
    assert installed(shop) == ["b-next", "c-last"]

    shop.hub.faults.clear()
    shop.forward(minutes=11)
    for _ in range(2):
        sweep(shop.ports, beats)
        shop.settle()
    assert installed(shop) == list(NAMES)


def test_many_new_repositories_at_once_do_not_delay_the_sweep(shop: House) -> None:
    """Here each look at the clock takes a second; the rest is installed by later sweeps."""
    give(shop)
    shop.hub.faults.clear()
    shop.hold_deliveries()
    beats, slow = SweepState(), _SlowClock(shop.clock)
    ports = Ports(**{**ports_on_story_clock(shop).__dict__, "clock": slow})
    sweep(ports, beats)
    assert 0 < len(installed(shop)) < len(NAMES)
    for _ in NAMES:
        sweep(ports, beats)
    assert installed(shop) == list(NAMES)


class _SlowClock:
    def __init__(self, clock: TestClock) -> None:
        self._clock = clock

    def now(self) -> datetime:
        self._clock.ahead += timedelta(seconds=1)
        return self._clock.now()
