"""What OpenSpec's own rules find in a file, the tolerant reader finds too.

Two readers know OpenSpec's files: one as the archive must, letter for letter, and one for plans,
which also reads what people meant. A requirement that only the exact one saw would be archived
and never planned.
"""

from collections.abc import Iterable

import pytest
from hypothesis import example, given, settings, strategies as st

from bot.core.spec.archive.delta_text import SpecBlock, read_delta, read_main
from bot.core.spec.drafts import Draft, normal
from bot.core.spec.formats import openspec, openspec_delta
from bot.core.spec.read import read_document
from bot.core.spec.reading import read_source
from bot.core.values.spec_model import Operation
from tests.testkit.examples import examples

MAIN = "openspec/specs/till/spec.md"
DELTA = "openspec/changes/sell/specs/till/spec.md"
HEADS = (
    "", "## Purpose", "## Requirements", "## requirements  ", "##  Requirements", "## Notes", "## ",
    "## ADDED Requirements", "## MODIFIED Requirements", "## REMOVED Requirements",
    "## RENAMED Requirements", "## added requirements", "##  ADDED  Requirements",
)  # fmt: skip
LINES = (
    "### Requirement: Sum", "### Requirement: Sum ##", "###Requirement: Tax", "### requirement: Low",
    "###   Requirement:Tight", "### Requirement: `Code`", "### Requirement: **Bold** name",
    "### Requirement: 5 % off", "### Requirement: New", "   ### Requirement: Deep", "### Group",
    "#### Scenario: One", "####  Two", "It SHALL sum.", "- **WHEN** a", "- **THEN** b", "1. one",
    "- `### Requirement: Gone`", "* ### Requirement: Away", "- FROM: `### Requirement: Old`",
    "- TO: `### Requirement: New`", "FROM: ### Requirement: Was", "TO: ### Requirement: Is",
    "", "  more", "- it", "```", "~~~", "    ```", "````", "> quote", "| a | b |", "===", "***",
)  # fmt: skip
sections = st.tuples(st.sampled_from(HEADS), st.lists(st.sampled_from(LINES), max_size=8))
texts = st.lists(sections, max_size=6).map(
    lambda parts: "\n".join(line for head, lines in parts for line in (head, *lines))
)
# One operation of each kind, as OpenSpec writes them.
PLAIN_DELTA = """\
## ADDED Requirements
### Requirement: New
## MODIFIED Requirements
### Requirement: Sum
## REMOVED Requirements
- `### Requirement: Gone`
## RENAMED Requirements
- FROM: `### Requirement: Old`
- TO: `### Requirement: Is`
"""

# What only the exact reader finds, with the reason; a difference that is mended leaves this table.
KNOWN_DIFFERENCES = {
    "OpenSpec reads what stands in a comment": (
        MAIN,
        "## Requirements\n<!--\n### Requirement: Sum\n-->\n",
    ),
    "OpenSpec knows no front matter": (
        MAIN,
        "---\n## Requirements\n### Requirement: Sum\n---\n",
    ),
    "OpenSpec takes a no-break space for a space": (
        MAIN,
        "## Requirements\n###\u00a0Requirement: Sum\n",
    ),
    "OpenSpec leaves closing hashes out of a removed name": (
        DELTA,
        "## REMOVED Requirements\n- `### Requirement: Sum ##`\n",
    ),
    "to OpenSpec a title does not end a delta's section": (
        DELTA,
        "## ADDED Requirements\n# Till\n### Requirement: Sum\n",
    ),
}

Found = set[tuple[Operation | None, int, str]]


@given(texts)
@settings(max_examples=examples(100), deadline=None)
def test_the_tolerant_reader_finds_the_requirements_of_a_main_spec(text: str) -> None:
    assert exact_main(text) - tolerant_main(text) == set()


@given(texts)
@example(PLAIN_DELTA)
@settings(max_examples=examples(150), deadline=None)
def test_the_tolerant_reader_finds_the_operations_of_a_delta(text: str) -> None:
    assert exact_delta(text) - tolerant_delta(text) == set()


@pytest.mark.parametrize("reason", KNOWN_DIFFERENCES)
def test_a_known_difference_still_exists(reason: str) -> None:
    path, text = KNOWN_DIFFERENCES[reason]
    exact, tolerant = (exact_main, tolerant_main) if path == MAIN else (exact_delta, tolerant_delta)
    assert {name for _, _, name in exact(text) - tolerant(text)} == {"sum"}


@pytest.mark.parametrize("reason", KNOWN_DIFFERENCES)
def test_a_difference_is_a_finding_at_its_line(reason: str) -> None:
    path, text = KNOWN_DIFFERENCES[reason]
    exact = exact_main(text) if path == MAIN else exact_delta(text)
    told = [
        f for f in read_document(path, text.encode()).findings if f.code == "archived_unplanned"
    ]
    assert {f.line for f in told} == {line for _, line, _ in exact}


@given(texts)
@settings(max_examples=examples(60), deadline=None)
def test_requirements_that_the_archive_accepts_are_planned_or_reported(text: str) -> None:
    document = read_document(MAIN, text.encode())
    seen = {r.line_start for r in document.requirements}
    seen |= {f.line for f in document.findings if f.code == "archived_unplanned"}
    assert {line for _, line, _ in exact_main(text)} <= seen


def exact_main(text: str) -> Found:
    return _blocks(None, read_main(text).blocks)


def tolerant_main(text: str) -> Found:
    return _drafts(openspec.read(read_source(MAIN, text.encode())).drafts)


def exact_delta(text: str) -> Found:
    delta = read_delta(DELTA, "till", text)
    return (
        _blocks(Operation.ADDED, delta.added)
        | _blocks(Operation.MODIFIED, delta.modified)
        | _blocks(Operation.REMOVED, delta.removed)
        | {_rename(r.source or "", r.target or "") for r in delta.renamed}
    )


def tolerant_delta(text: str) -> Found:
    drafts = openspec_delta.read(read_source(DELTA, text.encode())).drafts
    return _drafts(drafts) | {_rename(d.renamed_from, d.title) for d in drafts if d.renamed_from}


def _blocks(operation: Operation | None, blocks: Iterable[SpecBlock]) -> Found:
    return {(operation, block.line, normal(block.name)) for block in blocks}


def _drafts(drafts: Iterable[Draft]) -> Found:
    return {(draft.operation, draft.line_start, normal(draft.title)) for draft in drafts}


def _rename(source: str, target: str) -> tuple[Operation | None, int, str]:
    """A rename has no line of its own where the new name is also modified."""
    return Operation.RENAMED, 0, normal(f"{source} -> {target}")
