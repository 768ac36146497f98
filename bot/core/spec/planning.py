"""Planning by a model: which question is next, and what the answers come to.

A small spec is planned in one question, a large one in a brief, one question a part side by side,
and a merge. The rule: an answer against the law goes back with the reasons, twice at most; then, as
where no model answers, the plan by rules is offered beside the findings and a person chooses.
Deliberately absent: asking, and any way to approve by itself.
"""

from enum import StrEnum

from bot.core.draft import Draft
from bot.core.ids import Frozen, RequirementId, Sha, SpecRunId
from bot.core.journal.effects import AskModel
from bot.core.journal.events import AnswerRejected, ModelFailed, PlanMade, PlanningBegan
from bot.core.journal.state import ChangeFacts, Planning, SpecRun
from bot.core.models.resolve import ModelRefusal, resolve
from bot.core.plan.asking.about import ROLE_OF, Phase, PlanQuestion, question_id, stem_of
from bot.core.plan.asking.answers import MergeAnswer, read_merge_answer, read_plan_answer
from bot.core.plan.asking.assemble import PartPlan, assembled, drafts_of
from bot.core.plan.asking.estimate import planning_estimate, work_estimate
from bot.core.plan.asking.law import judged
from bot.core.plan.asking.layout import Layout, Part, layout_of
from bot.core.plan.asking.material import Material, shared_names
from bot.core.plan.check import check
from bot.core.plan.deterministic import plan
from bot.core.plan.model import Plan, PlanFinding
from bot.core.plan.terms import distinct, domain_of
from bot.core.spec.model import Requirement, Spec
from bot.core.talk import off

# An answer goes back this often. A third try was as wrong as the second in what was measured of
# models that repair their own output, and a person can say more than a list of reasons.
REJECTIONS_MAX = 2

_REASONS_MAX = 12


class Again(StrEnum):
    """Whether answers that a model gave before still count."""

    KEEPING = "keeping"
    AFRESH = "afresh"


def next_steps(draft: Draft) -> None:
    """Ask what is to be asked next, or make the plan, for every spec that a model is planning."""
    for run in tuple(draft.state.spec_runs.values()):
        spec = draft.observed.specs.get(run.id)
        if run.planning is None or not run.is_open or spec is None:
            continue
        live = live_of(spec, run.planning.requirements)
        # A look that was made before the planning began shows the text as it was until then.
        if {r.id: r.text_hash for r in live.requirements} == run.planning.requirements:
            _Planner(draft, run, run.planning, live).go_on()


class PlanSource(Frozen):
    """What a plan is made from: a version of a spec, and those of its requirements that count."""

    version: str
    commit: Sha
    requirements: dict[str, str]
    ids: dict[RequirementId, RequirementId] = {}
    bases: dict[str, str] = {}


def begin(draft: Draft, run: SpecRunId, source: PlanSource, live: Spec, again: Again) -> None:
    """Have a model plan, told in advance what it will take."""
    draft.emit(
        PlanningBegan(
            spec_run=run,
            version=source.version,
            commit=source.commit,
            requirements=source.requirements,
            ids=source.ids,
            bases=source.bases,
            began_at=draft.now,
            estimate=planning_estimate(live, draft.policy, draft.observed.models),
            afresh=again is Again.AFRESH,
        )
    )


def emit_plan(
    draft: Draft,
    run: SpecRunId,
    source: PlanSource,
    proposal: Plan,
    beside: tuple[str, ...] = (),
) -> None:
    """A revision of the plan, with what it will take and what is off here."""
    draft.emit(
        PlanMade(
            spec_run=run,
            version=source.version,
            commit=source.commit,
            plan=proposal,
            requirements=source.requirements,
            ids=source.ids,
            bases=source.bases,
            beside=beside,
            off=off.off_line(draft.policy, draft.observed.models),
            estimate=work_estimate(proposal, draft.policy, draft.observed.models),
        )
    )


def live_of(spec: Spec, requirements: dict[str, str]) -> Spec:
    """The spec with only those requirements that are to be planned."""
    documents = tuple(
        d.model_copy(
            update={"requirements": tuple(r for r in d.requirements if r.id in requirements)}
        )
        for d in spec.documents
    )
    return spec.model_copy(update={"documents": documents})


def material_of(run: SpecRun, spec: Spec, about: PlanQuestion, others: tuple[str, ...]) -> Material:
    """What a question is given beside its requirements, as far as the journal knows it."""
    layout = layout_of(spec)
    rejections = run.rejections.get(about.stem, ())
    if layout.is_whole or about.phase is Phase.BRIEF:
        return Material(under_way=others, rejections=rejections)
    brief = run.answers.get(question_id(_brief_stem(spec), 0), "")
    changes: tuple[str, ...] = ()
    if about.phase is Phase.MERGE:
        titles = {r.id: r.title for r in spec.requirements}
        changes = tuple(
            f"{c.slug} | {c.domain} | {c.title} | "
            + "; ".join(titles.get(r, r) for r in c.requirements)
            for c in drafts_of(spec, _answered_parts(run, spec, layout))
        )
    return Material(under_way=others, brief=brief, changes=changes, rejections=rejections)


def _asked(spec: Spec, ids: tuple[RequirementId, ...]) -> list[Requirement]:
    wanted = set(ids)
    return [r for r in distinct(spec) if r.id in wanted]


def _brief_stem(spec: Spec) -> str:
    """Of titles and what they share alone: a brief outlives an edit of what stands below them."""
    titles = [f"{r.id} {domain_of(r, spec)} {r.title}" for r in distinct(spec)]
    return stem_of(Phase.BRIEF, spec.key, (), "\n".join((*titles, *shared_names(spec))))


def _part_stem(spec: Spec, part: Part) -> str:
    return stem_of(Phase.DOMAIN, part.name, _asked(spec, part.requirements))


def _last_answer(run: SpecRun, stem: str) -> str | None:
    return run.answers.get(question_id(stem, len(run.rejections.get(stem, ()))))


def _answered_parts(run: SpecRun, spec: Spec, layout: Layout) -> tuple[PartPlan, ...]:
    found = []
    for part in layout.parts:
        answer = _last_answer(run, _part_stem(spec, part))
        if answer is not None:
            found.append(PartPlan(part=part, answer=read_plan_answer(answer)))
    return tuple(found)


class _Planner:
    """One spec run's next step."""

    def __init__(self, draft: Draft, run: SpecRun, planning: Planning, spec: Spec) -> None:
        self._draft = draft
        self._run = run
        self._planning = planning
        self._spec = spec
        self._layout = layout_of(spec)
        self._revision = (run.plan.revision if run.plan else 0) + 1

    def go_on(self) -> None:
        """Whatever can be done now."""
        if self._planning.failure:
            self._offer((self._planning.failure,))
        elif self._layout.is_whole:
            self._plan_whole()
        else:
            self._plan_in_parts()

    def _plan_whole(self) -> None:
        part = self._layout.parts[0]
        stem = stem_of(Phase.WHOLE, part.name, _asked(self._spec, part.requirements))
        answer = self._answer(Phase.WHOLE, part, stem)
        if answer is not None:
            parts = (PartPlan(part=part, answer=read_plan_answer(answer)),)
            self._judge(stem, answer, assembled(self._spec, parts, None, self._revision))

    def _plan_in_parts(self) -> None:
        everything = Part(
            name=self._spec.key, requirements=tuple(r.id for r in distinct(self._spec))
        )
        if self._answer(Phase.BRIEF, everything, _brief_stem(self._spec)) is None:
            return
        # All of them, the first that waits or not: the parts are asked side by side.
        good = [self._is_part_good(part) for part in self._layout.parts]
        if not all(good):
            return
        parts = _answered_parts(self._run, self._spec, self._layout)
        slugs = " ".join(c.slug for c in drafts_of(self._spec, parts))
        stem = stem_of(Phase.MERGE, self._spec.key, distinct(self._spec), slugs)
        answer = self._answer(Phase.MERGE, everything, stem)
        if answer is not None:
            merge: MergeAnswer = read_merge_answer(answer)
            self._judge(stem, answer, assembled(self._spec, parts, merge, self._revision))

    def _is_part_good(self, part: Part) -> bool:
        """Whether a part is planned and lawful in itself; asks, or sends back, where it is not."""
        if self._is_over():
            return False
        stem = _part_stem(self._spec, part)
        answer = self._answer(Phase.DOMAIN, part, stem)
        if answer is None:
            return False
        within = live_of(self._spec, dict.fromkeys(part.requirements, ""))
        plans = (PartPlan(part=part, answer=read_plan_answer(answer)),)
        findings = judged(assembled(within, plans, None, self._revision), within)
        if findings:
            self._send_back(stem, answer, findings)
        return not findings

    def _judge(self, stem: str, answer: str, proposal: Plan) -> None:
        findings = judged(proposal, self._spec)
        if findings:
            self._send_back(stem, answer, findings)
        else:
            self._emit_plan(proposal, ())

    def _send_back(self, stem: str, answer: str, findings: tuple[PlanFinding, ...]) -> None:
        reasons = tuple(dict.fromkeys(f.sentence for f in findings))[:_REASONS_MAX]
        if len(self._run.rejections.get(stem, ())) >= REJECTIONS_MAX:
            self._offer(reasons)
            return
        self._draft.emit(
            AnswerRejected(spec_run=self._run.id, stem=stem, previous=answer, reasons=reasons)
        )

    def _answer(self, phase: Phase, part: Part, stem: str) -> str | None:
        """The newest answer to a question; where there is none yet, the question is asked."""
        answer = _last_answer(self._run, stem)
        if answer is not None:
            return answer
        question = question_id(stem, len(self._run.rejections.get(stem, ())))
        role = ROLE_OF[phase]
        found = resolve(role, self._draft.policy, self._draft.observed.models)
        if isinstance(found, ModelRefusal):
            self._draft.emit(
                ModelFailed(place=self._run.id, question=question, sentence=found.sentence)
            )
            return None
        if self._run.commit is not None:
            about = PlanQuestion(
                spec_run=self._run.id,
                path=self._run.path,
                commit=self._run.commit,
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

    def _is_over(self) -> bool:
        """Whether another part has just made more asking vain."""
        planning = self._draft.state.spec_runs[self._run.id].planning
        return planning is None or bool(planning.failure)

    def _offer(self, beside: tuple[str, ...]) -> None:
        """The plan by rules, with the reasons beside it."""
        self._emit_plan(plan(self._spec, self._revision), beside)

    def _emit_plan(self, proposal: Plan, beside: tuple[str, ...]) -> None:
        if self._run.commit is None or check(proposal, self._spec):
            return
        source = PlanSource(
            version=self._planning.version,
            commit=self._run.commit,
            requirements=self._planning.requirements,
            ids=self._run.ids,
            bases=self._run.bases,
        )
        emit_plan(self._draft, self._run.id, source, proposal, beside)


def others_under_way(changes: tuple[ChangeFacts, ...]) -> tuple[str, ...]:
    """Changes of other spec runs that have not ended, as a planner is told of them."""
    return tuple(
        f"{c.planned.title} ({', '.join(c.planned.owns) or c.planned.domain})"
        for c in changes
        if not c.is_ended
    )
