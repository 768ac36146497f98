"""A page of which far more was left out than read: told once, so that a short plan surprises nobody."""

from collections import Counter
from collections.abc import Iterator
from textwrap import shorten

from bot.core.spec.formats.prose_rows import describes_data
from bot.core.spec.formats.prose_words import TELLS_STEPS, TELLS_WHY
from bot.core.spec.outline import BlockKind, Section, outline
from bot.core.spec.reading import Source
from bot.core.spec.triage.nothing_read import may_be_asked
from bot.core.spec.triage.unread_lists import FREE_FORMATS
from bot.core.values.spec_model import Finding, Severity, SpecDocument

# Measured on 115 public pages that people had counted: of 15 that are told, ten were read by less than three quarters,
# and three more have a chapter that binds.
_TIMES_READ = 2
_UNREAD_MIN = 12
# A sentence or two below a heading introduce it.
_OF_CHAPTER_MIN = 3
_TEXT = (BlockKind.ITEM, BlockKind.ROW, BlockKind.PARAGRAPH)
_NAMED_MAX = 3
_QUOTE_MAX = 60
_CERTAIN = "An id before each ('REQ-1: …'), or MUST or SHALL in it, would make it certain."


def mostly_unread(document: SpecDocument, source: Source) -> Iterator[Finding]:
    """At most one finding, on a page without a grammar of which something was read."""
    if document.format not in FREE_FORMATS or not document.requirements:
        return
    count = len(document.requirements)
    read = count + len(document.scenarios) + len(document.constraints)
    unread = {line for first, last in document.unparsed for line in range(first, last + 1)}
    if len(unread) < max(_UNREAD_MIN, _TIMES_READ * read):
        return
    chapters: Counter[str] = Counter()
    for section in outline(source):
        if section.titles and _may_bind(section):
            lines = (
                b.line_start
                for b in section.blocks
                if b.kind in _TEXT and not (b.kind is BlockKind.ROW and describes_data(b.header))
            )
            chapters[(section.titles[1:] or section.titles)[0]] += sum(n in unread for n in lines)
    left = [(name, n) for name, n in chapters.most_common() if n >= _OF_CHAPTER_MIN]
    total = sum(n for _, n in left)
    if total < max(_UNREAD_MIN, _TIMES_READ * read):
        return
    named = ", ".join(
        f"'{shorten(name, _QUOTE_MAX, placeholder=' …')}' ({n})" for name, n in left[:_NAMED_MAX]
    )
    more = f" and {len(left) - _NAMED_MAX} more" if len(left) > _NAMED_MAX else ""
    things = "1 requirement was" if count == 1 else f"{count} requirements were"
    question = (
        f"{things} read here, and {total} paragraphs, items and rows were not: below {named}{more}. "
        f"Should some of them be built? {_CERTAIN}"
    )
    yield source.finding("mostly_unread", Severity.WARN, 1, question)


def _may_bind(section: Section) -> bool:
    if not may_be_asked(section):
        return False
    return not any(TELLS_WHY.match(t) or TELLS_STEPS.match(t) for t in section.titles[1:])
