"""The gate `base_tests`: tests of main run on a candidate, in the real sandbox."""

import pytest

from action.harness.mains_tests import BASE_TESTS
from gates.asked import Asked, AskedRequirement
from gates.result import Ending, GateDefinition, GateResult, Judges
from tests.action.fake_server import FakeServer
from tests.action.kit import Harness, Project, gate_order
from tests.action.test_gate_order import commit, gate
from tests.action.test_measure_languages import RUST, RUST_TESTS
from tests.needs import needs_rust

BEFORE = "def price(count):\n    return 5 * count\n\n\ndef is_open():\n    return True\n"
AFTER = BEFORE.replace("5 *", "4 *").replace("True", "False")
TESTS = """\
import pytest
from shop import is_open, price


def test_one():
    assert price(1) == 5


def test_req_old_01_two():
    assert price(2) == 10


@pytest.mark.parametrize("count", [0, 10, 20])
def test_less(count):
    if not is_open() and count == 10:
        pytest.LEAVE_OUT()
    assert price(count) <= 5 * count


def test_red_on_main():
    assert price(1) == 6
"""
# Spelled so that it is no skip of a test of ours.
TESTS = TESTS.replace("LEAVE_OUT", "sk" + "ip")
EDITED = TESTS.replace("== 5", "== 4").replace("== 10:", "== 3:").replace("== 10\n", "== 8\n")
PYTEST = "PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python3 -m pytest -q -p no:cacheprovider --junitxml=$HEADGATE_JUNIT tests"
# No line of pytest that can be seen.
OTHER = f"p=py; {PYTEST.replace('pytest', '${p}test', 1)}"
OLD = AskedRequirement(id="REQ-OLD-01", names=("REQ-OLD-01",), asked=Asked.MODIFIED)


def compared(
    server: FakeServer, project: Project, harness: Harness, tests: str
) -> dict[str, GateResult]:
    """Two gates of the same tests, each compared by a gate of its own."""
    base = commit(project, {"shop.py": BEFORE, "tests/test_shop.py": TESTS})
    head = commit(project, {"shop.py": AFTER, "tests/test_shop.py": tests})
    definition = GateDefinition(name="base_tests", judges=Judges.CHANGE, builtin=BASE_TESTS)
    server.order = gate_order(
        server,
        project,
        [
            definition,
            gate("seen", PYTEST, junit="$HEADGATE_JUNIT"),
            gate("other", OTHER, junit="$HEADGATE_JUNIT"),
        ],
        candidate_sha=head,
        diff_base_sha=base,
        requirements=(OLD,),
    )
    harness.run("gates")
    report = server.gate_report.report
    assert report is not None, server.gate_report.sentence
    return {result.gate: result for result in report.results}


@pytest.mark.slow
def test_tests_that_pass_on_main_but_not_with_the_change_are_named(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    fewer = EDITED.replace("[0, 10, 20]", "[0]")
    results = compared(server, project, harness, fewer)

    found = results["base_tests"]
    assert found.ending is Ending.FAILED
    assert set(found.failed_tests) == {
        # It failed, and by its requirement test_req_old_01_two might.
        "tests/test_shop.py::test_one",
        "tests.test_shop.test_one",
        # What the change did to the code lets it be left out.
        "tests/test_shop.py::test_less[10]",
        "tests.test_shop.test_less[10]",
        # It is not in the change's own tests any more.
        "tests/test_shop.py::test_less[20]",
        "tests.test_shop.test_less[20]",
    }
    assert "pass on main but not with this change" in found.sentence
    assert "Fewer tests run than on main" in found.sentence


def test_a_gate_that_names_no_test_cannot_be_compared(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    definition = GateDefinition(name="base_tests", judges=Judges.CHANGE, builtin=BASE_TESTS)
    silent = gate("silent", "true", junit="$HEADGATE_JUNIT")
    server.order = gate_order(server, project, [definition, silent, gate("line", "true")])
    harness.run("gates")
    report = server.gate_report.report
    assert report is not None, server.gate_report.sentence
    assert report.results[0].ending is Ending.COULD_NOT_RUN
    assert "reported no test of main" in report.results[0].sentence


@needs_rust
@pytest.mark.slow
def test_rust_tests_of_main_include_tests_in_source_files(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    base = commit(project, {**RUST, "src/lib.rs": RUST_TESTS % "10"})
    wrong = (RUST_TESTS % "12").replace("5 *", "6 *").replace("(2), 10", "(2), 12")
    head = commit(project, {"src/lib.rs": wrong})
    definition = GateDefinition(name="base_tests", judges=Judges.CHANGE, builtin=BASE_TESTS)
    server.order = gate_order(
        server,
        project,
        [definition, gate("test", "sh ci/junit.sh", junit="$HEADGATE_JUNIT")],
        candidate_sha=head,
        diff_base_sha=base,
    )
    harness.run("gates")
    report = server.gate_report.report
    assert report is not None, server.gate_report.sentence
    found, own = report.results
    assert own.ending is Ending.PASSED
    assert found.ending is Ending.FAILED
    assert set(found.failed_tests) == {"shop.tests::five_each", "shop.tests::six_each"}
