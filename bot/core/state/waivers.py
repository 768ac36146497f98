"""Failing tests that a person accepted: they keep nothing from passing until their day is over."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, datetime

from bot.core.journal.state import RepositoryState
from bot.core.spec.policy import Policy
from gates.result import FAILED_TESTS_MAX, Ending, GateResult


def waived_now(state: RepositoryState, policy: Policy, now: datetime) -> frozenset[str]:
    """The tests that are accepted today, by a comment or by the policy on main."""
    until: Mapping[str, date | None] = {
        **policy.file.waive,
        **{test: waiver.until for test, waiver in state.waivers.items()},
    }
    return frozenset(test for test, day in until.items() if day is None or now.date() <= day)


def with_waivers(result: GateResult, waived: frozenset[str]) -> GateResult:
    """The result with what is accepted of it; a runner's own word for it does not count."""
    failed = set(result.failed_tests)
    if not names_all_failures(result) or failed - waived:
        return replace(result, waived_tests=())
    said = f"Known on main and accepted: {', '.join(sorted(failed)[:5])}."
    return replace(result, waived_tests=tuple(sorted(failed)), sentence=f"{said} {result.sentence}")


def with_losses_allowed(
    result: GateResult, gates: Iterable[str], may_lose: Mapping[str, str]
) -> GateResult:
    """The result of a gate that guards main's tests, accepted where a person let all of them go."""
    lost = result.failed_tests
    is_whole = result.ending is Ending.FAILED and 0 < len(lost) < FAILED_TESTS_MAX
    if result.gate not in set(gates) or not is_whole or not may_lose.keys() >= set(lost):
        return result
    people = ", ".join(sorted({f"@{may_lose[test]}" for test in lost}))
    return replace(result, waived_tests=lost, sentence=f"Allowed by {people}. {result.sentence}")


def names_all_failures(result: GateResult) -> bool:
    """Whether the gate failed, and its tests that failed are named, every one."""
    counts = result.tests
    return (
        result.ending is Ending.FAILED
        and counts is not None
        and counts.failed + counts.errored == len(set(result.failed_tests))
        and 0 < len(result.failed_tests) < FAILED_TESTS_MAX
    )


def failing(results: Iterable[GateResult]) -> tuple[str, ...]:
    red = (t for r in results if not r.is_accepted for t in r.failed_tests)
    return tuple(dict.fromkeys(red))
