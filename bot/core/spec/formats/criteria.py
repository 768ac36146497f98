"""Acceptance criteria and scenarios that stand below a requirement: after a label, or a heading."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from bot.core.spec.criteria_names import ACCEPTANCE_SCENARIO
from bot.core.spec.formats.openspec import last_line
from bot.core.spec.outline import Block, BlockKind, Section
from bot.core.spec.reading import Source
from bot.core.spec.scenario_steps import criterion, grouped, opens_step, scenario, scenario_of_text
from bot.core.spec.step_words import StepKind
from bot.core.spec.triage.words import HeadingKind, heading_kind
from bot.core.values.spec_model import Scenario

_LABEL_WORDS = (
    r"(?:acceptance(?: criteri(?:a|on)| tests?)?(?: \([^()]{1,30}\))?|criteria|consequences(?: \(testable\))?|验收标准|验收条件|"
    r"critères? d['’]acceptation|criterios? de aceptación|critérios? de aceit(?:a[çc]ão|e)|criteri(?:o)? di accettazione|kryteri(?:a|um) akceptacji|"
    r"критери[ий] при[её]мки|crit[eè]res|criterios?|crit[eé]rios?|criteri|kriteri(?:en|um)|критерии|критері[ії] (?:приймання|прийняття)|acceptatiecriteri(?:a|um)|acceptanskriteri(?:er|um)|accept(?:kriteri(?:er|um)|ancekriteri(?:er|um))|"
    # When it is done.
    r"kriterien (?:zur|der|für die) (?:fertigstellung|erfüllung|abnahme)|(?:fertigstellungs|erfüllungs|erledigungs)kriterien|"
    r"completion criteria|conditions of satisfaction|done when|critères? (?:d['’]achèvement|de (?:validation|recette|complétion))|"
    r"criterios? de (?:finalización|validación|cumplimiento)|critérios? de (?:conclusão|validação)|criteri di (?:completamento|validazione)|"
    r"критери[ий] (?:готовности|завершения|выполнения)|kryteria ukończenia|tamamlanma kriterleri|kabul (?:ölçüt|koşul)leri|"
    r"(?:完成|完了|達成)(?:标准|標準|条件|條件|基準)|완료 ?(?:조건|기준)|"
    r"akseptansekriteri(?:er|um)|hyväksymis(?:kriteerit|ehdot)|kabul kriter(?:ler)?i|kriteria penerimaan|tiêu chí chấp nhận|elfogadási (?:kritériumok|feltételek)|akceptační kritéri(?:a|um)|"
    r"驗收(?:標準|條件|情境|場景)|(?:akzeptanz|abnahme)kriteri(?:en|um)|受け?入れ?(?:基準|条件)|"
    rf"{ACCEPTANCE_SCENARIO})"
)
_CRITERIA_LABEL = re.compile(
    rf"^\**+\s*+{_LABEL_WORDS}\s*+[:：]?+\s*+\**+\s*+[:：]?$", re.IGNORECASE
)
_STEP_WITH_ID = re.compile(r"^(?P<id>[A-Z]{1,8}(?:[-.]?\d{1,4}){1,3})\s*[:：]\s*(?P<text>\S.*)$")
# The label and its one criterion in a line.
_ONE_CRITERION = re.compile(
    rf"^\**+\s*+{_LABEL_WORDS}\s*+(?:\**+\s*+[:：]|[:：]\s*+\**+)\s*+\**+\s*+(?P<text>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
# A longer line with a colon is a sentence.
_LABEL_MAX = 40
_GHERKIN = frozenset(["gherkin", "feature", "cucumber"])
_YAML = frozenset(["yaml", "yml"])
_YAML_KEY = re.compile(
    r"^\s*+(?:acceptance(?:[_ -]?(?:criteria|tests?))?|criteria|criterios(?:[_ -]de[_ -]aceptacion)?|ac)\s*+:\s*$",
    re.I,
)
_YAML_STEP = re.compile(r"^[ \t]*+(given|when|then|and|but):[ \t]", re.IGNORECASE | re.MULTILINE)
_EARS_SENTENCE = re.compile(r"(?:WHEN|WHILE|IF|WHERE|When|While|If|Where|In|The|THE)\b")
_SCENARIO_TITLE = re.compile(
    r"^(?:scenario|场景|cenário|escenario|scénario|scenariusz|сценарий)\b\s*\d*\s*[:：]?\s*", re.I
)


def is_criteria_label(line: str) -> bool:
    """Whether a line is the label above a list of acceptance criteria."""
    return bool(_CRITERIA_LABEL.match(line))


def criteria_in_lines(blocks: Sequence[Block]) -> tuple[Scenario, ...]:
    """What stands behind a label in its own line: `- Acceptance criterion: the address is checked`."""
    return tuple(
        criterion("", found["text"], block.line_start, block.extent_end)
        for block in blocks
        if (found := _ONE_CRITERION.match(block.text))
    )


TICK = re.compile(r"[✅✔☑]\ufe0f?\s*+(?=\S)")


def ticked_lines(blocks: Sequence[Block]) -> tuple[Scenario, ...]:
    """Lines of paragraphs that begin with a tick: `✅ A wrong password is told.`"""
    return tuple(
        criterion("", found.string[found.end() :], block.line_start + at, block.line_start + at)
        for block in blocks
        if block.kind is BlockKind.PARAGRAPH
        for at, line in enumerate(block.text.split("\n"))
        if (found := TICK.match(line.strip()))
    )


def label_of(section: Section) -> Block | None:
    """The first label of criteria in a section; it may end a paragraph of labels."""
    for block in section.blocks:
        lines = block.text.strip().split("\n")
        if is_criteria_label(lines[0]) or is_criteria_label(lines[-1]):
            return block
    return None


def criteria_after(section: Section, label: Block, end: int) -> tuple[Scenario, ...]:
    """The list items after an acceptance-criteria label: joined if they are steps, else one each."""
    after = [b for b in section.between(label.line_end, end) if b.kind is BlockKind.ITEM]
    outer = min((b.indent for b in after), default=0)
    # Where each line is a whole scenario, none of them is a step of another.
    whole = [opens_step(b.text) is StepKind.GIVEN for b in after if b.indent == outer]
    told = () if len(whole) > 1 and all(whole) else grouped(after)
    if told:
        return told
    return tuple(
        criterion("", re.sub(r"^\[[^\]]?\]\s*", "", b.text), b.line_start, b.extent_end)
        for b in after
        if b.indent == outer
    )


def criteria_below_label(section: Section, label: Block, end: int) -> tuple[Scenario, ...]:
    """The criteria after a label, up to the next: technical notes are none, but a group that goes on
    counting (`**Rare cases**`, then 3.) is one of theirs.
    """
    last = 0
    after = section.between(label.line_end, end)
    for at, block in enumerate(after):
        if block.kind is BlockKind.ITEM and block.is_numbered and block.indent <= 1:
            last = _number_of(block)
        elif _is_label(block):
            following = after[at + 1] if at + 1 < len(after) else None
            goes_on = following is not None and following.is_numbered and last
            if not (goes_on and following and _number_of(following) == last + 1):
                return criteria_after(section, label, block.line_start - 1)
    return criteria_after(section, label, end)


def _number_of(block: Block) -> int:
    digits = block.marker.rstrip(".)")
    return int(digits) if digits.isascii() and digits.isdigit() else 0


def _is_label(block: Block) -> bool:
    """A paragraph in bold, or the short line above a list: `Technical notes:`."""
    if block.kind is not BlockKind.PARAGRAPH or opens_step(block.text) is not None:
        return False
    text = block.text.strip()
    is_line = "\n" not in text and len(text) <= _LABEL_MAX and text.endswith((":", "："))
    return text.startswith("**") or is_line


def criteria_of(sections: Sequence[Section], position: int, end: int) -> tuple[Scenario, ...]:
    """The steps of a section, or what stands below its label or its headings of criteria up to a line."""
    section = sections[position]
    label = label_of(section)
    return (
        grouped(section.between(0, end))
        or (criteria_below_label(section, label, min(section.body_end, end)) if label else ())
        or criteria_in_lines(section.between(0, end))
        or _below_headings(sections, position, end)
    )


def end_with_criteria(sections: Sequence[Section], position: int) -> int:
    """The last line of a section with the headings of criteria that follow it at once below."""
    end = sections[position].body_end
    for at in range(position + 1, len(sections)):
        below = sections[at]
        is_own = below.level > sections[position].level
        if not is_own or heading_kind(below.title) is not HeadingKind.CRITERIA:
            break
        end = below.body_end
    return end


def _below_headings(sections: Sequence[Section], position: int, end: int) -> tuple[Scenario, ...]:
    found: list[Scenario] = []
    for at in range(position + 1, len(sections)):
        section = sections[at]
        if section.line > end:
            break
        if heading_kind(section.title) is HeadingKind.CRITERIA and section.blocks:
            head = replace(section.blocks[0], line_end=section.line)
            found += criteria_after(section, head, section.body_end)
    return tuple(found)


def criteria_below(
    section: Section, judged_by: Sequence[Section], end: int
) -> tuple[Scenario, ...]:
    """The items below the first heading `Acceptance Criteria` of a requirement."""
    at = bisect_right(judged_by, section.line, key=lambda one: one.line)
    if at == len(judged_by) or judged_by[at].line > end:
        return ()
    own = judged_by[at]
    if own.level <= section.level or not own.blocks:
        return ()
    head = replace(own.blocks[0], line_end=own.blocks[0].line_start - 1)
    return criteria_after(own, head, min(end, own.body_end))


def fenced_scenarios(source: Source, line_start: int, line_end: int) -> tuple[Scenario, ...]:
    """The scenarios in fences that are marked as Gherkin; each begins with what is given, or a name."""
    starts: list[int] = []
    ends: list[int] = []
    is_open = is_told = is_given = False
    for line in range(line_start + 1, line_end + 1):
        text = source.shown[line - 1].strip()
        if text.startswith("```"):
            is_open = not is_open and text.strip("`").strip().casefold() in _GHERKIN
            is_told = is_given = False
            ends += [line - 1] if len(ends) < len(starts) else []
            continue
        kind = opens_step(text)
        # After a blank line and an outcome, a When begins another example.
        is_next = kind is StepKind.WHEN and (is_told or not is_given)
        is_next = is_next and not source.shown[line - 2].strip(" `gherkin")
        begins = _SCENARIO_TITLE.match(text) or kind is StepKind.GIVEN or is_next
        is_told = is_open and (kind is StepKind.THEN or (is_told and not begins))
        is_given = is_open and (bool(begins) or is_given)
        is_named = bool(starts) and bool(
            _SCENARIO_TITLE.match(source.shown[starts[-1] - 1].strip())
        )
        if (
            is_open
            and begins
            and not (len(ends) < len(starts) and is_named and line == starts[-1] + 1)
        ):
            ends += [line - 1] if len(ends) < len(starts) else []
            starts.append(line)
    ends += [line_end] if len(ends) < len(starts) else []
    return tuple(
        scenario_of_text("", source.shown_text(start, end), start, last_line(source, start, end))
        for start, end in zip(starts, ends, strict=True)
    )


def fenced_criteria(source: Source, line_start: int, line_end: int) -> tuple[Scenario, ...]:
    """The sentences of a plain fence in which conditions are written as EARS has them, one each."""
    found: list[Scenario] = []
    at: list[int] = []
    is_open = is_plain = False
    for line in range(line_start + 1, line_end + 1):
        text = source.shown[line - 1].strip()
        is_fence = text.startswith("```")
        ends = at and source.shown[at[-1] - 1].rstrip().endswith(".")
        if at and (is_fence or not text or (ends and _EARS_SENTENCE.match(text))):
            said = source.shown_text(at[0], at[-1])
            found.append(criterion("", " ".join(said.split()), at[0], at[-1]))
            at = []
        if is_fence:
            is_plain = not is_open and text.strip("`").strip() in ("", "text", "ears")
            is_open = not is_open
        elif is_open and is_plain and text:
            at.append(line)
    binding = [one for one in found if re.search(r"\b(?:SHALL|MUST)\b", one.text)]
    is_ears = any(_EARS_SENTENCE.match(one.text) for one in found)
    return tuple(found) if is_ears and len(binding) == len(found) else ()


def fenced_lists(source: Source, section: Section, line_end: int) -> tuple[Scenario, ...]:
    """The items of a YAML fence: below its key `acceptance_criteria:`, or all where a label stands above it."""
    label = label_of(section)
    starts: list[int] = []
    ends: list[int] = []
    indent = -1
    is_open = is_told = False
    for line in range(section.line + 1, line_end + 1):
        text = source.shown[line - 1]
        if text.strip().startswith(("```", "~~~")):
            is_open = not is_open and text.strip("`~ ").casefold() in _YAML
            is_told, indent = is_open and label is not None and label.line_end < line, -1
            continue
        if not (is_open and text.strip()):
            continue
        own = len(text) - len(text.lstrip())
        is_item = text.lstrip().startswith("- ")
        if not is_item and (_YAML_KEY.match(text) or own == 0):
            is_told, indent = _YAML_KEY.match(text) is not None, -1
        elif is_told and is_item and (indent < 0 or own == indent):
            indent = own
            starts.append(line)
            ends.append(line)
        elif is_told and starts and own > indent >= 0:
            ends[-1] = line
    return tuple(
        _of_yaml(source.shown_text(start, end), start, end)
        for start, end in zip(starts, ends, strict=True)
    )


def _of_yaml(text: str, start: int, end: int) -> Scenario:
    """`given: … when: … then: …` as steps, anything else as it is."""
    said = text.strip().removeprefix("-").strip()
    steps = _YAML_STEP.sub(lambda found: f"{found[1].upper()} ", said)
    return criterion("", (steps if steps != said else said).strip("\"'"), start, end)


def fenced_steps(source: Source, line_start: int, line_end: int) -> tuple[Scenario, ...]:
    """The lines of a plain fence that begin with an id and a step: `AC-01-1: GIVEN … WHEN … THEN …`."""
    found: list[tuple[str, int]] = []
    ends: list[int] = []
    is_open = False
    for line in range(line_start + 1, line_end + 1):
        text = source.shown[line - 1].strip()
        if text.startswith(("```", "~~~")):
            is_open = not is_open and text.strip("`~").strip() in ("", "text", "plain")
        elif is_open and (at := _STEP_WITH_ID.match(text)) and opens_step(at["text"]):
            found.append((at["id"], line))
            ends.append(line)
        elif is_open and text and found:
            ends[-1] = line
    return tuple(
        criterion(
            name, source.shown_text(start, end).strip()[len(name) :].lstrip(" :："), start, end
        )
        for (name, start), end in zip(found, ends, strict=True)
    )


def scenario_headings(source: Source, section: Section, end: int) -> tuple[Scenario, ...]:
    """Headings below a requirement that are called Scenario and have a body."""
    found = []
    for line in range(section.line + 1, min(section.end, end) + 1):
        text = source.visible[line - 1]
        if not text.startswith("#"):
            continue
        level = len(text) - len(text.lstrip("#"))
        title = text.strip("# \t")
        if level <= section.level or not _SCENARIO_TITLE.match(title):
            continue
        stop = line
        while stop < end and not source.visible[stop].startswith("#"):
            stop += 1
        stop = last_line(source, line, stop)
        if stop > line:
            found.append(scenario(_SCENARIO_TITLE.sub("", title) or title, source, line, stop))
    return tuple(found)
