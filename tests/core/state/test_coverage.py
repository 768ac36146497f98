"""Coverage reports only what was seen, layer by layer."""

from dataclasses import replace

import pytest

from bot.core.spec.policy_file import CoveredWhen
from bot.core.spec.read import read_spec
from bot.core.spec.triage.mentions import Mention, mentions_in
from bot.core.state.coverage import (
    CoverageStatus,
    PassedTests,
    coverage_of_files,
    has_passed,
    matched,
    passed_of,
)
from bot.core.values.spec_model import Spec
from gates.result import TestCounts
from tests.core.values import result


def shop(key: str = "shop") -> Spec:
    path = f"{key}/spec.md"
    text = "# Spec: A shop\n\n## Requirements\n\n" + "".join(
        f"### REQ-{area}-01: Make it work\nIt SHALL work.\n\n#### Scenario: It is used\n"
        f"- **WHEN** somebody uses it\n- **THEN** the {area} works\n\n"
        for area in ("CART", "TILL")
    )
    return read_spec(path, {path: text.encode()})


def says(
    *words: str, path: str = "tests/test_shop.py", test: str = "test_it"
) -> tuple[Mention, ...]:
    body = "".join(f"    # {word}\n" for word in words)
    return mentions_in(path, f"def {test}():\n{body}    assert f()\n".encode())


def statuses(
    mentions: tuple[Mention, ...], passed: PassedTests | None = None
) -> list[CoverageStatus]:
    return [row.status for row in coverage_of_files([shop()], mentions, passed).rows]


VERSION = shop().requirements[0].text_hash[:8]
WHOLE = PassedTests(
    names=("tests.test_shop.test_it[1]", "tests.test_shop.test_other"), is_whole=True
)
CUT = WHOLE.model_copy(update={"names": ("tests.test_shop.test_other",), "is_whole": False})
OTHERS = CUT.model_copy(update={"is_whole": True})


@pytest.mark.parametrize(
    ("word", "passed", "status"),
    [
        ("nothing", None, CoverageStatus.NOT_NAMED),
        ("shop#REQ-CART-01", None, CoverageStatus.NAMED),
        ("REQ-CART-01", None, CoverageStatus.NAMED),
        ("other#REQ-CART-01", None, CoverageStatus.NOT_NAMED),
        (f"shop#REQ-CART-01@{VERSION}", None, CoverageStatus.NAMED),
        ("shop#REQ-CART-01@00000000", None, CoverageStatus.STALE),
        ("shop#REQ-CART-01@00000000", WHOLE, CoverageStatus.STALE),
        ("REQ-CART-01", WHOLE, CoverageStatus.TESTED),
        ("REQ-CART-01", OTHERS, CoverageStatus.NOT_PASSED),
        ("REQ-CART-01", CUT, CoverageStatus.NAMED),
    ],
)
def test_each_coverage_status_is_distinguished(
    word: str, passed: PassedTests | None, status: CoverageStatus
) -> None:
    assert statuses(says(word), passed) == [status, CoverageStatus.NOT_NAMED]


def test_a_requirement_id_in_a_test_name_counts() -> None:
    assert statuses(says("x", test="test_req_cart_01_counts"))[0] is CoverageStatus.NAMED
    assert statuses(says("x", test="test_req_cart_011"))[0] is CoverageStatus.NOT_NAMED


def test_a_test_of_another_file_with_the_same_name_does_not_count() -> None:
    passed = PassedTests(names=("tests.test_other.test_it",), is_whole=True)
    assert statuses(says("REQ-CART-01"), passed)[0] is CoverageStatus.NOT_PASSED


def test_an_id_used_in_two_specs_needs_its_spec_name_or_path() -> None:
    both = [*shop("shop").requirements, *shop("store").requirements]
    bare = matched(both, says("REQ-CART-01", path="tests/test_it.py"))
    near = matched(both, says("REQ-CART-01", path="tests/store/test_it.py"))
    assert (set(bare), set(near)) == (set(), {"store#REQ-CART-01"})


def test_the_team_chooses_which_coverage_is_enough() -> None:
    found = coverage_of_files([shop()], says("REQ-CART-01"), OTHERS)
    assert [len(found.missing(asked)) for asked in CoveredWhen] == [1, 2, 2]


def test_an_id_of_the_spec_that_no_requirement_has_is_an_orphan() -> None:
    found = coverage_of_files([shop()], says("shop#REQ-GONE-01", "elsewhere#REQ-X-1"), None)
    assert [m.written for m in found.orphans] == ["shop#REQ-GONE-01"]


def test_gates_without_a_report_do_not_report_tests() -> None:
    silent, told = result("lint"), result("test")
    assert passed_of([silent]) is None
    told = replace(told, tests=TestCounts(passed=1), passed_tests=("a.b",))
    assert passed_of([silent, told]) == PassedTests(names=("a.b",), is_whole=True)


@pytest.mark.parametrize(
    ("path", "test", "name", "is_passed"),
    [
        ("till/till_test.go", "TestSum", "example.com/shop/till.TestSum", True),
        ("till/till_test.go", "TestSum", "example.com/shop/desk.TestSum", False),
        ("till_test.go", "TestSum", "example.com/shop.TestSum", True),
        # As `node --test` and jest-junit name a test.
        ("test/till.test.js", "sums up", "test.sums up", True),
        ("test/till.test.js", "sums up", "Till sums up.Till sums up", True),
        ("test/till.test.js", "sums up", "test/desk.test.js.Desk > sums up", False),
        ("test/till.test.js", "sums up", "test/till.test.js.Till > sums up", True),
        ("src/lib.rs", "sums_up", "shop.tests::sums_up", True),
        ("src/till.rs", "sums_up", "shop.desk::tests::sums_up", False),
        ("tests/test_till.py", "test_sum", "tests.test_desk.test_sum", False),
    ],
)
def test_a_passed_test_is_known_by_the_name_that_its_runner_reports(
    path: str, test: str, name: str, *, is_passed: bool
) -> None:
    mention = Mention(written="", path=path, line=1, test=test)
    assert has_passed(mention, [name]) is is_passed
