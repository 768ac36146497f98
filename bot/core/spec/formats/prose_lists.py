"""Items of lists under a heading that says that they are requirements."""

import re
from collections.abc import Sequence

from bot.core.spec.drafts import Draft
from bot.core.spec.formats.prose_items import (
    described,
    is_bound,
    is_no_feature,
    is_normative,
    is_of_quality,
    item_draft,
    labelled,
    lists_fields,
    names_a_machine,
    outer_items,
)
from bot.core.spec.formats.prose_titles import facts_of_page
from bot.core.spec.formats.prose_words import (
    ATTRIBUTE,
    FUNCTIONS,
    JOURNEYS,
    LABEL_START,
    OF_BUSINESS,
    PART,
    PREREQUISITES,
)
from bot.core.spec.outline import BlockKind, Section
from bot.core.spec.reading import Source
from bot.core.spec.triage.words import (
    HeadingKind,
    heading_kind,
    says_only_requirements,
    trail_kind,
)


def promised(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """All list items directly under a heading about requirements or rules; deeper, only normative
    ones and, in a chapter of functions, those with bold labels.
    """
    features = labelled(sections, HeadingKind.REQUIREMENTS)
    parts = described(sections, HeadingKind.REQUIREMENTS)
    facts = facts_of_page(sections)
    alike = _with_labels_alike(sections)
    below = _below_labels(sections)
    goals = _beside_functions(sections) | _prerequisites(sections)
    left_out = {s.line for s in sections if lists_fields(s) or is_no_feature(s)}
    return tuple(
        item_draft(source, section, block)
        for section, block in outer_items(sections)
        if section.line not in parts or not PART.match(section.title)
        if section.line != facts and section.line not in goals and not names_a_machine(section)
        if section.line not in left_out
        if block.line_start in features
        or (_is_feature_of_requirements(section) and is_bound(section, block))
        or (
            trail_kind(section.titles) is HeadingKind.REQUIREMENTS
            and (
                heading_kind(section.title) is HeadingKind.REQUIREMENTS
                or is_bound(section, block)
                or section.line in alike
                or block.line_start in below
            )
        )
    )


def _is_feature_of_requirements(section: Section) -> bool:
    """Below `2. Requirements`, `2.7 Layout (core feature)`."""
    return trail_kind(section.titles) is HeadingKind.FEATURES and any(
        heading_kind(title) is HeadingKind.REQUIREMENTS for title in section.trail[1:]
    )


# `margin = price - cost`
_FORMULA = re.compile(r"`[^`=\n]{1,80} = [^`\n]{1,200}`")


def _below_labels(sections: Sequence[Section]) -> frozenset[int]:
    """The lines of items that stand below a line that says only `**Requirements:**`, up to the next such line."""
    found: set[int] = set()
    for section in sections:
        is_below = False
        for block in section.blocks:
            if block.kind is BlockKind.PARAGRAPH:
                line = block.text.strip().rpartition("\n")[2]
                is_line = line.endswith((":", "：", "**")) and says_only_requirements(line)
                is_below = is_line and heading_kind(line) is HeadingKind.REQUIREMENTS
            elif is_below and block.kind is BlockKind.ITEM:
                found.add(block.line_start)
    return frozenset(found)


def _beside_functions(sections: Sequence[Section]) -> frozenset[int]:
    """Where functional requirements stand elsewhere: the lines of `Business requirements` that bind
    nothing, of what sums up or is shown by journeys, of formulas, and of how good the whole has to be.
    """
    is_told = any(
        heading_kind(s.title) is HeadingKind.REQUIREMENTS and FUNCTIONS.search(s.title)
        for s in sections
    )
    if not is_told:
        return frozenset()
    goals = [s for s in sections if any(OF_BUSINESS.match(title) for title in s.titles[1:])]
    if any(is_normative(b) for s in goals for b in s.blocks):
        goals = []
    good = [s for s in sections if any(is_of_quality(title) for title in s.titles[1:2])]
    shown = [
        s
        for s in sections
        if _lists_formulas(s) or any(JOURNEYS.match(title) for title in s.titles[1:])
    ]
    return frozenset(section.line for section in (*goals, *good, *shown))


def _lists_formulas(section: Section) -> bool:
    """Whether at least half of its items say in code how something is computed: how functions do it."""
    items = [b for b in section.blocks if b.kind is BlockKind.ITEM and b.indent <= 1]
    found = [b for b in items if _FORMULA.search(b.text)]
    return len(found) > 1 and 2 * len(found) >= len(items)


def _prerequisites(sections: Sequence[Section]) -> frozenset[int]:
    """The lines of headings whose text says, before a list, that these are prerequisites."""
    return frozenset(
        section.line
        for section in sections
        if section.blocks
        and section.blocks[0].kind is BlockKind.PARAGRAPH
        and PREREQUISITES.search(section.blocks[0].text)
        and section.blocks[0].text.rstrip().endswith((":", "："))
    )


def _with_labels_alike(sections: Sequence[Section]) -> frozenset[int]:
    """The lines of headings whose items all begin with a bold label, and one of them binds by a word."""
    found: set[int] = set()
    for section in sections:
        items = [b for b in section.blocks if b.kind is BlockKind.ITEM and b.indent <= 1]
        labels = [at for b in items if (at := LABEL_START.match(b.text))]
        is_plain = not any(ATTRIBUTE.fullmatch((at[1] or at[2]).strip(" :：")) for at in labels)
        if len(labels) == len(items) > 1 and is_plain and any(is_normative(b) for b in items):
            found.add(section.line)
    return frozenset(found)
