"""Diffs by which what a test asserts fails where nobody looks, or is asserted by something else."""

from gates.test_guard.compare import Loss
from tests.gates.planted_diffs import SKIP, PlantedDiff
from tests.gates.planted_diffs_tried import kept, of

_DEF = "def test_one():\n"
_ONE = "    assert price(1) == 5\n"
_IN_CLASS = "        assert price(1) == 5\n"
_RUST_ROWS = "#[rstest]\n#[case(1)]\n#[case(2)]\nfn one(#[case] n: u32) {\n    assert_eq!(price(n), 5 * n);\n}\n"
_KEPT_CALL = "    def one():\n        assert price(1) == 5\n\n"


def _later(name: str, text: str) -> tuple[str, str, str, Loss]:
    """What is asserted is handed to something that hears of no failure."""
    return name, _ONE, f"{_KEPT_CALL}    {text}\n", Loss.HOLLOW


GIVEN_AWAY = [
    *of(
        "python",
        _later("submitted", "pool.submit(one)"),
        _later("mapped", "map(one, [1])"),
        _later("a part of it", "functools.partial(one)"),
        _later("at the exit", "atexit.register(one)"),
        _later("gathered", "asyncio.run(asyncio.gather(one(), return_exceptions=True))"),
        _later("waited for", "asyncio.run(asyncio.wait([one()]))"),
        ("picked from two", _ONE, "    assert (price(1), 5)[-1] == 5\n", Loss.WEAKENED),
        ("what it was just given", _ONE, "    assert (n := price(1)) == n\n", Loss.HOLLOW),
        (
            "a row with a name that is left out",
            _DEF,
            f"later = pytest.param(1, marks=pytest.mark.{SKIP})\n\n\n"
            "@pytest.mark.parametrize('n', [later])\ndef test_one(n):\n",
            Loss.FEWER_CASES,
        ),
        (
            "another failure of Python's",
            _ONE,
            f"    builtins.AssertionError = ValueError\n{_ONE}",
            Loss.PUT_IN_PLACE,
        ),
        (
            "another failure by its name",
            _ONE,
            f"    setattr(builtins, 'AssertionError', ValueError)\n{_ONE}",
            Loss.PUT_IN_PLACE,
        ),
        (
            "a module for all",
            "import pytest\n",
            "import pytest\nimport sys\n\nsys.modules.setdefault('shop', Calm)\n",
            Loss.PUT_IN_PLACE,
        ),
    ),
    *of(
        "class",
        (
            "left out by a value",
            "    def test_one",
            "    __unittest_skip__ = True\n\n    def test_one",
            Loss.SKIPPED,
        ),
        (
            "expected to fail by a value",
            _IN_CLASS,
            f"{_IN_CLASS}\n    test_one.__unittest_expecting_failure__ = True\n",
            Loss.SKIPPED,
        ),
        (
            "a decorator of the class",
            "class TestShop",
            "def calm(of):\n    of.test_one = len\n    return of\n\n\n@calm\nclass TestShop",
            Loss.SKIPPED,
        ),
        (
            "set as a class is made",
            "class TestShop",
            "class Calm:\n    def __init_subclass__(cls):\n        setattr(cls, 'test_one', len)\n\n\nclass TestShop",
            Loss.SKIPPED,
        ),
    ),
    *of(
        "jest",
        (
            "another expect for all",
            "describe(",
            'vi.stubGlobal("expect", () => ({ toBe() {} }));\ndescribe(',
            Loss.PUT_IN_PLACE,
        ),
        (
            "after the file is read",
            '  test("one", () => {\n    expect(price(1)).toBe(5);\n  });\n',
            '  setTimeout(() => test("one", () => {\n    expect(price(1)).toBe(5);\n  }), 0);\n',
            Loss.SKIPPED,
        ),
    ),
    *of(
        "go",
        (
            "a panic is caught by another function",
            "func TestOne(t *testing.T) {\n",
            "func calm() { recover() }\n\nfunc TestOne(t *testing.T) {\n\tdefer calm()\n",
            Loss.SKIPPED,
        ),
    ),
    PlantedDiff(
        "tried rust: a row less",
        "tests/shop.rs",
        _RUST_ROWS,
        _RUST_ROWS.replace("#[case(2)]\n", ""),
        Loss.FEWER_CASES,
    ),
]
HONEST_GIVEN_AWAY = [
    kept(
        "python",
        "what is submitted is asked for",
        _ONE,
        f"{_KEPT_CALL}    pool.submit(one).result()\n",
    ),
    kept(
        "python",
        "what is gathered may fail",
        _ONE,
        f"{_KEPT_CALL}    asyncio.run(asyncio.gather(one()))\n",
    ),
    kept(
        "go",
        "a panic is told by another function",
        "func TestOne(t *testing.T) {\n",
        "func told(t *testing.T) {\n\tif r := recover(); r != nil {\n\t\tt.Error(r)\n\t}\n}\n\n"
        "func TestOne(t *testing.T) {\n\tdefer told(t)\n",
    ),
    kept(
        "python",
        "a name of its own that begins like a test",
        _DEF,
        f"class Till:\n    def __init__(self):\n        self.test_one = 1\n\n\n{_DEF}",
    ),
]
