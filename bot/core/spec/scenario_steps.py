"""Scenarios: given, when and then, in bullets, paragraphs or one line.

"And" continues the step before it. Text without a step word stays with the scenario as text.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from bot.core.spec.outline import Block, BlockKind
from bot.core.spec.reading import Source, code_spans
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
# `**US1-AS2**: **Given** …`
_STEP_ID = re.compile(
    r"^\*{0,2}(?:[A-Z]{1,4}\d{0,3}[-.])?(?:AS|AC|S|SC|T|TC)-?\d+(?:[.-]\d+)*\*{0,2}\s*[:：–—]\s*"
)
_NAME_LINE = re.compile(r"^\*\*[^*\n]{1,60}\*\*\s*+(?:[:：]|$)")
_COMMA = re.compile(r"[,，;；]\s*")
# No step word is longer, so the rest of a long line is not searched.
_STEP_WORD_MAX = 60
# The response of an EARS criterion begins with its actor and the word that binds it.
_RESPONSE = (
    r"(?:the|an?)\s++[^,.;]{1,80}?\s+(?:shall|must)\b|[^\s,，]{1,40}\s+shall\b|"
    r"(?:muss|müssen|soll|sollen)\s+(?:der|die|das)\s|(?:der|die|das)\s++[^,.;]{1,80}?\s+(?:muss|soll)\b|"
    r"(?:le\s|la\s|les\s|l['’])[^,.;]{1,80}?\s(?:doit|doivent|devra)\b|"
    r"(?:el|la|los|las)\s++[^,.;]{1,80}?\s+(?:debe|deben|deberá|deberán)\b|"
    r"(?:o|a|os|as)\s++[^,.;]{1,80}?\s+(?:deve|devem|deverá|deverão)\b|"
    r"(?:il|lo|la|i|gli|le)\s++[^,.;]{1,80}?\s+(?:deve|devono|dovrà)\b|"
    r"(?:system|aplikacja)\s+(?:musi|powinien|powinna)\b|"
    r"(?:система|приложение|сервис)\s+(?:должн[аоы]|должен)\b|"
    r"系统应|系統應|系统必须|系統必須"
)
_THEN = r"(?:then|dann|so|alors|entonces|então|allora|wtedy|to|то|则|則|那么)"
_EARS_AFTER_CONDITION = re.compile(
    rf"(?:^|[,，、;；]\s{{0,3}}(?:{_THEN}\s{{0,3}})?)({_RESPONSE})", re.IGNORECASE
)
_EARS = re.compile(
    r"(?:^|[\s,，])(the\s++[^,.;]{1,80}?\s+shall\b|[^\s,，]{1,40}\s+shall\b|系统应|应当?|必须)",
    re.IGNORECASE,
)
# Japanese and Korean bind at the end; the actor with its particle begins the response.
_EARS_AT_THE_END = re.compile(
    r"(?:[、,，]|場合は?、?|とき、?|たら、?|(?<=면)\s|(?<=때)\s)\s{0,3}([^、,，。.\s]{1,40}(?:は|が|은|는|이|가)[、\s]?"
    r"(?=.{1,400}(?:なければならない|こと|ものとする|(?:해야|되어야|어야|아야)\s?(?:한다|합니다|함))))"
)
# In what state, not upon which event.
_STATE = re.compile(
    r"^(?:while|where|während|solange|tant que|pendant que|mientras|enquanto|finché|dopóki|podczas gdy|пока)\b",
    re.IGNORECASE,
)
_NAME_MAX = 100
# A character that no text has and no pattern looks for.
_CODE = "\ue000"


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
    response = _response(flat)
    if not response:
        return found
    before = flat[: response.start()].strip(" ,，、")
    given, when, _ = split_steps([before]) if before else ((), (), ())
    if before and not (given or when):
        given, when = ((before,), ()) if _STATE.match(before) else ((), (before,))
    return found.replace(given=given, when=when, then=(flat[response.start(1) :].strip(),))


def _response(text: str) -> re.Match[str] | None:
    """Where an EARS criterion says what happens; code holds none of its words."""
    plain = _without_code(text)
    return (
        _EARS_AFTER_CONDITION.search(plain) or _EARS.search(plain) or _EARS_AT_THE_END.search(plain)
    )


def _without_code(text: str) -> str:
    """Code is no step word and no white space, so that it stays in the step that it belongs to."""
    if "`" not in text:
        return text
    kept, end = [], 0
    for begin, stop in code_spans(text):
        kept += [text[end:begin], _CODE * (stop - begin)]
        end = stop
    return "".join([*kept, text[end:]])


def text_name(text: str) -> str:
    """A name for a scenario that has none: its first words, without emphasis."""
    flat = re.sub(r"[*`]|__", "", " ".join(text.split()))
    return flat if len(flat) <= _NAME_MAX else flat[: _NAME_MAX - 1].rsplit(" ", 1)[0] + "…"


def split_steps(
    lines: Iterable[str],
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
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
    plain = _PREFIX.sub("", text, count=1)
    step = bold_step(plain) or bare_step(plain)
    return step.kind if step else None


def grouped(blocks: Sequence[Block]) -> tuple[Scenario, ...]:
    """Scenarios in bullets, numbered items or paragraphs without headings.

    A block with a beginning and an end is one scenario; single steps are joined until the next
    scenario begins. A scenario has two of GIVEN, WHEN and THEN.
    """
    scenarios: list[Scenario] = []
    group: list[Block] = []
    # That of the last step: what is deeper is a part of it.
    depth = 0
    for block in _told_apart(map(_without_label, blocks)):
        kind = opens_step(block.text)
        if kind is None:
            if group and block.kind is BlockKind.ITEM and block.indent > depth:
                group.append(block)
            elif group and block.kind is BlockKind.ITEM and _is_listed(group):
                group.append(replace(block, text=f"- {block.text}"))
            elif group and block.kind is BlockKind.ROW and not _has(group, StepKind.THEN):
                # A table of what is given, or done, comes before what follows.
                group.append(block)
            else:
                _close(group, scenarios)
            continue
        begins = kind is StepKind.GIVEN or (kind is StepKind.WHEN and _has(group, StepKind.WHEN))
        if begins or (group and block.is_numbered and kind is not StepKind.MORE):
            _close(group, scenarios)
        group.append(block)
        depth = block.indent
    _close(group, scenarios)
    return tuple(scenarios)


def _told_apart(blocks: Iterable[Block]) -> Iterable[Block]:
    """Blocks of several scenarios, cut where what is given follows what happens.

    In Markdown what stands in a line directly behind a list belongs to its last item.
    """
    for block in blocks:
        lines = block.text.split("\n")
        begun, is_over = 0, False
        ends = (
            (StepKind.THEN,)
            if block.kind is BlockKind.PARAGRAPH
            else (StepKind.THEN, StepKind.MORE)
        )
        for at, kind in enumerate(map(opens_step, lines) if len(lines) > 1 else ()):
            if kind is StepKind.GIVEN and is_over:
                yield _lines_of(block, lines, begun, at)
                begun, is_over = at, False
            is_over = is_over or kind in ends
        yield _lines_of(block, lines, begun, len(lines)) if begun else block


def _lines_of(block: Block, lines: Sequence[str], first: int, end: int) -> Block:
    part = replace(
        block,
        text="\n".join(lines[first:end]),
        line_start=block.line_start + first,
        line_end=block.line_end if end == len(lines) else block.line_start + end - 1,
    )
    return replace(part, kind=BlockKind.PARAGRAPH, indent=0) if first else part


def _without_label(block: Block) -> Block:
    """Without the bold line above the steps of one paragraph: `**Acceptance Criteria:**`."""
    named = _STEP_ID.match(block.text)
    if named and opens_step(block.text[named.end() :]) is not None:
        return replace(block, text=block.text[named.end() :])
    lines = block.text.split("\n")
    # `**FEATURE**: Loans` and `**SCENARIO**: A free tool` name what follows.
    at = next((n for n, line in enumerate(lines) if not _NAME_LINE.match(line)), 0)
    at = next((n for n in range(at) if opens_step(lines[n])), at)
    if not at or opens_step(lines[at]) is None:
        return block
    return replace(block, text="\n".join(lines[at:]), line_start=block.line_start + at)


def _is_listed(group: list[Block]) -> bool:
    """Whether a list belongs to the last step: `**Then** the page has:`."""
    last = group[-1].text.rstrip(" *_")
    is_step = opens_step(group[-1].text) is not None
    return last.endswith((":", "：")) if is_step else last.startswith("- ")


def _has(group: list[Block], wanted: StepKind) -> bool:
    return any(opens_step(block.text) is wanted for block in group)


def _close(group: list[Block], scenarios: list[Scenario]) -> None:
    if not group:
        return
    text = "\n".join(block.text for block in group)
    given, when, then = split_steps(text.split("\n"))
    # Without a THEN only where it has all the rest: triage asks what is to happen.
    if (then and (given or when)) or (given and when):
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
    plain = _without_code(text)
    marks = [*([opening] if opening else []), *bold_steps(plain)]
    if marks:
        marks += upper_steps(plain)
    if opening:
        marks += _steps_after_commas(plain)
        marks += _small_steps(plain) if opening.kind is StepKind.GIVEN and len(marks) == 1 else []
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


def _small_steps(plain: str) -> list[Step]:
    """`Given a card, when it is shown, then the door opens`: both that follow, or none."""
    found: list[Step] = []
    for comma in _COMMA.finditer(plain):
        at = comma.end()
        said = plain[at : at + _STEP_WORD_MAX]
        step = bare_step(said[:1].upper() + said[1:]) if said[:1].islower() else None
        wanted = StepKind.THEN if found else StepKind.WHEN
        if step and step.kind is wanted and len(found) < 2:
            found.append(Step(at, at + step.end, step.kind))
    return found if len(found) == 2 else []


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
