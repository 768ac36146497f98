"""Red results that do not count yet: a gate runs once more before it convicts, in the same order if it can.

A gate that is red and then green on the same commit is flaky: it passes, and people are told. A test
that flakes often gets no second run any more, unless main puts it into quarantine.
"""

from collections.abc import Iterable, Mapping, Set
from dataclasses import replace
from datetime import datetime

from bot.core.journal.evolve_main import FLAKES_KEPT
from bot.core.journal.state import RepositoryState
from bot.core.spec.policy import Policy
from bot.core.state.blame import NOTHING_FAILS, Baseline
from gates.result import Ending, GateDefinition, GateResult

# From so many flakes within 30 days on, a test (or a gate that names none) is often flaky.
OFTEN = 3


def often_flaky(state: RepositoryState, now: datetime) -> Mapping[str, int]:
    """How often each of these was flaky in 30 days."""
    since = now - FLAKES_KEPT
    times = {name: sum(at > since for at in ats) for name, ats in state.flaky.items()}
    return {name: count for name, count in times.items() if count >= OFTEN}


def without_second_run(state: RepositoryState, policy: Policy, now: datetime) -> frozenset[str]:
    """The gates and tests that get no second run: their red counts at once."""
    kept = {test for test, until in policy.quarantine.items() if now.date() <= until}
    return frozenset(often_flaky(state, now).keys() - kept)


def repeats_in_order(
    policy: Policy,
    asked: Iterable[GateDefinition],
    doubts: Iterable[GateResult] = (),
    baseline: Baseline = NOTHING_FAILS,
) -> tuple[str, ...]:
    """`GateOrder.repeats`: the lines that run once more on their runner where they are red.

    None where main fails: what is inherited needs no second run. While main is still being judged, most red
    is no matter of main.
    """
    if baseline.is_known and baseline != NOTHING_FAILS:
        return ()
    seen = [r.gate for r in doubts]
    lines = [g.name for g in asked if g.builtin is None and g.name in policy.required_gates]
    return tuple(name for name in lines for _ in range(policy.repeats(name) - seen.count(name)))


def counted_at_once(
    results: Iterable[GateResult],
    doubts: Iterable[GateResult],
    no_second_run: Set[str],
) -> tuple[GateResult, ...]:
    """The results, with the first red run of a gate whose red counts at once in place of its last run."""
    at_once: dict[str, GateResult] = {}
    for red in doubts:
        if not no_second_run.isdisjoint(_red_names(red)):
            at_once.setdefault(red.gate, red)
    return tuple(at_once.get(r.gate, r) for r in results)


def ask_again(
    policy: Policy,
    results: Iterable[GateResult],
    doubts: Iterable[GateResult],
    no_second_run: Set[str] = frozenset(),
) -> bool:
    """Whether every required gate that did not pass has a repetition left.

    One that is red by a name of `no_second_run` has none. What was not begun because of a red gate that is
    accepted by now is asked again, too.
    """
    required = set(policy.required_gates)
    results = tuple(results)
    waived = {r.gate for r in results if r.waived_tests}
    if any(r.stopped_by in waived for r in results if r.gate in required and r.stopped_by):
        return True
    red = [r for r in results if r.gate in required and r.is_red]
    seen = [r.gate for r in doubts]
    return bool(red) and all(
        seen.count(r.gate) < policy.repeats(r.gate) and no_second_run.isdisjoint(_red_names(r))
        for r in red
    )


def _red_names(result: GateResult) -> tuple[str, ...]:
    return result.failed_tests or (result.gate,)


def flaked(
    results: Iterable[GateResult], doubts: Iterable[GateResult]
) -> Mapping[str, tuple[str, ...]]:
    """Each gate that is flaky on this commit, with its tests.

    It passed now and was red before, or is red by tests that passed when they ran alone.
    """
    results = tuple(results)
    doubts = tuple(doubts)
    before: dict[str, dict[str, None]] = {}
    for red in doubts:
        before.setdefault(red.gate, {}).update(dict.fromkeys(red.failed_tests))
    alone: dict[str, dict[str, None]] = {}
    for red in (*doubts, *results):
        if red.passed_alone:
            alone.setdefault(red.gate, {}).update(dict.fromkeys(red.passed_alone))
    named = {gate: tuple(tests) for gate, tests in alone.items()}
    return named | {
        r.gate: tuple(before[r.gate])
        for r in results
        # What only tells of other gates' tests is not flaky itself.
        if r.ending is Ending.PASSED and r.gate in before and not r.proof
    }


def as_told(
    result: GateResult, doubts: Iterable[GateResult], no_second_run: Set[str] = frozenset()
) -> GateResult:
    """A flaky gate's result, with a sentence that says so."""
    often = [name for name in _red_names(result) if name in no_second_run]
    if often and not result.is_accepted:
        said = f"Often flaky, so a red result counts at once: {', '.join(often[:3])}."
        return replace(result, sentence=f"{said} {result.sentence}")
    tests = flaked((result,), doubts).get(result.gate)
    if tests is None or result.ending is not Ending.PASSED:
        return result
    failed = f" ({', '.join(tests[:3])}{' …' if len(tests) > 3 else ''})" if tests else ""
    sentence = f"Flaky: it was red{failed} and then green on the same commit. {result.sentence}"
    return replace(result, sentence=sentence)
