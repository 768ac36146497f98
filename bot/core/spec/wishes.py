"""Pages of user stories without ids: what a reader wants, under a heading, in a list, or by role."""

import re
from bisect import bisect_right
from collections.abc import Sequence

from bot.core.spec.drafts import Draft, first_words
from bot.core.spec.formats.criteria import (
    criteria_below,
    criteria_below_label,
    fenced_scenarios,
    label_of,
)
from bot.core.spec.formats.openspec import last_line
from bot.core.spec.formats.prose_words import NOT_A_FEATURE, STORY
from bot.core.spec.outline import BlockKind, Section
from bot.core.spec.reading import Source
from bot.core.spec.scenario_steps import criterion, grouped
from bot.core.spec.stories import (
    priority_of,
    stories_in_lists,
    story_drafts,
    story_number,
)
from bot.core.spec.triage.words import HeadingKind, heading_kind, trail_kind
from bot.core.values.spec_model import Scenario

_TOLD_LEVEL_MIN = 2
_WISHES_MIN = 3
_ABILITIES_MIN = 2
# `Story: A reader asks for a book`, with its wish in a fence below.
_CALLED_A_STORY = re.compile(
    r"^(?:(?:user )?story|historia(?: de usuario)?|história(?: de usuário)?|récit(?: utilisateur)?|nutzergeschichte|"
    r"(?:пользовательская )?история|用户故事|ユーザーストーリー|사용자 스토리)\s*[:：–—-]\s*(?=\S)",
    re.IGNORECASE,
)
_AIM = re.compile(r"\b(?:so that|afin (?:que|de)|para que|damit)\b", re.IGNORECASE)
_CHAPTER_NUMBER = re.compile(r"^(?:\d{1,3}(?:\.\d{1,3}){0,4}[.)]?|[(（]\d{1,3}[)）])\s+")
# What somebody may do, without saying who: the heading does.
_ABILITY = re.compile(
    r"^(?:can(?:not)?|can['’]t|may(?: not)?|must(?: not)?|should(?: not)?|is able to|are able to|"
    r"(?:no )?puede[n]?|(?:não )?pode[m]?|peu(?:t|vent)|kann|können|darf|può|possono|może|mogą|может|могут|"
    r"可以|不能|不可)\b\s*\S",
    re.IGNORECASE,
)


def numbered_or_told(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """The stories with numbers, or all that have a wish, whichever are more."""
    readers = (story_drafts, told_stories, stories_in_lists)
    return max((read(source, sections) for read in readers), key=len)


def with_stories(
    drafts: tuple[Draft, ...], source: Source, sections: Sequence[Section]
) -> tuple[Draft, ...]:
    """Requirements with ids (`A1 — …`), and the stories beside them that nothing makes one of them."""
    told = {draft.line_start: draft for draft in told_stories(source, sections)} if drafts else {}
    own = {draft.line_start: draft for draft in drafts}
    if not own.keys() < told.keys():
        return drafts
    return tuple(draft for _, draft in sorted((told | own).items()))


def told_stories(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """Headings that are a wish (`As a reader, I want …`), or have one below them, in any numbering."""
    judged_by = tuple(s for s in sections if heading_kind(s.title) is HeadingKind.CRITERIA)
    told = {s.line: _told(s) for s in sections}
    drafts: list[Draft] = []
    for at, section in enumerate(sections):
        wish = told[section.line]
        if wish is None or (drafts and section.line <= drafts[-1].line_end):
            continue
        end = _end_of(sections, at, told)
        if end is None:
            continue
        title = _CHAPTER_NUMBER.sub("", section.title) or section.title
        scenarios = _scenarios(source, section, sections, judged_by, end)
        if not wish.strip() and _CALLED_A_STORY.match(title):
            wish = _fenced(source, section.line, scenarios[0].line_start - 1 if scenarios else end)
            title = _CALLED_A_STORY.sub("", title)
        drafts.append(
            Draft(
                title=title,
                statement=wish.strip() or title,
                scenarios=scenarios,
                domain=section.trail[-1] if len(section.trail) > 1 else "",
                priority=priority_of(section.title),
                line_start=section.line,
                line_end=last_line(source, section.line, end),
            )
        )
    return tuple(drafts) if len(drafts) > 1 else ()


def _told(section: Section) -> str | None:
    """What a section says up to its criteria, if that, or its title, is one wish."""
    if section.level < _TOLD_LEVEL_MIN or trail_kind(section.titles) is HeadingKind.OUT_OF_SCOPE:
        return None
    label = label_of(section)
    # `View the tax summary` with a wish and its criteria is no summary of the page.
    titles = section.trail[1:] if label else section.titles[1:]
    if any(NOT_A_FEATURE.search(title) for title in titles):
        return None
    before = [b for b in section.blocks if label is None or b.line_start < label.line_start]
    text = "\n".join(block.text for block in before)
    if _CALLED_A_STORY.match(section.title) and not text.strip():
        return text
    if STORY.search(section.title) or (section.blocks and story_number(section.title)):
        return text
    return text if _wishes_in(text) == 1 else None


def _wishes_in(text: str) -> int:
    """How many wishes it says; `… as a PDF file, so that I can` begins none, nor does a form to fill in."""
    parts = _AIM.split(" ".join(text.replace("*", "").split()))
    return sum("[" not in wish for part in parts for wish in STORY.findall(part))


def _end_of(sections: Sequence[Section], at: int, told: dict[int, str | None]) -> int | None:
    """The last line of a story with the headings below it; None where these hold other stories."""
    section = sections[at]
    for below in sections[at + 1 :]:
        if below.level <= section.level or below.line > section.end:
            break
        if told[below.line] is not None:
            return None
    return section.end


def _scenarios(
    source: Source,
    section: Section,
    sections: Sequence[Section],
    judged_by: Sequence[Section],
    end: int,
) -> tuple[Scenario, ...]:
    first = bisect_right(sections, section.line, key=_line)
    below = sections[first : bisect_right(sections, end, key=_line)]
    told = tuple(s for part in (section, *below) for s in grouped(part.blocks))
    told = told or fenced_scenarios(source, section.line, end)
    if told:
        return told
    if (label := label_of(section)) is not None:
        return criteria_below_label(section, label, section.body_end)
    if found := criteria_below(section, judged_by, end):
        return found
    if not STORY.search(section.title):
        return ()
    return tuple(
        criterion("", block.text, block.line_start, block.extent_end)
        for block in section.blocks
        if block.kind is BlockKind.ITEM and block.indent <= 1
    )


def _fenced(source: Source, after: int, until: int) -> str:
    """What stands in fences, without their marks."""
    lines = zip(source.shown[after:until], source.visible[after:until], strict=True)
    return "\n".join(s for s, v in lines if not v.strip() and s.strip()[:3] not in ("```", "~~~"))


def _line(section: Section) -> int:
    return section.line


def listed_stories(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """Lists of nothing but wishes, or of what a role can do: each is a requirement."""
    drafts: list[Draft] = []
    for section in sections:
        items = [b for b in section.blocks if b.kind is BlockKind.ITEM and b.indent <= 1]
        wishes = [b for b in items if STORY.search(" ".join(b.text.replace("*", "").split()))]
        able = [b for b in items if _ABILITY.match(b.text)]
        is_of_role = section.level >= _TOLD_LEVEL_MIN and len(able) >= _ABILITIES_MIN
        of_roles = is_of_role and len(able) == len(items)
        if not of_roles and (len(wishes) < _WISHES_MIN or len(wishes) < len(items)):
            continue
        is_group = of_roles or heading_kind(section.title) is HeadingKind.OTHER
        drafts += [
            Draft(
                title=first_words(text),
                statement=text,
                domain=section.title if is_group else "",
                line_start=b.line_start,
                line_end=last_line(source, b.line_start, b.extent_end),
            )
            for b in items
            # Who can do it makes it another requirement.
            for text in [f"{section.title} {b.text}" if of_roles else b.text]
        ]
    return tuple(drafts)
