"""How far the tests of a requirement prove it, beyond that they passed: levels L3 and L4.

The tests that name a requirement run once more by the gate's own line, over the candidate, to see which
of the added lines they run. Only where the order asks for L4, they also run over main with nothing but the
change's tests put on it, to see them fail, and over the candidate with small faults in the lines that they
run. A test fails without the change where an assertion fails by a fault, or, where no fault can be made in
what it runs, on main. What cannot be seen is None.
"""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from action.harness.edits import Edits, as_in
from action.harness.gate_line import Place
from action.harness.inline_tests import is_rust_of_tests, lines_of_product, with_inline_tests
from action.harness.order_context import OrderContext
from action.harness.probe import NOTHING, Asked, Probed, ProbedRunner, probe
from action.harness.test_runners import TEST_RUNNERS
from action.order import GateOrder
from gates.asked import Asked as Does
from gates.mutants import MUTANTS_OF_A_LINE, mutants
from gates.proof import ProofLevel, ProvingTest, RequirementProof
from gates.result import Ending, GateDefinition, GateResult
from gates.test_guard.languages import is_test_path

# How long all of it may take.
SECONDS_MIN = 120.0
TIMES_THE_GATE = 2.0
_TIMES_WITHOUT = 3.0
_FAULTY_SECONDS_MIN = 10.0
# Beyond these, a file that cannot be compiled on main hides the tests of the others.
_FILES_ALONE_MAX = 4
# A change of more files is not taken apart.
_FILES_MAX = 500
_TEST_FOLDERS = frozenset(
    {"test", "tests", "testing", "testdata", "cassettes"}
    | {"__tests__", "__snapshots__", "__fixtures__", "__mocks__"}
)
# What tests compare with, wherever it lies: jest and vitest, insta, goldie.
_TEST_DATA = (".snap", ".snap.new", ".golden")
_MEASURED = frozenset({Does.ADDED, Does.MODIFIED})


@dataclass
class _Run:
    runner: ProbedRunner
    order: GateOrder
    context: OrderContext
    place: Place
    definition: GateDefinition
    ends_at: float
    seconds_max: float = math.inf

    @property
    def is_over(self) -> bool:
        return time.monotonic() > self.ends_at

    def probe(
        self, tests: Sequence[ProvingTest], edits: Edits, lines: Mapping[str, Sequence[int]]
    ) -> Probed | None:
        if self.is_over:
            return None
        select = [test.id for test in tests]
        files = sorted({test.path for test in tests})
        asked = Asked(select, files, lines, seconds_max=self.seconds_max)
        base = self.order.diff_base_sha
        started = time.monotonic()
        seen = probe(self.runner, self.definition, self.place, base, asked, edits)
        if math.isinf(self.seconds_max):
            # A fault may go round for ever.
            self.seconds_max = max(
                _FAULTY_SECONDS_MIN, _TIMES_WITHOUT * (time.monotonic() - started)
            )
        self.context.halt.check()
        return seen


def measure(
    order: GateOrder, context: OrderContext, place: Place, results: Mapping[str, GateResult]
) -> dict[str, GateResult]:
    """The results, those with proofs measured; as they were where nobody asked, or nothing could be seen."""
    if order.measured.rank < ProofLevel.L3.rank or not any(r.proof for r in results.values()):
        return dict(results)
    tests = _tests(order, [proof for result in results.values() for proof in result.proof])
    if not tests:
        return dict(results)
    git = context.git
    changed = git.changed_paths(order.diff_base_sha, order.candidate_sha)
    product = [path for path in changed if not is_of_tests(path)]
    if len(product) > _FILES_MAX:
        return dict(results)
    context.progress.note(f"Measuring which lines {len(tests)} tests of requirements run")
    seen: dict[str, ProvingTest] = {}
    for runner in TEST_RUNNERS:
        mine = [test for test in tests if test.path.endswith(runner.suffixes)]
        for gate in order.gates if mine else ():
            if runner.may_run_in(gate) and results[gate.name].ending is Ending.PASSED:
                ends_at = time.monotonic() + _budget(results[gate.name])
                found = _seen(_Run(runner, order, context, place, gate, ends_at), mine, product)
                seen |= found
                if found:
                    break
    return {
        name: replace(result, proof=tuple(_with(proof, seen) for proof in result.proof))
        for name, result in results.items()
    }


def _with(proof: RequirementProof, seen: Mapping[str, ProvingTest]) -> RequirementProof:
    return replace(proof, tests=tuple(seen.get(test.id, test) for test in proof.tests))


def _budget(result: GateResult) -> float:
    return max(SECONDS_MIN, TIMES_THE_GATE * result.seconds)


def _tests(order: GateOrder, proofs: Sequence[RequirementProof]) -> list[ProvingTest]:
    does = {one.id: one.asked for one in order.requirements}
    tests = {
        test.id: test
        for proof in proofs
        if does.get(proof.requirement) in _MEASURED
        for test in proof.tests
        if test.asserts
    }
    return list(tests.values())


def _seen(
    run: _Run, tests: Sequence[ProvingTest], product: Sequence[str]
) -> dict[str, ProvingTest]:
    """The tests that the gate's line has run; none where it starts another runner."""
    git, order = run.context.git, run.order
    sources = [path for path in product if path.endswith(run.runner.suffixes)]
    added = git.added_lines(order.diff_base_sha, order.candidate_sha, sources)
    whole = run.probe(tests, Edits(), added)
    if whole is None:
        return {}
    tests = [test for test in tests if whole.of(test.id)]
    if run.runner.sees_lines:
        ran = {test.id: _lines_of(whole, test.id) for test in tests}
    else:
        # Nobody sees which: any of them may be one.
        ran = dict.fromkeys((test.id for test in tests), lines_of_product(git, order, added))
    failing: Mapping[str, bool | None] = {}
    if tests and (order.measured.rank >= ProofLevel.L4.rank or not run.runner.sees_lines):
        failing = _failing(run, tests, ran, product)
    if run.runner.sees_lines:
        return {t.id: _with_lines(t, whole, ran[t.id], failing.get(t.id)) for t in tests}
    # A test that notices what the change does has run it.
    return {
        t.id: replace(t, runs_added=failing.get(t.id) or None, fails_without=failing.get(t.id))
        for t in tests
    }


def _failing(
    run: _Run,
    tests: Sequence[ProvingTest],
    ran: Mapping[str, frozenset[tuple[str, int]]],
    product: Sequence[str],
) -> dict[str, bool | None]:
    """Whether each test fails without the change."""
    without = _without(run, tests, product)
    if without is None:
        return {}
    fails = {test.id for test in tests if _fails(without, test.id)}
    passes = {test.id for test in tests if _all_pass(without, test.id)}
    noticing = _noticing(
        run, [test for test in tests if ran[test.id] and test.id not in passes], ran
    )
    return {
        test.id: noticing.fails(
            test.id,
            is_red_on_main=test.id in fails,
            runs=run.runner.sees_lines and bool(ran[test.id]),
        )
        for test in tests
    }


def _without(run: _Run, tests: Sequence[ProvingTest], product: Sequence[str]) -> Probed | None:
    """What becomes of the tests on main; None where no time was left to see it."""
    git, order = run.context.git, run.order
    base = order.diff_base_sha
    found = run.probe(tests, with_inline_tests(git, order, as_in(git, base, product)), {})
    if found is None and run.is_over:
        return None
    # Where what is tested is missing on main, nothing may be compiled there.
    seen = [found or NOTHING]
    unseen = [test for test in tests if not seen[0].of(test.id)]
    files = sorted({test.path for test in unseen}) if run.runner.builds_folders else []
    changed = git.changed_paths(base, order.candidate_sha) if files else ()
    theirs = [p for p in changed if is_of_tests(p) and p.endswith(run.runner.suffixes)]
    for path in files[:_FILES_ALONE_MAX]:
        others = [one for one in theirs if one != path]
        alone = [test for test in unseen if test.path == path]
        edits = with_inline_tests(git, order, as_in(git, base, (*product, *others)), path)
        seen += [(run.probe(alone, edits, {}) if others else None) or NOTHING]
    return Probed(
        collected=(), tests=tuple(test for one in seen for test in one.tests), countable=0
    )


def _with_lines(
    test: ProvingTest, whole: Probed, ran: frozenset[tuple[str, int]], fails: bool | None
) -> ProvingTest:
    runs = bool(ran) if whole.countable else None
    return replace(test, runs_added=runs, fails_without=fails)


@dataclass
class _Noticing:
    """Tests that notice small faults in lines that they run; `is_cut`: not all could be tried."""

    by_assertion: set[str] = field(default_factory=set)
    tried: int = 0
    is_cut: bool = False

    def fails(self, name: str, *, is_red_on_main: bool, runs: bool) -> bool | None:
        """Whether a test fails without the change; None: nobody could see."""
        if name in self.by_assertion:
            return True
        # It may be red there only because something is missing; a fault says more where one can be made.
        if is_red_on_main and not (runs and (self.tried or self.is_cut)):
            return True
        return None if self.is_cut and runs else False


def is_of_tests(path: str) -> bool:
    """Whether a file belongs to the tests: a test file, test data, or a file in a folder of tests."""
    is_beside = not _TEST_FOLDERS.isdisjoint(path.split("/")[:-1])
    # In Rust every source file may hold tests.
    is_file = is_rust_of_tests(path) if path.endswith(".rs") else is_test_path(path)
    return is_file or is_beside or path.endswith(_TEST_DATA)


def _noticing(
    run: _Run, tests: Sequence[ProvingTest], ran: Mapping[str, frozenset[tuple[str, int]]]
) -> _Noticing:
    found = _Noticing()
    waiting = _faults(run, frozenset().union(*(ran[test.id] for test in tests)))
    while waiting:
        faults = waiting.pop(0)
        left = [test for test in tests if test.id not in found.by_assertion]
        if not left:
            break
        seen = run.probe(left, _edits(run, faults), {})
        if seen is None and run.is_over:
            found.is_cut = True
        elif seen is None or not seen.has_ended:
            # One fault of them keeps all from being compiled: the halves may be good.
            waiting += _halves(faults)
        else:
            found.tried += 1
            found.by_assertion |= {test.id for test in left if _fails(seen, test.id)}
    return found


_Line = tuple[str, int]
_Faults = Mapping[_Line, str]


def _faults(run: _Run, lines: frozenset[_Line]) -> list[_Faults]:
    """A fault in each of the lines at once, then others: a run for each line would take too long."""
    turns: list[dict[_Line, str]] = [{} for _ in range(MUTANTS_OF_A_LINE)]
    texts = {path: _text(run, path) for path, _ in lines}
    for path, number in sorted(lines):
        text = texts[path]
        found = mutants(text[number - 1], path) if 0 < number <= len(text) else ()
        for turn, fault in zip(turns, found, strict=False):
            turn[path, number] = fault
    return [turn for turn in turns if turn]


def _halves(faults: _Faults) -> list[_Faults]:
    if len(faults) < 2:
        return []
    lines = sorted(faults)
    middle = len(lines) // 2
    return [{one: faults[one] for one in half} for half in (lines[:middle], lines[middle:])]


def _edits(run: _Run, faults: _Faults) -> Edits:
    faulty: dict[str, list[str]] = {}
    for (path, number), fault in faults.items():
        faulty.setdefault(path, _text(run, path))[number - 1] = fault
    return Edits(
        {path: "\n".join(text).encode("utf-8", "surrogateescape") for path, text in faulty.items()}
    )


def _text(run: _Run, path: str) -> list[str]:
    return run.context.git.text_of(f"{run.order.candidate_sha}:{path}").split("\n")


def _lines_of(seen: Probed, name: str) -> frozenset[tuple[str, int]]:
    return frozenset(line for test in seen.of(name) for line in test.lines)


def _fails(seen: Probed, name: str) -> bool:
    return any(test.failed_by_assertion for test in seen.of(name))


def _all_pass(seen: Probed, name: str) -> bool:
    cases = seen.of(name)
    return bool(cases) and all(test.passed for test in cases)
