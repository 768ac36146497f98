"""What honest commits of public repositories do to tests, in other words, and what looks like it and takes something."""

from gates.test_guard.compare import Loss
from tests.gates.planted_diffs import PlantedDiff

_RUST = """\
use shop::price;

#[test]
fn one() {
    let got = price(1);
    let said = format!("{}", got);
    assert_eq!(said, "5");
}
"""
_NODE = """\
import { expect, test } from "vitest";
import { open, price } from "./shop.js";

test("one", () => {
  const said = String(price(1));
  expect(said).toBe("5");
});

test("two", () => {
  const got = open();
  if (!got.ok) {
    throw new Error("closed");
  }
  expect(got.price).toBe(10);
  expect(got.rest).toBe(5);
});

test("three", async () => {
  try {
    await open(3);
    expect(price(3)).toBe(15);
  } catch (error) {
    throw error;
  }
});
"""
_AVA = """\
import test from "ava";
import { isOpen, price } from "./shop.js";

test("one", (t) => {
  t.is(isOpen(1), true);
});

test("two", (t) => {
  t.notThrows(() => {
    t.is(price(2), 10);
    price(3);
  });
});
"""
_DOC = """\
/// The rest.
///
/// ```rust,ignore
/// price(n) - 5
/// ```
fn rest(n: u32) -> u32 { price(n) - 5 }

/// ```
/// assert_eq!(shop::price(1), 5);
/// ```
pub fn price(n: u32) -> u32 { 5 * n }
"""
_REST = _DOC.partition("/// ```\n/// assert_eq")[0]
_BESIDE = """\
pub fn price(n: u32) -> u32 {
    debug_assert!(n < 1000);
    5 * n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one() {
        assert_eq!(price(1), 5);
    }
}
"""
_IF_NOT = '  if (!got.ok) {\n    throw new Error("closed");\n  }\n'
_OUT = "    throw error;\n"

_Honest = tuple[str, dict[str, tuple[str, str]]]


def _changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


def _honest(name: str, path: str, text: str, old: str, new: str) -> _Honest:
    return name, {path: (text, _changed(text, old, new))}


def _narrowed(said: str) -> _Honest:
    new = f"  {said}\n  if (!got.ok) {{\n    return;\n  }}\n"
    return _honest(f"{said} in front of it", "shop.test.ts", _NODE, _IF_NOT, new)


def _planted(name: str, path: str, text: str, old: str, new: str, loss: Loss) -> PlantedDiff:
    return PlantedDiff(f"sampled {name}", path, text, _changed(text, old, new), loss)


def _less(name: str, old: str, new: str) -> PlantedDiff:
    return _planted(name, "shop.test.ts", _NODE, old, new, Loss.WEAKENED)


_HELPED = (
    'function check() {\n  expect(price(1)).toBe(5);\n}\n\ntest("one", () => {\n  check();\n});\n'
)
_RELATED = 'test("one", () => {\n  expect(price(1)).toBeGreaterThan(4);\n});\n'
SAMPLED = [
    _planted(
        "jest: a helper that compares with itself",
        "shop.test.ts",
        _HELPED,
        "expect(price(1)).toBe(5)",
        "const wanted = price(1);\n  expect(price(1)).toBe(wanted)",
        Loss.WEAKENED,
    ),
    _planted(
        "jest: anything",
        "shop.test.ts",
        _RELATED,
        "toBeGreaterThan(4)",
        "toEqual(expect.anything())",
        Loss.WEAKENED,
    ),
    _planted(
        "rust: a text of its own",
        "tests/shop.rs",
        _RUST,
        'format!("{}", got)',
        'format!("{five}", five = 5)',
        Loss.WEAKENED,
    ),
    _less("jest: a text of its own", "String(price(1))", "`${5}`"),
    _less("jest: a text with a name in a text", "String(price(1))", '`${"price" && 5}`'),
    _planted(
        "tape: it may be anything true",
        "shop.test.js",
        _AVA.replace('"ava"', '"tape"').replace("notThrows", "doesNotThrow"),
        "t.is(isOpen(1), true)",
        "t.true(isOpen(1))",
        Loss.WEAKENED,
    ),
    _planted(
        "ava: it may be anything",
        "shop.test.js",
        _AVA,
        "t.is(isOpen(1), true)",
        "t.truthy(isOpen(1))",
        Loss.WEAKENED,
    ),
    _planted(
        "ava: out of what does not throw",
        "shop.test.js",
        _AVA,
        "    t.is(price(2), 10);\n",
        "",
        Loss.WEAKENED,
    ),
    _planted(
        "rust: an example is left out",
        "src/lib.rs",
        _DOC,
        "/// ```\n/// assert_eq",
        "/// ```ignore\n/// assert_eq",
        Loss.SKIPPED,
    ),
    _less(
        "jest: some failures are let go",
        _OUT,
        "    if (error.message) {\n      return;\n    }\n" + _OUT,
    ),
    _less("jest: it leaves before", _IF_NOT, "  if (!got.ok) {\n    return;\n  }\n"),
    _less(
        "jest: it leaves behind another",
        _IF_NOT,
        "  expect(got.open).toBeTruthy();\n  if (!got.ok) {\n    return;\n  }\n",
    ),
    _less(
        "jest: it leaves behind the other way",
        _IF_NOT,
        "  expect(got.ok).toBeTruthy();\n  if (+got.ok) {\n    return;\n  }\n",
    ),
    _less(
        "jest: it leaves behind what is no assertion",
        _IF_NOT,
        "  log(got.ok);\n  if (!got.ok) {\n    return;\n  }\n",
    ),
]
HONEST_SAMPLED = [
    _honest("a name in a text of rust", "tests/shop.rs", _RUST, '"{}", got', '"{got}"'),
    _honest("a name with its form", "tests/shop.rs", _RUST, '"{}", got', '"{got:?}"'),
    _honest("a text with a value", "shop.test.ts", _NODE, "String(price(1))", "`${price(1)}`"),
    _honest(
        "false of a name that says something",
        "shop.test.js",
        _AVA.replace("t.is(isOpen(1), true)", "const ok = isOpen(1);\n  t.is(ok, false)"),
        "t.is(ok, false)",
        "t.false(ok)",
    ),
    _honest(
        "true in other words", "shop.test.js", _AVA, "t.is(isOpen(1), true)", "t.true(isOpen(1))"
    ),
    (
        "out of what does not throw",
        {
            "shop.test.js": (
                _AVA,
                _changed(_AVA, "    t.is(price(2), 10);\n", "").replace(
                    "  });\n});\n", "  });\n  t.is(price(2), 10);\n});\n"
                ),
            )
        },
    ),
    _honest("an example that was no test", "src/lib.rs", _DOC, _REST, ""),
    _honest(
        "what the product asserts itself",
        "src/lib.rs",
        _BESIDE,
        "    debug_assert!(n < 1000);\n",
        "    if n > 5 {\n        debug_assert!(n < 1000);\n    }\n",
    ),
    *map(
        _narrowed,
        (
            "expect(got.ok).toBe(true);",
            "expect(got.ok).toBeTruthy();",
            "assert(got.ok);",
            'assert.ok(got.ok, "closed");',
        ),
    ),
]
