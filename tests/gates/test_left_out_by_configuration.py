"""Tests that the runner's own configuration leaves out, although nothing in their file says so."""

import pytest

from gates.result import Ending
from tests.gates.test_rows_in_other_files import judged

TEST = "import pytest\nfrom shop import price\n\n\ndef test_one():\n    assert price(1) == 5\n"
SLOW = TEST.replace("def test", "@pytest.mark.slow\ndef test")
IN_A_CLASS = "from shop import price\n\n\nclass TestShop:\n    def test_one(self):\n        assert price(1) == 5\n"
NOT_SLOW = ("pytest.ini", '[pytest]\naddopts = -q -m "not slow"\n')
FAST = ("setup.cfg", "[tool:pytest]\naddopts = -m fast\n")
IN_TESTS = ("pyproject.toml", '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n')


def of(
    configuration: tuple[str, str], test: str, path: str = "tests/test_shop.py"
) -> dict[str, str]:
    return {path: test, configuration[0]: configuration[1]}


@pytest.mark.parametrize(
    ("configuration", "before", "after"),
    [
        (NOT_SLOW, TEST, SLOW),
        (
            ("pyproject.toml", "[tool.pytest.ini_options]\naddopts = ['-m', 'not slow']\n"),
            TEST,
            SLOW,
        ),
        (("tox.ini", "[pytest]\naddopts = -m 'not (web or slow)'\n"), TEST, SLOW),
        (NOT_SLOW, TEST, TEST.replace("def test", "pytestmark = pytest.mark.slow\n\n\ndef test")),
        (
            NOT_SLOW,
            TEST,
            SLOW.replace("@pytest", "later = pytest").replace("slow\n", "slow\n\n\n@later\n"),
        ),
        (NOT_SLOW, IN_A_CLASS, f"@pytest.mark.slow\n{IN_A_CLASS[IN_A_CLASS.index('class') :]}"),
        (FAST, SLOW.replace("slow", "fast"), TEST),
        (
            ("pytest.ini", "[pytest]\naddopts = -k 'not web'\n"),
            TEST,
            TEST.replace("test_one", "test_one_web"),
        ),
        (
            ("pytest.ini", "[pytest]\naddopts = --deselect tests/test_shop.py::test_two\n"),
            TEST,
            TEST.replace("_one", "_two"),
        ),
    ],
    ids=[
        "a mark",
        "a mark in TOML",
        "one of two marks",
        "a mark of the file",
        "a mark under another name",
        "a mark of the class",
        "the mark that is asked for is gone",
        "its name",
        "its whole name",
    ],
)
def test_a_test_that_the_configuration_leaves_out_now_is_skipped(
    configuration: tuple[str, str], before: str, after: str
) -> None:
    said = judged(of(configuration, before), of(configuration, after))
    assert said.ending is Ending.FAILED
    assert "left out by the configuration of the runner" in said.sentence


@pytest.mark.parametrize(
    ("configuration", "path"),
    [
        (IN_TESTS, "more/test_shop.py"),
        (("pytest.ini", "[pytest]\npython_files = test_*.py\n"), "tests/shop_test.py"),
        (("pytest.ini", "[pytest]\naddopts = --ignore=tests/slow\n"), "tests/slow/test_shop.py"),
    ],
    ids=["another folder", "another name", "a folder that is left out"],
)
def test_a_test_moved_out_of_the_collected_folders_counts_as_skipped(
    configuration: tuple[str, str], path: str
) -> None:
    said = judged(of(configuration, TEST), of(configuration, TEST, path))
    assert said.ending is Ending.FAILED
    assert "left out by the configuration of the runner" in said.sentence


@pytest.mark.parametrize(
    ("configuration", "before", "after", "path"),
    [
        (NOT_SLOW, SLOW, SLOW.replace("== 5", "== 6"), "tests/test_shop.py"),
        (NOT_SLOW, SLOW, TEST, "tests/test_shop.py"),
        (NOT_SLOW, TEST, SLOW.replace("slow", "web"), "tests/test_shop.py"),
        (("pytest.ini", "[pytest]\n"), TEST, SLOW, "tests/test_shop.py"),
        (("pytest.ini", "[pytest]\naddopts = -m 'not ('\n"), TEST, SLOW, "tests/test_shop.py"),
        (IN_TESTS, TEST, TEST, "tests/web/test_shop.py"),
        (("pyproject.toml", "[tool.pytest.ini_options\n"), TEST, SLOW, "tests/test_shop.py"),
    ],
    ids=[
        "it was left out before",
        "it is not left out any more",
        "another mark",
        "no option",
        "nobody can read it",
        "a folder below",
        "no configuration",
    ],
)
def test_legitimate_marks_and_moves_are_not_reported(
    configuration: tuple[str, str], before: str, after: str, path: str
) -> None:
    said = judged(of(configuration, before), of(configuration, after, path))
    assert said.ending is Ending.PASSED, said.sentence
