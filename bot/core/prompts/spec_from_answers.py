"""Writes a spec file, from its parts or from people's answers, and reads it back.

Every field becomes one line of plain text under fixed headings, so that no field can add a
requirement, a section or front matter. What is read back must be equal to what was given.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from bot.core.plan.readiness import blocking
from bot.core.prompts.issue_forms import WrittenRequirement, WrittenSpec
from bot.core.spec.read import read_spec
from bot.core.spec.triage.triage import Strictness, stops
from bot.core.values.ids import Frozen
from bot.core.values.issue_input import Exchange
from bot.core.values.quoting import visible
from bot.core.values.spec_model import Severity, Spec

# What would start something other than a paragraph: a heading, a list, a quotation, a fence, a table.
_OPENING = re.compile(r"^(?:[\s#>*+~`=|_-]+|\d{1,9}[.)]\s+)+")
_STATEMENT_CHARACTERS_MAX = 800
_REASONS_MAX = 12

WHAT = "What must become true? One sentence, with SHALL or MUST."
WHO = "Who does what, so that it shows? One example."
THEN = "What happens then, with a concrete value?"
NOT = "What is not part of it?"

# Questions that need no understanding of the issue, each with the use of the answer.
CHECKLIST: tuple[tuple[str, str], ...] = (
    (WHAT, "This becomes the requirement."),
    (WHO, "This becomes the WHEN of its scenario."),
    (THEN, "This becomes the THEN: when it is so, the work is done."),
    (NOT, "This keeps what nobody wants out of the plan."),
)


class WrittenText(Frozen):
    """`reasons` say why the file cannot be used, `is_read_back` whether it was read back correctly."""

    text: str
    reasons: tuple[str, ...] = ()
    is_read_back: bool = True


def is_ready(path: str, text: str) -> bool:
    """Whether a text is already a usable spec: it has requirements and triage finds nothing."""
    spec = _read(path, text)
    return bool(spec.requirements) and not blocking(spec) and not stops(spec, Strictness.STRICT)


def written(path: str, parts: WrittenSpec, exchanges: Sequence[Exchange]) -> WrittenText:
    """The file of a spec from its parts, read back and checked."""
    ids = _ids(parts.requirements)
    lines = [f"# {_line(parts.title)}", ""]
    if purpose := _line(parts.purpose):
        lines += [purpose, ""]
    lines += ["## Requirements", ""]
    for id_, requirement in zip(ids, parts.requirements, strict=True):
        lines += [f"### {id_}: {_line(requirement.title)}", _line(requirement.statement), ""]
        for scenario in requirement.scenarios:
            lines += [f"#### Scenario: {_line(scenario.name)}"]
            lines += _steps("GIVEN", scenario.given)
            lines += _steps("WHEN", scenario.when)
            lines += _steps("THEN", scenario.then)
            lines.append("")
    lines += _listed("Out of scope", parts.out_of_scope)
    lines += _listed("Open questions", [e.question for e in exchanges if not e.answer])
    text = _file(lines)
    return _judged(path, text, ids, parts.requirements)


def written_by_rules(title: str, body: str, exchanges: Sequence[Exchange]) -> str:
    """The file of a spec from people's own answers to the checklist, word for word."""
    said = {e.question: _line(e.answer) for e in exchanges if e.answer}
    told = _line(visible(body))[:_STATEMENT_CHARACTERS_MAX]
    lines = [f"# {_line(title)}", "", "## Requirements", ""]
    lines += [f"### {_id_of(title)}: {_line(title)}", said.get(WHAT) or told or _line(title), ""]
    if said.get(WHO) and said.get(THEN):
        lines += [f"#### Scenario: {_line(title)}"]
        lines += [*_steps("WHEN", [said[WHO]]), *_steps("THEN", [said[THEN]]), ""]
    lines += _listed("Out of scope", [said[NOT]] if NOT in said else [])
    ours = {sentence for sentence, _ in CHECKLIST}
    others = [e for e in exchanges if e.answer and e.question not in ours]
    lines += _listed("Notes", [f"{_line(e.question)} {_line(e.answer)}" for e in others])
    lines += _listed("Open questions", [e.question for e in exchanges if not e.answer])
    return _file(lines)


def _judged(
    path: str, text: str, ids: Sequence[str], requirements: Sequence[WrittenRequirement]
) -> WrittenText:
    spec = _read(path, text)
    wanted = [
        (id_, _line(r.title), _line(r.statement), len(r.scenarios))
        for id_, r in zip(ids, requirements, strict=True)
    ]
    found = [
        (r.source_id, r.title, _line(r.statement), len(r.scenarios)) for r in spec.requirements
    ]
    if found != wanted:
        lost = [f"{w[0]} ({w[1]!r})" for w in wanted if w not in found]
        more = [f"{f[1]!r}" for f in found if f not in wanted]
        return WrittenText(
            text=text,
            reasons=(
                "Written down, it does not read as it was meant: "
                f"{', '.join((lost or more)[:_REASONS_MAX])}. Use plain sentences without markup, and "
                "no step keyword inside of a statement.",
            ),
            is_read_back=False,
        )
    blocks = [f for f in spec.findings if f.severity is Severity.BLOCK]
    reasons = dict.fromkeys(f"{f.quote}: {f.question}" for f in blocks)
    return WrittenText(text=text, reasons=tuple(reasons)[:_REASONS_MAX])


def _read(path: str, text: str) -> Spec:
    return read_spec(path, {path: text.encode()})


def _ids(requirements: Iterable[WrittenRequirement]) -> tuple[str, ...]:
    counts: Counter[str] = Counter()
    found = []
    for requirement in requirements:
        counts[requirement.area] += 1
        found.append(f"REQ-{requirement.area.upper()}-{counts[requirement.area]:02d}")
    return tuple(found)


def _id_of(title: str) -> str:
    words = re.findall(r"[A-Za-z][A-Za-z0-9]{1,15}", visible(title))
    return f"REQ-{max(words, key=len).upper() if words else 'WORK'}-01"


def _line(text: str) -> str:
    """One line that is only a paragraph in Markdown."""
    return _OPENING.sub("", " ".join(visible(text).split()))


def _steps(keyword: str, steps: Sequence[str]) -> list[str]:
    words = [keyword, *(["AND"] * (len(steps) - 1))]
    return [f"- **{word}** {_line(step)}" for word, step in zip(words, steps, strict=False)]


def _listed(heading: str, points: Sequence[str]) -> list[str]:
    return [f"## {heading}", "", *(f"- {_line(point)}" for point in points), ""] if points else []


def _file(lines: Sequence[str]) -> str:
    return "\n".join(lines).rstrip("\n") + "\n"
