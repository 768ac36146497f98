"""Diffs by which tests pass whatever the product does, through what stands around them."""

from gates.test_guard.compare import Loss
from tests.gates.planted_diffs import PlantedDiff
from tests.gates.planted_diffs_conditions import JAVASCRIPT
from tests.gates.planted_diffs_round import GO, NODE, RUST

PYTHON = """from shop import price


def test_one():
    assert price(1) == 5


def test_two():
    assert price(2) == 10
"""

_FILES = {
    "python": ("tests/test_shop.py", PYTHON),
    "node": ("web/shop.test.mjs", NODE),
    "javascript": ("web/shop.test.js", JAVASCRIPT),
    "go": ("shop_test.go", GO),
    "rust": ("src/lib.rs", RUST),
}


def _of(language: str, *these: tuple[str, str, str, Loss]) -> list[PlantedDiff]:
    path, before = _FILES[language]
    assert all(old in before for _, old, _, _ in these)
    return [
        PlantedDiff(f"around {language}: {name}", path, before, before.replace(old, new, 1), loss)
        for name, old, new, loss in these
    ]


AROUND = [
    *_of(
        "python",
        (
            "a function's parts",
            "from shop import price\n",
            "from shop import price\nobject.__setattr__(price, '__code__', (lambda count: 5 * count).__code__)\n",
            Loss.PUT_IN_PLACE,
        ),
        (
            "a module that is no test",
            "from shop import price\n",
            "from shop import price\n__test__ = False\n",
            Loss.SKIPPED,
        ),
        (
            "a hook that gives no rows",
            "    assert price(2) == 10\n",
            "    assert price(2) == 10\n\n\ndef pytest_generate_tests(metafunc):\n    metafunc.fixturenames.append('x')\n    metafunc.parametrize('x', [])\n",
            Loss.SKIPPED,
        ),
        (
            "a global of set-up",
            "from shop import price\n",
            "from shop import price\n\n\ndef setup_module():\n    global price\n    price = lambda n: 5 * n\n",
            Loss.WEAKENED,
        ),
        (
            "rows of an empty range",
            "def test_one():\n",
            "@pytest.mark.parametrize('n', range(0))\ndef test_one(n):\n",
            Loss.FEWER_CASES,
        ),
        (
            "a patch that is started",
            "from shop import price\n",
            "from unittest.mock import patch\npatch('shop.price', lambda n: 5 * n).start()\nfrom shop import price\n",
            Loss.PUT_IN_PLACE,
        ),
        (
            "another way to pass",
            "    assert price(1) == 5\n",
            "    assert price(1) == 5 or print('no') is None\n",
            Loss.WEAKENED,
        ),
        (
            "a stack that lets nothing out",
            "    assert price(1) == 5\n",
            "    with ExitStack() as s:\n        s.push(lambda *a: True)\n        assert price(1) == 5\n",
            Loss.HOLLOW,
        ),
        (
            "behind a loop that breaks",
            "    assert price(1) == 5\n",
            "    while price(1) != 5:\n        break\n    else:\n        assert price(1) == 5\n",
            Loss.WEAKENED,
        ),
        (
            "behind what may fail",
            "    assert price(1) == 5\n",
            "    try:\n        int('x')\n    except ValueError:\n        pass\n    else:\n        assert price(1) == 5\n",
            Loss.WEAKENED,
        ),
        (
            "what is left of a division",
            "    assert price(1) == 5\n",
            "    assert price(1) % 5 == 5 % 5\n",
            Loss.WEAKENED,
        ),
        (
            "times nothing",
            "    assert price(1) == 5\n",
            "    assert price(1) * 0 == 5 * 0\n",
            Loss.WEAKENED,
        ),
        (
            "the larger of two",
            "    assert price(1) == 5\n",
            "    assert max(price(1), 5) == 5\n",
            Loss.WEAKENED,
        ),
        (
            "a name that is free again",
            "from shop import price\n",
            "from shop import price as _price\n\n\ndef price(n):\n    return _price(n) or 5 * n\n",
            Loss.WEAKENED,
        ),
        (
            "a coroutine that nobody waits for",
            "def test_one():\n    assert price(1) == 5\n",
            "async def one():\n    assert price(1) == 5\n\n\ndef test_one():\n    one()\n",
            Loss.HOLLOW,
        ),
    ),
    *_of(
        "node",
        (
            "a property that is defined",
            'import assert from "node:assert";\n',
            'import assert from "node:assert";\nObject.defineProperty(assert, "strictEqual", { value() {} });\n',
            Loss.PUT_IN_PLACE,
        ),
        (
            "a matcher by brackets",
            'import { price } from "./shop.js";\n',
            'import { price } from "./shop.js";\nassert["strictEqual"] = () => {};\n',
            Loss.PUT_IN_PLACE,
        ),
        (
            "a matcher by reflection",
            'import { price } from "./shop.js";\n',
            'import { price } from "./shop.js";\nReflect.set(assert, "strictEqual", () => {});\n',
            Loss.PUT_IN_PLACE,
        ),
        (
            "an option by its name",
            'test("one", () => {',
            'const skip = true;\ntest("one", { skip }, () => {',
            Loss.SKIPPED,
        ),
        (
            "options by their name",
            'test("one", () => {',
            'const options = { skip: true };\ntest("one", options, () => {',
            Loss.SKIPPED,
        ),
        (
            "a module that is put in",
            'import { price } from "./shop.js";\n',
            'import { mock } from "node:test";\nmock.module("./shop.js", { namedExports: { price: (n) => 5 * n } });\nconst { price } = await import("./shop.js");\n',
            Loss.WEAKENED,
        ),
        (
            "a loader of modules",
            'import { price } from "./shop.js";\n',
            'import { register } from "node:module";\nregister("./hooks.mjs", import.meta.url);\nimport { price } from "./shop.js";\n',
            Loss.PUT_IN_PLACE,
        ),
        (
            "the larger of two",
            "  assert.strictEqual(price(1), 5);\n",
            "  assert.strictEqual(Math.max(price(1), 5), 5);\n",
            Loss.WEAKENED,
        ),
        (
            "times nothing",
            "  assert.strictEqual(price(1), 5);\n",
            "  assert.strictEqual(price(1) * 0, 5 * 0);\n",
            Loss.WEAKENED,
        ),
        (
            "or what is expected",
            "  assert.strictEqual(price(1), 5);\n",
            "  assert.strictEqual(price(1) || 5, 5);\n",
            Loss.WEAKENED,
        ),
        (
            "or else what is expected",
            "  assert.strictEqual(price(1), 5);\n",
            "  assert.strictEqual(price(1) ?? 5, 5);\n",
            Loss.WEAKENED,
        ),
    ),
    *_of(
        "javascript",
        (
            "with what is equal to all",
            "  expect(price(1)).toBe(5);\n",
            "  expect(price(1)).toEqual({ asymmetricMatch: () => true });\n",
            Loss.WEAKENED,
        ),
        (
            "a snapshot",
            "  expect(price(1)).toBe(5);\n",
            "  expect(price(1)).toMatchSnapshot();\n",
            Loss.WEAKENED,
        ),
    ),
    *_of(
        "go",
        (
            "its own price",
            "func TestOne",
            "func Price(n int) int { return 5 * n }\n\nfunc TestOne",
            Loss.WEAKENED,
        ),
        (
            "its own variable",
            "func TestOne",
            "var Price = func(n int) int { return 5 * n }\n\nfunc TestOne",
            Loss.WEAKENED,
        ),
        (
            "an option of the runner",
            "func TestOne",
            'var _ = flag.Set("test.run", "none")\n\nfunc TestOne',
            Loss.PUT_IN_PLACE,
        ),
        (
            "a run under a condition",
            "func TestOne",
            'func TestMain(m *testing.M) {\n\tif os.Getenv("ALL") != "" {\n\t\tos.Exit(m.Run())\n\t}\n}\n\nfunc TestOne',
            Loss.SKIPPED,
        ),
        (
            "a choice that is made at once",
            '\tif Price(1) != 5 {\n\t\tt.Fatal("one")\n\t}\n',
            '\tselect {\n\tdefault:\n\tcase <-make(chan int):\n\tif Price(1) != 5 {\n\t\tt.Fatal("one")\n\t}\n\t}\n',
            Loss.WEAKENED,
        ),
        ("the larger of two", "Price(1) != 5", "max(Price(1), 5) != 5", Loss.WEAKENED),
        ("not another value", "!= 5", "== 6", Loss.WEAKENED),
    ),
    *_of(
        "rust",
        (
            "another macro's name",
            "    use super::*;\n",
            "    use super::*;\n    use std::debug_assert_eq as assert_eq;\n",
            Loss.PUT_IN_PLACE,
        ),
        (
            "only as text",
            "        assert_eq!(price(1), 5);\n",
            "        let _ = stringify!(assert_eq!(price(1), 5));\n",
            Loss.HOLLOW,
        ),
        (
            "a future that nobody asks",
            "        assert_eq!(price(1), 5);\n",
            "        let _ = async { assert_eq!(price(1), 5) };\n",
            Loss.HOLLOW,
        ),
        (
            "another way to pass",
            "        assert_eq!(price(1), 5);\n",
            "        assert!(price(1) == 5 || price(1) == 0);\n",
            Loss.WEAKENED,
        ),
        (
            "the larger of two",
            "        assert_eq!(price(1), 5);\n",
            "        assert_eq!(price(1).max(5), 5);\n",
            Loss.WEAKENED,
        ),
        (
            "what runs before",
            "    use super::*;\n",
            '    use super::*;\n    #[link_section = ".init_array"]\n    static X: extern "C" fn() = quit;\n',
            Loss.PUT_IN_PLACE,
        ),
        (
            "an example that only defines",
            "/// assert_eq!(shop::price(1), 5);",
            "/// let _ = || assert_eq!(shop::price(1), 5);",
            Loss.HOLLOW,
        ),
        (
            "an example under a condition",
            "/// assert_eq!(shop::price(1), 5);",
            "/// if false {\n/// assert_eq!(shop::price(1), 5);\n/// }",
            Loss.HOLLOW,
        ),
    ),
]
