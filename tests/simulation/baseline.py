"""The run that crashes and faults disturb: a spec with two changes, one of which needs two attempts."""

from dataclasses import dataclass
from pathlib import Path

from action.order import AgentOrder
from bot.core.talk.queue_issue import queue_title
from bot.localhub.hub import Hub
from tests.simulation.laws import first_parents, left_open
from tests.testkit.crash import Supervisor
from tests.testkit.house import House
from tests.testkit.runner import writes_a_file

SPEC = """\
# Spec: A kiosk

## Requirements

### REQ-STOCK-01: Count the papers
The stock SHALL count the papers on the shelf.

#### Scenario: Ten papers
- **WHEN** ten papers are on the shelf
- **THEN** the count is ten

### REQ-ORDER-01: Order more papers
The kiosk SHALL order papers when the stock counts few.
Depends on: REQ-STOCK-01

#### Scenario: One paper left
- **WHEN** one paper is on the shelf
- **THEN** more are ordered
"""
SPEC_PATH = "specs/kiosk.md"


def fails_first_attempt(order: AgentOrder, tree: Path) -> None:
    """An agent whose first attempt at one change breaks the gate and whose second repairs it."""
    writes_a_file(order, tree)
    if order.attempt == 1 and "Count" in order.title:
        (tree / "broken").write_text("Something was forgotten.\n")
    else:
        (tree / "broken").unlink(missing_ok=True)


@dataclass(frozen=True)
class EndState:
    """What people see at the end, without what differs between runs (times, SHAs)."""

    subjects: tuple[str, ...]
    files: tuple[tuple[str, ...], ...]
    issues: tuple[tuple[str, str, int], ...]
    pulls: tuple[tuple[str, str], ...]
    attempts: tuple[tuple[str, int], ...]


def end_state_of(story: House) -> EndState:
    """Without the issue that tells of the queue: it is opened where a landing had to wait."""
    commits = first_parents(story)
    issues = [issue for issue in story.issues() if issue["title"] != queue_title()]
    assert len(story.issues()) - len(issues) <= 1
    return EndState(
        subjects=tuple(story.history()),
        files=tuple(_files(story.hub, story.full_name, sha) for sha in commits),
        issues=tuple(
            (str(i["title"]), str(i["state"]), len(story.comments(int(str(i["number"])))))
            for i in issues
        ),
        pulls=tuple((str(p["title"]), str(p["state"])) for p in story.pulls()),
        attempts=tuple((c.slug, c.attempt) for c in story.state.changes.values()),
    )


def _files(hub: Hub, full_name: str, commit: str) -> tuple[str, ...]:
    """Each file's path and content, but the workflows, which name the commit of the action."""
    entries = hub.repository(full_name).git.tree(commit, ["-r"])
    return tuple(
        f"{entry.path} {entry.sha}"
        for entry in entries
        if not entry.path.startswith(".github/workflows/")
    )


def begin(supervisor: Supervisor) -> None:
    """Push the spec and approve its plan."""
    story = supervisor.story
    story.runner.agent = fails_first_attempt
    push(story, {SPEC_PATH: SPEC}, "Ask for a kiosk")
    supervisor.finish(lambda: any(run.revisions_shown for run in story.state.spec_runs.values()))
    say(story, "/headgate approve")


def push(story: House, files: dict[str, str], message: str) -> None:
    """A maintainer's push to main; no fault of the network can hit it."""
    content: dict[str, bytes | None] = {path: text.encode() for path, text in files.items()}
    story.hub.commit_files(story.full_name, content, message, "ada")


def say(story: House, text: str) -> None:
    """A maintainer's comment on the newest tracking issue."""
    runs = [run for run in story.state.spec_runs.values() if run.issue is not None]
    say_on(story, int(runs[-1].issue or 0), text)


def say_on(story: House, issue: int, text: str) -> None:
    """A maintainer's comment; no fault of the network can hit it."""
    hub = story.hub
    found = hub.issues.find(hub.repository(story.full_name), issue)
    hub.comments.add(found, hub.as_user("ada"), text)


def all_work_ended(story: House) -> bool:
    """Whether all approved work has ended."""
    state = story.state
    return any(not run.is_open for run in state.spec_runs.values()) and not left_open(state)


def run_with_people(supervisor: Supervisor) -> None:
    """A run with an unreadable spec, a stop while a pull is open, and a retry.

    It needs effects that `begin` does not: comments on commits, revoked orders, closed and reopened
    pulls, reopened issues.
    """
    story = supervisor.story
    push(story, {"specs/nothing.md": "# Spec: Nothing\n\nNo requirement.\n"}, "Ask for nothing")
    supervisor.work()
    begin(supervisor)
    supervisor.work_without_runners()
    for _ in range(60):
        story.runner.do_all()
        supervisor.work_without_runners()
        if story.state.open_pulls:
            break
        # A repository rests where a process died at it.
        story.forward(seconds=20)
        supervisor.beat()
    say(story, "/headgate stop")
    supervisor.work_without_runners()
    say(story, "/headgate retry")
