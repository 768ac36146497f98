"""`make bench-plan`: what a model planner reads, for each requirement, and again after an edit.

Real spec files joined together, cut to ten to three hundred requirements, are planned by the real
decisions; each question is made as it would be asked and its tokens are counted, and answered as
the rules would plan. No model is asked. Numbers are printed and never asserted.
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

from rich.console import Console
from rich.table import Table

from bot.core.draft import Draft
from bot.core.ids import Frozen, Sha, SpecRunId
from bot.core.journal.effects import AskModel
from bot.core.journal.events import EffectDone, ModelAnswered, SpecRunOpened
from bot.core.journal.evolve import fold
from bot.core.journal.state import RepositoryState
from bot.core.models.resolve import ServerModels
from bot.core.observed import Observed
from bot.core.plan.asking.about import Phase, PlanQuestion
from bot.core.plan.asking.answers import (
    AnsweredChange,
    BriefAnswer,
    MergeAnswer,
    PlanAnswer,
)
from bot.core.plan.asking.layout import tokens_of
from bot.core.plan.asking.material import question_of
from bot.core.plan.deterministic import plan
from bot.core.plan.terms import only
from bot.core.policy import no_policy
from bot.core.spec import planning
from bot.core.spec.inquiry import material_of
from bot.core.spec.model import Requirement, Spec
from bot.core.spec.planning import Again, PlanSource
from bot.core.spec.read import read_spec
from bot.shell.questions import templates
from tests.core.spec.corpus import MISSING, real_specs

RUN = SpecRunId("joined@1")
_SIZES = (10, 30, 60, 120, 300)
_PIECES = 7
_NOW = datetime(2026, 1, 1, tzinfo=UTC)
# A repository of the size that a map is cut for.
_PATHS = tuple(f"src/area{at % 30}/module{at}.py" for at in range(600))


class Taken(Frozen):
    """What one planning asked: questions by phase, and tokens that were given."""

    calls: dict[str, int]
    tokens: int


def joined_spec() -> Spec:
    """Every file of the corpus as one spec; each file is at least one domain of it."""
    documents = []
    for real in real_specs():
        stem = real.file.partition("_")[0]
        for document in read_spec(real.path, {real.path: real.raw}).documents:
            own = tuple(
                r.model_copy(
                    update={"id": f"joined#{stem}-{at}", "domain": f"{stem} {r.domain}".strip()}
                )
                for at, r in enumerate(document.requirements)
            )
            documents.append(document.model_copy(update={"requirements": own}))
    return Spec(path="specs/joined.md", key="joined", documents=tuple(documents))


def cuts_of(spec: Spec, count: int) -> tuple[Spec, ...]:
    """Pieces of that many requirements from all over the spec: files are not equally wordy."""
    room = max(len(spec.requirements) - count, 0)
    begins = sorted({room * at // (_PIECES - 1) for at in range(_PIECES)})
    return tuple(
        only(spec, {r.id: "" for r in spec.requirements[at : at + count]}) for at in begins
    )


def edited(spec: Spec) -> Spec:
    """The spec with one requirement that says something else."""
    wanted = spec.requirements[len(spec.requirements) // 2].id

    def _other(requirement: Requirement) -> Requirement:
        if requirement.id != wanted:
            return requirement
        said = f"{requirement.statement} It does so at once."
        return requirement.model_copy(update={"statement": said, "text_hash": "other"})

    documents = tuple(
        d.model_copy(update={"requirements": tuple(_other(r) for r in d.requirements)})
        for d in spec.documents
    )
    return spec.model_copy(update={"documents": documents})


def planned(state: RepositoryState, spec: Spec) -> tuple[RepositoryState, Taken]:
    """Plan a version of the spec to its end; the state after it, and what it took."""
    observed = Observed(
        policy=no_policy(),
        last_good_policy=no_policy(),
        models=ServerModels(can_ask=True),
        specs={RUN: spec},
    )
    draft = Draft(state, observed, _NOW)
    source = PlanSource(
        version="1",
        commit=Sha("0" * 40),
        requirements={r.id: r.text_hash for r in spec.requirements},
    )
    planning.begin(draft, RUN, source, spec, Again.KEEPING)
    calls: Counter[str] = Counter()
    tokens = 0
    while draft.state.spec_runs[RUN].planning is not None:
        planning.next_steps(draft)
        for key, effect in tuple(draft.state.open_effects.items()):
            if not isinstance(effect, AskModel) or not isinstance(effect.about, PlanQuestion):
                continue
            tokens += _given(draft.state, spec, effect.about)
            calls[effect.about.phase] += 1
            answer = _answer(spec, effect.about)
            draft.emit(ModelAnswered(place=RUN, question=effect.question, answer=answer))
            draft.emit(EffectDone(key=key))
    return draft.state, Taken(calls=dict(calls), tokens=tokens)


def _given(state: RepositoryState, spec: Spec, about: PlanQuestion) -> int:
    material = material_of(state.spec_runs[RUN], spec, about)
    material = material.model_copy(update={"paths": _PATHS})
    asked = question_of(about, spec, material, templates())
    said = [asked.system, asked.tool_schema, *(part.text for part in asked.parts)]
    return sum(tokens_of(text) for text in said)


def _answer(spec: Spec, about: PlanQuestion) -> str:
    """What the rules would have answered."""
    match about.phase:
        case Phase.BRIEF:
            return BriefAnswer(shared=(), order=(), risks=()).model_dump_json()
        case Phase.MERGE:
            return MergeAnswer(edges=(), join=(), risks=(), left_out=()).model_dump_json()
        case Phase.WHOLE | Phase.DOMAIN:
            part = only(spec, dict.fromkeys(about.requirements, ""))
            changes = tuple(
                AnsweredChange(
                    slug=c.slug,
                    title=c.title[:160],
                    type=c.type,
                    scope="",
                    left_out="",
                    requirements=c.requirements,
                    files=(),
                    depends_on=(),
                    gates=(),
                    done=(),
                )
                for c in plan(part).changes
            )
            return PlanAnswer(changes=changes, risks=(), left_out=()).model_dump_json()


def opened() -> RepositoryState:
    """A repository with one spec run that nobody has planned."""
    run = SpecRunOpened(
        spec_run=RUN, path="specs/joined.md", key="joined", title="Joined", opened_at=_NOW
    )
    return fold([run])


def main(arguments: Sequence[str] | None = None) -> int:
    """Print both numbers. 1: there are no spec files."""
    argparse.ArgumentParser(prog="bench-plan", description=__doc__).parse_args(arguments)
    console = Console()
    whole = joined_spec()
    if not whole.requirements:
        console.print(MISSING)
        return 1
    table = Table(
        "Requirements",
        "Calls",
        "Tokens given",
        "a requirement",
        "Calls after an edit",
        "of it re-read",
    )
    for count in _SIZES:
        firsts, agains = [], []
        for spec in cuts_of(whole, count):
            state, first = planned(opened(), spec)
            firsts.append(first)
            agains.append(planned(state, edited(spec))[1])
        given = sum(t.tokens for t in firsts)
        table.add_row(
            str(count),
            _shown(firsts[0]),
            f"{given / len(firsts):,.0f}",
            f"{given / len(firsts) / count:.0f}",
            _shown(agains[0]),
            f"{sum(t.tokens for t in agains) / given:.0%}",
        )
    console.print(table)
    return 0


def _shown(taken: Taken) -> str:
    return " + ".join(f"{count} {phase}" for phase, count in taken.calls.items())


if __name__ == "__main__":
    raise SystemExit(main())
