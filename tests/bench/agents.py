"""`make bench-agents`: how soon an agent works, how much it is told, and what the harness costs.

Orders are those of a project of 300 files on localhub, carried out by real harnesses with a scripted
model and without installs. The proxy is measured beside direct requests, in turns, in one run. Numbers
are printed and never asserted.

    python -m tests.bench.agents [--orders 5] [--turns 200] [--rounds 100] [--only proxy]
"""

import argparse
import contextlib
import json
import logging
import re
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from flask import Response, request
from rich.console import Console
from werkzeug.serving import make_server

from action.order import AgentLimits, AgentSettings
from action.report import AgentEnding
from bot.localhub.actions.runner_messages import JobMessage
from bot.localhub.model_server.app import application
from bot.localhub.model_server.script import Script
from tests.action.fake_server import fake_server
from tests.action.kit import Harness, agent_order, make_project
from tests.bench.imports import cost_of
from tests.bench.overhead import load_now
from tests.bench.proxy import proxy_told
from tests.bench.walk import percentile
from tests.testkit.harness import HarnessRunner
from tests.testkit.house import house
from tests.testkit.hub_setup import POLICY
from tests.testkit.model import scene, script

# A runner has no aiohttp (action/requirements.lock), and the model's client loads it where it is there.
NOT_ON_A_RUNNER = Path(__file__).parent / "not_on_a_runner"
# As the harness estimates them where nobody has counted.
CHARACTERS_PER_TOKEN = 4
_MEBIBYTE = 1024 * 1024
_AREAS = (
    *("TILL", "DOOR", "PRINTER", "STOCK", "LAMP", "SHELF"),
    *("CELLAR", "WINDOW", "BASKET", "LADDER", "MARKET", "PENCIL"),
)


# How soon a model is asked, and how much it is told


@dataclass(frozen=True)
class Asked:
    """One question to the model: when its answer began, the processor time of who asked until then,
    and all that it was asked with.
    """

    answered_at: float
    processor_seconds: float
    body: str


@dataclass
class ModelLog:
    """A scripted model that notes who asks it, and when."""

    url: str = ""
    asked: list[Asked] = field(default_factory=list)


@dataclass(frozen=True)
class OrderMeasured:
    """Seconds from the start of a harness to the first token, and what the model was told."""

    seconds: float
    processor_seconds: float
    change: str
    told: str


@dataclass
class _TimedRunner(HarnessRunner):
    """Notes when each harness was started."""

    started: list[float] = field(default_factory=list)

    def _start_harness(self, job: JobMessage) -> None:
        self.started.append(time.time())
        super()._start_harness(job)


def requirement_of(area: str) -> tuple[str, ...]:
    """What the order of an area's change must say, besides its heading."""
    low = area.lower()
    return (
        f"The {low} SHALL keep a record of each use in `shop/{low}/part3.py`, with its time and what "
        "was done, and SHALL show the newest hundred of them to whoever may read them.",
        f"**WHEN** somebody uses the {low}",
        f"**THEN** `shop/{low}/part3.py` has a record of the {low} more",
        f"**WHEN** the hundred and first record of the {low} is written",
        f"**THEN** the {low} forgets its oldest record",
    )


def spec_text(areas: int = len(_AREAS)) -> str:
    """A requirement for each of so many areas."""
    parts = ["# Spec: A shop\n\n## Requirements\n"]
    for area in _AREAS[:areas]:
        statement, *steps = requirement_of(area)
        parts.append(
            f"### REQ-{area}-01: Make the {area.lower()} remember\n{statement}\n\n"
            f"#### Scenario: The {area.lower()} is used\n- {steps[0]}\n- {steps[1]}\n\n"
            f"#### Scenario: The {area.lower()} is full\n- {steps[2]}\n- {steps[3]}\n"
        )
    return "\n".join(parts)


def project_of(count: int) -> dict[str, str]:
    """So many files of Python and what a team asks of its code."""
    files = {"AGENTS.md": "".join(f"- Rule {n}: keep it short and say why.\n" for n in range(60))}
    for number in range(count - 1):
        area, part = _AREAS[number % len(_AREAS)].lower(), number // len(_AREAS)
        functions = (
            f"def {area}_{part}_{n}(given: int) -> int:\n"
            f'    """What the {area} makes of it."""\n'
            f"    return given * {n} + {part}\n\n\n"
            for n in range(12)
        )
        files[f"shop/{area}/part{part}.py"] = "".join(functions)
    return files


@contextmanager
def logging_model(played: Script) -> Iterator[ModelLog]:
    """localhub's scripted model in a thread."""
    log, stopping = ModelLog(), threading.Event()
    app = application(played, stopping)

    @app.after_request
    def note(answer: Response) -> Response:
        log.asked.append(Asked(time.time(), _processor_seconds(), request.get_data(as_text=True)))
        return answer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = make_server("127.0.0.1", 0, app, threaded=True)
    log.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield log
    finally:
        stopping.set()
        server.shutdown()
        server.server_close()
        thread.join()


def measure_orders(
    folder: Path, files: Mapping[str, str], spec: str, count: int
) -> list[OrderMeasured]:
    """So many first orders, one after the other, each to the end of its harness."""
    policy = f"{POLICY}planner: deterministic\nmax_parallel: {count}\n"
    done = script(scene("done", {"text": "DONE"}))
    with logging_model(done) as model, house(folder, files, policy, model.url) as shop:
        runner = _TimedRunner(shop.runner.url, shop.runner.folder, shop.http)
        shop.runner = runner
        shop.start(spec)
        runner.do_all()
        found = []
        for start, end in zip(runner.started, [*runner.started[1:], time.time()], strict=True):
            first = next(a for a in model.asked if start <= a.answered_at <= end)
            body = json.loads(first.body)
            told = _texts(body["system"]) + _texts(body["messages"])
            change = re.search(r"^Headgate order \S+ change (\S+)", told, re.MULTILINE)
            assert change is not None, told[:200]
            seconds = first.answered_at - start
            found.append(OrderMeasured(seconds, first.processor_seconds, change[1], told))
        return found


def _processor_seconds() -> float:
    """Of the harness at work and of its children that have ended."""
    for child in psutil.Process().children():
        with contextlib.suppress(psutil.Error):
            if "action" in child.cmdline():
                spent = child.cpu_times()
                own, children = (
                    spent.user + spent.system,
                    spent.children_user + spent.children_system,
                )
                return float(own + children)
    return 0.0


def _texts(said: object) -> str:
    """All text of a part of a request."""
    match said:
        case str():
            return f"{said}\n"
        case list():
            return "".join(_texts(one) for one in said)
        case dict():
            return _texts(said.get("text", said.get("content", "")))
        case _:
            return ""


def orders_told(measured: Sequence[OrderMeasured], files: Mapping[str, str], spec: str) -> str:
    """How soon the model was asked, and how much of the naive context it was told."""
    seconds = [one.seconds for one in measured]
    processor = [one.processor_seconds for one in measured]
    sizes = [len(one.told) / CHARACTERS_PER_TOKEN for one in measured]
    whole = (len(spec) + sum(map(len, files.values()))) / CHARACTERS_PER_TOKEN
    listed = (len(spec) + sum(len(p) + 1 for p in files)) / CHARACTERS_PER_TOKEN
    wanted = [(one, says) for one in measured for says in _named_by(one.change)]
    there = sum(says in one.told for one, says in wanted)
    most = max(sizes)
    return (
        f"Start of the harness to first token: p50 {percentile(seconds, 0.5):.2f} s, "
        f"slowest {max(seconds):.2f} s, of processor time "
        f"p50 {percentile(processor, 0.5):.2f} s ({len(measured)} orders)\n"
        f"An order on {len(files)} files: at most {most:,.0f} tokens with the system prompt, "
        f"{most / whole:.1%} of spec and files, {most / listed:.1%} of spec and paths\n"
        f"What its change names: {there} of {len(wanted)} lines are in the order"
    )


def _named_by(change: str) -> tuple[str, ...]:
    return requirement_of(change.partition("-")[0].upper())


# What the harness costs


def start_told(runs: int) -> str:
    """Processor time and memory of the harness when it starts, and with what a builtin agent needs."""
    programs = {
        "Python alone": "pass",
        "the harness at its start": "import action.command_line",
        "the harness with the builtin agent": "import action.command_line, action.harness.agent_order, "
        "action.agents.builtin",
    }
    lines = []
    hidden = f"import sys; sys.path.insert(0, {str(NOT_ON_A_RUNNER)!r})\n"
    for name, program in programs.items():
        costs = [cost_of(hidden + program) for _ in range(runs)]
        took = [one.seconds for one in costs]
        lines.append(
            f"Imports of {name}: {min(took):.2f} s processor time at best, "
            f"{statistics.median(took):.2f} s median, "
            f"{max(one.mebibytes for one in costs):.0f} MiB"
        )
    return "\n".join(lines)


def memory_by_turn(folder: Path, turns: int) -> dict[int, int]:
    """Bytes of a harness at each turn of its builtin agent, which prints much at each."""
    project = make_project(folder / "project", {"shop.py": "def hello():\n    return ''\n"})
    found: dict[int, int] = {}
    made = {"command": "create", "path": "new.py", "file_text": "# REQ-1\n"}
    # localhub's model counts what it is asked with, so old results are cleared as at work.
    played = script(
        scene(
            "long",
            {"calls": [{"edit": made}]},
            *({"calls": [{"bash": {"command": f"echo {n}; seq 4000"}}]} for n in range(turns - 2)),
            {"text": "DONE"},
        )
    )
    with fake_server(project.bare) as server, logging_model(played) as model:
        server.model_url = model.url
        limits = AgentLimits(turns_max=turns + 10, tokens_max=1_000_000_000)
        server.order = agent_order(server, project, agent=AgentSettings(limits=limits))
        alone = {"PYTHONPATH": str(NOT_ON_A_RUNNER)}
        process = Harness(server, folder / "runner", environment=alone).start_by_command()
        watched, ended = psutil.Process(process.pid), threading.Event()

        def watch() -> None:
            while not ended.wait(0.01):
                try:
                    used = watched.memory_info().rss
                except psutil.Error:
                    return
                # One that has ended uses nothing.
                if used:
                    found[len(model.asked)] = used

        thread = threading.Thread(target=watch)
        thread.start()
        try:
            output, _ = process.communicate(timeout=600)
        finally:
            ended.set()
            thread.join()
            process.kill()
        assert server.agent_report.ending is AgentEnding.FINISHED, output.decode()
    return found


def memory_told(found: Mapping[int, int], turns: int) -> str:
    """At some turns, and how much it grew after the first quarter."""

    def at(turn: int) -> float:
        return found[max(n for n in found if n <= turn)] / _MEBIBYTE

    shown = sorted({max(1, turns * n // 8) for n in (1, 2, 4, 6, 8)})
    said = ", ".join(f"{turn}: {at(turn):.0f}" for turn in shown)
    quarter = at(max(1, turns // 4))
    return (
        f"Memory of a run of {turns} turns, in MiB by turn: {said}; "
        f"{at(turns) / quarter - 1:+.0%} after the first quarter, "
        f"at most {max(found.values()) / _MEBIBYTE:.0f}"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--orders", type=int, default=5, help=f"at most {len(_AREAS)}")
    parser.add_argument("--files", type=int, default=300)
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=100, help="requests to the proxy")
    parser.add_argument("--runs", type=int, default=5, help="imports")
    parser.add_argument("--only", choices=("orders", "start", "memory", "proxy"), default=None)
    asked = parser.parse_args()

    def orders(folder: Path) -> str:
        files, spec = project_of(asked.files), spec_text()
        return orders_told(measure_orders(folder, files, spec, asked.orders), files, spec)

    parts: dict[str, Callable[[Path], str]] = {
        "orders": orders,
        "start": lambda _: start_told(asked.runs),
        "memory": lambda folder: memory_told(memory_by_turn(folder, asked.turns), asked.turns),
        "proxy": lambda folder: proxy_told(folder, asked.rounds),
    }
    console = Console(soft_wrap=True, highlight=False)
    for name, part in parts.items():
        if asked.only in (None, name):
            with tempfile.TemporaryDirectory(prefix="headgate-bench-") as folder:
                console.print(part(Path(folder)))
            console.print(f"  ({load_now()})")


if __name__ == "__main__":
    main()
