"""A large domain is split as its definition says, and in a time that grows with it."""

from collections import Counter
from collections.abc import Sequence
from time import process_time

from hypothesis import given, settings, strategies as st

from bot.core.plan.affinity import Bonds, split
from bot.core.plan.deterministic import plan
from bot.core.spec.read import read_spec
from bot.core.values.plan_model import REQUIREMENTS_PER_CHANGE_MAX
from tests.testkit.examples import examples

_WEIGHED = st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(1, 12))


def _by_definition(sizes: Sequence[int], bound: Bonds) -> list[list[int]]:
    """Slow and plain: each part grows by the group most bound to it and least to the rest."""
    left, parts = list(range(len(sizes))), []
    while left:
        to_come = -(-sum(sizes[i] for i in left) // REQUIREMENTS_PER_CHANGE_MAX)
        target = -(-sum(sizes[i] for i in left) // to_come)
        part = [left.pop(0)]
        while sum(sizes[i] for i in part) < target:
            room = REQUIREMENTS_PER_CHANGE_MAX - sum(sizes[i] for i in part)
            fitting = [i for i in left if sizes[i] <= room]
            if not fitting:
                break
            standing = {
                i: 2 * sum(bound[p][i] for p in part if i in bound[p])
                - sum(weight for other, weight in bound[i].items() if other in left)
                for i in fitting
            }
            part.append(max(fitting, key=lambda i: (standing[i], -i)))
            left.remove(part[-1])
        parts.append(sorted(part))
    return parts


@given(st.lists(st.integers(1, REQUIREMENTS_PER_CHANGE_MAX), max_size=31), st.lists(_WEIGHED))
@settings(max_examples=examples(300), deadline=None)
def test_each_part_grows_by_the_group_most_bound_to_it(
    sizes: list[int], weighed: list[tuple[int, int, int]]
) -> None:
    bound: list[Counter[int]] = [Counter() for _ in sizes]
    for left, right, weight in weighed:
        if left != right and max(left, right) < len(sizes):
            bound[left][right] += weight
            bound[right][left] += weight
    assert split(sizes, bound) == _by_definition(sizes, bound)


def test_thousands_of_requirements_that_name_one_file_are_planned_in_a_moment() -> None:
    lines = [
        f"- The `basket` must keep record {n}.\n- The shop must keep {n}.\n" for n in range(3_000)
    ]
    raw = ("# A shop\n\n## Requirements\n\n" + "".join(lines)).encode()
    spec = read_spec("a.md", {"a.md": raw})
    started = process_time()
    planned = plan(spec)
    # By pairs of all that name the basket this takes fifteen seconds and a gigabyte.
    assert process_time() - started < 5.0
    assert sum(len(c.requirements) for c in planned.changes) == 6_000
