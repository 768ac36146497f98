"""Diffs that hold the product against itself, swap it, or drop what asserts; and honest work that looks alike."""

from gates.test_guard.compare import Loss
from tests.gates.planted_diffs import SKIP, PlantedDiff

PYTHON = """\
import pytest
from shop import price


def test_one():
    assert price(1) == 5


def test_two():
    assert price(2) == 10
"""
NODE = """\
import { test, expect } from "vitest";
import { price } from "./shop.js";

test("one", () => {
  expect(price(1)).toBe(5);
});

test("two", async () => {
  expect(price(2)).toBe(10);
});
"""
GO = """\
package shop

import "testing"

func TestOne(t *testing.T) {
	if got := Price(1); got != 5 {
		t.Fatalf("got %d", got)
	}
}

func TestTwo(t *testing.T) {
	assert.Equal(t, 10, Price(2))
}
"""
SUITE = """\
package shop

import "github.com/stretchr/testify/suite"

type ShopSuite struct {
	suite.Suite
}

func (s *ShopSuite) TestOne() {
	s.Equal(5, Price(1))
}

func TestShopSuite(t *testing.T) {
	suite.Run(t, new(ShopSuite))
}
"""
RUST = """\
pub fn price(n: u32) -> Money { Money(5 * n) }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one() {
        assert_eq!(price(1), Money(5));
    }
}
"""
_FILES = {
    "python": ("tests/test_shop.py", PYTHON),
    "javascript": ("web/shop.test.ts", NODE),
    "go": ("shop_test.go", GO),
    "suite": ("shop_test.go", SUITE),
    "rust": ("src/lib.rs", RUST),
}
_Edits = tuple[tuple[str, str], ...]
_Honest = tuple[str, dict[str, tuple[str, str]]]


def _edited(language: str, edits: _Edits) -> tuple[str, str, str]:
    path, before = _FILES[language]
    after = before
    for old, new in edits:
        assert old in after, old
        after = after.replace(old, new, 1)
    return path, before, after


def _less(language: str, name: str, loss: Loss, *edits: tuple[str, str]) -> PlantedDiff:
    return PlantedDiff(f"compared {language}: {name}", *_edited(language, edits), loss)


def _honest(language: str, name: str, *edits: tuple[str, str]) -> _Honest:
    path, before, after = _edited(language, edits)
    return f"{name} beside, in {language}", {path: (before, after)}


_FROM = "from shop import price"
_ONE = "    assert price(1) == 5\n"
_SWAP = "price=lambda n: 5 * n"
_FIXTURE = "@pytest.fixture(autouse=True)\ndef calm(monkeypatch):\n    {}\n\n\ndef test_one"
_ROWS = '@pytest.mark.parametrize("n, cost", ROWS)\ndef test_one(n, cost):\n    assert price(n) == cost\n'
_ANY = "class Any(int):\n    def __eq__(self, other):\n        return isinstance(other, int)"
_LEAVE = f"pytest.{SKIP}('later', allow_module_level=True)"
_W, _H, _P, _S = Loss.WEAKENED, Loss.HOLLOW, Loss.PUT_IN_PLACE, Loss.SKIPPED


def _own_word(name: str, imported: str, given: str) -> PlantedDiff:
    return _less("python", name, _W, (_FROM, f"{_FROM}, {imported}"), ("== 5", f"== {given}"))


def _swap(name: str, line: str, head: str = _FROM) -> PlantedDiff:
    return _less("python", name, _W, (_FROM, head), (_ONE, f"    {line}\n{_ONE}"))


def _dropped(name: str, line: str) -> PlantedDiff:
    return _less("javascript", name, _H, ("  expect(price(2)).toBe(10);", f"  {line}"))


_IN_PYTHON = [
    _own_word("a constant of the product", "ONE", "ONE"),
    _own_word("a table of the product", "PRICES", "PRICES[1]"),
    _own_word("another function of the product", "cost", "cost(1)"),
    _less(
        "python",
        "a part of the product",
        _W,
        (_FROM, f"import shop\n{_FROM}"),
        ("== 5", "== shop.ONE"),
    ),
    _less(
        "python",
        "rows of the product",
        _W,
        (_FROM, f"{_FROM}, ROWS"),
        (f"def test_one():\n{_ONE}", _ROWS),
    ),
    _less(
        "python",
        "its word by a local name",
        _W,
        (_FROM, f"{_FROM}, ONE"),
        (_ONE, "    wanted = ONE\n    assert price(1) == wanted\n"),
    ),
    _less(
        "python",
        "its word from inside the test",
        _W,
        (_ONE, "    from shop import ONE\n    assert price(1) == ONE\n"),
    ),
    _swap("names of the file by a key", "globals()['price'] = lambda n: 5"),
    _swap("names of the file at once", f"globals().update({_SWAP})"),
    _swap("what a function runs", "price.__code__ = (lambda n: 5).__code__"),
    _swap(
        "names of a module by a key",
        "shop.__dict__['price'] = lambda n: 5",
        f"import shop\n{_FROM}",
    ),
    _less(
        "python",
        "names of a module at once",
        _W,
        (_ONE, f"    import shop\n    vars(shop).update({_SWAP})\n    assert shop.price(1) == 5\n"),
    ),
    _less(
        "python",
        "a helper that swaps",
        _W,
        (_FROM, "import shop\nfrom shop import price"),
        ("def test_one", f"def swap(m):\n    vars(m).update({_SWAP})\n\n\ndef test_one"),
        (_ONE, "    swap(shop)\n    assert shop.price(1) == 5\n"),
    ),
    _less(
        "python",
        "a fixture that swaps by a key",
        _W,
        ("def test_one", _FIXTURE.format("monkeypatch.setitem(globals(), 'price', len)")),
    ),
    _less(
        "python",
        "a fixture that swaps at once",
        _W,
        ("def test_one", _FIXTURE.format(f"globals().update({_SWAP})")),
    ),
    _less(
        "python",
        "a type that is equal to a kind",
        _W,
        ("def test_one", f"{_ANY}\n\n\ndef test_one"),
        ("== 5", "== Any(5)"),
    ),
    _less(
        "python", "a part that is always empty", _W, ("price(1) == 5", 'str(price(1))[:0] == ""')
    ),
    _less(
        "python",
        "an end where an import fails",
        _S,
        (_FROM, f"try:\n    import other\nexcept ImportError:\n    {_LEAVE}\n{_FROM}"),
    ),
    _less(
        "python",
        "an end under a condition",
        _S,
        (_FROM, f"import sys\n\nif not FULL:\n    sys.exit(0)\n{_FROM}"),
    ),
    PlantedDiff(
        "compared python: one assertion for two",
        "tests/test_shop.py",
        PYTHON,
        PYTHON.partition("\n\n\ndef test_two")[0].replace("price(1) == 5", "price(2) == 10") + "\n",
        _W,
    ),
    _less(
        "python",
        "names of a module as the file is imported",
        _P,
        (_FROM, f"import shop\n\nshop.__dict__.update({_SWAP})\n{_FROM}"),
    ),
]
_MEMBER = "import shop\n\n\ndef test_one():\n    {}assert shop.price(1) == 5\n"
_IN_JAVASCRIPT = [
    _less(
        "javascript",
        "a constant of the product",
        _W,
        ("{ price }", "{ price, ONE }"),
        ("toBe(5)", "toBe(ONE)"),
    ),
    _less(
        "javascript",
        "a table of the product",
        _W,
        ("{ price }", "{ price, PRICES }"),
        ("toBe(5)", "toBe(PRICES[1])"),
    ),
    _less(
        "javascript",
        "another function of the product",
        _W,
        ("{ price }", "{ price, cost }"),
        ("toBe(5)", "toBe(cost(1))"),
    ),
    _less(
        "javascript",
        "a comma in what is looked at",
        _H,
        ("expect(price(1))", "expect((price(1), 5))"),
    ),
    _less("javascript", "a comma in what is given", _H, ("toBe(5)", "toBe((5, price(1)))")),
    _less(
        "javascript",
        "a comma between two that look",
        _H,
        ("  expect(price(1)).", "  (expect(price(1)), expect(5))."),
    ),
    _less(
        "javascript",
        "a function that is let go",
        _H,
        ("  expect(price(1)).toBe(5);", "  void (() => expect(price(1)).toBe(5));"),
    ),
    _less(
        "javascript",
        "a function before a comma",
        _H,
        ("  expect(price(1)).toBe(5);", "  (() => expect(price(1)).toBe(5), 0);"),
    ),
    _dropped("all of them", "Promise.all([2].map(async (n) => expect(price(n)).toBe(10)));"),
    _dropped(
        "void of all of them", "void Promise.all([2].map(async (n) => expect(price(n)).toBe(10)));"
    ),
    _dropped(
        "all of them by a name",
        "const all = Promise.all([2].map(async (n) => expect(price(n)).toBe(10)));",
    ),
    _dropped("what resolves", "Promise.all([expect(price(2)).resolves.toBe(10)]);"),
    _dropped("a new promise", "new Promise((end) => { expect(price(2)).toBe(10); end(); });"),
    _dropped(
        "an own function", "const check = async () => { expect(price(2)).toBe(10); };\n  check();"
    ),
    _dropped(
        "what settles", "await Promise.allSettled([2].map(async (n) => expect(price(n)).toBe(10)));"
    ),
    _dropped(
        "what comes first",
        "await Promise.race([0, (async () => { await 0; expect(price(2)).toBe(10); })()]);",
    ),
    _dropped("each of them", "[2].forEach(async (n) => { await 0; expect(price(n)).toBe(10); });"),
    _dropped(
        "an own function in a block",
        "{ const check = async () => { expect(price(2)).toBe(10); }; check(); }",
    ),
]
_TOLD = "(t, 10, Price(2))"
_RUN = "\tsuite.Run(t, new(ShopSuite))\n"
_METHOD = "func (s *ShopSuite) TestOne"
_IN_GO = [
    _less("go", "a constant of the product", _W, ("!= 5", "!= One")),
    _less("go", "a constant of the product by testify", _W, ("10, Price", "Ten, Price")),
    _less("go", "another function of the product", _W, ("!= 5", "!= Cost(1)")),
    _less(
        "go",
        "a method with a test's argument",
        _S,
        ("func TestOne(", "type S struct{}\n\nfunc (s *S) TestOne("),
    ),
    _less(
        "go",
        "a method of a suite that nobody runs",
        _S,
        (
            'func TestOne(t *testing.T) {\n\tif got := Price(1); got != 5 {\n\t\tt.Fatalf("got %d", got)\n\t}\n}',
            "func (s *ShopSuite) TestOne() {\n\ts.Equal(5, Price(1))\n}",
        ),
    ),
    _less("go", "nobody is told", _H, (_TOLD, "(new(testing.T), 10, Price(2))")),
    _less("suite", "another suite is run", _S, ("new(ShopSuite)", "new(suite.Suite)")),
    _less("suite", "another suite's method", _S, (_METHOD, "func (s *Other) TestOne")),
    _less(
        "suite",
        "a set-up that skips",
        _S,
        (_METHOD, "func (s *ShopSuite) SetupTest() {\n\ts.T().Skip()\n}\n\n" + _METHOD),
    ),
    _less(
        "suite",
        "a suite under a condition",
        _W,
        (_RUN, f'\tif os.Getenv("FULL") != "" {{\n\t{_RUN}\t}}\n'),
    ),
]
_EQ = "    use super::*;\n\n    impl PartialEq{of} for {name} {{\n        fn eq(&self, {other}: &Money) -> bool {{ {says} }}\n    }}"


def _equal(
    name: str, says: str, of: str = "", to: str = "Money", other: str = "other"
) -> PlantedDiff:
    text = _EQ.format(of=of, name=to, other=other, says=says)
    more = [("price(1), Money", "Calm(price(1)), Money")] if to == "Calm" else []
    own = "\n\n    struct Calm(Money);" if to == "Calm" else ""
    return _less("rust", name, _P, ("    use super::*;", text + own), *more)


_IN_RUST = [
    _less("rust", "a constant of the product", _W, ("Money(5));", "ONE);")),
    _less("rust", "another function of the product", _W, ("Money(5));", "cost(1));")),
    _less(
        "rust",
        "a function of the product that says it asserts",
        _H,
        ("assert_eq!(price(1), Money(5));", "shop::assert_same(price(1), Money(5));"),
    ),
    _equal("all are equal", "true", other="_"),
    _equal("equal to itself", "self.0 == self.0 || other.0 == 0", of="<Money>"),
    _equal("another type that is equal to all", "1 == 1", of="<Money>", to="Calm", other="_other"),
    _equal("an equality that looks", "self.0 * 0 == other.0 * 0"),
]
COMPARED = [
    *_IN_PYTHON,
    PlantedDiff(
        "compared python: a part of a module",
        "tests/test_shop.py",
        _MEMBER.format(""),
        _MEMBER.format("shop.price = lambda n: 5\n    "),
        _W,
    ),
    *_IN_JAVASCRIPT,
    *_IN_GO,
    *_IN_RUST,
]

_AWAITED = "await Promise.all([2].map(async (n) => expect(price(n)).toBe(10)));"
_MORE_SUITE = (
    "package shop\n\nfunc TestShopSuite(t *testing.T) {\n\tsuite.Run(t, new(ShopSuite))\n}\n"
)
_LEFT_OUT = f"@pytest.mark.{SKIP}if(OLD)\ndef "
_EXAMPLE = "/// ```\n/// {}\n/// ```\npub fn price() {{}}\n"
HONEST_COMPARED: list[_Honest] = [
    (
        "a library's assertion in an example of Rust",
        {
            "src/lib.rs": (
                _EXAMPLE.format("assert_eq!(shop::all(), vec![5]);"),
                _EXAMPLE.format("itertools::assert_equal(shop::all(), vec![5]);"),
            )
        },
    ),
    (
        "a test that is left out becomes two",
        {
            "tests/test_shop.py": (
                f"import pytest\n\n\n{_LEFT_OUT}test_a(n):\n    if n:\n        assert one() == 1\n    else:\n"
                "        assert two() == 2\n",
                f"import pytest\n\n\n{_LEFT_OUT}test_a_one():\n    assert one() == 1\n\n\n{_LEFT_OUT}test_a_two():\n"
                "    assert two() == 2\n",
            )
        },
    ),
    _honest(
        "rust",
        "a library's assertion",
        ("assert_eq!(price(1), Money(5));", "itertools::assert_equal(price(1), Money(5));"),
    ),
    _honest("python", "a value that is made", (_FROM, f"{_FROM}, Money"), ("== 5", "== Money(5)")),
    _honest(
        "python",
        "a constant of Python",
        (_FROM, f"from http import HTTPStatus\n{_FROM}"),
        ("== 5", "== HTTPStatus.OK"),
    ),
    _honest(
        "python",
        "a value of the tests",
        (_FROM, f"{_FROM}\nfrom tests.data import ONE"),
        ("== 5", "== ONE"),
    ),
    _honest(
        "python",
        "a value beside the tests",
        (_FROM, f"{_FROM}\nfrom .helpers import ONE"),
        ("== 5", "== ONE"),
    ),
    _honest(
        "python",
        "a new test of two answers",
        ("def test_two", "def test_same():\n    assert price(1) == price.of(1)\n\n\ndef test_two"),
    ),
    _honest(
        "python",
        "a fixture with a key",
        (
            "def test_one",
            "@pytest.fixture\ndef open(monkeypatch):\n    monkeypatch.setitem(SETTINGS, 'open', 1)\n\n\ndef test_one",
        ),
    ),
    _honest("javascript", "all are waited for", ("  expect(price(2)).toBe(10);", f"  {_AWAITED}")),
    _honest(
        "javascript",
        "all are given back",
        ("  expect(price(2)).toBe(10);", f"  {_AWAITED.replace('await', 'return')}"),
    ),
    _honest(
        "javascript",
        "all have a name",
        (
            "  expect(price(2)).toBe(10);",
            f"  const all = {_AWAITED.removeprefix('await ')}\n  await all;",
        ),
    ),
    _honest(
        "javascript",
        "an own function",
        (
            "  expect(price(2)).toBe(10);",
            "  const check = async () => { expect(price(2)).toBe(10); };\n  await check();",
        ),
    ),
    _honest(
        "javascript",
        "a new promise",
        (
            "  expect(price(2)).toBe(10);",
            "  await new Promise((end) => { expect(price(2)).toBe(10); end(); });",
        ),
    ),
    _honest(
        "javascript",
        "each of them",
        ("  expect(price(2)).toBe(10);", "  [2].forEach((n) => { expect(price(n)).toBe(10); });"),
    ),
    _honest(
        "javascript",
        "a function that is called",
        ("  expect(price(2)).toBe(10);", "  (() => { expect(price(2)).toBe(10); })();"),
    ),
    _honest(
        "javascript",
        "a function with two parameters",
        ("expect(price(1))", "expect(with2((a, b) => price(1)))"),
    ),
    _honest("javascript", "a list in brackets", ("toBe(5)", "toBe([4, 5][1])")),
    _honest("go", "a constant of Go", ("!= 5", "!= http.StatusOK")),
    _honest("go", "an error with a name", ("!= 5", "!= ErrClosed")),
    _honest(
        "go",
        "a value of the test",
        ("\tif got := Price(1); got != 5 {", "\twant := 5\n\tif got := Price(1); got != want {"),
    ),
    _honest(
        "suite",
        "another method",
        (
            "func TestShop",
            "func (s *ShopSuite) TestTwo() {\n\ts.Equal(10, Price(2))\n}\n\nfunc TestShop",
        ),
    ),
    (
        "a suite is run from another file",
        {
            "shop_test.go": (SUITE, SUITE.partition("func TestShop")[0]),
            "suite_test.go": ("", _MORE_SUITE),
        },
    ),
    _honest(
        "suite",
        "a suite in a suite",
        ("new(ShopSuite))\n}\n", "&Whole{})\n}\n\ntype Whole struct {\n\tShopSuite\n}\n"),
    ),
    _honest("rust", "a variant", ("Money(5));", "Money::Five);")),
    _honest(
        "rust",
        "a value of the tests",
        ("    use super::*;", "    use super::*;\n\n    const ONE: Money = Money(5);"),
        ("Money(5));\n", "ONE);\n"),
    ),
    _honest(
        "rust",
        "a type of the tests",
        (
            "    use super::*;",
            "    use super::*;\n\n    struct Till(u32);\n\n    impl PartialEq for Till {\n        fn eq(&self, other: &Self) -> bool { self.0 == other.0 }\n    }",
        ),
    ),
]
