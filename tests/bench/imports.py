"""`make bench-imports`: the processor time that each program takes to start, imports only.

    python -m tests.bench.imports [--runs 5]

Each run is a new process that imports one module; user and system time of it, in CPU seconds.
"""

import argparse
import statistics
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parents[2]

# Each program, and the module that it imports first.
PROGRAMS = {
    "Python alone": "pass",
    "headgate --help": "import sys; sys.argv = ['headgate', '--help']; import bot.entry.cli as c; c.main()",
    "bot.entry.cli": "import bot.entry.cli",
    "bot.entry.worker": "import bot.entry.worker",
    "a worker at work": "import bot.entry.rq_worker, bot.entry.wiring",
    "the sweep": "import bot.entry.sweep",
    "the web": "import bot.entry.web.gunicorn_server",
    "action.__main__": "import action.__main__",
    "gates.judge": "import gates.judge",
    "gates.__main__": "import gates.__main__",
}

_REPORT = "import atexit, sys, time; atexit.register(lambda: print(time.process_time(), file=sys.stderr))\n"


def cpu_seconds(program: str) -> float:
    """User and system time of a process that runs a program, its start included."""
    done = subprocess.run(
        (sys.executable, "-c", _REPORT + program),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stderr.splitlines()[-1])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    table = Table("Program", "min", "median", "max", title=f"CPU seconds, {runs} runs")
    for column in table.columns[1:]:
        column.justify = "right"
    for name, program in PROGRAMS.items():
        took = [cpu_seconds(program) for _ in range(runs)]
        shown = (min(took), statistics.median(took), max(took))
        table.add_row(name, *(f"{seconds:.2f}" for seconds in shown))
    Console().print(table)


if __name__ == "__main__":
    main()
