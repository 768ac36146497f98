"""The red tests of a gate once more, by themselves, so that a flake has a name.

It changes no ending: the bot asks a red gate again as a whole, by the rule of the policy.
"""

from collections.abc import Sequence
from dataclasses import replace

from action.harness.edits import Edits
from action.harness.gate_line import Place
from action.harness.probe import Asked, ProbedRunner, probe
from action.harness.test_runners import TEST_RUNNERS
from gates.result import Ending, GateDefinition, GateResult
from gates.test_guard.languages import is_test_path

TIMES_MAX = 2
# More red tests than this are no flakes.
TESTS_MAX = 20
# A line that starts another runner than it seems runs as a whole, so each turn has an end.
_SECONDS_MIN = 60.0
_TIMES_THE_GATE = 2.0


def run_alone(
    definition: GateDefinition,
    result: GateResult,
    place: Place,
    paths: Sequence[str],
    diff_base_sha: str,
) -> GateResult:
    """The result, with the tests that failed and pass without the others."""
    red = result.failed_tests
    if result.ending is not Ending.FAILED or not 0 < len(red) <= TESTS_MAX:
        return result
    for runner in TEST_RUNNERS:
        has_tests = any(path.endswith(runner.suffixes) and is_test_path(path) for path in paths)
        if has_tests and runner.may_run_in(definition):
            passed = _passed_alone(runner, definition, result, place, diff_base_sha)
            if passed is not None:
                return _told(result, passed)
    return result


def _passed_alone(
    runner: ProbedRunner,
    definition: GateDefinition,
    result: GateResult,
    place: Place,
    diff_base_sha: str,
) -> list[str] | None:
    """Red tests that passed; None where none of them ran: the line starts another runner."""
    seconds = max(_SECONDS_MIN, _TIMES_THE_GATE * result.seconds)
    passed: list[str] = []
    has_run = False
    for _ in range(TIMES_MAX):
        left = [name for name in result.failed_tests if name not in passed]
        asked = Asked(left, are_reported=True, seconds_max=seconds)
        seen = probe(runner, definition, place, diff_base_sha, asked, Edits()) if left else None
        ran = {name: seen.of(name) for name in left} if seen else {}
        if not any(ran.values()):
            break
        has_run = True
        passed += [name for name in left if ran[name] and all(t.passed for t in ran[name])]
    return passed if has_run else None


def _told(result: GateResult, passed: Sequence[str]) -> GateResult:
    if not passed:
        return result
    said = f"{result.sentence} Alone it passed: {', '.join(passed[:3])}."
    return replace(result, passed_alone=tuple(passed), sentence=said)
