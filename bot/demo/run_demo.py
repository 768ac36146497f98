"""`headgate demo`: a committed spec becomes merged code, on this machine, from nothing.

localhub, Headgate (`headgate up`), the runners and, unless a command is the agent, a scripted model
are processes of their own. The demo pushes, comments and reads as a person would, over git and HTTP,
and checks the result itself.
"""

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx
from rich.console import Console

from bot.core.plan.check import check
from bot.core.plan.deterministic import plan
from bot.core.spec.read import read_spec
from bot.core.values.spec_model import Severity
from bot.demo.incidents import (
    IncidentReport,
    Incidents,
    IncidentsDone,
    report_incidents,
    report_lost_runner,
)
from bot.demo.material import story
from bot.demo.scenario import PERSON, DemoScenario, own_scenario, program_missing, scenario_of
from bot.demo.screen import open_screen, print_verdict, say, states_of_changes
from bot.demo.system import DemoSystem, running_system
from bot.demo.verdict import Verdict, editors_of, main_line, problems_of
from bot.ports import UserError

# A demo in which nothing moves for so long is broken.
_TIMEOUT_SECONDS = 600

# After the last landing Headgate still writes the ledger, issues and check runs.
_LAST_WRITES_SECONDS = 30

_POLL_SECONDS = 0.25


@dataclass(frozen=True)
class DemoOptions:
    spec: Path | None
    agent: str
    exit: bool
    folder: Path | None


def run_demo(options: DemoOptions) -> int:
    """Returns 0 if all landed and main is sound, 1 if not, 2 if it could not run, 130 if interrupted."""
    console = Console()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        scenario = _chosen(options)
        _check_machine(scenario)
        say(console, _first_line(scenario))
        tell = partial(say, console)
        with _folder(options.folder) as folder, running_system(folder, scenario, tell) as system:
            return _run(system, options, console)
    except KeyboardInterrupt:
        say(console, "Interrupted. All processes have ended.")
        return 130
    except UserError as wrong:
        say(console, wrong.sentence)
    except subprocess.CalledProcessError as wrong:
        # Not the whole command: its URL contains a token.
        say(console, f"git {wrong.cmd[1]} failed: {wrong.stderr.strip()}")
    except httpx.HTTPError as wrong:
        say(console, f"localhub gave an unexpected answer: {wrong}")
    return 2


def _chosen(options: DemoOptions) -> DemoScenario:
    if options.spec is None:
        return own_scenario(options.agent)
    scenario = scenario_of(options.spec, options.agent)
    if not options.agent and not os.environ.get("ANTHROPIC_API_KEY"):
        raise UserError(
            "The scripted model knows only the demo's own spec. Give --agent 'a command', or set "
            "ANTHROPIC_API_KEY to let the built-in agent ask a real model."
        )
    for path in scenario.spec:
        if not _can_be_planned(path, scenario.spec):
            raise UserError(
                f"{options.spec} cannot be planned. To see why, run `headgate plan {options.spec}`."
            )
    return scenario


def _can_be_planned(path: str, files: Mapping[str, bytes]) -> bool:
    spec = read_spec(path, files)
    is_blocked = any(finding.severity is Severity.BLOCK for finding in spec.findings)
    return bool(spec.requirements) and not is_blocked and not check(plan(spec), spec)


def _check_machine(scenario: DemoScenario) -> None:
    if shutil.which("git") is None:
        raise UserError("The demo needs git. Install it, for example with `apt-get install git`.")
    if program := program_missing(scenario.agent):
        raise UserError(
            f"--agent begins with `{program}`, but there is no such program here. Install it, "
            "or give its full path."
        )
    if "pytest" in scenario.tests and importlib.util.find_spec("pytest") is None:
        raise UserError(
            "The demo's repository is tested with pytest, which is not installed here: "
            f"`{sys.executable} -m pip install pytest`."
        )


@contextmanager
def _folder(wanted: Path | None) -> Iterator[Path]:
    """The folder for everything; a temporary one is removed at the end."""
    if wanted is not None:
        if wanted.exists() and (not wanted.is_dir() or any(wanted.iterdir())):
            raise UserError(f"{wanted} is not an empty folder; choose another --folder.")
        wanted.mkdir(parents=True, exist_ok=True)
        yield wanted.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="headgate-demo-", ignore_cleanup_errors=True) as made:
        yield Path(made).resolve()


def _first_line(scenario: DemoScenario) -> str:
    if scenario.is_scripted:
        return (
            "headgate demo: the model is a script. Git, GitHub's API, the agents and the gates "
            "are real."
        )
    agent = (
        f"the agent is `{scenario.agent}`" if scenario.agent else "the agent asks the real model"
    )
    return f"headgate demo: everything here is real; {agent}."


def _run(system: DemoSystem, options: DemoOptions, console: Console) -> int:
    verdict = _run_scenario(system, console)
    print_verdict(console, verdict, system.processes.peak, system.scenario.is_scripted)
    if options.folder is not None:
        say(console, f"Logs and the journal are in {system.folder}.")
    elif not verdict.is_good:
        say(console, "Run it with --folder FOLDER to keep logs and the journal.")
    if not options.exit:
        say(console, f"See {system.hub_url}/{system.repository} (Ctrl-C ends the demo).")
        try:
            while True:
                system.processes.check()
                time.sleep(_POLL_SECONDS)
        except KeyboardInterrupt:
            say(console, "Ended. All processes have ended.")
    return 0 if verdict.is_good else 1


def _run_scenario(system: DemoSystem, console: Console) -> Verdict:
    system.push_spec()
    pushed_at = time.monotonic()
    say(console, f"{PERSON} pushed the spec; waiting for the plan …")
    tracking = system.wait_for_tracking_issue(_TIMEOUT_SECONDS)
    say(console, f"The plan: {system.hub_url}/{system.repository}/issues/{tracking}")
    system.approve(tracking)
    say(console, f"{PERSON} comments: /headgate approve")
    done = _watch(system, console, pushed_at)
    seconds = time.monotonic() - pushed_at
    _wait_for_last_writes(system)
    clone = system.clone()
    report = _incidents_report(system, done, clone)
    problems = (*problems_of(system, tracking, clone), *report.problems)
    return Verdict(system.state(), main_line(clone), seconds, report.recovered, problems)


def _watch(system: DemoSystem, console: Console, pushed_at: float) -> IncidentsDone:
    """Wait until every spec run has ended; cause the incidents when it is their time."""
    with open_screen(console, system.repository) as screen:
        incidents = Incidents(system, screen, kills=True)
        moved_at, seen = pushed_at, dict[str, str]()
        while time.monotonic() < moved_at + _TIMEOUT_SECONDS:
            system.processes.check()
            state = system.state()
            screen.show(state, time.monotonic() - pushed_at)
            if (now := states_of_changes(state)) != seen:
                moved_at, seen = time.monotonic(), now
            if all(not run.is_open for run in state.spec_runs.values()):
                break
            if system.scenario.is_scripted:
                incidents.cause_due(state)
            time.sleep(_POLL_SECONDS)
        return incidents.done


def _wait_for_last_writes(system: DemoSystem) -> None:
    until = time.monotonic() + _LAST_WRITES_SECONDS
    while time.monotonic() < until:
        system.processes.check()
        state = system.state()
        if not state.open_effects and state.ledger_published == state.ledger_lines:
            return
        time.sleep(_POLL_SECONDS)


def _incidents_report(system: DemoSystem, done: IncidentsDone, clone: Path) -> IncidentReport:
    if not system.scenario.is_scripted:
        return IncidentReport()
    state, events = system.state(), system.events()
    report = report_incidents(state, events, done, editors_of(clone, story.SHARED_FILE))
    killed = report_lost_runner(state, events, done)
    return IncidentReport(
        (*report.recovered, *killed.recovered), (*report.problems, *killed.problems)
    )
