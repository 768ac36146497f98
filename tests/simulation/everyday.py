"""The ordinary day that crashes and bad days disturb: a spec, two changes, one second attempt.

Also what is compared when it is over. Deliberately absent: trouble.
"""

from dataclasses import dataclass
from pathlib import Path

from action.order import AgentOrder
from tests.simulation.laws import first_parents, left_open
from tests.testkit.crash import Ward
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


def forgetful(order: AgentOrder, tree: Path) -> None:
    """An agent whose first attempt at counting breaks the gate, and whose second mends it."""
    writes_a_file(order, tree)
    if order.attempt == 1 and "Count" in order.title:
        (tree / "broken").write_text("Something was forgotten.\n")
    else:
        (tree / "broken").unlink(missing_ok=True)


@dataclass(frozen=True)
class Ending:
    """What people see when it is over, without what differs from day to day (times, SHAs)."""

    subjects: tuple[str, ...]
    trees: tuple[str, ...]
    issues: tuple[tuple[str, str, int], ...]
    pulls: tuple[tuple[str, str], ...]
    attempts: tuple[tuple[str, int], ...]


def ending_of(story: House) -> Ending:
    """The ending of a story."""
    git = story.hub.repository(story.full_name).git
    line = first_parents(story)
    return Ending(
        subjects=tuple(story.history()),
        trees=tuple(git.commit(sha).tree for sha in line),
        issues=tuple(
            (str(i["title"]), str(i["state"]), len(story.comments(int(str(i["number"])))))
            for i in story.issues()
        ),
        pulls=tuple((str(p["title"]), str(p["state"])) for p in story.pulls()),
        attempts=tuple((c.slug, c.attempt) for c in story.state.changes.values()),
    )


def begin(ward: Ward) -> None:
    """Push the spec, and approve the plan that comes of it."""
    story = ward.story
    story.runner.agent = forgetful
    push(story, {SPEC_PATH: SPEC}, "Ask for a kiosk")
    ward.finish(lambda: any(run.revisions_shown for run in story.state.spec_runs.values()))
    say(story, "/headgate approve")


def push(story: House, files: dict[str, str], message: str) -> None:
    """A maintainer's push to main, past any trouble of the network."""
    content: dict[str, bytes | None] = {path: text.encode() for path, text in files.items()}
    story.hub.commit_files(story.full_name, content, message, "ada")


def say(story: House, text: str) -> None:
    """A maintainer's comment on the newest tracking issue."""
    runs = [run for run in story.state.spec_runs.values() if run.issue is not None]
    say_on(story, int(runs[-1].issue or 0), text)


def say_on(story: House, issue: int, text: str) -> None:
    """A maintainer's comment, past any trouble of the network."""
    hub = story.hub
    found = hub.issues.find(hub.repository(story.full_name), issue)
    hub.comments.add(found, hub.as_user("ada"), text)


def at_rest(story: House) -> bool:
    """Whether all work that was approved has ended."""
    state = story.state
    return any(not run.is_open for run in state.spec_runs.values()) and not left_open(state)


def meddle(ward: Ward) -> None:
    """A day with people in it: a spec that cannot be read, then a stop with a pull open, a retry.

    It needs the effects that the everyday day does not: comments on commits, orders revoked, pulls
    closed and opened again, issues reopened.
    """
    story = ward.story
    push(story, {"specs/nothing.md": "# Spec: Nothing\n\nNo requirement.\n"}, "Ask for nothing")
    ward.work()
    begin(ward)
    ward.work_without_runners()
    story.runner.do_all()
    ward.work_without_runners()
    say(story, "/headgate stop")
    ward.work_without_runners()
    say(story, "/headgate retry")
