"""Preparing a question: what its kind needs of the repository and of the journal, and the words.

The rule: a question is made of what its effect names and of what the journal holds, so that the same
effect makes the same prompt. A kind of question is a case in each of the three functions here.
Deliberately absent: asking.
"""

from functools import cache
from importlib import resources

from pydantic import BaseModel

from bot.core.decide.specs.next_plan_prompt import material_of
from bot.core.decide.specs.plan_by_model import others_under_way, subject_of
from bot.core.journal.effects import AskModel
from bot.core.journal.prompt_inputs import About
from bot.core.journal.state import RepositoryState, pull_place
from bot.core.plan.vocabulary import only
from bot.core.prompts import issue_prompt
from bot.core.prompts.digest_prompt import (
    DigestAnswer,
    DigestQuestion,
    question_of as digest_question,
)
from bot.core.prompts.plan_forms import form_of
from bot.core.prompts.plan_prompt import TEMPLATES, question_of
from bot.core.prompts.summary_prompt import (
    SummaryAnswer,
    SummaryQuestion,
    question_of as summary_question,
)
from bot.core.prompts.texts.advice import ADVICE_TEMPLATES
from bot.core.spec.identity.register import with_ids
from bot.core.spec.read import read_spec
from bot.core.values.ids import SpecRunId
from bot.core.values.issue_input import IssueQuestion
from bot.core.values.plan_input import PlanQuestion
from bot.core.values.prompt import Question
from bot.core.values.repository import RepositoryFacts
from bot.ports import UserError
from bot.shell.observe import source_at
from bot.shell.process_ports import Ports
from bot.shell.read_context import repository_context

_CHANGED = "What was asked about has changed, and the question is not asked any more."
_REOPENED = "The spec run was opened again, and its report is not the last."


@cache
def templates() -> dict[str, str]:
    """The reviewed words of every planning question."""
    return _texts("bot.core.prompts.texts.plan", TEMPLATES)


@cache
def issue_templates() -> dict[str, str]:
    """The reviewed words of every question about an issue that asks for work."""
    return _texts("bot.core.prompts.texts.issue", issue_prompt.TEMPLATES)


@cache
def advice_templates() -> dict[str, str]:
    """The reviewed words of every question whose answer people read."""
    return _texts("bot.core.prompts.texts.advice", ADVICE_TEMPLATES)


def _texts(package: str, names: tuple[str, ...]) -> dict[str, str]:
    folder = resources.files(package)
    return {name: (folder / f"{name}.txt").read_text(encoding="utf-8") for name in names}


def is_wanted(state: RepositoryState, about: About) -> bool:
    """Whether what asked still waits for the answer."""
    match about:
        case PlanQuestion():
            run = state.spec_runs.get(about.spec_run)
            subject = subject_of(run) if run is not None else None
            return subject is not None and subject.commit == about.commit
        case IssueQuestion():
            return _is_issue_wanted(state, about)
        case DigestQuestion():
            reader = state.spec_runs.get(SpecRunId(about.reader))
            pulls = {pull_place(number) for number in state.pull_digests}
            return about.reader in pulls or (reader is not None and reader.is_open)
        case SummaryQuestion():
            ended = state.spec_runs.get(about.spec_run)
            return ended is not None and not ended.is_open


def form_for(about: About) -> type[BaseModel]:
    """The form that an answer must have."""
    match about:
        case PlanQuestion():
            return form_of(about.phase)
        case IssueQuestion():
            return issue_prompt.form_of(about)
        case DigestQuestion():
            return DigestAnswer
        case SummaryQuestion():
            return SummaryAnswer


def prepared(
    ports: Ports, facts: RepositoryFacts, state: RepositoryState, effect: AskModel
) -> Question:
    """The whole question. Raises `UserError` where nobody waits for its answer any more."""
    match about := effect.about:
        case PlanQuestion():
            return _planning(ports, facts, state, about)
        case IssueQuestion():
            if not is_wanted(state, about):
                raise UserError(_CHANGED)
            return issue_prompt.question_of(about, issue_templates())
        case DigestQuestion():
            return _reading(ports, facts, state, about)
        case SummaryQuestion():
            if not is_wanted(state, about):
                raise UserError(_REOPENED)
            return summary_question(about, advice_templates())


def _is_issue_wanted(state: RepositoryState, about: IssueQuestion) -> bool:
    dialogue = state.dialogues.get(about.issue)
    if dialogue is None or not dialogue.is_thinking:
        return False
    now = (dialogue.begun, dialogue.closed + 1, dialogue.digest, dialogue.rejections)
    return now == (about.begun, about.round, about.digest, about.rejections)


def _planning(
    ports: Ports, facts: RepositoryFacts, state: RepositoryState, about: PlanQuestion
) -> Question:
    run = state.spec_runs.get(about.spec_run)
    subject = subject_of(run) if run is not None else None
    if run is None or subject is None or subject.commit != about.commit:
        raise UserError(_CHANGED)
    files = ports.git.files(facts, about.commit, (about.path,))
    spec = only(with_ids(read_spec(about.path, files), subject.ids), subject.requirements)
    others = others_under_way(
        tuple(c for c in state.changes.values() if c.spec_run != about.spec_run)
    )
    asked = only(spec, about.requirements).requirements
    around = repository_context(ports, facts, (about.commit, about.path), asked)
    given = material_of(run, spec, about).model_copy(update={"around": around, "under_way": others})
    return question_of(about, spec, given, templates())


def _reading(
    ports: Ports, facts: RepositoryFacts, state: RepositoryState, about: DigestQuestion
) -> Question:
    source = source_at(ports, facts, about) if is_wanted(state, about) else None
    if source is None:
        raise UserError(_CHANGED)
    return digest_question(about, source, advice_templates())
