"""Rows without ids in the tables of pages without a format."""

import re
from collections.abc import Iterable, Sequence

from bot.core.spec.columns import ACCEPTANCE, PRIORITY, STATUS, is_left_out, is_sign, row_priority
from bot.core.spec.done_marks import is_done_word
from bot.core.spec.drafts import Draft, first_words
from bot.core.spec.formats.prose_items import is_of_functions, is_within_chapter
from bot.core.spec.formats.prose_words import FIELDS_LABEL, FUNCTIONS, NOT_A_FEATURE, REQUIRED
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


# `| Use case ID | UC-01 |`: a table that is one requirement, with a row for each thing that is said of it.
_ID_LABEL = re.compile(
    r"^\W*(?:(?:use case|requirement|req|function|feature|story|用例|需求|功能|要件|機能|요구사항|기능|anforderungs?|caso de uso|requisito|cas d['’]utilisation)[\s-]*)?"
    r"(?:ids?|nos?|nr|number|numéro|número|nummer|identifier|identificador|c[óo]d(?:igo)?|code|编号|編号|番号|번호|номер|идентификатор|№)\W*$",
    re.IGNORECASE,
)
_NAME_LABEL = re.compile(
    r"^\W*(?:(?:use case|requirement|function|feature|用例|需求|功能|機能|要件|기능|요구사항)\s*)?"
    r"(?:name|title|名称|名前|名|이름|명|nombre|nom|nome|titel|bezeichnung|título|titre|название|наименование|nazwa)\W*$",
    re.IGNORECASE,
)
_SAID_LABEL = re.compile(
    r"descri|summary|goal|beschreibung|描述|说明|説明|概要|설명|описание|opis|系统响应|功能",
    re.IGNORECASE,
)
_TYPE = re.compile(
    r"^\W*(?:data ?)?(?:type|typ|datentyp|tipo(?: de (?:dato|dado))?|тип(?: данных)?|(?:数据)?类型|(?:データ)?型|자료형|타입)\W*$",
    re.IGNORECASE,
)
_TABLES_MIN = 3
_ID_OF_TABLE = re.compile(
    r"[*`]{0,2}([A-Z][A-Z0-9]{0,15}(?:-[A-Z0-9]{1,16}){0,4}?-?\d{1,5}(?:[.-]\d{1,4}){0,3}|\d{1,6}(?:\.\d{1,4}){0,3})[*`]{0,2}$"
)


def tables_of_one(sections: Sequence[Section]) -> tuple[Draft, ...]:
    """Tables of labels and texts that each begin with an id: one requirement each, where there are several."""
    found: list[Draft] = []
    for section in sections:
        if any(NOT_A_FEATURE.search(title) for title in section.titles[1:]):
            continue
        table: list[Block] = []
        for block in (*section.blocks, None):
            goes_on = (
                block is not None and bool(table) and block.line_start == table[-1].line_end + 1
            )
            if table and not goes_on:
                found += _one(section, table)
                table = []
            if block is not None and block.kind is BlockKind.ROW and len(block.cells) in (2, 4):
                table.append(block)
    return tuple(found) if len(found) >= _TABLES_MIN else ()


def _one(section: Section, table: Sequence[Block]) -> list[Draft]:
    header = table[0].header
    # Four columns with names of their own are data: `Field | Type | Rule | Note`.
    if len(header) > 2 and any(header) and not _ID_LABEL.match(header[0]):
        return []
    lines = [block.cells for block in table]
    first = table[0].line_start
    if len(header) == 2 and _ID_OF_TABLE.match(header[0]) and len(lines) > 2:
        # `UC-01 | Sign in` above what is said of it.
        lines = [("ID", header[0]), ("Name", header[1]), *lines]
        header, first = (), max(first - 2, section.line)
    # `ID | Change` names columns, `ID | UC-01` is the first line.
    if header and _ID_LABEL.match(header[0]):
        if not any(sign.isdigit() for sign in header[1]):
            return []
        lines, first = [header, *lines], max(first - 2, section.line)
    # Two pairs may stand in one row.
    rows = [row[at : at + 2] for row in lines for at in range(0, len(row) - 1, 2) if row[at]]
    if len(rows) < 3 or not _ID_LABEL.match(rows[0][0]):
        return []
    said = next((row[1] for row in rows[1:] if _SAID_LABEL.search(row[0]) and row[1]), "")
    name = next((row[1] for row in rows[1:] if _NAME_LABEL.match(row[0]) and row[1]), "")
    named = _ID_OF_TABLE.match(rows[0][1])
    return [
        Draft(
            title=name or first_words(said or rows[1][1]) or rows[0][1],
            statement="\n".join(f"{label}: {text}" for label, text in rows[1:] if text),
            source_id=named[1] if named else None,
            domain=section.title,
            line_start=first,
            line_end=table[-1].line_end,
        )
    ]


def describes_data(header: Sequence[str]) -> bool:
    """`Field | Type | Feature`: each row is a part of a thing."""
    if not header:
        return False
    return FIELDS_LABEL.match(header[0]) is not None or (
        any(_TYPE.match(cell) for cell in header) and not REQUIRED.search(header[0])
    )


def _row(section: Section, block: Block) -> Draft | None:
    header, cells = block.header, block.cells
    named = (n for said in (REQUIRED, FUNCTIONS) for n, c in enumerate(header) if said.search(c))
    column = next(named, None)
    if column is None or describes_data(header) or len(cells) <= column or is_template(block.text):
        return None
    full = len(header) == len(cells)
    rest = [(n, cell) for n, cell in enumerate(cells) if n >= column and cell] if full else []
    # How urgent it is may stand before its name.
    whole = [(n, cell) for n, cell in enumerate(cells) if cell] if full else []
    if not cells[column] or is_left_out(whole, header):
        return None
    priority, _ = row_priority(whole, header)
    accepted = [c for n, c in rest if n != column and ACCEPTANCE.search(header[n])]
    facts = (PRIORITY, STATUS, ACCEPTANCE)
    said = [
        c
        for n, c in rest
        if n == column or not (is_sign(c) or any(f.search(header[n]) for f in facts))
    ]
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


def rows_are_done(sections: Iterable[Section]) -> bool:
    """Whether tables below a heading have a column of statuses, and each row says that it is done."""
    rows = [b for s in sections for b in s.blocks if b.kind is BlockKind.ROW]
    return bool(rows) and all(
        any(STATUS.search(h) and is_done_word(c) for h, c in zip(b.header, b.cells, strict=False))
        for b in rows
    )
