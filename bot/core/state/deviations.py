"""What a candidate that passed leaves open: less proof than there could be, warnings, accepted failures."""

from collections.abc import Iterable, Iterator

from gates.declared import NOT_DECLARED
from gates.proof import RequirementProof
from gates.result import Ending, GateResult


def deviations(results: Iterable[GateResult]) -> tuple[str, ...]:
    """A line each, in the order of the gates; the same for the same results, whenever it is asked."""
    return tuple(line for result in results for line in _of_gate(result))


def _of_gate(result: GateResult) -> Iterator[str]:
    if result.ending is not Ending.PASSED:
        yield f"Gate {result.gate} did not pass: {result.sentence}"
    if result.waived_tests:
        yield f"Failed and accepted in {result.gate}: {', '.join(result.waived_tests)}"
    for one in result.annotations:
        if one.title == NOT_DECLARED:
            yield f"{one.path} is not in the plan"
    for proof in result.proof:
        yield from _of_requirement(proof)


def _of_requirement(proof: RequirementProof) -> Iterator[str]:
    name = proof.requirement.partition("#")[2] or proof.requirement
    if proof.why:
        yield f"{name} is proven to {proof.level}: {proof.why}"
    for scenario in proof.scenarios:
        if not any(scenario in test.scenarios for test in proof.tests):
            yield f"{name}: no test names the scenario “{scenario}”"
        elif scenario in proof.thin:
            yield f"{name}: the scenario “{scenario}” has fewer than {proof.planned} tests"
