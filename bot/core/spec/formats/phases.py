"""The phases of a page (`Phase 1 (MVP)`, `M2 — Client`), and which of its requirements each names.

A phase says when, and is no dependency: it only orders what may run side by side.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.core.spec.drafts import Draft
from bot.core.spec.outline import Block, BlockKind, Section

_DIGITS = {sign: n for n, sign in enumerate("一二三四五六七八九", 1)}
_PHASE = re.compile(
    r"^[^\w]*(?:(?:phase|milestone|release|stage|iteration|sprint|fase|étape|etapa|etap|meilenstein|этап|фаза|阶段|フェーズ|"
    r"단계|마일스톤|マイルストーン)\s*+(?:#\s*+)?(?P<n>\d{1,2})|[MVP](?P<m>[1-9])(?=\W)|第(?P<c>[一二三四五六七八九\d])(?:阶段|期|フェーズ)|"
    r"(?P<k>\d{1,2})(?:단계|차)|フェーズ\s*(?P<j>\d))(?!\d|\.\d)",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"[(（\[][^()（）\[\]]{0,200}[)）\]]")
_PARTS = re.compile(r"<br\s*/?>|[,;、，；]|\s\+\s")
_NUMBER = re.compile(r"^\W*(?:\d{1,3}(?:\.\d{1,3}){0,4}[.)]?\s+)?")
_WORDS = re.compile(r"[^\W\d_]+")
_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_HANGUL = re.compile("[\uac00-\ud7af]")
_STEM = 5
# So much of the shorter name must be the same, in hundredths.
_ALIKE_MIN = 60
# Comparing thousands of lines with hundreds of names takes long and tells nothing.
_COMPARED_MAX = 20_000


def by_phase(drafts: Sequence[Draft], sections: Sequence[Section]) -> tuple[Draft, ...]:
    """With the phase that names each, where it has no priority of its own."""
    inside = {line for d in drafts for line in range(d.line_start, d.line_end + 1)}
    named = [
        (n, words)
        for n, line, text in _named(sections)
        if line not in inside and (words := _subjects(text))
    ]
    too_many = len(named) * len(drafts) > _COMPARED_MAX
    if len({n for n, _ in named}) < 2 or too_many:
        return tuple(drafts)
    phases: defaultdict[str, set[int]] = defaultdict(set)
    for n, words in named:
        for word in words:
            phases[word].add(n)
    told = [_phase(draft, named, phases) for draft in drafts]
    if len({n for n in told if n}) < 2:
        return tuple(drafts)
    return tuple(
        replace(draft, priority=f"phase {n}") if n and not draft.priority else draft
        for draft, n in zip(drafts, told, strict=True)
    )


def _phase(
    draft: Draft,
    named: Sequence[tuple[int, frozenset[str]]],
    phases: defaultdict[str, set[int]],
) -> int:
    """The phase whose line is most like its title, else like its group; 0 if none is."""
    for name in (draft.title, draft.domain):
        own = _subjects(name)
        scores = [(_alike(own, words, phases), -n) for n, words in named]
        best = max(scores, default=(0, 0))
        if best[0] >= _ALIKE_MIN:
            return -best[1]
    return 0


def _alike(own: frozenset[str], words: frozenset[str], phases: defaultdict[str, set[int]]) -> int:
    same = own & words
    # One word that several phases say tells none from another.
    if not same or (len(same) == 1 and own != words and len(phases[next(iter(same))]) > 1):
        return 0
    return (
        200 * len(same) // (len(own) + len(words))
        if len(same) > 1
        else 100 * len(same) // min(len(own), len(words))
    )


def _named(sections: Sequence[Section]) -> Iterator[tuple[int, int, str]]:
    """Each line below a phase, with the number of the phase and its place."""
    for section in sections:
        current = _number(section.title) if section.level > 1 else 0
        for block in section.blocks:
            own = _number(block.text) if block.kind is not BlockKind.ROW else 0
            if block.kind is BlockKind.ROW:
                yield from _of_row(block)
            elif own and block.kind is BlockKind.ITEM:
                for part in _PARTS.split(_BRACKETS.sub("", _PHASE.sub("", block.text, count=1))):
                    yield own, block.line_start, part
            elif own:
                current = own
            elif current and block.kind is BlockKind.ITEM:
                yield current, block.line_start, block.text


def _of_row(block: Block) -> Iterator[tuple[int, int, str]]:
    number = next((n for cell in block.cells[:2] if (n := _number(cell))), 0)
    for cell in block.cells if number else ():
        for part in _PARTS.split(cell):
            yield number, block.line_start, part


def _number(text: str) -> int:
    found = _PHASE.match(text.strip())
    said = next((g for g in found.groups() if g), "") if found else ""
    return _DIGITS.get(said) or (int(said) if said.isdigit() else 0)


def _subjects(text: str) -> frozenset[str]:
    plain = _BRACKETS.sub(" ", _NUMBER.sub("", text)).casefold()
    found: set[str] = set()
    for word in _WORDS.findall(plain):
        if _DENSE.search(word):
            found.update(word[at : at + 2] for at in range(len(word) - 1))
        elif _HANGUL.search(word):
            found.update([word[:2]] if len(word) > 1 else ())
        elif len(word) > 3:
            found.add(word[:_STEM])
    return frozenset(found)
