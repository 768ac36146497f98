"""What tests name: ids in names, comments and strings of tests, and nowhere else."""

import pytest
from hypothesis import given, settings, strategies as st

from bot.core.spec.triage.mentions import Mention, is_test_file, mentions_in

PYTHON = '''\
"""About shop#REQ-ALL-01."""
import pytest

REQ_CART_09 = 1


# req: shop#REQ-CART-03
def test_above():
    assert one() == 2


@pytest.mark.req("shop#REQ-CART-01@1a2b3c4d")
def test_counts():
    """REQ-CART-02 as well."""
    assert count() == 2


class TestTill:
    def test_req_till_01_sums(self):
        assert total() == 3


def test_hollow():
    """shop#REQ-CART-07"""
    assert True


def helper():
    return REQ - CART - 8
'''


def named(path: str, text: str) -> set[tuple[str, str, str]]:
    found = mentions_in(path, text.encode())
    return {(m.written, m.version, m.test) for m in found if m.written != m.test}


def test_python_tests_name_requirements_in_strings_and_comments() -> None:
    assert named("tests/test_shop.py", PYTHON) == {
        ("shop#REQ-ALL-01", "", ""),
        ("shop#REQ-CART-03", "", "test_above"),
        ("shop#REQ-CART-01", "1a2b3c4d", "test_counts"),
        ("REQ-CART-02", "", "test_counts"),
    }
    names = {m.test for m in mentions_in("tests/test_shop.py", PYTHON.encode())}
    assert "test_req_till_01_sums" in names
    assert "test_hollow" not in names


@pytest.mark.parametrize(
    ("path", "text", "written", "test"),
    [
        ("a.test.ts", 'it("REQ-CART-01: counts", () => {})', "REQ-CART-01", "REQ-CART-01: counts"),
        ("a_test.go", "// req: REQ-CART-01\nfunc TestCount(t *T) {}", "REQ-CART-01", "TestCount"),
        ("a_test.go", "func TestCount(t *T) {\n // REQ-CART-01\n}", "REQ-CART-01", "TestCount"),
        ("tests/a.rs", "/* REQ-CART-01 */\n#[test]\nfn counts() {}", "REQ-CART-01", "counts"),
        ("a.feature", "@shop#REQ-CART-01\nScenario: Count\n", "shop#REQ-CART-01", "Count"),
        ("a.bats", '@test "counts REQ-CART-01" {\n}', "REQ-CART-01", "counts REQ-CART-01"),
    ],
)
def test_tests_in_other_languages_name_requirements_near_the_test(
    path: str, text: str, written: str, test: str
) -> None:
    assert is_test_file(path)
    assert (written, "", test) in {
        (m.written, m.version, m.test) for m in mentions_in(path, text.encode())
    }


def test_code_outside_strings_and_comments_names_no_requirement() -> None:
    assert named("a_test.go", "func TestCount(t *T) { x := REQ-CART-01 }") == set()
    assert named("tests/test_a.py", "def test_a():\n    assert shop.REQ == 1\n") == set()


@pytest.mark.parametrize("path", ["src/cart.py", "docs/test.md", "conftest.py", "specs/a/spec.md"])
def test_other_files_are_not_test_files(path: str) -> None:
    assert not is_test_file(path)


@given(
    st.sampled_from(["test_a.py", "a.test.ts", "a_test.go", "a.feature", "tests/a.sh"]),
    st.one_of(st.binary(max_size=300), st.text(max_size=300).map(str.encode)),
)
@settings(max_examples=150, deadline=None)
def test_no_bytes_raise_and_lines_are_in_the_file(path: str, raw: bytes) -> None:
    lines = raw.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    found: tuple[Mention, ...] = mentions_in(path, raw)
    assert all(1 <= m.line <= lines for m in found)
