"""A report's first paragraph by a model: asked for when the report is posted, added later.

The report is complete without it and never waits. A paragraph that does not agree with the report's
facts is not shown; `bot.core.prompts.summary_prompt` checks that.
"""

from bot.core.decide.decision import Decision
from bot.core.journal.effects import AskModel, EditComment
from bot.core.journal.events import SummaryRefused, SummaryWritten
from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.prompts.summary_prompt import (
    ChangeFact,
    SummaryAnswer,
    SummaryFacts,
    SummaryPromptInput,
    read_summary,
    refusal_of,
)
from bot.core.spec.model_choice import ModelRefusal, resolve
from bot.core.spec.policy_file import ModelAdviceChoice
from bot.core.state.coverage import Coverage
from bot.core.state.waiting import held_back_by, shown
from bot.core.talk.text import cell, digest_of
from bot.core.values.ids import Frozen, IssueNumber
from bot.core.values.model_roles import ModelRole

# There is one prompt for each report, so the id has only the place.
_PROMPT_ID = "summary"


class Posted(Frozen):
    issue: IssueNumber
    subject: str
    text: str


def ask(decision: Decision, run: SpecRun, coverage: Coverage | None, posted: Posted) -> None:
    """Ask a model for a summary of a report that is being posted, if the policy wants it."""
    models = decision.observed.models
    wants_model = decision.policy.file.summary is ModelAdviceChoice.MODEL
    if not wants_model or not models.can_ask or not run.approved_by:
        return
    found = resolve(ModelRole.SUMMARY, decision.policy, models)
    if isinstance(found, ModelRefusal):
        return
    about = SummaryPromptInput(
        spec_run=run.id,
        round=run.issue_rounds,
        issue=posted.issue,
        subject=posted.subject,
        report=posted.text,
        facts=_facts(decision, run, coverage),
    )
    if about.place in decision.state.model_advice:
        return
    decision.intend(
        AskModel(
            prompt=_PROMPT_ID,
            role=ModelRole.SUMMARY,
            models=found.models,
            about=about,
            asked_at=decision.now,
        )
    )


def next_steps(decision: Decision) -> None:
    """Check every answer against its report's facts, and publish the valid ones."""
    for place, advice in tuple(decision.state.model_advice.items()):
        for id_, said in advice.answers.items():
            about = said.about
            if not isinstance(about, SummaryPromptInput):
                continue
            if f"comment:{about.subject}" not in decision.state.published:
                # The report is not posted yet.
                continue
            _weigh(decision, place, id_, about, read_summary(said.answer))


def _weigh(
    decision: Decision, place: str, id_: str, about: SummaryPromptInput, answer: SummaryAnswer
) -> None:
    reason = refusal_of(about.facts, answer)
    if reason:
        decision.emit(
            SummaryRefused(place=place, prompt=id_, spec_run=about.spec_run, sentence=reason)
        )
        return
    decision.emit(
        SummaryWritten(
            place=place,
            prompt=id_,
            spec_run=about.spec_run,
            paragraph=answer.paragraph,
            not_covered_note=answer.not_covered_note,
        )
    )
    text = f"{summary_text(answer)}\n\n{about.report}"
    decision.intend(
        EditComment(
            issue=about.issue, subject=about.subject, text=text, text_digest=digest_of(text)
        )
    )


def summary_text(answer: SummaryAnswer) -> str:
    lines = ["**In short**", "", cell(answer.paragraph, 2_000)]
    if answer.not_covered_note:
        lines += ["", cell(answer.not_covered_note)]
    lines += [
        "",
        "*Written by a model from the figures below; every number in it is one of theirs.*",
    ]
    return "\n".join(lines)


def _facts(decision: Decision, run: SpecRun, coverage: Coverage | None) -> SummaryFacts:
    changes = decision.state.changes_of(run.id)
    asked = {r for c in changes for r in c.planned.requirements}
    landed = [c for c in changes if c.landed is not None]
    on_main = {r for c in landed for r in c.planned.requirements}
    rows = coverage.missing(decision.policy.covered_when) if coverage else ()
    agent_runs = [r for c in changes for r in c.agent_runs if not r.remade]
    figures = {
        "requirements": len(asked),
        "requirements landed": len(on_main),
        "requirements not landed": len(asked - on_main),
        "changes": len(changes),
        "changes landed": len(landed),
        "changes not landed": len(changes) - len(landed),
        "agent runs": len(agent_runs),
        "gate runs": sum(c.gate_runs for c in changes),
        "times planned again": len(run.cycles),
        "interventions by people": len(run.interventions),
    }
    return SummaryFacts(
        title=run.title,
        figures=figures,
        changes=tuple(_change(decision, c) for c in changes),
        missing=tuple(f"{row.title}: {row.status}" for row in rows),
    )


def _change(decision: Decision, change: ChangeFacts) -> ChangeFact:
    blockers = held_back_by(decision.state, change)
    why = f"held back by {', '.join(blockers)}" if blockers else change.sentence
    return ChangeFact(
        title=change.planned.title,
        ended=shown(decision.state, change),
        attempts=sum(not r.remade for r in change.agent_runs),
        requirements=len(change.planned.requirements),
        why="" if change.landed is not None else why,
    )
