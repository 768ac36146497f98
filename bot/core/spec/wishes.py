"""Pages of user stories without ids: what a reader wants, under a heading, in a list, or by role."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from bot.core.spec.drafts import Draft, first_words
from bot.core.spec.formats.criteria import (
    criteria_below,
    criteria_below_label,
    criteria_in_lines,
    fenced_lists,
    fenced_scenarios,
    is_criteria_label,
    label_of,
    ticked_lines,
)
from bot.core.spec.formats.openspec import last_line
from bot.core.spec.formats.prose_items import BOX, GROUP_LINE
from bot.core.spec.formats.prose_words import (
    KIND_OF_ITEM,
    NOT_A_FEATURE,
    PART_NUMBER,
    SAYS_STORIES,
    STORY,
)
from bot.core.spec.formats.story_fields import stories_of_fields
from bot.core.spec.outline import Block, BlockKind, Section
from bot.core.spec.reading import Source
from bot.core.spec.scenario_steps import criterion, grouped
from bot.core.spec.stories import (
    priority_of,
    stories_in_lists,
    story_drafts,
    story_id,
)
from bot.core.spec.story_names import STORY_NAME
from bot.core.spec.story_tables import rows_of_stories, tabled_stories
from bot.core.spec.triage.words import HeadingKind, heading_kind, trail_kind
from bot.core.values.spec_model import Scenario

_TOLD_LEVEL_MIN = 2
_WISHES_MIN = 3
_ABILITIES_MIN = 2
# `Story: A reader asks for a book`, with its wish in a fence below.
_CALLED_A_STORY = re.compile(
    rf"^(?:{STORY_NAME})\s*[:：–—-]\s*(?=\S)",
    re.IGNORECASE,
)
# `**User Story:**` above a text that says it in other words.
_LABELLED_STORY = re.compile(
    rf"^\*\*(?:{STORY_NAME})\s?(?:\*\*\s?[:：]|[:：]\s?\*\*)",
    re.IGNORECASE,
)
_ONLY_STORIES = re.compile(r"^\W*(?:user )?stories\W*$|^\W*用户故事\W*$", re.IGNORECASE)
_AIM = re.compile(r"\b(?:so that|afin (?:que|de)|para que|damit)\b", re.IGNORECASE)
# A wish may be written in three points or lines.
_LINES_OF_WISH = 3
_OPEN_END = re.compile(r"(?:\.\.\.|…|[:：]|\bto)$", re.IGNORECASE)
_STORY_LABEL = re.compile(r"^.*?\d+(?:\.\d+)*\s*[:：.)–—-]*\s*")
_ROLE_BEGINS = re.compile(
    r"(?:As (?:an? |the )|En tant qu|Como |Come |Als |Jako |Som |Как |作为|作為|身为)",
    re.IGNORECASE,
)
# On a page of stories the role alone begins one: `As a reader, I open the list`.
_AS_ROLE = re.compile(
    r"^(?:As (?:an? |the )|En tant qu(?:e |['’])|Como |Come |Als |Jako |Som |Как )[^,.:;]{2,60},|(?:作为|作為|身为).{1,30}?[,，]|"
    r"[^\s。、，,]{1,30}として[、,]|[^\s.,]{1,30}(?:으)?로서",
    re.IGNORECASE,
)
# `I want to reserve a book`, below a heading that says who.
_OWN_WISH = re.compile(
    r"^(?:(?:I|we) (?:want|need|can|wish|must|should|would)\b|je (?:veux|souhaite|peux|voudrais|dois)\b|j['’](?:aimerais|ai besoin)\b|"
    r"(?:yo |eu )?(?:quiero|necesito|deseo|puedo|quero|preciso|desejo|gostaria|posso)\b|(?:voglio|vorrei|posso)\b|"
    r"ich (?:möchte|will|kann|muss|brauche)\b|ik (?:wil|kan|moet)\b|(?:chcę|chciał(?:a)?bym|mogę)\b|я (?:хочу|могу|хотел(?:а)? бы)\b|"
    r"(?:haluan|haluaisin|voin)\b|(?:jag|jeg) (?:vill|vil|kan|ønsker)\b|我(?:想|希望|要|需要|能|可以))\s*\S",
    re.IGNORECASE,
)
# Somebody speaks of himself.
_OF_ONE = re.compile(
    r"(?<!\w)(?:I|je|j['’]|ich|yo|eu|io|ik|ja|jag|jeg|я|minä)\b|我|私|저는|나는", re.IGNORECASE
)
# Who uses what is built, as the heading above what they wish.
_ROLE = re.compile(
    r"^\W*(?:\d+(?:\.\d+)*[.)]?\s+)?(?:(?:as an? )?(?:\w+[ -])?(?:users?|admin(?:istrator)?s?|guests?|visitors?|customers?|clients?|readers?|members?|owners?|managers?|"
    r"moderators?|editors?|authors?|staff|employees?|students?|teachers?|parents?|players?|buyers?|sellers?|drivers?|patients?|doctors?|developers?|organi[sz]ers?|librarians?)|"
    r"usuari[oa]s?|administrador(?:a|es)?|clientes?|visitantes?|alumn[oa]s?|profesor(?:es)?|utilisateurs?|administrateurs?|visiteurs?|clients?|élèves?|"
    r"(?:be)?nutzer(?:in|innen)?|kund(?:e|en|in)|gäste?|gast|besucher|verwalter|utent[ei]|amministrator[ei]|gebruikers?|beheerders?|klant(?:en)?|"
    r"пользовател[ьи]|администратор(?:ы)?|гост[ьи]|клиент(?:ы)?|用户|用戶|管理员|管理員|访客|学生|教师|ユーザー|管理者|利用者|ゲスト|사용자|관리자|회원|고객)"
    r"(?: (?:user )?stories)?\W*$",
    re.IGNORECASE,
)
# What somebody may do, without saying who: the heading does.
_ABILITY = re.compile(
    r"^(?:can(?:not)?|can['’]t|may(?: not)?|must(?: not)?|should(?: not)?|is able to|are able to|"
    r"(?:no )?puede[n]?|(?:não )?pode[m]?|peu(?:t|vent)|kann|können|darf|può|possono|może|mogą|может|могут|"
    r"可以|不能|不可)\b\s*\S",
    re.IGNORECASE,
)


def numbered_or_told(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """The stories with numbers, or all that have a wish, whichever are more."""
    readers = (
        story_drafts,
        told_stories,
        stories_in_lists,
        bold_stories,
        tabled_stories,
        rows_of_stories,
        open_wishes,
        stories_of_fields,
        lists_of_wishes,
    )
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
        title = PART_NUMBER.sub("", section.title) or section.title
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
    if STORY.search(section.title) or (section.blocks and story_id(section.title)):
        return text
    labels = [b for b in before if _LABELLED_STORY.match(b.text)]
    return text if len(labels) == 1 or _wishes_in(text) == 1 else None


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
    told = told or fenced_lists(source, section, end)
    if told:
        return told
    label = label_of(section)
    if label and (below_it := criteria_below_label(section, label, section.body_end)):
        return below_it
    if found := criteria_below(section, judged_by, end):
        return found
    if in_lines := criteria_in_lines(section.blocks) or ticked_lines(section.blocks):
        return in_lines
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


def open_wishes(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """The lists below `As a reader I want to…`: the heading, or line, says for all who wants them."""
    drafts: list[Draft] = []
    for section in sections:
        wish = section.title if _is_open(section.title) else ""
        for block in section.blocks:
            if block.kind is BlockKind.PARAGRAPH:
                wish = block.text if _is_open(block.text) else ""
            elif wish and block.kind is BlockKind.ITEM and not block.indent:
                drafts.append(
                    Draft(
                        title=first_words(block.text),
                        statement=f"{wish.rstrip(' .…:：')} {block.text}",
                        scenarios=grouped(section.between(block.line_end, block.extent_end)),
                        line_start=block.line_start,
                        line_end=last_line(source, block.line_start, block.extent_end),
                    )
                )
    return tuple(drafts) if len(drafts) > 1 else ()


def _is_open(text: str) -> bool:
    return _OPEN_END.search(text) is not None and STORY.match(text.lstrip("*_# ")) is not None


def bold_stories(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """`**User story 1:** *Free books*` above its text, up to the next."""
    drafts: list[Draft] = []
    for section in sections:
        starts = [
            block
            for block in section.blocks
            if block.kind is BlockKind.PARAGRAPH
            and block.text.startswith("**")
            and story_id(block.text.lstrip("*"))
        ]
        ends = [*(block.line_start - 1 for block in starts[1:]), section.body_end]
        for block, until in zip(starts, ends, strict=False):
            end = last_line(source, block.line_start, until)
            first, _, rest = block.text.partition("\n")
            below = source.shown_text(block.line_end + 1, end).strip(" \n-")
            statement = "\n".join(part for part in (rest.strip(), below) if part)
            named = _STORY_LABEL.sub("", first.replace("*", "")).strip()
            inner = [block, *section.between(block.line_end, end)]
            drafts.append(
                Draft(
                    title=first_words(named or statement or first),
                    statement=statement or named or first,
                    source_id=story_id(block.text.lstrip("*")),
                    scenarios=grouped(inner) or _judged_between(section, inner, end),
                    domain=section.title if section.level > 1 else "",
                    priority=priority_of(first),
                    line_start=block.line_start,
                    line_end=end,
                )
            )
    return tuple(drafts) if len(drafts) > 1 else ()


def _judged_between(section: Section, blocks: Sequence[Block], end: int) -> tuple[Scenario, ...]:
    label = next((b for b in blocks if is_criteria_label(b.text.strip().split("\n")[-1])), None)
    return criteria_below_label(section, label, end) if label else ()


def loose_wishes(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """Several wishes below one heading: a line each, or one in three points (who, what, what for)."""
    drafts: list[Draft] = []
    for section in sections:
        if section.level and NOT_A_FEATURE.search(section.title):
            continue
        lines = [
            (block.line_start + n, text.replace("*", "").strip())
            for block in section.blocks
            if block.kind is not BlockKind.ROW
            for n, text in enumerate(block.text.split("\n"))
        ]
        # `1. Sign in` above its wish is the name of it.
        named = {
            inner.line_start: outer
            for outer, inner in pairwise(section.blocks)
            if outer.kind is inner.kind is BlockKind.ITEM and outer.indent < inner.indent
        }
        starts = [
            at
            for at, (_, text) in enumerate(lines)
            if _ROLE_BEGINS.match(text)
            and STORY.match(" ".join(text for _, text in lines[at : at + _LINES_OF_WISH]))
        ]
        groups = _BoldLines(section)
        for at, following in zip(starts, [*starts[1:], None], strict=False):
            name = named.get(lines[at][0])
            start = name.line_start if name else lines[at][0]
            until = section.body_end
            if following is not None:
                after = named.get(lines[following][0])
                until = (after.line_start if after else lines[following][0]) - 1
            end = last_line(source, start, until)
            statement = " ".join(text for line, text in lines[at:] if line <= end)
            drafts.append(
                Draft(
                    title=first_words(name.text.strip("* ") if name else statement),
                    statement=statement,
                    scenarios=grouped(section.between(start, end)),
                    domain=groups.above(start) or (section.title if section.level > 1 else ""),
                    line_start=start,
                    line_end=end,
                )
            )
    return tuple(drafts) if len(drafts) > 1 else ()


def lists_of_wishes(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """Lists whose items begin with a wish, all of them or nearly all; a list of one is a list, too."""
    found: list[tuple[Section, list[Block]]] = []
    for section in sections:
        items = [b for b in section.blocks if b.kind is BlockKind.ITEM and b.indent <= 1]
        is_left_out = trail_kind(section.titles) is HeadingKind.OUT_OF_SCOPE
        wishes = sum(STORY.match(" ".join(_plain(b).split())) is not None for b in items)
        # `As the system, I must …` among wishes is one of them; where the heading says so, whatever a role begins.
        roles = SAYS_STORIES.search(section.title) and all(_AS_ROLE.match(_plain(b)) for b in items)
        if not is_left_out and (roles or 3 * wishes >= 2 * len(items)):
            found.append((section, items))
    if sum(len(items) for _, items in found) < _WISHES_MIN:
        return ()
    return tuple(
        Draft(
            title=first_words(BOX.sub("", block.text)),
            statement=BOX.sub("", block.text),
            domain=groups.above(block.line_start) or group,
            line_start=block.line_start,
            line_end=last_line(source, block.line_start, block.extent_end),
        )
        for section, items in found
        for group in [_group_of(section)]
        for groups in [_BoldLines(section)]
        for block in items
    )


def _group_of(section: Section) -> str:
    """Its heading, or the one above a heading that only says `Stories`."""
    if _ONLY_STORIES.match(section.title) and section.trail[1:]:
        return section.trail[-1]
    return section.title if heading_kind(section.title) is HeadingKind.OTHER else ""


class _BoldLines:
    """`**Berths**`: the lines of a section that group what stands below them."""

    def __init__(self, section: Section) -> None:
        blocks = (b for b in section.blocks if b.kind is BlockKind.PARAGRAPH)
        found = [b for b in blocks if GROUP_LINE.match(b.text.strip())]
        self._starts = [block.line_start for block in found]
        self._names = [block.text.strip("*: ：") for block in found]

    def above(self, line: int) -> str:
        """Empty above the first."""
        at = bisect_right(self._starts, line)
        return self._names[at - 1] if at else ""


def _plain(block: Block) -> str:
    return BOX.sub("", block.text).replace("*", "")


def listed_stories(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """Lists of nothing but wishes, or of what a role can do: each is a requirement."""
    drafts: list[Draft] = []
    page = next((s.title for s in sections if s.level == 1), "")
    for section in sections:
        told = any(SAYS_STORIES.search(title) for title in (page, section.title))
        items = [b for b in section.blocks if b.kind is BlockKind.ITEM and b.indent <= 1]
        wishes = [b for b in items if STORY.search(" ".join(b.text.replace("*", "").split()))]
        able = [b for b in items if _ABILITY.match(b.text)]
        roles = [b for b in items if _AS_ROLE.match(b.text.replace("*", ""))] if told else []
        if told and len(roles) == len(items):
            wishes = roles
        own = [b for b in items if _OWN_WISH.match(b.text.replace("*", ""))]
        is_of_role = section.level >= _TOLD_LEVEL_MIN
        is_own = told and is_of_role and 0 < len(own) == len(items)
        is_told_by_one = any(KIND_OF_ITEM.match(title) for title in section.trail[1:])
        if is_told_by_one and 2 * sum(bool(_OF_ONE.search(b.text)) for b in items) > len(items):
            wishes = items
            told = True
        if is_own or (told and is_of_role and _ROLE.match(section.title) and not wishes):
            is_own, wishes = True, items
        is_able = is_of_role and len(able) >= _ABILITIES_MIN
        of_roles = is_able and len(able) == len(items)
        least = 1 if told else _WISHES_MIN
        if not of_roles and (len(wishes) < least or len(wishes) < len(items)):
            continue
        is_group = of_roles or is_own or heading_kind(section.title) is HeadingKind.OTHER
        role = PART_NUMBER.sub("", section.title)
        groups = _BoldLines(section)
        drafts += [
            Draft(
                title=first_words(text),
                statement=text,
                domain=groups.above(b.line_start) or (section.title if is_group else ""),
                line_start=b.line_start,
                line_end=last_line(source, b.line_start, b.extent_end),
            )
            for b in items
            # Who can do it makes it another requirement.
            for text in [_of_role(role, b.text, is_able=of_roles, is_own=is_own)]
        ]
    return tuple(drafts)


def _of_role(role: str, text: str, *, is_able: bool, is_own: bool) -> str:
    if is_own:
        return f"{role}: {text}"
    return f"{role} {text}" if is_able else text
