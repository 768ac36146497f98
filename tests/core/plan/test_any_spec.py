"""The plan of any spec is valid and the same every time.

The one exception is written in the spec: a cycle of more requirements than a change usually holds.
"""

import subprocess
import sys
from pathlib import Path

from hypothesis import given, settings, strategies as st

from bot.core.plan.check import PlanFault, check
from bot.core.plan.deterministic import plan
from bot.core.plan.operations import delta_needs, operation_groups
from bot.core.plan.stated_dependencies import explicit_needs
from bot.core.values.plan_model import REQUIREMENTS_USUAL_MAX, Plan
from bot.core.values.spec_model import Operation, Requirement, Spec, SpecDocument
from tests.core.plan.kit import KEY, PATH, document, requirement, spec, waves
from tests.testkit.examples import examples

_DOMAINS = ["cart", "desk", "books", "till", ""]
_RESOURCES = ["package.json", "Ledger", "/orders", "cart.py", "true", "db/migrations/1.sql", "Pay"]
_TITLES = ["Pay", "Return", "登录", "Pay by card", ""]


@st.composite
def _requirement(draw: st.DrawFn, at: int, total: int) -> Requirement:
    targets = st.integers(0, total - 1).map(lambda n: f"R{n}")
    ranges = st.tuples(targets, targets).map(lambda ends: f"{ends[0]} to {ends[1]}")
    operation = draw(st.none() | st.sampled_from(Operation))
    return requirement(
        f"R{at}",
        draw(st.sampled_from(_DOMAINS)),
        title=draw(st.none() | st.sampled_from(_TITLES)),
        after=draw(st.lists(targets | ranges | st.sampled_from(_TITLES), max_size=2)),
        resources=draw(st.lists(st.sampled_from(_RESOURCES), max_size=2)),
        scenario=draw(st.sampled_from(["", "refund voucher", "voucher card receipt"])),
        operation=operation,
        renamed_from=draw(st.sampled_from(_TITLES)) if operation is Operation.RENAMED else None,
        priority=draw(st.sampled_from([None, "P1", "P3", "must"])),
    )


@st.composite
def _specs(draw: st.DrawFn) -> Spec:
    total = draw(st.integers(1, 30))
    requirements = [draw(_requirement(at, total)) for at in range(total)]
    middle = draw(st.integers(0, total))
    documents: tuple[SpecDocument, ...] = (
        document(requirements[:middle], path="a.md"),
        document(requirements[middle:], path="b.md"),
    )
    return Spec(path=PATH, key=KEY, documents=documents)


@st.composite
def _forward(draw: st.DrawFn) -> Spec:
    """A spec whose references go back in the file only, so that it holds no cycle."""
    total = draw(st.integers(1, 40))
    return spec(
        *(
            requirement(
                f"R{at}",
                draw(st.sampled_from(_DOMAINS)),
                after=[f"R{n}" for n in draw(st.lists(st.integers(0, max(0, at - 1)), max_size=3))],
                resources=draw(st.lists(st.sampled_from(_RESOURCES), max_size=2)),
            )
            for at in range(total)
        )
    )


def _largest_ring(of: Spec) -> int:
    """The size of the largest set of requirements that wait for one another, computed in the plain way.

    The operations on one requirement count as one node, of their number in size. The edges come
    from the planner's own readers, which have tests of their own.
    """
    head = {r.id: r.id for r in of.requirements}
    for group in operation_groups(of):
        head |= dict.fromkeys(group, group[0])
    reach = {h: {h} for h in head.values()}
    for need in (*explicit_needs(of), *delta_needs(of)):
        if need.hard:
            reach[head[need.user]].add(head[need.on])
    for middle in reach:
        for start in reach:
            if middle in reach[start]:
                reach[start] |= reach[middle]
    return max(
        sum(1 for other in head.values() if other in reach[h] and h in reach[other]) for h in reach
    )


@settings(max_examples=examples(60), deadline=None)
@given(_specs())
def test_the_plan_of_any_spec_is_valid_except_for_stated_cycles(of: Spec) -> None:
    faults = {finding.code for finding in check(plan(of), of)}
    if _largest_ring(of) <= REQUIREMENTS_USUAL_MAX:
        assert faults == set()
    else:
        assert faults <= {PlanFault.CYCLE}


@settings(max_examples=examples(40), deadline=None)
@given(_forward())
def test_the_plan_of_a_spec_without_cycles_is_valid_and_can_be_run(of: Spec) -> None:
    planned = plan(of)
    assert check(planned, of) == ()
    assert sum(map(len, waves(planned))) == len(planned.changes)


@settings(max_examples=examples(40), deadline=None)
@given(_specs())
def test_the_same_spec_always_gives_the_same_plan(of: Spec) -> None:
    again = Spec.model_validate_json(of.model_dump_json())
    planned = plan(of)
    assert planned.model_dump_json() == plan(again).model_dump_json()
    assert plan(of, revision=2).hash == planned.hash
    assert Plan.model_validate_json(planned.model_dump_json()) == planned


def test_the_plan_does_not_depend_on_the_order_of_hashes() -> None:
    """Sets of words iterate in another order in every process; the plan must not show it."""
    program = (
        "import sys; from bot.core.plan.deterministic import plan;"
        "from bot.core.values.spec_model import Spec;"
        "print(plan(Spec.model_validate_json(sys.stdin.read())).model_dump_json())"
    )
    talk = ["refund voucher basket", "voucher ledger", "basket ledger receipt", "receipt refund"]
    of = spec(
        *(
            requirement(
                f"R{n}",
                "cart" if n % 3 else "desk",
                after=[f"R{n - 5}"] if n % 4 == 0 else [],
                scenario=talk[n % 4] + talk[n % 3],
                resources=[_RESOURCES[n % 7], _RESOURCES[n % 5]],
            )
            for n in range(30)
        )
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            input=of.model_dump_json(),
            env={"PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[3],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2", "3")
    }
    assert printed == {plan(of).model_dump_json()}


def test_a_requirement_that_waits_for_a_cycle_comes_after_it() -> None:
    ring = range(1, 7 * REQUIREMENTS_USUAL_MAX)
    of = spec(
        requirement("R0", "till", after=[f"R{ring[-1]}"], priority="P1"),
        *(requirement(f"R{at}", "cart", after=[f"R{at - 1 or ring[-1]}"]) for at in ring),
    )
    assert {finding.code for finding in check(plan(of), of)} == {PlanFault.CYCLE}
