"""`make bench-first-day`: how long a stranger waits: from the set-up's link to the greeting, and a self-test.

    python -m tests.bench.first_day [--runs 3]

Both are played as people do them, on localhub: in a real browser beside `headgate up`, and by `headgate
selftest` on a repository with a runner. Numbers are printed and never asserted.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
from rich.console import Console
from rich.table import Table

from bot.demo.scenario import own_scenario
from bot.demo.system import running_system
from tests.entry.browser_kit import (
    chromium,
    free_port,
    from_a_link_to_a_greeting,
    headgate,
    visitor,
)
from tests.entry.setup_kit import town
from tests.needs import program


def setup_seconds(folder: Path) -> float:
    """From the link that `headgate up` prints to the greeting."""
    with town(folder) as place, headgate(place, "up", HEADGATE_PORT=free_port()) as output:
        link = output(r"http://\S+/setup\?code=\S+")
        with chromium() as browser, visitor(place, browser) as ada:
            began = time.monotonic()
            from_a_link_to_a_greeting(place, ada, link)
            return time.monotonic() - began


def selftest_seconds(folder: Path) -> float:
    """Of `headgate selftest` on the demo's repository, before its spec is pushed."""
    with running_system(folder, own_scenario("")) as system:
        settings = psutil.Process(system.processes.pid("headgate")).environ()
        began = time.monotonic()
        done = subprocess.run(
            (sys.executable, "-m", "bot.entry.cli", "selftest", system.repository),
            env=settings,
            capture_output=True,
            text=True,
            check=False,
        )
        took = time.monotonic() - began
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=3)
    runs: int = parser.parse_args().runs
    # A browser is the one thing that `make setup` does not bring.
    program("chromium")
    table = Table("", "best", "median", "aim", title="Seconds on the first day")
    for name, measure in (
        ("from the link to the greeting, five clicks", setup_seconds),
        ("headgate selftest", selftest_seconds),
    ):
        found = []
        for _ in range(runs):
            with tempfile.TemporaryDirectory(prefix="hg-") as folder:
                found.append(measure(Path(folder)))
        table.add_row(name, f"{min(found):.1f}", f"{statistics.median(found):.1f}", "60")
    Console().print(table)


if __name__ == "__main__":
    main()
