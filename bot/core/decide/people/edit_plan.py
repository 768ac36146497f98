"""`/headgate plan …`: a person edits the plan in an issue, or has a model plan it again.

An edit makes a new revision, which is checked like any other; an invalid one is refused with its
findings. Only a plan that is not approved can be edited. `bot.core.plan.edit` has the edits.
"""

from bot.core.decide.decision import Decision
from bot.core.decide.specs import plan_by_model
from bot.core.decide.specs.plan_by_model import EarlierAnswers, PlanSource, is_for_model
from bot.core.journal.state import SpecRun, SpecRunState
from bot.core.plan.check import check
from bot.core.plan.edit import USAGES, EditRefusal, edited
from bot.core.plan.put_off import left_out
from bot.core.plan.readiness import uncovered
from bot.core.plan.vocabulary import only
from bot.core.talk.asked_command import Reply, refuse, reply
from bot.core.talk.text import cell, code
from bot.core.values.plan_model import PlanFinding
from bot.core.values.spec_model import Spec


def edit_plan(decision: Decision, run: SpecRun, argument: str) -> Reply:
    """`argument` is the text after `/headgate plan`."""
    words = tuple(argument.split())
    spec = decision.observed.specs.get(run.id)
    if run.state is not SpecRunState.PROPOSED or run.commit is None:
        return refuse(_too_late(run))
    if run.planning is not None or run.plan is None or spec is None:
        return refuse(being_planned())
    source = PlanSource(
        version=run.version,
        commit=run.commit,
        requirements=run.requirements,
        ids=run.ids,
        bases=run.bases,
    )
    live = only(spec, run.requirements)
    if words and words[0].lower() == "again":
        if not is_for_model(decision):
            return refuse(_nobody_to_ask())
        plan_by_model.begin(decision, run.id, source, live, EarlierAnswers.DISCARD)
        return reply()
    is_more = bool(words) and words[0].lower() == "include"
    outcome = edited(run.plan, _all_to_do(decision, spec) if is_more else live, words)
    if isinstance(outcome, EditRefusal):
        return refuse(_refused(outcome, run))
    hashes = {r.id: r.text_hash for r in spec.requirements}
    planned = [r for change in outcome.plan.changes for r in change.requirements]
    kept = {r: h for r, h in run.requirements.items() if r not in outcome.dropped}
    kept |= {r: hashes[r] for r in planned if r not in kept and r in hashes}
    findings = check(outcome.plan, only(spec, kept))
    if findings:
        return refuse(_unlawful(findings))
    source = source.replace(requirements=kept)
    later = left_out(spec, kept, decision.state.covered) if is_more else outcome.plan.left_out
    plan_by_model.emit_plan(decision, run.id, source, outcome.plan.replace(left_out=later))
    return reply()


def _all_to_do(decision: Decision, spec: Spec) -> Spec:
    """All of the spec that has not landed, also what is put off."""
    return uncovered(decision.state.covered, spec, {r.id for r in spec.requirements})


def being_planned() -> str:
    return "The spec is being planned; the plan will be shown in this issue."


def _too_late(run: SpecRun) -> str:
    return f"This spec run is {run.state}: only a plan that waits for approval can be edited."


def _nobody_to_ask() -> str:
    return (
        "No model can be used here: the policy says `planner: deterministic`, or this server "
        "has no key for one."
    )


def _refused(refusal: EditRefusal, run: SpecRun) -> str:
    if refusal.unknown:
        slugs = ", ".join(f"`{c.slug}`" for c in run.plan.changes[:30]) if run.plan else ""
        return (
            f"{code(refusal.unknown)} cannot be found or does not fit here, so the plan was not "
            f"changed. The changes are {slugs}."
        )
    ways = "; ".join(f"`/headgate plan {usage}`" for usage in (*USAGES, "again"))
    return f"{code(refusal.usage)} is not an edit of a plan. The edits are: {ways}."


def _unlawful(findings: tuple[PlanFinding, ...]) -> str:
    lines = "\n".join(f"- {cell(f.sentence, 400)}" for f in findings[:10])
    return f"That plan would not be valid, so the plan was not changed:\n\n{lines}"
