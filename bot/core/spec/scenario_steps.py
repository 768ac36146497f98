"""Scenarios: given, when and then, in bullets, paragraphs or one line, in several languages.

A step begins at a bold keyword, at an upper-case one, or at a keyword that begins its line; "and"
belongs to the step before it. Text that no keyword opens stays with the scenario as text.
Deliberately absent: which heading makes a scenario (each format knows its own).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bot.core.spec.outline import Block, BlockKind
from bot.core.spec.reading import Source, without_code_spans
from bot.core.spec.triage.words import BOLD_STEP, UPPER_STEP, StepKind, bare_step, step_kind
from bot.core.values.spec_model import Scenario

_PREFIX = re.compile(r"^\s*(?:>\s*)*(?:[-*+•]\s+|\d{1,9}(?:\.\d+)*[.)]?\s+)?(?:\[[ xX]\]\s+)?")
_COMMA_STEP = re.compile(
    r"(?<=[,，;；])\s*(?=(?:When|Then|And|But|Quand|Alors|Cuando|Entonces|Quando|Então|Gdy|Wtedy|Когда|Тогда|Wenn|Dann)\s)"
)
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
    """The scenario that a text of its own tells (a criterion, a paragraph)."""
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
    """An acceptance criterion: steps, or EARS, where THE SYSTEM SHALL opens what must happen."""
    found = scenario_of_text(name, text, line_start, line_end)
    if found.then:
        return found
    steps = split_steps([_EARS.sub(lambda m: "\n**Then** " + m.group(1), text, count=1)])
    flat = text.replace("\n", " ")
    shall = _EARS.search(flat)
    if not shall:
        return found
    before = flat[: shall.start()].strip(" ,，")
    given, when, _ = split_steps([before]) if before else ((), (), ())
    del steps
    if before and not (given or when):
        when = (before,)
    return found.model_copy(
        update={"given": given, "when": when, "then": (flat[shall.start(1) :].strip(),)}
    )


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
    """The kind of the step that the text begins with, if it begins with one."""
    plain = _PREFIX.sub("", text, count=1)
    bold = BOLD_STEP.match(plain)
    if bold:
        return step_kind(bold.group(1))
    bare = bare_step(plain)
    return bare[0] if bare else None


def grouped(blocks: Sequence[Block]) -> tuple[Scenario, ...]:
    """Scenarios told by bullets, numbered items or paragraphs that no heading names.

    One block with a beginning and an end is one scenario; steps in blocks of their own are joined
    until the next one begins. A scenario has a WHEN or a GIVEN, and a THEN.
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
    """The line cut at its keywords; words before the first keyword have no kind."""
    opening = bare_step(text)
    marks: list[tuple[int, int, StepKind]] = []
    if opening:
        marks.append((0, opening[1], opening[0]))
    plain = without_code_spans(text)
    for found in BOLD_STEP.finditer(plain):
        kind = step_kind(found.group(1))
        if kind:
            marks.append((found.start(), found.end(), kind))
    if marks:
        for found in UPPER_STEP.finditer(plain):
            kind = step_kind(found.group(1))
            if kind:
                marks.append((found.start(), found.end(), kind))
    if opening:
        for found in _COMMA_STEP.finditer(plain):
            step = bare_step(plain[found.end() :])
            if step:
                marks.append((found.end(), found.end() + step[1], step[0]))
    if not marks:
        return [(None, text)]
    return _cut(text, sorted(marks, key=lambda m: (m[0], m[1])))


def _cut(text: str, marks: list[tuple[int, int, StepKind]]) -> list[tuple[StepKind | None, str]]:
    segments: list[tuple[StepKind | None, str]] = []
    if text[: marks[0][0]].strip():
        segments.append((None, text[: marks[0][0]]))
    covered = -1
    kept = [m for m in marks if m[0] >= covered and (covered := m[1]) >= 0]
    for position, (_, begin, kind) in enumerate(kept):
        end = kept[position + 1][0] if position + 1 < len(kept) else len(text)
        segments.append((kind, text[begin:end]))
    return segments


def _trimmed(step: str) -> str:
    return step.strip().rstrip(",，、;； ").strip()
