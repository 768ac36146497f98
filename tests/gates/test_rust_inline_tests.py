"""Inline tests in Rust files: where they are, and how they are exchanged."""

import json
import os
from pathlib import Path

import pytest

from gates.cargo_probe import Program, modules_of
from gates.test_guard.rust_inline import (
    has_bare_tests,
    inline_tests,
    lines_of_tests,
    with_tests_of,
)

SOURCE = """\
pub fn price(count: u32) -> u32 {
    5 * count
}

#[cfg(test)]
use std::fmt::{Debug, Display};

/// Of prices.
#[cfg(test)]
mod tests {
    #[test]
    fn five() {
        assert_eq!(super::price(1), 5);
    }
}

pub fn half(count: u32) -> u32 {
    price(count) / 2
}
"""


def test_inline_tests_are_found_with_their_comments() -> None:
    assert [SOURCE[start:end].split()[0] for start, end in inline_tests(SOURCE)] == [
        "#[cfg(test)]",
        "///",
    ]
    assert [SOURCE[end - 1] for _, end in inline_tests(SOURCE)] == [";", "}"]
    assert lines_of_tests(SOURCE) == frozenset({5, 6, *range(8, 16)})


def test_a_file_gets_the_tests_of_another() -> None:
    other = SOURCE.replace("(1), 5", "(1), 4").replace("5 * count", "4 * count")

    put = with_tests_of(other, SOURCE)

    assert "5 * count" in put
    assert "price(1), 4" in put
    assert put.count("mod tests") == 1
    assert "pub fn half" in put


@pytest.mark.parametrize(
    ("source", "is_bare"),
    [
        (SOURCE, False),
        (SOURCE + "#[test]\nfn one() {\n    helper();\n}\n", True),
        (SOURCE + "#[tokio::test]\nasync fn one() {}\n", True),
    ],
)
def test_a_test_in_no_module_is_seen(source: str, is_bare: bool) -> None:
    assert has_bare_tests(source) is is_bare


@pytest.mark.parametrize(
    ("path", "modules"),
    [
        ("src/lib.rs", ()),
        ("src/desk/till.rs", ("desk", "till")),
        ("crates/shop/src/desk/mod.rs", ("desk",)),
    ],
)
def test_a_rust_file_is_mapped_to_its_modules(path: str, modules: tuple[str, ...]) -> None:
    assert modules_of(path, {path: "", "src/other.rs": ""}) == modules
    assert modules_of(path, {path: ""}) == ()


PROGRAM = """\
#!/bin/sh
case "$1" in
--list) printf 'desk::tests::opens: test\\ntests::opens: test\\ntests::closes: test\\n' ;;
*) cat {said}; exit 101 ;;
esac
"""
SAID = """\
test {name} ... FAILED
---- {name} stdout ----
thread '{name}' (7) panicked at {place}:
{words}
"""
# Before Rust 1.73.
SAID_OLD = """\
test {name} ... FAILED
---- {name} stdout ----
thread '{name}' panicked at '{words}', {place}
"""


@pytest.mark.parametrize("layout", [SAID, SAID_OLD])
@pytest.mark.parametrize(
    ("words", "place", "asserted"),
    [
        ("assertion `left == right` failed", "src/desk.rs:1:1", True),
        ("assertion failed: `(left == right)`\n  left: `4`,\n right: `5`", "src/desk.rs:1:1", True),
        ("it is closed", "src/desk.rs:2:5", True),
        ("it is closed", "src/desk.rs:3:5", False),
        ("note: test did not panic as expected at src/desk.rs:1:1", "nowhere", True),
    ],
)
def test_a_probed_program_runs_the_requested_test(
    tmp_path: Path, words: str, place: str, asserted: bool, layout: str
) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "lib.rs").write_text("fn opens() {}\nfn closes() {}\n")
    (tmp_path / "src" / "desk.rs").write_text(
        'fn opens() {\n    assert!(is_open(), "it is closed");\n    panic!("it is closed");\n}\n'
    )
    program = tmp_path / "shop-0123456789abcdef"
    said = tmp_path / "said"
    said.write_text(layout.format(name="desk::tests::opens", place=place, words=words))
    program.write_text(PROGRAM.format(said=said))
    program.chmod(0o755)
    told = "{0}.d: src/lib.rs src/desk.rs\n\nsrc/lib.rs:\nsrc/desk.rs:\n"
    Path(f"{program}.d").write_text(told.format(program))
    plan = {"root": str(tmp_path), "out": str(tmp_path), "select": ["src/desk.rs::opens"]}

    Program(plan, str(program), []).run()

    seen = json.loads((tmp_path / f"probe-{os.getpid()}.json").read_text())
    assert seen["collected"] == ["src/desk.rs::desk::tests::opens"]
    assert seen["tests"][0]["outcome"] == "failed"
    assert seen["tests"][0]["asserted"] is asserted
