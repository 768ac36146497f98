"""A red gate once more: its red tests by themselves, so that a flake has a name, and then the whole line.

What the tests do by themselves changes no ending. How often the line runs is the server's word (`repeats`), and
so is what a red and a green run mean together.
"""

from collections.abc import Sequence
from dataclasses import replace

from action.harness.edits import Edits
from action.harness.gate_line import Place
from action.harness.probe import Asked, ProbedRunner, probe
from action.harness.side_by_side import JudgeLine, Results
from action.harness.test_runners import TEST_RUNNERS
from action.order import GateOrder
from gates.result import Ending, GateDefinition, GateResult
from gates.test_guard.languages import is_test_path

TIMES_MAX = 2
# More red tests than this are no flakes.
TESTS_MAX = 20
# A line that starts another runner than it seems runs as a whole, so each turn has an end.
_SECONDS_MIN = 60.0
_TIMES_THE_GATE = 2.0
# A job of GitHub's own runners ends after six hours; a line that takes longer runs once more in an order of its own.
LINE_SECONDS_MAX = 3_600.0


def judge_red_again(
    definition: GateDefinition,
    order: GateOrder,
    place: Place,
    paths: Sequence[str],
    results: Results,
    judge_line: JudgeLine,
) -> list[GateResult]:
    """The red results of a line that ran once more, oldest first; `results` gets the last one."""
    doubts: list[GateResult] = []

    def name_flakes() -> GateResult:
        result = results.by_gate[definition.name]
        # What failed by itself before does so again.
        if not doubts or doubts[-1].failed_tests != result.failed_tests:
            result = run_alone(definition, result, place, paths, order.diff_base_sha)
            results.by_gate[definition.name] = result
        return result

    result = name_flakes()
    for _ in range(order.repeats.count(definition.name)):
        if not result.is_red or result.seconds > LINE_SECONDS_MAX:
            break
        results.take_again(replace(result, sentence=f"{result.sentence} It runs once more."))
        doubts.append(replace(result, log_tail="", annotations=(), passed_tests=()))
        results.take_again(judge_line(definition, place))
        result = name_flakes()
    return doubts


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
    said = f"{result.sentence} When run alone, these passed: {', '.join(passed[:3])}."
    return replace(result, passed_alone=tuple(passed), sentence=said)
