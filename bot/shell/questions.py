"""Preparing a question: what its kind needs of the repository and of the journal, and the words.

The rule: a question is made of what its effect names and of what the journal holds, so that the same
effect makes the same prompt. A kind of question is a case in each of the three functions here.
Deliberately absent: asking.
"""

from functools import cache
from importlib import resources

from pydantic import BaseModel

from bot.core.ids import SpecRunId
from bot.core.journal.about import About
from bot.core.journal.effects import AskModel
from bot.core.journal.state import RepositoryState, pull_place
from bot.core.models.question import Question
from bot.core.plan.asking.about import PlanQuestion
from bot.core.plan.asking.answers import form_of
from bot.core.plan.asking.material import TEMPLATES, question_of
from bot.core.repository import RepositoryFacts
from bot.core.spec.planning import live_of, material_of, others_under_way
from bot.core.spec.read import read_spec
from bot.core.spec.register import with_ids
from bot.core.voices.digest import DigestAnswer, DigestQuestion, question_of as digest_question
from bot.core.voices.prompts import VOICE_TEMPLATES
from bot.core.voices.summary import (
    SummaryAnswer,
    SummaryQuestion,
    question_of as summary_question,
)
from bot.ports import UserError
from bot.shell.bench import Bench
from bot.shell.observe import source_at

# Beyond this a repository's paths are a sample; the map shows a hundred lines of them.
_PATHS_MAX = 20_000

_CHANGED = "The spec has changed, and the question is not asked any more."
_REOPENED = "The spec run was opened again, and its report is not the last."


@cache
def templates() -> dict[str, str]:
    """The reviewed words of every planning question."""
    folder = resources.files("bot.core.plan.asking.prompts")
    return {name: (folder / f"{name}.txt").read_text(encoding="utf-8") for name in TEMPLATES}


@cache
def voice_templates() -> dict[str, str]:
    """The reviewed words of every question whose answer people read."""
    folder = resources.files("bot.core.voices.prompts")
    return {name: (folder / f"{name}.txt").read_text(encoding="utf-8") for name in VOICE_TEMPLATES}


def is_wanted(state: RepositoryState, about: About) -> bool:
    """Whether what asked still waits for the answer."""
    match about:
        case PlanQuestion():
            run = state.spec_runs.get(about.spec_run)
            return run is not None and run.planning is not None and run.commit == about.commit
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
        case DigestQuestion():
            return DigestAnswer
        case SummaryQuestion():
            return SummaryAnswer


def prepared(
    bench: Bench, facts: RepositoryFacts, state: RepositoryState, effect: AskModel
) -> Question:
    """The whole question. Raises `UserError` where nobody waits for its answer any more."""
    match about := effect.about:
        case PlanQuestion():
            return _planning(bench, facts, state, about)
        case DigestQuestion():
            return _reading(bench, facts, state, about)
        case SummaryQuestion():
            if not is_wanted(state, about):
                raise UserError(_REOPENED)
            return summary_question(about, voice_templates())


def _planning(
    bench: Bench, facts: RepositoryFacts, state: RepositoryState, about: PlanQuestion
) -> Question:
    run = state.spec_runs.get(about.spec_run)
    if run is None or run.planning is None or not is_wanted(state, about):
        raise UserError(_CHANGED)
    files = bench.git.files(facts, about.commit, (about.path,))
    spec = live_of(with_ids(read_spec(about.path, files), run.ids), run.planning.requirements)
    others = others_under_way(
        tuple(c for c in state.changes.values() if c.spec_run != about.spec_run)
    )
    material = material_of(run, spec, about, others)
    paths = tuple(sorted(bench.git.blobs(facts, about.commit, ("",))))[:_PATHS_MAX]
    return question_of(about, spec, material.model_copy(update={"paths": paths}), templates())


def _reading(
    bench: Bench, facts: RepositoryFacts, state: RepositoryState, about: DigestQuestion
) -> Question:
    source = source_at(bench, facts, about) if is_wanted(state, about) else None
    if source is None:
        raise UserError(_CHANGED)
    return digest_question(about, source, voice_templates())
