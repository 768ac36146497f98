"""Tests that become the rows of one, and what gets lost on the way."""

from gates.test_guard.compare import Loss
from tests.gates.planted_diffs import PlantedDiff

_GO = """\
package shop

func TestOne(t *testing.T) {
	if got := Price(1); got != 5 {
		t.Errorf("Price(1) = %d, want 5", got)
	}
}

func TestTwo(t *testing.T) {
	got, err := Price(2)
	require.NoError(t, err)
	require.Equal(t, 10, got)
}
"""
_GO_ROWS = """\
package shop

func TestPrice(t *testing.T) {
	tests := []struct {
		name        string
		count, want int
	}{
		{"TestOne", 1, 5},
		{"TestTwo", 2, 10},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Price(tt.count)
			require.NoError(t, err)
			if got != tt.want {
				t.Errorf("Price(%d) = %d, want %d", tt.count, got, tt.want)
			}
		})
	}
}
"""
_GO_MAP = (
    _GO_ROWS.replace("[]struct", "map[string]struct")
    .replace("\t\tname        string\n", "")
    .replace('{"TestOne", 1, 5}', '"TestOne": {count: 1, want: 5}')
    .replace('{"TestTwo", 2, 10}', '"TestTwo": {want: 10, count: 2}')
    .replace("for _,", "for name,")
    .replace("tt.name", "name")
)
_GO_TYPE = "type row struct {\n\tname string\n\tcount int\n\twant int\n}\n\n" + _GO_ROWS.replace(
    "[]struct {\n\t\tname        string\n\t\tcount, want int\n\t}{", "[]row{"
)
_NODE = """\
import { price } from "./shop.js";

test("one", () => {
  expect(price(1)).toBe(5);
});

test("two", () => {
  expect(price(2)).toBe(10);
});
"""
_EACH = """\
import { price } from "./shop.js";

test.each([[1, 5], [2, 10]])("costs %i", (count, cost) => {
  expect(price(count)).toBe(cost);
});
"""
_KEYED = _EACH.replace("[1, 5], [2, 10]", "{ count: 1, cost: 5 }, { cost: 10, count: 2 }").replace(
    "(count, cost) =>", "({ count, cost }) =>"
)
_LOOP = """\
import { price } from "./shop.js";

test("costs", () => {
  for (const [count, cost] of [[1, 5], [2, 10]]) {
    const got = price(count);
    expect(got).toBe(cost);
  }
});
"""
_RUST = """\
#[test]
fn one() {
    assert_eq!(price(1), 5);
}

#[test]
fn two() {
    assert_eq!(price(2), 10);
}
"""
_RUST_ROWS = """\
#[test]
fn costs() {
    for (count, cost) in [(1, 5), (2, 10)] {
        assert_eq!(price(count), cost, "of {count}");
    }
}
"""
_Honest = tuple[str, dict[str, tuple[str, str]]]
_WAYS = [
    ("a table in Go", "shop_test.go", _GO, _GO_ROWS),
    ("a map of rows in Go", "shop_test.go", _GO, _GO_MAP),
    ("rows of a type in Go", "shop_test.go", _GO, _GO_TYPE),
    ("each row in JavaScript", "shop.test.ts", _NODE, _EACH),
    ("each row by its keys in JavaScript", "shop.test.ts", _NODE, _KEYED),
    ("a loop in JavaScript", "shop.test.ts", _NODE, _LOOP),
    ("a loop in Rust", "tests/shop.rs", _RUST, _RUST_ROWS),
]

HONEST_ROWS: list[_Honest] = [
    (f"tests become {name}", {path: (before, after)}) for name, path, before, after in _WAYS
]


def _less(name: str, path: str, before: str, after: str, old: str, new: str) -> PlantedDiff:
    assert old in after
    return PlantedDiff(f"rows: {name}", path, before, after.replace(old, new), Loss.LOST)


ROWS = [
    *(
        _less(f"another value in {name}", path, before, after, "10", "11")
        for name, path, before, after in _WAYS
    ),
    _less("a value that is not asked", *_WAYS[0][1:], "got != tt.want", "got != tt.count"),
    _less("a part of the table", *_WAYS[0][1:], "range tests {", "range tests[1:] {"),
    _less(
        "a value in the message", *_WAYS[3][1:], "(count)).toBe(cost)", "(count), cost).toBe(count)"
    ),
    _less("a part of the rows", *_WAYS[6][1:], "(2, 10)]", "(2, 10)].iter().take(1)"),
    _less(
        "rows that are left out",
        *_WAYS[0][1:],
        "\t\t\tgot, err",
        "\t\t\tif tt.count > 1 {\n\t\t\t\treturn\n\t\t\t}\n\t\t\tgot, err",
    ),
]
