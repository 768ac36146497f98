"""Preparing a question: what its kind needs of the repository and of the journal, and the words.

The rule: a question is made of what its effect names and of what the journal holds, so that the same
effect makes the same prompt. A kind of question is a case in each of the three functions here.
Deliberately absent: asking.
"""

from functools import cache
from importlib import resources

from pydantic import BaseModel

from bot.core.journal.effects import AskModel
from bot.core.journal.state import RepositoryState
from bot.core.models.question import Question
from bot.core.plan.asking.about import PlanQuestion
from bot.core.plan.asking.answers import form_of
from bot.core.plan.asking.material import TEMPLATES, question_of
from bot.core.plan.terms import only
from bot.core.repository import RepositoryFacts
from bot.core.spec.inquiry import material_of
from bot.core.spec.planning import others_under_way, subject_of
from bot.core.spec.read import read_spec
from bot.core.spec.register import with_ids
from bot.ports import UserError
from bot.shell.bench import Bench
from bot.shell.surroundings import surroundings


@cache
def templates() -> dict[str, str]:
    """The reviewed words of every planning question."""
    folder = resources.files("bot.core.plan.asking.prompts")
    return {name: (folder / f"{name}.txt").read_text(encoding="utf-8") for name in TEMPLATES}


def is_wanted(state: RepositoryState, about: PlanQuestion) -> bool:
    """Whether what asked still waits for the answer."""
    run = state.spec_runs.get(about.spec_run)
    subject = subject_of(run) if run is not None else None
    return subject is not None and subject.commit == about.commit


def form_for(about: PlanQuestion) -> type[BaseModel]:
    """The form that an answer must have."""
    return form_of(about.phase)


def prepared(
    bench: Bench, facts: RepositoryFacts, state: RepositoryState, effect: AskModel
) -> Question:
    """The whole question. Raises `UserError` where nobody waits for its answer any more."""
    about = effect.about
    run = state.spec_runs.get(about.spec_run)
    subject = subject_of(run) if run is not None else None
    if run is None or subject is None or subject.commit != about.commit:
        raise UserError("The spec has changed, and the question is not asked any more.")
    files = bench.git.files(facts, about.commit, (about.path,))
    spec = only(with_ids(read_spec(about.path, files), subject.ids), subject.requirements)
    others = others_under_way(
        tuple(c for c in state.changes.values() if c.spec_run != about.spec_run)
    )
    asked = only(spec, about.requirements).requirements
    around = surroundings(bench, facts, (about.commit, about.path), asked)
    material = material_of(run, spec, about).model_copy(
        update={"around": around, "under_way": others}
    )
    return question_of(about, spec, material, templates())
