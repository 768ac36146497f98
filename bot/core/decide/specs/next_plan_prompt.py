"""One planning by questions: which is asked next, and what the answers come to.

A small spec is planned in one question, a large one in a brief, one question a part side by side,
and a merge. The rule: an answer against the law goes back with the reasons, twice at most; then, as
where no model answers, the plan by rules is what comes of it, with the reasons beside it.
Deliberately absent: what a plan is for (`planning`, `replan`, `amending`), and asking.
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

# An answer goes back this often. A third try was as wrong as the second in what was measured of
# models that repair their own output, and a person can say more than a list of reasons.
REJECTIONS_MAX = 2

_REASONS_MAX = 12


class Task(Frozen):
    """What is planned: those requirements of a spec, as they stand at a commit.

    `known` is what a planner is told of earlier work; `together` are requirements that one change
    has failed to carry, and none carries once more. `failure`: why no model will answer.
    """

    spec: Spec
    commit: Sha
    revision: int
    failure: str = ""
    known: tuple[str, ...] = ()
    together: tuple[tuple[RequirementId, ...], ...] = ()


class Made(Frozen):
    """What came of it; `beside` says why it is the plan by rules, empty for a model's plan."""

    plan: Plan
    beside: tuple[str, ...] = ()


def go_on(decision: Decision, run: SpecRun, task: Task) -> Made | None:
    """The plan; None where questions are open, which are asked as soon as they can be."""
    return _Inquiry(decision, run, task).go_on()


def material_of(run: SpecRun, spec: Spec, about: PlanPromptInput) -> Material:
    """What a question is given beside its requirements, as far as its own planning knows it."""
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
    """What a merge is told of the parts' changes."""
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
    """Of titles and what they share alone: a brief outlives an edit of what stands below them."""
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


class _Inquiry:
    """One planning's next step."""

    def __init__(self, decision: Decision, run: SpecRun, task: Task) -> None:
        self._draft = decision
        self._run = run
        self._task = task
        self._spec = task.spec
        self._layout = layout_of(task.spec)
        self._is_over = False
        self._waits = False

    def go_on(self) -> Made | None:
        """Whatever can be done now."""
        if self._task.failure:
            return self._by_rules((self._task.failure,))
        return self._plan_whole() if self._layout.is_whole else self._plan_in_parts()

    def _plan_whole(self) -> Made | None:
        part = self._layout.parts[0]
        asked = _asked(self._spec, part.requirements)
        stem = stem_of(Phase.WHOLE, part.name, asked, "\n".join(self._task.known))
        answer = self._answer(Phase.WHOLE, part, stem)
        if answer is None:
            return None
        parts = (PartPlan(part=part, answer=read_plan_answer(answer)),)
        return self._judge(stem, answer, assembled(self._spec, parts, None, self._task.revision))

    def _plan_in_parts(self) -> Made | None:
        everything = Part(
            name=self._spec.key, requirements=tuple(r.id for r in distinct(self._spec))
        )
        if self._answer(Phase.BRIEF, everything, _brief_stem(self._spec)) is None:
            return None
        # All of them, the first that waits or not: the parts are asked side by side.
        for part in self._layout.parts:
            made = self._see_part(part)
            if made is not None:
                return made
        if self._waits:
            return None
        parts = _answered_parts(self._run, self._spec, self._layout, self._task.known)
        # Of what a merge is told alone: it outlives an edit that leaves the changes as they were.
        told = (self._answer_of_brief(), *_lines_of(self._spec, parts))
        stem = stem_of(Phase.MERGE, self._spec.key, (), "\n".join(told))
        answer = self._answer(Phase.MERGE, everything, stem)
        if answer is None:
            return None
        merge: MergeAnswer = read_merge_answer(answer)
        return self._judge(stem, answer, assembled(self._spec, parts, merge, self._task.revision))

    def _answer_of_brief(self) -> str:
        return _last_answer(self._run, _brief_stem(self._spec)) or ""

    def _see_part(self, part: Part) -> Made | None:
        """Ask for a part's plan, or send it back; a plan by rules where it was sent back too often."""
        if self._is_over:
            return None
        stem = _part_stem(self._spec, part, self._task.known)
        answer = self._answer(Phase.DOMAIN, part, stem)
        if answer is None:
            return None
        within = only(self._spec, part.requirements)
        plans = (PartPlan(part=part, answer=read_plan_answer(answer)),)
        findings = judged(assembled(within, plans, None, self._task.revision), within)
        return self._send_back(stem, answer, findings) if findings else None

    def _judge(self, stem: str, answer: str, proposal: Plan) -> Made | None:
        findings = (*judged(proposal, self._spec), *repeated(proposal, self._task.together))
        if findings:
            return self._send_back(stem, answer, findings)
        return Made(plan=proposal)

    def _send_back(self, stem: str, answer: str, findings: tuple[PlanFinding, ...]) -> Made | None:
        reasons = tuple(dict.fromkeys(f.sentence for f in findings))[:_REASONS_MAX]
        if len(self._run.rejections.get(stem, ())) >= REJECTIONS_MAX:
            return self._by_rules(reasons)
        self._waits = True
        self._draft.emit(
            AnswerRejected(spec_run=self._run.id, stem=stem, previous=answer, reasons=reasons)
        )
        return None

    def _answer(self, phase: Phase, part: Part, stem: str) -> str | None:
        """The newest answer to a question; where there is none yet, the question is asked."""
        answer = _last_answer(self._run, stem)
        if answer is not None:
            return answer
        self._waits = True
        question = prompt_id(stem, len(self._run.rejections.get(stem, ())))
        role = ROLE_OF[phase]
        found = resolve(role, self._draft.policy, self._draft.observed.models)
        if isinstance(found, ModelRefusal):
            self._is_over = True
            self._draft.emit(
                ModelFailed(place=self._run.id, question=question, sentence=found.sentence)
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
        self._draft.intend(
            AskModel(
                question=question,
                role=role,
                models=found.models,
                about=about,
                asked_at=self._draft.now,
            )
        )
        return None

    def _by_rules(self, beside: tuple[str, ...]) -> Made:
        return Made(plan=plan(self._spec, self._task.revision), beside=beside)
