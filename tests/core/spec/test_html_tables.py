"""Tables in HTML are read like those of Markdown, however they are broken into lines."""

from bot.core.spec.html_tables import html_rows, opens_table
from bot.core.spec.read import read_document


def _rows(text: str) -> tuple[list[tuple[str, tuple[str, ...], int, int]], int]:
    lines = text.split("\n")
    rows, last = html_rows(lines, 1, len(lines))
    return [(row.text, row.header, row.line_start, row.line_end) for row in rows], last


def test_cells_over_several_lines_are_one_row() -> None:
    text = "<table>\n<tr><th>ID</th>\n<th>Text</th></tr>\n<tr>\n<td>A-1</td>\n<td>Sign\nin</td>\n</tr>\n</table>\nMore"
    assert _rows(text) == ([("| A-1 | Sign in |", ("ID", "Text"), 4, 8)], 9)


def test_marks_and_entities_in_a_cell_are_its_text() -> None:
    text = "<TABLE border=1><tr><td><b>A</b> &amp; B<br/>C</td><td>x | y</td></tr></TABLE>"
    assert _rows(text) == ([("| A & B C | x \\| y |", (), 1, 1)], 1)


def test_a_table_in_a_cell_is_text_of_the_cell() -> None:
    text = "<table><tr><td>A<table><tr><td>inner</td></tr></table></td><td>B</td></tr></table>"
    assert _rows(text) == ([("| A inner | B |", (), 1, 1)], 1)


def test_ends_of_cells_and_rows_may_be_left_out() -> None:
    text = "<table>\n<tr><td>A<td>B\n<tr><td>C<td>D\n</table>"
    assert [row[0] for row in _rows(text)[0]] == ["| A | B |", "| C | D |"]


def test_a_table_without_an_end_ends_with_its_section() -> None:
    assert _rows("<table>\n<tr><td>A</td><td>B</td></tr>\nmore\nand more")[1] == 4
    text = "# Requirements\n\n<table>\n<tr><td>lost\n\n## Functional requirements\n\n- Print a page\n- Send a page\n"
    assert [r.line_start for r in read_document("docs/x.md", text.encode()).requirements] == [8, 9]


def test_a_second_row_of_heads_is_a_row() -> None:
    text = "<table><tr><th>1</th><th>Open</th></tr><tr><th>2</th><th>Close</th></tr></table>"
    assert [row[:2] for row in _rows(text)[0]] == [("| 2 | Close |", ("1", "Open"))]


def test_only_a_table_at_the_beginning_of_a_line_opens_one() -> None:
    assert opens_table("  <Table>")
    assert not opens_table("a <table>")
