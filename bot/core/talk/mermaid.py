"""A plan as a Mermaid graph, which GitHub draws in an issue.

Titles come from specs and are escaped. A plan that is too large to read or to draw has no graph;
the table below it shows the same.
"""

import re
from collections.abc import Mapping

from bot.core.plan.shown_waits import shown_waits
from bot.core.state.waiting import Shown
from bot.core.values.ids import Slug
from bot.core.values.plan_model import DependencyKind, Plan, PlannedChange

# More boxes cannot be read on an issue page.
_NODES_MAX = 60
# Mermaid refuses to draw more edges (`maxEdges`, 500 by default), and a site sets it, not a page.
_EDGES_MAX = 500
_LABEL_MAX = 60

_NOT_BEGUN = "fill:#ffffff,stroke:#8c959f,color:#1f2328"
_ENDED = "fill:#eaeef2,stroke:#6e7781,color:#57606a"
_STYLES = {
    Shown.LANDED.value: "fill:#dafbe1,stroke:#1a7f37,color:#1f2328",
    Shown.FAILED.value: "fill:#ffebe9,stroke:#cf222e,color:#1f2328",
    Shown.STOPPED.value: _ENDED,
    Shown.REPLACED.value: _ENDED,
    Shown.WAITING.value: _NOT_BEGUN,
    Shown.HELD_BACK.value: _NOT_BEGUN,
    "planned": _NOT_BEGUN,
}
# For every other state: the change is under way.
_STYLE = "fill:#ddf4ff,stroke:#0969da,color:#1f2328"
_UNKNOWN = "planned"


def graph(plan: Plan, states: Mapping[Slug, str]) -> str | None:
    """The graph; None if it has no node, or is too large to draw.

    An arrow leads from a change to those that depend on it; a dotted one is a shared resource. A
    change without a state is shown as planned.
    """
    if not 0 < len(plan.changes) <= _NODES_MAX:
        return None
    # A slug may be a keyword of Mermaid (`end`), so nodes are numbered.
    node = {change.slug: f"c{at}" for at, change in enumerate(plan.changes)}
    waits = shown_waits(plan)
    arrows = [
        f"  {node[dependency.on]} {_arrow(dependency.kind)} {node[change.slug]}"
        for change in plan.changes
        for dependency in waits[change.slug]
        if dependency.on in node
    ]
    if len(arrows) > _EDGES_MAX:
        return None
    shown = {c.slug: states.get(c.slug, _UNKNOWN) for c in plan.changes}
    boxes = [f'  {node[c.slug]}["{_label(c)}"]:::{_class_of(shown[c.slug])}' for c in plan.changes]
    styles = {_class_of(state): _STYLES.get(state, _STYLE) for state in sorted(shown.values())}
    classes = [f"  classDef {name} {style}" for name, style in styles.items()]
    return "\n".join(["graph TD", *boxes, *arrows, *classes]) + "\n"


def _arrow(kind: str) -> str:
    return "-.->" if kind == DependencyKind.SHARES else "-->"


def _class_of(state: str) -> str:
    """A class name with a prefix, because words like `default` have a meaning in Mermaid."""
    return "state_" + (re.sub(r"[^a-z0-9]+", "_", state.casefold()).strip("_") or "none")


def _label(change: PlannedChange) -> str:
    text = " ".join(change.title.split()) or change.slug
    if len(text) > _LABEL_MAX:
        text = text[: _LABEL_MAX - 1].rstrip() + "…"
    return "".join(_escaped(character) for character in text)


def _escaped(character: str) -> str:
    """Mermaid's entity (`#35;`) for every character that may have a meaning in Mermaid."""
    if character.isalnum() or character in " .,:-_/+…→":
        return character
    return f"#{ord(character)};"
