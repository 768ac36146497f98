"""What a model's plan must satisfy beyond `check`: nothing invented, no change with only tests."""

import re
from collections.abc import Iterable, Iterator

from bot.core.plan.check import check
from bot.core.plan.vocabulary import fold
from bot.core.values.ids import RequirementId
from bot.core.values.plan_model import DependencyKind, Plan, PlanFinding
from bot.core.values.spec_model import Spec

# A quotation of one word proves nothing; eight letters are about two words.
_QUOTE_CHARACTERS_MIN = 8
_TEST_FILE = re.compile(r"(?:^|/)(?:tests?|spec|__tests__)/|(?:^|/)test_[^/]*$|[._]test\.[^/]*$")
_TEST_TITLE = re.compile(
    r"^\W*+(?:add|write|extend|improve)?\s*+(?:unit |more )?tests?\b", re.IGNORECASE
)


def judged(plan: Plan, spec: Spec) -> tuple[PlanFinding, ...]:
    """Every reason why a model's plan is not valid for this spec; empty if it is valid."""
    return (*check(plan, spec), *_made_up(plan, spec), *_tests_alone(plan))


def repeated(plan: Plan, together: Iterable[tuple[RequirementId, ...]]) -> tuple[PlanFinding, ...]:
    """Changes that again contain all requirements of a group that failed in one change."""
    return tuple(
        PlanFinding(
            code="repeated",
            subject=change.slug,
            sentence=f"{change.slug} carries {', '.join(failed)} together, which one change has "
            "failed to do. Cut them otherwise.",
        )
        for change in plan.changes
        for failed in together
        if set(failed) <= set(change.requirements)
    )


def _made_up(plan: Plan, spec: Spec) -> Iterator[PlanFinding]:
    said = fold(" ".join(_texts(spec)))
    for change in plan.changes:
        for edge in change.depends_on:
            quote = fold(edge.evidence.strip().strip("\"'“”…."))
            if edge.kind != DependencyKind.QUOTED or not edge.evidence.strip():
                continue
            if len(quote) < _QUOTE_CHARACTERS_MIN or quote not in said:
                yield PlanFinding(
                    code="not_quoted",
                    subject=change.slug,
                    sentence=f"{change.slug} waits for {edge.on} because of {edge.evidence!r}, "
                    "which the specification does not say. Quote it letter by letter, or drop it.",
                )


def _texts(spec: Spec) -> Iterator[str]:
    for requirement in spec.requirements:
        yield requirement.title
        yield requirement.statement
        for scenario in requirement.scenarios:
            yield f"{scenario.name} {scenario.text}"
        for reference in requirement.references:
            yield reference.quote
    for constraint in spec.constraints:
        yield constraint.text


def _tests_alone(plan: Plan) -> Iterator[PlanFinding]:
    for change in plan.changes:
        only_files = bool(change.files) and all(_TEST_FILE.search(f) for f in change.files)
        if only_files or _TEST_TITLE.match(change.title):
            yield PlanFinding(
                code="tests_alone",
                subject=change.slug,
                sentence=f"{change.slug} only adds tests; tests belong to the change whose "
                "behaviour they show.",
            )
