"""Ids in the cells of a table: `FR-001`, and in a column of ids also `FUN.1.2` and letters alone."""

import re

from bot.core.spec.outline import Block, Section

ID = r"[A-Z][A-Z0-9]{0,15}(?:-[A-Z][A-Z0-9]{0,15}){0,4}(?:-\d{1,5}|(?<=[A-Z])\d{1,5})(?:[.-]\d{1,4}){0,3}[a-zA-Z]?"
# What has changed in it may stand behind an id: `FR-001 **[new]**`.
_MARK = r"(?:\s?+[*_]{0,2}[\[(][^\W\d_][^\[\]()\d]{0,19}[\])])?+"
_CELL = re.compile(rf"[*_`~\[/]*+({ID})[*_`~\]/]*+(?:\([^)]*+\))?+{_MARK}[*_`~:：]*+$")
# In a column of ids: `FUN.1.2`, and `F-UI-DARK` among `F-UI-01`.
_DOTTED_CELL = re.compile(r"[*_`~\[]*+([A-Z]{2,8})[. ](\d{1,4}(?:\.\d{1,4}){0,3})[*_`~\]]*+$")
_LETTERS_CELL = re.compile(r"[*_`~\[]*+([A-Z][A-Z0-9]{0,15}(?:-[A-Z0-9]{1,16}){1,5})[*_`~\]]*+$")
_REFERENCE = re.compile(r"\b(?:ref|jira|ticket|issue|req)", re.IGNORECASE)
_WORDS = re.compile(r"[^\W\d_]{2}")
# `60 GB`
_MEASURE = re.compile(r"\W*+\d[\d.,]*+ ?[^\W\d_]{0,3}+\W*+$")
_ID_HEADER = re.compile(
    r"(?:^|[\s_-])(?:ids?|code|identifier|c[óo]digo|codice|kennung|kürzel)\W*$|编号|編号|番号|번호|코드|код|идентификатор",
    re.IGNORECASE,
)


def id_in_cell(block: Block, at: int, families: frozenset[str] = frozenset()) -> str:
    """The id that is all that a cell says, or nothing; `families` are those of `families_of`."""
    if at >= len(block.cells):
        return ""
    cell = block.cells[at].strip()
    found = _CELL.match(cell)
    is_column_of_ids = at < len(block.header) and bool(_ID_HEADER.search(block.header[at]))
    if found and at and _says_something(block):
        return ""
    if found:
        # `DC-01 | 4 GB | 60 GB` is of a thing that has a name.
        others = [other for n, other in enumerate(block.cells) if n != at and other.strip()]
        is_thing = bool(others) and all(_MEASURE.match(other) for other in others)
        return "" if is_thing and not is_column_of_ids else found[1]
    if not is_column_of_ids:
        return ""
    if dotted := _DOTTED_CELL.match(cell):
        return f"{dotted[1]}.{dotted[2]}"
    letters = _LETTERS_CELL.match(cell)
    is_of_family = letters is not None and letters[1].partition("-")[0] in families
    return letters[1] if letters is not None and is_of_family else ""


def _says_something(block: Block) -> bool:
    """Whether the first column of a row is words, and the second is not called one of ids."""
    header = block.header[1] if len(block.header) > 1 else ""
    is_column_of_ids = _ID_HEADER.search(header) or _REFERENCE.search(header)
    return bool(header) and not is_column_of_ids and bool(_WORDS.search(block.cells[0]))


def families_of(section: Section) -> frozenset[str]:
    """The first letters of the ids in a table of which most rows have one with digits."""
    rows = [block.cells[0] for block in section.blocks if block.cells]
    found = [at[1].partition("-")[0] for cell in rows if (at := _CELL.match(cell.strip()))]
    return frozenset(found) if 2 * len(found) > len(rows) else frozenset()
