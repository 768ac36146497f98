"""Honest edits beside those by which a test says the same words and means less."""

from tests.gates.planted_diffs_tried import kept

_ONE = "    assert price(1) == 5\n"
_DEF = "def test_one():\n"
_JEST = "    expect(price(1)).toBe(5);\n"
_GO = '\tif Price(1) != 5 {\n\t\tt.Fatal("one")\n\t}\n'
_RUST = "        assert_eq!(price(1), 5);\n"
_CLASS = "class TestShop:"
_FLAKY = "@pytest.mark.flaky(reruns=2)\n"


def _rewritten(
    language: str, name: str, old: str, was: str, now: str
) -> tuple[str, dict[str, tuple[str, str]]]:
    """Two honest ways to say one thing."""
    ((_, before),) = kept(language, name, old, was)[1].values()
    ((path, (_, after)),) = kept(language, name, old, now)[1].items()
    return name, {path: (before, after)}


HONEST_TALKED_AWAY = [
    _rewritten(
        "python",
        "a copy that is compared, before and after",
        _ONE,
        "    was = [3]\n    assert price(was) == 5\n    assert copy(was) == was\n",
        "    was = [4]\n    assert price(was) == 5\n    assert copy(was) == was\n",
    ),
    _rewritten(
        "python",
        "the length in pytest's words",
        _ONE,
        "    assertEqual(len(price(1)), 5)\n",
        "    assert len(price(1)) == 5\n",
    ),
    _rewritten(
        "python",
        "a tolerance that has a name now",
        _ONE,
        "    assert price(1) == pytest.approx(5, abs=1e-6)\n",
        "    near = 10**-6\n    assert price(1) == pytest.approx(5, abs=near)\n",
    ),
    _rewritten(
        "python", "fewer runs", _DEF, f"@pytest.mark.flaky(reruns=9)\n{_DEF}", f"{_FLAKY}{_DEF}"
    ),
    _rewritten(
        "python",
        "it waits longer between its runs",
        _DEF,
        f"@pytest.mark.flaky(reruns=2, reruns_delay=1)\n{_DEF}",
        f"@pytest.mark.flaky(reruns=2, reruns_delay=9)\n{_DEF}",
    ),
    kept(
        "python",
        "a line that some call two",
        _ONE,
        f'    """Of a shop\u2028and its prices."""\n{_ONE}',
    ),
    _rewritten(
        "python",
        "a list that the product fills",
        _ONE,
        _ONE,
        "    got = []\n    price(1, got)\n    assert got == [5]\n",
    ),
    _rewritten(
        "jest",
        "a list that the product fills in jest",
        _JEST,
        _JEST,
        "    const got = [];\n    price(1, got);\n    expect(got).toEqual([5]);\n",
    ),
    kept("class", "an abstract class", _CLASS, "class TestShop(metaclass=ABCMeta):"),
    kept(
        "class",
        "a decorator with a value for it",
        _CLASS,
        f"def at(place):\n    def put(cls):\n        cls.place = place\n        return cls\n\n    return put\n\n\n@at(1)\n{_CLASS}",
    ),
    kept(
        "class",
        "a base class that keeps a list",
        _CLASS,
        "class Base:\n    def __init_subclass__(cls):\n        KNOWN.append(cls)\n\n\nclass TestShop(Base):",
    ),
    _rewritten(
        "jest",
        "each of a list by another method",
        _JEST,
        "    for (const n of [1, 2]) {\n      expect(price(n)).toBe(5 * n);\n    }\n",
        "    [1, 2].map((n) => expect(price(n)).toBe(5 * n));\n",
    ),
    _rewritten(
        "jest",
        "a promise that is waited for later",
        _JEST,
        "    await expect(price(1)).resolves.toBe(5);\n",
        "    const later = expect(price(1)).resolves.toBe(5);\n    tick();\n    await later;\n",
    ),
    _rewritten(
        "jest",
        "promises that are waited for together",
        _JEST,
        "    await expect(price(1)).resolves.toBe(5);\n",
        "    await Promise.all([expect(price(1)).resolves.toBe(5)]);\n",
    ),
    _rewritten(
        "jest",
        "a comparison by a matcher of its own",
        _JEST,
        "    expect(price(1) > 3).toBe(true);\n",
        "    expect(price(1)).toBeGreaterThan(3);\n",
    ),
    _rewritten(
        "jest",
        "an await that was for nothing",
        _JEST,
        "    await expect(price(1)).toBe(5);\n",
        _JEST,
    ),
    _rewritten(
        "go",
        "a distance that has a name now",
        _GO,
        "\tassert.InDelta(t, 5.0, Price(1), 0.01)\n",
        "\tconst near = 0.01\n\tassert.InDelta(t, 5.0, Price(1), near)\n",
    ),
    _rewritten(
        "rust",
        "each of a range by a method",
        _RUST,
        "        for n in 1..4 {\n            assert_eq!(price(n), 5 * n);\n        }\n",
        "        (1..4).for_each(|n| assert_eq!(price(n), 5 * n));\n",
    ),
]
