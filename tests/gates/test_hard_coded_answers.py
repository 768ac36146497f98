"""A change whose product contains the expected answers of its tests waits for a person."""

import pytest

from gates.judge import Subject, judge
from gates.result import AnnotationLevel, Ending, GateDefinition, Judges
from gates.settings import JudgeSettings
from gates.test_guard.answers import answers
from gates.test_guard.compare import Pair
from gates.test_guard.languages import read_tests
from tests.gates.checkouts import Repository

TESTS = GateDefinition(name="tests", judges=Judges.CHANGE, builtin="tests")
PRICE = "def price(count):\n    return 5 * count\n"
PYTHON = "from shop import half\n\n\ndef test_half():\n    assert half(4) == 10\n"
JAVASCRIPT = (
    'import { half } from "./shop.js";\ntest("half", () => {\n  expect(half(4)).toBe(10);\n});\n'
)
GO = (
    "package shop\n\nfunc TestHalf(t *testing.T) {\n"
    "\tif got := Half(4); got != 10 {\n\t\tt.Fatal(got)\n\t}\n}\n"
)
RUST = "#[test]\nfn half_of_four() {\n    assert_eq!(shop::half(4), 10);\n}\n"


def seen(test: tuple[str, str], path: str, after: str, before: str = "") -> list[tuple[str, str]]:
    where, text = test
    pair = Pair(read_tests(where, b""), read_tests(where, text.encode()))
    return [(one.asked, one.given) for one in answers({path: (before, after)}, [pair])]


IN_PYTHON = ("tests/test_shop.py", PYTHON)


@pytest.mark.parametrize(
    ("test", "path", "after"),
    [
        (
            IN_PYTHON,
            "shop.py",
            "def half(count):\n    if count == 4:\n        return 10\n    return 0\n",
        ),
        (IN_PYTHON, "shop.py", "def half(count):\n    return {4: 10, 6: 15}[count]\n"),
        (
            IN_PYTHON,
            "shop.py",
            "def half(count):\n    worked_out = count * 5 / 2\n    if count == 4:\n        return 10\n    return 0\n",
        ),
        (
            IN_PYTHON,
            "shop.py",
            "HALVES = {\n    4: 10,\n}\n\n\ndef half(count):\n    return HALVES.get(count)\n",
        ),
        (
            ("shop.test.js", JAVASCRIPT),
            "shop.js",
            "export function half(n) {\n  if (n === 4) return 10;\n  return 0;\n}\n",
        ),
        (
            ("shop_test.go", GO),
            "shop.go",
            "package shop\n\nfunc Half(n int) int {\n\tswitch n {\n\tcase 4:\n\t\treturn 10\n\t}\n\treturn 0\n}\n",
        ),
        (
            ("tests/shop.rs", RUST),
            "src/lib.rs",
            "pub fn half(n: u32) -> u32 {\n    match n {\n        4 => 10,\n        _ => 0,\n    }\n}\n",
        ),
    ],
    ids=["an if", "a table in a line", "a decoy", "a table", "JavaScript", "Go", "Rust"],
)
def test_hard_coded_answers_of_a_test_are_found_in_the_product(
    test: tuple[str, str], path: str, after: str
) -> None:
    assert seen(test, path, after) == [("4", "10")]


@pytest.mark.parametrize(
    "after",
    [
        "def half(count):\n    return 5 * count / 2\n",
        # It works something out, too.
        "def half(count):\n    if count == 4:\n        return 10\n    return 5 * count / 2\n",
        "def half(count):\n    found = count * 5 / 2\n    if count == 4:\n        return 10\n    return found\n",
        # Other values than the test has.
        "def half(count):\n    if count == 6:\n        return 10\n    return 0\n",
    ],
)
def test_code_that_computes_its_result_is_not_hard_coded(after: str) -> None:
    assert seen(IN_PYTHON, "shop.py", after) == []


def test_values_that_no_new_test_checks_are_not_hard_coded_answers() -> None:
    same = read_tests(*(IN_PYTHON[0], PYTHON.encode()))
    code = "def half(count):\n    if count == 4:\n        return 10\n    return 0\n"
    assert list(answers({"shop.py": ("", code)}, [Pair(same, same)])) == []


def test_hard_coded_answers_are_red_except_in_a_persons_change(repository: Repository) -> None:
    base = repository.commit({"shop.py": PRICE})
    cheat = f"{PRICE}\n\ndef half(count):\n    if count == 4:\n        return 10\n    return 0\n"
    repository.commit({"shop.py": cheat, "tests/test_shop.py": PYTHON})

    subject = Subject(repository.folder, base)
    (result,) = judge(subject, (TESTS,), JudgeSettings(), lambda _: None).results

    assert result.ending is Ending.FAILED
    assert result.failed_tests == ("shop.py::4 gives 10",)
    assert "Code must work for any value" in result.sentence
    (found,) = result.annotations
    assert (found.level, found.path, found.line_start) == (AnnotationLevel.FAILURE, "shop.py", 7)
    assert "For 4 it returns 10" in found.message

    settings = JudgeSettings(is_of_person=True)
    assert judge(subject, (TESTS,), settings, lambda _: None).results[0].ending is Ending.PASSED
