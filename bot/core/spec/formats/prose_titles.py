"""What a page's title and its first words say: requirements only, a feature with its parts, or rules."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import PurePosixPath

from bot.core.spec.drafts import Draft, first_words
from bot.core.spec.formats.criteria import criteria_of, end_with_criteria
from bot.core.spec.formats.facets import with_facets
from bot.core.spec.formats.openspec import last_line
from bot.core.spec.formats.prose_items import (
    BOX,
    is_of_quality,
    item_draft,
    lists_data,
    outer_items,
)
from bot.core.spec.formats.prose_rows import rows_of_functions
from bot.core.spec.formats.prose_words import (
    CORE_FEATURES,
    FUNCTIONS,
    INTRODUCES,
    LABEL_START,
    LIST_OF_FUNCTIONS,
    NOT_A_FEATURE,
    OF_A_MACHINE,
    PART,
    PART_NUMBER,
    REQUIRED,
    RULE_SENTENCE,
    TELLS_STEPS,
    TELLS_WHY,
)
from bot.core.spec.outline import BlockKind, Section
from bot.core.spec.reading import Source
from bot.core.spec.triage.words import (
    HeadingKind,
    heading_kind,
    is_future,
    modality,
    says_only_requirements,
    says_requirements_of,
    trail_kind,
)
from bot.core.values.spec_model import Modality

# The steps of a way through the product are no things that it has.
_TOLD_AS_A_STORY = re.compile(
    r"^\W*(?:\d+(?:\.\d+)*[.)]?\s+)?(?:scenarios?|use cases?|szenario|scénario|escenario|cenário|сценари[йи]|场景|シナリオ|시나리오)\b",
    re.IGNORECASE,
)
# What a page of wishes is called in some languages.
_KIND_OF_FILE = re.compile(
    r"(?:lasten|pflichten)heft|cahier des charges|capitolato|pliego de condiciones|caderno de encargos|"
    r"техническое задание|тз",
    re.IGNORECASE,
)
_DECOMPOSED = re.compile(
    r"^\W*(?:\d+(?:\.\d+)*[.)]?\s+)?(?:functional (?:decomposition|modules?|areas?|breakdown)|modules? fonctionnels?|módulos? funciona(?:les|is))\W*$",
    re.IGNORECASE,
)
# What a document says of itself, and how it is built inside.
_BESIDE_FUNCTIONS = re.compile(
    r"^\W*(?:\d+(?:\.\d+)*[.)]?\s+)?(?:document (?:information|control|details)|informations? (?:sur le|du) document|"
    r"informaci[óo]n del documento|informações do documento|informazioni sul documento|dokumentinformation(?:en)?|информация о документе|"
    r"(?:database|db) (?:schema|tables?|specification|design)|data dictionary|(?:project|folder|code) structure|class(?:es)?|methods?|"
    r"(?:datenbank|projektstruktur|base de données|base de datos|banco de dados|база данных|схема бд)\b.{0,30}|"
    r"文(?:档|件)(?:信息|说明)|数据库(?:设计|表|结构)|文書情報|ドキュメント情報|(?:データベース|DB|テーブル)(?:設計|定義|仕様)|クラス(?:情報|一覧)|"
    r"문서 ?정보|(?:시스템|프로젝트|서비스) ?(?:개요|구성|구조)|(?:데이터베이스|DB|테이블) ?(?:명세|설계|정의|구조|관계)|클래스 ?(?:정보|목록)|메서드)\W*$",
    re.IGNORECASE,
)
_ARTICLE = re.compile(
    r"^(?:the|an?|our|der|die|das|les?|la|l['’]|el|los|las|os?|as?|il|lo|gli|i)\s*\b", re.IGNORECASE
)
_IS = re.compile(r"\s+(?:is|are|ist|sind|est|sont|es|son|é|são|è|sono)\b")
_CHAPTERS_MIN = 3
_CHAPTER = 2
# `Product requirements document`: what it holds beside them is much.
_OF_A_DOCUMENT = re.compile(
    r"docu|dokument|produ|softw|sp[eé]cif|specyf|spezif|especif|специф|製品|产品|书|書|文档|문서|명세",
    re.IGNORECASE,
)
# `Core features (first release)`.
_NOTE = re.compile(r"[(（][^()（）]{1,60}[)）]\s*$")
_BINDING = (Modality.MUST, Modality.MUST_NOT, Modality.SHOULD)
# `**Status**: draft`, `Version: 1.0`.
_FACT = re.compile(
    LABEL_START.pattern
    + r"|^(?:version|date|author|status|owner|created|updated|last updated|auteur|autor|datum|fecha|data|stand|"
    r"wersja|версия|дата|автор|статус|版本|日期|作者|状态|作成[日者]|更新日|バージョン|版数|작성[일자]|버전|상태)\s?[:：]",
    re.IGNORECASE,
)


def whole_page(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """A page whose title is only *Requirements*: the lists of all its chapters, but of those that
    introduce, or say what qualities the whole has.
    """
    titles = [s.title for s in sections if s.level == 1] or _named_by_file(source, sections)
    chapters = [s for s in sections if s.level >= 2] or list(sections)
    if len(titles) != 1 or not (
        is_page_of_requirements(titles[0])
        or (REQUIRED.search(titles[0]) and _is_numbered_throughout(chapters))
    ):
        return ()
    if any(
        says_only_requirements(s.title) and heading_kind(s.title) is HeadingKind.REQUIREMENTS
        for s in chapters
        if s.level == _CHAPTER or not PART.match(s.title)
    ):
        return ()
    if 2 * len([s for s in chapters if OF_A_MACHINE.search(s.title)]) > len(chapters):
        return ()
    # Where the page names its functions, what else it lists is about them.
    asked = [s for s in chapters if any(_is_asked(title) for title in s.titles[1:])]
    # `3.1 Features` below a chapter are those of the chapter.
    is_named = any(
        _is_core(title) for s in asked for title in s.titles[1:] if not PART.match(title)
    )
    # What has the numbers of the others is one of them, whatever its heading says.
    is_numbered = _is_numbered_throughout(chapters)
    return tuple(
        item_draft(source, section, block)
        for section, block in outer_items(asked if is_named else chapters)
        if not any(
            INTRODUCES.search(t) or TELLS_WHY.match(t) or NOT_A_FEATURE.search(t)
            for t in section.titles[1:]
        )
        and (is_numbered or not any(is_of_quality(title) for title in section.titles[1:2]))
        and not _TOLD_AS_A_STORY.match(section.title)
        and not any(TELLS_STEPS.match(title) for title in section.titles[1:])
        and not lists_data(section)
        and trail_kind(section.titles)
        in (HeadingKind.OTHER, HeadingKind.REQUIREMENTS, HeadingKind.FEATURES)
    )


def _is_core(title: str) -> bool:
    return CORE_FEATURES.match(_NOTE.sub("", title)) is not None


def _is_asked(title: str) -> bool:
    return _is_core(title) or heading_kind(title) is HeadingKind.REQUIREMENTS


def _is_numbered_throughout(chapters: Sequence[Section]) -> bool:
    """Whether the lists of several chapters have one numbering, that goes on from each to the next."""
    counted = [
        [b.marker.strip("(.)、") for b in s.blocks if b.is_numbered and not b.indent]
        for s in chapters
    ]
    numbers = [number for own in counted for number in own]
    is_one = numbers == [str(number) for number in range(1, len(numbers) + 1)]
    return is_one and sum(map(bool, counted)) >= _CHAPTERS_MIN


def _named_by_file(source: Source, sections: Sequence[Section]) -> list[str]:
    """The name of the file above a page that has no title, and nothing but lists."""
    blocks = [block for section in sections for block in section.blocks]
    if not blocks or any(block.kind is not BlockKind.ITEM for block in blocks):
        return []
    name = re.sub(r"[-_]+", " ", PurePosixPath(source.path).stem)
    return ["Requirements" if _KIND_OF_FILE.fullmatch(name) else name]


def parted_of_file(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """Numbered items with parts of their own, in a file that is called requirements."""
    name = re.sub(r"[-_]+", " ", PurePosixPath(source.path).stem)
    if heading_kind(name) is not HeadingKind.REQUIREMENTS:
        return ()
    found = [
        (section, block)
        for section, block in outer_items(sections)
        if not any(NOT_A_FEATURE.search(title) for title in section.titles)
    ]
    parted = [(s, b) for s, b in found if b.is_numbered and b.extent_end > b.line_end]
    if len(parted) < 2 or len(parted) < len(found):
        return ()
    return tuple(item_draft(source, section, block) for section, block in parted)


def is_page_of_requirements(title: str) -> bool:
    """`Requirements`, or `Requirements — Mail`: the name of what they are for stands behind a sign."""
    if says_requirements_of(title):
        return True
    first, *rest = re.split(r"\s[–—-]\s|[:：]", title, maxsplit=1)
    # What stands behind the sign has to say no less: `Spec — Features` is any page.
    return _is_only_requirements(first, is_whole=not rest) or any(
        _is_only_requirements(part, is_whole=False)
        and (FUNCTIONS.search(part) or not _OF_A_DOCUMENT.search(part))
        for part in rest
    )


def _is_only_requirements(title: str, *, is_whole: bool) -> bool:
    kind = re.sub(
        r"\s?(?:documents?|dokument|documento|書|书|文档|문서)\s*$", "", title, flags=re.IGNORECASE
    )
    is_named = heading_kind(kind) is HeadingKind.REQUIREMENTS
    return says_only_requirements(kind) and (is_named or (is_whole and kind == title))


def facts_of_page(sections: Sequence[Section]) -> int | None:
    """The line of a title below which only `**Status**: draft` and the like stand before the chapters."""
    title = next((s for s in sections if s.level == 1), None)
    if title is None or all(s.level <= 1 for s in sections):
        return None
    items = [b for b in title.blocks if b.kind is BlockKind.ITEM and not b.indent]
    return title.line if all(_FACT.match(b.text) for b in items) else None


def feature_sections(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """One requirement per section of a document whose title says that it is a feature."""
    titled = [s for s in sections if s.level == 1]
    if len(titled) != 1 or heading_kind(titled[0].title) is not HeadingKind.FEATURES:
        return ()
    if boxes := _boxes(source, sections):
        return boxes
    drafts: list[Draft] = []
    is_list = LIST_OF_FUNCTIONS.search(titled[0].title) is not None
    listed = {row.line_start: row for row in rows_of_functions(sections)}
    faceted = with_facets(sections)
    parts = _parts_of_functions(sections)
    whole_level = max((s.level for s in sections if s.line in faceted), default=0)
    whole_level = parts[0].level if parts else whole_level
    told = _told_of_functions(sections, faceted, {part.line for part in parts})
    parted = Counter(section.trail for section in sections if section.line in told)
    for position, section in enumerate(sections):
        is_whole = section.level == whole_level
        if section.line not in told or not (section.blocks or is_whole):
            continue
        if section.level > whole_level > 0:
            continue
        if not is_whole and parted[section.titles] > 1 and _only_introduces(section):
            continue
        rows = [row for b in section.blocks if (row := listed.get(b.line_start))]
        if is_list and not rows:
            rows = [item_draft(source, one, block) for one, block in outer_items([section])]
        if rows:
            drafts += rows
            continue
        end = section.end if is_whole else end_with_criteria(sections, position)
        end = last_line(source, section.line, end)
        if (said := sentences(section)) and not is_whole:
            drafts += said
            continue
        drafts.append(
            Draft(
                title=section.title,
                statement=source.shown_text(section.line + 1, end).strip(),
                scenarios=criteria_of(sections, position, end),
                domain=section.trail[1] if len(section.trail) > 1 else section.title,
                line_start=section.line,
                line_end=end,
            )
        )
    return tuple(drafts)


def _only_introduces(section: Section) -> bool:
    """Whether it is one sentence above its parts that says what it is: `The logbook is …`."""
    first, *rest = section.blocks
    name = PART_NUMBER.sub("", section.title).casefold()
    said = _ARTICLE.sub("", first.text).casefold()
    is_named = said.startswith(name) and _IS.match(said, len(name)) is not None
    return is_named and not rest and modality(first.text) is Modality.UNSTATED


def _told_of_functions(
    sections: Sequence[Section], faceted: Collection[int], parts: Collection[int]
) -> frozenset[int]:
    """The lines of the sections that may be functions; of `parts` only, where there are some."""
    left_out = {
        *(HeadingKind.OUT_OF_SCOPE, HeadingKind.CHECKLIST, HeadingKind.TRACE),
        *(HeadingKind.CRITERIA, HeadingKind.NONFUNCTIONAL),
    }
    kinds = {s.line: trail_kind(s.titles) for s in sections if s.level > 1}
    # Alone they are what the page asks for.
    if all(
        kinds[s.line] is HeadingKind.NONFUNCTIONAL for s in sections if s.level > 1 and s.blocks
    ):
        left_out.discard(HeadingKind.NONFUNCTIONAL)
    return frozenset(
        section.line
        for section in sections
        if section.level > 1
        and (not parts or section.line in parts)
        and kinds[section.line] not in left_out
        and (
            section.line in faceted
            or not any(
                NOT_A_FEATURE.search(t)
                or INTRODUCES.search(t)
                or _BESIDE_FUNCTIONS.match(t)
                or is_future(t)
                for t in section.titles[1:]
            )
        )
    )


def _parts_of_functions(sections: Sequence[Section]) -> list[Section]:
    """The parts of the one chapter that is called functional, beside chapters of how it is built."""
    chapters = [s for s in sections if s.level == _CHAPTER]
    named = [s for s in chapters if _DECOMPOSED.match(s.title)]
    if len(named) != 1:
        return []
    (chapter,) = named
    parts = [
        s for s in sections if s.level == _CHAPTER + 1 and chapter.line < s.line <= chapter.end
    ]
    return parts if len(parts) > 1 else []


def sentences(section: Section) -> list[Draft]:
    """A requirement for each block, where all of them bind by a word of their own."""
    outer = [b for b in section.blocks if b.kind is not BlockKind.ITEM or b.indent <= 1]
    if len(outer) < 2 or any(modality(b.text) is Modality.UNSTATED for b in outer):
        return []
    return [
        Draft(
            title=first_words(block.text),
            statement=block.text,
            domain=section.title,
            line_start=block.line_start,
            line_end=block.extent_end,
        )
        for block in outer
    ]


def told_in_paragraphs(sections: Sequence[Section]) -> tuple[Draft, ...]:
    """Chapters of requirements that are told in whole paragraphs: each that binds is one."""
    found = [
        (section, block)
        for section in sections
        if section.level and heading_kind(section.title) is HeadingKind.REQUIREMENTS
        for block in section.blocks
        if block.kind is BlockKind.PARAGRAPH and modality(block.text) in _BINDING
    ]
    return tuple(
        Draft(
            title=first_words(block.text),
            statement=block.text,
            domain=section.title,
            line_start=block.line_start,
            line_end=block.line_end,
        )
        for section, block in (found if len(found) > 1 else ())
    )


def _boxes(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """The boxes of a page of features that has nothing else: each is ticked when it is there."""
    chapters = [s for s in sections if s.level >= 2 and s.blocks]
    items = [(section, block) for section, block in outer_items(chapters)]
    if not all(block.kind is BlockKind.ITEM for s in chapters for block in s.blocks):
        return ()
    if not items or not all(BOX.match(block.text) for _, block in items):
        return ()
    return tuple(item_draft(source, section, block) for section, block in items)


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
