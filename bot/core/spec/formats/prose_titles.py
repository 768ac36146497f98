"""What a page's title and its first words say: a feature whose chapters are its parts, or rules."""

import re
from collections.abc import Sequence

from bot.core.spec.drafts import Draft, first_words
from bot.core.spec.formats.openspec import last_line
from bot.core.spec.formats.prose_words import NOT_A_FEATURE, RULE_SENTENCE
from bot.core.spec.outline import BlockKind, Section
from bot.core.spec.reading import Source
from bot.core.spec.scenario_steps import grouped
from bot.core.spec.triage.words import HeadingKind, heading_kind, trail_kind


def feature_sections(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """One requirement per section of a document whose title says that it is a feature."""
    titled = [s for s in sections if s.level == 1]
    if len(titled) != 1 or heading_kind(titled[0].title) is not HeadingKind.FEATURES:
        return ()
    drafts = []
    for section in sections:
        if section.level < 2 or not section.blocks:
            continue
        if any(NOT_A_FEATURE.search(t) for t in section.titles[1:]):
            continue
        if trail_kind(section.titles) in (
            HeadingKind.OUT_OF_SCOPE,
            HeadingKind.CHECKLIST,
            HeadingKind.TRACE,
        ):
            continue
        end = last_line(source, section.line, section.body_end)
        drafts.append(
            Draft(
                title=section.title,
                statement=source.shown_text(section.line + 1, end).strip(),
                scenarios=grouped(section.blocks),
                domain=section.trail[1] if len(section.trail) > 1 else section.title,
                line_start=section.line,
                line_end=end,
            )
        )
    return tuple(drafts)


def opening_rules(sections: Sequence[Section]) -> tuple[Draft, ...]:
    """Sentences of the opening paragraphs that state what always holds."""
    opening = [s for s in sections if s.level <= 1][:2]
    drafts = []
    for section in opening:
        for block in section.blocks:
            if block.kind is not BlockKind.PARAGRAPH:
                continue
            for sentence in re.split(r"(?<=[.!?])\s+", " ".join(block.text.split())):
                if RULE_SENTENCE.search(sentence):
                    drafts.append(
                        Draft(
                            title=first_words(sentence),
                            statement=sentence,
                            line_start=block.line_start,
                            line_end=block.line_end,
                        )
                    )
    return tuple(drafts)
