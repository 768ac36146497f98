"""Tests in JavaScript, Go and Rust: assertions of helpers in another file count for the tests."""

import pytest

from gates.result import Ending
from gates.test_guard.asserted_elsewhere import with_helpers_of
from tests.gates.test_rows_in_other_files import judged

Files = dict[str, str]
JEST = """\
import { expect, test } from "vitest";
import { price } from "../shop";
import { check } from "./kit";

test("one", () => {
  check(price(1), 5);
});
"""
JEST_KIT = """\
import { expect } from "vitest";

export function check(got, wanted) {
  expect(got).toBe(wanted);
}
"""
JEST_DEEP = """\
export function check(got, wanted) {
  same(got, wanted);
}

function same(a, b) {
  expect(a).toBe(b);
}
"""
GO = """\
package shop

import "testing"

func TestOne(t *testing.T) {
	check(t, Price(1), 5)
}
"""
GO_KIT = """\
package shop

import "testing"

func check(t *testing.T, got, wanted int) {
	t.Helper()
	if got != wanted {
		t.Fatal(got)
	}
}
"""
GO_FAILS = "\tif got != wanted {\n\t\tt.Fatal(got)\n\t}\n"
RUST = """\
mod common;
use common::check;

#[test]
fn one() {
    check(shop::price(1), 5);
}
"""
RUST_KIT = "pub fn check(got: u32, wanted: u32) {\n    assert_eq!(got, wanted);\n}\n"
BESIDE = """\
#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn one() {
        check(super::price(1), 5);
    }
}
"""
_JEST_SAYS = "  expect(got).toBe(wanted);"
_ALIAS = JEST.replace("{ check }", "{ check as same }").replace("check(", "same(")
_WHOLE = JEST.replace("{ check }", "* as kit").replace("check(", "kit.check(")
_ARROW = "export const check = (got, wanted) => expect(got).toBe(wanted);\n"
_REQUIRED = JEST.replace('import { check } from "./kit"', 'const { check } = require("./kit")')
_OLD = "exports.check = function (got, wanted) {\n  expect(got).toBe(wanted);\n};\n"
_ASYNC = JEST.replace("() => {\n  check", "async () => {\n  await check")
_ASYNC_KIT = JEST_KIT.replace("function", "async function")
_OBJECT = JEST.replace("{ check }", "{ shop }").replace("check(", "shop.check(")
_OBJECT_KIT = """\
import { expect } from "vitest";

export const shop = {
  open(): void {
    this.check(1, 1);
  },
  check(got: number, wanted: number): void {
    expect(got).toBe(wanted);
  },
};
"""
_PART_KIT = _OBJECT_KIT.replace("wanted: number): void {", "wanted: number) => {").replace(
    "check(got", "check: (got"
)
_VALUE_KIT = "export const shop: Kit = {\n  check: (got, wanted) => expect(got).toBe(wanted),\n};\n"
_FUNCTION_KIT = _OBJECT_KIT.replace("check(got", "check: async function (got")
_CLASS = (
    JEST.replace("{ check }", "{ Shop }")
    .replace("check(", "shop.check(")
    .replace("  shop", "  const shop = new Shop();\n  shop")
)
_CLASS_KIT = _OBJECT_KIT.replace("const shop =", "class Shop").replace("},\n", "}\n")
_STATIC = JEST.replace("{ check }", "{ Shop }").replace("check(", "Shop.check(")
_STATIC_KIT = _CLASS_KIT.replace("check(got", "static check(got")
_LATER = _OBJECT.replace("() => {\n", "async () => {\n").replace(
    "shop.check(p", "await shop.check(p"
)
_LATER_KIT = _OBJECT_KIT.replace("check(got", "async check(got")
_OTHERS = _OBJECT.replace("5);", "5);\n  api.check(2);")
_PACKAGE = GO.replace(
    'import "testing"', 'import (\n\t"testing"\n\n\t"example.com/shop/internal/testutil"\n)'
).replace("check(", "testutil.Check(")
_PACKAGE_KIT = GO_KIT.replace("package shop", "package testutil").replace(
    "func check", "func Check"
)
_BY_PATH = RUST.replace("use common::check;\n", "").replace("    check", "    common::check")


_GO_CHECK = GO_KIT.partition('"testing"\n')[2]
_WITHOUT_NAMES = """\
package shop

import "testing"

func TestTwo(t *testing.T) {
	shop := Shop{
		Open: func(n int) error {
			if n != 1 {
				t.Fatal("one")
			}
			return nil
		},
	}
	if !shop.Run() {
		t.Fatal("two")
	}
}
"""


def jest(test: str, kit: str) -> Files:
    return {"tests/shop.test.ts": test, "tests/kit.ts": kit}


def go(test: str, kit: str, path: str = "kit_test.go") -> Files:
    return {"shop_test.go": test, path: kit}


def rust(test: str, kit: str, path: str = "tests/common/mod.rs") -> Files:
    return {"tests/shop.rs": test, path: kit}


def _edited(files: Files, old: str, new: str) -> tuple[Files, Files]:
    """The same test with another helper."""
    after = {path: text.replace(old, new) for path, text in files.items()}
    assert after != files
    return files, after


FOUND = {
    "jest: nothing now": _edited(jest(JEST, JEST_KIT), _JEST_SAYS, ""),
    "jest: less now": _edited(jest(JEST, JEST_KIT), "toBe(wanted)", "toBeDefined()"),
    "jest: it returns first": _edited(jest(JEST, JEST_KIT), _JEST_SAYS, f"  return;\n{_JEST_SAYS}"),
    "jest: it catches": _edited(
        jest(JEST, JEST_KIT), _JEST_SAYS, f"  try {{\n  {_JEST_SAYS}\n  }} catch {{}}"
    ),
    "jest: an arrow": _edited(jest(JEST, _ARROW), "expect(got).toBe(wanted)", "{}"),
    "jest: by the whole module": _edited(jest(_WHOLE, JEST_KIT), _JEST_SAYS, ""),
    "jest: under another name": _edited(jest(_ALIAS, JEST_KIT), _JEST_SAYS, ""),
    "jest: required": _edited(jest(_REQUIRED, _OLD), _JEST_SAYS, ""),
    "jest: waited for": _edited(jest(_ASYNC, _ASYNC_KIT), _JEST_SAYS, ""),
    "jest: a helper of a helper": _edited(jest(JEST, JEST_DEEP), "  expect(a).toBe(b);\n", ""),
    "jest: a method": _edited(jest(_OBJECT, _OBJECT_KIT), "expect(got).toBe(wanted);", ""),
    "jest: a method by another": _edited(
        jest(_OBJECT.replace("check(price(1), 5)", "open()"), _OBJECT_KIT),
        "this.check(1, 1);",
        "",
    ),
    "jest: a part": _edited(jest(_OBJECT, _PART_KIT), "expect(got).toBe(wanted);", ""),
    "jest: a part that is a value": _edited(
        jest(_OBJECT, _VALUE_KIT), "expect(got).toBe(wanted)", "got"
    ),
    "jest: a part that is a function": _edited(
        jest(_LATER, _FUNCTION_KIT), "expect(got).toBe(wanted);", ""
    ),
    "jest: a method of a class": _edited(jest(_CLASS, _CLASS_KIT), "expect(got).toBe(wanted);", ""),
    "jest: a method of the class itself": _edited(
        jest(_STATIC, _STATIC_KIT), "expect(got).toBe(wanted);", ""
    ),
    "jest: a method in the file": _edited(
        {"tests/shop.test.ts": f"{_OBJECT}\n{_OBJECT_KIT}"}, "expect(got).toBe(wanted);", ""
    ),
    "jest: a method that is waited for": _edited(
        jest(_LATER, _LATER_KIT), "expect(got).toBe(wanted);", ""
    ),
    "jest: a method that nobody waits for": _edited(
        jest(_LATER, _LATER_KIT), "await shop.check", "shop.check"
    ),
    "jest: into an empty one": (
        jest(JEST.replace("check(price(1), 5)", "expect(price(1)).toBe(5)"), ""),
        jest(JEST, JEST_KIT.replace(_JEST_SAYS, "")),
    ),
    "go: nothing now": _edited(go(GO, GO_KIT), GO_FAILS, ""),
    "go: less now": _edited(go(GO, GO_KIT), "got != wanted", "got == 0"),
    "go: it returns first": _edited(go(GO, GO_KIT), "\tt.Helper", "\treturn\n\tt.Helper"),
    "go: in a package for tests": _edited(
        {"shop_test.go": _PACKAGE, "internal/testutil/kit.go": _PACKAGE_KIT}, GO_FAILS, ""
    ),
    "go: into an empty one": (
        go(GO.replace("check(t, Price(1), 5)", 'if Price(1) != 5 {\n\t\tt.Fatal("one")\n\t}'), ""),
        go(GO, GO_KIT.replace(GO_FAILS, "")),
    ),
    "rust: nothing now": _edited(rust(RUST, RUST_KIT), "assert_eq!(got, wanted);", ""),
    "rust: less now": _edited(
        rust(RUST, RUST_KIT), "assert_eq!(got, wanted)", "assert!(got > 0 && wanted > 0)"
    ),
    "rust: by its path": _edited(rust(_BY_PATH, RUST_KIT), "assert_eq!(got, wanted);", ""),
    "rust: all of a module": _edited(
        rust(RUST.replace("common::check", "common::*"), RUST_KIT), "assert_eq!(got, wanted);", ""
    ),
    "rust: beside the product": _edited(
        {"src/lib.rs": BESIDE, "src/testing.rs": RUST_KIT}, "assert_eq!(got, wanted);", ""
    ),
}
HONEST = {
    "jest: into a helper": (
        jest(JEST.replace("check(price(1), 5)", "expect(price(1)).toBe(5)"), ""),
        jest(JEST, JEST_KIT),
    ),
    "jest: into a method": (
        jest(JEST.replace("check(price(1), 5)", "expect(price(1)).toBe(5)"), ""),
        jest(_OBJECT, _OBJECT_KIT),
    ),
    "jest: into a method of a class": (
        jest(JEST.replace("check(price(1), 5)", "expect(price(1)).toBe(5)"), ""),
        jest(_CLASS, _CLASS_KIT),
    ),
    "jest: a method that is waited for": (
        jest(JEST.replace("check(price(1), 5)", "expect(price(1)).toBe(5)"), ""),
        jest(_LATER, _LATER_KIT),
    ),
    "jest: a part becomes a method": _edited(
        jest(_OBJECT, _FUNCTION_KIT.replace("async ", "")), "check: function (got", "check(got"
    ),
    "jest: a method of another": _edited(jest(_OTHERS, _OBJECT_KIT), "  api.check(2);\n", ""),
    "jest: out of a helper": (
        jest(JEST, JEST_KIT),
        jest(JEST.replace("check(price(1), 5)", "expect(price(1)).toBe(5)"), JEST_KIT),
    ),
    "jest: a helper has moved": (
        jest(JEST, JEST_KIT),
        {"tests/shop.test.ts": JEST.replace("./kit", "./money"), "tests/money.ts": JEST_KIT},
    ),
    "jest: it says more": _edited(
        jest(JEST, JEST_KIT), _JEST_SAYS, f"  console.log(got);\n{_JEST_SAYS}"
    ),
    "jest: a helper of a helper": (jest(JEST, JEST_KIT), jest(JEST, JEST_DEEP)),
    "go: into a helper": (
        go(GO.replace("check(t, Price(1), 5)", 'if Price(1) != 5 {\n\t\tt.Fatal("one")\n\t}'), ""),
        go(GO, GO_KIT),
    ),
    "go: a helper has moved": (go(GO, GO_KIT), go(GO, GO_KIT, "money_test.go")),
    "go: out of the file": (
        {"shop_test.go": GO + GO_KIT.partition('"testing"\n')[2]},
        go(GO, GO_KIT, "money_test.go"),
    ),
    "go: it is no helper": _edited(go(GO, GO_KIT), "\tt.Helper()\n", ""),
    "go: functions without a name beside it": (
        go(GO.replace("Price(1)", "Price(1, error)"), _WITHOUT_NAMES + _GO_CHECK),
        go(GO.replace("Price(1)", "Price(1, error)"), f"{_WITHOUT_NAMES}\n// 1\n{_GO_CHECK}"),
    ),
    "rust: into a helper": (
        rust(RUST.replace("check(shop::price(1), 5)", "assert_eq!(shop::price(1), 5)"), ""),
        rust(RUST, RUST_KIT),
    ),
    "rust: a helper has moved": (
        rust(RUST, RUST_KIT),
        rust(RUST, RUST_KIT, "tests/common.rs"),
    ),
}


@pytest.mark.parametrize(("before", "after"), FOUND.values(), ids=FOUND)
def test_a_helper_that_asserts_less_is_found_where_it_is_called(
    before: Files, after: Files
) -> None:
    assert judged(before, after).ending is Ending.FAILED


@pytest.mark.parametrize(("before", "after"), HONEST.values(), ids=HONEST)
def test_legitimate_work_on_helpers_of_other_files_is_not_reported(
    before: Files, after: Files
) -> None:
    said = judged(before, after)
    assert said.ending is Ending.PASSED, said.sentence


def test_anonymous_functions_are_not_helpers() -> None:
    """Its return type is not its name: half of a statement would make the test file unreadable."""
    test = GO.replace("Price(1)", "Price(1, error)")
    written = with_helpers_of("shop_test.go", test, {"two_test.go": _WITHOUT_NAMES + _GO_CHECK})
    assert written == f"{test}\n{_GO_CHECK.strip()}\n"
