"""Honest work on tests that looks like what goes round them, and what stands beside it and does."""

from gates.test_guard.compare import Loss
from tests.gates.planted_diffs import PlantedDiff

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
_RUST = """\
use shop::price;

#[test]
fn two() {
    assert_eq!(price(2), 10);
}
"""
_DOC = """\
/// ```
/// assert_eq!(shop::price(1), 5);
/// ```
pub fn price(n: u32) -> u32 { 5 * n }
"""
_SAID = "/// assert_eq!(shop::price(1), 5);\n"

_Honest = tuple[str, dict[str, tuple[str, str]]]


def _node(name: str, old: str, new: str) -> _Honest:
    return f"{name} in JavaScript", {"shop.test.ts": (_NODE, _changed(_NODE, old, new))}


def _go(name: str, old: str, new: str) -> _Honest:
    return f"{name} in Go", {"shop_test.go": (_GO, _changed(_GO, old, new))}


def _rust(name: str, new: str) -> _Honest:
    after = _changed(_RUST, "price(2), 10", new)
    return f"{name} in Rust", {"tests/shop.rs": (_RUST, after)}


def _doc(name: str, new: str) -> _Honest:
    return f"{name} in an example of Rust", {"src/lib.rs": (_DOC, _changed(_DOC, _SAID, new))}


def _changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


def _main(body: str, more: str = "") -> str:
    return f"func TestMain(m *testing.M) {{\n{body}}}\n\n{more}func TestTwo"


_RUNS = "func run(m *testing.M) int {\n\tdefer clean()\n\treturn m.Run()\n}\n\n"
_RUNS_NOTHING = "func run(m *testing.M) int {\n\treturn 0\n}\n\n"

HONEST_AROUND = [
    _node(
        "another platform",
        'test("two"',
        'beforeAll(() => {\n  Object.defineProperty(process, "platform", { value: "win32" });\n});\n\ntest("two"',
    ),
    _node(
        "another environment",
        'test("two"',
        'beforeAll(() => {\n  Object.assign(process.env, { RATE: "2" });\n});\n\ntest("two"',
    ),
    _node(
        "a double of fetch",
        'test("two"',
        'beforeEach(() => {\n  globalThis.fetch = vi.fn();\n});\n\ntest("two"',
    ),
    _node(
        "a double of what encrypts",
        'test("two"',
        'Object.defineProperty(globalThis, "crypto", { value: webcrypto });\n\ntest("two"',
    ),
    _node(
        "a register beside createRequire",
        'test("two"',
        'import { createRequire } from "node:module";\nregister("a customer");\n\ntest("two"',
    ),
    _node("a remainder that is given", "price(2)", "price(12 % 10)"),
    _go(
        "an error and a value under one condition",
        "\tif got := Price(2); got != 10 {",
        "\tgot, err := PriceOf(2)\n\tif err != nil || got != 10 {",
    ),
    _go(
        "a fake's method",
        "func TestTwo",
        "type fake struct{}\n\nfunc (fake) Price(n int) int { return 5 }\n\nfunc TestTwo",
    ),
    _go("a main that looks for leaks", "func TestTwo", _main("\tgoleak.VerifyTestMain(m)\n")),
    _go("a main in two parts", "func TestTwo", _main("\tos.Exit(run(m))\n", _RUNS)),
    _rust("a closure", "with_shop(|| price(2)), 10"),
    _doc("what is waited for", f"/// # tokio_test::block_on(async {{\n{_SAID}/// # }})\n"),
    _doc("rows", "/// for n in [1, 2] {\n///     assert_eq!(shop::price(n), 5 * n);\n/// }\n"),
    _doc("a brace in a text", f'/// let text = format!("{{{{");\n{_SAID}'),
]

AROUND_HONEST = [
    PlantedDiff(
        "honest go: a main that hands it on to nothing",
        "shop_test.go",
        _GO,
        _changed(_GO, "func TestTwo", _main("\tos.Exit(run(m))\n", _RUNS_NOTHING)),
        Loss.SKIPPED,
    ),
    PlantedDiff(
        "honest javascript: another exit",
        "shop.test.ts",
        _NODE,
        f'{_NODE}\nObject.defineProperty(process, "exit", {{ value() {{}} }});\n',
        Loss.PUT_IN_PLACE,
    ),
    PlantedDiff(
        "honest javascript: another expect",
        "shop.test.ts",
        _NODE,
        f"{_NODE}\nglobalThis.expect = always;\n",
        Loss.PUT_IN_PLACE,
    ),
    PlantedDiff(
        "honest rust: rows that are none",
        "src/lib.rs",
        _DOC,
        _changed(_DOC, _SAID, f"/// for n in [] {{\n{_SAID}/// }}\n"),
        Loss.HOLLOW,
    ),
]
