"""How much sound work lands in a repository whose gates have flaked for weeks: the core alone, simulated.

One repository, a spec a day; every change is sound and edits one file that all share, so whatever lands
beside it is a conflict. Gates flake by a seed, always in one of a few tests, so that each of them is
soon known as flaky. `tests.bench.fair` prints it.
"""

import math
import random
import time
from dataclasses import dataclass, field

from action.order import AgentOrder, GateOrder
from action.report import AgentEnding
from bot.core.values.ids import ChangeId, OrderId, Sha
from bot.core.values.lifecycle import ChangeState
from gates.result import Ending
from tests.core.kit import World
from tests.core.values import GATES, requirement, spec

_SHARED = "routes.txt"
_DAY = 24 * 3_600
# A gate that is asked once more before its red counts, as the policy's default has it.
_POLICY = GATES.replace("    repeat: 0\n", "")


@dataclass
class Counted:
    """What became of sound changes."""

    changes: int = 0
    landed: int = 0
    agents: int = 0
    conflicts: int = 0
    gates: int = 0
    flakes: int = 0

    def __add__(self, other: "Counted") -> "Counted":
        return Counted(
            *(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__)
        )


@dataclass
class Life:
    """One repository, day after day."""

    flakes: float
    changes: int
    is_union: bool
    rng: random.Random
    tests: tuple[str, ...] = ("test_connection_limits", "test_clock", "test_mail")
    world: World = field(init=False)
    lived: Counted = field(default_factory=Counted)
    # The main on which each change's work was last made.
    _made_on: dict[ChangeId, Sha] = field(default_factory=dict)

    def __post_init__(self) -> None:
        merged = f"merge:\n  {_SHARED}: union\n" if self.is_union else ""
        self.world = World(f"{_POLICY}max_parallel: {self.changes}\n{merged}")

    def day(self, number: int) -> None:
        """A spec of independent changes, from its push to the end of its run."""
        world, path = self.world, f"specs/day{number}.md"
        made = spec(*(requirement(f"D{number}R{n}", f"domain{n}") for n in range(self.changes)))
        world.push_spec(made, f"v{number}", path)
        self._settle()
        world.pass_time(10)
        world.say(world.run.issue or 0, "/headgate approve")
        while self._round():
            pass
        ended = world.state.changes_of(world.run.id)
        self.lived.changes += len(ended)
        self.lived.landed += sum(c.state is ChangeState.LANDED for c in ended)
        world.pass_time(_DAY)

    def _round(self) -> bool:
        """Every open order is carried out; whether there was one."""
        self._settle()
        agents, gates = self.world.open_orders(AgentOrder), self.world.open_orders(GateOrder)
        for order in agents:
            self._work(order)
        for order in gates:
            self._judge(order)
        self.world.pass_time(30)
        return bool(agents or gates)

    def _work(self, id_: OrderId) -> None:
        """An agent that finds nothing to change says so."""
        order = self.world.agent_order(id_)
        is_conflict = order.retry is not None and order.retry.reason == "conflict"
        self.lived.agents += 1
        self.lived.conflicts += is_conflict
        is_done = order.retry is not None and not is_conflict
        change = self.world.state.orders[id_].change
        if change is not None and not is_done:
            self._made_on[change] = Sha(order.base_sha)
        self.world.hand_in(
            id_, AgentEnding.NOTHING_CHANGED if is_done else AgentEnding.FINISHED, "Nothing to do."
        )
        self._settle()

    def _judge(self, id_: OrderId) -> None:
        self.lived.gates += 1
        asked = {gate.name for gate in self.world.gate_order(id_).gates}
        if "test" in asked and self.rng.random() < self.flakes:
            self.lived.flakes += 1
            self.world.judge(id_, (self.rng.choice(self.tests),), test=Ending.FAILED)
        else:
            self.world.judge(id_)
        self._settle()

    def _settle(self) -> None:
        """Tick until nothing more is decided; a landing is met at once by all that stands on an older main."""
        written = -1
        while written != len(self.world.journal):
            written = len(self.world.journal)
            self._meet()
            self.world.tick()

    def _meet(self) -> None:
        """Work that stands on an older main than the newest landing meets it in the shared file."""
        world = self.world
        world.conflicting.clear()
        if self.is_union:
            return
        place = {commit.sha: at for at, commit in enumerate(world.main)}
        landed = (c.landed for c in world.state.changes.values() if c.landed is not None)
        newest = max((place[sha] for sha in landed), default=0)
        for change, base in self._made_on.items():
            if place[base] < newest:
                world.conflicting[change] = (_SHARED,)


def live(
    flakes: float,
    days: int,
    changes: int,
    seed: int,
    *,
    is_union: bool,
    seconds: float = math.inf,
) -> Counted:
    """So many days of one repository; none begins after `seconds`."""
    life, until = Life(flakes, changes, is_union, random.Random(seed)), time.monotonic() + seconds
    for number in range(days):
        if time.monotonic() > until:
            break
        life.day(number)
    return life.lived
