"""A size label by a person with write permission overrides the estimate."""

import pytest

from bot.core.decide.changes.size_from_label import size_of_label
from bot.core.state.observed import SizeSnapshot
from bot.core.talk.issues import plan_text
from bot.core.values.ids import IssueNumber
from bot.core.values.plan_model import ChangeSize
from bot.core.values.repository import Role
from tests.core.kit import World, approved, proposed, with_issues
from tests.core.values import GATES, beside, policy

# One change after another: the second one has its issue, and no order yet.
ONE_BY_ONE = GATES + "max_parallel: 1\n"


def labelled(world: World, size: ChangeSize | None, role: Role = Role.WRITE) -> IssueNumber:
    """Set the size label on the second change's issue, or remove it."""
    number = world.change("R1").issue
    assert number is not None
    snapshot = SizeSnapshot(size=size, labelled_by="ann", role=role) if size else SizeSnapshot()
    world.sizes[number] = snapshot
    world.settle()
    return number


def shown(world: World) -> str:
    return plan_text(world.run, policy(), world.state.changes_of(world.run.id))


def budget(world: World) -> float | None:
    """Of the second change's order."""
    world.work(until=lambda w: any(w.state.orders[o].change == w.change("R1").id for o in w.orders))
    return world.agent_order(world.agent_order_of("R1")).agent.limits.dollars_max


def test_a_label_sets_the_next_orders_budget_and_appears_in_the_plan() -> None:
    world = approved(beside(2), ONE_BY_ONE)
    assert world.change("R1").size is ChangeSize.S
    assert "| feature | S | R1 |" in shown(world)
    labelled(world, ChangeSize.M)
    assert "M (label by @ann)" in shown(world)
    assert "Sizes: 1 S, 1 M." in shown(world)
    assert "M: at most $2.00 of `claude-sonnet-4-6` for each attempt" in shown(world)
    assert budget(world) == 2.0
    world.work()
    assert "| M | 1 |" in world.replies()


def test_without_the_label_the_estimate_counts_again() -> None:
    world = approved(beside(2), ONE_BY_ONE)
    labelled(world, ChangeSize.M)
    labelled(world, None)
    assert "label by" not in shown(world)
    assert budget(world) == 1.0


@pytest.mark.parametrize("role", [Role.NONE, Role.READ, Role.TRIAGE])
def test_a_size_label_without_write_permission_is_refused_once(role: Role) -> None:
    world = approved(beside(2), ONE_BY_ONE)
    number = labelled(world, ChangeSize.M, role)
    world.settle()
    assert world.change("R1").size is ChangeSize.S
    told = [t for n, t in world.posted if n == number]
    assert len(told) == 1
    assert "@ann labelled this change with a size. That needs the role write" in told[0]
    assert f"@ann has the role {role} here" in told[0]


def test_a_label_on_a_landed_change_is_ignored() -> None:
    world = approved(beside(2))
    world.work()
    labelled(world, ChangeSize.M)
    assert world.wrote("SizeSaid") == []


def test_a_label_survives_a_revision_of_the_plan() -> None:
    """A journal of an older release: the issue, and its label, came with the plan."""
    world = with_issues(proposed(beside(2)))
    labelled(world, ChangeSize.M)
    slug = world.change("R0").slug
    world.say(world.run.issue or 0, f"/headgate plan size {slug} M")
    world.settle()
    assert world.run.plan is not None
    assert world.run.plan.revision == 2
    assert world.change("R1").said_size is ChangeSize.M


@pytest.mark.parametrize(
    ("label", "size"),
    [
        ("headgate:size-S", ChangeSize.S),
        ("Headgate:Size-m", ChangeSize.M),
        ("headgate:size-XL", None),
        ("size-M", None),
    ],
)
def test_labels_that_set_a_size(label: str, size: ChangeSize | None) -> None:
    assert size_of_label(label) is size
