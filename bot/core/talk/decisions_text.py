"""People's decisions on the spec's questions, appended to the requirements that an agent reads."""

from collections.abc import Mapping

from action.order import RequirementText
from bot.core.spec.triage.spec_questions import decision_on, hash_of
from bot.core.values.question import Answer, AskedQuestions
from bot.core.values.spec_model import Spec


def with_decisions(
    texts: tuple[RequirementText, ...],
    spec: Spec,
    asked: AskedQuestions,
    decisions: Mapping[str, Answer],
) -> tuple[RequirementText, ...]:
    """The texts, each followed by the decisions that were made about its current wording."""
    hashes = {str(r.id): r.text_hash for r in spec.requirements}
    lines: dict[str, list[str]] = {}
    for question in asked.questions:
        decision = decision_on(decisions, question)
        named = [i for i in (question.requirement, *question.also) if i]
        current = hash_of(hashes.get(i, "") for i in named) if named else ""
        if decision is not None and current == decision.text_hash:
            line = f"Asked: {question.sentence} Decided by {decision.author}: {decision.text}"
            for identifier in named:
                lines.setdefault(identifier, []).append(line)
    return tuple(
        t.replace(statement="\n\n".join((t.statement, *lines.get(t.id, ())))) for t in texts
    )
