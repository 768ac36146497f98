"""A model reviews a diff: its finding is red at the line, reaches the agent, and is closed.

The scripted model is asked through the real client, about the diff that git has.
"""

from pathlib import Path

from action.order import AgentOrder
from bot.core.journal.events import CandidateBuilt, ModelAsked
from tests.testkit.house import House
from tests.testkit.hub_setup import POLICY
from tests.testkit.model import Turn, handed_in, house_with_model, scene
from tests.testkit.specs import requirement, spec

REVIEWED = POLICY + "  review: {review: {block: major}, required: true}\nplanner: deterministic\n"
PATH = "src/till.py"
ONE = spec(requirement("TILL"))


def divides_once(order: AgentOrder, tree: Path) -> None:
    """Divides by zero, until it is told of it."""
    (tree / "src").mkdir(exist_ok=True)
    by = 1 if order.retry else 0
    (tree / PATH).write_text(f"# The till\ntotal = 10 / {by}\n")


def reads(*findings: Turn, files: tuple[str, ...] = (PATH,), **turn: object) -> Turn:
    """A turn that accounts for these files, and hands in findings."""
    answer = {"files": list(files), "findings": list(findings)}
    return handed_in("submit_review", answer, **turn)


def finding(quote: str) -> Turn:
    return {
        "path": PATH,
        "line": 2,
        "quote": quote,
        "severity": "critical",
        "message": "It divides by zero.",
        "undoes": "",
    }


CLOSED = handed_in(
    "submit_review", {"earlier": [{"id": "F1", "closed": True, "line": 0, "quote": ""}]}
)


def outcomes(shop: House) -> list[str]:
    asked = [e.call for e in shop.events("ModelAsked") if isinstance(e, ModelAsked)]
    return [f"{call.role} {call.outcome}" for call in asked]


def red_remarks(shop: House) -> list[tuple[str, str, int, str]]:
    """The annotations of failed check runs on the candidates, gate by gate."""
    found = []
    for change in shop.state.changes.values():
        for sha in candidates_of(shop, change.id):
            path = f"/commits/{sha}/check-runs?filter=all"
            for run in shop.api("GET", shop.repo(path)).json()["check_runs"]:
                if run["name"].startswith("headgate/gate/") and run["conclusion"] == "failure":
                    notes = shop.api("GET", shop.repo(f"/check-runs/{run['id']}/annotations"))
                    found += [
                        (run["name"], n["path"], n["start_line"], n["message"])
                        for n in notes.json()
                    ]
    return found


def candidates_of(shop: House, change: str) -> list[str]:
    built = [e for e in shop.events("CandidateBuilt") if isinstance(e, CandidateBuilt)]
    return [e.sha for e in built if e.change == change]


def test_a_review_finding_reaches_the_agent_and_the_fixed_work_lands(
    tmp_path: Path,
) -> None:
    turns = (
        scene("earlier", CLOSED, task=["Earlier findings on a change"]),
        scene("found", reads(finding("total = 10 / 0")), task=["total = 10 / 0"]),
        scene("mended", reads(), task=["total = 10 / 1"]),
    )
    with house_with_model(tmp_path, *turns, policy=REVIEWED) as shop:
        shop.runner.agent = divides_once
        tracking = shop.start(ONE)
        shop.work()

        assert shop.issue(tracking)["state"] == "closed"
        first, second = [o for o in shop.runner.taken if isinstance(o, AgentOrder)]
        assert first.retry is None
        assert second.retry is not None
        (red,) = second.retry.failed_gates
        (note,) = red.annotations
        assert (note.path, note.line_start, note.message) == (PATH, 2, "It divides by zero.")
        remarks = red_remarks(shop)
        assert remarks == [("headgate/gate/review", PATH, 2, "It divides by zero.")]
        assert outcomes(shop) == ["review answered"] * 3


def test_a_review_that_omits_a_file_does_not_pass_and_retry_repeats_only_the_review(
    tmp_path: Path,
) -> None:
    forgets = scene("forgets", reads(files=()), task=["total = 10 / 0"])
    with house_with_model(tmp_path, forgets, policy=REVIEWED) as shop:
        shop.runner.agent = divides_once
        shop.start(ONE)
        shop.work()

        (change,) = shop.state.changes.values()
        assert change.landed is None
        assert f"does not account for {PATH}" in change.sentence
        assert outcomes(shop) == ["review answered"]

        assert change.issue is not None
        shop.ask(change.issue, "/headgate retry")
        shop.work()
        assert outcomes(shop) == ["review answered"] * 2
        assert len([o for o in shop.runner.taken if isinstance(o, AgentOrder)]) == 1
