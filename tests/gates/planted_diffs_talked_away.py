"""Diffs by which a test says the same words and means less: copies, callbacks for nothing, promises, tolerances."""

import textwrap

from gates.test_guard.compare import Loss
from tests.gates.planted_diffs import PlantedDiff
from tests.gates.planted_diffs_tried import of

_ONE = "    assert price(1) == 5\n"
_NAMED = "    got = price(1)\n    want = 5\n    assert got == want\n"
_DEF = "def test_one():\n"
_IMPORT = 'import { price } from "./shop";\n'
_JEST = "    expect(price(1)).toBe(5);\n"
_GO = '\tif Price(1) != 5 {\n\t\tt.Fatal("one")\n\t}\n'
_RUST = "        assert_eq!(price(1), 5);\n"
_CLASS = "class TestShop:"
_FLAKY = "@pytest.mark.flaky(reruns=2)\n"


def _away(language: str, *these: tuple[str, str, str, Loss]) -> list[PlantedDiff]:
    return [
        PlantedDiff(one.name.replace("tried", "away", 1), one.path, one.before, one.after, one.loss)
        for one in of(language, *these)
    ]


def _edit(
    language: str, name: str, old: str, new: str, edit: tuple[str, str], loss: Loss = Loss.WEAKENED
) -> PlantedDiff:
    """A test in which `new` stands for `old` is edited once more."""
    (one,) = _away(language, (name, old, new, loss))
    assert edit[0] in one.after, name
    return PlantedDiff(one.name, one.path, one.after, one.after.replace(*edit), loss)


def _copied(text: str, name: str = "") -> tuple[str, str, str, Loss]:
    """The result is held against a copy of it."""
    said = f"    got = price(1)\n    want = {text}\n    other = 1\n    assert got == want\n"
    return name or text, _ONE, said, Loss.WEAKENED


def _off(size: str) -> tuple[str, str, str, Loss]:
    said = f"    assert price(1) == pytest.approx(5, {size})\n"
    return f"off by {size}", _ONE, said, Loss.WEAKENED


def _copied_in_jest(text: str, name: str = "") -> tuple[str, str, str, Loss]:
    said = f"    const got = price(1);\n    expect(got).toEqual({text});\n"
    return name or text, _JEST, said, Loss.WEAKENED


def _for_none(of: str) -> tuple[str, str, str, Loss]:
    """What asserts is called for each of no elements."""
    return of, _JEST, f"    {of}(() => expect(price(1)).toBe(5));\n", Loss.WEAKENED


def _unheard(name: str, text: str) -> tuple[str, str, str, Loss]:
    return name, _JEST, f"    {text}\n", Loss.HOLLOW


def _reshaped(
    name: str, what: str, head: str, loss: Loss = Loss.SKIPPED
) -> tuple[str, str, str, Loss]:
    return name, _CLASS, f"{what}\n\n\n{head}", loss


_LOOP = "    for name in dir(cls):\n        if name.startswith('test'):\n            delattr(cls, name)\n"
TALKED_AWAY = [
    *_away(
        "python",
        *map(_copied, ("{**got}", "dict(got)", "copy.deepcopy(got)", "got.copy()", "[*got]")),
        _copied("type(got)(got)", "its own type"),
        _copied("{k: v for k, v in got.items()}", "its own items"),
        _copied("[one for one in got]", "its own elements"),
        _copied("json.loads(json.dumps(got))", "there and back"),
        _copied("dict(**got)", "its own keywords"),
        _copied("sorted(got)", "in an order"),
        (
            "a copy at once",
            _ONE,
            "    got = price(1)\n    assert got == {**got}\n",
            Loss.WEAKENED,
        ),
        (
            "a copy in unittest's words",
            _ONE,
            "    got = price(1)\n    assert_equal(got, dict(got))\n",
            Loss.WEAKENED,
        ),
        *map(_off, ("abs=10**9", "abs=WIDE", "rel=math.inf", 'rel=float("inf")', "rel=0.4")),
        (
            "off by a thousand",
            _ONE,
            "    np.testing.assert_almost_equal(price(1), 5, decimal=-3)\n",
            Loss.WEAKENED,
        ),
        ("less itself", _ONE, "    assert price(1) - price(1) == 0\n", Loss.WEAKENED),
        ("to the power of nothing", _ONE, "    assert price(1) ** 0 == 1\n", Loss.WEAKENED),
        ("a range of nothing", _ONE, f"    for n in range(1, 1):\n    {_ONE}", Loss.WEAKENED),
    ),
    _edit("python", "it wants what it is told", _ONE, _NAMED, ("want = 5", "want = price(2)")),
    _edit(
        "python", "a wider distance", _ONE, "    assert abs(price(1) - 5) < 1e-9\n", ("1e-9", "1e9")
    ),
    *_away(
        "python",
        (
            "its own price by a name",
            _ONE,
            "    cost = lambda n: 5 * n\n    assert cost(1) == 5\n",
            Loss.WEAKENED,
        ),
        (
            "another value by its own name",
            "from shop import price\n",
            "def price(n):\n    return 5 * n\n",
            Loss.WEAKENED,
        ),
    ),
    _edit("python", "more runs", _DEF, f"{_FLAKY}{_DEF}", ("=2", "=9")),
    _edit(
        "python", "more runs of a file", _DEF, f"pytestmark = {_FLAKY[1:]}\n\n{_DEF}", ("=2", "=9")
    ),
    _edit(
        "python",
        "fewer that pass",
        _DEF,
        f"@flaky(max_runs=3, min_passes=3)\n{_DEF}",
        ("min_passes=3", "min_passes=1"),
    ),
    _edit("class", "more runs of a class", _CLASS, f"{_FLAKY}{_CLASS}", ("=2", "=9")),
    *_away(
        "class",
        _reshaped(
            "a metaclass",
            "class Calm(type):\n    def __new__(cls, name, bases, own):\n        return type.__new__(cls, name, bases, {})",
            "class TestShop(metaclass=Calm):",
        ),
        _reshaped(
            "a metaclass of its base",
            "from calm import Calm\n\n\nclass Base(metaclass=Calm):\n    pass",
            "class TestShop(Base):",
        ),
        _reshaped(
            "its base takes its tests",
            f"class Base:\n    def __init_subclass__(cls):\n{textwrap.indent(_LOOP, '    ')}",
            "class TestShop(Base):",
        ),
        _reshaped(
            "a decorator takes its tests",
            f"def calm(cls):\n{_LOOP}    return cls",
            f"@calm\n{_CLASS}",
        ),
        _reshaped(
            "a decorator empties it",
            "def calm(cls):\n    vars(cls).clear()\n    return cls",
            f"@calm\n{_CLASS}",
        ),
        _reshaped(
            "a decorator says that it is none",
            "def calm(cls):\n    cls.__test__ = False\n    return cls",
            f"@calm\n{_CLASS}",
        ),
        _reshaped(
            "a decorator gives another",
            "def calm(cls):\n    return type(cls.__name__, (), {})",
            f"@calm\n{_CLASS}",
        ),
        (
            "a loop over its names",
            "        assert price(1) == 5\n",
            "        assert price(1) == 5\n\n\nfor name in dir(TestShop):\n    if name.startswith('test'):\n"
            "        setattr(TestShop, name, len)\n",
            Loss.SKIPPED,
        ),
    ),
    *_away(
        "jest",
        *map(
            _copied_in_jest,
            (
                "{ ...got }",
                "[...got]",
                "structuredClone(got)",
                "JSON.parse(JSON.stringify(got))",
                "Object.assign({}, got)",
                "got.slice()",
            ),
        ),
        *(
            (f"its own price by {text}", _IMPORT, f"{text}\n", Loss.WEAKENED)
            for text in (
                "const price = n => 5 * n;",
                "const price = Number;",
                "const { price } = { price: () => 5 };",
                "class price {}",
            )
        ),
        ("a price by a double", _IMPORT, "const price = jest.fn(() => 5);\n", Loss.WEAKENED),
        (
            "its own price by another name",
            _JEST,
            "    const cost = () => 5;\n    expect(cost(1)).toBe(5);\n",
            Loss.WEAKENED,
        ),
        (
            "a copy by its name",
            _JEST,
            "    const got = price(1);\n    const want = { ...got };\n    expect(got).toEqual(want);\n",
            Loss.WEAKENED,
        ),
        *map(
            _for_none,
            (
                "[].map",
                "[].every",
                "new Array().map",
                "[].reduce",
                "none.flatMap",
                "[1].filter(() => false).map",
            ),
        ),
        *(
            (f"as {text}", _JEST, f"    expect(price(1)).toEqual(expect.{text});\n", Loss.WEAKENED)
            for text in ("objectContaining({})", "arrayContaining([])", "stringMatching(/.*/)")
        ),
        (
            "more than nothing",
            _JEST,
            "    expect(price(1) > -Infinity).toBe(true);\n",
            Loss.WEAKENED,
        ),
        ("either way", _JEST, "    expect(price(1) ? 5 : 5).toBe(5);\n", Loss.WEAKENED),
        ("a sum of its own", _JEST, "    expect(1 + 4).toBe(5);\n", Loss.HOLLOW),
        (
            "at an event",
            _JEST,
            '    till.on("never", () => expect(price(1)).toBe(5));\n',
            Loss.WEAKENED,
        ),
        _unheard("again and again", "setInterval(() => expect(price(1)).toBe(5), 1);"),
        _unheard("when it will be so", "vi.waitFor(() => expect(price(1)).toBe(5));"),
        _unheard("polled", "expect.poll(() => price(1)).toBe(5);"),
        _unheard("let go", "void expect(price(1)).resolves.toBe(5);"),
        _unheard("in brackets", "(expect(price(1)).resolves.toBe(5));"),
        _unheard("in a list", "[expect(price(1)).resolves.toBe(5)];"),
        _unheard("behind a comma", "0, expect(price(1)).resolves.toBe(5);"),
    ),
    _edit(
        "jest",
        "nobody waits for it any more",
        _JEST,
        '    await expect(page.cost()).toHaveText("5");\n',
        ("await ", ""),
    ),
    _edit(
        "jest",
        "fewer digits by a name",
        _JEST,
        "    const digits = 2;\n    expect(price(1)).toBeCloseTo(5, digits);\n",
        ("= 2", "= -3"),
    ),
    _edit(
        "jest",
        "a wider distance",
        _JEST,
        "    expect(Math.abs(price(1) - 5)).toBeLessThan(0.1);\n",
        ("0.1", "1e9"),
    ),
    _edit(
        "jest",
        "close to anything",
        _JEST,
        "    assert.closeTo(price(1), 5, 0.1);\n",
        ("0.1", "1e9"),
    ),
    _edit(
        "jest",
        "it wants what it is told",
        _JEST,
        "    const want = 5;\n    expect(price(1)).toBe(want);\n",
        ("= 5", "= price(2)"),
    ),
    _edit("jest", "more tries", '"one", ', '"one", { retry: 2 }, ', ("2", "9")),
    _edit(
        "jest", "more tries of a file", "describe(", "jest.retryTimes(2);\ndescribe(", ("2", "9")
    ),
    _edit(
        "jest",
        "more tries of a suite",
        '"price", ',
        '"price", { retry: 2 }, ',
        ("2", "9"),
    ),
    _edit(
        "jest",
        "more tries as it is set",
        "describe(",
        "vi.setConfig({ retry: 2 });\ndescribe(",
        ("2", "9"),
    ),
    _edit("mocha", "more tries behind it", "  });\n});", "  }).retries(2);\n});", ("2", "9")),
    _edit(
        "mocha",
        "more tries of a block",
        '  it("one"',
        '  this.retries(2);\n  it("one"',
        ("2", "9"),
    ),
    *_away(
        "go",
        (
            "a copy by its name",
            _GO,
            "\tgot := Price(1)\n\twant := slices.Clone(got)\n\tif got != want {\n\t\tt.Fatal(1)\n\t}\n",
            Loss.WEAKENED,
        ),
        (
            "a copy into nothing",
            _GO,
            "\tgot := Price(1)\n\tassert.Equal(t, got, append([]int{}, got...))\n",
            Loss.WEAKENED,
        ),
        (
            "its own price by another name",
            _GO,
            "\tcost := func(n int) int { return 5 * n }\n\tif cost(1) != 5 {\n\t\tt.Fatal(1)\n\t}\n",
            Loss.WEAKENED,
        ),
        (
            "each of a map of nothing",
            _GO,
            f"\tfor range map[int]int{{}} {{\n{_GO}\t}}\n",
            Loss.WEAKENED,
        ),
    ),
    _edit(
        "go", "a wider distance", _GO, "\tassert.InDelta(t, 5.0, Price(1), 1e-9)\n", ("1e-9", "1e9")
    ),
    _edit(
        "go",
        "a larger share",
        _GO,
        "\tassert.InEpsilon(t, 5.0, Price(1), 1e-9)\n",
        ("1e-9", "wide"),
    ),
    _edit(
        "go",
        "a wider bound",
        _GO,
        "\tif math.Abs(Price(1)-5) > 1e-9 {\n\t\tt.Fatal(1)\n\t}\n",
        ("1e-9", "1e9"),
    ),
    *_away(
        "rust",
        (
            "a clone",
            _RUST,
            "        let got = price(1);\n        assert_eq!(got, got.clone());\n",
            Loss.WEAKENED,
        ),
        (
            "a list of nothing",
            _RUST,
            f"        for _ in [0u32; 0] {{\n    {_RUST}        }}\n",
            Loss.WEAKENED,
        ),
        (
            "a range of nothing",
            _RUST,
            "        (0..0).for_each(|_| assert_eq!(price(1), 5));\n",
            Loss.WEAKENED,
        ),
        (
            "what is none",
            _RUST,
            "        None::<u32>.map(|_| assert_eq!(price(1), 5));\n",
            Loss.WEAKENED,
        ),
    ),
    _edit(
        "rust",
        "a wider distance",
        _RUST,
        "        assert!((price(1) - 5.0).abs() < 1e-9);\n",
        ("1e-9", "1e9"),
    ),
    _edit(
        "rust",
        "a wider epsilon",
        _RUST,
        "        assert_abs_diff_eq!(price(1), 5.0, epsilon = 1e-9);\n",
        ("1e-9", "1e9"),
    ),
    _edit("rust", "more tries", "    #[test]\n", "    #[retry(2)]\n    #[test]\n", ("2", "9")),
]
