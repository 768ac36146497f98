"""The gate `base_tests`: what main's own tests say of the candidate, and whether fewer run than on main.

The test files of main are put over the candidate, and each gate that reports its tests runs once more.
What does not pass there and passes on main was broken by the change. Where the line starts pytest, main's
tests are only collected, and of them those run that did not pass; else main's tests run as a whole. A test
may go or fail only with a requirement that the change removes or modifies, and that the test names.
"""

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from action.harness.edits import Edits, as_in, edit
from action.harness.gate_line import Place, judge_gate_line
from action.harness.inline_tests import mains_inline_tests
from action.harness.measure import is_of_tests
from action.harness.order_context import OrderContext
from action.harness.probe import Asked, Probed, probe, reports_tests
from action.harness.test_runners import PYTEST, runs_pytest
from action.order import GateOrder
from gates.command_gate import could_not_run
from gates.result import FAILED_TESTS_MAX, PASSED_TESTS_MAX, Ending, GateDefinition, GateResult
from gates.test_guard.allowance import names_requirement
from gates.test_guard.languages import read_tests

BASE_TESTS = "base_tests"
_NAMED = 3
_CASE = re.compile(r"\[.*", re.DOTALL)


@dataclass(frozen=True)
class _Ran:
    """Tests by one name each: all that ran or were skipped, and those that passed."""

    passed: frozenset[str]
    executed: frozenset[str] = frozenset()
    # As JUnit XML may name each of them.
    also: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class _UnseenError(Exception):
    """Half a sentence: why tests cannot be compared."""


@dataclass
class _Comparison:
    order: GateOrder
    context: OrderContext
    place: Place
    gate: GateDefinition
    product: Sequence[str]
    tests: Sequence[str]

    def broken(self) -> list[str]:
        over = self._run(self._over())
        self.over = over
        if runs_pytest(self.gate):
            there = self._probe(Asked(only_collect=True), self._base((*self.product, *self.tests)))
            suspects = [name for name in there.collected if name not in over.passed]
            if not suspects:
                return []
            on_main = self._probe(Asked(suspects), self._base((*self.product, *self.tests)))
            passed = {t.names[1] for t in on_main.tests if t.passed}
            return [name for name in suspects if name in passed]
        on_main_all = self._run(self._base((*self.product, *self.tests)))
        return sorted(on_main_all.passed - over.passed)

    def _over(self) -> Edits:
        """The candidate with main's tests, those beside what they test included."""
        mains = self._base(self.tests)
        inline = mains_inline_tests(self.context.git, self.order, self.product)
        return Edits({**inline, **mains.written}, mains.removed)

    def _base(self, paths: Sequence[str]) -> Edits:
        return as_in(self.context.git, self.order.diff_base_sha, paths)

    def _run(self, edits: Edits) -> _Ran:
        if runs_pytest(self.gate):
            seen = self._probe(Asked(), edits)
            return _Ran(
                passed=frozenset(t.names[1] for t in seen.tests if t.passed),
                executed=frozenset(
                    t.names[1] for t in seen.tests if t.outcome not in ("", "skipped")
                ),
                also={t.names[1]: t.names for t in seen.tests},
            )
        result = judge_gate_line(
            self.gate,
            self.gate.command or "",
            self.place,
            self.context.git.paths_of(self.order.candidate_sha),
            self.order.diff_base_sha,
            lambda layers: edit(self.place, layers, edits),
        )
        self.context.halt.check()
        if result.tests is None:
            raise _UnseenError(f"{self.gate.name} reported no test of main")
        if len(result.passed_tests) >= PASSED_TESTS_MAX:
            raise _UnseenError(f"{self.gate.name} reports too many tests to be compared by name")
        executed = frozenset((*result.passed_tests, *result.failed_tests))
        return _Ran(frozenset(result.passed_tests), executed)

    def _probe(self, asked: Asked, edits: Edits) -> Probed:
        seen = probe(PYTEST, self.gate, self.place, self.order.diff_base_sha, asked, edits)
        self.context.halt.check()
        if seen is None:
            raise _UnseenError(f"the tests of main in {self.gate.name} could not be seen")
        return seen


def check_base_tests(
    definition: GateDefinition,
    order: GateOrder,
    context: OrderContext,
    place: Place,
    results: Mapping[str, GateResult],
) -> GateResult:
    """Compare main's tests on main and over the candidate, for each gate that reports tests."""
    started = time.monotonic()
    gates = [g for g in order.gates if g.command and reports_tests(g) and g.name in results]
    if not gates and order.is_of_person:
        sentence = "A person put it on main, and no gate here reports tests."
        return GateResult(
            gate=definition.name,
            judges=definition.judges,
            ending=Ending.PASSED,
            sentence=sentence,
        )
    if not gates:
        return could_not_run(
            definition, "No gate reports its tests. Give the gate that runs them `junit`."
        )
    changed = context.git.changed_paths(order.diff_base_sha, order.candidate_sha)
    tests = [path for path in changed if is_of_tests(path)]
    product = [path for path in changed if not is_of_tests(path)]
    free = _Freed(order, context)
    broken: dict[str, None] = {}
    fewer: dict[str, None] = {}
    for gate in gates:
        one = _Comparison(order, context, place, gate, product, tests)
        try:
            broken |= dict.fromkeys(name for name in one.broken() if not free.covers(name))
        except _UnseenError as why:
            return could_not_run(definition, f"The tests could not be compared: {why}.")
        fewer |= dict.fromkeys(_fewer(one.over, results[gate.name], free))
    ending, sentence = _said(list(broken), list(fewer), is_of_person=order.is_of_person)
    return GateResult(
        gate=definition.name,
        judges=definition.judges,
        ending=ending,
        sentence=sentence,
        seconds=round(time.monotonic() - started, 3),
        failed_tests=()
        if ending is Ending.PASSED
        else tuple({**broken, **fewer})[:FAILED_TESTS_MAX],
    )


def _said(broken: Sequence[str], fewer: Sequence[str], *, is_of_person: bool) -> tuple[Ending, str]:
    if not broken and not fewer:
        return (
            Ending.PASSED,
            "Main's tests pass on this commit as they do on main, and none is missing.",
        )
    said = []
    if broken:
        said.append(
            f"{len(broken)} of main's tests pass on main but not with this change: "
            f"{_named(broken)}."
        )
    if fewer:
        said.append(f"Fewer tests run than on main. Missing: {_named(fewer)}.")
    if is_of_person:
        return Ending.PASSED, " ".join(("A person put it on main.", *said))
    rule = (
        "A test may be removed or fail only if it names a requirement that this change removes "
        "or modifies."
    )
    return Ending.FAILED, " ".join((*said, rule))


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _fewer(over: _Ran, own: GateResult, free: "_Freed") -> list[str]:
    """What main's tests run and the candidate's do not, where these are fewer: a renamed test has another
    in its place."""
    if own.tests is None:
        return []
    there = {*own.passed_tests, *own.failed_tests}
    freed = {name for name in over.executed if free.covers(name)}
    kept = over.executed - freed
    is_there = {n: not there.isdisjoint(over.also.get(n, (n,))) for n in over.executed}
    counts = own.tests.passed + own.tests.failed + own.tests.errored
    lost = len(kept) - (counts - sum(is_there[name] for name in freed))
    missing = sorted(name for name in kept if not is_there[name])
    return (missing or sorted(kept))[:lost] if lost > 0 else []


class _Freed:
    def __init__(self, order: GateOrder, context: OrderContext) -> None:
        self._order = order
        self._git = context.git
        self._names = [n for one in order.requirements if one.frees_tests for n in one.names]
        self._said: dict[str, dict[str, str]] = {}

    def covers(self, name: str) -> bool:
        path, _, inner = _CASE.sub("", name).partition("::")
        words = self._words_of(path).get(inner, "") if inner and self._names else ""
        return names_requirement(f"{name} {words}", self._names)

    def _words_of(self, path: str) -> dict[str, str]:
        if path not in self._said:
            sha = self._order.diff_base_sha
            there = self._git.regular_files(sha, [path])
            raw = self._git.bytes_of(f"{sha}:{path}") if there else b""
            self._said[path] = {test.name: test.said for test in read_tests(path, raw).tests}
        return self._said[path]
