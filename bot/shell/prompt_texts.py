"""Renders a prompt from what its effect names, the journal and the repository.

The same effect gives the same prompt. Each kind of prompt has a case in the three public functions.
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
    DigestPromptInput,
    prompt_of as digest_prompt,
)
from bot.core.prompts.plan_forms import form_of
from bot.core.prompts.plan_prompt import TEMPLATES, prompt_of
from bot.core.prompts.review_prompt import (
    ReviewPromptInput,
    form_of as review_form,
    prompt_of as review_prompt,
)
from bot.core.prompts.summary_prompt import (
    SummaryAnswer,
    SummaryPromptInput,
    prompt_of as summary_prompt,
)
from bot.core.prompts.texts.advice import ADVICE_TEMPLATES
from bot.core.spec.identity.register import with_ids
from bot.core.state.candidates import awaited_now
from bot.core.state.model_review import review_step
from bot.core.values.ids import SpecRunId
from bot.core.values.issue_input import IssuePromptInput
from bot.core.values.plan_input import PlanPromptInput
from bot.core.values.prompt import Prompt
from bot.core.values.repository import RepositoryFacts
from bot.ports import UserError
from bot.shell.observe_reviews import diff_of
from bot.shell.process_ports import Ports
from bot.shell.read_context import repository_context
from bot.shell.spec_sources import source_at
from bot.shell.spec_texts import SpecTexts
from gates.graded.rounds import Asking, Subject

_CHANGED = "The subject of the prompt has changed, so it is no longer sent."
_REOPENED = "The spec run was opened again, so this report is not the last one."


@cache
def templates() -> dict[str, str]:
    return _texts("bot.core.prompts.texts.plan", TEMPLATES)


@cache
def issue_templates() -> dict[str, str]:
    return _texts("bot.core.prompts.texts.issue", issue_prompt.TEMPLATES)


@cache
def advice_templates() -> dict[str, str]:
    return _texts("bot.core.prompts.texts.advice", ADVICE_TEMPLATES)


def _texts(package: str, names: tuple[str, ...]) -> dict[str, str]:
    folder = resources.files(package)
    return {name: (folder / f"{name}.txt").read_text(encoding="utf-8") for name in names}


def is_wanted(state: RepositoryState, about: About) -> bool:
    """Whether anything still waits for the answer."""
    match about:
        case PlanPromptInput():
            run = state.spec_runs.get(about.spec_run)
            subject = subject_of(run) if run is not None else None
            return subject is not None and subject.commit == about.commit
        case IssuePromptInput():
            return _is_issue_wanted(state, about)
        case DigestPromptInput():
            reader = state.spec_runs.get(SpecRunId(about.reader))
            pulls = {pull_place(number) for number in state.pull_digests}
            return about.reader in pulls or (reader is not None and reader.is_open)
        case SummaryPromptInput():
            ended = state.spec_runs.get(about.spec_run)
            return ended is not None and not ended.is_open
        case ReviewPromptInput():
            reviewed = state.changes.get(about.change)
            waits = awaited_now(state, reviewed) if reviewed is not None else None
            return waits is not None and waits.candidate == about.candidate


def form_for(about: About) -> type[BaseModel]:
    match about:
        case PlanPromptInput():
            return form_of(about.phase)
        case IssuePromptInput():
            return issue_prompt.form_of(about)
        case DigestPromptInput():
            return DigestAnswer
        case SummaryPromptInput():
            return SummaryAnswer
        case ReviewPromptInput():
            return review_form(about)


def prepare(
    ports: Ports, facts: RepositoryFacts, state: RepositoryState, effect: AskModel
) -> Prompt:
    """The whole prompt. Raises `UserError` where nothing waits for its answer any more, `Unread` where a
    text of it is being read.
    """
    match about := effect.about:
        case PlanPromptInput():
            return _plan_prompt(ports, facts, state, about)
        case IssuePromptInput():
            if not is_wanted(state, about):
                raise UserError(_CHANGED)
            return issue_prompt.prompt_of(about, issue_templates())
        case DigestPromptInput():
            return _digest_prompt(ports, facts, state, about)
        case SummaryPromptInput():
            if not is_wanted(state, about):
                raise UserError(_REOPENED)
            return summary_prompt(about, advice_templates())
        case ReviewPromptInput():
            return _review_prompt(ports, facts, state, about, effect.prompt)


def _is_issue_wanted(state: RepositoryState, about: IssuePromptInput) -> bool:
    dialogue = state.dialogues.get(about.issue)
    if dialogue is None or not dialogue.is_thinking:
        return False
    now = (dialogue.begun, dialogue.closed + 1, dialogue.digest, dialogue.rejections)
    return now == (about.begun, about.round, about.digest, about.rejections)


def _plan_prompt(
    ports: Ports, facts: RepositoryFacts, state: RepositoryState, about: PlanPromptInput
) -> Prompt:
    run = state.spec_runs.get(about.spec_run)
    subject = subject_of(run) if run is not None else None
    if run is None or subject is None or subject.commit != about.commit:
        raise UserError(_CHANGED)
    (text,) = SpecTexts(ports).at(facts, about.commit, (about.path,))
    spec = only(with_ids(text, subject.ids), subject.requirements)
    others = others_under_way(
        tuple(c for c in state.changes.values() if c.spec_run != about.spec_run)
    )
    asked = only(spec, about.requirements).requirements
    around = repository_context(ports, facts, (about.commit, about.path), asked)
    given = material_of(run, spec, about).replace(around=around, under_way=others)
    return prompt_of(about, spec, given, templates())


def _digest_prompt(
    ports: Ports, facts: RepositoryFacts, state: RepositoryState, about: DigestPromptInput
) -> Prompt:
    wanted = is_wanted(state, about)
    source = source_at(ports, SpecTexts(ports), facts, about) if wanted else None
    if source is None:
        raise UserError(_CHANGED)
    return digest_prompt(about, source, advice_templates())


def _review_prompt(
    ports: Ports,
    facts: RepositoryFacts,
    state: RepositoryState,
    about: ReviewPromptInput,
    id_: str,
) -> Prompt:
    if not is_wanted(state, about):
        raise UserError(_CHANGED)
    change = state.changes[about.change]
    candidate = state.candidate_of(change)
    files = diff_of(ports, facts, candidate) if candidate else ()
    subject = Subject(gate=about.gate, block=about.block, files=files)
    step = review_step(state, change, subject)
    asked = step.prompts if isinstance(step, Asking) else ()
    found = next((one for one in asked if one.id == id_), None)
    if found is None:
        raise UserError(_CHANGED)
    return review_prompt(about, found, advice_templates())
