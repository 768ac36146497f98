"""What stands in a chapter of functions beside what is read of it, laid out in another way."""

from collections import defaultdict
from collections.abc import Sequence

from bot.core.spec.drafts import Draft
from bot.core.spec.formats.asides import is_aside
from bot.core.spec.formats.bold_units import beside_units, bold_units
from bot.core.spec.formats.prose_items import (
    item_draft,
    lists_data,
    lists_fields,
    outer_items,
)
from bot.core.spec.line_owners import first_owners
from bot.core.spec.outline import Section
from bot.core.spec.reading import Source
from bot.core.spec.triage.words import (
    HeadingKind,
    heading_kind,
    trail_kind,
)

_ASKED = (HeadingKind.REQUIREMENTS, HeadingKind.FEATURES)


def with_rest(
    drafts: tuple[Draft, ...], source: Source, sections: Sequence[Section]
) -> tuple[Draft, ...]:
    """With the items of the unread parts of each such chapter, where others are not read as wholes.

    Who writes ids says himself what he asks for.
    """
    if any(draft.source_id for draft in drafts):
        return drafts
    units = bold_units(source, sections)
    if not drafts:
        return units
    drafts = beside_units(drafts, units, sections)
    owned = first_owners((d.line_start, d.line_end) for d in drafts)
    heads = {section.line for section in sections}
    chapters = _chapters(sections)
    homes = first_owners((own[0].line, own[0].end) for own in chapters)
    are_whole: defaultdict[int, list[bool]] = defaultdict(list)
    for draft in drafts:
        if draft.line_start in homes:
            are_whole[homes[draft.line_start]].append(draft.line_start in heads)
    rest = [
        section
        for at, whole in are_whole.items()
        if 2 * sum(whole) <= len(whole)
        for section in chapters[at]
        if section.line not in owned and _may_ask(section)
        if not any(block.line_start in owned for block in section.blocks)
    ]
    found = (item_draft(source, section, block) for section, block in outer_items(rest))
    return tuple(sorted((*drafts, *found), key=lambda draft: draft.line_start))


def _chapters(sections: Sequence[Section]) -> list[list[Section]]:
    found: list[list[Section]] = []
    for section in sections:
        inner = section.titles[1:]
        if not inner or heading_kind(inner[0]) not in _ASKED:
            continue
        if len(inner) == 1:
            found.append([section])
        elif found:
            found[-1].append(section)
    return found


def _may_ask(section: Section) -> bool:
    return (
        trail_kind(section.titles) in _ASKED
        and not is_aside(section)
        and not (lists_data(section) or lists_fields(section))
    )
