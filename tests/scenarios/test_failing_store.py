"""The database fails at a write or loses one: the outcome is the same, without duplicates."""

from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.adapters.store.engine import open_engine
from bot.adapters.store.journal import SqlJournal
from bot.adapters.store.order_store import SqlOrderStore
from bot.core.journal.events import JournalRewound
from bot.shell.process_ports import Ports
from tests.simulation.baseline import EndState, all_work_ended, begin, end_state_of
from tests.simulation.laws import broken_laws
from tests.testkit.crash import FaultInjector, Supervisor
from tests.testkit.house import House, house
from tests.testkit.store_faults import StoreFault, plant_store_faults

pytestmark = pytest.mark.slow

# A write in so many fails, each day with another one as the first.
STEP = 13


class Failing:
    """Fails every `STEP`th write of the workers, from the `first` on."""

    def __init__(self, fault: StoreFault, first: int) -> None:
        self._fault, self._left = fault, first
        self.hits = 0

    def __call__(self) -> StoreFault | None:
        self._left -= 1
        if self._left:
            return None
        self._left = STEP
        self.hits += 1
        return self._fault

    def ports(self, ports: Ports, story: House) -> Ports:
        """The ports of a worker on a database that fails."""
        engine: sa.Engine = open_engine(story.settings.journal_url)
        plant_store_faults(engine, self)
        stores = {"journal": SqlJournal(engine), "order_store": SqlOrderStore(engine)}
        return Ports(**{**ports.__dict__, **stores})


def lived(folder: Path, failing: Failing | None = None) -> tuple[EndState, list[str], list[str]]:
    """The baseline run: how it ended, which laws it broke, and the types of its events."""
    with house(folder) as story:
        supervisor = Supervisor(story, FaultInjector())
        if failing is not None:
            supervisor.wrap_ports = lambda ports: failing.ports(ports, story)
            # Who left something undone is not told of it: the full look finds it.
            supervisor.beats.full_look_at = None
            supervisor.start_again()
        begin(supervisor)
        supervisor.finish(lambda: all_work_ended(story), beats_max=200)
        types = [type(event).__name__ for event in story.events(JournalRewound.__name__)]
        return end_state_of(story), broken_laws(story), types


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> EndState:
    """How a day without faults ends."""
    ended, broken, _ = lived(tmp_path_factory.mktemp("calm"))
    assert broken == []
    return ended


DAYS = [
    (StoreFault.BUSY, 3),
    (StoreFault.FULL, 7),
    (StoreFault.LOST_ANSWER, 3),
    (StoreFault.LOST_COMMIT, 3),
    (StoreFault.LOST_COMMIT, 7),
]


@pytest.mark.parametrize(("fault", "first"), DAYS)
def test_a_failing_store_does_not_change_the_outcome(
    tmp_path: Path, calm: EndState, fault: StoreFault, first: int
) -> None:
    failing = Failing(fault, first)
    ended, broken, rewound = lived(tmp_path, failing)
    assert failing.hits > 5
    assert broken == []
    if fault is StoreFault.LOST_COMMIT:
        # An order that its store has lost is given up, and another attempt is made.
        ended, calm = replace(ended, attempts=()), replace(calm, attempts=())
    assert ended == calm
    assert bool(rewound) == (fault is StoreFault.LOST_COMMIT)
