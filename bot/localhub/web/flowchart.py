"""A parser for the small part of Mermaid that Headgate writes: nodes, arrows, labels, colours.

`graph TD|LR|…` with nodes, arrows, labels on arrows, `classDef` and `:::class`. A text with
anything else is not read at all, so that no drawing shows less than the text.
"""

import re
from dataclasses import dataclass, field

_HEAD = re.compile(r"^\s*+(?:graph|flowchart)\s++(TD|TB|BT|LR|RL)\s*+;?\s*+$")
# Each part is bounded, as several of them may begin and end at many places.
_NODE = (
    r"(?P<{0}>[\w.-]{{1,80}}?)"
    r"(?P<{0}_box>\[\(?.{{0,400}}?\)?\]|\({{1,3}}.{{0,400}}?\){{1,3}}|\{{{{1,2}}.{{0,400}}?\}}{{1,2}})?"
    r"(?::::?(?P<{0}_class>\w{{1,80}}))?"
)
_ARROW = r"\s{0,20}(?P<arrow>-->|---|-\.->|==>)(?:\|(?P<text>[^|]{0,400})\|)?\s{0,20}"
_EDGE = re.compile("^" + _NODE.format("a") + _ARROW + _NODE.format("b") + r";?$")
_ALONE = re.compile("^" + _NODE.format("a") + ";?$")
_COLOURS = re.compile(r"^classDef\s+(?P<name>\w+)\s++(?P<styles>.+?);?$")
_COLOUR = re.compile(r"(?P<key>fill|stroke|color):(?P<value>#[0-9a-fA-F]{3,8})\b")
_IGNORED = re.compile(r"^(?:class|style|click|linkStyle|subgraph|end|direction)\b|^%%")
_ENTITY = re.compile(r"#(\d{1,7});")

_NODES_MAX = 300


@dataclass(frozen=True)
class Edge:
    """An arrow; a dotted one is weaker."""

    start: str
    end: str
    label: str
    is_dotted: bool


@dataclass
class Flowchart:
    labels: dict[str, str] = field(default_factory=dict)
    classes: dict[str, str] = field(default_factory=dict)
    colours: dict[str, dict[str, str]] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)

    def note(self, name: str, box: str | None, class_name: str | None) -> None:
        label = _plain((box or "").strip("[](){}").strip().strip('"'))
        if name not in self.labels or label:
            self.labels[name] = label or name
        if class_name:
            self.classes[name] = class_name

    def colours_of(self, name: str) -> dict[str, str]:
        return self.colours.get(self.classes.get(name, ""), {})


def _plain(label: str) -> str:
    """A label without line breaks, with Mermaid's entities (`#35;`) replaced."""
    flat = label.replace("<br/>", " ").replace("<br>", " ")
    return _ENTITY.sub(lambda found: _character(int(found[1])), flat)


def _character(number: int) -> str:
    is_text = 32 <= number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF
    return chr(number) if is_text else "?"


def read_flowchart(text: str) -> Flowchart | None:
    """The flowchart of a text; None if the text is no flowchart, is too large, or uses anything unknown."""
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    if not lines or not _HEAD.match(lines[0]):
        return None
    chart = Flowchart()
    for line in lines[1:]:
        if not _take(chart, line):
            return None
    return chart if chart.labels and len(chart.labels) <= _NODES_MAX else None


def _take(chart: Flowchart, line: str) -> bool:
    colours = _COLOURS.match(line)
    if colours is not None:
        found = _COLOUR.finditer(colours["styles"])
        chart.colours[colours["name"]] = {one["key"]: one["value"] for one in found}
        return True
    if _IGNORED.match(line):
        return True
    edge = _EDGE.match(line)
    if edge is not None:
        chart.note(edge["a"], edge["a_box"], edge["a_class"])
        chart.note(edge["b"], edge["b_box"], edge["b_class"])
        is_dotted = edge["arrow"] == "-.->"
        chart.edges.append(Edge(edge["a"], edge["b"], _plain(edge["text"] or ""), is_dotted))
        return True
    alone = _ALONE.match(line)
    if alone is None:
        return False
    chart.note(alone["a"], alone["a_box"], alone["a_class"])
    return True
