"""Planning by a model: the next prompt, and the plan when all replies are there.

A small spec needs one prompt. A large one needs a brief, one prompt for each part in parallel, and
a merge. An invalid reply goes back with the reasons, at most twice. After that, or if no model
replies, the result is the plan by rules with the reasons.
"""

from bot.core.decide.decision import Decision
from bot.core.journal.effects import AskModel
from bot.core.journal.events import AnswerRejected, ModelFailed
from bot.core.journal.state import SpecRun
from bot.core.plan.deterministic import plan
from bot.core.plan.vocabulary import distinct, domain_of, only
from bot.core.prompts.plan_forms import MergeAnswer, read_merge_answer, read_plan_answer
from bot.core.prompts.plan_from_answers import PartPlan, assembled, drafts_of
from bot.core.prompts.plan_law import judged, repeated
from bot.core.prompts.plan_layout import Layout, Part, layout_of
from bot.core.prompts.plan_prompt import Material, shared_names
from bot.core.spec.model_choice import ModelRefusal, resolve
from bot.core.values.ids import Frozen, RequirementId, Sha
from bot.core.values.plan_input import ROLE_OF, Phase, PlanPromptInput, prompt_id, stem_of
from bot.core.values.plan_model import Plan, PlanFinding
from bot.core.values.spec_model import Requirement, Spec

# In measurements of models that repair their own output, a third try was as wrong as the second.
REJECTIONS_MAX = 2

_REASONS_MAX = 12


class Task(Frozen):
    """What is planned: the requirements of `spec` as they are at a commit.

    `known` describes earlier work. `together` are groups of requirements that failed as one change
    and must be split. `failure` says why no model will reply, or is empty.
    """

    spec: Spec
    commit: Sha
    revision: int
    failure: str = ""
    known: tuple[str, ...] = ()
    together: tuple[tuple[RequirementId, ...], ...] = ()


class PlanResult(Frozen):
    """The plan; `fallback_reasons` say why rules made it, and are empty for a model's plan."""

    plan: Plan
    fallback_reasons: tuple[str, ...] = ()


def plan_or_ask(decision: Decision, run: SpecRun, task: Task) -> PlanResult | None:
    """The plan, or None while prompts are open; the next prompts are intended here."""
    return _Planning(decision, run, task).plan_or_ask()


def material_of(run: SpecRun, spec: Spec, about: PlanPromptInput) -> Material:
    """What a prompt contains besides its requirements, as far as the planning itself knows."""
    layout = layout_of(spec)
    rejections = run.rejections.get(about.stem, ())
    known = run.replanning.known if run.replanning else ()
    if layout.is_whole or about.phase is Phase.BRIEF:
        return Material(known=known, rejections=rejections)
    brief = _last_answer(run, _brief_stem(spec)) or ""
    changes: tuple[str, ...] = ()
    if about.phase is Phase.MERGE:
        changes = _lines_of(spec, _answered_parts(run, spec, layout, known))
    return Material(known=known, brief=brief, changes=changes, rejections=rejections)


def _lines_of(spec: Spec, parts: tuple[PartPlan, ...]) -> tuple[str, ...]:
    titles = {r.id: r.title for r in spec.requirements}
    return tuple(
        f"{c.slug} | {c.domain} | {c.title} | "
        + "; ".join(titles.get(r, r) for r in c.requirements)
        for c in drafts_of(spec, parts)
    )


def _asked(spec: Spec, ids: tuple[RequirementId, ...]) -> list[Requirement]:
    wanted = set(ids)
    return [r for r in distinct(spec) if r.id in wanted]


def _brief_stem(spec: Spec) -> str:
    """Depends only on titles and shared names, so a brief survives edits of the texts."""
    titles = [f"{r.id} {domain_of(r, spec)} {r.title}" for r in distinct(spec)]
    return stem_of(Phase.BRIEF, spec.key, (), "\n".join((*titles, *shared_names(spec))))


def _part_stem(spec: Spec, part: Part, known: tuple[str, ...]) -> str:
    return stem_of(Phase.DOMAIN, part.name, _asked(spec, part.requirements), "\n".join(known))


def _last_answer(run: SpecRun, stem: str) -> str | None:
    return run.answers.get(prompt_id(stem, len(run.rejections.get(stem, ()))))


def _answered_parts(
    run: SpecRun, spec: Spec, layout: Layout, known: tuple[str, ...]
) -> tuple[PartPlan, ...]:
    found = []
    for part in layout.parts:
        answer = _last_answer(run, _part_stem(spec, part, known))
        if answer is not None:
            found.append(PartPlan(part=part, answer=read_plan_answer(answer)))
    return tuple(found)


class _Planning:
    def __init__(self, decision: Decision, run: SpecRun, task: Task) -> None:
        self._decision = decision
        self._run = run
        self._task = task
        self._spec = task.spec
        self._layout = layout_of(task.spec)
        self._has_no_model = False
        self._is_waiting = False

    def plan_or_ask(self) -> PlanResult | None:
        if self._task.failure:
            return self._by_rules((self._task.failure,))
        return self._plan_whole() if self._layout.is_whole else self._plan_in_parts()

    def _plan_whole(self) -> PlanResult | None:
        part = self._layout.parts[0]
        asked = _asked(self._spec, part.requirements)
        stem = stem_of(Phase.WHOLE, part.name, asked, "\n".join(self._task.known))
        answer = self._answer(Phase.WHOLE, part, stem)
        if answer is None:
            return None
        parts = (PartPlan(part=part, answer=read_plan_answer(answer)),)
        return self._judge(stem, answer, assembled(self._spec, parts, None, self._task.revision))

    def _plan_in_parts(self) -> PlanResult | None:
        everything = Part(
            name=self._spec.key, requirements=tuple(r.id for r in distinct(self._spec))
        )
        if self._answer(Phase.BRIEF, everything, _brief_stem(self._spec)) is None:
            return None
        # No early return: the prompts of all parts run in parallel.
        for part in self._layout.parts:
            made = self._check_part(part)
            if made is not None:
                return made
        if self._is_waiting:
            return None
        parts = _answered_parts(self._run, self._spec, self._layout, self._task.known)
        # Depends only on what the merge reads, so it survives edits that keep the changes.
        content = (self._answer_of_brief(), *_lines_of(self._spec, parts))
        stem = stem_of(Phase.MERGE, self._spec.key, (), "\n".join(content))
        answer = self._answer(Phase.MERGE, everything, stem)
        if answer is None:
            return None
        merge: MergeAnswer = read_merge_answer(answer)
        return self._judge(stem, answer, assembled(self._spec, parts, merge, self._task.revision))

    def _answer_of_brief(self) -> str:
        return _last_answer(self._run, _brief_stem(self._spec)) or ""

    def _check_part(self, part: Part) -> PlanResult | None:
        """Ask for a part's plan, or send it back; the plan by rules after too many rejections."""
        if self._has_no_model:
            return None
        stem = _part_stem(self._spec, part, self._task.known)
        answer = self._answer(Phase.DOMAIN, part, stem)
        if answer is None:
            return None
        within = only(self._spec, part.requirements)
        plans = (PartPlan(part=part, answer=read_plan_answer(answer)),)
        findings = judged(assembled(within, plans, None, self._task.revision), within)
        return self._send_back(stem, answer, findings) if findings else None

    def _judge(self, stem: str, answer: str, proposal: Plan) -> PlanResult | None:
        findings = (*judged(proposal, self._spec), *repeated(proposal, self._task.together))
        if findings:
            return self._send_back(stem, answer, findings)
        return PlanResult(plan=proposal)

    def _send_back(
        self, stem: str, answer: str, findings: tuple[PlanFinding, ...]
    ) -> PlanResult | None:
        reasons = tuple(dict.fromkeys(f.sentence for f in findings))[:_REASONS_MAX]
        if len(self._run.rejections.get(stem, ())) >= REJECTIONS_MAX:
            return self._by_rules(reasons)
        self._is_waiting = True
        self._decision.emit(
            AnswerRejected(spec_run=self._run.id, stem=stem, previous=answer, reasons=reasons)
        )
        return None

    def _answer(self, phase: Phase, part: Part, stem: str) -> str | None:
        """The newest reply to a prompt; None if there is none yet: then the prompt is intended."""
        answer = _last_answer(self._run, stem)
        if answer is not None:
            return answer
        self._is_waiting = True
        id_ = prompt_id(stem, len(self._run.rejections.get(stem, ())))
        role = ROLE_OF[phase]
        found = resolve(role, self._decision.policy, self._decision.observed.models)
        if isinstance(found, ModelRefusal):
            self._has_no_model = True
            self._decision.emit(
                ModelFailed(place=self._run.id, prompt=id_, sentence=found.sentence)
            )
            return None
        about = PlanPromptInput(
            spec_run=self._run.id,
            path=self._run.path,
            commit=self._task.commit,
            phase=phase,
            part=part.name,
            requirements=part.requirements,
            stem=stem,
        )
        self._decision.intend(
            AskModel(
                prompt=id_,
                role=role,
                models=found.models,
                about=about,
                asked_at=self._decision.now,
            )
        )
        return None

    def _by_rules(self, reasons: tuple[str, ...]) -> PlanResult:
        return PlanResult(plan=plan(self._spec, self._task.revision), fallback_reasons=reasons)
