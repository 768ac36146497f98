"""An OpenSpec delta folder: each candidate folds its own operations, the last one archives it."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from action.order import AgentOrder
from tests.testkit.house import House, house
from tests.testkit.openspec import (
    CART_DELTA,
    CART_PATH,
    DOOR_DELTA,
    FOLDER,
    PROPOSAL,
    RENAMED,
    ROUNDED,
    TILL,
    TILL_DELTA,
    TILL_PATH,
)
from tests.testkit.runner import writes_a_file


@pytest.fixture
def market(tmp_path: Path) -> Iterator[House]:
    """A repository with an OpenSpec folder."""
    with house(tmp_path, {TILL_PATH: TILL}) as story:
        yield story


def the_report(market: House, tracking: int) -> str:
    """It is one comment, edited where the run goes on."""
    (report,) = (c for c in market.comments(tracking) if "requirements landed" in c)
    return report


def start(market: House) -> int:
    """Push the delta folder and approve its plan; the tracking issue."""
    market.push(
        {
            f"{FOLDER}/proposal.md": PROPOSAL,
            f"{FOLDER}/specs/till/spec.md": TILL_DELTA,
            f"{FOLDER}/specs/door/spec.md": DOOR_DELTA,
        },
        "Propose receipts",
    )
    market.settle()
    market.judge_main()
    tracking = int(market.tracking()["number"])
    market.ask(tracking, "/headgate approve")
    return tracking


def land_one(market: House) -> None:
    """Do orders until one more change has landed."""
    landed = len([line for line in market.state.ledger if line.kind == "landed"])
    while len([line for line in market.state.ledger if line.kind == "landed"]) == landed:
        lease = market.runner.take()
        assert lease is not None
        market.runner.do(lease)
        market.settle()


def test_each_landing_folds_its_own_operations_and_the_last_moves_the_folder(
    market: House,
) -> None:
    tracking = start(market)
    assert "2 requirements in 2 changes" in market.body(tracking)

    land_one(market)

    half = market.main_files()
    folded = [
        "with taxes" in half[TILL_PATH],
        "openspec/specs/door/spec.md" in half,
    ]
    assert sorted(folded) == [False, True]
    assert f"{FOLDER}/proposal.md" in half

    market.work()

    files = market.main_files()
    assert "with taxes" in files[TILL_PATH]
    assert "The door SHALL open by itself." in files["openspec/specs/door/spec.md"]
    assert not [path for path in files if path.startswith(f"{FOLDER}/")]
    today = datetime.now(UTC).date().isoformat()
    archived = f"openspec/changes/archive/{today}-add-receipts"
    assert files[f"{archived}/proposal.md"] == PROPOSAL.strip()
    assert files[f"{archived}/specs/door/spec.md"] == DOOR_DELTA.strip()
    assert market.issue(tracking)["state"] == "closed"
    assert "2 of 2 requirements landed" in the_report(market, tracking)


def ticks_its_tasks(order: AgentOrder, tree: Path) -> None:
    """Has its own files in the tree, as the harness lays them out, and fills them."""
    writes_a_file(order, tree)
    assert order.artefacts is not None
    for path, text in (
        (order.artefacts.tasks_path, order.artefacts.tasks.replace("- [ ]", "- [x]", 1)),
        (order.artefacts.design_path, f"{order.artefacts.design}\nBy {order.change}.\n"),
    ):
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text)


def test_tasks_and_design_of_each_change_land_in_the_archive(market: House) -> None:
    market.runner.agent = ticks_its_tasks
    tracking = start(market)

    land_one(market)

    today = datetime.now(UTC).date().isoformat()
    archived = f"openspec/changes/archive/{today}-add-receipts"
    own = [path for path in market.main_files() if "/headgate/" in path]
    assert len(own) == 2
    assert all(path.startswith(f"{archived}/headgate/") for path in own)

    market.work()

    files = market.main_files()
    orders = [o for o in market.runner.taken if isinstance(o, AgentOrder)]
    assert len(orders) == 2
    for order in orders:
        (requirement,) = order.requirements
        tasks = files[f"{archived}/headgate/{order.change}/tasks.md"]
        assert f"- [x] 1.1 {requirement.id}: the code does what it says" in tasks
        assert f"- [ ] 1.2 {requirement.id}: a test shows “" in tasks
        assert f"By {order.change}." in files[f"{archived}/headgate/{order.change}/design.md"]
    assert not [path for path in files if path.startswith(f"{FOLDER}/")]
    assert f"{archived}/proposal.md" in files
    assert market.issue(tracking)["state"] == "closed"
    assert len(market.issues()) == 3


def pushes_to_the_pull(market: House, edit: Callable[[Path, str], None]) -> dict[str, Any]:
    """Ada commits on the branch of the pull that is open, beside our candidate there; the pull.

    `edit` is given her clone and the place of the change's own files in it.
    """
    (pull,) = market.pulls("open")
    clone = market.clone()
    market.git(clone, "checkout", "-q", pull["head"]["ref"])
    (tasks,) = clone.glob("openspec/changes/archive/*/headgate/*/tasks.md")
    edit(clone, str(tasks.parent))
    market.git(clone, "add", "-A")
    market.git(clone, "commit", "-q", "-m", "Better by hand")
    market.git(clone, "push", "-q", "origin", f"HEAD:{pull['head']['ref']}")
    market.settle()
    assert any("**Taken over.**" in text for text in market.comments(pull["number"]))
    return pull


def up_to_a_pull(market: House) -> AgentOrder:
    market.runner.agent = ticks_its_tasks
    start(market)
    lease = market.runner.take()
    assert lease is not None
    market.runner.do(lease)
    market.settle()
    assert isinstance(lease.order, AgentOrder)
    return lease.order


def test_files_pushed_by_a_person_land_together_with_tasks_and_design(market: House) -> None:
    order = up_to_a_pull(market)

    def ticks_another(clone: Path, own: str) -> None:
        (clone / "by_hand.txt").write_text("better\n")
        tasks = Path(own, "tasks.md")
        tasks.write_text(tasks.read_text().replace("- [ ] 1.2", "- [x] 1.2"))

    pushes_to_the_pull(market, ticks_another)
    market.work()

    files = market.main_files()
    today = datetime.now(UTC).date().isoformat()
    own = f"openspec/changes/archive/{today}-add-receipts/headgate/{order.change}"
    assert files["by_hand.txt"] == "better"
    assert files[f"{own}/tasks.md"].count("- [x]") == 2
    assert f"By {order.change}." in files[f"{own}/design.md"]


def test_an_agent_continues_the_tasks_of_a_branch_that_a_person_pushed(
    market: House,
) -> None:
    order = up_to_a_pull(market)

    def breaks_it(clone: Path, _: str) -> None:
        (clone / "broken").write_text("\n")

    pull = pushes_to_the_pull(market, breaks_it)
    seen: list[str] = []

    def looks(again: AgentOrder, tree: Path) -> None:
        if again.change == order.change:
            assert again.artefacts is not None
            seen.extend((tree / path).read_text() for path in again.artefacts.paths)
            (tree / "broken").unlink()
        writes_a_file(again, tree)

    market.runner.agent = looks
    market.work()
    market.ask(pull["number"], "/headgate hand-back")
    market.work()

    assert ["- [x] 1.1" in seen[0], f"By {order.change}." in seen[1]] == [True, True]


def test_an_agent_may_not_write_other_files_of_the_folder(market: House) -> None:
    def writes_beside(order: AgentOrder, tree: Path) -> None:
        ticks_its_tasks(order, tree)
        (tree / f"{FOLDER}/proposal.md").write_text("Do less.\n")

    market.runner.agent = writes_beside
    start(market)
    market.work()

    files = market.main_files()
    assert not [path for path in files if "/headgate/" in path]
    failed = [c for c in market.state.changes.values() if c.agent_runs]
    assert failed
    assert all("proposal.md` is protected" in c.agent_runs[0].sentence for c in failed)


def test_archived_specs_start_no_work(market: House) -> None:
    start(market)
    market.work()
    issues = len(market.issues())

    market.sweep()
    market.forward(minutes=10)
    market.sweep()

    assert len(market.issues()) == issues
    assert market.runner.take() is None


def test_a_stale_delta_says_why_and_lands_without_an_agent_once_it_fits(
    market: House,
) -> None:
    tracking = start(market)
    leases = [market.runner.take(), market.runner.take()]
    market.push({TILL_PATH: RENAMED}, "Rename by hand")
    market.settle()
    for lease in leases:
        assert lease is not None
        market.runner.do(lease)
    market.work()

    report = market.comments(tracking)[-1]
    assert "1 of 2 requirements landed" in report
    assert "failed (archive refused): Its spec no longer fits the main specs" in report
    assert "'Sum up'" in report
    assert "openspec/specs/door/spec.md" in market.main_files()
    assert f"{FOLDER}/proposal.md" in market.main_files()

    market.push({TILL_PATH: TILL}, "Rename it back")
    market.settle()
    market.ask(tracking, "/headgate retry")
    market.work()

    assert len([o for o in market.runner.taken if isinstance(o, AgentOrder)]) == 2
    assert "with taxes" in market.main_files()[TILL_PATH]
    assert f"{FOLDER}/proposal.md" not in market.main_files()
    assert "2 of 2 requirements landed" in the_report(market, tracking)


def test_a_folder_is_not_archived_while_an_edit_of_it_waits(market: House) -> None:
    tracking = start(market)
    leases = [market.runner.take(), market.runner.take()]
    market.push({f"{FOLDER}/specs/cart/spec.md": CART_DELTA}, "Ask for a cart, too")
    market.settle()
    market.forward(seconds=2)
    for lease in leases:
        assert lease is not None
        market.runner.do(lease)
    market.work()
    assert len(market.pulls("closed")) == 2
    assert f"{FOLDER}/specs/cart/spec.md" in market.main_files()

    market.ask(tracking, "/headgate approve r2")
    market.work()

    files = market.main_files()
    assert "The cart SHALL hold ten things." in files[CART_PATH]
    assert "with taxes" in files[TILL_PATH]
    assert not [path for path in files if path.startswith(f"{FOLDER}/")]
    assert "3 of 3 requirements landed" in the_report(market, tracking)


def test_an_edit_without_new_requirements_is_archived_with_the_folder(market: House) -> None:
    tracking = start(market)
    land_one(market)
    market.push({f"{FOLDER}/tasks.md": "- [x] Taxes\n- [ ] A door\n"}, "Tick a task")
    market.forward(seconds=2)
    market.work()

    files = market.main_files()
    assert not [path for path in files if path.startswith(f"{FOLDER}/")]
    assert [path for path in files if path.endswith("add-receipts/tasks.md")]
    assert "2 of 2 requirements landed" in the_report(market, tracking)


def test_removing_an_operation_from_the_folder_fails_its_change(market: House) -> None:
    tracking = start(market)
    leases = [market.runner.take(), market.runner.take()]
    market.push({f"{FOLDER}/{path}": None for path in market_files(market)}, "Away with it")
    market.settle()
    for lease in leases:
        assert lease is not None
        market.runner.do(lease)
    market.work()

    report = market.comments(tracking)[-1]
    assert "0 of 2 requirements landed" in report
    assert "'Open the door' is not in the delta folder any more" in report


def market_files(market: House) -> list[str]:
    """The files of the delta folder on main, by their paths below it."""
    prefix = f"{FOLDER}/"
    return [p.removeprefix(prefix) for p in market.main_files() if p.startswith(prefix)]


def test_a_push_that_only_edits_main_specs_starts_no_work(market: House) -> None:
    market.push({TILL_PATH: f"{TILL}\nMore.\n"}, "Say more")
    market.work()

    assert market.issues() == []


def test_a_block_edited_on_main_is_overwritten_only_on_request(
    market: House,
) -> None:
    tracking = start(market)
    leases = [market.runner.take(), market.runner.take()]
    market.push({TILL_PATH: ROUNDED}, "Round by hand")
    market.settle()
    for lease in leases:
        assert lease is not None
        market.runner.do(lease)
    market.work()

    report = market.comments(tracking)[-1]
    assert "1 of 2 requirements landed" in report
    assert "'Sum up' was edited on main after this was planned" in report
    assert "Main now also says:" in report
    assert "it is rounded to a cent" in report
    assert market.main_files()[TILL_PATH] == ROUNDED.strip()
    orders = len(market.runner.taken)

    market.ask(tracking, "/headgate retry")
    market.work()

    assert "with taxes" in market.main_files()[TILL_PATH]
    assert "2 of 2 requirements landed" in the_report(market, tracking)
    assert not [o for o in market.runner.taken[orders:] if isinstance(o, AgentOrder)]
