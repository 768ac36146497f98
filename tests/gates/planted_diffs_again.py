"""Diffs that change what tests of Python, JavaScript, Go and Rust are run, caught or compared by."""

from gates.test_guard.compare import Loss
from tests.gates.planted_diffs import SKIP, PlantedDiff
from tests.gates.planted_diffs_round import GO, JEST, NODE, PYTHON, RUST

UNITTEST = """\
import unittest
from shop import price


class TestShop(unittest.TestCase):
    def test_one(self):
        self.assertEqual(price(1), 5)
"""
_FILES = {
    "python": ("tests/test_shop.py", PYTHON),
    "unittest": ("tests/test_shop.py", UNITTEST),
    "node": ("shop.test.mjs", NODE),
    "jest": ("shop.test.ts", JEST),
    "go": ("shop_test.go", GO),
    "rust": ("src/lib.rs", RUST),
}
_ONE = "    assert price(1) == 5\n"
_DEF = "def test_one():\n"
_EQUAL = "        self.assertEqual(price(1), 5)\n"
_METHOD = "    def test_one"
_DESCRIBE = 'describe("price"'


def _of(language: str, *these: tuple[str, str, str, Loss]) -> list[PlantedDiff]:
    path, before = _FILES[language]
    assert all(old in before for _, old, _, _ in these)
    return [
        PlantedDiff(f"again {language}: {name}", path, before, before.replace(old, new, 1), loss)
        for name, old, new, loss in these
    ]


AGAIN = [
    *_of(
        "python",
        (
            "a class that is equal to all",
            _ONE,
            "    class W(int):\n        __eq__ = lambda a, b: True\n\n    assert price(1) == W(5)\n",
            Loss.WEAKENED,
        ),
        (
            "a type that is made on the spot",
            _ONE,
            "    five = type('N', (), {'__eq__': lambda a, b: True})()\n    assert price(1) == five\n",
            Loss.WEAKENED,
        ),
        (
            "another import in the test",
            _ONE,
            f"    from decimal import Decimal as price\n{_ONE}",
            Loss.WEAKENED,
        ),
        ("a mark in parts", _DEF, f"@getattr(pytest.mark, 'sk' + 'ip')\n{_DEF}", Loss.SKIPPED),
        ("a mark by its name", _DEF, f"@getattr(pytest.mark, 'xfail')\n{_DEF}", Loss.SKIPPED),
        (
            "a part of a mark",
            _DEF,
            f"later = partial(pytest.mark.{SKIP}if, True, reason='')\n\n\n@later()\n{_DEF}",
            Loss.SKIPPED,
        ),
        ("too few places", _ONE, "    assert round(price(1), -3) == 0\n", Loss.WEAKENED),
        ("a rate", _ONE, "    assert price(1) == pytest.approx(5, 1000)\n", Loss.WEAKENED),
        (
            "a hidden limit",
            _ONE,
            "    assert price(1) == pytest.approx(5, **WIDE)\n",
            Loss.WEAKENED,
        ),
        (
            "another name for failures",
            _ONE,
            f"    kinds = (AssertionError,)\n    try:\n    {_ONE}    except kinds:\n        pass\n",
            Loss.HOLLOW,
        ),
        (
            "failures in a list",
            _ONE,
            f"    try:\n    {_ONE}    except tuple([AssertionError]):\n        pass\n",
            Loss.HOLLOW,
        ),
        (
            "a manager with a name",
            _ONE,
            f"    calm = contextlib.suppress(AssertionError)\n    with calm:\n    {_ONE}",
            Loss.HOLLOW,
        ),
        (
            "a task that nobody waits for",
            _ONE,
            f"    async def inner():\n    {_ONE}\n    asyncio.ensure_future(inner())\n",
            Loss.WEAKENED,
        ),
        (
            "the right answer or another",
            _ONE,
            "    got = price(1) or 5\n    assert got == 5\n",
            Loss.WEAKENED,
        ),
        (
            "a finder of modules",
            "from shop",
            "import sys\n\nsys.meta_path.insert(0, Finder())\nfrom shop",
            Loss.PUT_IN_PLACE,
        ),
    ),
    *_of(
        "unittest",
        (
            "its own comparison",
            _METHOD,
            f"    def assertEqual(self, a, b):\n        pass\n\n{_METHOD}",
            Loss.PUT_IN_PLACE,
        ),
        ("a name for it", _METHOD, f"    assertEqual = print\n\n{_METHOD}", Loss.PUT_IN_PLACE),
        (
            "another failure",
            _METHOD,
            f"    failureException = Warning\n\n{_METHOD}",
            Loss.PUT_IN_PLACE,
        ),
        (
            "its own run",
            _METHOD,
            f"    def run(self, result=None):\n        return result\n\n{_METHOD}",
            Loss.PUT_IN_PLACE,
        ),
        (
            "how it went",
            _METHOD,
            f"    def tearDown(self):\n        self._outcome.success = True\n\n{_METHOD}",
            Loss.PUT_IN_PLACE,
        ),
        (
            "equal by type",
            _EQUAL,
            f"        self.addTypeEqualityFunc(int, lambda *_, msg=None: None)\n{_EQUAL}",
            Loss.PUT_IN_PLACE,
        ),
        (
            "no tests at all",
            "class TestShop",
            "def load_tests(loader, tests, pattern):\n    return unittest.TestSuite()\n\n\nclass TestShop",
            Loss.PUT_IN_PLACE,
        ),
        (
            "places before the point",
            _EQUAL,
            "        self.assertAlmostEqual(price(1), 5, places=-3)\n",
            Loss.WEAKENED,
        ),
        (
            "places without a name",
            _EQUAL,
            "        self.assertAlmostEqual(price(1), 5, -3)\n",
            Loss.WEAKENED,
        ),
    ),
    *_of(
        "node",
        ("it must fail", '"one", ()', '"one", { expectFailure: true }, ()', Loss.SKIPPED),
        (
            "an end after all",
            'test("one"',
            'after(() => process.exit(0));\ntest("one"',
            Loss.PUT_IN_PLACE,
        ),
        ("a double", '"./shop.js"', '"./shop.double.js"', Loss.WEAKENED),
    ),
    *_of(
        "jest",
        ("tried again", _DESCRIBE, f"jest.retryTimes(50);\n{_DESCRIBE}", Loss.PUT_IN_PLACE),
        (
            "all are equal",
            _DESCRIBE,
            f"expect.addEqualityTesters([() => true]);\n{_DESCRIBE}",
            Loss.PUT_IN_PLACE,
        ),
        (
            "how it went",
            _DESCRIBE,
            f'afterEach((ctx) => {{ ctx.task.result.state = "pass"; }});\n{_DESCRIBE}',
            Loss.PUT_IN_PLACE,
        ),
        (
            "a global in brackets",
            _DESCRIBE,
            f"(globalThis as any).test = () => {{}};\n{_DESCRIBE}",
            Loss.PUT_IN_PLACE,
        ),
        (
            "every number",
            _DESCRIBE,
            f"Number.prototype.valueOf = () => 5;\n{_DESCRIBE}",
            Loss.PUT_IN_PLACE,
        ),
    ),
    *_of(
        "go",
        (
            "an end before the start",
            "func TestOne",
            "var _ = func() int { os.Exit(0); return 0 }()\n\nfunc TestOne",
            Loss.PUT_IN_PLACE,
        ),
        (
            "an option of all",
            "func TestOne",
            'func init() {\n\tflag.CommandLine.Set("test.skip", ".")\n}\n\nfunc TestOne',
            Loss.PUT_IN_PLACE,
        ),
        (
            "a link to the runner",
            "func TestOne",
            "//go:linkname tRunner testing.tRunner\nfunc tRunner()\n\nfunc TestOne",
            Loss.SKIPPED,
        ),
    ),
    *_of(
        "rust",
        (
            "a macro of the crate",
            "    use super::*;\n",
            "    use super::*;\n    use crate::calm::assert_eq;\n",
            Loss.PUT_IN_PLACE,
        ),
        (
            "before main",
            "    #[test]\n",
            "    #[ctor::ctor]\n    fn end() { std::process::exit(0) }\n\n    #[test]\n",
            Loss.PUT_IN_PLACE,
        ),
        (
            "another runner",
            "/// The price.",
            "#![cfg_attr(test, test_runner(calm))]\n/// The price.",
            Loss.PUT_IN_PLACE,
        ),
    ),
]


def _honest(language: str, name: str, old: str, new: str) -> tuple[str, dict[str, tuple[str, str]]]:
    path, before = _FILES[language]
    assert old in before, name
    return f"{name} in {language}", {path: (before, before.replace(old, new, 1))}


HONEST_AGAIN = [
    _honest(
        "python", "an attribute by its name", _ONE, f"{_ONE}    assert getattr(price, '__name__')\n"
    ),
    _honest(
        "python",
        "kinds of failures",
        _ONE,
        f"    kinds = (ValueError, KeyError)\n    with pytest.raises(kinds):\n        price(-1)\n{_ONE}",
    ),
    _honest("python", "a small rate", _ONE, "    assert price(1) == pytest.approx(5, 0.001)\n"),
    _honest("python", "a task that is waited for", _ONE, f"{_ONE}    asyncio.run(inner())\n"),
    _honest(
        "unittest",
        "a comparison that goes on",
        _METHOD,
        f"    def assertEqual(self, a, b, msg=None):\n        super().assertEqual(a, b, msg)\n\n{_METHOD}",
    ),
    _honest(
        "unittest",
        "a comparison of its own",
        _METHOD,
        f"    def assertCosts(self, a, b):\n        self.assertEqual(price(a), b)\n\n{_METHOD}",
    ),
    _honest(
        "unittest",
        "examples beside the tests",
        "class TestShop",
        "def load_tests(loader, tests, pattern):\n    tests.addTests(examples())\n    return tests\n\n\nclass TestShop",
    ),
    _honest("jest", "a cleanup", _DESCRIBE, f"afterEach(() => {{ shop.close(); }});\n{_DESCRIBE}"),
    _honest(
        "jest",
        "a comparison of dates",
        _DESCRIBE,
        f"expect.addEqualityTesters([(a, b) => a.at === b.at]);\n{_DESCRIBE}",
    ),
    _honest("go", "a type that is kept", "func TestOne", "var _ = fmt.Sprint\n\nfunc TestOne"),
    _honest(
        "rust",
        "better messages",
        "    use super::*;\n",
        "    use super::*;\n    use pretty_assertions::assert_eq;\n",
    ),
]
