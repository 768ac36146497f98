"""Specs in no known format: features and rules in lists under matching headings.

Requirements are read, in this order, from ids; from numbered stories with criteria; from items under a
heading about requirements or rules; from normative items, or bold labels, below a heading about
features; from the sections of a document whose title is a feature; and from rules in the opening
paragraph. Nothing else is read: a requirement is never invented.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from bot.core.spec.drafts import Draft, Reading
from bot.core.spec.formats.called_requirements import called_requirements
from bot.core.spec.formats.chapter_rests import with_rest
from bot.core.spec.formats.criteria import criteria_of, label_of
from bot.core.spec.formats.duties import duties
from bot.core.spec.formats.endpoints import endpoints
from bot.core.spec.formats.groups_by_chapter import by_chapter
from bot.core.spec.formats.items_below_labels import items_below_labels
from bot.core.spec.formats.openspec import context_of, last_line, title_of
from bot.core.spec.formats.phases import by_phase
from bot.core.spec.formats.prose_chapters import (
    judged_parts,
    named_parts,
    numbered_chapters,
    parts_told_at_length,
    whole_parts,
)
from bot.core.spec.formats.prose_items import (
    is_bound,
    is_normative,
    is_technical,
    item_draft,
    labelled_features,
    outer_items,
    plain_functions,
    priority_of,
)
from bot.core.spec.formats.prose_lists import promised
from bot.core.spec.formats.prose_rows import rows_are_done, table_rows, tables_of_one
from bot.core.spec.formats.prose_titles import (
    feature_sections,
    opening_rules,
    parted_of_file,
    sentences,
    told_in_paragraphs,
    whole_page,
)
from bot.core.spec.formats.prose_words import (
    BEHAVIOUR,
    CALLED_A_FEATURE,
    ERRORS,
    FUNCTIONS,
    NOT_A_FEATURE,
    PART,
    STORY,
    TELLS_STEPS,
    TELLS_WHY,
    TEST_PLAN,
)
from bot.core.spec.formats.qualities import qualities
from bot.core.spec.formats.req_id import Items, constraints_of, drafts_of, sorted_items
from bot.core.spec.formats.wish_lists import wish_lists
from bot.core.spec.item_kinds import ItemKind
from bot.core.spec.line_owners import first_owners
from bot.core.spec.outline import BlockKind, Section, below_one_title, outline
from bot.core.spec.reading import Source
from bot.core.spec.stories import attached, stories_of
from bot.core.spec.triage.words import (
    HeadingKind,
    heading_kind,
    is_future,
    modality,
    says_only_requirements,
    trail_kind,
)
from bot.core.spec.wishes import (
    listed_stories,
    loose_wishes,
    numbered_or_told,
    told_stories,
    with_stories,
)
from bot.core.values.spec_model import Modality

# Of so many items one that binds is an aside.
_ASIDES = 3
_NUMBER = re.compile(r"^\d{1,3}(?:\.\d{1,3}){0,4}[.)]?\s+")


def read(source: Source) -> Reading:
    sections = below_one_title(outline(source))
    items = sorted_items(source, sections)
    drafts = drafts_in(source, sections, items)
    drafts, stories = attached(drafts, stories_of(source, sections, drafts), source.visible)
    return Reading(
        title=title_of(sections),
        drafts=drafts,
        findings=items.findings,
        stories=stories,
        constraints=(*constraints_of(items), *qualities(sections, drafts)),
        context=(*context_of(source, sections), *items.context),
    )


def drafts_in(source: Source, sections: Sequence[Section], items: Items) -> tuple[Draft, ...]:
    """The requirements of a page without a grammar, by the first of these rules that finds any."""
    if any(s.level == 1 and TEST_PLAN.search(s.title) for s in sections):
        return ()
    drafts = (
        _with_ids(source, sections, items)
        or _with_chapter_of_functions(numbered_or_told(source, sections), source, sections)
        or drafts_of(source, items)
        or items_below_labels(source, sections)
        or called_requirements(source, sections)
        or called_features(source, sections)
        or tables_of_one(sections)
    )
    if not drafts or _is_aside(drafts, sections):
        found = (rule(source, sections) for rule in _RULES)
        drafts = next((own for own in found if own and not _is_aside(own, sections)), ())
    drafts = with_rest(drafts, source, sections)
    return by_phase(by_chapter(drafts, sections), sections)


def _with_ids(source: Source, sections: Sequence[Section], items: Items) -> tuple[Draft, ...]:
    """What has ids, and beside a few stories with ids a long chapter of functions without."""
    drafts = with_stories(drafts_of(source, items.without_criteria), source, sections)
    told = items.without_criteria.requirements
    if not drafts or any(one.kind is not ItemKind.STORY for one in told):
        return drafts
    functions = plain_functions(source, sections)
    # As many stories as that say the same again.
    return _beside_stories(drafts, functions) if len(functions) >= 3 * len(drafts) else drafts


def _deeper_features(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    # A deeper heading of rules is a part of a feature; one of level 2 is the spec itself.
    return () if _has_requirements_chapter(sections) else feature_sections(source, sections)


def _stated(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    drafts = _whole_features(_normative(source, sections), source, sections)
    drafts = drafts or _stated_sections(source, sections)
    drafts = whole_parts(drafts, numbered_chapters(source, sections))
    functions = plain_functions(source, sections) if len(drafts) == 1 else ()
    drafts = whole_parts(drafts, functions if len(functions) > 2 else ())
    return _beside_stories(drafts, listed_stories(source, sections)) if drafts else ()


def _beside_stories(drafts: tuple[Draft, ...], stories: tuple[Draft, ...]) -> tuple[Draft, ...]:
    """What binds, and a chapter of stories beside it, of which no line is read already."""
    read = {line for draft in drafts for line in range(draft.line_start, draft.line_end + 1)}
    if any(story.line_start in read for story in stories):
        return drafts
    return tuple(sorted((*drafts, *stories), key=lambda draft: draft.line_start))


def _labelled(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    parts = numbered_chapters(source, sections)
    drafts = labelled_features(source, sections)
    if drafts and not parts:
        return drafts
    return whole_parts(drafts, parts, asides=False)


def _told(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    found = told_in_paragraphs(sections) or _binding(source, sections)
    # A chapter of musts has shoulds beside them.
    stated = duties(source, sections)
    return (stated if len(stated) > len(found) else found) or opening_rules(sections)


def _is_aside(drafts: Sequence[Draft], sections: Sequence[Section]) -> bool:
    """One line without an id among many chapters that are all told of other things."""
    if len(drafts) != 1 or drafts[0].source_id or drafts[0].scenarios:
        return False
    (one,) = drafts
    if any(section.line == one.line_start for section in sections):
        return False
    return sum(s.level > 1 and len(s.blocks) > 1 for s in sections) > _ASIDES * 2


def _with_chapter_of_functions(
    stories: tuple[Draft, ...], source: Source, sections: Sequence[Section]
) -> tuple[Draft, ...]:
    """Some stories, and the longer chapter of functional requirements beside them."""
    if not stories or any(draft.source_id for draft in stories):
        return stories
    chapters = [s for s in sections if s.level == 2 and _says_functional(s.title)]
    parts = tuple(
        d
        for d in numbered_chapters(source, sections)
        if any(s.line < d.line_start <= s.end for s in chapters)
    )
    is_apart = not any(s.line < d.line_start <= s.end for s in chapters for d in stories)
    if not is_apart or len(parts) <= len(stories):
        return stories
    return tuple(sorted((*stories, *parts), key=lambda draft: draft.line_start))


def called_features(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """`### Feature 3: Recording` below a chapter of requirements or features, whatever its text says."""
    drafts: list[Draft] = []
    for position, section in enumerate(sections):
        found = CALLED_A_FEATURE.match(section.title)
        inner = section.titles[1:]
        is_inside = trail_kind(section.trail or ("",)) in (
            HeadingKind.REQUIREMENTS,
            HeadingKind.FEATURES,
        )
        if not found or section.level < 3 or not is_inside:
            continue
        if any(NOT_A_FEATURE.search(t) or is_future(t) for t in inner):
            continue
        end = last_line(source, section.line, section.end)
        drafts.append(
            Draft(
                title=section.title[found.end() :].strip() or section.title,
                statement=source.shown_text(section.line + 1, end).strip() or section.title,
                scenarios=criteria_of(sections, position, end),
                domain=section.trail[-1],
                priority=priority_of(section),
                line_start=section.line,
                line_end=end,
                is_done=rows_are_done(s for s in sections if section.line <= s.line <= end),
            )
        )
    return tuple(drafts) if len(drafts) > 1 else ()


def read_rules(source: Source) -> Reading:
    """Only items under a heading about requirements or rules, or with an id.

    For files whose path says another format: there, a list of features is a description.
    """
    sections = outline(source)
    items = sorted_items(source, sections)
    return Reading(
        title=title_of(sections),
        drafts=drafts_of(source, items)
        or told_stories(source, sections)
        or listed(source, sections)
        or _stated_sections(source, sections)
        or numbered_chapters(source, sections),
        findings=items.findings,
        constraints=constraints_of(items),
        context=(*context_of(source, sections), *items.context),
    )


def listed(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """Items and rows of the chapters of requirements, and the lists of their numbered parts."""
    items = promised(source, sections)
    binding = [
        s for s in sections if HeadingKind.REQUIREMENTS in {heading_kind(t) for t in s.titles[1:]}
    ]
    rows = table_rows(binding if items else sections)
    parts = _further_lists(source, sections, (*items, *rows)) if items or rows else ()
    return tuple(sorted((*items, *rows, *parts), key=lambda draft: draft.line_start))


def _listed_or_parts(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    found = stated_features(source, sections) or listed(source, sections)
    found = _whole_features(found, source, sections)
    parts = numbered_chapters(source, sections)
    whole = parts_told_at_length(whole_parts(found, parts, asides=False), parts)
    return _with_functions(whole, source, sections)


def _with_functions(
    found: tuple[Draft, ...], source: Source, sections: Sequence[Section]
) -> tuple[Draft, ...]:
    """With a chapter of functions, where all that is called required is the screens or the data.

    Without what is called required of the technique, where anything else is read.
    """
    owners = first_owners((s.line, s.body_end) for s in sections)
    home = {
        d.line_start: sections[at] for d in found if (at := owners.get(d.line_start)) is not None
    }
    others = tuple(
        d for d in found if d.line_start not in home or not is_technical(home[d.line_start])
    )
    if not found or any(
        says_only_requirements(title) or FUNCTIONS.search(title)
        for d in others
        if d.line_start in home
        for title in home[d.line_start].titles[1:2]
    ):
        return others or found
    functions = plain_functions(source, sections)
    return _beside_stories(others, functions) if functions else others or found


def stated_features(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """The features below `Functional requirements` that have headings, where lists stand elsewhere only."""
    chapters = [s for s in sections if s.level > 1 and _says_functional(s.title)]
    if not chapters:
        return ()

    def is_inside(line: int) -> bool:
        return any(s.line < line <= s.end for s in chapters)

    if any(is_inside(draft.line_start) for draft in promised(source, sections)):
        return ()
    told = tuple(d for d in _stated_sections(source, sections) if is_inside(d.line_start))
    return told if len(told) > 1 else ()


def _says_functional(title: str) -> bool:
    return (
        says_only_requirements(title)
        and heading_kind(title) is HeadingKind.REQUIREMENTS
        and FUNCTIONS.search(title) is not None
    )


def _further_lists(
    source: Source, sections: Sequence[Section], found: Sequence[Draft]
) -> Iterator[Draft]:
    """The items of `#### 5.1 …` in chapters of requirements (where there are tables, only in theirs), and
    of what goes wrong. Beside rows of a table a list explains them.
    """
    owned = first_owners((d.line_start, d.line_end) for d in found)
    with_rows = [
        s
        for s in sections
        if any(b.kind is BlockKind.ROW and b.line_start in owned for b in s.blocks)
    ]
    tables, chapters = {s.line for s in with_rows}, {s.trail for s in with_rows}
    for section, block in outer_items(sections):
        is_known = block.line_start in owned or section.line in tables
        is_beside = not chapters or section.trail in chapters
        is_part = is_beside and _is_numbered_part(section)
        is_of_functions = HeadingKind.NONFUNCTIONAL not in map(heading_kind, section.trail)
        if not is_known and (is_part or (is_of_functions and ERRORS.match(section.title))):
            yield item_draft(source, section, block)


def _is_numbered_part(section: Section) -> bool:
    outer = trail_kind(section.trail) if section.trail else HeadingKind.OTHER
    return (
        outer is HeadingKind.REQUIREMENTS
        and PART.match(section.title) is not None
        and heading_kind(section.title) in (HeadingKind.OTHER, HeadingKind.FEATURES)
        and not any(NOT_A_FEATURE.search(t) or TELLS_STEPS.match(t) for t in section.titles[1:])
    )


def _binding(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """List items with a must, on a page without any heading that says what they are.

    A few of them among many others may be asides; a page of them says what must be.
    """
    items = [
        (section, block)
        for section, block in outer_items(sections)
        if section.level >= 2
        and trail_kind(section.titles) is HeadingKind.OTHER
        and not any(NOT_A_FEATURE.search(t) or TELLS_WHY.match(t) for t in section.titles[1:])
    ]
    found = [
        (section, block)
        for section, block in items
        if modality(block.text) in (Modality.MUST, Modality.MUST_NOT)
        or (not is_normative(block) and is_bound(section, block))
    ]
    is_said = len(found) > 1 and _ASIDES * len(found) >= len(items)
    return tuple(item_draft(source, s, b) for s, b in found) if is_said else ()


def _normative(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """Normative list items below a heading about features, functions or behaviour."""
    return tuple(
        item_draft(source, section, block)
        for section, block in outer_items(sections)
        if (trail_kind(section.titles) is HeadingKind.FEATURES or BEHAVIOUR.search(section.title))
        and is_normative(block)
        and not any(NOT_A_FEATURE.search(title) for title in section.titles[1:])
    )


def _whole_features(
    drafts: tuple[Draft, ...], source: Source, sections: Sequence[Section]
) -> tuple[Draft, ...]:
    """All features of a list with labels where only some of them bind by a word."""
    features = labelled_features(source, sections) if drafts else ()
    is_numbered = bool(numbered_chapters(source, sections))
    made = {draft.line_start: draft for draft in drafts}
    plain = plain_functions(source, sections, made) if drafts and not is_numbered else ()
    for whole in (features, plain):
        lines = {draft.line_start for draft in whole}
        if drafts and all(one.line_start in lines for one in drafts):
            return whole
    return drafts


def _stated_sections(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """Normative headings below a chapter of requirements: each is a requirement.

    The acceptance criteria below such a heading are its scenarios.
    """
    drafts: list[Draft] = []
    for position, section in enumerate(sections):
        if drafts and section.line <= drafts[-1].line_end:
            continue
        is_below = trail_kind(section.trail or ("",)) is HeadingKind.REQUIREMENTS
        kind = heading_kind(section.title)
        is_named = kind is HeadingKind.FEATURES and not says_only_requirements(section.title)
        if not is_below or not (kind is HeadingKind.OTHER or is_named):
            continue
        if NOT_A_FEATURE.search(section.title) or TELLS_STEPS.match(section.title):
            continue
        label = label_of(section)
        if label is None and not any(is_normative(block) for block in section.blocks):
            continue
        end = last_line(source, section.line, section.end)
        is_text = all(b.kind is BlockKind.PARAGRAPH for b in section.blocks)
        if is_text and end <= section.body_end and (told := sentences(section)):
            drafts += told
            continue
        drafts.append(
            Draft(
                title=_NUMBER.sub("", section.title) or section.title,
                statement=source.shown_text(section.line + 1, section.body_end).strip(),
                scenarios=criteria_of(sections, position, end),
                domain=section.trail[-1],
                line_start=section.line,
                line_end=end,
            )
        )
    # A title alone says little of one chapter among others.
    is_by_title = len(drafts) == 1 and drafts[0].domain in {
        s.title for s in sections if s.level == 1
    }
    return () if is_by_title else tuple(drafts)


def _criteria(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """The criteria of a document that is one user story; elsewhere they only describe completion."""
    if not any(STORY.search(" ".join(b.text.split())) for s in sections for b in s.blocks):
        return ()
    return tuple(
        item_draft(source, section, block)
        for section, block in outer_items(sections)
        if section.level and trail_kind(section.titles) is HeadingKind.CRITERIA
    )


def _has_requirements_chapter(sections: Sequence[Section]) -> bool:
    return any(s.level == 2 and heading_kind(s.title) is HeadingKind.REQUIREMENTS for s in sections)


# What the requirements of a page are on which nothing is called one; the first that finds any says it.
_RULES: tuple[Callable[[Source, Sequence[Section]], tuple[Draft, ...]], ...] = (
    _deeper_features,
    judged_parts,
    whole_page,
    _listed_or_parts,
    _stated,
    _labelled,
    numbered_chapters,
    listed_stories,
    loose_wishes,
    _criteria,
    plain_functions,
    named_parts,
    parted_of_file,
    endpoints,
    _told,
    wish_lists,
)
