"""The workers of a simulated Headgate.

A job is done as in `entry.worker`: a failed request is left for later, and a crashed worker starts
again under its name. Any other exception is a bug and ends the day.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from bot.core.values.ids import RepositoryId
from bot.core.values.wanted_reading import Reading
from bot.ports import Retryable, UserError
from bot.shell import intake
from bot.shell.observe import Observer
from bot.shell.process_ports import Ports
from bot.shell.reconcile import Reconciled, reconcile
from tests.simulation.house_troubles import HouseTroubles
from tests.testkit.crash import FaultInjector, Killed, inject_faults, ports_on_story_clock
from tests.testkit.house import House


@dataclass
class Worker:
    """One worker process. `outcomes` lists the results of its jobs."""

    story: House
    name: str
    injector: FaultInjector
    troubles: HouseTroubles
    outcomes: list[Reconciled | str] = field(default_factory=list)
    is_busy: bool = False
    ports: Ports = field(init=False)
    observer: Observer = field(init=False)

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        """A new process under the same name; it rings for every repository, as workers do."""
        ports = self.troubles.ports(ports_on_story_clock(self.story, self.name), self.name)
        self.ports = inject_faults(ports, self.injector)
        self.observer = Observer(self.ports)
        for repository in self.story.ports.journal.repositories():
            self.story.bell.ring_repository(repository)

    def digest(self, delivery: str) -> None:
        self._run_job(lambda: intake.digest(self.ports, delivery))

    def reconcile(self, repository: RepositoryId) -> None:
        self._run_job(
            lambda: self.outcomes.append(reconcile(self.ports, self.observer, repository))
        )

    def read_text(self, repository: RepositoryId, reading: Reading) -> None:
        self._run_job(lambda: intake.read_text(self.ports, self.observer, repository, reading))

    def _run_job(self, job: Callable[[], None]) -> None:
        self.is_busy = True
        try:
            job()
        except (Retryable, UserError) as failure:
            self.outcomes.append(failure.sentence)
        except Killed as crash:
            self.outcomes.append(f"crashed {crash}")
            self.start()
        finally:
            self.is_busy = False
