"""Families of ids that no list of prefixes knows: what they are, is said by their place and their form.

A family is all ids with the same letters. One that counts from its first number in a place of requirements
is one of requirements, and one that stands only in chapters of acceptance is one of criteria.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.core.spec.formats.prose_words import ERRORS, NOT_A_FEATURE, OF_BUSINESS, TESTING
from bot.core.spec.item_kinds import ItemKind, is_known_kind
from bot.core.spec.items import Definition
from bot.core.spec.triage.words import (
    HeadingKind,
    heading_kind,
    modality,
    says_only_requirements,
)
from bot.core.values.spec_model import Modality

_LETTERS = re.compile(r"[A-Z][A-Z0-9]*?(?=[-.]|\d)(?:-[A-Z]+)*")
_FIRST_NUMBERS = {0, 1, 10, 100, 101, 1000, 1001}
_MEMBERS_MIN = 2
# Work, tests, risks and questions are counted so, too.
_OF_OTHER_THINGS = re.compile(
    r"(?:T|TASK|TC|TEST|RISK|RSK|ADR|BUG|ISSUE|EP|EPIC|PHASE|STEP|SM|KPI|WP|Q|OQ|DEC|AMB|ASM|NG|EC|CHK|AP|UJ|OBJ|GOAL|NOTE|"
    r"DEP|ENT|ERR|SCR|TBL)$"
)
_COLUMN = re.compile(
    r"require?ment|anforderung|exigence|requisit|requerimiento|wymagani|требовани|要件|需求|要求|요구",
    re.IGNORECASE,
)


def in_families(found: Sequence[Definition]) -> tuple[Definition, ...]:
    """The definitions, with the kinds that their families have."""
    families: dict[str, list[Definition]] = {}
    for definition in found:
        families.setdefault(letters_of(definition.id), []).append(definition)
    has_functions = any(d.kind is ItemKind.FUNCTIONAL for d in found)
    asked = {letters for letters, own in families.items() if _is_asked(letters, own, has_functions)}
    judging = {
        letters
        for letters, own in families.items()
        if all(d.place is HeadingKind.CRITERIA and not is_known_kind(d.id) for d in own)
    }
    return tuple(
        replace(d, kind=ItemKind.CRITERION)
        if letters_of(d.id) in judging
        else replace(d, kind=ItemKind.FUNCTIONAL)
        if letters_of(d.id) in asked and d.kind is ItemKind.OTHER and _is_in_place(d)
        else d
        for d in found
    )


def letters_of(identifier: str) -> str:
    """`OBS` of `OBS-01`, and `R-UI` of `R-UI-2`."""
    found = _LETTERS.match(identifier)
    return found[0] if found else identifier


def binding_families(found: Iterable[Definition]) -> frozenset[str]:
    """The letters of the families of which at least half of the items bind by a word."""
    binds: dict[str, list[bool]] = {}
    for definition in found:
        is_bound = modality(definition.text) is not Modality.UNSTATED
        binds.setdefault(letters_of(definition.id), []).append(is_bound)
    return frozenset(
        letters
        for letters, own in binds.items()
        if len(own) >= _MEMBERS_MIN and 2 * sum(own) >= len(own)
    )


def is_of_work(identifier: str) -> bool:
    """Whether tasks, tests, risks and questions are counted with such letters."""
    return _OF_OTHER_THINGS.match(letters_of(identifier)) is not None


def _is_asked(letters: str, own: Sequence[Definition], has_functions: bool) -> bool:
    if _OF_OTHER_THINGS.match(letters):
        return False
    here = [d for d in own if d.kind is ItemKind.OTHER and _is_in_place(d)]
    # What the business wants are goals, where functions are listed elsewhere.
    if has_functions and any(OF_BUSINESS.match(t) for d in here for t in d.section.titles[1:]):
        return False
    numbers = [_number(d.id[len(letters) :]) for d in here]
    is_counted = len(set(numbers)) >= _MEMBERS_MIN and min(numbers, default=-1) in _FIRST_NUMBERS
    is_spread = len({d.section.line for d in here}) > 1
    return is_counted and (is_spread or all(_is_said(d) for d in here))


def _is_in_place(definition: Definition) -> bool:
    """Whether it stands in a chapter that says only that requirements follow, and in no other part of it."""
    if definition.place is not HeadingKind.REQUIREMENTS:
        return False
    titles = _titles_above(definition)
    is_chapter = any(
        says_only_requirements(t) and heading_kind(t) is HeadingKind.REQUIREMENTS for t in titles
    )
    return (is_chapter or _is_said(definition)) and not any(
        NOT_A_FEATURE.search(t) or TESTING.match(t) or ERRORS.match(t) for t in titles
    )


def _is_said(definition: Definition) -> bool:
    """Whether the heading directly above it, or a column of its table, says requirements."""
    at = definition.position
    header = definition.section.blocks[at].header if at is not None else ()
    nearest = (_titles_above(definition) or ("",))[-1]
    is_row = any(_COLUMN.search(cell) for cell in header)
    return is_row or heading_kind(nearest) is HeadingKind.REQUIREMENTS


def _titles_above(definition: Definition) -> tuple[str, ...]:
    section = definition.section
    return section.trail[1:] if definition.position is None else section.titles[1:]


def _number(rest: str) -> int:
    found = re.search(r"\d{1,6}", rest)
    return int(found[0]) if found else -1


def requirement_kinds(live: Sequence[Definition]) -> set[ItemKind]:
    kinds = {d.kind for d in live if not d.sub}
    subs = any(d.sub for d in live)
    if {ItemKind.STORY, ItemKind.RULE} <= kinds and ItemKind.FUNCTIONAL not in kinds and not subs:
        return {ItemKind.STORY, ItemKind.RULE}
    if kinds & {ItemKind.FUNCTIONAL, ItemKind.RULE} or subs:
        return {ItemKind.FUNCTIONAL, ItemKind.RULE}
    if ItemKind.STORY in kinds:
        return {ItemKind.STORY}
    return {ItemKind.CRITERION} if ItemKind.CRITERION in kinds else set()
