"""Nothing raises on any bytes, and reading takes time in proportion to the text."""

import pytest
from hypothesis import given, settings, strategies as st

from bot.core.spec.read import read_document, read_spec
from tests.testkit.examples import examples
from tests.testkit.pace import at_most

PATHS = (
    "a.md",
    "openspec/specs/a/spec.md",
    "openspec/changes/x/specs/a/spec.md",
    "specs/001-a/spec.md",
    "specs/001-a/tasks.md",
    ".kiro/specs/a/requirements.md",
    ".kiro/specs/a/bugfix.md",
    "a.feature",
    "a.feature.md",
)
PIECES = (
    "# Feature: a\n", "## Requirements\n", "### Requirement: A\n", "#### Scenario: s\n", "- **WHEN** a\n",
    "- **THEN** b\n", "- **FR-001**: MUST x\n", "| FR-002 | y | Must |\n", "|---|---|\n", "```\n", "<!--", "-->\n",
    "1. WHEN a THE b SHALL c\n", "## ADDED Requirements\n", "- FROM: `### Requirement: A`\n", "Feature: f\n",
    "  Scenario: s\n", "    Given a\n", '"""\n', "---\n", "===\n", "> quote\n", "depends on FR-001 to FR-003\n",
    "**REQ-A-1:AC-1** — x\n", "   - nested\n", "\n", "\r\n", "## Out of Scope\n", "key words MUST be interpreted\n",
    "### Expected Behavior\n", "2.1 WHEN a\n", "`", "**", "[NEEDS CLARIFICATION: x]\n", "需求：当\n", "\ufeff", "| |\n",
    "# language: xx\n", "@tag\n", "Examples:\n", "## Purpose\n", "### 需求 1：x\n", "US-1 → FR-001\n",
)  # fmt: skip


@given(st.sampled_from(PATHS), st.binary(max_size=400))
@settings(max_examples=examples(100), deadline=None)
def test_no_bytes_raise(path: str, raw: bytes) -> None:
    read_document(path, raw)


@given(
    st.sampled_from(PATHS),
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=20)), max_size=30),
)
@settings(max_examples=examples(150), deadline=None)
def test_no_text_raises_and_lines_are_in_the_file(path: str, pieces: list[str]) -> None:
    text = "".join(pieces)
    document = read_document(path, text.encode("utf-8", "surrogatepass"))
    lines = len(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    for requirement in document.requirements:
        assert 1 <= requirement.line_start <= requirement.line_end <= lines
        assert requirement.title
        for scenario in requirement.scenarios:
            assert 1 <= scenario.line_start <= scenario.line_end <= lines
    assert all(1 <= f.line <= max(lines, 1) and f.question for f in document.findings)
    assert len({r.id for r in document.requirements}) == len(document.requirements)


@given(
    st.dictionaries(st.text(max_size=10), st.binary(max_size=40), max_size=3), st.text(max_size=10)
)
@settings(max_examples=40, deadline=None)
def test_no_folder_raises(files: dict[str, bytes], path: str) -> None:
    read_spec(path, files)


@pytest.mark.parametrize("piece", ["x", "\n", "`", "*", "(", "[", "- ", "| ", "# ", "A-1 ", "FR-001 to ", "需", "### FR-1: x\n",
    "- **FR-001**: MUST x\n", "### Requirement: x\n", "1 ms ", "→ ", "<!--",
    "[NEEDS CLARIFICATION: ", "[ASSUMPTION ", "fast 1", "fast " + "1" * 999, "THE A", "Requirement 1.", "5 failed attempts ", "### Story 1.1: x\n", "### Requirement 1: x\n"])  # fmt: skip
def test_any_text_is_parsed_in_linear_time(piece: str) -> None:
    raw = ("## Requirements\n\n- **FR-001**: " + piece * (40_000 // len(piece.encode()))).encode()
    # What grows with the square of this text takes ten seconds and more; the rest some 50 ms.
    with at_most(3):
        read_document("a.md", raw)


MANY = {
    "nested items": b"".join(b" " * n + b"- must\n" for n in range(1_000)),
    "a megabyte in one line": b"# a\n- " + b"x" * 990_000,
    "a giant table": b"| ID | Text |\n|---|---|\n" + b"| FR-1 | x |\n" * 20_000,
    "a fence that never closes": b"```\n" + b"### Requirement: x\n" * 30_000,
    "comments that never close": b"<!--\n" * 100_000,
    "surrogates alone": "\ud800".encode("utf-8", "surrogatepass") * 10_000,
    "ticks of every length": b" ".join(b"`" * n for n in range(1, 900)),
    "measured words": b"- The till must be " + b"fast 1 ms " * 90_000,
    "reasons": b"- The till must be " + b"fast so that " * 70_000,
    "must and must not": b"## Requirements\n"
    + b"".join(
        b"- Guest %d must not open the %d red door now\n- Guest must open the %d blue door now\n"
        % (n, n, n)
        for n in range(3_000)
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MANY)
@pytest.mark.parametrize("path", ["a.md", "openspec/specs/a/spec.md", "a.feature"])
def test_no_size_up_to_the_limit_hangs(name: str, path: str) -> None:
    with at_most(6):
        read_document(path, MANY[name])
