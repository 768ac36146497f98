"""`headgate demo`: a committed spec becomes merged code, on this machine, from nothing.

Everything is a process of its own: localhub, Headgate (`headgate up`), the runners, and, unless a
command is the agent, a scripted model. The demo pushes, comments and looks as a person would, over
git and HTTP, and in the end counts for itself. Only the model's answers are scripted, and it says so.
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
from pathlib import Path

import httpx
from rich.console import Console

from bot.core.plan.check import check
from bot.core.plan.deterministic import plan
from bot.core.spec.read import read_spec
from bot.core.values.spec_model import Severity
from bot.demo.incidents import Happened, Incidents, Told, tell_incidents, tell_interruption
from bot.demo.material import story
from bot.demo.scenario import PERSON, DemoScenario, own_scenario, scenario_of
from bot.demo.screen import open_screen, print_verdict, say
from bot.demo.system import DemoSystem, running_system
from bot.demo.verdict import Verdict, editors_of, main_line, problems_of
from bot.ports import UserError

# A demo that has not ended by then is broken, and says so.
PATIENCE_SECONDS = 600

# What is still to be written down after the last landing: the ledger, issues, check runs.
_SETTLE_SECONDS = 30

_BEAT_SECONDS = 0.25


@dataclass(frozen=True)
class DemoOptions:
    """The command line."""

    spec: Path | None
    agent: str
    exit: bool
    short: bool
    folder: Path | None


def run_demo(options: DemoOptions) -> int:
    """0: all landed and main is sound; 1: it is not; 2: it could not run; 130, 143: interrupted."""
    console = Console()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        scenario = _chosen(options)
        _check_machine(scenario)
        say(console, _first_line(scenario))
        with _folder(options.folder) as folder, running_system(folder, scenario) as system:
            return _run(system, options, console)
    except KeyboardInterrupt:
        say(console, "Interrupted; nothing is left running.")
        return 130
    except UserError as wrong:
        say(console, wrong.sentence)
    except subprocess.CalledProcessError as wrong:
        # Not the whole command: a token is in its address.
        say(console, f"git {wrong.cmd[1]} failed: {wrong.stderr.strip()}")
    except httpx.HTTPError as wrong:
        say(console, f"localhub did not answer as it should: {wrong}")
    return 2


def _chosen(options: DemoOptions) -> DemoScenario:
    if options.spec is None:
        return own_scenario(options.agent)
    scenario = scenario_of(options.spec, options.agent)
    if not options.agent and not os.environ.get("ANTHROPIC_API_KEY"):
        raise UserError(
            "The scripted model knows the demo's own spec only. Give --agent 'a command', or set "
            "ANTHROPIC_API_KEY to let the built-in agent ask a real model."
        )
    for path in scenario.spec:
        if not _can_be_planned(path, scenario.spec):
            raise UserError(
                f"{options.spec} cannot be planned; `headgate plan {options.spec}` says why."
            )
    return scenario


def _can_be_planned(path: str, files: Mapping[str, bytes]) -> bool:
    spec = read_spec(path, files)
    is_blocked = any(finding.severity is Severity.BLOCK for finding in spec.findings)
    return bool(spec.requirements) and not is_blocked and not check(plan(spec), spec)


def _check_machine(scenario: DemoScenario) -> None:
    if shutil.which("git") is None:
        raise UserError("The demo needs git: `apt-get install git`, or what your system calls it.")
    if "pytest" in scenario.tests and importlib.util.find_spec("pytest") is None:
        raise UserError(
            "The demo's repository is tested with pytest, which this Python does not have: "
            f"`{sys.executable} -m pip install pytest`."
        )


@contextmanager
def _folder(wanted: Path | None) -> Iterator[Path]:
    """Where everything is kept; a folder of our own is gone afterwards."""
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
        return "headgate demo: the model is a script; git, GitHub's API, agents, gates are real."
    agent = (
        f"the agent is `{scenario.agent}`" if scenario.agent else "the agent asks the real model"
    )
    return f"headgate demo: everything here is real; {agent}."


def _run(system: DemoSystem, options: DemoOptions, console: Console) -> int:
    verdict = _play(system, options, console)
    print_verdict(console, verdict, system.processes.peak, system.scenario.is_scripted)
    if options.folder is not None:
        say(console, f"Everything is kept in {system.folder}.")
    elif not verdict.is_good:
        say(console, "Run it with --folder FOLDER to keep logs and the journal.")
    if not options.exit:
        say(console, f"Look around at {system.hub_url}/{system.repository} (Ctrl-C ends).")
        try:
            while True:
                system.processes.tend()
                time.sleep(_BEAT_SECONDS)
        except KeyboardInterrupt:
            say(console, "Ended; nothing is left running.")
    return 0 if verdict.is_good else 1


def _play(system: DemoSystem, options: DemoOptions, console: Console) -> Verdict:
    system.push_spec()
    pushed_at = time.monotonic()
    say(console, f"{PERSON} pushed the spec; waiting for the plan …")
    tracking = system.wait_for_tracking_issue(PATIENCE_SECONDS)
    say(console, f"The plan: {system.hub_url}/{system.repository}/issues/{tracking}")
    system.approve(tracking)
    say(console, f"{PERSON} comments: /headgate approve")
    happened = _watch(system, options, console, pushed_at)
    seconds = time.monotonic() - pushed_at
    _settle(system)
    clone = system.clone()
    told = _told(system, options, happened, clone)
    problems = (*problems_of(system, tracking, clone), *told.problems)
    return Verdict(system.state(), main_line(clone), seconds, told.mended, problems)


def _watch(
    system: DemoSystem, options: DemoOptions, console: Console, pushed_at: float
) -> Happened:
    """Look on until every spec run has ended, and let happen what is to happen."""
    with open_screen(console, system.repository) as screen:
        incidents = Incidents(system, screen, kills=not options.short)
        while time.monotonic() < pushed_at + PATIENCE_SECONDS:
            system.processes.tend()
            state = system.state()
            screen.show(state, time.monotonic() - pushed_at)
            if all(not run.is_open for run in state.spec_runs.values()):
                break
            if system.scenario.is_scripted:
                incidents.happen(state)
            time.sleep(_BEAT_SECONDS)
        return incidents.happened


def _settle(system: DemoSystem) -> None:
    until = time.monotonic() + _SETTLE_SECONDS
    while time.monotonic() < until:
        system.processes.tend()
        state = system.state()
        if not state.open_effects and state.ledger_published == len(state.ledger):
            return
        time.sleep(_BEAT_SECONDS)


def _told(system: DemoSystem, options: DemoOptions, happened: Happened, clone: Path) -> Told:
    if not system.scenario.is_scripted:
        return Told()
    state, events = system.state(), system.events()
    told = tell_incidents(state, events, happened, editors_of(clone, story.SHARED_FILE))
    if options.short:
        return told
    killed = tell_interruption(state, events, happened)
    return Told((*told.mended, *killed.mended), (*told.problems, *killed.problems))
