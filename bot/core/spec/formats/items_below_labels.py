"""`* **Functional requirements**:` among what is said of a module: each item below it is a requirement."""

from collections.abc import Iterator, Sequence

from bot.core.spec.drafts import Draft
from bot.core.spec.formats.prose_items import item_draft, outer_items
from bot.core.spec.formats.prose_words import NOT_A_FEATURE
from bot.core.spec.outline import Block, BlockKind, Section
from bot.core.spec.reading import Source
from bot.core.spec.template_text import is_template
from bot.core.spec.triage.words import HeadingKind, heading_kind, says_only_requirements

_LABELS_MIN = 2


def items_below_labels(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """Of several modules; a single label may stand in a list of anything."""
    found = [
        (section, label)
        for section, label in outer_items(sections)
        if label.extent_end > label.line_end
        and _says_requirements(label.text)
        and not any(NOT_A_FEATURE.search(title) for title in section.titles[1:])
    ]
    if len(found) < _LABELS_MIN:
        return ()
    return tuple(
        item_draft(source, section, block)
        for section, label in found
        for block in _own_items(section, label)
    )


def _says_requirements(text: str) -> bool:
    said = text.strip(" *_:：")
    is_kind = heading_kind(said) in (HeadingKind.REQUIREMENTS, HeadingKind.FEATURES)
    return text.startswith("**") and is_kind and says_only_requirements(said)


def _own_items(section: Section, label: Block) -> Iterator[Block]:
    inner = [
        block
        for block in section.between(label.line_end, label.extent_end)
        if block.kind is BlockKind.ITEM and not is_template(block.text)
    ]
    outer = min((block.indent for block in inner), default=0)
    return (block for block in inner if block.indent == outer)
