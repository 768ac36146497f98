"""The red tests of a gate once more, by themselves, so that a flake has a name.

It changes no ending: the bot asks a red gate again as a whole, by the rule of the policy.
"""

from dataclasses import replace

from action.harness.edits import Edits
from action.harness.gate_line import Place
from action.harness.probe import Asked, probe
from action.harness.test_runners import PYTEST, runs_pytest
from gates.result import Ending, GateDefinition, GateResult

TIMES_MAX = 2
# More red tests than this are no flakes.
TESTS_MAX = 20


def run_alone(
    definition: GateDefinition, result: GateResult, place: Place, diff_base_sha: str
) -> GateResult:
    """The result, with the tests that failed and pass without the others."""
    red = result.failed_tests
    if result.ending is not Ending.FAILED or not 0 < len(red) <= TESTS_MAX:
        return result
    if not runs_pytest(definition):
        return result
    passed: list[str] = []
    for _ in range(TIMES_MAX):
        left = [name for name in red if name not in passed]
        seen = (
            probe(PYTEST, definition, place, diff_base_sha, Asked(left), Edits()) if left else None
        )
        if seen is None:
            break
        passed += [name for name in left if (ran := seen.of(name)) and all(t.passed for t in ran)]
    if not passed:
        return result
    said = f"{result.sentence} Alone it passed: {', '.join(passed[:3])}."
    return replace(result, passed_alone=tuple(passed), sentence=said)
