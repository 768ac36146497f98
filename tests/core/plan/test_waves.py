"""What may begin when, and the longest way through a plan."""

from bot.core.ids import Slug
from bot.core.plan.waves import critical_path, ready, waves
from tests.core.plan.kit import change, plan_of, waits

DIAMOND = plan_of(
    change("base", "A"),
    change("left", "B", waits("base")),
    change("right", "CD", waits("base")),
    change("top", "E", waits("left"), waits("right")),
    change("alone", "F"),
)


def test_what_waits_for_nothing_is_ready_and_the_rest_follows_what_landed() -> None:
    assert ready(DIAMOND, ()) == ("base", "alone")
    assert ready(DIAMOND, {Slug("base")}) == ("left", "right", "alone")
    assert ready(DIAMOND, {Slug("base"), Slug("left")}) == ("right", "alone")


def test_a_failed_change_holds_back_its_dependents_and_nothing_else() -> None:
    landed = {Slug("base"), Slug("right"), Slug("alone")}
    assert ready(DIAMOND, landed) == ("left",)


def test_waves_run_side_by_side() -> None:
    assert waves(DIAMOND) == (("base", "alone"), ("left", "right"), ("top",))


def test_the_critical_path_is_the_longest_then_the_heaviest() -> None:
    assert critical_path(DIAMOND) == ("base", "right", "top")
    assert critical_path(plan_of()) == ()


def test_a_cycle_and_what_stands_behind_it_never_begins() -> None:
    knot = plan_of(
        change("a", "A", waits("b")),
        change("b", "B", waits("a")),
        change("c", "C", waits("b")),
        change("d", "D", waits("gone")),
        change("e", "E"),
    )
    assert waves(knot) == (("e",),)
    assert critical_path(knot) == ("e",)
