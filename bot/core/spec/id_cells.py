"""Ids in the cells of a table: `FR-001`, and in a column of ids also `FUN.1.2` and letters alone."""

import re

from bot.core.spec.columns import PRIORITY, STATUS
from bot.core.spec.outline import Block, Section

ID = r"[A-Z][A-Z0-9]{0,15}(?:-[A-Z][A-Z0-9]{0,15}){0,4}(?:-\d{1,5}|(?<=[A-Z])\d{1,5})(?:[.-]\d{1,4}){0,3}[a-zA-Z]?"
# What has changed in it may stand behind an id: `FR-001 **[new]**`.
_MARK = r"(?:\s?+[*_]{0,2}[\[(][^\W\d_][^\[\]()\d]{0,19}[\])])?+"
_CELL = re.compile(rf"[*_`~\[/]*+({ID})[*_`~\]/]*+(?:\([^)]*+\))?+{_MARK}[*_`~:：]*+$")
# In a column of ids: `FUN.1.2`, and `F-UI-DARK` among `F-UI-01`.
_DOTTED_CELL = re.compile(r"[*_`~\[]*+([A-Z]{2,8})[. ](\d{1,4}(?:\.\d{1,4}){0,3})[*_`~\]]*+$")
_LETTERS_CELL = re.compile(r"[*_`~\[]*+([A-Z][A-Z0-9]{0,15}(?:-[A-Z0-9]{1,16}){1,5})[*_`~\]]*+$")
# `P0`, `S2`, `V1`: how urgent a row is, how far, and when it comes, is said of many rows.
_WHEN = re.compile(
    r"\bprio\b|öncelik|severity|urgen|重要|级别|等級|等级|중요도|^\W*(?:target )?(?:phase|sprint|release|version|milestone|iteration|stage|wave|tier|level)s?\W*$|"
    r"^\W*(?:fase|etapa|étape|jalon|livraison|meilenstein|stufe|wersja|wydanie|этап|фаза|спринт|релиз|версия|aşama|sürüm)\W*$|"
    r"阶段|階段|版本|迭代|里程碑|フェーズ|スプリント|バージョン|リリース|マイルストーン|단계|스프린트|버전|릴리스",
    re.IGNORECASE,
)
# `E2E encryption` begins with a word.
_WORDS_WITH_DIGITS = frozenset(
    [
        "E2E",
        "B2B",
        "B2C",
        "B2G",
        "C2C",
        "P2P",
        "M2M",
        "V2X",
        "A11Y",
        "I18N",
        "L10N",
        "G11N",
        "K8S",
        "W3C",
        "H2O",
        "CO2",
    ]
)
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
    if found and (is_word(found[1]) or (at and _says_something(block))):
        return ""
    if found and not is_column_of_ids and _says_when(block, at):
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


def is_word(identifier: str) -> bool:
    """Whether it is the short form of a word, and no id."""
    return identifier in _WORDS_WITH_DIGITS


def _says_when(block: Block, at: int) -> bool:
    name = block.header[at] if at < len(block.header) else ""
    return any(said.search(name) for said in (PRIORITY, STATUS, _WHEN))


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
