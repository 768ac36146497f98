"""How far the tests of a requirement prove it, beyond that they passed: levels L3 and L4.

The tests that name a requirement run once more by the gate's own line, over the candidate, to see which
of the added lines they run. Only where the order asks for L4, they also run over main with nothing but the
change's tests put on it, to see them fail, and over the candidate with small faults in the lines that they run. A test fails without the change where an assertion fails by a fault, or, where no
fault can be made in what it runs, on main. What cannot be seen is None.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from action.harness.edits import Edits, as_in
from action.harness.gate_line import Place
from action.harness.order_context import OrderContext
from action.harness.probe import Asked, Probed, probe, runs_pytest
from action.order import GateOrder
from gates.asked import Asked as Does
from gates.mutants import MUTANTS_OF_A_LINE, mutants
from gates.proof import ProofLevel, ProvingTest, RequirementProof
from gates.result import Ending, GateDefinition, GateResult
from gates.test_guard.languages import is_test_path

# How long all of it may take.
SECONDS_MIN = 60.0
TIMES_THE_GATE = 2.0
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
    order: GateOrder
    context: OrderContext
    place: Place
    definition: GateDefinition
    ends_at: float

    def probe(
        self, tests: Sequence[ProvingTest], edits: Edits, lines: Mapping[str, Sequence[int]]
    ) -> Probed | None:
        if time.monotonic() > self.ends_at:
            return None
        select = [test.id for test in tests]
        files = sorted({test.path for test in tests})
        asked = Asked(select, files, lines)
        seen = probe(self.definition, self.place, self.order.diff_base_sha, asked, edits)
        self.context.halt.check()
        return seen


def measure(
    order: GateOrder, context: OrderContext, place: Place, results: Mapping[str, GateResult]
) -> dict[str, GateResult]:
    """The results, those with proofs measured; as they were where nobody asked, or no gate of pytest passed."""
    if order.measured.rank < ProofLevel.L3.rank or not any(r.proof for r in results.values()):
        return dict(results)
    run = next(
        (
            _Run(order, context, place, gate, time.monotonic() + _budget(results[gate.name]))
            for gate in order.gates
            if runs_pytest(gate) and results[gate.name].ending is Ending.PASSED
        ),
        None,
    )
    if run is None:
        return dict(results)
    return {
        name: replace(result, proof=_measured(run, result.proof)) if result.proof else result
        for name, result in results.items()
    }


def _budget(result: GateResult) -> float:
    return max(SECONDS_MIN, TIMES_THE_GATE * result.seconds)


def _measured(run: _Run, proofs: Sequence[RequirementProof]) -> tuple[RequirementProof, ...]:
    does = {one.id: one.asked for one in run.order.requirements}
    tests = {
        test.id: test
        for proof in proofs
        if does.get(proof.requirement) in _MEASURED
        for test in proof.tests
        if test.asserts and test.path.endswith(".py")
    }
    if not tests:
        return tuple(proofs)
    run.context.progress.note(f"Which lines {len(tests)} tests of requirements run")
    seen = _seen(run, tuple(tests.values()))
    return tuple(
        replace(proof, tests=tuple(seen.get(test.id, test) for test in proof.tests))
        for proof in proofs
    )


def _seen(run: _Run, tests: Sequence[ProvingTest]) -> dict[str, ProvingTest]:
    git, order = run.context.git, run.order
    changed = git.changed_paths(order.diff_base_sha, order.candidate_sha)
    product = [path for path in changed if not is_of_tests(path)]
    if len(product) > _FILES_MAX:
        return {}
    sources = [path for path in product if path.endswith(".py")]
    added = git.added_lines(order.diff_base_sha, order.candidate_sha, sources)
    whole = run.probe(tests, Edits(), added)
    if whole is None:
        return {}
    ran = {test.id: _lines_of(whole, test.id) for test in tests}
    failing: Mapping[str, bool | None] = {}
    if order.measured.rank >= ProofLevel.L4.rank:
        failing = _failing(run, tests, ran, product)
    return {test.id: _with_lines(test, whole, ran[test.id], failing.get(test.id)) for test in tests}


def _failing(
    run: _Run,
    tests: Sequence[ProvingTest],
    ran: Mapping[str, frozenset[tuple[str, int]]],
    product: Sequence[str],
) -> dict[str, bool | None]:
    """Whether each test fails without the change."""
    without = run.probe(tests, as_in(run.context.git, run.order.diff_base_sha, product), {})
    if without is None:
        return {}
    fails = {test.id for test in tests if _fails(without, test.id)}
    passes = {test.id for test in tests if _all_pass(without, test.id)}
    noticing = _noticing(
        run, [test for test in tests if ran[test.id] and test.id not in passes], ran
    )
    return {
        test.id: noticing.fails(test.id, is_red_on_main=test.id in fails, runs=bool(ran[test.id]))
        for test in tests
    }


def _with_lines(
    test: ProvingTest, whole: Probed, ran: frozenset[tuple[str, int]], fails: bool | None
) -> ProvingTest:
    if not whole.of(test.id):
        return test
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
    """Whether a file belongs to the tests: one of theirs, or beside them."""
    is_beside = not _TEST_FOLDERS.isdisjoint(path.split("/")[:-1])
    return is_test_path(path) or is_beside or path.endswith(_TEST_DATA)


def _noticing(
    run: _Run, tests: Sequence[ProvingTest], ran: Mapping[str, frozenset[tuple[str, int]]]
) -> _Noticing:
    found = _Noticing()
    for edits in _faults(run, frozenset().union(*(ran[test.id] for test in tests))):
        left = [test for test in tests if test.id not in found.by_assertion]
        seen = run.probe(left, edits, {}) if left else None
        if seen is not None:
            found.tried += 1
            found.by_assertion |= {test.id for test in left if _fails(seen, test.id)}
        elif left:
            found.is_cut = True
    return found


def _faults(run: _Run, lines: frozenset[tuple[str, int]]) -> Iterator[Edits]:
    """A fault in each of the lines at once, then others: a run for each line would take too long."""
    git, sha = run.context.git, run.order.candidate_sha
    texts = {path: git.text_of(f"{sha}:{path}").split("\n") for path in {path for path, _ in lines}}
    for turn in range(MUTANTS_OF_A_LINE):
        faulty: dict[str, list[str]] = {}
        for path, number in lines:
            found = mutants(texts[path][number - 1]) if 0 < number <= len(texts[path]) else ()
            if turn < len(found):
                faulty.setdefault(path, [*texts[path]])[number - 1] = found[turn]
        if faulty:
            yield Edits(
                {
                    path: "\n".join(text).encode("utf-8", "surrogateescape")
                    for path, text in faulty.items()
                }
            )


def _lines_of(seen: Probed, name: str) -> frozenset[tuple[str, int]]:
    return frozenset(line for test in seen.of(name) for line in test.lines)


def _fails(seen: Probed, name: str) -> bool:
    return any(test.failed_by_assertion for test in seen.of(name))


def _all_pass(seen: Probed, name: str) -> bool:
    cases = seen.of(name)
    return bool(cases) and all(test.passed for test in cases)
