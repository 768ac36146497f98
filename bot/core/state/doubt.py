"""Red results that do not count yet: a gate runs once more before it convicts.

A gate that is red and then green on the same commit is flaky: it passes, and people are told.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from bot.core.spec.policy import Policy
from gates.result import Ending, GateResult


def ask_again(policy: Policy, results: Iterable[GateResult], doubts: Iterable[GateResult]) -> bool:
    """Whether every required gate that did not pass has a repetition left."""
    required = set(policy.required_gates)
    red = [r.gate for r in results if r.gate in required and not r.is_accepted]
    seen = [r.gate for r in doubts]
    return bool(red) and all(seen.count(gate) < policy.repeats(gate) for gate in red)


def flaked(
    results: Iterable[GateResult], doubts: Iterable[GateResult]
) -> Mapping[str, tuple[str, ...]]:
    """Each gate that passed now and was red before on this commit, with the tests that had failed."""
    before: dict[str, dict[str, None]] = {}
    for red in doubts:
        before.setdefault(red.gate, {}).update(dict.fromkeys(red.failed_tests))
    return {
        r.gate: tuple(before[r.gate])
        for r in results
        if r.ending is Ending.PASSED and r.gate in before
    }


def as_told(result: GateResult, doubts: Iterable[GateResult]) -> GateResult:
    """A flaky gate's result, with a sentence that says so."""
    tests = flaked((result,), doubts).get(result.gate)
    if tests is None:
        return result
    failed = f" ({', '.join(tests[:3])}{' …' if len(tests) > 3 else ''})" if tests else ""
    sentence = f"Flaky: it was red{failed} and then green on the same commit. {result.sentence}"
    return replace(result, sentence=sentence)
