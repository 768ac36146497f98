"""List items of pages without a format: which of them are read, and what each says."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from bot.core.spec.done_marks import is_ticked
from bot.core.spec.drafts import Draft, first_words
from bot.core.spec.formats.criteria import (
    TICK,
    criteria_of,
    end_with_criteria,
    is_criteria_label,
)
from bot.core.spec.formats.openspec import last_line
from bot.core.spec.formats.prose_words import (
    ATTRIBUTE,
    BOLD_START,
    CORE_FEATURES,
    FIELDS_LABEL,
    FUNCTIONS,
    IN_SCOPE,
    LABEL_START,
    NOT_A_FEATURE,
    OF_A_SYSTEM,
    OF_DATA,
    OF_QUALITY,
    PART_NUMBER,
    TECHNICAL,
    TELLS_STEPS,
    TESTING,
)
from bot.core.spec.outline import Block, BlockKind, Section
from bot.core.spec.priorities import LATER, normal_priority
from bot.core.spec.reading import Source
from bot.core.spec.scenario_steps import grouped
from bot.core.spec.template_text import is_template
from bot.core.spec.triage.words import (
    OUT_OF_SCOPE_WORDS,
    HeadingKind,
    heading_kind,
    is_future,
    modality,
    says_only_requirements,
    trail_kind,
)
from bot.core.values.spec_model import Modality

BOX = re.compile(r"^(\*\*)?\[[ xX~-]?\]\s+")
GROUP_LINE = re.compile(r"^\*\*([^*\n][^*\n]{1,78}?)\*\*\s*[:：]?$")
# A package and its version, or another document.
_NO_WORK = re.compile(
    r"^[`*]{0,3}[\w.@/-]{2,40}(?:\[[\w,-]{1,40}\])?[`*]{0,3}\s?(?:[<>=~!]=|\^|==)\s?v?\d|"
    r"^\[[^\]\n]{1,120}\]\([^()\s]{1,200}\.(?:md|pdf|docx?)\)"
)
# Who sets a scope says both of it.
_BOTH_SCOPES = re.compile(
    r"\bin[- ]scope\s?(?:/|,|&|and|or|et|ou|und|oder|y|o)\s?out[- ]of[- ]scope\b", re.IGNORECASE
)
_NOTES_LABEL = re.compile(
    r"^\*\*(?:(?:technical|implementation|design|other) )?(?:notes?|remarks?|notas|notizen|anmerkungen|hinweise|remarques|заметки|"
    r"备注|メモ|비고)(?: \w{4,14})?\s*[:：]?\*\*\s*[:：]?$",
    re.IGNORECASE,
)
_PRIORITY_LINE = re.compile(
    r"^\W{0,3}(?:priority|priorität|priorité|prioridade?|priorità|приоритет|优先级|優先度|우선순위)\W{0,3}[:：]\W{0,4}([^\n*]{1,40})",
    re.IGNORECASE,
)
_MUST = (Modality.MUST, Modality.MUST_NOT, Modality.SHOULD)
_BRACKETS = re.compile(r"[(（][^()（）]{0,80}[)）]")
_DATA_WORDS_MAX = 3
_LABELS_MIN = 2
_LABEL_MAX = 40
# `Later formats:`
_LATER_THINGS = re.compile(
    r"(?:later|future|planned|upcoming|künftige|spätere|futur[ao]s|后续|今後の)\b.{0,30}$", re.I
)
# `Must have` is a heading of urgency, and no sentence.
_LABEL_WORDS = 3
# Looked for no further, so that a list of thousands is no square.
_LIST_MAX = 100
_LABEL = re.compile(r"^\*\*(.+?)\*\*\s*[:：—–-]\s*(.+)$", re.DOTALL)
_NONE: Mapping[int, Draft] = {}
# `reason` (why)
_FIELD = re.compile(r"`[A-Za-z_]\w{0,40}`(?:,\s?`\w{1,40}`){0,5}\s*(?:$|[(（:：–—-])")
# `Internet Explorer version 10+`
_NAME_WORDS_MAX = 5


def lists_data(section: Section) -> bool:
    """`Data fields` or `Order status` above names only: what is done with them is a function."""
    items = [b for b in section.blocks if b.kind is BlockKind.ITEM and not b.indent]
    return OF_DATA.match(section.title) is not None and all(
        len(_BRACKETS.sub("", item.text).split()) <= _DATA_WORDS_MAX for item in items
    )


def lists_fields(section: Section) -> bool:
    """Whether its items are nearly all columns of a table, or fields of a message."""
    items = [b for b in section.blocks if b.kind is BlockKind.ITEM and b.indent <= 1]
    fields = sum(_FIELD.match(b.text) is not None for b in items)
    return fields > 1 and 4 * fields >= 3 * len(items)


def outer_items(sections: Sequence[Section]) -> Iterator[tuple[Section, Block]]:
    for section in sections:
        is_judged = is_field = False
        for block in section.blocks:
            if block.kind is BlockKind.PARAGRAPH:
                label = block.text.strip().split("\n")[-1]
                is_judged = is_criteria_label(label) or _NOTES_LABEL.match(label) is not None
                is_judged = is_judged or _is_for_later(label)
                is_field = FIELDS_LABEL.match(label) is not None
            # What stands below `Acceptance criteria:` says how the items above it are seen to hold.
            if block.kind is not BlockKind.ITEM or block.indent > 1 or is_judged:
                continue
            if any(TESTING.match(title) for title in section.titles[1:]):
                continue
            if is_field and not is_normative(block):
                continue
            is_left_out = OUT_OF_SCOPE_WORDS.search(_BOTH_SCOPES.sub("", block.text))
            is_left_out = is_left_out or _NO_WORK.match(block.text)
            if not (is_left_out or is_template(block.text)):
                yield section, block


def _is_for_later(label: str) -> bool:
    """Whether the line above a list says that it is for later, or out of scope: `**Ideas for later:**`."""
    named = GROUP_LINE.match(label)
    words = named[1] if named else label
    is_label = named is not None or (len(label) <= _LABEL_MAX and label.endswith((":", "：")))
    if not is_label:
        return False
    is_later = is_future(words.strip()) or _LATER_THINGS.match(words.strip())
    return bool(is_later) or heading_kind(words) is HeadingKind.OUT_OF_SCOPE


def is_bound(section: Section, block: Block) -> bool:
    """Whether it binds by a word of its own, or of the sentence above its list: `The system must:`."""
    if is_normative(block):
        return True
    at = bisect_right(section.blocks, block.line_start, key=_line_start)
    near = section.blocks[max(at - _LIST_MAX, 0) : at]
    lead = next((b for b in reversed(near) if b.kind is BlockKind.PARAGRAPH), None)
    is_lead = lead is not None and lead.text.rstrip(" *_").endswith((":", "："))
    if is_lead and lead is not None and modality(lead.text) in _MUST:
        return True
    # `### The system must provide:` says it of all that stands below it.
    return any(
        len(title.split()) > _LABEL_WORDS and modality(title) in (Modality.MUST, Modality.MUST_NOT)
        for title in section.titles
    )


def is_normative(block: Block) -> bool:
    return modality(block.text) is not Modality.UNSTATED


def names_a_machine(section: Section) -> bool:
    """Whether `System requirements` list nothing but names: browsers, versions, sizes."""
    return OF_A_SYSTEM.match(section.title) is not None and not any(
        is_normative(block) or len(block.text.split()) > _NAME_WORDS_MAX
        for _, block in outer_items([section])
    )


def item_draft(source: Source, section: Section, block: Block) -> Draft:
    text, start = BOX.sub(r"\1", block.text), block.line_start
    # Who lists what is required may tick each line.
    if ticked := TICK.match(text):
        text = text[ticked.end() :]
    named = _LABEL.match(text)
    end = last_line(source, start, block.extent_end)
    # Blocks are in line order, so that not every pair has to be compared.
    first_after = bisect_right(section.blocks, start, key=_line_start)
    nested = section.blocks[first_after : bisect_right(section.blocks, end, key=_line_start)]
    told = grouped(nested)
    first = told[0].line_start if told else end + 1
    extra = [f"- {b.text}" for b in nested if b.line_start < first]
    return Draft(
        title=named.group(1).strip(" :：") if named else first_words(text),
        statement="\n".join([text, *extra]),
        scenarios=told,
        domain=_label_above(section, block) or _telling_title(section),
        priority=priority_of(section),
        line_start=start,
        line_end=end,
        is_done=is_ticked(block.text),
    )


def priority_of(section: Section) -> str | None:
    """`Priority: Must have` below a heading says so of all that stands there."""
    first = next((b for b in section.blocks[:2] if b.kind is BlockKind.PARAGRAPH), None)
    found = _PRIORITY_LINE.match(first.text) if first else None
    if found is None:
        return None
    return LATER if is_future(found[1]) else normal_priority(found[1])


def _label_above(section: Section, block: Block) -> str:
    """The bold line over its list, in a section of several such lists."""
    at = bisect_right(section.blocks, block.line_start, key=_line_start)
    near = section.blocks[max(at - _LIST_MAX, 0) : at]
    label = next((b for b in reversed(near) if b.kind is BlockKind.PARAGRAPH), None)
    if label is None or not _is_group_line(label):
        return ""
    labels = islice((b for b in section.blocks if _is_group_line(b)), _LABELS_MIN)
    return label.text.strip(" *_:：\n") if len(list(labels)) == _LABELS_MIN else ""


def _is_group_line(block: Block) -> bool:
    found = GROUP_LINE.match(block.text.strip()) if block.kind is BlockKind.PARAGRAPH else None
    return (
        found is not None
        and not is_normative(block)
        and not is_criteria_label(block.text.strip())
        and not says_only_requirements(found[1])
        and not ATTRIBUTE.fullmatch(found[1].strip(" :："))
    )


def _telling_title(section: Section) -> str:
    """The heading, or the one above it where it is only `Core features`."""
    above = [title for title in section.trail[1:] if not says_only_requirements(title)]
    return above[-1] if above and says_only_requirements(section.title) else section.title


def _line_start(block: Block) -> int:
    return block.line_start


def labelled_features(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """`- **Search**: …` below a chapter of features that binds nothing by a word."""
    lines = labelled(sections, HeadingKind.FEATURES)
    return tuple(
        item_draft(source, section, block)
        for section, block in outer_items(sections)
        if block.line_start in lines
    )


def plain_functions(
    source: Source, sections: Sequence[Section], made: Mapping[int, Draft] = _NONE
) -> tuple[Draft, ...]:
    """What stands in chapters called only *functional requirements* or *features*, binding or not; else
    in those called *requirements*; else in those of the first scope, which elsewhere sums them up.

    The lists of the chapter and of its parts; a part without a list is one. For pages that have nothing
    else: beside requirements, a list of features is a summary of them. `made` are drafts of items by line.
    """
    for is_named in (_says_functions, _says_requirements, _says_scope):
        found = _plain_lists(source, sections, is_named, made)
        if len(found) > 1:
            return found
    return ()


def _plain_lists(
    source: Source,
    sections: Sequence[Section],
    is_named: Callable[[str], bool],
    made: Mapping[int, Draft],
) -> tuple[Draft, ...]:
    found: list[Draft] = []
    kinds = (HeadingKind.FEATURES, HeadingKind.REQUIREMENTS)
    told = frozenset[int]().union(*(described(sections, kind) for kind in kinds))
    for position, section in enumerate(sections):
        inside = [t for t in section.titles[1:] if is_named(t)]
        is_within = is_within_chapter(section) or (bool(inside) and IN_SCOPE.match(inside[-1]))
        if not inside or not is_within or is_future(section.title) or names_a_machine(section):
            continue
        if trail_kind(section.titles) is HeadingKind.OUT_OF_SCOPE:
            continue
        if lists_data(section) or lists_fields(section) or is_no_feature(section):
            continue
        if any(TESTING.match(t) or TELLS_STEPS.match(t) for t in section.titles[1:]):
            continue
        items = [
            made.get(block.line_start) or item_draft(source, section, block)
            for _, block in outer_items([section])
        ]
        is_part = section.title != inside[-1]
        is_said = any(b.kind is BlockKind.PARAGRAPH for b in section.blocks)
        # What its labels describe is one thing, too.
        # So is what a sentence says before it lists what belongs to it.
        is_told = section.line in told or _begins_with_a_sentence(section)
        if is_part and (is_told or (is_said and not items)):
            end = last_line(source, section.line, end_with_criteria(sections, position))
            items = [
                Draft(
                    title=PART_NUMBER.sub("", section.title) or section.title,
                    statement=source.shown_text(section.line + 1, end).strip(),
                    scenarios=criteria_of(sections, position, end),
                    domain=section.trail[-1],
                    line_start=section.line,
                    line_end=end,
                )
            ]
        found += items
    return tuple(found)


def _begins_with_a_sentence(section: Section) -> bool:
    first = section.blocks[0] if section.blocks else None
    is_said = first is not None and first.kind is BlockKind.PARAGRAPH
    return is_said and first is not None and first.text.rstrip().endswith((".", "。"))


def _says_functions(title: str) -> bool:
    return _says_requirements(title, _OF_FUNCTIONS) and FUNCTIONS.search(title) is not None


_OF_FUNCTIONS = (HeadingKind.REQUIREMENTS, HeadingKind.FEATURES)


def _says_requirements(
    title: str, kinds: Sequence[HeadingKind] = (HeadingKind.REQUIREMENTS,)
) -> bool:
    return says_only_requirements(title) and heading_kind(title) in kinds


def _says_scope(title: str) -> bool:
    return IN_SCOPE.match(title) is not None


def labelled(sections: Sequence[Section], kind: HeadingKind) -> frozenset[int]:
    """The lines of items with a bold label in chapters of functions, but of those that only describe."""
    found = _labels(sections, kind)
    telling = described(sections, kind)
    return frozenset(
        line for at, own in found.items() if sections[at].line not in telling for _, line in own
    )


def described(sections: Sequence[Section], kind: HeadingKind) -> frozenset[int]:
    """The lines of headings whose labelled items describe what the heading names: `**Priority**: high`.

    Labels do that of which half come again in other sections, or one says what kind of word follows;
    and, where they do so in most parts of a chapter, all labels of it.
    """
    found = {at: own for at, own in _labels(sections, kind).items() if own}
    seen = Counter(label for own in found.values() for label in {name for name, _ in own})
    telling = {
        at
        for at, own in found.items()
        if 2 * sum(seen[label] > 1 for label, _ in own) >= len(own)
        or any(ATTRIBUTE.fullmatch(label) for label, _ in own)
    }
    parts = Counter(sections[at].trail[:2] for at in found)
    tell = Counter(sections[at].trail[:2] for at in telling)
    return frozenset(
        sections[at].line
        for at in found
        if at in telling or 2 * tell[sections[at].trail[:2]] > parts[sections[at].trail[:2]]
    )


def _labels(sections: Sequence[Section], kind: HeadingKind) -> dict[int, list[tuple[str, int]]]:
    found: dict[int, list[tuple[str, int]]] = {}
    for at, section in enumerate(sections):
        is_below = any(heading_kind(title) is kind for title in section.titles[1:])
        if is_below and is_within_chapter(section) and is_of_functions(section):
            found[at] = [
                ((label[1] or label[2]).strip(" :：").casefold(), block.line_start)
                for block in section.blocks
                if block.kind is BlockKind.ITEM
                and block.indent <= 1
                and (label := LABEL_START.match(BOX.sub(r"\1", block.text)))
            ] or _bold_starts(section)
    return found


def _bold_starts(section: Section) -> list[tuple[str, int]]:
    """`- **Offline cache** with its limits`, where nearly all items of a list begin so."""
    items = [b for b in section.blocks if b.kind is BlockKind.ITEM and b.indent <= 1]
    starts = [(found, b.line_start) for b in items if (found := BOLD_START.match(b.text))]
    whole = len(starts) > 1 and 5 * len(starts) >= 4 * len(items)
    return [(found[1].strip(" :：").casefold(), line) for found, line in starts] if whole else []


def is_within_chapter(section: Section) -> bool:
    return trail_kind(section.titles) in (HeadingKind.REQUIREMENTS, HeadingKind.FEATURES)


def is_of_functions(section: Section) -> bool:
    return any(
        FUNCTIONS.search(t) and heading_kind(t) is not HeadingKind.NONFUNCTIONAL
        for t in section.titles[1:]
    ) and not is_no_feature(section)


def is_no_feature(section: Section) -> bool:
    """Whether a heading leaves it out; `Key features` below `Product overview` are what the page asks for."""
    inner = section.titles[1:]
    core = [at for at, title in enumerate(inner) if CORE_FEATURES.match(title)]
    return any(NOT_A_FEATURE.search(title) for title in inner[core[-1] if core else 0 :])


def is_technical(section: Section) -> bool:
    return any(TECHNICAL.match(title) for title in section.titles[1:])


def is_of_quality(title: str) -> bool:
    """Whether a chapter says how good the whole has to be: `Performance requirements`."""
    return OF_QUALITY.match(title) is not None
