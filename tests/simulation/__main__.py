"""`python -m tests.simulation --days N --seed S`: N days from seed S on, each with random faults.

A failed day is printed with its seed, the broken laws and its log; the exit code is 1 then.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.simulation.day import Outcome, run_day


def main() -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation")
    parser.add_argument("--days", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1, help="the first day's seed")
    parser.add_argument("--log", action="store_true", help="print good days, too")
    asked = parser.parse_args()
    bad = 0
    began = time.monotonic()
    for seed in range(asked.seed, asked.seed + asked.days):
        with tempfile.TemporaryDirectory(prefix="headgate-day-") as folder:
            outcome = run_day(seed, Path(folder))
        if outcome.breaches or asked.log:
            sys.stdout.write(printed(outcome))
        bad += bool(outcome.breaches)
        sys.stdout.flush()
    seconds = time.monotonic() - began
    sys.stdout.write(f"{asked.days} days, {bad} of them broke a law; {seconds:.0f} s\n")
    return 1 if bad else 0


def printed(outcome: Outcome) -> str:
    lines = [f"day {outcome.seed}:", *(f"  BROKEN {breach}" for breach in outcome.breaches)]
    return "\n".join([*lines, *(f"  {line}" for line in outcome.log)]) + "\n"


if __name__ == "__main__":
    sys.exit(main())
