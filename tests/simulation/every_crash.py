"""`python -m tests.simulation.every_crash`: the everyday day, once for each moment to die at.

The moments are those of a calm day, found by living it; a new effect is a new moment by itself. Of
moments of one name in a row (a worker that reads a heap of deliveries) the first stands for all.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.simulation.everyday import Ending, at_rest, begin, ending_of
from tests.simulation.laws import broken_laws
from tests.testkit.crash import Hazard, Moment, Ward, at_number
from tests.testkit.house import house


def live(hazard: Hazard) -> tuple[Ending, list[str]]:
    """The everyday day with a hazard: how it ended, and the laws that it broke."""
    with (
        tempfile.TemporaryDirectory(prefix="headgate-crash-") as folder,
        house(Path(folder)) as story,
    ):
        ward = Ward(story, hazard)
        begin(ward)
        ward.finish(lambda: at_rest(story))
        return ending_of(story), broken_laws(story)


def worth_dying_at(met: list[Moment]) -> list[int]:
    """The numbers of the moments, of two in a row with the same name and side the first."""
    return [n for n, moment in enumerate(met) if n < 2 or moment != met[n - 2]]


def main() -> int:
    """Die at each moment, or at every `--step`th from `--first` on."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation.every_crash")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--step", type=int, default=1)
    asked = parser.parse_args()
    recorded = Hazard()
    calm, broken = live(recorded)
    if broken:
        sys.stdout.write(f"the calm day broke a law: {broken}\n")
        return 1
    numbers = worth_dying_at(recorded.met)[asked.first :: asked.step]
    bad = 0
    for number in numbers:
        ending, broken = live(Hazard(at_number(number)))
        if broken or ending != calm:
            bad += 1
            what = broken or [f"it ended as {ending}, not as {calm}"]
            sys.stdout.write(f"moment {number} ({recorded.met[number]}): {what}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{len(numbers)} moments, {bad} of them ended otherwise\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
