"""`headgate demo`: a committed spec becomes merged code, on this machine, from nothing.

Everything is a process of its own: localhub, Headgate (`headgate up`), the runners, and, unless a
command is the agent, a scripted model. The demo pushes, comments and looks as a person would, over
git and HTTP, and in the end counts for itself. Only the model's answers are scripted, and it says so.
"""

import os
import shutil
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.live import Live

from bot.entry.demo_material import material, story
from bot.entry.demo_stage import Stage, open_stage
from bot.entry.demo_verdict import Verdict, judge_demo
from bot.entry.demo_view import progress_view, verdict_view

# A demo that has not ended by then is broken, and says so.
PATIENCE_SECONDS = 600

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
    """0: everything landed and main is sound; 1: it is not; 2: the demo could not run."""
    console = Console()
    if shutil.which("git") is None:
        console.print("The demo needs git: apt-get install git")
        return 2
    console.print(_first_line(options))
    folder = options.folder or Path(tempfile.mkdtemp(prefix="headgate-demo-"))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        with open_stage(folder, options.agent) as stage:
            verdict = _play(stage, options, console)
            console.print(verdict_view(stage, verdict))
            if not options.exit:
                console.print(f"Look around at {stage.hub_url}/{stage.repository} (Ctrl-C ends)")
                _wait_for_ctrl_c()
            return 0 if verdict.is_good else 1
    except KeyboardInterrupt:
        console.print("Ended; nothing is left running.")
        return 130
    finally:
        if options.folder is None:
            shutil.rmtree(folder, ignore_errors=True)


def _first_line(options: DemoOptions) -> str:
    if options.agent:
        return f"headgate demo: everything here is real; the agent is `{options.agent}`."
    return (
        "headgate demo: the model is a script that answers as a model would; everything else is "
        "real: processes, git, GitHub's API, tools, edits, tests."
    )


def _play(stage: Stage, options: DemoOptions, console: Console) -> Verdict:
    started_at = time.monotonic()
    stage.push_spec(_spec_files(options.spec))
    pushed_at = time.monotonic()
    console.print(f"{pushed_at - started_at:.1f} s: the spec is pushed; waiting for the plan …")
    tracking = stage.wait_for_tracking_issue(PATIENCE_SECONDS)
    console.print(f"The plan: {stage.hub_url}/{stage.repository}/issues/{tracking}")
    stage.approve(tracking)
    console.print(f"{stage.person} comments: /headgate approve")
    with_incidents = options.spec is None and not options.agent and not options.short
    incidents = _Incidents(stage, console) if with_incidents else None
    with Live(console=console, refresh_per_second=4, transient=True) as live:
        until = pushed_at + PATIENCE_SECONDS
        while time.monotonic() < until:
            state = stage.state()
            live.update(progress_view(stage, state, time.monotonic() - pushed_at))
            if incidents is not None:
                incidents.happen()
            if stage.is_closed(tracking):
                break
            time.sleep(_BEAT_SECONDS)
    return judge_demo(stage, tracking, time.monotonic() - pushed_at)


def _spec_files(spec: Path | None) -> dict[str, bytes]:
    if spec is None:
        return {f.path: f.content for f in material.spec_files()}
    return {f"specs/{spec.name}": spec.read_bytes()}


class _Incidents:
    """What goes wrong on the way: a person pushes to main, and a runner is killed."""

    def __init__(self, stage: Stage, console: Console) -> None:
        self._stage = stage
        self._console = console
        self._pushed = False
        self._killed = False

    def happen(self) -> None:
        """Each incident once, when its moment has come."""
        state = self._stage.state()
        landed = sum(1 for c in state.changes.values() if c.landed is not None)
        if landed >= 1 and not self._killed:
            killed = self._stage.kill_a_busy_runner()
            if killed:
                self._killed = True
                self._console.print(f"A runner is killed (SIGKILL) in the middle of {killed}.")
        if landed >= 1 and not self._pushed and self._stage.is_judging(state):
            self._pushed = True
            self._stage.push_as_person(story.PERSON_PUSH)
            self._console.print(f"{story.PERSON_PUSH.author} pushes to main: ", end="")
            self._console.print(story.PERSON_PUSH.message)


def _wait_for_ctrl_c() -> None:
    if os.isatty(0):
        signal.pause()
    else:
        sys.stdin.read()
