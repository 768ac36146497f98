"""Stories in blocks of fields in bold: `**Story ID**: BH-1`, its title, its wish, its criteria."""

import re
from collections.abc import Iterator, Sequence

from bot.core.spec.drafts import Draft, first_words
from bot.core.spec.formats.criteria import criteria_below_label, is_criteria_label
from bot.core.spec.formats.openspec import last_line
from bot.core.spec.outline import Block, BlockKind, Section
from bot.core.spec.priorities import normal_priority
from bot.core.spec.reading import Source
from bot.core.spec.scenario_steps import grouped
from bot.core.values.spec_model import Scenario

_ID_FIELD = re.compile(
    r"^\**(?:(?:user )?story[ -]?(?:id|no\.?|nr\.?|number)|id (?:de (?:la )?historia|da história|de l['’]histoire|della storia)|"
    r"(?:用户)?故事(?:ID|编号)|ストーリーID|(?:사용자 )?스토리 ?ID)\s?(?:\*\*\s?[:：]|[:：]\s?\*\*)\s?`?(?P<said>[^\s`]{1,40})`?\W{0,4}$",
    re.IGNORECASE,
)
_TITLE_FIELD = re.compile(
    r"^\**(?:(?:story )?(?:title|name)|título|titolo|titre|titel|nombre|nome|标题|タイトル|제목)\s?(?:\*\*\s?[:：]|[:：]\s?\*\*)\s?(?P<said>\S.*)$",
    re.IGNORECASE,
)
_PRIORITY_FIELD = re.compile(
    r"^\**(?:priority|priorit[éàä]t?|prioridade?|优先级|優先度|우선순위)\s?(?:\*\*\s?[:：]|[:：]\s?\*\*)\s?(?P<said>\S.*)$",
    re.IGNORECASE,
)


def stories_of_fields(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """Each block of fields is a story, up to the field that gives the next one its id."""
    drafts: list[Draft] = []
    for section in sections:
        lines = list(_lines(section.blocks))
        starts = [(at, found["said"]) for at, text in lines if (found := _ID_FIELD.match(text))]
        ends = [*(at - 1 for at, _ in starts[1:]), section.body_end]
        position = 0
        for (start, identifier), until in zip(starts, ends, strict=False):
            end = last_line(source, start, until)
            own: list[str] = []
            while position < len(lines) and lines[position][0] <= end:
                own += [lines[position][1]] if lines[position][0] > start else []
                position += 1
            scenarios = _scenarios(section, start, end)
            stop = scenarios[0].line_start - 1 if scenarios else end
            title = _field(_TITLE_FIELD, own)
            statement = source.shown_text(start + 1, stop).strip()
            drafts.append(
                Draft(
                    title=title or (section.title if len(starts) == 1 else first_words(statement)),
                    statement=statement or title,
                    source_id=identifier,
                    scenarios=scenarios,
                    domain=section.title if len(starts) > 1 and section.level > 1 else "",
                    priority=normal_priority(_field(_PRIORITY_FIELD, own)),
                    line_start=start,
                    line_end=end,
                )
            )
    return tuple(drafts) if len({draft.source_id for draft in drafts}) == len(drafts) > 1 else ()


def _lines(blocks: Sequence[Block]) -> Iterator[tuple[int, str]]:
    for block in blocks:
        if block.kind is not BlockKind.ROW:
            for n, text in enumerate(block.text.split("\n")):
                yield block.line_start + n, text.strip()


def _field(pattern: re.Pattern[str], lines: Sequence[str]) -> str:
    return next((found["said"].strip(" *") for text in lines if (found := pattern.match(text))), "")


def _scenarios(section: Section, start: int, end: int) -> tuple[Scenario, ...]:
    blocks = section.between(start - 1, end)
    label = next((b for b in blocks if is_criteria_label(b.text.strip().split("\n")[-1])), None)
    if label is None:
        return grouped(blocks)
    return criteria_below_label(section, label, end)
