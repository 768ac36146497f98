"""Every rule of the plan check: a valid plan has no finding, and each fault has its own."""

import pytest

from bot.core.plan.check import PlanFault, check
from bot.core.values.plan_model import Plan
from bot.core.values.spec_model import Operation, Spec
from tests.core.plan.kit import change, plan_of, requirement, rid, spec, waits

THREE = spec(requirement("A"), requirement("B"), requirement("C"))


def _codes(plan: Plan, of: Spec = THREE) -> list[str]:
    return [finding.code for finding in check(plan, of)]


def test_a_valid_plan_has_no_finding() -> None:
    lawful = plan_of(change("one", "A"), change("two", "BC", waits("one"), owns=["x.py"]))
    assert check(lawful, THREE) == ()


@pytest.mark.parametrize(
    ("plan", "code", "subject"),
    [
        (plan_of(change("one", "AB")), PlanFault.UNCOVERED, rid("C")),
        (plan_of(change("one", "AB"), change("two", "BC")), PlanFault.COVERED_TWICE, rid("B")),
        (plan_of(change("one", "ABBC")), PlanFault.COVERED_TWICE, rid("B")),
        (plan_of(change("one", "ABCX")), PlanFault.UNKNOWN_REQUIREMENT, rid("X")),
        (plan_of(change("one", "ABC"), change("two", "")), PlanFault.EMPTY_CHANGE, "two"),
        (plan_of(change("one", "AB"), change("one", "C")), PlanFault.DUPLICATE_SLUG, "one"),
        (
            plan_of(change("one", "ABC", waits("nowhere"))),
            PlanFault.UNKNOWN_DEPENDENCY,
            "one",
        ),
        (plan_of(change("one", "ABC", waits("one"))), PlanFault.SELF_DEPENDENCY, "one"),
        (
            plan_of(change("one", "AB"), change("two", "C", waits("one", " "))),
            PlanFault.NO_EVIDENCE,
            "two",
        ),
        (
            plan_of(change("one", "AB", owns=["x.py"]), change("two", "C", owns=["x.py"])),
            PlanFault.TWO_OWNERS,
            "two",
        ),
        (
            plan_of(change("one", "AB", waits("two")), change("two", "C")),
            PlanFault.WRONG_ORDER,
            "one",
        ),
    ],
)
def test_only_the_planted_fault_is_found(plan: Plan, code: PlanFault, subject: str) -> None:
    assert [(f.code, f.subject) for f in check(plan, THREE)] == [(code, subject)]


@pytest.mark.parametrize("size", [8, 9])
def test_a_change_holds_at_most_eight_requirements(size: int) -> None:
    names = "ABCDEFGHI"[:size]
    found = _codes(plan_of(change("one", names)), spec(*map(requirement, names)))
    assert found == ([PlanFault.TOO_LARGE] if size > 8 else [])


@pytest.mark.parametrize(
    "slug",
    ["", "Cart", "cart--pay", "-cart", "cart-", "a/b", "a.lock", "größe", "a b", "a\n", "x" * 61],
)
def test_a_slug_must_be_fit_for_a_branch(slug: str) -> None:
    assert _codes(plan_of(change(slug, "ABC"))) == [PlanFault.INVALID_SLUG]


def test_a_cycle_is_reported_once_with_its_path_and_its_evidence() -> None:
    ring = plan_of(
        change("one", "A", waits("three", "s.md:1 'after C'")),
        change("two", "B", waits("one", "s.md:2 'after A'")),
        change("three", "C", waits("two", "s.md:3 'after B'")),
    )
    (finding,) = check(ring, THREE)
    assert finding.code == PlanFault.CYCLE
    assert finding.sentence == (
        "one → three → two → one wait for each other. one waits for three: s.md:1 'after C'; "
        "three waits for two: s.md:3 'after B'; two waits for one: s.md:2 'after A'."
    )


def test_two_cycles_through_one_change_are_two_findings() -> None:
    knot = plan_of(
        change("hub", "A", waits("left"), waits("right")),
        change("left", "B", waits("hub")),
        change("right", "C", waits("hub")),
    )
    assert [(f.code, f.subject) for f in check(knot, THREE)] == [
        (PlanFault.CYCLE, "hub"),
        (PlanFault.CYCLE, "hub"),
    ]


def test_operations_on_one_requirement_stay_together() -> None:
    renamed = requirement(
        "A", "cart", title="Pay", operation=Operation.RENAMED, renamed_from="Purchase"
    )
    modified = requirement("B", "cart", title="Pay", operation=Operation.MODIFIED)
    elsewhere = requirement("C", "desk", title="Pay", operation=Operation.MODIFIED)
    delta = spec(renamed, modified, elsewhere)
    assert _codes(plan_of(change("one", "AB"), change("two", "C")), delta) == []
    (finding,) = check(plan_of(change("one", "A"), change("two", "BC")), delta)
    assert (finding.code, finding.subject) == (PlanFault.SPLIT_OPERATIONS, rid("A"))
    assert "'Pay'" in finding.sentence


def test_an_operation_by_the_old_name_is_on_the_same_requirement() -> None:
    renamed = requirement(
        "A", "cart", title="Pay", operation=Operation.RENAMED, renamed_from="Purchase"
    )
    modified = requirement("B", "cart", title="purchase", operation=Operation.MODIFIED)
    delta = spec(renamed, modified, requirement("C"))
    split = plan_of(change("one", "A"), change("two", "BC"))
    assert _codes(split, delta) == [PlanFault.SPLIT_OPERATIONS]


def test_the_empty_plan_of_an_empty_spec_is_valid() -> None:
    assert check(plan_of(), spec()) == ()
