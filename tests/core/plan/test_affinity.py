"""A large domain is cut in the author's order, and in a time that grows with it."""

from collections import Counter

from hypothesis import given, settings, strategies as st

from bot.core.plan.affinity import WEIGHT_MAX, split
from bot.core.plan.deterministic import plan
from bot.core.spec.read import read_spec
from bot.core.values.plan_model import REQUIREMENTS_USUAL_MAX
from tests.core.plan.kit import cut, requirement, spec
from tests.testkit.examples import examples
from tests.testkit.linear import grows_with_the_text

_WEIGHED = st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(1, 12))


@given(st.lists(st.integers(1, REQUIREMENTS_USUAL_MAX), max_size=31), st.lists(_WEIGHED))
@settings(max_examples=examples(200), deadline=None)
def test_parts_are_runs_of_the_authors_order_and_as_few_as_the_limit_allows(
    sizes: list[int], weighed: list[tuple[int, int, int]]
) -> None:
    bound: list[Counter[int]] = [Counter() for _ in sizes]
    for left, right, weight in weighed:
        if left != right and max(left, right) < len(sizes):
            bound[left][right] += weight
            bound[right][left] += weight
    parts = split(sizes, bound)
    assert [at for part in parts for at in part] == list(range(len(sizes)))
    assert all(sum(sizes[at] for at in part) <= REQUIREMENTS_USUAL_MAX for part in parts)
    # Filling each part to the limit is the way with the fewest.
    fewest, room = 0, 0
    for size in sizes:
        if size > room:
            fewest, room = fewest + 1, REQUIREMENTS_USUAL_MAX
        room -= size
    assert len(parts) == fewest


def test_a_cut_keeps_bound_requirements_together() -> None:
    bound: list[Counter[int]] = [Counter() for _ in range(8)]
    bound[3][4] = bound[4][3] = 12
    assert split([1] * 8, bound) == [[0, 1, 2, 3, 4], [5, 6, 7]]


def test_the_amount_of_text_in_a_part_is_limited() -> None:
    bound: list[Counter[int]] = [Counter() for _ in range(4)]
    assert split([1] * 4, bound, [WEIGHT_MAX // 2] * 4) == [[0, 1], [2, 3]]
    assert split([1] * 2, bound[:2], [2 * WEIGHT_MAX, 1]) == [[0], [1]]


def test_requirements_without_a_group_are_cut_smaller() -> None:
    text = "\n".join(f"- it keeps thing {n}" for n in range(12))
    loose = [requirement(f"R{n}", statement=text) for n in range(3)]
    grouped = [requirement(f"R{n}", "Basket", statement=text) for n in range(3)]
    assert len(cut(plan(spec(*loose)))) == 3
    assert cut(plan(spec(*grouped, requirement("Z", "Else")))) == ["R0 R1 R2", "Z"]


def test_thousands_of_requirements_about_one_file_are_planned_quickly() -> None:
    def till(count: int) -> str:
        lines = (
            f"- The `basket` must keep record {n}.\n- The shop must keep {n}.\n"
            for n in range(count)
        )
        return "".join(("# A shop\n\n## Requirements\n\n", *lines))

    planned: list[int] = []

    def work(text: str) -> None:
        changes = plan(read_spec("a.md", {"a.md": text.encode()})).changes
        planned.append(sum(len(c.requirements) for c in changes))

    # By pairs of all that name the basket the large one takes fifteen seconds and a gigabyte.
    assert grows_with_the_text(work, till(375), till(3_000))
    assert max(planned) == 6_000
