"""Random small OpenSpec projects: one or two main specs, and a change to them.

The grammar is narrow on purpose: names differ in case, blanks and closing hashes, bodies have code,
comments and other headings, and operations mostly match. About half of the projects can be archived,
and each refusal has many causes.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from hypothesis import strategies as st

CHANGE = "tidy-up"
_NAMES = (
    "Alpha",
    "alpha",
    "Alpha Beta",
    "Alpha  Beta",
    "C#",
    "Use `x`",
    "Ünlü İş",
    "#",
    "Last one",
)
_APART = ("Alpha", "Alpha Beta", "C#", "Use `x`", "Ünlü İş", "Last one")
_HEADERS = ("### Requirement: {}", "### Requirement: {}", "### Requirement: {}", "###Requirement: {}",
    "### requirement:  {} ", "### Requirement: {} ###")  # fmt: skip
_STATEMENTS = ("The system SHALL do it.", "The system SHALL do it.", "It MUST hold.\n\nAnd a second paragraph.",
    "", "**ID**: A-1", "**ID**: A-1\nIt SHALL be so.", "```md\n### Requirement: Shown\n```\nIt SHALL show.",
    "```\nonly code\n```", "| a | b |\n|---|---|\n| SHALL | x |", "<!-- It SHALL hide. -->", "- it SHALL list\n- twice",
    "It does.\n\n\n\nWith blanks.", "   ", "It SHALL.\n~~~\nnever closed")  # fmt: skip
_SCENARIOS = ("#### Scenario: One", "#### Scenario: One", "#### Scenario: Two", "#### Edge case",
    "#### scenario:  One ##", "##### Scenario: Deep", "####Scenario: Tight", "#### ", "####  ", "### Scenario: High")  # fmt: skip
_STEPS = ("- **WHEN** a\n- **THEN** b", "- **WHEN** a\n- **THEN** b", "", "text alone", "```\n#### Scenario: Two\n```",
    "- **WHEN** a\n  goes on\n- **THEN** b\n\nAnd prose.", "1. WHEN a\n2. THEN b")  # fmt: skip
_TAILS = ("", "", "", "", "### Notes\nKeep me.", "---", "<!-- a remark -->", "## Notes\nBeside.", "# Other title",
    "## ", "##  ", "## Requirements", "### Requirement:", "### Requirement: ", "Setext\n------")  # fmt: skip
_PURPOSES = ("## Purpose\nWhat a shop must do for the people who buy from it, told at some length.",
    "## Purpose\nWhat a shop must do for the people who buy from it, told at some length.",
    "## purpose\nShort.", "## Purpose\n", "", "## Purpose ##\nClosed.", "# Purpose\nAbove.", "## Purpose\n### Inner\nText.",
    "## Purpose\n```\ncode alone\n```", "## Purpose\n<!-- a remark -->\nText.", "## Purpose\n<!-- only a remark -->",
    "<!--\n## Purpose\nHidden.\n-->\n## Purpose\nSeen, and long enough to be more than fifty letters, surely.",
    "## Purpose\nText.\n### Requirement: Early\nIt SHALL.")  # fmt: skip
_LISTS = ("## Requirements", "## Requirements", "## Requirements", "## Requirements", "## requirements  ",
    "## Requirements ##", "### Requirements", "")  # fmt: skip
_TITLES = ("# shop Specification", "# shop", "", "---\nowner: me\n---\n# shop")
_YAMLS = ("schema: spec-driven\nretire_capabilities: true\n", "schema: spec-driven\n", "retire_capabilities: true\n",
    "schema: spec-driven\nskip_specs: true\n", "skip_specs: true\n", "schema: nobody-knows\nretire_capabilities: true\n",
    "schema: 'spec-driven'\nretire_capabilities: true # yes\ncreated: 2026-01-02\n", "schema: [\nskip_specs: true\n",
    "schema: spec-driven\nretire_capabilities: yes\n", "schema: spec-driven\nskip_specs: \"true\"\n", "- a\n", "")  # fmt: skip
_SECTIONS = (
    "## {} Requirements",
    "## {} requirements",
    "## {}  Requirements",
    "##  {} Requirements ",
    "# {} Requirements",
)
_NEW = ("New", "Newer", "Newest", "Gamma")
_REMOVALS = ("### Requirement: {}\n**Reason**: old.", "- `### Requirement: {}`", "* ### Requirement: {}",
    "+ `### requirement: {}`", "###Requirement: {} ##", "- `### Requirement: {}`")  # fmt: skip
_RENAMES = ("- FROM: `### Requirement: {}`\n- TO: `### Requirement: {}`", "FROM: ### Requirement: {}\nTO: ### Requirement: {}",
    "* FROM: `###Requirement: {}`\n\n  + TO: `### requirement: {} ##`", "- FROM: `### Requirement: {}`\n- From: `### Requirement: {}`",
    "- TO: `### Requirement: {}`\n- FROM: `### Requirement: {}`")  # fmt: skip
_EXTRAS: tuple[Mapping[str, str], ...] = (
    {"specs/spec.md": "# notes\n"}, {"specs/notes.md": "## Added Requirements\n"},
    {"specs/notes.md": "### Requirement: Alpha\n"}, {"specs/shop/DELTA.MD": "## REMOVED Requirements\n"},
    {"specs/.draft/spec.md": "# nothing\n"}, {"specs/shop/notes.txt": "text"}, {"specs/empty/spec.md": "# nothing\n"},
    {"tasks.md": "## 1. A\n- [ ] 1.1 Open\n- [x] 1.2 Done\n"}, {"proposal.md": "## Why\nBecause.\n"},
)  # fmt: skip


@dataclass(frozen=True)
class World:
    """The files of one project, and the change that is to be archived."""

    files: Mapping[str, bytes]
    name: str = CHANGE


def _maybe(draw: st.DrawFn, usual: str, others: tuple[str, ...], one_in: int = 4) -> str:
    return draw(st.sampled_from(others)) if draw(st.integers(1, one_in)) == one_in else usual


@st.composite
def _scenario(draw: st.DrawFn, name: str, rare: int) -> str:
    head = _maybe(draw, f"#### Scenario: {name}", _SCENARIOS, rare)
    return f"{head}\n{_maybe(draw, _STEPS[0], _STEPS, rare)}"


@st.composite
def _block(draw: st.DrawFn, name: str, rare: int) -> str:
    head = _maybe(draw, _HEADERS[0], _HEADERS, rare).format(name)
    parts = [f"{head}\n{_maybe(draw, _STATEMENTS[0], _STATEMENTS, rare)}"]
    names = ("One", "Two")[: _maybe_count(draw, rare)]
    parts += [draw(_scenario(scenario, rare)) for scenario in names]
    parts.append(_maybe(draw, "", _TAILS, rare))
    return "\n\n".join(part for part in parts if part) + "\n"


@st.composite
def _main(draw: st.DrawFn, blocks: tuple[str, ...], rare: int) -> str:
    parts = [
        draw(st.sampled_from(_TITLES)),
        _maybe(draw, _PURPOSES[0], _PURPOSES, rare),
        _maybe(draw, _LISTS[0], _LISTS, rare),
        _maybe(draw, "", ("Some words first.", "   \nIndented.", "### Group"), rare),
        *blocks,
        _maybe(draw, "", ("## Notes\nAfter.", "## Notes\n```\n\n\n\n```\n\n\n\nEnd."), 5),
    ]
    return "\n\n".join(part for part in parts if part) + draw(st.sampled_from(("\n", "", "\n\n\n")))


def _maybe_count(draw: st.DrawFn, rare: int) -> int:
    """How many scenarios; none at all is as rare as the rest."""
    return draw(st.sampled_from((1, 2, 2))) if draw(st.integers(1, rare)) < rare else 0


@st.composite
def _delta(draw: st.DrawFn, blocks: Mapping[str, str], rare: int) -> str:
    """A change to some existing names and some missing ones."""
    sections: dict[str, list[str]] = {}
    for name, block in blocks.items():
        kind = draw(st.sampled_from(("KEPT", "MODIFIED", "REMOVED", "RENAMED", "RENAMED")))
        if kind != "KEPT":
            sections.setdefault(kind, []).append(draw(_entry(kind, name, block, rare)))
        if kind == "RENAMED" and draw(st.integers(1, 3)) == 3:
            sections.setdefault("MODIFIED", []).append(draw(_modified(f"{name} v2", block, rare)))
    for name in draw(
        st.lists(st.sampled_from(_NEW), min_size=0 if sections else 1, max_size=2, unique=True)
    ):
        sections.setdefault("ADDED", []).append(draw(_block(name, rare)))
    if draw(st.integers(1, rare)) == rare:
        kind = draw(st.sampled_from(("ADDED", "MODIFIED", "REMOVED", "RENAMED")))
        name = draw(st.sampled_from(_NAMES))
        sections.setdefault(kind, []).append(draw(_entry(kind, name, draw(_block(name, rare)), 5)))
    parts = [draw(st.sampled_from(_PURPOSES))] if draw(st.integers(1, 6)) == 6 else []
    for kind in draw(st.permutations(sorted(sections))):
        head = _maybe(draw, _SECTIONS[0], _SECTIONS, rare).format(kind)
        twice = f"\n{head.lower().replace('requirements', 'Requirements')}\n"
        joint = twice if draw(st.integers(1, 8)) == 8 else "\n"
        parts.append(head + "\n" + _maybe(draw, "", ("Words.\n",), 8) + joint.join(sections[kind]))
    if draw(st.integers(1, 8)) == 8:
        parts.append("## IN SCOPE\n" + draw(_block("Lost", rare)))
    return "\n".join(parts)


@st.composite
def _modified(draw: st.DrawFn, name: str, block: str, rare: int) -> str:
    """The block with another statement; rarely a different block."""
    if draw(st.integers(1, rare)) == rare:
        return draw(_block(name, rare))
    body = block.split("\n", 1)[-1].replace("SHALL do", "SHALL always do", draw(st.integers(0, 1)))
    return f"### Requirement: {name}\n{body.rstrip()}\n\n" + draw(_scenario("New", rare)) + "\n"


@st.composite
def _entry(draw: st.DrawFn, kind: str, name: str, block: str, rare: int) -> str:
    if kind == "ADDED":
        return block
    if kind == "MODIFIED":
        return draw(_modified(name, block, rare))
    if kind == "REMOVED":
        return _maybe(draw, _REMOVALS[0], _REMOVALS, rare).format(name) + "\n"
    target = _maybe(draw, f"{name} v2", _NAMES, rare)
    return _maybe(draw, _RENAMES[0], _RENAMES, rare).format(name, target) + "\n"


def _raw(draw: st.DrawFn, text: str) -> bytes:
    kind = draw(st.integers(0, 11))
    if kind == 0:
        text = text.replace("\n", "\r\n")
    elif kind == 1:
        head, tail = text[: len(text) // 2], text[len(text) // 2 :]
        text = head.replace("\n", "\r\n") + tail
    elif kind == 2:
        text = text.replace("\n\n", "\r\r", 1)
    elif kind == 3:
        text = text.replace(" ", draw(st.sampled_from("\x0b\x1c\x85\xa0\u2028\ufeff\u3000")), 3)
    bom = "\ufeff" if draw(st.integers(1, 12)) == 12 else ""
    return (bom + text).encode()


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """A project with a change that can or cannot be archived."""
    rare = draw(st.sampled_from((6, 20, 60)))
    files = {"openspec/config.yaml": b"schema: spec-driven\n"}
    for capability in ("shop", "pay/card")[: draw(st.sampled_from((1, 1, 2)))]:
        pool = _NAMES if rare == 6 else _APART
        names = draw(st.lists(st.sampled_from(pool), max_size=3, unique=rare > 6))
        blocks = {name: draw(_block(name, rare)) for name in names}
        if draw(st.integers(1, 5)) > 1:
            main = draw(_main(tuple(blocks[name] for name in names), rare))
            files[f"openspec/specs/{capability}/spec.md"] = _raw(draw, main)
        else:
            blocks = {}
        delta = draw(_delta(blocks, rare))
        files[f"openspec/changes/{CHANGE}/specs/{capability}/spec.md"] = _raw(draw, delta)
    if draw(st.integers(1, 6)) == 6:
        yaml = draw(st.sampled_from(_YAMLS))
        files[f"openspec/changes/{CHANGE}/.openspec.yaml"] = yaml.encode()
    if draw(st.integers(1, 12)) == 12:
        for path, text in draw(st.sampled_from(_EXTRAS)).items():
            files[f"openspec/changes/{CHANGE}/{path}"] = text.encode()
    return World(files)
