"""One integer is one bad day: a spec or two, two workers, mortal runners, people, and trouble.

The day goes on until its work has ended or its time is up. Then the faults end, time passes, the
sweep looks, and everything must end with a reason and every law hold. The rule: every choice comes
from the day's own generator, so that a seed replays. Deliberately absent: what must hold (laws).
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from action.order import AgentOrder
from bot.core.journal.state import SpecRunState
from bot.core.values.ids import RepositoryId, SpecRunId
from bot.localhub.faults import Fault
from bot.shell.sweep import Beats, sweep
from tests.simulation.everyday import push, say_on
from tests.simulation.laws import broken_laws, left_open
from tests.simulation.staff import Worker
from tests.simulation.trouble import Odds, may_run_out, plant_faults
from tests.testkit.crash import Hazard, Killed, Moment, ports_in_time
from tests.testkit.ground import POLICY
from tests.testkit.house import House, house
from tests.testkit.mortal import MortalRunners, Stage, mortal_runners
from tests.testkit.runner import Lease, writes_a_file
from tests.testkit.specs import requirement, spec

# A day's actions, and the sweeps after it, that are more than any day needs.
ACTIONS_MAX = 50
EVENINGS_MAX = 120

_AREAS = ["TILL", "DOOR", "PRINTER", "STOCK", "LAMP"]


@dataclass
class Outcome:
    """The result of a day; `applied` are the planted faults that happened."""

    seed: int
    breaches: list[str]
    log: list[str] = field(default_factory=list)
    applied: frozenset[Fault] = frozenset()


def run_day(seed: int, folder: Path) -> Outcome:
    """The day of a seed, from morning to the laws."""
    rng = random.Random(seed)
    agents_max = rng.choice([1, 2, 3])
    with house(folder, policy=f"{POLICY}max_parallel: {agents_max}\n") as story:
        day = Day(story, rng)
        day.live()
        story.hub.faults.clear()
        day.end()
        breaches = broken_laws(story, agents_max=agents_max)
        applied = frozenset(story.hub.faults.applied)
        return Outcome(seed, [*day.bugs, *breaches], day.log, applied)


class Day:
    """Everything that happens in one day, in turn."""

    def __init__(self, story: House, rng: random.Random) -> None:
        self.story, self.rng = story, rng
        self.odds = Odds.draw(rng)
        self.log: list[str] = [str(self.odds)]
        self.bugs: list[str] = []
        self.is_evening = False
        self.forgetful = {area for area in _AREAS if rng.random() < 0.3}
        story.runner.agent = self._agent
        self.runners: MortalRunners = mortal_runners(story.runner, self._fate)
        story.runner = self.runners
        self.buried = self.haunted = self.pushes = self.words = 0
        self._approved: set[SpecRunId] = set()
        self.sweeper, self.beats = ports_in_time(story, "sweep"), Beats()
        self.workers: list[Worker] = []
        for name in ("one", "two"):
            hazard = Hazard()
            worker = Worker(story, name, hazard)
            hazard.strike = self._striking(worker)
            self.workers.append(worker)

    # The day

    def live(self) -> None:
        """The part of the day in which things go wrong."""
        self._push_spec("specs/first.md", self.rng.choice([1, 1, 2, 3]))
        self.log += plant_faults(self.story, self.rng)
        for _ in range(ACTIONS_MAX):
            self._pump()
            self._approve()
            if self._is_over() and self.rng.random() < 0.5:
                return
            self._act()

    def end(self) -> None:
        """Faults off, clock forward, sweep: until everything has ended."""
        self.is_evening = True
        self.log.append("evening")
        self._mend_main()
        self._bury_all()
        # The longest pause that GitHub asks for in the day is over then.
        self.story.forward(seconds=300)
        for _ in range(EVENINGS_MAX):
            self.story.forward(seconds=40)
            self._sweep()
            self._pump()
            self._approve()
            while self.runners.do_all():
                self._pump()
            if self._is_over():
                return

    def _is_over(self) -> bool:
        state = self.story.state
        proposed = any(r.state is SpecRunState.PROPOSED for r in state.spec_runs.values())
        return bool(state.spec_runs) and not proposed and not left_open(state)

    def _act(self) -> None:
        """One thing of many."""
        deeds = {
            self._run_order: 10,
            self._pass_time: 3,
            self._sweep: 3,
            self._bury_one: 1,
            self._haunt: 1,
            self._push_something: 1,
            self._meddle: 0.3,
        }
        self.rng.choices(list(deeds), list(deeds.values()))[0]()

    # Machines

    def _pump(self) -> None:
        """Webhooks arrive; jobs go to whichever worker, in any order, or are lost."""
        bell, rng = self.story.bell, self.rng
        for _ in range(200):
            self.story.hub.wait_until_delivered(20)
            deliveries = list(dict.fromkeys(bell.deliveries))
            repositories = list(dict.fromkeys(bell.repositories))
            bell.deliveries, bell.repositories = [], []
            if not deliveries and not repositories:
                return
            rng.shuffle(deliveries)
            for delivery in deliveries:
                if not self._is_lost():
                    rng.choice(self.workers).digest(delivery)
            for repository in repositories:
                if not self._is_lost():
                    rng.choice(self.workers).reconcile(repository)
        self.bugs.append("the workers do not come to rest")

    def _is_lost(self) -> bool:
        return not self.is_evening and self.rng.random() < self.odds.ring_lost

    def _striking(self, worker: Worker) -> Callable[[Moment], None]:
        def strike(moment: Moment) -> None:
            if self.is_evening:
                return
            chance = self.rng.random()
            if chance < self.odds.death:
                self.log.append(f"{worker.name} dies {moment}")
                raise Killed(str(moment))
            chance -= self.odds.death
            if 0 <= chance < self.odds.rival:
                self._overtake(worker, moment)
                return
            chance -= self.odds.rival
            if 0 <= chance < self.odds.push and self.pushes < self.odds.pushes_max:
                self.log.append(f"a push {moment} of {worker.name}")
                self._push_something()

        return strike

    def _overtake(self, worker: Worker, moment: Moment) -> None:
        """The other worker does a job in the middle of this one's, its lease run out or not."""
        other = next(w for w in self.workers if w is not worker)
        if other.is_at_work:
            return
        late = self.rng.choice([0, 0, 100]) if may_run_out(moment) else 0
        self.log.append(f"{other.name} after {late} s, {moment} of {worker.name}")
        self.story.forward(seconds=late)
        other.reconcile(RepositoryId(self.story.hub.repository(self.story.full_name).id))

    def _sweep(self) -> None:
        sweep(self.sweeper, self.beats)

    def _pass_time(self) -> None:
        seconds = self.rng.choice([1, 5, 20, 50, 100, 1_000])
        self.log.append(f"{seconds} s pass")
        self.story.forward(seconds=seconds)
        self._sweep()

    # Runners

    def _run_order(self) -> None:
        self.runners.do_all()

    def _agent(self, order: AgentOrder, tree: Path) -> None:
        writes_a_file(order, tree)
        breaks = order.attempt == 1 and any(a.lower() in order.change for a in self.forgetful)
        if breaks:
            (tree / "broken").write_text("Something was forgotten.\n")
        else:
            (tree / "broken").unlink(missing_ok=True)

    def _fate(self, stage: Stage, lease: Lease | None) -> bool:
        dies = not self.is_evening and self.rng.random() < self.odds.runner_death
        if dies:
            order = lease.order.order_id if lease else "?"
            self.log.append(f"the runner of order {order} dies {stage}")
        return dies

    def _bury_one(self) -> None:
        if self.buried < len(self.runners.corpses):
            self.runners.bury(self.runners.corpses[self.buried])
            self.buried += 1

    def _bury_all(self) -> None:
        while self.buried < len(self.runners.corpses):
            self._bury_one()

    def _haunt(self) -> None:
        if self.haunted < len(self.runners.corpses):
            corpse = self.runners.corpses[self.haunted]
            self.haunted += 1
            answer = self.runners.haunt(corpse)
            self.log.append(f"a ghost: {corpse.stage}, {answer and answer.status_code}")

    # People

    def _push_spec(self, path: str, changes: int) -> None:
        areas = self.rng.sample(_AREAS, changes)
        wanted = [
            requirement(area, after=self.rng.choice(["", *areas[:number]]))
            for number, area in enumerate(areas)
        ]
        push(self.story, {path: spec(*wanted, title=path)}, f"Ask for {path}")

    def _push_something(self) -> None:
        if self.pushes == self.odds.pushes_max:
            return
        self.pushes += 1
        what = self.rng.choice(["readme", "readme", "spec", "edit", "break"])
        number = self.rng.randrange(1_000)
        self.log.append(f"a person pushes: {what}")
        match what:
            case "readme":
                push(self.story, {"README.md": f"# Shop {number}\n"}, "Edit the readme")
            case "spec":
                self._push_spec(f"specs/s{number}.md", 1)
            case "edit":
                self._push_spec("specs/first.md", self.rng.choice([1, 1, 2, 3]))
            case _:
                push(self.story, {"broken": "by a person\n"}, "Break main")

    def _mend_main(self) -> None:
        git = self.story.hub.repository(self.story.full_name).git
        if git.read_file("main", "broken") is not None:
            self.log.append("a person mends main")
            self.story.hub.commit_files(self.story.full_name, {"broken": None}, "Mend main", "ada")

    def _meddle(self) -> None:
        runs = [r for r in self.story.state.spec_runs.values() if r.issue is not None]
        if runs and self.words < self.odds.words_max:
            self.words += 1
            said = self.rng.choice(["/headgate status", "/headgate stop", "/headgate retry"])
            self.log.append(f"a person says {said}")
            say_on(self.story, int(self.rng.choice(runs).issue or 0), said)

    def _approve(self) -> None:
        """A maintainer approves what waits for it, again where the last time was too early."""
        state = self.story.state
        for run in state.spec_runs.values():
            if run.state is not SpecRunState.PROPOSED or run.issue is None or state.heard:
                continue
            if self.is_evening or run.id not in self._approved:
                self._approved.add(run.id)
                say_on(self.story, int(run.issue), "/headgate approve")
