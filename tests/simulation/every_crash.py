"""`python -m tests.simulation.every_crash`: the baseline run, once for each crash point.

The points are those of a run without crashes, so that a new effect adds points by itself. Of equal
points in a row the first is enough.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.simulation.baseline import EndState, all_work_ended, begin, end_state_of
from tests.simulation.laws import broken_laws
from tests.testkit.crash import CrashPoint, FaultInjector, Supervisor, crash_at_number
from tests.testkit.house import house


def run_once(injector: FaultInjector) -> tuple[EndState, list[str]]:
    """The baseline run: its end state, and the laws that it broke."""
    with (
        tempfile.TemporaryDirectory(prefix="headgate-crash-") as folder,
        house(Path(folder)) as story,
    ):
        supervisor = Supervisor(story, injector)
        begin(supervisor)
        supervisor.finish(lambda: all_work_ended(story))
        return end_state_of(story), broken_laws(story)


def distinct_points(reached: list[CrashPoint]) -> list[int]:
    """The numbers of the points; of equal ones in a row only the first."""
    return [n for n, point in enumerate(reached) if n < 2 or point != reached[n - 2]]


def main() -> int:
    """Crash at each point, or at every `--step`th from `--first` on."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation.every_crash")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--step", type=int, default=1)
    asked = parser.parse_args()
    recorded = FaultInjector()
    calm, broken = run_once(recorded)
    if broken:
        sys.stdout.write(f"the run without crashes broke a law: {broken}\n")
        return 1
    numbers = distinct_points(recorded.reached)[asked.first :: asked.step]
    bad = 0
    for number in numbers:
        ending, broken = run_once(FaultInjector(crash_at_number(number)))
        if broken or ending != calm:
            bad += 1
            what = broken or [f"it ended as {ending}, not as {calm}"]
            sys.stdout.write(f"point {number} ({recorded.reached[number]}): {what}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{len(numbers)} points, {bad} of them ended otherwise\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
