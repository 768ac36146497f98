"""What a chapter of qualities says without ids: it binds every change, and is no work of its own."""

import re
from collections.abc import Sequence

from bot.core.spec.columns import is_sign
from bot.core.spec.drafts import Draft
from bot.core.spec.formats.prose_items import is_of_quality, is_technical
from bot.core.spec.items import is_definition
from bot.core.spec.line_owners import first_owners
from bot.core.spec.outline import Block, BlockKind, Section
from bot.core.spec.template_text import is_template
from bot.core.spec.triage.words import (
    OUT_OF_SCOPE_WORDS,
    HeadingKind,
    heading_kind,
    is_future,
    modality,
    trail_kind,
)
from bot.core.values.spec_model import Constraint, Modality

_TEXT_MAX = 600
_LABEL = re.compile(r"\**([^\W\d][^*:：\n]{2,40})\**[:：]")


def qualities(sections: Sequence[Section], drafts: Sequence[Draft]) -> tuple[Constraint, ...]:
    """Items and rows of such chapters that no requirement owns; none beside no requirement."""
    if not drafts:
        return ()
    owned = first_owners((d.line_start, d.line_end) for d in drafts)
    return tuple(
        Constraint(text=_text(block, section)[:_TEXT_MAX], line=block.line_start)
        for section in sections
        if (bound := _is_of_qualities(section)) or is_technical(section)
        for block in section.blocks
        if block.line_start not in owned and _is_one(block)
        # Of technique much is only told.
        if bound or modality(block.text) is not Modality.UNSTATED
    )


def _is_of_qualities(section: Section) -> bool:
    if section.level < 2:
        return False
    titles = section.titles[1:] or section.titles
    kinds = {heading_kind(title) for title in titles}
    if HeadingKind.OUT_OF_SCOPE in kinds or HeadingKind.TRACE in kinds:
        return False
    is_chapter = any(is_of_quality(title) for title in section.titles[1:2])
    return is_chapter or trail_kind(section.titles) is HeadingKind.NONFUNCTIONAL


def _is_one(block: Block) -> bool:
    label = _LABEL.match(block.text)
    if label and is_future(label[1]):
        return False
    if is_definition(block) or is_template(block.text) or OUT_OF_SCOPE_WORDS.search(block.text):
        return False
    if block.kind is BlockKind.ROW:
        # `Ease of use | | x |` names a quality, and says nothing of it.
        return bool(block.header) and sum(bool(c) and not is_sign(c) for c in block.cells) > 1
    return block.kind is BlockKind.ITEM and block.indent <= 1


def _text(block: Block, section: Section) -> str:
    """A label is told with what stands below it."""
    if block.kind is BlockKind.ROW:
        return ": ".join(cell for cell in block.cells if cell)
    said = " ".join(block.text.split())
    if not said.rstrip("*_").endswith((":", "：")):
        return said
    below = section.between(block.line_start, block.extent_end)
    return " ".join((said, "; ".join(" ".join(one.text.split()) for one in below)))
