"""Honest edits that look like less: a message that computes, a process that helps, a double that keeps the rest."""

from gates.test_guard.compare import Loss
from tests.gates.planted_diffs import PlantedDiff

_RUST = """\
use shop::price;

#[test]
fn two() {
    assert_eq!(price(2), 10);
}

#[test]
fn three() {
    assert!(price(3) == 15);
}
"""
_NODE = """\
import test from "node:test";
import assert from "node:assert/strict";
import { price } from "./shop.js";

test("two", (t) => {
  assert.equal(price(2), 10);
});

test("three", (t) => {
  assert(price(3) === 15);
});

test("four", (t) => {
  t.is(price(4), 20);
});

test("five", () => {
  expect(price(5)).toBe(25);
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
_JEST = """\
import { expect, test, vi } from "vitest";
import { price, now } from "./shop.js";

test("two", () => {
  expect(price(2)).toBe(10);
});
"""
_FILES = {
    "TypeScript": ("shop.test.ts", _JEST),
    "modules": (
        "shop.test.ts",
        _JEST.replace("{ price, now }", "* as shop").replace("price(", "shop.price("),
    ),
    "defaults": ("shop.test.ts", _JEST.replace("{ price, now }", "price")),
    "Go": ("shop_test.go", _GO),
    "Rust": ("tests/shop.rs", _RUST),
    "JavaScript": ("shop.test.mjs", _NODE),
}

_Honest = tuple[str, dict[str, tuple[str, str]]]


def _honest(language: str, name: str, *edits: tuple[str, str]) -> _Honest:
    path, before = _FILES[language]
    return f"{name} in {language}", {path: (before, _edited(before, edits))}


def _less(language: str, name: str, loss: Loss, *edits: tuple[str, str]) -> PlantedDiff:
    path, before = _FILES[language]
    return PlantedDiff(f"kept {language}: {name}", path, before, _edited(before, edits), loss)


def _edited(text: str, edits: tuple[tuple[str, str], ...]) -> str:
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    return text


def _main(*lines: str, name: str = "TestMain(m *testing.M)") -> tuple[str, str]:
    body = "".join(f"\t{line}\n" for line in lines)
    return "func TestTwo", f"func {name} {{\n{body}}}\n\nfunc TestTwo"


def _asks(variable: str, sign: str, value: str, *, ends: str = "os.Exit(0)") -> tuple[str, ...]:
    return f"if os.Getenv({variable}) {sign} {value} {{", "\thelp()", f"\t{ends}", "}"


_RUNS = "os.Exit(m.Run())"
_WANTED = _asks('"GO_WANT_HELPER_PROCESS"', "==", '"1"')
_NAMED = ("func TestTwo", 'const shown = "SHOP_SHOWN"\n\nfunc TestTwo')
_GIVEN = ("t.Fatalf", 'cmd.Env = append(os.Environ(), shown+"=1")\n\t\tt.Fatalf')


def _double(factory: str, path: str = "./shop") -> tuple[str, str]:
    return 'test("two"', f'vi.mock("{path}", {factory});\n\ntest("two"'


_KEEPS = "async (importOriginal) => ({ ...(await importOriginal()), %s })"
_ACTUAL = '() => ({ ...jest.requireActual("./shop.js"), %s })'
_NAMED_ACTUAL = (
    'async () => {\n  const actual = await vi.importActual<typeof import("./shop.js")>("./shop.js");\n'
    "  return { ...actual, %s };\n}"
)
_DOUBLES = (("import", _KEEPS), ("require", _ACTUAL), ("name", _NAMED_ACTUAL))
_CI_GIVEN = ("t.Fatalf", 'cmd.Env = append(os.Environ(), "CI=true")\n\t\tt.Fatalf')

HONEST_KEPT = [
    _honest("Go", "a helper process", _main(*_WANTED, _RUNS)),
    _honest("Go", "a helper process at its start", _main(*_WANTED, name="init()")),
    _honest("Go", "a helper by a name", _main(*_asks("shown", "!=", '""'), _RUNS), _NAMED, _GIVEN),
    _honest(
        "Go",
        "a helper behind the tests",
        _main(*_asks('"BE_CRASHER"', "==", '""', ends=_RUNS), "crash()", "os.Exit(0)"),
    ),
    _honest(
        "Go",
        "helpers by cases",
        _main(
            'switch os.Getenv("SHOP_CHILD") {', 'case "":', _RUNS, 'case "echo":', "os.Exit(0)", "}"
        ),
    ),
    *(
        _honest(
            "TypeScript", f"a double beside the original by {way}", _double(one % "now: vi.fn()")
        )
        for way, one in _DOUBLES
    ),
    _honest(
        "Rust",
        "a message that computes",
        ("10);", '10, "{} of {}", price(2) % 7, cmp::max(1, 2));'),
        ("== 15);", '== 15, "{}", is_odd || true);'),
    ),
    _honest(
        "JavaScript",
        "a message that computes",
        ("(price(2), 10)", '(price(2), 10, "of " + (n || 1))'),
        ("=== 15", '=== 15, "of " + (n % 5)'),
        ("expect(price(5))", 'expect(price(5), "of " + (n || 1))'),
    ),
]

KEPT = [
    *(
        _less("TypeScript", f"a double of what is tested ({way})", Loss.WEAKENED, edit)
        for way, edit in (
            *((f"by {way}", _double(one % "now, price: () => 10")) for way, one in _DOUBLES),
            ("of another original", _double('() => ({ ...jest.requireActual("./fake.js"), now })')),
            ("by a computed name", _double(_KEEPS % "[name]: () => 10")),
            ("by another object", _double(_KEEPS % "...fakes")),
            (
                "behind the return",
                _double(_NAMED_ACTUAL.replace("return", "actual.price = ten;\n  return") % "now"),
            ),
            ("of nothing else", _double("() => ({ price: () => 10 })")),
        )
    ),
    _less("modules", "a double", Loss.WEAKENED, _double(_KEEPS % "price: () => 10")),
    _less("defaults", "a double", Loss.WEAKENED, _double(_KEEPS % "default: () => 10")),
    _less("Go", "an exit that any run takes", Loss.SKIPPED, _main("m.Run()", "os.Exit(0)")),
    *(
        _less("Go", f"a helper that is the run ({name})", Loss.SKIPPED, _main(*lines), _CI_GIVEN)
        for name, lines in (
            ("by its machine", (*_asks('"CI"', "==", '"true"'), _RUNS)),
            ("by what is not there", (*_asks('"SHOP_HELPER"', "!=", '"1"'), _RUNS)),
            ("by another way in", (*_asks('"SHOP_HELPER"', "==", '"1" || true'), _RUNS)),
            (
                "by itself",
                ('os.Setenv("SHOP_HELPER", "1")', *_asks('"SHOP_HELPER"', "==", '"1"'), _RUNS),
            ),
            ("by nothing that is given", (*_asks('"SHOP_SHOWN"', "==", '"1"'), _RUNS)),
            (
                "by an end that is none",
                (*_asks('"SHOP_HELPER"', "==", '""', ends="m.Run()"), "os.Exit(0)"),
            ),
            (
                "by the case of the run",
                ('switch os.Getenv("SHOP_HELPER") {', 'case "":', "os.Exit(0)", "}", _RUNS),
            ),
        )
    ),
    _less("Rust", "a value in the message", Loss.WEAKENED, ("== 15", '> 1, "{}", 15 == 15')),
    _less("Rust", "a remainder", Loss.WEAKENED, ("price(2), 10", "price(2) % 7, 10 % 7")),
    _less("JavaScript", "a value in the message", Loss.WEAKENED, ("=== 15", "> 1, 15 === 15")),
    _less(
        "JavaScript",
        "a plain assertion is gone",
        Loss.HOLLOW,
        ("assert(price(3) === 15)", "price(3)"),
    ),
    _less("JavaScript", "the same twice", Loss.HOLLOW, ("price(4), 20", "price(4), price(4)")),
]
