"""Scenarios: given, when and then, in bullets, paragraphs or one line.

"And" continues the step before it. Text without a step word stays with the scenario as text.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bot.core.spec.outline import Block, BlockKind
from bot.core.spec.reading import Source, without_code_spans
from bot.core.spec.step_words import (
    Step,
    StepKind,
    bare_step,
    bold_step,
    bold_steps,
    upper_steps,
)
from bot.core.values.spec_model import Scenario

_PREFIX = re.compile(r"^\s*(?:>\s*)*(?:[-*+•]\s+|\d{1,9}(?:\.\d+)*[.)]?\s+)?(?:\[[ xX]\]\s+)?")
_COMMA = re.compile(r"[,，;；]\s*")
# No step word is longer, so the rest of a long line is not searched.
_STEP_WORD_MAX = 60
_EARS = re.compile(
    r"(?:^|[\s,，])((?:THE|the|The)\s+[^,.;]{1,80}?\s+SHALL\b|[^\s,，]{1,40}\s+SHALL\b|系统应|应当?|必须)"
)
_NAME_MAX = 100


@dataclass(slots=True)
class _Steps:
    found: dict[StepKind, list[str]] = field(
        default_factory=lambda: {StepKind.GIVEN: [], StepKind.WHEN: [], StepKind.THEN: []}
    )
    current: StepKind | None = None

    def add(self, kind: StepKind, words: str) -> None:
        self.current = (self.current or StepKind.GIVEN) if kind is StepKind.MORE else kind
        self.found[self.current].append(words)

    def extend(self, words: str) -> None:
        if self.current is not None and words.strip():
            steps = self.found[self.current]
            steps[-1] = f"{steps[-1]}\n{words.strip()}".strip()


def scenario(name: str, source: Source, line_start: int, line_end: int) -> Scenario:
    """The scenario whose body is these lines (the heading line may be the first of them)."""
    body_start = line_start
    if source.visible[line_start - 1].lstrip().startswith("#"):
        body_start += 1
    lines = [source.visible[n - 1] or source.shown[n - 1] for n in range(body_start, line_end + 1)]
    given, when, then = split_steps(lines)
    return Scenario(
        name=name,
        text=source.shown_text(body_start, line_end),
        given=given,
        when=when,
        then=then,
        line_start=line_start,
        line_end=line_end,
    )


def scenario_of_text(name: str, text: str, line_start: int, line_end: int) -> Scenario:
    """The scenario in a text without a heading (a criterion, a paragraph)."""
    given, when, then = split_steps(text.split("\n"))
    return Scenario(
        name=name or text_name(text),
        text=text,
        given=given,
        when=when,
        then=then,
        line_start=line_start,
        line_end=line_end,
    )


def criterion(name: str, text: str, line_start: int, line_end: int) -> Scenario:
    """An acceptance criterion: steps, or EARS, where THE SYSTEM SHALL starts the result."""
    found = scenario_of_text(name, text, line_start, line_end)
    if found.then:
        return found
    flat = text.replace("\n", " ")
    shall = _EARS.search(flat)
    if not shall:
        return found
    before = flat[: shall.start()].strip(" ,，")
    given, when, _ = split_steps([before]) if before else ((), (), ())
    if before and not (given or when):
        when = (before,)
    return found.replace(given=given, when=when, then=(flat[shall.start(1) :].strip(),))


def text_name(text: str) -> str:
    """A name for a scenario that has none: its first words, without emphasis."""
    flat = re.sub(r"[*`]|__", "", " ".join(text.split()))
    return flat if len(flat) <= _NAME_MAX else flat[: _NAME_MAX - 1].rsplit(" ", 1)[0] + "…"


def split_steps(
    lines: Iterable[str],
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The given, when and then steps of some lines."""
    steps = _Steps()
    for line in lines:
        text = _PREFIX.sub("", line, count=1)
        for kind, words in _segments(text):
            if kind is None:
                steps.extend(line.strip() if words == text else words)
            else:
                steps.add(kind, words)
    found = [
        tuple(w for w in (_trimmed(step) for step in steps.found[kind]) if w)
        for kind in (StepKind.GIVEN, StepKind.WHEN, StepKind.THEN)
    ]
    return found[0], found[1], found[2]


def opens_step(text: str) -> StepKind | None:
    """The kind of the step that the text begins with, or None."""
    plain = _PREFIX.sub("", text, count=1)
    step = bold_step(plain) or bare_step(plain)
    return step.kind if step else None


def grouped(blocks: Sequence[Block]) -> tuple[Scenario, ...]:
    """Scenarios in bullets, numbered items or paragraphs without headings.

    A block with a beginning and an end is one scenario; single steps are joined until the next
    scenario begins. A scenario has a WHEN or a GIVEN, and a THEN.
    """
    scenarios: list[Scenario] = []
    group: list[Block] = []
    for block in blocks:
        kind = opens_step(block.text)
        if kind is None:
            if group and block.kind is BlockKind.ITEM and block.indent > group[-1].indent:
                group.append(block)
            else:
                _close(group, scenarios)
            continue
        begins = kind is StepKind.GIVEN or (kind is StepKind.WHEN and _has(group, StepKind.WHEN))
        if begins or (group and block.is_numbered and kind is not StepKind.MORE):
            _close(group, scenarios)
        group.append(block)
    _close(group, scenarios)
    return tuple(scenarios)


def _has(group: list[Block], wanted: StepKind) -> bool:
    return any(opens_step(block.text) is wanted for block in group)


def _close(group: list[Block], scenarios: list[Scenario]) -> None:
    if not group:
        return
    text = "\n".join(block.text for block in group)
    given, when, then = split_steps(text.split("\n"))
    if then and (given or when):
        scenarios.append(
            Scenario(
                name=text_name((when or given)[0]),
                text=text,
                given=given,
                when=when,
                then=then,
                line_start=group[0].line_start,
                line_end=group[-1].line_end,
            )
        )
    group.clear()


def _segments(text: str) -> list[tuple[StepKind | None, str]]:
    """The line, split at its step words; text before the first one has no kind."""
    opening = bare_step(text)
    plain = without_code_spans(text)
    marks = [*([opening] if opening else []), *bold_steps(plain)]
    if marks:
        marks += upper_steps(plain)
    if opening:
        marks += _steps_after_commas(plain)
    if not marks:
        return [(None, text)]
    return _cut(text, sorted(marks, key=lambda mark: (mark.start, mark.end)))


def _steps_after_commas(plain: str) -> list[Step]:
    """Steps that continue in one line: "Quand il paie, Alors ..."."""
    found = []
    for comma in _COMMA.finditer(plain):
        at = comma.end()
        step = bare_step(plain[at : at + _STEP_WORD_MAX]) if plain[at : at + 1].isupper() else None
        if step and step.kind is not StepKind.GIVEN:
            found.append(Step(at, at + step.end, step.kind))
    return found


def _cut(text: str, marks: list[Step]) -> list[tuple[StepKind | None, str]]:
    segments: list[tuple[StepKind | None, str]] = []
    if text[: marks[0].start].strip():
        segments.append((None, text[: marks[0].start]))
    covered = -1
    kept = [m for m in marks if m.start >= covered and (covered := m.end) >= 0]
    for position, mark in enumerate(kept):
        end = kept[position + 1].start if position + 1 < len(kept) else len(text)
        segments.append((mark.kind, text[mark.end : end]))
    return segments


def _trimmed(step: str) -> str:
    return step.strip().rstrip(",，、;； ").strip()
