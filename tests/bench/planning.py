"""`make bench-plan`: the tokens of a model planner per requirement, for a new spec and for an edit.

Real spec files, joined and cut to 10 to 300 requirements, are planned by the real decisions. Each
prompt is rendered and its tokens are counted; the answer is the plan by rules. No model is called.
Numbers are printed and never asserted.
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

from rich.console import Console
from rich.table import Table

from bot.core.decide.decision import Decision
from bot.core.decide.specs import plan_by_model
from bot.core.decide.specs.next_plan_prompt import material_of
from bot.core.decide.specs.plan_by_model import EarlierAnswers, PlanSource
from bot.core.journal.effects import AskModel
from bot.core.journal.events import EffectDone, ModelAnswered, SpecRunOpened
from bot.core.journal.evolve import fold
from bot.core.journal.state import RepositoryState
from bot.core.plan.deterministic import plan
from bot.core.plan.vocabulary import only
from bot.core.prompts.plan_forms import AnsweredChange, BriefAnswer, MergeAnswer, PlanAnswer
from bot.core.prompts.plan_layout import tokens_of
from bot.core.prompts.plan_prompt import UnderWay, prompt_of
from bot.core.prompts.repository_context import RepositoryContext, SpecBeside
from bot.core.spec.model_choice import ServerModels
from bot.core.spec.policy import no_policy
from bot.core.spec.read import read_spec
from bot.core.state.observed import Observed
from bot.core.values.ids import Frozen, Sha, SpecRunId
from bot.core.values.plan_input import Phase, PlanPromptInput
from bot.core.values.spec_model import Requirement, Spec
from bot.shell.prompt_texts import templates
from tests.corpus.folder import MISSING, real_specs

RUN = SpecRunId("joined@1")
_SIZES = (10, 30, 60, 120, 300)
_PIECES = 7
_NOW = datetime(2026, 1, 1, tzinfo=UTC)
# A repository, specs and work that fill the context of a prompt.
_WORDS = ("user", "change", "files", "status", "validation", "config", "project", "tests")
_AROUND = RepositoryContext(
    paths=tuple(f"src/area{at % 30}/{_WORDS[at % 8]}_module{at}.py" for at in range(600)),
    symbols={
        f"src/area{at % 30}/{_WORDS[at % 8]}_module{at}.py": (
            f"{_WORDS[at % 8].title()}Store(load, save, remove)",
            f"read_{_WORDS[at % 8]}()",
        )
        for at in range(600)
    },
    specs=tuple(
        SpecBeside(
            path=f"openspec/specs/{word}/spec.md",
            titles=tuple(f"The {word} keeps its promise number {at}" for at in range(12)),
        )
        for word in _WORDS
    ),
)
_ELSEWHERE = tuple(
    UnderWay(title=f"Rework the {word} of the shop", touches=(f"src/{word}.py",)) for word in _WORDS
)


class Taken(Frozen):
    """What one planning asked: questions by phase, tokens that were given, and of these those that
    stand behind what an earlier question began with, byte for byte, as a prompt cache knows it;
    tokens that were answered, and what was told in advance of both.
    """

    calls: dict[str, int]
    tokens: int
    fresh: int
    answered: int
    told: int


def joined_spec() -> Spec:
    """Every file of the corpus as one spec; each file is at least one domain."""
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
    """Samples of that many requirements from the whole spec, because files differ in length."""
    room = max(len(spec.requirements) - count, 0)
    begins = sorted({room * at // (_PIECES - 1) for at in range(_PIECES)})
    return tuple(
        only(spec, {r.id: "" for r in spec.requirements[at : at + count]}) for at in begins
    )


def edited(spec: Spec) -> Spec:
    """The spec with one requirement edited."""
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


def planned(
    state: RepositoryState, spec: Spec, cached: set[str], slug_ending: str = ""
) -> tuple[RepositoryState, Taken]:
    """Plan a version of the spec to its end; the state after it, and what it took.

    `cached` is what a prompt cache holds, and grows; `slug_ending` names the changes otherwise.
    """
    observed = Observed(
        policy=no_policy(),
        last_good_policy=no_policy(),
        models=ServerModels(can_ask=True),
        specs={RUN: spec},
    )
    decision = Decision(state, observed, _NOW)
    source = PlanSource(
        version="1",
        commit=Sha("0" * 40),
        requirements={r.id: r.text_hash for r in spec.requirements},
    )
    plan_by_model.begin(decision, RUN, source, spec, EarlierAnswers.KEEP)
    calls: Counter[str] = Counter()
    tokens, fresh, answered = 0, 0, 0
    told = decision.state.spec_runs[RUN].planning_estimate
    while decision.state.spec_runs[RUN].planning is not None:
        plan_by_model.next_steps(decision)
        for key, effect in tuple(decision.state.open_effects.items()):
            if not isinstance(effect, AskModel) or not isinstance(effect.about, PlanPromptInput):
                continue
            stretches = _given(decision.state, spec, effect.about)
            tokens += sum(tokens_of(text) for text in stretches)
            fresh += sum(tokens_of(text) for text in _unread(stretches, cached))
            calls[effect.about.phase] += 1
            answer = _answer(spec, effect.about, slug_ending)
            answered += tokens_of(answer)
            decision.emit(ModelAnswered(place=RUN, prompt=effect.prompt, answer=answer))
            decision.emit(EffectDone(key=key))
    return decision.state, Taken(
        calls=dict(calls),
        tokens=tokens,
        fresh=fresh,
        answered=answered,
        told=told.tokens if told else 0,
    )


def _given(state: RepositoryState, spec: Spec, about: PlanPromptInput) -> list[str]:
    """The cached stretches of a prompt in the order in which the provider reads them."""
    material = material_of(state.spec_runs[RUN], spec, about)
    material = material.model_copy(update={"around": _AROUND, "under_way": _ELSEWHERE})
    asked = prompt_of(about, spec, material, templates())
    return [f"{asked.tool_schema}{asked.system}", *(part.text for part in asked.parts)]


def _unread(stretches: list[str], cached: set[str]) -> list[str]:
    """The stretches after the longest cached beginning; they are added to the cache."""
    begins = ["\n".join(stretches[: at + 1]) for at in range(len(stretches))]
    known = max((at + 1 for at, begin in enumerate(begins) if begin in cached), default=0)
    cached.update(begins)
    return stretches[known:]


def _answer(spec: Spec, about: PlanPromptInput, slug_ending: str) -> str:
    """The plan by rules as a model's answer."""
    match about.phase:
        case Phase.BRIEF:
            return BriefAnswer(shared=(), order=(), risks=()).model_dump_json()
        case Phase.MERGE:
            return MergeAnswer(edges=(), join=(), risks=(), left_out=()).model_dump_json()
        case Phase.WHOLE | Phase.DOMAIN:
            part = only(spec, dict.fromkeys(about.requirements, ""))
            changes = tuple(
                AnsweredChange(
                    slug=f"{c.slug[:40]}{slug_ending}",
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
    """A repository with one spec run that has no plan yet."""
    run = SpecRunOpened(
        spec_run=RUN, path="specs/joined.md", key="joined", title="Joined", opened_at=_NOW
    )
    return fold([run])


def main(arguments: Sequence[str] | None = None) -> int:
    """Print both numbers; returns 1 where there are no spec files."""
    argparse.ArgumentParser(prog="bench-plan", description=__doc__).parse_args(arguments)
    console = Console()
    whole = joined_spec()
    if not whole.requirements:
        console.print(MISSING)
        return 1
    table = Table("Requirements", "Calls", "Tokens given", "a requirement", "told in advance")
    again = Table("Requirements", "Calls after an edit", "given again", "of it not in the cache")
    for count in _SIZES:
        firsts: list[Taken] = []
        seconds: dict[str, list[Taken]] = {"": [], "-2": []}
        for spec in cuts_of(whole, count):
            cached: set[str] = set()
            state, first = planned(opened(), spec, cached)
            firsts.append(first)
            for ending, found in seconds.items():
                found.append(planned(state, edited(spec), {*cached}, ending)[1])
        given = sum(t.tokens for t in firsts)
        table.add_row(
            str(count),
            _shown(firsts[0]),
            f"{given / len(firsts):,.0f}",
            f"{given / len(firsts) / count:.0f}",
            f"{sum(t.told for t in firsts) / (given + sum(t.answered for t in firsts)):.0%}",
        )
        for found in seconds.values():
            again.add_row(
                str(count),
                _shown(found[0]),
                f"{sum(t.tokens for t in found) / given:.0%}",
                f"{sum(t.fresh for t in found) / given:.0%}",
            )
    console.print(table)
    console.print(
        "Told in advance: the estimate, of what is given and answered. One requirement edited; its "
        "part is answered as before, then with other names:"
    )
    console.print(again)
    return 0


def _shown(taken: Taken) -> str:
    return " + ".join(f"{count} {phase}" for phase, count in taken.calls.items())


if __name__ == "__main__":
    raise SystemExit(main())
