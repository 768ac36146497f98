"""Whose failure a red result is: introduced by a change, or inherited from the main under it.

What fails on a main is the baseline of the candidates that are built on it. Only what a change
introduced convicts it.
"""

from collections.abc import Iterable
from dataclasses import replace
from enum import StrEnum

from bot.core.journal.state import Candidate, LedgerKind, OrderFacts, RepositoryState
from bot.core.state.queue_order import is_doubtful
from bot.core.state.waivers import names_all_failures
from bot.core.values.ids import Frozen, Sha
from gates.result import Ending, GateResult


class Blame(StrEnum):
    """Where a failure comes from."""

    INTRODUCED = "introduced"
    INHERITED = "inherited"


class Failure(Frozen):
    """A failing test, or (`name` is the gate's) a gate that does not name all that fails."""

    name: str
    gate: str
    blame: Blame
    is_accepted: bool = False


class Baseline(Frozen):
    """What fails on a main: tests, and gates that do not name all that fails there.

    Each of `tests` has its gate, or "" where only the test is known. `is_known`: main's gates have
    spoken; else nobody can be blamed.
    """

    tests: frozenset[tuple[str, str]] = frozenset()
    gates: frozenset[str] = frozenset()
    is_known: bool = True


NOTHING_FAILS = Baseline()


def baseline_for(
    state: RepositoryState, order: OrderFacts, candidate: Candidate | None
) -> Baseline:
    """What a candidate may inherit; nothing where main was judged because of this order, and is green."""
    if candidate is None or (order.put_to_main and not is_doubtful(state, candidate.base)):
        return NOTHING_FAILS
    return baseline_of(state, candidate.base)


def baseline_of(state: RepositoryState, main: Sha) -> Baseline:
    """What fails on main at a commit: by its own gates, else by what was accepted as we landed."""
    adoption = state.adoption_under(main)
    if adoption is None:
        told = [
            r
            for c in state.changes.values()
            if c.landed == main
            for r in state.results_of(c)
            if r.is_red
        ]
        accepted = {("", test) for test in _accepted_at(state, main)}
        return Baseline(
            # Red beside a landing that did not need it.
            tests=frozenset(accepted | {(r.gate, test) for r in told for test in r.failed_tests}),
            gates=frozenset(r.gate for r in told if not names_all_failures(r)),
        )
    red = [r for r in adoption.results if r.ending is not Ending.PASSED]
    if adoption.green is None or (not adoption.green and not red):
        return Baseline(is_known=False)
    return Baseline(
        tests=frozenset((r.gate, test) for r in red for test in r.failed_tests),
        gates=frozenset(r.gate for r in red if not names_all_failures(r)),
    )


def _accepted_at(state: RepositoryState, main: Sha) -> tuple[str, ...]:
    """The failing tests under which we landed what main at a commit rests on."""
    is_reached = False
    for line in reversed(state.ledger):
        is_reached = is_reached or line.sha == main
        if is_reached and line.kind is LedgerKind.LANDED:
            return line.waived
    return ()


def with_blame(result: GateResult, baseline: Baseline) -> GateResult:
    """The result with what of it is inherited; a runner's own word for it does not count."""
    names = _failing_names(result)
    is_all = result.gate in baseline.gates
    tests = {test for gate, test in baseline.tests if gate in {"", result.gate}}
    inherited = tuple(name for name in names if is_all or name in tests)
    return replace(result, inherited=inherited)


def failures(results: Iterable[GateResult]) -> tuple[Failure, ...]:
    """Everything that failed, each with its cause: the change, or main."""
    return tuple(
        Failure(
            name=name,
            gate=r.gate,
            blame=Blame.INHERITED if name in r.inherited else Blame.INTRODUCED,
            is_accepted=name in r.waived_tests,
        )
        for r in results
        for name in _failing_names(r)
    )


def is_all_inherited(results: Iterable[GateResult], required: Iterable[str]) -> bool:
    """Whether every required gate that is red here is red on main in the same way."""
    asked = frozenset(required)
    red = failures(r for r in results if r.gate in asked and not r.is_accepted)
    return bool(red) and all(f.blame is Blame.INHERITED or f.is_accepted for f in red)


def _failing_names(result: GateResult) -> tuple[str, ...]:
    if result.ending is Ending.PASSED or result.stopped_by:
        return ()
    return (
        result.failed_tests if names_all_failures(result) else (*result.failed_tests, result.gate)
    )
