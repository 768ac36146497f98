"""An agent's bundle is checked before it is used; refused work is tried again."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from action.order import AgentOrder
from action.report import AgentEnding, AgentReport
from tests.testkit.house import House
from tests.testkit.runner import Agent, Lease, writes_a_file
from tests.testkit.specs import requirement, spec

SHOP = spec(requirement("TILL"))


def once(mischief: Callable[[Path], None]) -> Agent:
    """An agent that hands in bad work first, and good work after it is told."""

    def agent(order: AgentOrder, tree: Path) -> None:
        if order.retry is not None:
            writes_a_file(order, tree)
            return
        mischief(tree)
        (tree / "good.txt").write_text("Nothing is wrong with this.\n")

    return agent


def edits_the_policy(tree: Path) -> None:
    (tree / ".github" / "headgate.yml").write_text("version: 1\n")


def edits_the_spec(tree: Path) -> None:
    (tree / "specs" / "shop.md").write_text("# Easier\n")


def adds_a_workflow(tree: Path) -> None:
    (tree / ".github" / "workflows" / "mine.yml").write_text("on: push\n")


def links_out_of_the_tree(tree: Path) -> None:
    (tree / "passwords").symlink_to("/etc/passwd")


def leaves_a_key(tree: Path) -> None:
    (tree / "deploy.env").write_text("ID=" + "AKIA" + "IOSFODNN7EXAMPLE\n")


def links_up(tree: Path) -> None:
    (tree / "src").mkdir()
    (tree / "src" / "up").symlink_to("../../outside")


@pytest.mark.parametrize(
    ("mischief", "says"),
    [
        (edits_the_policy, ".github/headgate.yml"),
        (edits_the_spec, "specs/shop.md"),
        (adds_a_workflow, ".github/workflows/mine.yml"),
        (links_out_of_the_tree, "passwords"),
        (links_up, "src/up"),
        (leaves_a_key, "deploy.env"),
    ],
)
def test_work_on_protected_paths_is_refused_and_tried_again(
    shop: House, mischief: Callable[[Path], None], says: str
) -> None:
    shop.runner.agent = once(mischief)
    tracking = shop.start(SHOP)
    lease = shop.runner.take()
    assert lease is not None
    shop.runner.do(lease)
    shop.settle()

    till = shop.number("Make the till work")
    assert f"Files: `{says}`" in shop.body(till)
    assert shop.pulls() == []

    shop.work()
    _, second = (o for o in shop.runner.taken if isinstance(o, AgentOrder))
    assert second.retry is not None
    assert second.retry.reason == "agent_ended"
    assert second.retry.refused_files == (says,)
    assert second.start_sha != second.base_sha, "it goes on from what was not refused"
    assert Path(says).name in shop.body(till)
    assert "work refused" in shop.body(till)
    assert shop.issue(tracking)["state"] == "closed"
    files = shop.main_files()
    assert {"src/till-make-the-till-work.txt", "good.txt"} <= files.keys()
    assert says not in files.keys() - {".github/headgate.yml", "specs/shop.md"}
    assert files["specs/shop.md"] == SHOP.strip()
    assert "version: 1\nquiet_seconds: 0" in files[".github/headgate.yml"]


def hand_in(shop: House, lease: Lease, bundle: bytes) -> None:
    """Upload a bundle and say that it is finished work."""
    shop.runner.upload(lease, bundle).raise_for_status()
    report = AgentReport(
        order_id=lease.order.order_id,
        ending=AgentEnding.FINISHED,
        sentence="Done.",
        head_sha="0" * 40,
        bundle_sha256=hashlib.sha256(bundle).hexdigest(),
    )
    shop.runner.report(lease, report).raise_for_status()
    shop.runner.complete(lease.job)
    shop.settle()


def test_garbage_is_refused_and_tried_again(shop: House) -> None:
    shop.start(SHOP)
    lease = shop.runner.take()
    assert lease is not None

    hand_in(shop, lease, b"not a bundle at all")

    till = shop.number("Make the till work")
    assert "Reason for this attempt: " in shop.body(till)
    assert "bundle" in shop.body(till).rpartition("Reason for this attempt: ")[2]
    shop.work()
    assert "src/till-make-the-till-work.txt" in shop.main_files()


def test_work_on_another_base_is_refused_and_tried_again(shop: House) -> None:
    shop.push({"docs/hours.md": "Nine to five.\n"}, "Write the hours down")
    shop.settle()
    shop.runner.do_all()
    shop.settle()
    shop.start(SHOP)
    lease = shop.runner.take()
    assert lease is not None
    assert isinstance(lease.order, AgentOrder)
    tree = shop.runner.checkout(lease, lease.order.start_sha)
    shop.runner.git(tree, "fetch", "-q", "--unshallow") if (
        tree / ".git" / "shallow"
    ).exists() else None
    shop.runner.git(tree, "reset", "-q", "--hard", "HEAD~1")
    writes_a_file(lease.order, tree)

    hand_in(shop, lease, shop.runner.bundle(tree, "HEAD~1"))

    till = shop.number("Make the till work")
    assert "are not a linear series on top of" in shop.body(till)
    shop.work()
    assert "src/till-make-the-till-work.txt" in shop.main_files()


def test_a_missing_bundle_is_ordered_again(shop: House) -> None:
    shop.start(SHOP)
    lease = shop.runner.take()
    assert lease is not None
    report = AgentReport(
        order_id=lease.order.order_id,
        ending=AgentEnding.FINISHED,
        sentence="Done.",
        head_sha="0" * 40,
        bundle_sha256=hashlib.sha256(b"never sent").hexdigest(),
    )
    shop.runner.report(lease, report).raise_for_status()
    shop.runner.complete(lease.job)
    shop.settle()

    till = shop.number("Make the till work")
    assert "The bundle is not in the store" in shop.body(till)
    shop.work()
    assert "src/till-make-the-till-work.txt" in shop.main_files()
