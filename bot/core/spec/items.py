"""Items with an author's id: `- **FR-001**: …`, `### REQ-X-01: …`, `| RF-02 | … |`.

A definition begins with its id; an id inside a sentence is a mention. Its place matters: a row of a
traceability table, a checklist or an out-of-scope list defines nothing. Each format decides which
kinds are requirements.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.core.spec.columns import (
    ACCEPTANCE,
    STATUS,
    TEXT_HEADER,
    is_left_out,
    named_and_described,
    row_priority,
)
from bot.core.spec.done_marks import is_done_word
from bot.core.spec.formats.prose_words import STORY
from bot.core.spec.id_cells import ID, families_of, id_in_cell, is_word
from bot.core.spec.item_kinds import ItemKind, is_known_kind, item_kind
from bot.core.spec.outline import Block, BlockKind, Section
from bot.core.spec.priorities import normal_priority, priority_in, urgencies_among
from bot.core.spec.template_text import is_template
from bot.core.spec.triage.words import (
    HeadingKind,
    heading_kind,
    is_future,
    is_moscow,
    trail_kind,
)

_ID_START = re.compile(
    rf"^(?:[-–•]\s?(?=[A-Z]))?(?:\[(?P<tick>[^\]]?)\]\s++)?(?P<open>[*_`~\[(]*)\s*+(?P<id>{ID})(?::(?P<sub>[A-Z]{{1,4}}-?\d+))?(?P<rest>(?![\w]).*)$",
    re.DOTALL,
)
# `/F10/` of a German Pflichtenheft; W says that it is only wished.
# `R 1.2: …`
_SPACED_ID = re.compile(r"^([*_`]{0,3}[A-Z]{1,4}) (?=\d{1,3}(?:\.\d{1,3}){1,3}\s?[:：])")
_BETWEEN_SLASHES = re.compile(rf"^([*_`\[]{{0,3}})/\s?({ID})/(?=\W|$)")
_AFTER_ID = re.compile(
    r"^(?P<marks>[*_`~\])\s]*(?:\([^)]{1,60}\)|\[[^\]]{1,40}\])?[*_`~\])\s]*)(?P<sep>[:：|—–.·•-]*)[*_`\s]*(?P<sep2>[:：—–-]*)\s*(?P<text>.*)$",
    re.DOTALL,
)
_LINK_OR_IDS = re.compile(
    rf"^(?:\[[^\]]*\]\([^)]*\)|{ID}|[\s,;/&…–.-]|\d+|and|to|through|✓|✅|x|yes|no)*+$", re.I
)
_ID_OR_NUMBER = re.compile(rf"{ID}|\d")
# Words after which an id is mentioned, not defined.
_GOES_ON = re.compile(
    r"(?:and|or|through|to|is|are|was|were|has|have|lacks?|remains?|und|et|y|и)\b|[,/&+]"
)
# The name of a function or a tool, and nothing else.
_CODE_NAME = re.compile(r"[a-z][a-z0-9]*(?:[_./][A-Za-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+")
_OPENING_MARK = re.compile(r"(?:^|[\s:：|—–-])(`+|\*{1,3}|_{1,2})$")
_NAMED = re.compile(
    rf"^(?:\[[ xX]\]\s+)?\*\*{ID}\s*(?:[:：.)|–—·•-]+\s*|\s)(?P<name>[^*\n]{{3,70}}?)(?:[:：]\*\*|\*\*\s*[:：–—-]|\*\*[ \t]*\n)\s*\S"
)
_LABEL_LINE = re.compile(r"^\*\*[^*]+\*\*\s*+:?+\s*+$")
_TWO_IDS = re.compile(
    rf"^[*_`\[]{{0,3}}({ID})[*_`\]]{{0,3}}\s*(?:and|und|et|y|e|и|と|和|[,/&+])\s*{ID}[*_`\]]{{0,3}}\s*[:：—–-]\s*(\S.*)$"
)
# `~~The page prints.~~ **DISABLED:** nobody prints.`
_STRUCK = re.compile(
    r"~~[^~]*~~\W*(?:$|(?:disabled|removed|deprecated|withdrawn|dropped|obsolete|superseded|entfällt|gestrichen|eliminado|removido|supprimé)\b)",
    re.IGNORECASE,
)
_ALONE = re.compile(rf"^[*_`\[]{{0,3}}({ID})[*_`\]]{{0,3}}\s*[.:：]?$")
_LETTERS = re.compile(
    r"^[*`\[]{0,3}([A-Z][A-Z0-9]{1,15}(?:-[A-Z][A-Z0-9]{1,15}){1,4})[*`\]]{0,3}\s*(?:[:：]|\s[-–—]\s)\s*(\S.*)$"
)


@dataclass(frozen=True, slots=True)
class Definition:
    """One item. `position` is the block's index in its section, None for a heading.

    `place` is what the headings around it mean, `sub` a criterion of the id (`REQ-X:AC-1`).
    """

    id: str
    kind: ItemKind
    title: str
    text: str
    section: Section
    position: int | None
    line_start: int
    line_end: int
    place: HeadingKind
    sub: str | None = None
    priority: str | None = None
    is_withdrawn: bool = False
    is_wont: bool = False
    is_ticked_list: bool = False
    is_ticked: bool = False
    criterion: str = ""

    @property
    def is_later(self) -> bool:
        """Whether it stands below a heading about the future: written down, and not asked for now."""
        return any(is_future(title) for title in self.section.titles[1:])

    @property
    def is_template(self) -> bool:
        return is_template(self.text)


def definitions(sections: Sequence[Section]) -> tuple[Definition, ...]:
    found: list[Definition] = []
    for section in map(_split_at_ids, sections):
        place = trail_kind(section.titles)
        if section.level:
            outer = trail_kind(section.trail) if section.trail else HeadingKind.OTHER
            item = _parse(section.title) or _parse_two(section.title) or _parse_alone(section.title)
            if item is None and outer is HeadingKind.REQUIREMENTS:
                item = _parse_letters(section.title)
            if item:
                found.append(_heading_definition(section, item, outer))
        families = families_of(section)
        for position, block in enumerate(section.blocks):
            definition = (
                _row_definition(section, position, block, place, families)
                if block.kind is BlockKind.ROW
                else _block_definition(section, position, block, place)
            )
            if definition and definition.kind is ItemKind.OTHER and _is_wish(definition.text):
                definition = replace(definition, kind=ItemKind.STORY)
            if definition and is_moscow(section.title):
                definition = replace(definition, kind=ItemKind.FUNCTIONAL)
            if definition:
                found.append(definition)
    urgencies = urgencies_among(one.id for one in found)
    return tuple(one for one in found if one.id not in urgencies)


def _is_wish(text: str) -> bool:
    return STORY.search(" ".join(text.replace("*", "").split())) is not None


def _split_at_ids(section: Section) -> Section:
    """The section, with a block of its own for each paragraph line that defines an id."""
    blocks: list[Block] = []
    for block in section.blocks:
        lines = block.text.split("\n")
        starts = [0]
        if block.kind in (BlockKind.PARAGRAPH, BlockKind.QUOTE):
            starts += [n for n, text in enumerate(lines) if n and _defines(text)]
        for start, stop in zip(starts, [*starts[1:], len(lines)], strict=True):
            if len(starts) == 1:
                blocks.append(block)
                continue
            end = block.line_start + stop - 1
            blocks.append(
                replace(
                    block,
                    text="\n".join(lines[start:stop]),
                    line_start=block.line_start + start,
                    line_end=end,
                    extent_end=end,
                )
            )
    return section if len(blocks) == len(section.blocks) else replace(section, blocks=tuple(blocks))


def is_definition(block: Block) -> bool:
    """Whether an id stands at its beginning."""
    if block.cells:
        return any(id_in_cell(block, at) for at in (0, 1))
    return _parse(block.text) is not None


def _defines(text: str) -> bool:
    item = _parse(text)
    return item is not None and item.has_separator


@dataclass(frozen=True, slots=True)
class _Item:
    id: str
    sub: str | None
    text: str
    struck: bool
    ticked: bool
    is_checked: bool
    has_separator: bool
    in_parentheses: str


def _parse(text: str) -> _Item | None:
    """None if the text does not begin with an id that it defines."""
    text = _BETWEEN_SLASHES.sub(r"\1\2: ", text, count=1) if "/" in text[:5] else text
    found = _ID_START.match(_SPACED_ID.sub(r"\1", text, count=1))
    # "REQ-1's limit" speaks of it.
    if not found or found["rest"].startswith(("'s", "’s")) or is_word(found["id"]):
        return None
    after = _AFTER_ID.match(found.group("rest"))
    if not after:
        return None
    emphasised = bool(found.group("open").strip("(")) and bool(
        set(after.group("marks")) & set("*_`~]")
    )
    separated = bool(after.group("sep") or after.group("sep2"))
    words = after.group("text").strip()
    # `M5.7` is another id; `M5. 7 days` begins with a number.
    said = found.group("rest")[after.start("sep") :]
    if said.startswith((".", "-")) and re.match(r"\.\.|[.-]\d", said):
        return None
    if _ID_OR_NUMBER.match(words) and not separated and not emphasised:
        return None
    capital = bool(words) and (
        words[0].isupper() or ord(words[0]) > 0x2E80 or words[0] in "\"'“[(`"
    )
    if not (separated or emphasised or capital or _CODE_NAME.fullmatch(words)):
        return None
    if not separated and _GOES_ON.match(words):
        return None
    label = re.match(r"[^(]*+\(([^)]*+)\)", after.group("marks"))
    return _Item(
        found.group("id"),
        found.group("sub"),
        _balanced(words, found.group("rest")[: after.start("text")]),
        "~~" in found.group("open") or _STRUCK.match(words) is not None,
        found.group("tick") is not None,
        found.group("tick") in ("x", "X"),
        separated or emphasised,
        label.group(1) if label else "",
    )


def _balanced(words: str, before: str) -> str:
    """The text with its own emphasis: a mark that opens it stays, one that closes the id's goes."""
    opening = _OPENING_MARK.search(before)
    if opening and words.count(opening[1]) % 2:
        words = opening[1] + words
    return words.replace("**", "", 1) if words.count("**") % 2 else words


def _parse_two(title: str) -> _Item | None:
    """`FR-4 and FR-5 — Orders`: one requirement with two ids, known by the first."""
    found = _TWO_IDS.match(title)
    return _Item(found[1], None, found[2].strip(), False, False, False, True, "") if found else None


def _parse_alone(title: str) -> _Item | None:
    """`FR1`: all that it says stands below it."""
    found = _ALONE.match(title)
    is_asked = found and item_kind(found[1]) in (ItemKind.FUNCTIONAL, ItemKind.RULE)
    is_asked = is_asked and is_known_kind(title.strip("*`_[] .:："))
    return _Item(found[1], None, "", False, False, False, True, "") if found and is_asked else None


def _parse_letters(title: str) -> _Item | None:
    """An id without digits; only a heading in a chapter of requirements may have one."""
    found = _LETTERS.match(title)
    return _Item(found[1], None, found[2].strip(), False, False, False, True, "") if found else None


def _heading_definition(section: Section, item: _Item, place: HeadingKind) -> Definition:
    return Definition(
        item.id,
        item_kind(item.id),
        item.text,
        "",
        section,
        None,
        section.line,
        section.end,
        place,
        item.sub,
        priority_in(section.title),
        item.struck,
    )


def _block_definition(
    section: Section, position: int, block: Block, place: HeadingKind
) -> Definition | None:
    item = _parse(block.text)
    if not item:
        return None
    end = block.extent_end
    if block.kind is not BlockKind.ITEM:
        end = _paragraph_end(section, position)
    # `**SRS-1 (By key)**:` is said by what stands below it.
    name = "" if item.text else item.in_parentheses
    if not (item.text or block.extent_end > block.line_end or (name and end > block.line_end)):
        return None
    return Definition(
        item.id,
        item_kind(item.id),
        name or _name_in(block.text),
        item.text,
        section,
        position,
        block.line_start,
        end,
        place,
        item.sub,
        normal_priority(item.in_parentheses) or priority_in(block.text),
        item.struck,
        is_ticked_list=item.ticked,
        is_ticked=item.is_checked,
    )


def _name_in(text: str) -> str:
    """The name that stands in one bold label with the id: `**FR-1. Search**: …`."""
    found = _NAMED.match(text)
    name = found["name"].strip(" :：.") if found else ""
    is_in_parentheses = name.startswith("(") and name.endswith(")") and "(" not in name[1:]
    return name[1:-1].strip() if is_in_parentheses else name


def _paragraph_end(section: Section, position: int) -> int:
    """The end of what belongs to a paragraph with an id: the next id, or label but of its criteria."""
    end = section.blocks[position].line_end
    for after in range(position + 1, len(section.blocks)):
        block = section.blocks[after]
        is_label = block.kind is BlockKind.PARAGRAPH and _LABEL_LINE.match(block.text)
        is_own = is_label and heading_kind(block.text) is HeadingKind.CRITERIA
        if _parse(block.text) or (is_label and not is_own):
            break
        end = max(end, block.extent_end)
    return end


def _row_definition(
    section: Section,
    position: int,
    block: Block,
    place: HeadingKind,
    families: frozenset[str],
) -> Definition | None:
    cells = block.cells
    found = {n: item for n in (0, 1) if (item := _parse_cell(block, n, families))}
    at = next(iter(found), None)
    if at is None or len(cells) < 2:
        return None
    item = found[at]
    rest = [(n, cell) for n, cell in enumerate(cells) if n != at and cell]
    if not rest or all(_LINK_OR_IDS.match(cell) for _, cell in rest):
        return None
    header = block.header if len(block.header) == len(cells) else ("",) * len(cells)
    priority, priority_at = row_priority(rest, header)
    texts = [(n, cell) for n, cell in rest if n != priority_at]
    if not texts:
        return None
    criterion = next((cell for n, cell in texts if ACCEPTANCE.search(header[n])), "")
    if len(texts) > 1 and criterion:
        texts = [(n, cell) for n, cell in texts if cell != criterion] or texts
    else:
        criterion = ""
    named = [cell for n, cell in texts if TEXT_HEADER.search(header[n])]
    title, text = named_and_described(texts, header)
    others = [c for _, c in texts if c not in (text, title)] if not named else []
    return Definition(
        item.id,
        item_kind(item.id),
        title if title != text else "",
        re.sub(r"^~~|~~$", "", text),
        section,
        position,
        block.line_start,
        block.line_end,
        place if not all(_LINK_OR_IDS.match(c) for c in [text, *others]) else HeadingKind.TRACE,
        None,
        priority,
        item.struck,
        is_wont=is_left_out(rest, header),
        criterion=criterion,
        is_ticked=any(STATUS.search(header[n]) and is_done_word(cell) for n, cell in rest),
    )


def _parse_cell(block: Block, at: int, families: frozenset[str]) -> _Item | None:
    id_ = id_in_cell(block, at, families)
    is_struck = bool(id_) and "~~" in block.cells[at]
    return _Item(id_, None, "", is_struck, False, False, True, "") if id_ else None


def first_of_each(
    found: Sequence[Definition],
) -> tuple[tuple[Definition, ...], tuple[Definition, ...]]:
    """The definitions, and the repetitions: a table row or checked item may repeat an id."""
    kept: dict[str, Definition] = {}
    again: list[Definition] = []
    order: list[Definition] = []
    for definition in found:
        first = kept.get(definition.id)
        if definition.sub or first is None:
            if not definition.sub:
                kept[definition.id] = definition
            order.append(definition)
        elif _tells_more(definition, first):
            again.append(first)
            order[order.index(first)] = kept[definition.id] = definition
        elif _restates(first, definition):
            again.append(definition)
            if definition.is_ticked and not first.is_ticked:
                kept[definition.id] = replace(first, is_ticked=True)
                order[order.index(first)] = kept[definition.id]
        else:
            order.append(definition)
    return tuple(order), tuple(again)


def _tells_more(second: Definition, first: Definition) -> bool:
    """Whether the first was only a row that named it, in a table about something else (its scope)."""
    if first.sub or second.sub or second.is_ticked_list or first.place is HeadingKind.REQUIREMENTS:
        return False
    is_elsewhere = second.place in (HeadingKind.TRACE, HeadingKind.CHECKLIST)
    return not is_elsewhere and is_row(first) and not is_row(second)


def _header(definition: Definition) -> tuple[str, ...]:
    at = definition.position
    return definition.section.blocks[at].header if at is not None else ()


def is_row(definition: Definition) -> bool:
    at = definition.position
    return at is not None and bool(definition.section.blocks[at].cells)


def _restates(first: Definition, second: Definition) -> bool:
    if second.is_ticked_list or second.place in (HeadingKind.TRACE, HeadingKind.CHECKLIST):
        return True
    if is_row(second) and any(STATUS.search(h) for h in _header(second)):
        return True
    if is_row(second) != is_row(first) or (first.position is None) != (second.position is None):
        return True
    return bool(second.text) and first.text.strip().casefold() == second.text.strip().casefold()
