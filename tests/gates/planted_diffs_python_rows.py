"""Tests in Python that become rows of one test, and twins of which one goes: honest, and what looks alike."""

from gates.test_guard.compare import Loss
from tests.gates.planted_diffs import PlantedDiff

_P = "tests/test_shop.py"
_HEAD = "import pytest\nfrom shop import price\n\n\n"
_BOTH = f"{_HEAD}def test_one():\n    assert price(1) == 5\n\n\ndef test_two():\n    assert price(2) == 10\n"
_LOCAL = _BOTH.replace("assert price(1)", "found = price(1)\n    assert found").replace(
    "assert price(2)", "found = price(2)\n    assert found"
)
_RAISES = (
    f'{_HEAD}def test_a():\n    with pytest.raises(ValueError, match="negative"):\n        price(-1)\n\n\n'
    'def test_b():\n    with pytest.raises(ValueError, match="large"):\n        price(10**9)\n'
)


def _table(
    rows: str, names: str = '"count, cost"', name: str = "test_price", body: str = ""
) -> str:
    said = body or "assert price(count) == cost"
    given = "count, cost"
    return f"{_HEAD}@pytest.mark.parametrize({names}, {rows})\ndef {name}({given}):\n    {said}\n"


_ROWS = "[(1, 5), (2, 10)]"
_MORE = (
    f"{_HEAD}@pytest.mark.parametrize({{names}}, {{rows}})\ndef test_three(count, cost):\n"
    "    assert price(count) == cost\n"
)
_WAYS = [
    ("a parametrized test", _BOTH, _table(_ROWS)),
    ("parameters with names", _BOTH, _table('[pytest.param(1, 5, id="one"), pytest.param(2, 10)]')),
    ("parameters in a tuple", _BOTH, _table(_ROWS, names='("count", "cost")')),
    ("rows of the first", _BOTH, _table(_ROWS, name="test_one")),
    (
        "rows with a name",
        _BOTH,
        _table("ROWS").replace("@pytest.mark", f"ROWS = {_ROWS}\n\n\n@pytest.mark"),
    ),
    (
        "rows through a local name",
        _LOCAL,
        _table(_ROWS, body="found = price(count)\n    assert found == cost"),
    ),
    (
        "a loop with parts",
        _BOTH,
        f"{_HEAD}def test_price(subtests):\n    for count, cost in {_ROWS}:\n"
        "        with subtests.test(count=count):\n            assert price(count) == cost\n",
    ),
    (
        "rows that expand",
        _BOTH,
        f"{_HEAD}class TestPrice(TestCase):\n    @parameterized.expand({_ROWS})\n"
        "    def test_price(self, count, cost):\n        assert price(count) == cost\n",
    ),
    (
        "rows of two parameters",
        _BOTH,
        f'{_HEAD}@pytest.mark.parametrize("cost", [5, 10])\n@pytest.mark.parametrize("count", [1, 2])\n'
        "def test_price(count, cost):\n    assert price(count) == cost\n",
    ),
]

_TWIN = f"{_BOTH}\n\ndef test_one_again():\n    assert price(1) == 5\n"
_NODE = """\
import { test, expect } from "vitest";
import { price } from "./shop.js";

test("two", () => {
  expect(price(2)).toBe(10);
});
"""
_GO = """\
package shop

import "testing"

func TestTwo(t *testing.T) {
	if got := Price(2); got != 10 {
		t.Fatalf("got %d", got)
	}
}
"""
_RUST = "#[test]\nfn two() {\n    assert_eq!(price(2), 10);\n}\n"

_Honest = tuple[str, dict[str, tuple[str, str]]]


def _twice(path: str, text: str, at: str, old: str, new: str) -> _Honest:
    begin = text.index(at)
    return f"a twin in {path}", {path: (f"{text}\n{text[begin:].replace(old, new)}", text)}


HONEST_PYTHON_ROWS: list[_Honest] = [
    *((f"tests become {name} in Python", {_P: (before, after)}) for name, before, after in _WAYS),
    (
        "failures become rows in Python",
        {
            _P: (
                _RAISES,
                f'{_HEAD}@pytest.mark.parametrize("n, said", [(-1, "negative"), (10**9, "large")])\n'
                "def test_raises(n, said):\n    with pytest.raises(ValueError, match=said):\n        price(n)\n",
            )
        },
    ),
    (
        "rows go to another parametrized test",
        {
            _P: (
                _table("[(1, 5), (2, 10), (3, 15)]"),
                _table("[(1, 5)]")
                + "\n\n"
                + _table("[(2, 10), (3, 15)]", name="test_more")[len(_HEAD) :],
            )
        },
    ),
    ("a twin goes", {_P: (_TWIN, _BOTH)}),
    ("a file of twins goes", {_P: (_BOTH, _BOTH), "tests/test_more.py": (_BOTH, "")}),
    _twice("shop.test.ts", _NODE, "test(", '"two"', '"two again"'),
    _twice("shop_test.go", _GO, "func", "TestTwo", "TestTwoAgain"),
    _twice("tests/shop.rs", _RUST, "#[", "fn two", "fn two_again"),
]


def _less(name: str, before: str, after: str, loss: Loss = Loss.LOST) -> PlantedDiff:
    return PlantedDiff(f"python rows: {name}", _P, before, after, loss)


_CLASSES = (
    f"{_HEAD}class TestA:\n    def setup_method(self):\n        self.n = {{a}}\n\n    def test_it(self):\n"
    "        assert price(self.n) == 5 * self.n\n\n\nclass TestB:\n    def setup_method(self):\n"
    "        self.n = 2\n\n{b}"
)
_IT = "    def test_it(self):\n        assert price(self.n) == 5 * self.n\n"

_PARTS = (
    "def test_said():\n    for end in ['\\n', '\\r\\n']:\n"
    "        assert said(end) == f'5{end}'\n\n\n"
)

PYTHON_ROWS = [
    *(
        _less(
            f"another value in {name}",
            before,
            after.replace("(2, 10)", "(2, 11)").replace("2, 10)", "2, 11)"),
        )
        for name, before, after in _WAYS[:-1]
    ),
    *(
        _less(
            f"another argument in {name}",
            before,
            after.replace("(2, 10)", "(3, 10)").replace("2, 10)", "3, 10)"),
        )
        for name, before, after in _WAYS[:-1]
    ),
    _less(
        "a row that is left out",
        _BOTH,
        _table(f"[(1, 5), pytest.param(2, 10, marks=pytest.mark.{'sk' + 'ip'})]"),
    ),
    _less("rows that go through something", _BOTH, _table(f"{_ROWS}, indirect=True")),
    _less(
        "a name that has two values",
        _LOCAL,
        _table(
            _ROWS,
            body="found = cost\n    if count:\n        found = price(count)\n    assert found == cost",
        ),
    ),
    _less(
        "a row that says what another one says",
        f'{_HEAD}@pytest.mark.parametrize("n", [1, 2])\ndef test_ok(n):\n    run(n)\n    assert ok()\n',
        f'{_HEAD}@pytest.mark.parametrize("n", [1])\ndef test_ok(n):\n    run(n)\n    assert ok()\n',
        Loss.FEWER_CASES,
    ),
    _less(
        # Python before 3.12 cannot write such a row back as a text.
        "a line break in a part of a text",
        f"{_HEAD}{_PARTS}def test_more():\n    assert price(1) == 5\n",
        f"{_HEAD}{_PARTS}",
    ),
    _less("both twins", _TWIN, _HEAD + "def test_two():\n    assert price(2) == 10\n"),
    _less("a twin of another class", _CLASSES.format(a=1, b=_IT), _CLASSES.format(a=1, b="")),
    _less(
        "a twin with other rows",
        f"{_table('[(1, 5)]')}\n\n{_table('[(2, 10)]', name='test_more')[len(_HEAD) :]}",
        _table("[(1, 5)]"),
    ),
    _less(
        "a twin that changes",
        _TWIN,
        _TWIN.replace(
            "def test_one():\n    assert price(1) == 5", "def test_one():\n    assert price(1) == 6"
        ).partition("\n\n\ndef test_one_again")[0]
        + "\n",
    ),
]
