"""The demo as people start it: verdict, exit codes, and no process left running."""

import os
import shlex
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.demo.watched import eventually, output, running_in, start
from tests.testkit.forked import Program, run_forked

SPEC = """\
# Spec: A kiosk

## Requirements

### REQ-KIOSK-01: Take an order
The kiosk SHALL take an order of one or more things.

#### Scenario: One thing
- **WHEN** a guest asks for one thing
- **THEN** the order holds it

### REQ-KIOSK-02: Sum up
The kiosk SHALL sum up the prices of an order.

#### Scenario: Two things
- **WHEN** an order holds two things
- **THEN** the sum is the sum of both prices
"""

# A file for each requirement that the prompt names.
AGENT = """\
#!/bin/sh
set -eu
mkdir -p done
sed -n 's/^## \\([^: ]*\\): .*/\\1/p' "$HEADGATE_PROMPT_FILE" | tr '/#' '__' | while read -r id; do
    echo done > "done/$id"
done
"""

DEMO = ("-m", "bot.entry.cli", "demo")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short path: sockets lie in it."""
    made = Path(tempfile.mkdtemp(prefix="hg-")).resolve()
    yield made
    shutil.rmtree(made)


def environment(folder: Path) -> dict[str, str]:
    """Everything temporary below the folder; no key of a real model."""
    return {"TMPDIR": str(folder), "ANTHROPIC_API_KEY": ""}


def outcome(folder: Path, *options: str) -> tuple[int, str]:
    """Run the demo to its end."""
    demo = start(*DEMO, *options, folder=folder, environment=environment(folder))
    return demo.wait(900), output(folder)


def left_behind(folder: Path) -> list[str]:
    """Processes and folders of a demo that has ended."""
    return [str(p) for p in folder.glob("headgate-demo-*")] + [str(p) for p in running_in(folder)]


@pytest.mark.slow
def test_the_demo_runs_with_a_users_own_spec_and_agent(folder: Path) -> None:
    (folder / "kiosk.md").write_text(SPEC)
    (folder / "agent.sh").write_text(AGENT)
    kept = folder / "kept"
    agent = f"sh {shlex.quote(str(folder / 'agent.sh'))}"
    code, text = outcome(
        folder,
        *("--exit", "--spec", str(folder / "kiosk.md"), "--agent", agent, "--folder", str(kept)),
    )
    assert code == 0, text
    assert "Good: 1 change landed" in text
    assert "script" not in text.splitlines()[0].replace(str(folder), "")
    assert (kept / "headgate.log").exists()
    assert running_in(folder) == []


def has_started(folder: Path) -> bool:
    """Whether processes of the demo have been started."""
    return bool(list(folder.glob("headgate-demo-*/localhub.log")))


def is_at_work(folder: Path) -> bool:
    """Whether an agent is at work in a sandbox."""
    return "catalogue-contract: working" in output(folder)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("moment", "number", "code"),
    [
        (has_started, signal.SIGTERM, 143),
        (is_at_work, signal.SIGINT, 130),
    ],
)
def test_an_interrupted_demo_leaves_nothing_behind(
    folder: Path, moment: Callable[[Path], bool], number: signal.Signals, code: int
) -> None:
    demo = start(*DEMO, "--exit", folder=folder, environment=environment(folder))
    eventually(lambda: moment(folder))
    demo.send_signal(number)
    assert demo.wait(60) == code, output(folder)
    assert left_behind(folder) == []


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--spec", "none.md", "--agent", "true"), "There is no file none.md"),
        (("--spec", "empty.md", "--agent", "true"), "To see why, run `headgate plan empty.md`"),
        (("--spec", "kiosk.md"), "Give --agent 'a command', or set ANTHROPIC_API_KEY"),
        (("--spec", "kiosk.md", "--agent", "'open"), "--agent cannot be read as a command"),
        (
            ("--agent", "/nope/agent --yes"),
            "--agent begins with `/nope/agent`, but there is no such program",
        ),
        (
            ("--agent", "HOW=1 no-such-agent"),
            "--agent begins with `no-such-agent`, but there is no such program",
        ),
        (("--folder", "."), "is not an empty folder; choose another --folder"),
        (("--folder", "long" * 25), "choose a shorter --folder"),
    ],
)
def test_wrong_usage_is_reported_before_anything_starts(
    folder: Path, options: tuple[str, ...], sentence: str
) -> None:
    (folder / "kiosk.md").write_text(SPEC)
    (folder / "empty.md").write_text("# Nothing here\n")
    usage = ("demo", "--exit", *options)
    known = {**os.environ, **environment(folder)}
    ended = run_forked(Program("bot.entry.cli", usage, folder, known), 240)
    text = ended.stdout + ended.stderr
    assert (ended.returncode, sentence in text) == (2, True), text
    assert left_behind(folder) == []


def test_without_git_the_demo_says_how_to_install_it(folder: Path) -> None:
    demo = start(
        *DEMO, "--exit", folder=folder, environment={**environment(folder), "PATH": str(folder)}
    )
    assert demo.wait(60) == 2
    assert "apt-get install git" in output(folder)
