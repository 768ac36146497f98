"""Tables of tests: honest work on them, and rows that are taken away or were never there."""

from gates.test_guard.compare import Loss
from tests.gates.planted_diffs import PlantedDiff

_PYTHON = """\
import pytest

from shop import price


@pytest.mark.anyio
async def test_one():
    seen = [part for part in price(1)]
    assert seen == [5]
"""
_GO = """\
package shop

import "testing"

func TestOne(t *testing.T) {
	var group sync.WaitGroup
	times := 200
	group.Wait()
	for i := 0; i < times; i++ {
		if Price(1) != 5 {
			t.Fatal(1)
		}
	}
}
"""
_GO_CASE = """\
package shop

import "testing"

func TestOne(t *testing.T) {
	if got := Price(1); got != 5 {
		t.Fatal(got)
	}
}
"""
_NESTED = """\
package shop

import "testing"

func TestOne(t *testing.T) {
	tests := []struct {
		name string
		in   struct{ count int }
		want func(int) bool
	}{
		{name: "one", in: struct{ count int }{1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Price(tt.in.count); got != 5 {
				t.Fatal(got)
			}
		})
	}
}
"""
_KEYED = _NESTED.replace("tests := []struct", "tests := map[string]struct").replace(
    '\t\t{name: "one", in:', '\t\t"one": {name: "one", in:'
)
_POINTED = _NESTED.replace("tests := []struct", "tests := []*struct")
_ROWS = """\
import { price } from "./shop.js";
import { expect, test } from "vitest";

test.each([
  [1, 5],
  [2, 10],
])("costs %i", (count, cost) => {
  expect(price(count)).toBe(cost);
});
"""
_TYPED = _ROWS.replace("test.each([", "test.each<[number, number]>([")
_NAMED = _ROWS.replace(
    "test.each([\n  [1, 5],\n  [2, 10],\n])",
    "const ROWS: Array<[number, number]> = [\n  [1, 5],\n  [2, 10],\n];\n\ntest.each(ROWS)",
)
_CONSTANT = _ROWS.replace("\n])(", "\n] as const)(")
_SATISFIED = _NAMED.replace(": Array<[number, number]>", "").replace(
    "];", "] satisfies [number, number][];"
)
_READONLY = _NAMED.replace("Array<[number, number]>", "readonly (readonly [number, number])[]")
_PLAIN = """\
import { price } from "./shop.js";
import { expect, test } from "vitest";

test("costs", () => {
  expect(price(count)).toBe(cost);
});
"""
_EACH = _PLAIN.replace(
    "  expect",
    "  const rows: Array<[number, number]> = [[1, 5]];\n  for (const [count, cost] of rows) expect",
)
_OBJECTS = _PLAIN.replace(
    "  expect",
    "  const rows: { count: number; cost: number }[] = [{ count: 1, cost: 5 }];\n"
    "  for (const { count, cost } of rows) {\n    expect",
).replace("toBe(cost);\n", "toBe(cost);\n  }\n")
_ENTRIES = _PLAIN.replace(
    "  expect",
    "  const rows: Record<string, number> = { 1: 5 };\n"
    "  for (const [count, cost] of Object.entries(rows)) {\n    expect",
).replace("toBe(cost);\n", "toBe(cost);\n  }\n")

_ONCE = "from shop import price\n\n\ndef test_one():\n    assert price(1) == 5\n"
_AGAIN = """\
def test_imports_late():
    global price
    del price
    from shop import price

    assert price(1) == 5
"""

HONEST_TABLES = [
    (
        "a comprehension that becomes a list",
        {
            "tests/test_shop.py": (
                _PYTHON,
                _PYTHON.replace("[part for part in price(1)]", "list(price(1))"),
            )
        },
    ),
    (
        "a test that imports once more",
        {"tests/test_shop.py": (_ONCE, f"{_ONCE}\n\n{_AGAIN}")},
    ),
    (
        "a loop of as many turns in new Go",
        {"shop_test.go": (_GO, _GO.replace("i := 0; i < times; i++", "range times"))},
    ),
    ("a table of nested structs in Go", {"shop_test.go": (_GO_CASE, _NESTED)}),
    ("a map of nested structs in Go", {"shop_test.go": (_GO_CASE, _KEYED)}),
    ("a table of pointers in Go", {"shop_test.go": (_GO_CASE, _POINTED)}),
    ("rows with a type in TypeScript", {"shop.test.ts": (_ROWS, _TYPED)}),
    ("a list of rows with a type in TypeScript", {"shop.test.ts": (_ROWS, _NAMED)}),
    ("rows that are constants in TypeScript", {"shop.test.ts": (_CONSTANT, _ROWS)}),
    ("rows that satisfy a type in TypeScript", {"shop.test.ts": (_ROWS, _SATISFIED)}),
    ("rows that nobody changes in TypeScript", {"shop.test.ts": (_ROWS, _READONLY)}),
    ("each row of a typed list in TypeScript", {"shop.test.ts": (_PLAIN, _EACH)}),
    ("each object of a typed list in TypeScript", {"shop.test.ts": (_PLAIN, _OBJECTS)}),
    ("each entry of a typed object in TypeScript", {"shop.test.ts": (_PLAIN, _ENTRIES)}),
]

_FEWER = _NAMED.replace("  [2, 10],\n", "")
_NO_ROWS = _NESTED.replace('\t\t{name: "one", in: struct{ count int }{1}},\n', "").replace(
    "\t}{\n\t}", "\t}{}"
)
TABLES = [
    PlantedDiff(
        "table javascript: a list by its name loses rows",
        "shop.test.ts",
        _NAMED,
        _FEWER,
        Loss.FEWER_CASES,
    ),
    PlantedDiff(
        "table javascript: a list becomes a shorter one by its name",
        "shop.test.ts",
        _ROWS,
        _FEWER,
        Loss.FEWER_CASES,
    ),
    PlantedDiff(
        "table javascript: a list of another name is empty",
        "shop.test.ts",
        _ROWS,
        _NAMED.replace("each(ROWS)", "each(ROWS.slice(1))"),
        Loss.FEWER_CASES,
    ),
    PlantedDiff(
        "table go: nested structs without rows",
        "shop_test.go",
        _GO_CASE,
        _NO_ROWS,
        Loss.WEAKENED,
    ),
    PlantedDiff(
        "table go: no turn",
        "shop_test.go",
        _GO,
        _GO.replace("i := 0; i < times; i++", "range times").replace("= 200", "= 0"),
        Loss.WEAKENED,
    ),
    PlantedDiff(
        "table go: room for turns",
        "shop_test.go",
        _GO,
        _GO.replace("i := 0; i < times; i++", "range make([]int, 0, times)"),
        Loss.WEAKENED,
    ),
    PlantedDiff(
        "table go: a number that comes to nothing",
        "shop_test.go",
        _GO,
        _GO.replace("i := 0; i < times; i++", "range times").replace("= 200", "= 2 * 0"),
        Loss.WEAKENED,
    ),
]
