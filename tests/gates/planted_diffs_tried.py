"""Diffs by which tests are tried again, asked less often, or lose their names to something else."""

from gates.test_guard.compare import Loss
from tests.gates.planted_diffs import SKIP, XFAIL, PlantedDiff
from tests.gates.planted_diffs_round import JEST, PYTHON, RUST

CLASS = """\
from shop import price


class TestShop:
    def test_one(self):
        assert price(1) == 5
"""
EXAMPLES = """\
from hypothesis import given, settings, strategies as st
from shop import price


@settings(max_examples=200)
@given(st.integers(0, 100))
def test_any(n):
    assert price(n) == 5 * n
"""
MOCHA = """\
describe("price", function () {
  it("one", function () {
    assert.strictEqual(price(1), 5);
  });
});
"""
GO = """\
package shop

import "testing"

func TestOne(t *testing.T) {
	if Price(1) != 5 {
		t.Fatal("one")
	}
}
"""
# Python 3.14 reads it, and no older one.
NEWER = """\
type Price = int


def first[T: (int, str)](of: list[T]) -> T:
    return of[0]


def test_one():
    said = {"a": 1}
    assert price(f"{said["a"]}") == 5
    try:
        assert price(2) == (
            10
        )
    except KeyError, ValueError:
        raise


@pytest.mark.parametrize("n", [1, 2])
def test_two[T](n: T):
    if f"{said["a"]}":
        shop()
    assert price(n) == 5 * n
"""
_FILES = {
    "python": ("tests/test_shop.py", PYTHON),
    "class": ("tests/test_shop.py", CLASS),
    "examples": ("tests/test_shop.py", EXAMPLES),
    "newer": ("tests/test_shop.py", NEWER),
    "jest": ("shop.test.ts", JEST),
    "mocha": ("test/shop.js", MOCHA),
    "go": ("shop_test.go", GO),
    "rust": ("src/lib.rs", RUST),
}
_DEF = "def test_one():\n"
_ONE = "    assert price(1) == 5\n"
_IN_CLASS = "        assert price(1) == 5\n"
_FIXTURE = f"@pytest.fixture\ndef calm():\n    pytest.{SKIP}()\n\n\n"
_MANY = "max_examples=200"
_SOME = "st.integers(0, 100)"


def of(language: str, *these: tuple[str, str, str, Loss]) -> list[PlantedDiff]:
    path, before = _FILES[language]
    for name, old, _, _ in these:
        assert old in before, name
    return [
        PlantedDiff(f"tried {language}: {name}", path, before, before.replace(old, new, 1), loss)
        for name, old, new, loss in these
    ]


def _behind(name: str, text: str, loss: Loss = Loss.LOST) -> tuple[str, str, str, Loss]:
    """Something behind the class of the tests."""
    return name, _IN_CLASS, f"{_IN_CLASS}\n\n{text}\n", loss


TRIED = [
    *of(
        "class",
        _behind("a second class of its name", "class TestShop:\n    pass"),
        _behind("an import of its name", "from os import path as TestShop"),
        _behind("a value for its name", "TestShop = None"),
        _behind("its name is deleted", "del TestShop"),
        _behind("a function of its name", "def TestShop():\n    pass"),
        _behind("another method by its name", "TestShop.test_one = len"),
        _behind("set in the class", 'setattr(TestShop, "test_one", len)'),
        _behind("deleted from the class", 'delattr(TestShop, "test_one")'),
        _behind("a method that is no test", "TestShop.test_one.__test__ = False"),
        ("a property", "    def test_one", "    @property\n    def test_one", Loss.SKIPPED),
        (
            "tried again as a class",
            "class TestShop",
            "@pytest.mark.flaky(reruns=3)\nclass TestShop",
            Loss.WEAKENED,
        ),
    ),
    *of(
        "python",
        ("tried again by a mark", _DEF, f"@pytest.mark.flaky(reruns=5)\n{_DEF}", Loss.WEAKENED),
        ("tried again by a decorator", _DEF, f"@flaky\n{_DEF}", Loss.WEAKENED),
        (
            "tried again under another name",
            _DEF,
            f"from flaky import flaky as slow\n\n\n@slow\n{_DEF}",
            Loss.WEAKENED,
        ),
        ("tried again as a function", _DEF, f"@retry(tries=7)\n{_DEF}", Loss.WEAKENED),
        (
            "tried again as a file",
            _DEF,
            f"pytestmark = [pytest.mark.flaky]\n\n\n{_DEF}",
            Loss.WEAKENED,
        ),
        (
            "tried again as it runs",
            _ONE,
            f"    request.node.add_marker(pytest.mark.flaky(reruns=2))\n{_ONE}",
            Loss.WEAKENED,
        ),
        (
            "an exception of its name",
            _ONE,
            f"{_ONE}\n\ntry:\n    import absent\nexcept ImportError as test_one:\n    pass\n",
            Loss.LOST,
        ),
        (
            "a case of its name",
            _ONE,
            f"{_ONE}\n\nmatch 1:\n    case test_one:\n        pass\n",
            Loss.LOST,
        ),
        ("a star behind it", _ONE, f"{_ONE}\n\nfrom easy import *\n", Loss.SKIPPED),
        (
            "a fixture for a file",
            _DEF,
            f"{_FIXTURE}pytestmark = pytest.mark.usefixtures('calm')\n\n\n{_DEF}",
            Loss.SKIPPED,
        ),
        (
            "a fixture of a fixture",
            _DEF,
            f"{_FIXTURE}@pytest.fixture\ndef more(calm):\n    return 1\n\n\ndef test_one(more):\n",
            Loss.SKIPPED,
        ),
        (
            "a fixture with another name",
            _DEF,
            f"{_FIXTURE.replace('fixture', 'fixture(name=' + repr('more') + ')', 1)}def test_one(more):\n",
            Loss.SKIPPED,
        ),
        (
            "a fixture for all of a fixture",
            _DEF,
            f"{_FIXTURE}@pytest.fixture(autouse=True)\ndef more(calm):\n    return 1\n\n\n{_DEF}",
            Loss.SKIPPED,
        ),
        (
            "a fixture that is asked for",
            _DEF,
            f"{_FIXTURE}def test_one(request):\n    request.getfixturevalue('calm')\n",
            Loss.SKIPPED,
        ),
        (
            "a fixture that fails as expected",
            _DEF,
            f"@pytest.fixture\ndef calm():\n    pytest.{XFAIL}()\n\n\ndef test_one(calm):\n",
            Loss.SKIPPED,
        ),
        ("a fixture itself", _DEF, f"@pytest.fixture\n{_DEF}", Loss.SKIPPED),
        ("a context that nobody enters", _DEF, f"@contextmanager\n{_DEF}", Loss.SKIPPED),
        ("it is printed", _DEF, f"@print\n{_DEF}", Loss.SKIPPED),
        ("a lambda in its place", _DEF, f"@lambda of: lambda: None\n{_DEF}", Loss.SKIPPED),
        ("a snapshot", _ONE, "    assert price(1) == snapshot\n", Loss.WEAKENED),
        ("a snapshot to be written", _ONE, "    assert price(1) == snapshot()\n", Loss.WEAKENED),
    ),
    *of(
        "examples",
        ("one example", _MANY, "max_examples=1", Loss.FEWER_CASES),
        ("no phase", _MANY, "phases=[Phase.explicit]", Loss.FEWER_CASES),
        ("one value", _SOME, "st.just(0)", Loss.FEWER_CASES),
        ("one of one", _SOME, "st.sampled_from([0])", Loss.FEWER_CASES),
        ("from one to the same", _SOME, "st.integers(0, 0)", Loss.FEWER_CASES),
        ("one is let through", _SOME, f"{_SOME}.filter(lambda n: n == 0)", Loss.FEWER_CASES),
        ("all become one", _SOME, f"{_SOME}.map(lambda n: 0)", Loss.FEWER_CASES),
        ("no examples", f"@given({_SOME})\ndef test_any(n)", "def test_any(n=0)", Loss.FEWER_CASES),
        ("nothing is assumed", "    assert", "    assume(False)\n    assert", Loss.HOLLOW),
        ("all are rejected", "    assert", "    reject()\n    assert", Loss.HOLLOW),
        ("one is assumed", "    assert", "    assume(n == 0)\n    assert", Loss.WEAKENED),
        (
            "those that are right",
            "    assert",
            "    assume(is_right(price(n)))\n    assert",
            Loss.WEAKENED,
        ),
        (
            "a profile for all",
            "\n\n@settings",
            "\nsettings.load_profile('quick')\n\n\n@settings",
            Loss.PUT_IN_PLACE,
        ),
    ),
    *of(
        "jest",
        ("options first", 'test("one", ', 'test("one", { retry: 5 }, ', Loss.WEAKENED),
        ("options last", "toBe(5);\n  })", "toBe(5);\n  }, { retry: 5 })", Loss.WEAKENED),
        ("options of a suite", '"price", ', '"price", { retry: 5 }, ', Loss.WEAKENED),
        ("a suite that is left out", '"price", ', '"price", { skip: true }, ', Loss.SKIPPED),
        ("set for all", "describe(", "vi.setConfig({ retry: 3 });\ndescribe(", Loss.PUT_IN_PLACE),
        (
            "configured for all",
            "describe(",
            "test.describe.configure({ retries: 3 });\ndescribe(",
            Loss.PUT_IN_PLACE,
        ),
        (
            "the end at a failure",
            "describe(",
            "onTestFailed(() => process.exit(0));\ndescribe(",
            Loss.PUT_IN_PLACE,
        ),
    ),
    *of(
        "mocha",
        (
            "a test is told",
            '"one", function () {',
            '"one", function () {\n    this.retries(4);',
            Loss.WEAKENED,
        ),
        (
            "a suite is told",
            '"price", function () {',
            '"price", function () {\n  this.retries(4);',
            Loss.WEAKENED,
        ),
        ("told behind it", "5);\n  });", "5);\n  }).retries(4);", Loss.WEAKENED),
    ),
    *of(
        "go",
        (
            "a panic is caught",
            "\tif Price",
            "\tdefer func() { recover() }()\n\tif Price",
            Loss.SKIPPED,
        ),
        (
            "a panic is let go",
            "\tif Price",
            "\tdefer func() { _ = recover() }()\n\tif Price",
            Loss.SKIPPED,
        ),
        (
            "a panic is logged",
            "\tif Price",
            "\tdefer func() {\n\t\tif r := recover(); r != nil {\n\t\t\tt.Log(r)\n\t\t}\n\t}()\n\tif Price",
            Loss.SKIPPED,
        ),
    ),
    *of("rust", ("tried again", "    #[test]", "    #[flaky_test]\n    #[test]", Loss.WEAKENED)),
    *of(
        "newer",
        (
            "an assertion less",
            "        assert price(2) == (\n            10\n        )\n",
            "        pass\n",
            Loss.WEAKENED,
        ),
        ("one that is not read", '    assert price(f"{said["a"]}") == 5\n', "", Loss.WEAKENED),
        ("a row less", "[1, 2]", "[1]", Loss.FEWER_CASES),
        ("a test less", "def test_two[T]", "def check_two[T]", Loss.LOST),
        ("no Python any more", "raise\n", "raise =\n", Loss.UNREADABLE),
    ),
]


def kept(language: str, name: str, old: str, new: str) -> tuple[str, dict[str, tuple[str, str]]]:
    path, before = _FILES[language]
    assert old in before, name
    return name, {path: (before, before.replace(old, new, 1))}


_ROWS = (
    "@pytest.mark.parametrize('n', [1, 2, 3])\ndef test_each(n):\n    assert price(n) == 5 * n\n"
)
_SUITE = (
    "describe('shop', () => {\n  describe('many', () => {\n    it('%s', () => {\n"
    "      expect(() => shop.%s).toThrow(Unsupported)\n    })\n  })\n"
    "  it('other', () => {\n    expect(price(1)).toBe(5)\n  })\n})\n"
)
_OTHER = (_SUITE % ("adds", "add('/:b', 'c')")).replace(
    "      expect(() => shop",
    "      const one = new Till(); one.put('x', [1, 2]); one.open()\n      expect(() => one",
)
HONEST_TRIED = [
    kept("examples", "fewer of very many examples", _MANY, "max_examples=50"),
    kept(
        "examples",
        "what looks at an example is assumed",
        "    assert",
        "    assume(n != 3)\n    assume(len(str(n)) < 9)\n    assert",
    ),
    kept("examples", "two values", _SOME, "st.sampled_from([0, 7])"),
    kept("python", "a star at the top", "import pytest\n", "import pytest\nfrom easy import *\n"),
    kept(
        "python",
        "a function has a name of its own that a test has, too",
        _ONE,
        f"{_ONE}\n\ndef made():\n    test_one = 1\n    return test_one\n",
    ),
    kept(
        "python",
        "a fixture that only gives something, by a mark",
        _DEF,
        f"@pytest.fixture\ndef till():\n    return 1\n\n\n@pytest.mark.usefixtures('till')\n{_DEF}",
    ),
    kept(
        "class",
        "a second class of another name",
        _IN_CLASS,
        f"{_IN_CLASS}\n\nclass TestMore(TestShop):\n    def test_two(self):\n        assert price(2) == 10\n",
    ),
    kept(
        "jest",
        "options that ask for no other try",
        'test("one", ',
        'test("one", { retry: 0, timeout: 9 }, ',
    ),
    kept(
        "go",
        "a panic is asked about",
        "\tif Price",
        '\tdefer func() {\n\t\tif recover() == nil {\n\t\t\tt.Error("no panic")\n\t\t}\n\t}()\n\tif Price',
    ),
    kept("newer", "a value has changed in newer words", "== 5 * n", "== 6 * n"),
    kept(
        "newer", "nothing that is asserted in newer words", "    return of[0]", "    return of[1]"
    ),
    (
        "a row becomes a test that calls the test",
        {
            "tests/test_a.py": (
                _ROWS,
                _ROWS.replace(", 3]", "]")
                + "\n\ndef test_three():\n    import shop\n    test_each(3)\n",
            )
        },
    ),
    (
        "the one test of a suite is another one",
        {"shop.test.ts": (_SUITE % ("gets", "match('/a')"), _OTHER)},
    ),
]
_TWO = (_SUITE % ("gets", "match('/a')")).replace(
    "  it('other'", "  it('first', () => {\n    expect(price(2)).toBe(10)\n  })\n  it('other'"
)
TRIED += [
    PlantedDiff(
        "tried python: a row becomes a call of another row",
        "tests/test_a.py",
        _ROWS,
        _ROWS.replace(", 3]", "]") + "\n\ndef test_three():\n    test_each(2)\n",
        Loss.FEWER_CASES,
    ),
    PlantedDiff(
        "tried python: a row becomes a call that is not reached",
        "tests/test_a.py",
        _ROWS,
        _ROWS.replace(", 3]", "]") + "\n\ndef test_three():\n    return\n    test_each(3)\n",
        Loss.FEWER_CASES,
    ),
    PlantedDiff(
        "tried jest: one of two tests of a suite is another one",
        "shop.test.ts",
        _TWO,
        _TWO.replace("it('other'", "it('more'").replace(
            "expect(price(1)).toBe(5)",
            "const till = new Till(shop, [1, 2]); till.close(); till.sum('a'); assert.equal(till.left, 0)",
        ),
        Loss.LOST,
    ),
]
