"""Sentences of duty below headings that say nothing of requirements: `El sistema debe avisar.`"""

from collections.abc import Sequence

from bot.core.spec.drafts import Draft, first_words
from bot.core.spec.formats.asides import is_aside
from bot.core.spec.formats.openspec import last_line
from bot.core.spec.outline import Block, BlockKind, Section
from bot.core.spec.reading import Source
from bot.core.spec.triage.words import (
    OUT_OF_SCOPE_WORDS,
    HeadingKind,
    modality,
    trail_kind,
)
from bot.core.values.spec_model import Modality

_ASKED = (HeadingKind.REQUIREMENTS, HeadingKind.FEATURES, HeadingKind.OTHER)
_BINDING = (Modality.MUST, Modality.MUST_NOT, Modality.SHOULD)
# Who states a duty says so near the beginning of his sentence.
_NEAR = 80
_LEAST = 3


def duties(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """The lines of the chapters in which nearly each states one, where most chapters are told so."""
    told = [(section, own) for section in sections if (own := _outer(section))]
    stated = [
        (section, [block for block in own if _states(block)])
        for section, own in told
        if 4 * sum(map(_states, own)) >= 3 * len(own)
    ]
    binding = [b for _, own in stated for b in own if modality(b.text) in _BINDING]
    if len(binding) < _LEAST or 2 * len(stated) < len(told):
        return ()
    return tuple(
        Draft(
            title=first_words(block.text),
            statement=block.text,
            domain=section.title,
            line_start=block.line_start,
            line_end=last_line(source, block.line_start, block.extent_end),
        )
        for section, own in stated
        for block in own
    )


def _outer(section: Section) -> list[Block]:
    """Its blocks but for what belongs to an item or leads to a list, if what it says may be asked for."""
    if trail_kind(section.titles) not in _ASKED or is_aside(section):
        return []
    return [
        block
        for block in section.blocks
        if block.kind is not BlockKind.ITEM or block.indent <= 1
        if not block.text.rstrip(" *_").endswith((":", "："))
    ]


def _states(block: Block) -> bool:
    if block.kind not in (BlockKind.ITEM, BlockKind.PARAGRAPH):
        return False
    is_duty = modality(block.text[:_NEAR]) is not Modality.UNSTATED
    return is_duty and not OUT_OF_SCOPE_WORDS.search(block.text)
