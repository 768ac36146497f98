"""Tables that are written in HTML, as rows of Markdown: `<tr><td>FR-1</td><td>Sign in</td></tr>`."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

_TAG = re.compile(r"<(/?)(table|tr|td|th)\b[^<>]{0,400}>", re.IGNORECASE)
_ANY_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,400}>")
_OPENS = "<table"


@dataclass(frozen=True, slots=True)
class HtmlRow:
    """A row with its cells as a line of Markdown, and the cells of the header above it."""

    text: str
    header: tuple[str, ...]
    line_start: int
    line_end: int


@dataclass(slots=True)
class _Table:
    rows: list[HtmlRow] = field(default_factory=list)
    header: tuple[str, ...] = ()
    cells: list[tuple[str, str]] = field(default_factory=list)
    tag: str = ""
    words: list[str] = field(default_factory=list)
    first: int = 0
    depth: int = 0


def opens_table(text: str) -> bool:
    return text.lstrip()[: len(_OPENS)].lower() == _OPENS


def html_rows(lines: Sequence[str], first: int, last: int) -> tuple[list[HtmlRow], int]:
    """The rows of the table that begins in line `first`, and its last line, which is at most `last`."""
    table = _Table()
    for line in range(first, last + 1):
        text, at = lines[line - 1], 0
        for tag in _TAG.finditer(text):
            table.words.append(text[at : tag.start()])
            _take_tag(table, bool(tag[1]), tag[2].lower(), line)
            at = tag.end()
        table.words.append(text[at:])
        if not table.depth:
            return table.rows, line
    return table.rows, last


def _take_tag(table: _Table, is_end: bool, name: str, line: int) -> None:
    # What stands in a table within a cell is text of the cell.
    is_inner = table.depth > 1 or (name == "table" and not is_end)
    if name == "table":
        table.depth += -1 if is_end else 1
    if is_inner:
        return
    if table.tag:
        words = html.unescape(_ANY_TAG.sub(" ", " ".join(table.words)))
        table.cells.append((table.tag, " ".join(words.split())))
    table.words = []
    table.tag = "" if is_end or name in ("tr", "table") else name
    if name not in ("tr", "table"):
        return
    if table.cells:
        _end_row(table, line)
    table.cells = []
    table.first = line


def _end_row(table: _Table, line: int) -> None:
    texts = tuple(text for _, text in table.cells)
    if not table.rows and not table.header and all(tag == "th" for tag, _ in table.cells):
        table.header = texts
    else:
        text = "| " + " | ".join(cell.replace("|", "\\|") for cell in texts) + " |"
        table.rows.append(HtmlRow(text, table.header, table.first, line))
