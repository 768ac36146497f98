"""Flowcharts drawn on the server as SVG: rows from top to bottom, labels broken into lines.

A node is one row below the lowest node that points to it, near the middle of those. What cannot be
read as a flowchart is shown as text.
"""

import textwrap
from dataclasses import dataclass
from html import escape

from bot.localhub.web.flowchart import Edge, Flowchart, read_flowchart

_LETTERS_A_LINE = 24
_LINES_MAX = 3
_WIDTH_PER_LETTER = 6.7
_LINE_HEIGHT = 16
_PADDING = 12
_GAP = 22
_ROW_GAP = 46
_MARGIN = 10


@dataclass(frozen=True)
class _Box:
    """The position of a node; x is its middle, y its top."""

    x: float
    y: float
    width: float
    height: float
    lines: tuple[str, ...]


def draw(text: str) -> str | None:
    """An SVG of a Mermaid flowchart; None if it cannot be drawn."""
    chart = read_flowchart(text)
    if chart is None:
        return None
    boxes, width, height = _placed(chart)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" role="img">',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" class="tip"/></marker></defs>',
    ]
    parts.extend(_edge(boxes[edge.start], boxes[edge.end], edge) for edge in chart.edges)
    parts.extend(_node(box, chart.colours_of(name)) for name, box in boxes.items())
    return "".join(parts) + "</svg>"


def _rows(chart: Flowchart) -> list[list[str]]:
    level = dict.fromkeys(chart.labels, 0)
    # One round per node reaches every level of an acyclic graph, and ends in a cyclic one.
    for _ in chart.labels:
        moved = False
        for edge in chart.edges:
            wanted = min(level[edge.start] + 1, len(level) - 1)
            if edge.start != edge.end and level[edge.end] < wanted:
                level[edge.end] = wanted
                moved = True
        if not moved:
            break
    rows: list[list[str]] = [[] for _ in range(max(level.values()) + 1)]
    for name, row in level.items():
        rows[row].append(name)
    return _untangled([row for row in rows if row], chart)


def _untangled(rows: list[list[str]], chart: Flowchart) -> list[list[str]]:
    """Each row sorted by the middles of what points to it, so that fewer arrows cross."""
    place: dict[str, float] = {}
    for row in rows:
        above = {
            name: [place[e.start] for e in chart.edges if e.end == name and e.start in place]
            for name in row
        }
        middle = {
            name: sum(found) / len(found) if found else at / len(row)
            for at, (name, found) in enumerate(above.items())
        }
        row.sort(key=lambda name, middle=middle: middle[name])  # type: ignore[misc]
        place |= {name: (at + 0.5) / len(row) for at, name in enumerate(row)}
    return rows


def _placed(chart: Flowchart) -> tuple[dict[str, _Box], float, float]:
    """Every node's box, and the size of the whole."""
    lines = {name: _broken(label) for name, label in chart.labels.items()}
    widths = {
        name: max(72.0, max(map(len, said)) * _WIDTH_PER_LETTER + 2 * _PADDING)
        for name, said in lines.items()
    }
    rows = _rows(chart)
    row_widths = [sum(widths[name] for name in row) + _GAP * (len(row) - 1) for row in rows]
    total = max(row_widths) + 2 * _MARGIN
    boxes: dict[str, _Box] = {}
    top = float(_MARGIN)
    for row, row_width in zip(rows, row_widths, strict=True):
        height = max(len(lines[name]) for name in row) * _LINE_HEIGHT + 2 * _PADDING - 4
        left = (total - row_width) / 2
        for name in row:
            width = widths[name]
            boxes[name] = _Box(left + width / 2, top, width, height, lines[name])
            left += width + _GAP
        top += height + _ROW_GAP
    return boxes, total, top - _ROW_GAP + _MARGIN


def _broken(label: str) -> tuple[str, ...]:
    return tuple(
        textwrap.wrap(label, _LETTERS_A_LINE, max_lines=_LINES_MAX, placeholder=" …") or [label]
    )


def _edge(start: _Box, end: _Box, edge: Edge) -> str:
    x1, y1 = start.x, start.y + start.height
    x2, y2 = end.x, end.y
    bend = (y1 + y2) / 2
    kind = "edge dotted" if edge.is_dotted else "edge"
    line = (
        f'<path class="{kind}" marker-end="url(#tip)" '
        f'd="M{x1:.0f} {y1:.0f}C{x1:.0f} {bend:.0f} {x2:.0f} {bend:.0f} {x2:.0f} {y2 - 2:.0f}"/>'
    )
    if not edge.label:
        return line
    middle = f'x="{(x1 + x2) / 2:.0f}" y="{bend:.0f}"'
    return f'{line}<text class="note" {middle}>{escape(edge.label)}</text>'


def _node(box: _Box, colours: dict[str, str]) -> str:
    # The parser accepts hexadecimal colours only.
    shown = [f"{key}:{colours[key]}" for key in ("fill", "stroke") if key in colours]
    style = f' style="{";".join(shown)}"' if shown else ""
    ink = f' style="fill:{colours["color"]}"' if "color" in colours else ""
    rectangle = (
        f'<rect class="node" x="{box.x - box.width / 2:.0f}" y="{box.y:.0f}" '
        f'width="{box.width:.0f}" height="{box.height:.0f}" rx="7"{style}/>'
    )
    first = box.y + (box.height - len(box.lines) * _LINE_HEIGHT) / 2 + 12
    words = "".join(
        f'<tspan x="{box.x:.0f}" y="{first + at * _LINE_HEIGHT:.0f}">{escape(line)}</tspan>'
        for at, line in enumerate(box.lines)
    )
    return f"{rectangle}<text{ink}>{words}</text>"
