"""The small part of Mermaid that Headgate writes, drawn on the server as SVG.

`graph TD|LR|…` with nodes, arrows and labels on arrows; a node stands one row below the lowest node
that points to it. Anything else is left to be shown as text. Deliberately absent: styling.
"""

import re
from dataclasses import dataclass, field
from html import escape

_HEAD = re.compile(r"^\s*(?:graph|flowchart)\s+(TD|TB|BT|LR|RL)\s*;?\s*$")
_NODE = r"(?P<{0}>[\w.-]+?)(?P<{0}_box>\[\(?.*?\)?\]|\(+.*?\)+|\{{+.*?\}}+)?(?::::?\w+)?"
_ARROW = r"\s*(?:-->|---|-\.->|==>)(?:\|(?P<text>[^|]*)\|)?\s*"
_EDGE = re.compile("^" + _NODE.format("a") + _ARROW + _NODE.format("b") + r";?$")
_ALONE = re.compile("^" + _NODE.format("a") + ";?$")
_IGNORED = re.compile(r"^(?:%%|classDef|class|style|click|linkStyle|subgraph|end|direction)\b|^%%")

_WIDTH_PER_LETTER = 7.2
_ROW = 84
_HEIGHT = 38
_GAP = 28
_NODES_MAX = 300


@dataclass
class _Graph:
    labels: dict[str, str] = field(default_factory=dict)
    edges: list[tuple[str, str, str]] = field(default_factory=list)

    def note(self, name: str, box: str | None) -> None:
        label = (box or "").strip("[](){}").strip().strip('"')
        if name not in self.labels or label:
            self.labels[name] = label.replace("<br/>", " ").replace("<br>", " ") or name


def _parse(text: str) -> _Graph | None:
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    if not lines or not _HEAD.match(lines[0]):
        return None
    graph = _Graph()
    for line in lines[1:]:
        if _IGNORED.match(line):
            continue
        edge = _EDGE.match(line)
        alone = None if edge else _ALONE.match(line)
        if edge is not None:
            graph.note(edge["a"], edge["a_box"])
            graph.note(edge["b"], edge["b_box"])
            graph.edges.append((edge["a"], edge["b"], edge["text"] or ""))
        elif alone is not None:
            graph.note(alone["a"], alone["a_box"])
        else:
            return None
    return graph if graph.labels and len(graph.labels) <= _NODES_MAX else None


def _rows(graph: _Graph) -> list[list[str]]:
    level = dict.fromkeys(graph.labels, 0)
    # As many rounds as nodes reach every level of an acyclic graph, and end in a cyclic one.
    for _ in graph.labels:
        moved = False
        for start, end, _text in graph.edges:
            wanted = min(level[start] + 1, len(level) - 1)
            if start != end and level[end] < wanted:
                level[end] = wanted
                moved = True
        if not moved:
            break
    rows: list[list[str]] = [[] for _ in range(max(level.values()) + 1)]
    for name, row in level.items():
        rows[row].append(name)
    return [row for row in rows if row]


def draw(text: str) -> str | None:
    """An SVG of a Mermaid flowchart, or None where it is not one that can be drawn."""
    graph = _parse(text)
    if graph is None:
        return None
    widths = {
        name: max(64.0, len(label) * _WIDTH_PER_LETTER + 24) for name, label in graph.labels.items()
    }
    rows = _rows(graph)
    row_widths = [sum(widths[name] for name in row) + _GAP * (len(row) - 1) for row in rows]
    total = max(row_widths) + 2 * _GAP
    places: dict[str, tuple[float, float]] = {}
    for at, row in enumerate(rows):
        left = (total - row_widths[at]) / 2
        for name in row:
            places[name] = (left + widths[name] / 2, at * _ROW + _GAP)
            left += widths[name] + _GAP
    height = len(rows) * _ROW + 8
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total:.0f} {height}" '
        f'width="{total:.0f}" height="{height}" role="img">',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
        'markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" class="tip"/></marker></defs>',
    ]
    parts.extend(_edge(places[start], places[end], label) for start, end, label in graph.edges)
    parts.extend(_node(places[name], widths[name], graph.labels[name]) for name in graph.labels)
    return "".join(parts) + "</svg>"


def _edge(start: tuple[float, float], end: tuple[float, float], label: str) -> str:
    x1, y1 = start[0], start[1] + _HEIGHT
    x2, y2 = end
    bend = (y1 + y2) / 2
    line = (
        f'<path class="edge" marker-end="url(#tip)" '
        f'd="M{x1:.0f} {y1:.0f}C{x1:.0f} {bend:.0f} {x2:.0f} {bend:.0f} {x2:.0f} {y2 - 2:.0f}"/>'
    )
    if not label:
        return line
    middle = f'x="{(x1 + x2) / 2:.0f}" y="{bend:.0f}"'
    return f'{line}<text class="note" {middle}>{escape(label)}</text>'


def _node(place: tuple[float, float], width: float, label: str) -> str:
    x, y = place
    box = (
        f'<rect class="node" x="{x - width / 2:.0f}" y="{y:.0f}" width="{width:.0f}" '
        f'height="{_HEIGHT}" rx="6"/>'
    )
    return f'{box}<text x="{x:.0f}" y="{y + _HEIGHT / 2 + 5:.0f}">{escape(label)}</text>'
