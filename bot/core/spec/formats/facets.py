"""Headings that come again below several chapters (`Rules`, `Edge cases`): what each chapter says of itself."""

from collections import defaultdict
from collections.abc import Sequence

from bot.core.spec.formats.prose_words import PART_NUMBER
from bot.core.spec.outline import Section

_CHAPTERS_MIN = 2


def with_facets(sections: Sequence[Section]) -> frozenset[int]:
    """The lines of the chapters below which such a heading stands; none if it is one chapter."""
    below: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for section in sections:
        if len(section.trail) > 1:
            below[PART_NUMBER.sub("", section.title).casefold()].add(section.trail)
    faceted = {
        trail for trails in below.values() if len(trails) >= _CHAPTERS_MIN for trail in trails
    }
    found = [section.line for section in sections if section.titles in faceted]
    return frozenset(found) if len(found) >= _CHAPTERS_MIN else frozenset()
