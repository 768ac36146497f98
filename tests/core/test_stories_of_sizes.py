"""A size label by a person with write permission overrides the estimate."""

import pytest

from bot.core.decide.changes.size_from_label import size_of_label
from bot.core.state.observed import SizeSnapshot
from bot.core.talk.issues import plan_text
from bot.core.values.ids import IssueNumber
from bot.core.values.plan_model import ChangeSize
from bot.core.values.repository import Role
from tests.core.kit import World, approved, proposed
from tests.core.values import beside, policy


def labelled(world: World, size: ChangeSize | None, role: Role = Role.WRITE) -> IssueNumber:
    """Set the size label on the first change's issue, or remove it."""
    number = world.change("R0").issue
    assert number is not None
    snapshot = SizeSnapshot(size=size, labelled_by="ann", role=role) if size else SizeSnapshot()
    world.sizes[number] = snapshot
    world.settle()
    return number


def shown(world: World) -> str:
    return plan_text(world.run, policy(), world.state.changes_of(world.run.id))


def budget(world: World) -> float | None:
    return world.agent_order().agent.limits.dollars_max


def test_a_label_sets_the_next_orders_budget_and_appears_in_the_plan() -> None:
    world = proposed(beside(1))
    assert world.change("R0").size is ChangeSize.S
    assert "| feature | S | R0 |" in shown(world)
    labelled(world, ChangeSize.M)
    assert "M (label by @ann)" in shown(world)
    assert "Sizes: 0 S, 1 M. M: at most $2.00 of `claude-sonnet-4-6` for each attempt" in shown(
        world
    )
    world.say(world.run.issue or 0, "/headgate approve")
    world.settle()
    assert budget(world) == 2.0
    world.work()
    assert "| M | 1 |" in world.replies()


def test_without_the_label_the_estimate_counts_again() -> None:
    world = proposed(beside(1))
    labelled(world, ChangeSize.M)
    labelled(world, None)
    assert "label by" not in shown(world)
    world.say(world.run.issue or 0, "/headgate approve")
    world.settle()
    assert budget(world) == 1.0


@pytest.mark.parametrize("role", [Role.NONE, Role.READ, Role.TRIAGE])
def test_a_size_label_without_write_permission_is_refused_once(role: Role) -> None:
    world = proposed(beside(1))
    number = labelled(world, ChangeSize.M, role)
    world.settle()
    assert world.change("R0").size is ChangeSize.S
    told = [t for n, t in world.posted if n == number]
    assert len(told) == 1
    assert "@ann labelled this change with a size. That needs the role write" in told[0]
    assert f"@ann has the role {role} here" in told[0]


def test_a_label_on_a_landed_change_is_ignored() -> None:
    world = approved(beside(1))
    world.work()
    labelled(world, ChangeSize.M)
    assert world.wrote("SizeSaid") == []


def test_a_label_survives_a_revision_of_the_plan() -> None:
    world = proposed(beside(2))
    labelled(world, ChangeSize.M)
    slug = world.change("R1").slug
    world.say(world.run.issue or 0, f"/headgate plan size {slug} M")
    world.settle()
    assert world.run.plan is not None
    assert world.run.plan.revision == 2
    assert world.change("R0").said_size is ChangeSize.M


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
