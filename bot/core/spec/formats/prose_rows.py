"""Rows without ids in the tables of pages without a format."""

from collections.abc import Sequence

from bot.core.spec.columns import ACCEPTANCE, PRIORITY, STATUS, WONT, row_priority
from bot.core.spec.done_marks import is_done_word
from bot.core.spec.drafts import Draft, first_words
from bot.core.spec.formats.prose_items import is_of_functions, is_within_chapter
from bot.core.spec.formats.prose_words import FUNCTIONS, NOT_A_FEATURE, REQUIRED
from bot.core.spec.outline import Block, BlockKind, Section
from bot.core.spec.scenario_steps import criterion
from bot.core.spec.template_text import is_template


def of_functions(sections: Sequence[Section]) -> Sequence[Section]:
    """Where a chapter of functions stands beside chapters of techniques, only that one's sections."""
    return [s for s in sections if is_of_functions(s)] or sections


def table_rows(sections: Sequence[Section]) -> tuple[Draft, ...]:
    """Rows of tables with a column that says requirement or function below a heading that does."""
    return rows_of_functions([s for s in of_functions(sections) if is_within_chapter(s)])


def rows_of_functions(sections: Sequence[Section]) -> tuple[Draft, ...]:
    """Rows of such tables below any heading."""
    return tuple(
        draft
        for section in sections
        if not NOT_A_FEATURE.search(section.title)
        for block in section.blocks
        if block.kind is BlockKind.ROW and (draft := _row(section, block))
    )


def _row(section: Section, block: Block) -> Draft | None:
    header, cells = block.header, block.cells
    named = (n for said in (REQUIRED, FUNCTIONS) for n, c in enumerate(header) if said.search(c))
    column = next(named, None)
    if column is None or len(cells) <= column or is_template(block.text):
        return None
    full = len(header) == len(cells)
    rest = [(n, cell) for n, cell in enumerate(cells) if n >= column and cell] if full else []
    if not cells[column] or any(WONT.match(cell) for _, cell in rest):
        return None
    priority, _ = row_priority(rest, header)
    accepted = [c for n, c in rest if n != column and ACCEPTANCE.search(header[n])]
    facts = (PRIORITY, STATUS, ACCEPTANCE)
    said = [c for n, c in rest if n == column or not any(f.search(header[n]) for f in facts)]
    return Draft(
        title=first_words(cells[column]),
        statement="\n".join(said or [cell for cell in cells[column:] if cell]),
        scenarios=tuple(criterion("", c, block.line_start, block.line_end) for c in accepted[:1]),
        domain=section.title,
        priority=priority,
        line_start=block.line_start,
        line_end=block.line_end,
        is_done=any(STATUS.search(header[n]) and is_done_word(c) for n, c in rest),
    )
