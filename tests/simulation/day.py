"""One day of the simulation: specs, two workers, crashing runners, people, and random faults.

The day has faults until its work has ended or its actions are used up. Then the faults end, the sweep
runs, and everything must end with a reason. Every choice comes from one generator, so a seed replays.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from action.order import AgentOrder
from bot.core.journal.state import SpecRunState
from bot.core.values.ids import RepositoryId, SpecRunId
from bot.core.values.lifecycle import ChangeState
from bot.localhub.faults import Fault
from bot.shell.sweep import SweepState, sweep
from gates.result import Ending, GateResult
from tests.simulation.baseline import push, say_on
from tests.simulation.house_troubles import HouseTroubles, Trouble
from tests.simulation.laws import broken_laws, left_open
from tests.simulation.lives import Life, Lives
from tests.simulation.random_faults import Odds, lease_may_expire_at, plant_faults
from tests.simulation.workers import Worker
from tests.testkit.crash import CrashPoint, FaultInjector, Killed, ports_on_story_clock
from tests.testkit.crashing_runner import CrashingRunners, Stage, crashing_runners
from tests.testkit.house import House, house
from tests.testkit.hub_setup import POLICY
from tests.testkit.runner import Lease, adds_a_route, writes_a_file
from tests.testkit.specs import requirement, spec
from tests.testkit.store_faults import StoreFault

# More than any day needs.
ACTIONS_MAX = 50
RECOVERY_SWEEPS_MAX = 120

_AREAS = ["TILL", "DOOR", "PRINTER", "STOCK", "LAMP"]


@dataclass
class Outcome:
    """`applied` are the planted faults that happened, `lived` what became of the repository, `met` what
    went wrong in our own house.
    """

    seed: int
    breaches: list[str]
    log: list[str] = field(default_factory=list)
    applied: frozenset[Fault] = frozenset()
    lived: tuple[Life, ...] = ()
    met: frozenset[Trouble | StoreFault] = frozenset()


def run_day(seed: int, folder: Path) -> Outcome:
    rng = random.Random(seed)
    agents_max = rng.choice([1, 2, 3])
    with house(folder, policy=f"{POLICY}max_parallel: {agents_max}\n") as story:
        day = Day(story, rng, seed)
        day.run_with_faults()
        story.hub.faults.clear()
        day.recover()
        breaches = broken_laws(story, agents_max=agents_max)
        applied = frozenset(story.hub.faults.applied)
        return Outcome(
            seed,
            [*day.bugs, *breaches],
            day.log,
            applied,
            tuple(day.lives.lived),
            frozenset(day.troubles.met),
        )


class Day:
    def __init__(self, story: House, rng: random.Random, seed: int) -> None:
        self.story, self.rng, self.seed = story, rng, seed
        self.odds = Odds.draw(rng)
        self.log: list[str] = [str(self.odds)]
        self.bugs: list[str] = []
        self.lives = Lives(story, seed, self.log.append)
        self.troubles = HouseTroubles(story, seed, self.log.append)
        self.is_recovering = self.is_asked_again = False
        self.failing_areas = {area for area in _AREAS if rng.random() < 0.3}
        # Drawn apart, so that a day's other troubles do not depend on how often gates run.
        self._flakes = random.Random(repr(rng.getstate()))
        self._flake_rate = self._flakes.choice([0, 0, 0.05, 0.1])
        self._share = self._flakes.random() < 0.5
        story.runner.agent = self._agent
        story.runner.seems = self._seems
        self.runners: CrashingRunners = crashing_runners(story.runner, self._should_crash)
        story.runner = self.runners
        self.failed_jobs = self.late_reports = self.pushes = self.comments = 0
        self._approved: set[SpecRunId] = set()
        self.sweeper, self.beats = ports_on_story_clock(story, "sweep"), SweepState()
        self.workers: list[Worker] = []
        for name in ("one", "two"):
            injector = FaultInjector()
            worker = Worker(story, name, injector, self.troubles)
            injector.on_point = self._faults_of(worker)
            self.workers.append(worker)

    # The day

    def run_with_faults(self) -> None:
        self._push_spec("specs/first.md", self.rng.choice([1, 1, 2, 3]))
        self.log += plant_faults(self.story, self.rng, self.seed)
        for _ in range(ACTIONS_MAX):
            self._run_jobs()
            self._approve()
            if self._is_over() and self.rng.random() < 0.5:
                return
            self._act()
            self.lives.go_on()
            self.troubles.go_on()

    def recover(self) -> None:
        """Without faults: move the clock forward and sweep, until everything has ended."""
        self.is_recovering = True
        self.log.append("the faults end")
        self.lives.restore()
        self.troubles.end()
        self._fail_all_jobs()
        # Longer than any pause that GitHub asks for in the day.
        self.story.forward(seconds=300)
        for _ in range(RECOVERY_SWEEPS_MAX):
            self.story.forward(seconds=40)
            self._sweep()
            self._run_jobs()
            self._repair_main()
            self._hand_back()
            self._approve()
            self._run_jobs()
            while self.runners.do_all():
                self._run_jobs()
            if self._is_over():
                return

    def _is_over(self) -> bool:
        state = self.story.state
        proposed = any(r.state is SpecRunState.PROPOSED for r in state.spec_runs.values())
        return bool(state.spec_runs) and not proposed and not left_open(state)

    def _act(self) -> None:
        actions = {
            self._run_order: 10,
            self._pass_time: 3,
            self._sweep: 3,
            self._fail_one_job: 1,
            self._report_late: 1,
            self._push_something: 1,
            self._comment_command: 0.3,
        }
        self.rng.choices(list(actions), list(actions.values()))[0]()

    # Machines

    def _run_jobs(self) -> None:
        """Deliver webhooks; each job goes to a random worker, in random order, or is lost."""
        bell, rng = self.story.bell, self.rng
        for _ in range(200):
            self.story.hub.wait_until_delivered(20)
            deliveries = list(dict.fromkeys(bell.deliveries))
            repositories = list(dict.fromkeys(bell.repositories))
            readings = list(dict.fromkeys(bell.readings))
            bell.deliveries, bell.repositories, bell.readings = [], [], []
            if not deliveries and not repositories and not readings:
                return
            rng.shuffle(deliveries)
            for delivery in deliveries:
                if not self._is_lost():
                    rng.choice(self.workers).digest(delivery)
            for repository in repositories:
                if not self._is_lost():
                    rng.choice(self.workers).reconcile(repository)
            for repository, reading in readings:
                if not self._is_lost():
                    rng.choice(self.workers).read_text(repository, reading)
        self.bugs.append("the workers' jobs do not end")

    def _is_lost(self) -> bool:
        return not self.is_recovering and self.rng.random() < self.odds.ring_lost

    def _faults_of(self, worker: Worker) -> Callable[[CrashPoint], None]:
        def on_point(point: CrashPoint) -> None:
            if self.is_recovering:
                return
            chance = self.rng.random()
            if chance < self.odds.crash:
                self.log.append(f"{worker.name} crashes {point}")
                raise Killed(str(point))
            chance -= self.odds.crash
            if 0 <= chance < self.odds.rival:
                self._run_rival(worker, point)
                return
            chance -= self.odds.rival
            if 0 <= chance < self.odds.push and self.pushes < self.odds.pushes_max:
                self.log.append(f"a push {point} of {worker.name}")
                self._push_something()

        return on_point

    def _run_rival(self, worker: Worker, point: CrashPoint) -> None:
        """The other worker runs a job during this one's; the lease may have expired."""
        other = next(w for w in self.workers if w is not worker)
        if other.is_busy:
            return
        late = self.rng.choice([0, 0, 100]) if lease_may_expire_at(point) else 0
        self.log.append(f"{other.name} after {late} s, {point} of {worker.name}")
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
        (adds_a_route if self._share else writes_a_file)(order, tree)
        breaks = order.attempt == 1 and any(a.lower() in order.change for a in self.failing_areas)
        if breaks:
            (tree / "broken").write_text("Something was forgotten.\n")
        else:
            (tree / "broken").unlink(missing_ok=True)

    def _seems(self, result: GateResult) -> GateResult:
        is_ours = result.gate == "scope_check" or result.ending is not Ending.PASSED
        if self.is_recovering or is_ours or self._flakes.random() >= self._flake_rate:
            return result
        self.log.append(f"gate {result.gate} flakes")
        return replace(result, ending=Ending.FAILED, sentence="It flaked.")

    def _should_crash(self, stage: Stage, lease: Lease | None) -> bool:
        crashes = not self.is_recovering and self.rng.random() < self.odds.runner_crash
        if crashes:
            order = lease.order.order_id if lease else "?"
            self.log.append(f"the runner of order {order} crashes {stage}")
        return crashes

    def _fail_one_job(self) -> None:
        if self.failed_jobs < len(self.runners.crashed):
            self.runners.fail_job(self.runners.crashed[self.failed_jobs])
            self.failed_jobs += 1

    def _fail_all_jobs(self) -> None:
        while self.failed_jobs < len(self.runners.crashed):
            self._fail_one_job()

    def _report_late(self) -> None:
        if self.late_reports < len(self.runners.crashed):
            crashed_job = self.runners.crashed[self.late_reports]
            self.late_reports += 1
            answer = self.runners.report_late(crashed_job)
            self.log.append(f"a late report: {crashed_job.stage}, {answer and answer.status_code}")

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

    def _repair_main(self) -> None:
        repository = self.story.hub.repository(self.story.full_name)
        if repository.git.read_file(repository.default_branch, "broken") is not None:
            self.log.append("a person repairs main")
            self.story.hub.commit_files(
                self.story.full_name, {"broken": None}, "Repair main", "ada"
            )
        elif _is_unjudged(self.story.state.frozen) and not self.is_asked_again:
            # Runners crashed over main too often; the freeze asks for a push.
            self.is_asked_again = True
            self.log.append("a person pushes to a main that could not be judged")
            push(self.story, {"README.md": "# Shop\n\nJudge it again.\n"}, "Ask again")

    def _comment_command(self) -> None:
        runs = [r for r in self.story.state.spec_runs.values() if r.issue is not None]
        if runs and self.comments < self.odds.comments_max:
            self.comments += 1
            command = self.rng.choice(["/headgate status", "/headgate stop", "/headgate retry"])
            self.log.append(f"a person says {command}")
            say_on(self.story, int(self.rng.choice(runs).issue or 0), command)

    def _hand_back(self) -> None:
        """Whoever pushed work that is red, or does not merge, leaves it to an agent."""
        for change in self.story.state.changes.values():
            if change.state is ChangeState.HELD and change.issue is not None:
                self.log.append(f"a person hands {change.id} back")
                say_on(self.story, int(change.issue), "/headgate hand-back")

    def _approve(self) -> None:
        """Approve each proposed plan once, and again while recovering."""
        state = self.story.state
        for run in state.spec_runs.values():
            if run.state is not SpecRunState.PROPOSED or run.issue is None or state.heard:
                continue
            if self.is_recovering or run.id not in self._approved:
                self._approved.add(run.id)
                say_on(self.story, int(run.issue), "/headgate approve")


def _is_unjudged(frozen: str | None) -> bool:
    return frozen is not None and "could not be judged" in frozen
