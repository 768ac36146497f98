"""Chapters below which a page asks for nothing, whatever they list: its purpose, how it is tested, what is for later."""

from bot.core.spec.formats.prose_items import is_no_feature, is_of_quality, is_technical
from bot.core.spec.formats.prose_words import INTRODUCES, TELLS_STEPS, TELLS_WHY, TESTING
from bot.core.spec.outline import Section
from bot.core.spec.triage.words import is_future


def is_aside(section: Section) -> bool:
    """Whether one of its headings says so; those of qualities and techniques bind in another way."""
    return (
        is_no_feature(section)
        or is_technical(section)
        or any(
            INTRODUCES.match(title)
            or TELLS_WHY.match(title)
            or TESTING.match(title)
            or TELLS_STEPS.match(title)
            or is_of_quality(title)
            or is_future(title)
            for title in section.titles[1:]
        )
    )
