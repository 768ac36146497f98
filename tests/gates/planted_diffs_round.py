"""Diffs that go round a test without touching it: what catches, replaces, rebinds or never starts it."""

from gates.test_guard.compare import Loss
from tests.gates.planted_diffs import PlantedDiff

PYTHON = """\
import pytest
from shop import price


def test_one():
    assert price(1) == 5


def test_two():
    assert price(2) == 10
"""
_P = "tests/test_shop.py"
_ONE = "    assert price(1) == 5\n"
_CALM = "class Calm:\n    def __enter__(self):\n        pass\n\n    def __exit__(self, *gone):\n        return True\n\n\n"
_QUIET = "@contextmanager\ndef quiet():\n    try:\n        yield\n    except AssertionError:\n        pass\n\n\n"
_TRIED = "def tried(f):\n    def inner():\n        try:\n            f()\n        except AssertionError:\n            pass\n\n    return inner\n\n\n"


def _python(name: str, old: str, new: str, loss: Loss, to: str = "") -> PlantedDiff:
    assert old in PYTHON, name
    return PlantedDiff(f"round python: {name}", _P, PYTHON, PYTHON.replace(old, new), loss, to)


def _after(name: str, more: str, loss: Loss) -> PlantedDiff:
    return PlantedDiff(f"round python: {name}", _P, PYTHON, f"{PYTHON}\n\n{more}\n", loss)


IN_PYTHON = [
    _python("its own context manager", _ONE, f"    with Calm():\n    {_ONE}", Loss.HOLLOW),
    _python("its own generator", _ONE, f"    with quiet():\n    {_ONE}", Loss.HOLLOW),
    _python("its own decorator", "def test_one", "@tried\ndef test_one", Loss.HOLLOW),
    _python(
        "a failure among those it raises",
        _ONE,
        f"    with pytest.raises((AssertionError, TypeError)):\n    {_ONE}",
        Loss.WEAKENED,
    ),
    _python(
        "in a thread",
        _ONE,
        f"    def inner():\n    {_ONE}    threading.Thread(target=inner).start()\n",
        Loss.HOLLOW,
    ),
    _python("if True: return", _ONE, f"    if True:\n        return\n{_ONE}", Loss.HOLLOW),
    _python("a wide tolerance", "== 5", "== pytest.approx(5, abs=100)", Loss.WEAKENED),
    _python("another module's price", "from shop", "from tests.fake", Loss.WEAKENED),
    _python(
        "its own price in the module",
        _ONE,
        "    import shop\n    shop.price = lambda n: 5 * n\n" + _ONE,
        Loss.WEAKENED,
    ),
    _python(
        "a mark that is added",
        "def test_one():",
        'def test_one(request):\n    request.node.add_marker("xfail")',
        Loss.SKIPPED,
    ),
    _python(
        "in a folder without tests", "import", "import", Loss.SKIPPED, "tests/build/test_shop.py"
    ),
    _python("a hidden folder", "import", "import", Loss.SKIPPED, "tests/.old/test_shop.py"),
    _after("another import of its name", "from os import getpid as test_one", Loss.LOST),
    _after("a loop over its name", "for test_one in [None]:\n    pass", Loss.LOST),
    _after("a class of its name", "class test_one:\n    pass", Loss.LOST),
    _after("a type for its name", "test_one: object = None", Loss.LOST),
    _after("deleted in a try", "try:\n    del test_one\nexcept NameError:\n    pass", Loss.LOST),
    _after("deleted by its module", 'delattr(sys.modules[__name__], "test_one")', Loss.SKIPPED),
    _after("deleted in a loop", 'for one in ["test_one"]:\n    del globals()[one]', Loss.SKIPPED),
    _after("an end that is registered", "atexit.register(os._exit, 0)", Loss.SKIPPED),
    _after("another price for all", "import shop\n\nshop.price = len", Loss.PUT_IN_PLACE),
    _after("a module of its own", 'sys.modules["shop"] = Calm', Loss.PUT_IN_PLACE),
    _after(
        "a runner that runs nothing",
        "import _pytest\n\n_pytest.python.Function.runtest = len",
        Loss.PUT_IN_PLACE,
    ),
    _after("set by its name", 'import shop\n\nsetattr(shop, "price", len)', Loss.PUT_IN_PLACE),
    _after("a plugin", 'pytest_plugins = ["tests.hooks"]', Loss.PUT_IN_PLACE),
]
for _at, _own in ((0, _CALM), (1, _QUIET), (2, _TRIED)):
    _was = IN_PYTHON[_at]
    _text = _was.after.replace("def test_one", f"{_own}def test_one", 1).replace(
        f"@tried\n{_TRIED}", f"{_TRIED}@tried\n"
    )
    IN_PYTHON[_at] = PlantedDiff(_was.name, _was.path, _was.before, _text, _was.loss)

NODE = """\
import { test } from "node:test";
import assert from "node:assert";
import { price } from "./shop.js";

test("one", () => {
  assert.strictEqual(price(1), 5);
});
test("two", () => {
  assert.strictEqual(price(2), 10);
});
"""
JEST = """\
import { price } from "./shop";
describe("price", () => {
  test("one", () => {
    expect(price(1)).toBe(5);
  });
});
"""
_S = "  assert.strictEqual(price(1), 5);\n"
_TEST = f'test("one", () => {{\n{_S}}});\n'
_E = "    expect(price(1)).toBe(5);\n"


def _node(name: str, old: str, new: str, loss: Loss) -> PlantedDiff:
    assert old in NODE, name
    return PlantedDiff(f"round node: {name}", "shop.test.mjs", NODE, NODE.replace(old, new), loss)


def _jest(name: str, old: str, new: str, loss: Loss) -> PlantedDiff:
    assert old in JEST, name
    return PlantedDiff(f"round jest: {name}", "shop.test.ts", JEST, JEST.replace(old, new), loss)


IN_JAVASCRIPT = [
    _node(
        "a second answer that catches",
        _S,
        f"  return later().then(() => {{\n{_S}  }}).then(() => {{}}, () => {{}});\n",
        Loss.HOLLOW,
    ),
    _node("nobody waits for it", _S, f"  (async () => {{\n{_S}  }})();\n", Loss.HOLLOW),
    _node("it must throw", _S, f"  assert.throws(() => {{\n{_S}  }});\n", Loss.HOLLOW),
    _node("still to do", f"() => {{\n{_S}", f"(t) => {{\n  t.todo();\n{_S}", Loss.SKIPPED),
    _node("another word for skip", "{ test }", "{ skip as test }", Loss.SKIPPED),
    _node(
        "its own assert",
        'import assert from "node:assert"',
        "const assert = { strictEqual() {} }",
        Loss.SKIPPED,
    ),
    _node("an assert of the tree", '"node:assert"', '"./calm.js"', Loss.SKIPPED),
    _node(
        "an assert that says nothing",
        'test("one"',
        'assert.strictEqual = () => {};\ntest("one"',
        Loss.PUT_IN_PLACE,
    ),
    _node(
        "assigned to assert",
        'test("one"',
        'Object.assign(assert, calm);\ntest("one"',
        Loss.PUT_IN_PLACE,
    ),
    _node(
        "a mock of assert",
        'test("one"',
        'mock.method(assert, "strictEqual", () => {});\ntest("one"',
        Loss.PUT_IN_PLACE,
    ),
    _node(
        "another end of the run",
        'test("one"',
        'process.on("exit", () => (process.exitCode = 0));\ntest("one"',
        Loss.PUT_IN_PLACE,
    ),
    _node("equal to itself", "price(1), 5", "price(1), price(1)", Loss.HOLLOW),
    _node("under if (0)", _TEST, f"if (0) {_TEST}", Loss.SKIPPED),
    _node("under a condition", _TEST, f"if (process.env.ALL) {{\n{_TEST}}}\n", Loss.SKIPPED),
    _node("for each of nothing", _TEST, f"for (const n of []) {_TEST}", Loss.SKIPPED),
    _node("nothing for each", _TEST, f"[].forEach(() => {_TEST[:-2]});\n", Loss.SKIPPED),
    _node("in a function that nobody calls", _TEST, f"const never = () => {_TEST}", Loss.SKIPPED),
    _jest(
        "a matcher of its own",
        "describe",
        "expect.extend({ toBe: () => ({ pass: true }) });\ndescribe",
        Loss.PUT_IN_PLACE,
    ),
    _jest(
        "a price of its own",
        "describe",
        'jest.spyOn(shop, "price").mockReturnValue(5);\ndescribe',
        Loss.WEAKENED,
    ),
    _jest("no rows", "test(", "test.each([])(", Loss.FEWER_CASES),
    _jest("no rows for all", "describe(", "describe.each([])(", Loss.SKIPPED),
    _jest(
        "pending before each", "  test(", "  beforeEach(() => pending());\n  test(", Loss.SKIPPED
    ),
    _jest("a matcher that is not called", ".toBe(5)", ".toBe", Loss.HOLLOW),
    _jest("it returns undefined", _E, f"    return undefined;\n{_E}", Loss.HOLLOW),
    _jest("it must throw", _E, f"    expect(() => {{\n{_E}    }}).toThrow();\n", Loss.WEAKENED),
    _jest(
        "surroundings of the tree",
        JEST,
        f"/** @jest-environment ./calm.js */\n{JEST}",
        Loss.SKIPPED,
    ),
]

GO = """\
package shop

import "testing"

func TestOne(t *testing.T) {
	if Price(1) != 5 {
		t.Fatal("one")
	}
}

func ExamplePrice() {
	fmt.Println(Price(1))
	// Output: 5
}
"""
_IF = '\tif Price(1) != 5 {\n\t\tt.Fatal("one")\n\t}\n'


def _go(name: str, old: str, new: str, loss: Loss, to: str = "") -> PlantedDiff:
    assert old in GO, name
    return PlantedDiff(f"round go: {name}", "shop_test.go", GO, GO.replace(old, new), loss, to)


def _go_more(name: str, more: str, loss: Loss) -> PlantedDiff:
    return PlantedDiff(f"round go: {name}", "shop_test.go", GO, f"{GO}\n{more}\n", loss)


IN_GO = [
    _go_more(
        "a main that ends well",
        "func TestMain(m *testing.M) {\n\tm.Run()\n\tos.Exit(0)\n}",
        Loss.SKIPPED,
    ),
    _go_more("a main that runs nothing", "func TestMain(m *testing.M) {\n}", Loss.SKIPPED),
    _go_more(
        "a main that chooses",
        'func TestMain(m *testing.M) {\n\tflag.Set("test.run", "^$")\n\tos.Exit(m.Run())\n}',
        Loss.SKIPPED,
    ),
    _go_more(
        "an init that chooses", 'func init() {\n\tflag.Set("test.run", "^$")\n}', Loss.SKIPPED
    ),
    _go_more(
        "words of its own",
        'func init() {\n\tos.Args = append(os.Args, "-test.run=^$")\n}',
        Loss.SKIPPED,
    ),
    _go_more(
        "another price",
        "func init() {\n\tPrice = func(n int) int { return 5 * n }\n}",
        Loss.WEAKENED,
    ),
    _go("its own price", _IF, "\tPrice := func(n int) int { return 5 * n }\n" + _IF, Loss.WEAKENED),
    _go("another t", _IF, "\tt = &testing.T{}\n" + _IF, Loss.SKIPPED),
    _go("a t that says nothing", _IF, f"\tquiet(t, func(t calm) {{\n{_IF}\t}})\n", Loss.SKIPPED),
    _go("over nothing", _IF, f"\tfor range []int(nil) {{\n{_IF}\t}}\n", Loss.HOLLOW),
    _go("it always returns", _IF, f"\tif true {{\n\t\treturn\n\t}}\n{_IF}", Loss.HOLLOW),
    _go(
        "a part that skips",
        _IF,
        f'\tt.Run("x", func(t *testing.T) {{\n\t\tt.Skip()\n{_IF}\t}})\n',
        Loss.SKIPPED,
    ),
    _go("for another system", "package", "package", Loss.SKIPPED, "shop_windows_test.go"),
    _go("among test data", "package", "package", Loss.SKIPPED, "testdata/shop_test.go"),
    _go("in a folder that is left out", "package", "package", Loss.SKIPPED, "_old/shop_test.go"),
    _go("an example without its output", "// Output: 5", "// Prints 5", Loss.LOST),
]

RUST = """\
/// The price.
///
/// ```
/// assert_eq!(shop::price(1), 5);
/// ```
pub fn price(n: u32) -> u32 {
    5 * n
}

#[cfg(test)]
mod more;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one() {
        assert_eq!(price(1), 5);
    }
}
"""
_EQ = "        assert_eq!(price(1), 5);\n"


def _rust(name: str, old: str, new: str, loss: Loss) -> PlantedDiff:
    assert old in RUST, name
    return PlantedDiff(f"round rust: {name}", "src/lib.rs", RUST, RUST.replace(old, new, 1), loss)


IN_RUST = [
    _rust("a file under a condition", RUST, f'#![cfg(feature = "x")]\n{RUST}', Loss.SKIPPED),
    _rust(
        "a macro of its own",
        "    use super",
        "    macro_rules! assert_eq { ($($t:tt)*) => {}; }\n    use super",
        Loss.SKIPPED,
    ),
    _rust(
        "a price of its own",
        "    use super::*;",
        "    use super::*;\n    fn price(n: u32) -> u32 { 5 * n }",
        Loss.WEAKENED,
    ),
    _rust(
        "in a thread", _EQ, f"        std::thread::spawn(|| {{\n{_EQ}        }});\n", Loss.HOLLOW
    ),
    _rust("an example that is ignored", "/// ```\n/// a", "/// ```ignore\n/// a", Loss.SKIPPED),
    _rust("an example that is not run", "/// ```\n/// a", "/// ```no_run\n/// a", Loss.SKIPPED),
    _rust("an example that is text", "/// ```\n/// a", "/// ```text\n/// a", Loss.SKIPPED),
    _rust("an example that returns", "/// assert", "/// # return;\n/// assert", Loss.HOLLOW),
    _rust("no example", "/// ```\n/// assert_eq!(shop::price(1), 5);\n/// ```\n", "", Loss.LOST),
    _rust("a file that is not compiled", "#[cfg(test)]\nmod more;\n", "", Loss.LOST),
]
ROUND = [*IN_PYTHON, *IN_JAVASCRIPT, *IN_GO, *IN_RUST]
