"""The differences between an old plan and a new one."""

from bot.core.plan.diff import AlteredChange, Aspect, PlanDiff, plan_diff
from bot.core.values.plan_model import ChangeType, Plan
from tests.core.plan.kit import change, plan_of, rid, waits

OLD = plan_of(change("one", "AB"), change("two", "C", waits("one")))


def test_a_reordered_plan_with_another_revision_has_no_difference() -> None:
    again = Plan(revision=2, changes=OLD.changes[::-1])
    assert plan_diff(OLD, again).is_empty
    assert not plan_diff(OLD, plan_of()).is_empty


def test_added_changed_and_removed_changes_are_listed() -> None:
    new = plan_of(change("one", "BD"), change("three", "C"))
    assert plan_diff(OLD, new) == PlanDiff(
        appeared=("three",),
        altered=(
            AlteredChange(
                slug="one", aspects=(Aspect.REQUIREMENTS,), gained=(rid("D"),), lost=(rid("A"),)
            ),
        ),
        vanished=("two",),
    )


def test_every_aspect_of_a_change_can_alter() -> None:
    was = change("one", "A")
    becomes = was.model_copy(
        update={
            "title": "Another",
            "type": ChangeType.CONTRACT,
            "domain": "desk",
            "requirements": (rid("B"),),
            "depends_on": (waits("x"),),
            "owns": ("x.py",),
        }
    )
    (altered,) = plan_diff(plan_of(was), plan_of(becomes)).altered
    assert altered.aspects == tuple(Aspect)
