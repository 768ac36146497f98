"""What the harness measures of tests that name requirements: lines run and faults detected."""

import pytest

from action.harness.measure import is_of_tests
from action.harness.test_runners import runs_pytest
from gates.asked import Asked, AskedRequirement
from gates.proof import ProofLevel, ProvingTest
from gates.result import Ending, GateDefinition, Judges
from tests.action.fake_server import FakeServer
from tests.action.kit import Harness, Project, gate_order
from tests.action.test_gate_order import commit, gate

BEFORE = "def price(count):\n    return 5 * count\n"
AFTER = """\
PLACE = "here"


def price(count):
    if count > 2:
        return 4 * count
    return 5 * count


def total(counts):
    return sum(price(count) for count in counts)
"""
TESTS = '''\
import shop
from shop import price


def test_changed():
    """REQ-A"""
    assert price(3) == 12


def test_new():
    """REQ-B"""
    assert shop.total([1, 2]) == 15


def test_before():
    """REQ-C"""
    assert price(1) == 5


def test_elsewhere():
    """REQ-D"""
    assert len("shop") == 4


def test_looks_away():
    """REQ-E"""
    shop.total([1, 2])
    assert len("shop") == 4


def test_constant():
    """REQ-F"""
    assert shop.PLACE == "here"


def test_is_there():
    """REQ-H"""
    total = getattr(shop, "total", None)
    assert total is not None
    total([1, 2])


def test_kept():
    """REQ-G"""
    assert price(4) == 16
'''
IMPORTING = '''\
from shop import total


def test_imported():
    """REQ-I"""
    assert total([1, 1]) == 10
'''
LINE = "PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 PYTHONPATH=. python3 -m pytest -x -q -p no:cacheprovider --junitxml=$HEADGATE_JUNIT"


def proving(server: FakeServer) -> dict[str, ProvingTest]:
    report = server.gate_report.report
    assert report is not None, server.gate_report.sentence
    proof = next(r.proof for r in report.results if r.proof)
    return {one.requirement: test for one in proof for test in one.tests}


@pytest.mark.slow
def test_lines_that_tests_run_and_faults_they_detect_are_measured(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    base = commit(project, {"shop.py": BEFORE})
    tests = {"tests/test_shop.py": TESTS, "tests/test_total.py": IMPORTING}
    head = commit(project, {"shop.py": AFTER, **tests})
    verify = GateDefinition(name="spec_verify", judges=Judges.CHANGE, builtin="spec_verify")
    asked = [
        AskedRequirement(id=f"REQ-{x}", names=(f"REQ-{x}",), asked=Asked.ADDED) for x in "ABCDEFHI"
    ]
    kept = AskedRequirement(id="REQ-G", names=("REQ-G",), asked=Asked.KEPT)
    server.order = gate_order(
        server,
        project,
        [verify, gate("test", LINE, junit="$HEADGATE_JUNIT")],
        candidate_sha=head,
        diff_base_sha=base,
        requirements=(*asked, kept),
        measured=ProofLevel.L4,
    )

    harness.run("gates")

    seen = {id_: (t.runs_added, t.fails_without) for id_, t in proving(server).items()}
    assert seen == {
        "REQ-A": (True, True),
        "REQ-B": (True, True),
        # It runs `if count > 2`, which is new, and passes without it.
        "REQ-C": (True, False),
        "REQ-D": (False, False),
        "REQ-E": (True, False),
        "REQ-F": (False, False),
        "REQ-G": (None, None),
        # An assertion fails on main; by a fault in what it calls only that crashes.
        "REQ-H": (True, False),
        # On main it is not even collected; a fault in what it calls fails it by an assertion.
        "REQ-I": (True, True),
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("measured", "runs", "fails"),
    [(ProofLevel.L2, None, None), (ProofLevel.L3, True, None)],
)
def test_only_the_requested_measurements_are_made(
    server: FakeServer,
    project: Project,
    harness: Harness,
    measured: ProofLevel,
    *,
    runs: bool | None,
    fails: bool | None,
) -> None:
    base = commit(project, {"shop.py": BEFORE})
    head = commit(project, {"shop.py": AFTER, "tests/test_shop.py": TESTS})
    verify = GateDefinition(name="spec_verify", judges=Judges.CHANGE, builtin="spec_verify")
    server.order = gate_order(
        server,
        project,
        [verify, gate("test", LINE, junit="$HEADGATE_JUNIT")],
        candidate_sha=head,
        diff_base_sha=base,
        requirements=(AskedRequirement(id="REQ-A", names=("REQ-A",), asked=Asked.ADDED),),
        measured=measured,
    )

    harness.run("gates")

    (test,) = proving(server).values()
    assert (test.runs_added, test.fails_without) == (runs, fails)


POLLUTED = """\
import shop

seen = []


def test_first():
    seen.append(1)


def test_second():
    assert not seen


class TestThird:
    def test_it(self):
        assert shop.price(1) == 6
"""


@pytest.mark.slow
def test_red_tests_run_again_alone(server: FakeServer, project: Project, harness: Harness) -> None:
    head = commit(project, {"shop.py": BEFORE, "tests/test_shop.py": POLLUTED})
    line = LINE.replace("-x ", "")
    gates = [gate("test", line, junit="$HEADGATE_JUNIT")]
    server.order = gate_order(server, project, gates, candidate_sha=head)

    harness.run("gates")

    report = server.gate_report.report
    assert report is not None, server.gate_report.sentence
    (result,) = report.results
    assert result.ending is Ending.FAILED
    assert result.failed_tests == (
        "tests.test_shop.test_second",
        "tests.test_shop.TestThird.test_it",
    )
    assert result.passed_alone == ("tests.test_shop.test_second",)
    assert "When run alone, these passed: tests.test_shop.test_second." in result.sentence


@pytest.mark.parametrize(
    ("line", "is_it"),
    [
        ("pytest --junitxml=$HEADGATE_JUNIT", True),
        ("uv run pytest --junitxml=$HEADGATE_JUNIT", True),
        ("python3 -m pytest -q --junitxml $HEADGATE_JUNIT tests", True),
        (".venv/bin/pytest --junitxml=$HEADGATE_JUNIT", True),
        ("py.test --junitxml=$HEADGATE_JUNIT", True),
        ("go test ./... | tee $HEADGATE_JUNIT", False),
        ("pytest-runner --out $HEADGATE_JUNIT", False),
        ("sh ci/pytest.sh $HEADGATE_JUNIT", False),
        ("pytest", False),
    ],
)
def test_a_line_of_pytest_is_known_by_its_words(line: str, is_it: bool) -> None:
    assert runs_pytest(gate("test", line)) is is_it


@pytest.mark.parametrize(
    ("path", "is_it"),
    [
        ("tests/data/prices.json", True),
        ("web/__snapshots__/shop.test.js.snap", True),
        ("src/snapshots/shop__total.snap", True),
        ("shop/testdata/total.golden", True),
        ("web/__mocks__/shop.js", True),
        ("shop/snapshots/export.py", False),
        ("shop/fixtures/prices.json", False),
    ],
)
def test_expected_output_files_belong_to_the_tests(path: str, is_it: bool) -> None:
    assert is_of_tests(path) is is_it


@pytest.mark.slow
def test_tests_that_run_in_several_processes_are_measured(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    base = commit(project, {"shop.py": BEFORE})
    head = commit(project, {"shop.py": AFTER, "tests/test_shop.py": TESTS})
    verify = GateDefinition(name="spec_verify", judges=Judges.CHANGE, builtin="spec_verify")
    line = LINE.replace("-x ", "-p xdist -n 2 ")
    server.order = gate_order(
        server,
        project,
        [verify, gate("test", line, junit="$HEADGATE_JUNIT")],
        candidate_sha=head,
        diff_base_sha=base,
        requirements=tuple(
            AskedRequirement(id=f"REQ-{x}", names=(f"REQ-{x}",), asked=Asked.ADDED) for x in "ACD"
        ),
        measured=ProofLevel.L4,
    )

    harness.run("gates")

    seen = {id_: (t.runs_added, t.fails_without) for id_, t in proving(server).items()}
    assert seen == {"REQ-A": (True, True), "REQ-C": (True, False), "REQ-D": (False, False)}
