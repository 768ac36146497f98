"""Findings as people are told them: the same one once with its places, and no more than ten questions.

A block is never joined or left out. What is left out is counted in a finding of its own.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.core.values.spec_model import Finding, Severity

QUESTIONS_MAX = 10

# The most costly first: what makes the wrong thing be built, then what leaves a result unknown,
# then what only makes the reading harder. A code that is not named comes last.
_COSTLY_FIRST = (
    "contradiction",
    "out_of_scope_conflict",
    "other_form",
    "unclosed_fence",
    "unclosed_comment",
    "not_utf8",
    "no_requirements",
    "only_tasks",
    "not_a_spec",
    "empty",
    "marker",
    "template",
    "duplicate_id",
    "dangling_ref",
    "empty_body",
    "header_only",
    "duplicate_title",
    "no_then",
    "no_scenario",
)
# Findings that name the place in their question; together they ask this.
_TOGETHER = {
    "no_then": "These scenarios say when and not what happens then. What does?",
    "no_scenario": "These requirements have no acceptance criterion. How is each seen to hold?",
}


@dataclass(frozen=True, slots=True)
class _Key:
    code: str
    severity: Severity
    question: str


def gathered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """In line order, as given."""
    groups: dict[object, list[Finding]] = {}
    for position, finding in enumerate(findings):
        groups.setdefault(_key(finding, position), []).append(finding)
    joined = [_joined(group) for group in groups.values()]
    asked = [f for f in joined if f.severity is Severity.ASK]
    blocks = sum(f.severity is Severity.BLOCK for f in joined)
    left_out = sorted(asked, key=_cost)[max(QUESTIONS_MAX - blocks, 0) :]
    if not left_out:
        return tuple(joined)
    hidden = {id(f) for f in left_out}
    return (*(f for f in joined if id(f) not in hidden), _counted(left_out))


def _key(finding: Finding, position: int) -> object:
    if finding.severity is Severity.BLOCK:
        return position
    return _Key(finding.code, finding.severity, _TOGETHER.get(finding.code, finding.question))


def _joined(group: Sequence[Finding]) -> Finding:
    first = group[0]
    if len(group) == 1:
        return first
    return first.replace(
        question=_TOGETHER.get(first.code, first.question),
        lines=tuple(f.line for f in group),
    )


def _cost(finding: Finding) -> tuple[int, int, int]:
    known = finding.code in _COSTLY_FIRST
    rank = _COSTLY_FIRST.index(finding.code) if known else len(_COSTLY_FIRST)
    return rank, -len(finding.lines), finding.line


def _counted(left_out: Sequence[Finding]) -> Finding:
    first = left_out[0]
    codes = dict.fromkeys(f.code for f in left_out)
    kinds = ", ".join(f"{code} ({sum(f.code == code for f in left_out)})" for code in codes)
    return Finding(
        code="more_questions",
        severity=Severity.INFO,
        line=first.line,
        quote="",
        question=(
            f"{len(left_out)} more questions of less weight are not asked now: {kinds}. "
            "They are asked when others are settled in the text."
        ),
        path=first.path,
    )
