"""`make bench-imports`: the processor time that each program takes to start, imports only; and `--help`.

    python -m tests.bench.imports [--runs 5]

Each run is a new process that imports one module, or prints one command's help; user and system time of it,
in CPU seconds. Ends with 1 where a help takes longer than it may.
"""

import argparse
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

from bot.entry.cli import app

ROOT = Path(__file__).parents[2]

# Each program, and the module that it imports first.
PROGRAMS = {
    "Python alone": "pass",
    "bot.entry.cli": "import bot.entry.cli",
    "bot.entry.worker": "import bot.entry.worker",
    "a worker at work": "import bot.entry.rq_worker, bot.entry.wiring",
    "the sweep": "import bot.entry.sweep",
    "the web": "import bot.entry.web.gunicorn_server",
    "action.command_line": "import action.command_line",
    "gates.judge": "import gates.judge",
    "gates.__main__": "import gates.__main__",
}

HELP_SECONDS = 0.3

# What getrusage says of memory begins with that of the process which started this one.
_REPORT = """\
import atexit, re, sys, time
def report():
    peak = re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())
    print(time.process_time(), peak[1] if peak else 0, file=sys.stderr)
atexit.register(report)
"""


@dataclass(frozen=True)
class Cost:
    """User and system time of a process, and the most memory that it ever had."""

    seconds: float
    mebibytes: float


def cost_of(program: str) -> Cost:
    """Of a process that runs a program, its start included."""
    done = subprocess.run(
        (sys.executable, "-c", _REPORT + program),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, kibibytes = done.stderr.splitlines()[-1].split()
    return Cost(float(seconds), int(kibibytes) / 1024)


def helps() -> dict[str, str]:
    """Each command of the command line, and a program that prints its help."""
    found: dict[str, str] = {}

    def add(command: object, words: tuple[str, ...]) -> None:
        asked = ("headgate", *words, "--help")
        found[" ".join(asked)] = (
            f"import sys; sys.argv = {list(asked)}; import bot.entry.cli as c; c.main()"
        )
        for name, below in getattr(command, "commands", {}).items():
            add(below, (*words, name))

    add(typer.main.get_command(app), ())
    return found


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    table = Table("Program", "min", "median", "max", title=f"CPU seconds, {runs} runs")
    for column in table.columns[1:]:
        column.justify = "right"
    slow = 0
    for name, program in (PROGRAMS | helps()).items():
        took = [cost_of(program).seconds for _ in range(runs)]
        shown = (min(took), statistics.median(took), max(took))
        slow += name.endswith("--help") and min(took) > HELP_SECONDS
        table.add_row(name, *(f"{seconds:.2f}" for seconds in shown))
    Console().print(table)
    return 1 if slow else 0


if __name__ == "__main__":
    raise SystemExit(main())
