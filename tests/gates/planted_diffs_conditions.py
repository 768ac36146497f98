"""Diffs that keep the words of an assertion and put it where it need not run, or ask it of something else."""

from gates.test_guard.compare import Loss
from tests.gates.planted_diffs import SKIP, PlantedDiff
from tests.gates.planted_diffs_round import PYTHON

_ONE = "    assert price(1) == 5\n"
_IN = f"    {_ONE}"


def _python(name: str, new: str, loss: Loss = Loss.WEAKENED, old: str = _ONE) -> PlantedDiff:
    assert old in PYTHON, name
    after = PYTHON.replace(old, new)
    return PlantedDiff(f"condition python: {name}", "tests/test_shop.py", PYTHON, after, loss)


IN_PYTHON = [
    _python("of the environment", f'    if os.environ.get("FULL"):\n{_IN}'),
    _python("of what is asserted", f"    if price(1) == 5:\n{_IN}"),
    _python(
        "and something weaker else",
        f'    if os.environ.get("FULL"):\n{_IN}    else:\n        print(price(1))\n',
    ),
    _python("an early return", f'    if not os.environ.get("FULL"):\n        return\n{_ONE}'),
    _python(
        "an early return where something raises",
        f"    try:\n        import full\n    except ImportError:\n        return\n{_ONE}",
    ),
    _python("a loop over nothing by name", f"    rows = []\n    for _ in rows:\n{_IN}"),
    _python("a loop over what is left", f"    for n in [n for n in (1,) if n > 5]:\n{_IN}"),
    _python("a loop over two lists of nothing", f"    for _ in [] + []:\n{_IN}"),
    _python("a loop over a product with nothing", f"    for _ in product([1], []):\n{_IN}"),
    _python(
        "a loop over what a class has no more",
        f"    for _ in self.ROWS:\n{_IN}\n\nclass Rows:\n    ROWS = [1]\n\n    def setUp(self):\n        self.ROWS = []\n",
    ),
    _python(
        "a loop over an enum of nothing",
        f"    for _ in Coin:\n{_IN}\n\nclass Coin(Enum):\n    pass\n",
    ),
    _python("a loop that never begins", f"    n = 0\n    while n:\n{_IN}"),
    _python("a case that never comes", f"    match price(1):\n        case 5:\n    {_IN}"),
    _python(
        "of a helper that is called",
        f"    def check():\n{_IN}\n    if os.environ.get('FULL'):\n        check()\n",
    ),
    _python(
        "a failure that skips", f'    assert price(1) == 5, pytest.{SKIP}("not now")\n', Loss.HOLLOW
    ),
    _python(
        "a failure that is raised again now and then",
        f"    try:\n{_IN}    except AssertionError as gone:\n        if not gone.args:\n            raise\n",
    ),
    _python("a helper that is named only", f"    def check():\n{_IN}\n    check\n", Loss.HOLLOW),
    _python(
        "a coroutine that nobody awaits",
        f"    async def check():\n{_IN}\n    check()\n",
        Loss.HOLLOW,
    ),
    _python(
        "a generator that nobody reads",
        f"    def check():\n{_IN}        yield\n\n    check()\n",
        Loss.HOLLOW,
    ),
    _python(
        "a class that nobody uses",
        f"    class Check:\n        def go(self):\n    {_IN}",
        Loss.HOLLOW,
    ),
    _python(
        "a method that nobody calls",
        f"    class Check:\n        def go(self):\n    {_IN}\n    Check()\n",
        Loss.HOLLOW,
    ),
    _python(
        "a helper that asserts nothing",
        "def check(*_):\n    pass\n\n\ndef test_one():\n    check(price(1), 5)\n",
        Loss.HOLLOW,
        old=f"def test_one():\n{_ONE}",
    ),
    _python("without debugging", f"    if not __debug__:\n{_IN}", Loss.HOLLOW),
    _python("async for nothing", "async def test_one", Loss.SKIPPED, old="def test_one"),
    _python(
        "compared with itself",
        "    got = price(1)\n    wanted = price(1)\n    assert got == wanted\n",
    ),
    _python(
        "of one value",
        "    got = wanted = price(1)\n    print(got)\n    assert got == wanted\n",
        Loss.HOLLOW,
    ),
    _python(
        "with what is equal to all",
        "    class Any:\n        def __eq__(self, other):\n            return True\n\n    assert price(1) == Any()\n",
    ),
    _python("of a value given on the way", "    assert (got := 5) == 5\n", Loss.HOLLOW),
    _python(
        "of another function's name",
        "from shop import right as price\n",
        old="from shop import price\n",
    ),
    _python(
        "of a fall-back",
        "try:\n    from shop import price\nexcept ImportError:\n    price = (5).__mul__\n",
        old="from shop import price\n",
    ),
    _python("of a global of its own", f'    globals()["price"] = (5).__mul__\n{_ONE}'),
    _python(
        "of a patch by a name that is put together",
        '@patch(__name__ + ".price", (5).__mul__)\ndef test_one',
        old="def test_one",
    ),
    _python(
        "of an item that is set",
        'def test_one(monkeypatch):\n    monkeypatch.setitem(globals(), "price", (5).__mul__)',
        old="def test_one():",
    ),
]

JAVASCRIPT = """\
import { expect, test } from "vitest";
import { price } from "./shop.js";

test("one", () => {
  expect(price(1)).toBe(5);
});

test("two", () => {
  expect(price(2)).toBe(10);
});
"""
_EXPECT = "  expect(price(1)).toBe(5);\n"


def _javascript(name: str, new: str, loss: Loss = Loss.WEAKENED, old: str = _EXPECT) -> PlantedDiff:
    assert old in JAVASCRIPT, name
    after = JAVASCRIPT.replace(old, new)
    return PlantedDiff(f"condition javascript: {name}", "web/shop.test.js", JAVASCRIPT, after, loss)


IN_JAVASCRIPT = [
    _javascript("of the environment", f"  if (process.env.FULL) {{\n  {_EXPECT}  }}\n"),
    _javascript("of the environment in one line", f"  if (process.env.FULL) {_EXPECT.lstrip()}"),
    _javascript("and", f"  process.env.FULL && {_EXPECT.lstrip()}"),
    _javascript("or not", "  process.env.FULL ? expect(price(1)).toBe(5) : 0;\n"),
    _javascript(
        "a block that returns",
        f"  if (!process.env.FULL) {{\n    return;\n  }}\n{_EXPECT}",
    ),
    _javascript(
        "a loop over nothing by name",
        f"  const rows = [];\n  for (const row of rows) {{\n  {_EXPECT}  }}\n",
    ),
    _javascript(
        "each of nothing by name",
        f"  const rows = [];\n  rows.forEach(() => {{\n  {_EXPECT}  }});\n",
    ),
    _javascript("a loop that never begins", f"  let n = 0;\n  while (n) {{\n  {_EXPECT}  }}\n"),
    _javascript(
        "a case that never comes", f"  switch (price(1)) {{\n    case 5:\n    {_EXPECT}  }}\n"
    ),
    _javascript(
        "a failure that is thrown again now and then",
        f'  try {{\n  {_EXPECT}  }} catch (e) {{\n    if (e.message === "never") throw e;\n  }}\n',
    ),
    _javascript("left of a block", f"  x: {{\n    break x;\n  {_EXPECT}  }}\n", Loss.HOLLOW),
    _javascript("or a default", "  expect(price(1) || 5).toBe(5);\n"),
    _javascript("or true", "  expect(price(1) === 5 || true).toBe(true);\n", Loss.HOLLOW),
    _javascript(
        "compared with itself", "  const wanted = price(1);\n  expect(price(1)).toBe(wanted);\n"
    ),
    _javascript(
        "a snapshot that is still to be written", "  expect(price(1)).toMatchInlineSnapshot();\n"
    ),
    _javascript(
        "a skip without a receiver",
        f"({{ skip }}) => {{\n  skip();\n{_EXPECT}",
        Loss.SKIPPED,
        old=f"() => {{\n{_EXPECT}",
    ),
    _javascript(
        "a parameter of its name",
        "(ctx, price = (n) => 5 * n) => {\n  expect(price(1",
        old="() => {\n  expect(price(1",
    ),
    _javascript("another function's name", "{ right as price }", old="{ price }"),
    _javascript("a fake", '"./fakes/shop.js"', old='"./shop.js"'),
]

GO = """\
package shop

import "testing"

func TestOne(t *testing.T) {
	if Price(1) != 5 {
		t.Fatal("one")
	}
}

func TestTwo(t *testing.T) {
	if Price(2) != 10 {
		t.Errorf("two")
	}
}
"""
_IF = '\tif Price(1) != 5 {\n\t\tt.Fatal("one")\n\t}\n'


def _go(name: str, new: str, loss: Loss = Loss.WEAKENED, old: str = _IF) -> PlantedDiff:
    assert old in GO, name
    after = GO.replace(old, new)
    return PlantedDiff(f"condition go: {name}", "shop/shop_test.go", GO, after, loss)


IN_GO = [
    _go("of the environment", f'\tif os.Getenv("FULL") != "" {{\n{_IF}\t}}\n'),
    _go("not in short", f"\tif !testing.Short() {{\n{_IF}\t}}\n"),
    _go("an early return", f'\tif os.Getenv("FULL") == "" {{\n\t\treturn\n\t}}\n{_IF}'),
    _go("an early skip", f"\tif testing.Short() {{\n\t\tt.Skip()\n\t}}\n{_IF}"),
    _go("a loop over nothing", f"\tfor range []int{{}} {{\n{_IF}\t}}\n"),
    _go("a loop over nothing by name", f"\tvar rows []int\n\tfor range rows {{\n{_IF}\t}}\n"),
    _go("a loop that never begins", f"\tfor i := 0; i < 0; i++ {{\n{_IF}\t}}\n"),
    _go("and something else", '\tif Price(1) != 5 && Price(1) != 0 {\n\t\tt.Fatal("one")\n\t}\n'),
    _go("a jump", f"\tgoto end\n{_IF}end:\n", Loss.HOLLOW),
    _go("told to another", f"\tvar t fake\n{_IF}", Loss.SKIPPED),
]

RUST = """\
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one() {
        assert_eq!(price(1), 5);
    }

    #[test]
    fn two() {
        assert_eq!(price(2), 10);
    }
}
"""
_EQ = "        assert_eq!(price(1), 5);\n"


def _rust(name: str, new: str, loss: Loss = Loss.WEAKENED, old: str = _EQ) -> PlantedDiff:
    assert old in RUST, name
    after = RUST.replace(old, new)
    return PlantedDiff(f"condition rust: {name}", "src/lib.rs", RUST, after, loss)


IN_RUST = [
    _rust(
        "of the environment", f'        if std::env::var("FULL").is_ok() {{\n    {_EQ}        }}\n'
    ),
    _rust("that never matches", f"        if let Some(_) = None::<u8> {{\n    {_EQ}        }}\n"),
    _rust(
        "an early return",
        f'        if std::env::var("FULL").is_err() {{\n            return;\n        }}\n{_EQ}',
    ),
    _rust(
        "a loop over nothing by name",
        f"        let rows: Vec<u8> = vec![];\n        for _ in rows {{\n    {_EQ}        }}\n",
    ),
    _rust(
        "an arm",
        "        match price(1) {\n            5 => assert_eq!(price(1), 5),\n            _ => {}\n        }\n",
    ),
    _rust("or true", "        assert!(price(1) == 5 || true);\n", Loss.HOLLOW),
    _rust(
        "a function that nobody calls", f"        fn inner() {{\n    {_EQ}        }}\n", Loss.HOLLOW
    ),
    _rust("another function's name", "    use super::right as price;", old="    use super::*;"),
]

_FAILED = "import pytest\nimport shop\n\n\ndef test_refuses(run):\n    result = run(shop.sell, [])\n    assert result.exit_code == 1\n    assert isinstance(result.exception, UserWarning)\n"
_WARNS = "import pytest\nimport shop\n\n\ndef test_refuses(run):\n    with pytest.warns(UserWarning, match={match!r}):\n        run(shop.sell, [])\n"
_IN_LISTS = """\
PRICES = [(1, 5), (2, 10)]


def test_all():
    for count, cost in PRICES:
        assert price(count) == cost
"""
IN_PYTHON.append(
    PlantedDiff(
        "condition python: a warning with any words",
        "tests/test_shop.py",
        _FAILED,
        _WARNS.format(match=""),
        Loss.WEAKENED,
    )
)

CONDITIONS = [*IN_PYTHON, *IN_JAVASCRIPT, *IN_GO, *IN_RUST]


def _both(path: str, before: str, old: str, new: str) -> dict[str, tuple[str, str]]:
    assert old in before, new
    return {path: (before, before.replace(old, new))}


_BREAK = "\n    "
_IN_CLASS = """\
class TestRows:
    ROWS = [1, 2]

    def test_row(self):
{each}        assert price(1) == 5
"""


HONEST_UNDER_CONDITIONS = [
    (
        "a failure is expected by its words",
        {"tests/test_shop.py": (_FAILED, _WARNS.format(match="sold out"))},
    ),
    (
        "both ways of a condition are asserted",
        _both(
            "tests/test_shop.py",
            PYTHON,
            _ONE,
            f"    if os.name == 'nt':\n        assert price(1) == 6\n    else:\n{_IN}",
        ),
    ),
    (
        "a table that is gone through",
        _both(
            "tests/test_shop.py",
            PYTHON,
            _ONE,
            f"    for _ in [1, 2]:\n{_IN}    ROWS = (1, 2)\n    for _ in ROWS:\n{_IN}",
        ),
    ),
    (
        "a table with its type",
        _both(
            "tests/test_shop.py",
            PYTHON,
            _ONE,
            f"    rows: list[int] = [1, 2]\n    for _ in rows:\n{_IN}",
        ),
    ),
    (
        "tables that are put together",
        _both(
            "tests/test_shop.py",
            PYTHON,
            _ONE,
            f"    rows = [1]\n    for _ in rows + []:\n{_IN}"
            f"    for _ in itertools.product(rows, 'ab'):\n{_IN}    for _ in chain([], rows):\n{_IN}",
        ),
    ),
    (
        "a table of the class",
        {
            "tests/test_shop.py": (
                f"{PYTHON}\n\n{_IN_CLASS.format(each='')}",
                f"{PYTHON}\n\n{_IN_CLASS.format(each='        for _ in self.ROWS:' + _BREAK)}",
            )
        },
    ),
    (
        "all members of an enum",
        _both(
            "tests/test_shop.py",
            f"class Coin(Enum):\n    ONE = 1\n\n\n{PYTHON}",
            _ONE,
            f"    for _ in Coin:\n{_IN}",
        ),
    ),
    (
        "a table of the file with its type",
        _both(
            "tests/test_shop.py",
            f"ROWS: list[int] = [1, 2]\n{PYTHON}",
            _ONE,
            f"    for _ in ROWS:\n{_IN}",
        ),
    ),
    (
        "a table of the file",
        {
            "tests/test_shop.py": (
                f"{PYTHON}\n\n{_IN_LISTS}",
                f"{PYTHON}\n\n{_IN_LISTS}".replace(
                    "    for count, cost in PRICES:", "    for count, cost in sorted(PRICES):"
                ),
            )
        },
    ),
    (
        "an early return that asserts",
        _both(
            "tests/test_shop.py",
            PYTHON,
            _ONE,
            f"    if os.name == 'nt':\n        assert price(1) == 6\n        return\n{_ONE}",
        ),
    ),
    (
        "a helper of the file that asserts",
        _both(
            "tests/test_shop.py",
            PYTHON,
            f"def test_one():\n{_ONE}",
            f"def check():\n    check_one()\n\n\ndef check_one():\n{_ONE}\n\ndef test_one():\n    check()\n",
        ),
    ),
    (
        "a test that lives on in another by a helper",
        {
            "tests/test_shop.py": (
                PYTHON.replace("price(1) == 5", "price(1) < 6"),
                "from shop import price\n\n\ndef check(got, wanted):\n    assert got <= wanted\n\n\n"
                "def test_two():\n    check(price(1), 6)\n    assert price(2) == 10\n",
            )
        },
    ),
    (
        "a coroutine that is run",
        _both(
            "tests/test_shop.py",
            PYTHON,
            _ONE,
            f"    async def check():\n{_IN}\n    asyncio.run(check())\n",
        ),
    ),
    (
        "another place of the same function",
        _both("tests/test_shop.py", PYTHON, "from shop import", "from shop.prices import"),
    ),
    (
        "both ways of a condition in JavaScript",
        _both(
            "web/shop.test.js",
            JAVASCRIPT,
            _EXPECT,
            f"  if (win) {{\n    expect(price(1)).toBe(6);\n  }} else {{\n  {_EXPECT}  }}\n",
        ),
    ),
    (
        "each of a list in JavaScript",
        _both(
            "web/shop.test.js",
            JAVASCRIPT,
            _EXPECT,
            f"  const rows = [1, 2];\n  for (const row of rows) {{\n  {_EXPECT}  }}\n  rows.forEach(() => {{\n  {_EXPECT}  }});\n",
        ),
    ),
    (
        "a table in Go",
        _both(
            "shop/shop_test.go",
            GO,
            _IF,
            f"\trows := []int{{1, 2}}\n\tfor _, row := range rows {{\n\t\tt.Log(row)\n{_IF}\t}}\n",
        ),
    ),
    (
        "a table in the head of a loop in Go",
        _both(
            "shop/shop_test.go",
            GO,
            _IF,
            f"\tfor _, row := range []Row{{{{1}}, {{2}}}} {{\n\t\tt.Log(row)\n{_IF}\t}}\n",
        ),
    ),
    (
        "an error first in Go",
        _both(
            "shop/shop_test.go",
            GO,
            _IF,
            f"\tif err := Open(); err != nil {{\n\t\tt.Fatal(err)\n\t\treturn\n\t}}\n{_IF}",
        ),
    ),
    (
        "each of a vector in Rust",
        _both(
            "src/lib.rs",
            RUST,
            _EQ,
            f"        let rows = vec![1, 2];\n        for _ in &rows {{\n    {_EQ}        }}\n",
        ),
    ),
]
