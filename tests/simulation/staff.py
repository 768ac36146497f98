"""Two workers of one Headgate, each with a name, a bench and a life of its own.

A job is done as `entry.worker` does it: what the world refuses is left for later, and a worker that
dies comes back under its name with nothing remembered. The rule: any other exception is a bug and
ends the day. Deliberately absent: which job goes to whom.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from bot.core.values.ids import RepositoryId
from bot.ports import Retryable, UserError
from bot.shell import intake
from bot.shell.observe import Observer
from bot.shell.process_ports import Ports
from bot.shell.reconcile import Reconciled, reconcile
from tests.testkit.crash import Hazard, Killed, hazardous, ports_in_time
from tests.testkit.house import House


@dataclass
class Worker:
    """One worker process. `outcomes` tells how its reconciles ended."""

    story: House
    name: str
    hazard: Hazard
    outcomes: list[Reconciled | str] = field(default_factory=list)
    is_at_work: bool = False
    ports: Ports = field(init=False)
    observer: Observer = field(init=False)

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        """A fresh process under the same name, which rings for everything, as workers do."""
        self.ports = hazardous(ports_in_time(self.story, self.name), self.hazard)
        self.observer = Observer(self.ports)
        for repository in self.ports.journal.repositories():
            self.story.bell.ring_repository(repository)

    def digest(self, delivery: str) -> None:
        """Read a delivery."""
        self._do_or_die(lambda: intake.digest(self.ports, delivery))

    def reconcile(self, repository: RepositoryId) -> None:
        """Bring a repository on."""
        self._do_or_die(
            lambda: self.outcomes.append(reconcile(self.ports, self.observer, repository))
        )

    def _do_or_die(self, job: Callable[[], None]) -> None:
        self.is_at_work = True
        try:
            job()
        except (Retryable, UserError) as failure:
            self.outcomes.append(failure.sentence)
        except Killed as death:
            self.outcomes.append(f"died {death}")
            self.start()
        finally:
            self.is_at_work = False
