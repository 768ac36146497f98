"""Lists in chapters of requirements or features of which nothing was read: told, so that none is lost in silence."""

import re
from collections.abc import Iterator
from textwrap import shorten

from bot.core.spec.formats.prose_items import (
    is_no_feature,
    is_technical,
    lists_data,
    lists_fields,
    outer_items,
)
from bot.core.spec.formats.prose_rows import describes_data
from bot.core.spec.formats.prose_titles import is_page_of_requirements
from bot.core.spec.formats.prose_words import INTRODUCES, TELLS_WHY
from bot.core.spec.outline import BlockKind, Section, below_one_title, outline
from bot.core.spec.reading import Source
from bot.core.spec.triage.words import HeadingKind, heading_kind, is_future, trail_kind
from bot.core.values.spec_model import Finding, Severity, SpecDocument, SpecFormat

# Formats with a grammar say themselves what a requirement is.
FREE_FORMATS = (SpecFormat.PROSE, SpecFormat.PRD, SpecFormat.REQ_ID, SpecFormat.RFC2119)
_ASKED = (HeadingKind.REQUIREMENTS, HeadingKind.FEATURES)
_MAY_BE_ASKED = (*_ASKED, HeadingKind.OTHER)
_ITEMS_MIN = 3
# Above such a heading stand its version and its authors.
_NAMES_THE_PAGE = re.compile(r"\bPRD\b|\bSRS\b|\bdocument\b|书$|書$|文档$", re.IGNORECASE)
_QUOTE_MAX = 80
_CERTAIN = "An id before each ('REQ-1: …'), or MUST or SHALL in it, would make it certain."


def unread_lists(document: SpecDocument, source: Source) -> Iterator[Finding]:
    """One finding for each chapter, on a page of which other parts were read."""
    if document.format not in FREE_FORMATS or not document.requirements:
        return
    unread = {line for first, last in document.unparsed for line in range(first, last + 1)}
    if len(unread) < _ITEMS_MIN:
        return
    counts: dict[str, tuple[int, int]] = {}
    sections = below_one_title(outline(source))
    title = next((s.title for s in sections if s.level == 1), "")
    # On such a page without ids each chapter asks for something, whatever its heading says.
    has_ids = any(r.source_id for r in document.requirements)
    is_whole = not has_ids and is_page_of_requirements(title)
    kinds = _MAY_BE_ASKED if is_whole else _ASKED
    for section in sections:
        lines = [line for line in _lines(section) if line in unread]
        if not lines or trail_kind(section.titles) not in kinds or not _is_asked(section):
            continue
        chapter = _inner(section)[0]
        first, count = counts.get(chapter, (section.line, 0))
        counts[chapter] = (first, count + len(lines))
    for chapter, (line, count) in counts.items():
        if count >= _ITEMS_MIN:
            name = shorten(chapter, _QUOTE_MAX, placeholder=" …")
            question = (
                f"'{name}' lists {count} things that were not read as requirements. {_CERTAIN}"
            )
            yield source.finding("unread_list", Severity.INFO, line, question)


def _lines(section: Section) -> list[int]:
    rows = [
        b.line_start
        for b in section.blocks
        if b.kind is BlockKind.ROW and not describes_data(b.header)
    ]
    return [block.line_start for _, block in outer_items([section])] + rows


def _inner(section: Section) -> tuple[str, ...]:
    """The headings below the page's title; a page may have none."""
    return section.titles[1:] or section.titles


def _is_asked(section: Section) -> bool:
    inner = _inner(section)
    if section.level < 2 or is_no_feature(section) or is_technical(section):
        return False
    if lists_data(section) or lists_fields(section):
        return False
    return not any(
        _NAMES_THE_PAGE.search(title)
        or heading_kind(title) not in _MAY_BE_ASKED
        or INTRODUCES.match(title)
        or TELLS_WHY.match(title)
        or is_future(title)
        for title in inner
    )
