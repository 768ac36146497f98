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
_FILES = {
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


HONEST_KEPT = [
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
