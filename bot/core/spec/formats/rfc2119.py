"""Specifications in the language of RFC 2119: only upper-case keywords count (RFC 8174).

Read in this order: headings `Requirement 1.1.2` with their statement; numbered lists in which most
items have a keyword; else one requirement for each heading whose text has one.
"""

import re
from collections.abc import Sequence

from bot.core.spec.drafts import Draft, Reading, first_words
from bot.core.spec.formats.openspec import context_of, last_line, title_of
from bot.core.spec.outline import Block, BlockKind, Section, outline_with_setext
from bot.core.spec.reading import Source
from bot.core.spec.triage.words import RFC_BOILERPLATE, RFC_KEYWORD

_REQUIREMENT = re.compile(
    r"^(?:Conditional )?Requirement (\d+(?:\.\d+)*)\b\s*[:.-]?\s*(.*)$", re.IGNORECASE
)

_CONDITION = re.compile(r"^Condition\s+\d+(?:\.\d+)*\s*$", re.IGNORECASE)


def read(source: Source) -> Reading:
    sections = outline_with_setext(source)
    drafts = (
        _headed(source, sections) or _numbered(source, sections) or _by_heading(source, sections)
    )
    return Reading(title=title_of(sections), drafts=drafts, context=context_of(source, sections))


def _headed(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    drafts = []
    for section in sections:
        found = _REQUIREMENT.match(section.title)
        if not found or not section.blocks:
            continue
        quotes = [
            b for b in section.blocks if b.kind is BlockKind.QUOTE and not b.text.startswith("[!")
        ]
        stated = quotes or list(section.blocks)
        statement = stated[0].text
        drafts.append(
            Draft(
                title=found.group(2) or first_words(statement),
                statement=statement,
                source_id=found.group(1),
                domain=_chapter(section),
                line_start=section.line,
                line_end=last_line(source, section.line, section.body_end),
            )
        )
    return tuple(drafts)


def _chapter(section: Section) -> str:
    """The heading around it; the number of a condition is no chapter."""
    chapters = [t for t in section.trail if not _CONDITION.match(t)]
    return chapters[-1] if chapters else ""


def _numbered(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    drafts = []
    for section in sections:
        items = [b for b in section.blocks if b.kind is BlockKind.ITEM and b.is_numbered]
        items = [b for b in items if b.indent <= 1]
        binding = sum(1 for b in items if RFC_KEYWORD.search(b.text))
        if binding * 2 < len(items) or not binding:
            continue
        drafts += [_item(source, section, block) for block in items]
    return tuple(drafts)


def _item(source: Source, section: Section, block: Block) -> Draft:
    end = last_line(source, block.line_start, block.extent_end)
    nested = [f"- {b.text}" for b in section.between(block.line_end, end)]
    return Draft(
        title=first_words(block.text),
        statement="\n".join([block.text, *nested]),
        domain=section.title,
        line_start=block.line_start,
        line_end=end,
    )


def _by_heading(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    drafts = []
    for section in sections:
        text = "\n".join(b.text for b in section.blocks)
        if not section.level or not RFC_KEYWORD.search(text):
            continue
        if RFC_BOILERPLATE.search(text) and len(RFC_KEYWORD.findall(text)) <= 12:
            continue
        drafts.append(
            Draft(
                title=section.title,
                statement=source.shown_text(section.line + 1, section.body_end).strip(),
                domain=section.trail[-1] if section.trail else "",
                line_start=section.line,
                line_end=last_line(source, section.line, section.body_end),
            )
        )
    return tuple(drafts)
