"""What an agent is told of the tests that its work needs."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from bot.core.spec.test_plan import TestPlan
from bot.core.values.spec_model import Requirement
from gates.proof import ProofLevel

_BEYOND = {
    ProofLevel.L3: "runs lines that your work adds.",
    ProofLevel.L4: "runs lines that your work adds, and fails by an assertion without them.",
}
T = TypeVar("T")


def planned_tests(plan: TestPlan, requirements: Sequence[Requirement]) -> tuple[str, ...]:
    """A line for each thing that the gate `spec_verify` asks; none where there is no such gate."""
    if plan.highest is ProofLevel.NONE:
        return ()
    lines = [
        "Each requirement has a test that names its id (in the test's name, or in a comment or a string in "
        "it), asserts something and passes."
    ]
    for level, whose in _groups(requirements, plan.level_of):
        if level in _BEYOND:
            subject = f"A test of {whose}" if whose else "It"
            lines.append(f"{subject} {_BEYOND[level]}")
    for wanted, whose in _groups(requirements, plan.tests_per_scenario):
        if wanted:
            tests = "a test that passes" if wanted == 1 else f"{wanted} tests that pass"
            of = f" of {whose}" if whose else ""
            lines.append(
                f"Each scenario{of} has {tests} and contains the scenario's name in its words."
            )
    return tuple(lines)


def _groups(
    requirements: Sequence[Requirement], asks: Callable[[Requirement], T]
) -> Iterator[tuple[T, str]]:
    """What is asked, with the requirements that it is asked of; none named where it is of all."""
    found: dict[T, list[str]] = {}
    for one in requirements:
        found.setdefault(asks(one), []).append(one.id.partition("#")[2])
    for asked, whose in found.items():
        yield asked, ", ".join(whose) if len(found) > 1 else ""
