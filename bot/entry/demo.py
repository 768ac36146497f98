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
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
from rich.console import Console

from bot.entry.demo_incidents import Happened, Incidents, Told, tell_incidents, tell_interruption
from bot.entry.demo_material import story
from bot.entry.demo_seed import PERSON, Play, own_play, play_of
from bot.entry.demo_stage import Stage, open_stage
from bot.entry.demo_verdict import Verdict, editors_of, main_line, problems_of
from bot.entry.demo_view import open_screen, print_verdict, say
from bot.entry.planning import planned
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
        play = _chosen(options)
        _check_machine(play)
        say(console, _first_line(play))
        with _folder(options.folder) as folder, open_stage(folder, play) as stage:
            return _run(stage, options, console)
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


def _chosen(options: DemoOptions) -> Play:
    if options.spec is None:
        return own_play(options.agent)
    play = play_of(options.spec, options.agent)
    if not options.agent and not os.environ.get("ANTHROPIC_API_KEY"):
        raise UserError(
            "The scripted model knows the demo's own spec only. Give --agent 'a command', or set "
            "ANTHROPIC_API_KEY to let the built-in agent ask a real model."
        )
    for path in play.spec:
        found = planned(path, dict(play.spec))
        if found.is_refused:
            raise UserError(
                f"{options.spec} cannot be planned; `headgate plan {options.spec}` says why."
            )
    return play


def _check_machine(play: Play) -> None:
    if shutil.which("git") is None:
        raise UserError("The demo needs git: `apt-get install git`, or what your system calls it.")
    if "pytest" in play.tests and importlib.util.find_spec("pytest") is None:
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


def _first_line(play: Play) -> str:
    if play.is_scripted:
        return "headgate demo: the model is a script; git, GitHub's API, agents, gates are real."
    agent = f"the agent is `{play.agent}`" if play.agent else "the agent asks the real model"
    return f"headgate demo: everything here is real; {agent}."


def _run(stage: Stage, options: DemoOptions, console: Console) -> int:
    verdict = _play(stage, options, console)
    print_verdict(console, verdict, stage.processes.peak, stage.play.is_scripted)
    if options.folder is not None:
        say(console, f"Everything is kept in {stage.folder}.")
    elif not verdict.is_good:
        say(console, "Run it with --folder FOLDER to keep logs and the journal.")
    if not options.exit:
        say(console, f"Look around at {stage.hub_url}/{stage.repository} (Ctrl-C ends).")
        try:
            while True:
                stage.processes.tend()
                time.sleep(_BEAT_SECONDS)
        except KeyboardInterrupt:
            say(console, "Ended; nothing is left running.")
    return 0 if verdict.is_good else 1


def _play(stage: Stage, options: DemoOptions, console: Console) -> Verdict:
    stage.push_spec()
    pushed_at = time.monotonic()
    say(console, f"{PERSON} pushed the spec; waiting for the plan …")
    tracking = stage.wait_for_tracking_issue(PATIENCE_SECONDS)
    say(console, f"The plan: {stage.hub_url}/{stage.repository}/issues/{tracking}")
    stage.approve(tracking)
    say(console, f"{PERSON} comments: /headgate approve")
    happened = _watch(stage, options, console, pushed_at)
    seconds = time.monotonic() - pushed_at
    _settle(stage)
    clone = stage.clone()
    told = _told(stage, options, happened, clone)
    problems = (*problems_of(stage, tracking, clone), *told.problems)
    return Verdict(stage.state(), main_line(clone), seconds, told.mended, problems)


def _watch(stage: Stage, options: DemoOptions, console: Console, pushed_at: float) -> Happened:
    """Look on until every spec run has ended, and let happen what is to happen."""
    with open_screen(console, stage.repository) as screen:
        incidents = Incidents(stage, screen, kills=not options.short)
        while time.monotonic() < pushed_at + PATIENCE_SECONDS:
            stage.processes.tend()
            state = stage.state()
            screen.show(state, time.monotonic() - pushed_at)
            if all(not run.is_open for run in state.spec_runs.values()):
                break
            if stage.play.is_scripted:
                incidents.happen(state)
            time.sleep(_BEAT_SECONDS)
        return incidents.happened


def _settle(stage: Stage) -> None:
    until = time.monotonic() + _SETTLE_SECONDS
    while time.monotonic() < until:
        stage.processes.tend()
        state = stage.state()
        if not state.open_effects and state.ledger_published == len(state.ledger):
            return
        time.sleep(_BEAT_SECONDS)


def _told(stage: Stage, options: DemoOptions, happened: Happened, clone: Path) -> Told:
    if not stage.play.is_scripted:
        return Told()
    state, events = stage.state(), stage.events()
    told = tell_incidents(state, events, happened, editors_of(clone, story.SHARED_FILE))
    if options.short:
        return told
    killed = tell_interruption(state, events, happened)
    return Told((*told.mended, *killed.mended), (*told.problems, *killed.problems))
