"""Items with ids that are no requirements: headings of groups, codes of the product, rules of one of them."""

import re
from collections.abc import Sequence
from dataclasses import replace

from bot.core.spec.formats.id_families import binding_families, letters_of
from bot.core.spec.formats.prose_words import SAYS_STORIES
from bot.core.spec.id_cells import ID
from bot.core.spec.item_kinds import ItemKind, is_known_kind
from bot.core.spec.items import Definition, is_definition, is_row
from bot.core.spec.line_owners import first_owners
from bot.core.spec.outline import Block, BlockKind
from bot.core.spec.triage.words import HeadingKind, modality
from bot.core.values.spec_model import Modality

_FROM_ZERO = re.compile(r"(?<!\d)0\d{1,5}$")
_STORY_ID = re.compile(r"(?:H|HS|HDU|S|ST)-?\d{1,4}$")
# Tasks, phases, milestones and questions have one letter, too.
_LETTER = re.compile(r"[ABEGKLNOVX]-?\d{1,2}")
_FIRST = re.compile(r"[ABEGKLNOVX]-?0?1")
_ASKED = (HeadingKind.REQUIREMENTS, HeadingKind.FEATURES)
_WITHOUT_DIGITS = re.compile(r"(?<!\d)\d{1,5}$")


_STATED = re.compile(
    rf"^\W{{0,6}}(?:(?:user )?story|requirement|feature|use case)?\s?ID\W{{0,6}}[:：]\W{{0,6}}({ID})\W{{0,4}}$",
    re.IGNORECASE,
)


def without_summary(found: Sequence[Definition], lines: Sequence[str]) -> tuple[Definition, ...]:
    """Without the rows of a table that sums up what says `Story ID: US-01` of itself elsewhere."""
    stated = {at[1] for line in lines if (at := _STATED.match(line))}
    if not stated:
        return tuple(found)
    return tuple(d for d in found if d.id not in stated or not is_row(d))


def without_groups(found: Sequence[Definition]) -> tuple[Definition, ...]:
    """Without headings that only group others: FR-1 above FR-1.1 and FR-1.2."""
    outer = {d.id.rpartition(mark)[0] for d in found if d.position is not None for mark in ".-"}
    above = {d.id.rpartition(mark)[0] for d in found if d.position is None for mark in ".-"}
    return tuple(
        d
        for d in found
        if (d.section.blocks or d.id not in above)
        if d.position is not None
        or (d.id not in outer and not _is_above_its_own(d))
        or (
            any(not _belongs(b, d.id) for b in _own(d) if not b.indent) and not _is_above_its_own(d)
        )
    )


def _own(heading: Definition) -> Sequence[Block]:
    """Its blocks; below bold labels with ids what follows each belongs to it."""
    blocks = heading.section.blocks
    first = next((n for n, b in enumerate(blocks) if is_definition(b)), len(blocks))
    is_labelled = first < len(blocks) and blocks[first].kind is BlockKind.PARAGRAPH
    return blocks[:first] if is_labelled else blocks


def _is_above_its_own(heading: Definition) -> bool:
    """Whether all below `FR-100: Runs` are items of its kind: FR-101, FR-102."""
    letters = heading.id.rstrip("0123456789.-")
    own = [b for b in heading.section.blocks if not b.indent]
    return len(own) > 1 and all(
        is_definition(b) and (b.cells or (b.text,))[0].lstrip("*`[ ").startswith(letters)
        for b in own
    )


def without_codes(found: Sequence[Definition]) -> tuple[Definition, ...]:
    """Without error codes, versions and model names, which only look like ids.

    They have letters that nobody uses for requirements, bind nothing and stand in no chapter of
    them; and most ids of the document are of another kind.
    """
    usual = sum(is_known_kind(d.id) and d.kind is not ItemKind.OTHER for d in found)
    if usual * 2 < sum(d.kind is not ItemKind.OTHER for d in found):
        return tuple(found)
    # The rows of a table below the heading of a requirement are what it shows.
    heads = {d.section.line for d in found if d.position is None}
    # A table with the columns of the known ones is told in the same way.
    headers = {_header(d) for d in found if d.kind is ItemKind.FUNCTIONAL and is_known_kind(d.id)}
    binding = binding_families(found)

    def is_told(one: Definition) -> bool:
        is_alike = bool(_header(one)) and _header(one) in headers
        return is_alike or one.place is not HeadingKind.OTHER or letters_of(one.id) in binding

    return tuple(
        d
        for d in found
        if is_known_kind(d.id)
        or d.sub
        or d.position is None
        or (is_told(d) and d.section.line not in heads)
        or modality(d.text) is not Modality.UNSTATED
    )


def _header(definition: Definition) -> tuple[str, ...]:
    at = definition.position
    header = definition.section.blocks[at].header if at is not None else ()
    return tuple(cell.casefold() for cell in header)


def without_rules_inside(found: Sequence[Definition]) -> tuple[Definition, ...]:
    """Without the rules in tables below the heading of a requirement, which say how it is met."""
    heads = [d for d in found if d.position is None and d.kind is ItemKind.FUNCTIONAL]
    inside = first_owners((d.line_start, d.line_end) for d in heads)
    return tuple(
        d
        for d in found
        if d.kind is not ItemKind.RULE
        or d.position is None
        or not d.section.blocks[d.position].cells
        or d.line_start not in inside
    )


def without_parts(found: Sequence[Definition]) -> tuple[Definition, ...]:
    """Without `LON-1a` below the heading of `LON-1`: the steps of its work."""
    heads = {d.id: d for d in found if d.position is None}
    return tuple(
        d
        for d in found
        if not (
            d.position is not None
            and d.id[-1:].islower()
            and (head := heads.get(d.id[:-1])) is not None
            and head.line_start < d.line_start <= head.line_end
        )
    )


def _belongs(block: Block, identifier: str) -> bool:
    start = block.text[: len(identifier) + 8]
    return any(f"{identifier}{mark}" in start for mark in ".-")


def _is_of_letter(heading: Definition) -> bool:
    """`### C-3 Sync` below `## C. Data`: the letter is that of the chapter, and says no kind."""
    letter = heading.id[:1]
    above = heading.section.trail[-1] if heading.section.trail else ""
    is_single = re.match(r"[A-Z]-?\d", heading.id) is not None
    return is_single and re.match(rf"{letter}[.)、：:]\s", above) is not None


def in_requirements(found: Sequence[Definition]) -> tuple[Definition, ...]:
    """`RFU01 Login` in a chapter of requirements is one, whatever its letters: codes begin with no zero."""
    unknown = [
        d
        for d in found
        if d.kind is ItemKind.OTHER
        and d.place is HeadingKind.REQUIREMENTS
        and not is_known_kind(d.id)
    ]
    lettered = {d.line_start for d in found if d.position is None and _is_of_letter(d)}
    counted = {d.id[: at.start()] for d in unknown if (at := _FROM_ZERO.search(d.id))}
    own = {d.line_start for d in unknown if _WITHOUT_DIGITS.sub("", d.id) in counted}
    return tuple(
        replace(d, kind=ItemKind.FUNCTIONAL)
        if (d.kind is ItemKind.OTHER and d.line_start in own) or d.line_start in lettered
        else d
        for d in found
    )


def in_features(found: Sequence[Definition]) -> tuple[Definition, ...]:
    """`### E1 - Export` beside `### F1 - Import` below a chapter of features is one, if they count from 1."""
    heads = [d for d in found if d.position is None and d.place in _ASKED]
    first = {d.id[0] for d in heads if d.kind is ItemKind.OTHER and _FIRST.fullmatch(d.id)}
    if not first or not any(d.kind is ItemKind.FUNCTIONAL for d in heads):
        return tuple(found)
    told = {d.line_start for d in heads if _LETTER.fullmatch(d.id) and d.id[0] in first}
    return tuple(replace(d, kind=ItemKind.FUNCTIONAL) if d.line_start in told else d for d in found)


def in_stories(found: Sequence[Definition]) -> tuple[Definition, ...]:
    """`H01 – Hire a boat` on a page of stories is one, where several are numbered so."""
    told = {
        d.line_start
        for d in found
        if d.kind is ItemKind.OTHER
        and _STORY_ID.match(d.id)
        and any(SAYS_STORIES.search(title) for title in d.section.titles)
    }
    if len(told) < 2:
        return tuple(found)
    return tuple(replace(d, kind=ItemKind.STORY) if d.line_start in told else d for d in found)
