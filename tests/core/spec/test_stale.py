"""A block edited since the plan is refused; untouched and applied blocks are not."""

import pytest

from bot.core.spec.archive.stale import base_hashes, stale_blocks
from tests.testkit.openspec import APPLIED, EDITED, RENAMED, TILL, TILL_DELTA, TILL_PATH as PATH

DELTA = {"specs/till/spec.md": TILL_DELTA}
OWNED = frozenset({"Sum up"})
BASES = base_hashes({PATH: TILL}, DELTA)


@pytest.mark.parametrize(
    ("main", "stale"),
    [
        (TILL, 0),
        (TILL.replace("Takes the money", "Takes money"), 0),
        (TILL.replace("\n", "  \n"), 0),
        (APPLIED, 0),
        (RENAMED, 0),
        (EDITED, 1),
    ],
)
def test_only_an_edit_of_the_block_itself_counts(main: str, stale: int) -> None:
    assert len(stale_blocks({PATH: main}, DELTA, OWNED, BASES)) == stale


def test_the_refusal_names_the_line_and_the_text_that_would_be_lost() -> None:
    (found,) = stale_blocks({PATH: EDITED}, DELTA, OWNED, BASES)
    assert (found.refusal.path, found.refusal.line) == ("specs/till/spec.md", 3)
    assert "The till SHALL always sum up the prices." in found.refusal.proposal
    accepted = {**BASES, found.key: found.now}
    assert stale_blocks({PATH: EDITED}, DELTA, OWNED, accepted) == ()


def test_operations_of_other_changes_are_not_looked_at() -> None:
    assert stale_blocks({PATH: EDITED}, DELTA, frozenset({"Open the door"}), BASES) == ()


def test_removed_and_renamed_blocks_are_checked_for_edits() -> None:
    renamed = {
        "specs/till/spec.md": "## RENAMED Requirements\n\n- FROM: `### Requirement: Sum up`\n"
        "- TO: `### Requirement: Add up`\n\n"
        + TILL_DELTA.replace("### Requirement: Sum up", "### Requirement: Add up")
    }
    removed = {"specs/till/spec.md": "## REMOVED Requirements\n\n### Requirement: Sum up\n"}
    for delta in (renamed, removed):
        bases = base_hashes({PATH: TILL}, delta)
        assert len(bases) == 1
        owned = frozenset({"Sum up", "Add up"})
        assert stale_blocks({PATH: TILL}, delta, owned, bases) == ()
        assert len(stale_blocks({PATH: EDITED}, delta, owned, bases)) == 1
