"""The line of a log that people are told."""

import pytest

from gates.error_line import error_line


@pytest.mark.parametrize(
    ("log", "line"),
    [
        ("", ""),
        ("one\ntwo\n", "two"),
        ("E   AssertionError: 5\n=== 1 failed in 0.1s ===\n", "E   AssertionError: 5"),
        (
            "WARNING: pip cannot cache\nERROR: No matching distribution\n[notice] new pip\n",
            "ERROR: No matching distribution",
        ),
        ("src/a.c:3: error: no b\nmake: *** [Makefile:2: all] 1\n", "src/a.c:3: error: no b"),
        ("error: a\n0 errors\n", "error: a"),
        ("npm ERR! missing script: test\nnpm warn deprecated x\n", "npm ERR! missing script: test"),
        ("fatal: x\n::error file=a.py,line=1::The key is missing\ndone\n", "The key is missing"),
    ],
)
def test_the_last_error_line_of_a_log_is_found(log: str, line: str) -> None:
    assert error_line(log) == line


def test_a_line_is_cut() -> None:
    assert len(error_line(f"error: {'x' * 10_000}")) == 300


def test_an_endless_separator_line_is_read_in_linear_time() -> None:
    """What a runner's log says is read by the server."""
    line = "=" * 100_000 + "x error"
    assert error_line(line) == line[:300]
