"""Estimates of planning and work, shown before they begin.

That of planning is computed from lengths, that of work learned from this repository's own attempts.
The report compares them with the real figures. An unknown price makes the whole sum unknown.
"""

from collections.abc import Iterable, Mapping, Sequence

from action.report import TokenUse
from bot.core.plan.vocabulary import distinct
from bot.core.prompts.figures import Estimate, Learned, SizeFigures, WorkEstimate
from bot.core.prompts.plan_layout import Layout, layout_of, text_of, tokens_of
from bot.core.prompts.repository_context import tokens_beside
from bot.core.spec.agent_budget import agent_settings
from bot.core.spec.model_choice import ModelRefusal, ServerModels, resolve
from bot.core.spec.policy import Policy
from bot.core.values.ids import RequirementId
from bot.core.values.model_roles import ModelRole
from bot.core.values.plan_input import ROLE_OF, Phase
from bot.core.values.plan_model import ChangeSize, Plan
from bot.core.values.price import added, cost, price_of
from bot.core.values.spec_model import Spec

# Measured on prompts as they are sent (`make bench-plan`): the rules and the form of the answer,
# and what frames each requirement.
_RULES_TOKENS = 900
_FRAME_TOKENS = 28
# A requirement in a brief is its id and title; in a merge, its title and its share of a change.
_LINE_TOKENS = 22
# A change in an answer takes some 200 tokens and has two to three requirements.
_ANSWER_TOKENS_PER_REQUIREMENT = 85


def planning_estimate(spec: Spec, policy: Policy, server: ServerModels) -> Estimate:
    by_role: dict[ModelRole, TokenUse] = {}
    calls = 0
    for phase, use in _uses(spec, layout_of(spec)):
        role = ROLE_OF[phase]
        before = by_role.get(role, TokenUse())
        by_role[role] = before + use
        calls += 1
    dollars: float | None = 0.0
    for role, use in by_role.items():
        found = resolve(role, policy, server)
        if isinstance(found, ModelRefusal):
            return Estimate(calls=calls, tokens=_sum(by_role), dollars=None)
        price = price_of(found.models[0], policy.file.prices)
        dollars = added(dollars, cost(use, price))
    return Estimate(calls=calls, tokens=_sum(by_role), dollars=dollars)


def _sum(by_role: Mapping[ModelRole, TokenUse]) -> int:
    return sum(use.total for use in by_role.values())


def _uses(spec: Spec, layout: Layout) -> list[tuple[Phase, TokenUse]]:
    size = {r.id: tokens_of(text_of(r)) for r in distinct(spec)}
    count = len(size)

    def _read(ids: Sequence[RequirementId]) -> TokenUse:
        given = sum(size[r] for r in ids) + _FRAME_TOKENS * len(ids) + tokens_beside(len(ids))
        answered = len(ids) * _ANSWER_TOKENS_PER_REQUIREMENT
        return TokenUse(input=_RULES_TOKENS + given, output=answered)

    if layout.is_whole:
        return [(Phase.WHOLE, _read(layout.parts[0].requirements))]
    listed = _RULES_TOKENS + count * _LINE_TOKENS
    return [
        (Phase.BRIEF, TokenUse(input=listed, output=1_000)),
        *((Phase.DOMAIN, _read(part.requirements)) for part in layout.parts),
        (Phase.MERGE, TokenUse(input=listed, output=1_500)),
    ]


def work_estimate(
    plan: Plan, policy: Policy, server: ServerModels, known: Mapping[ChangeSize, Learned]
) -> WorkEstimate:
    """What one attempt a change takes, as far as this repository's own attempts tell."""
    by_size = {size: _figures(size, policy, server, known.get(size)) for size in ChangeSize}
    side_by_side = max(1, min(policy.file.max_parallel, len(plan.changes)))
    return summed([c.size for c in plan.changes], by_size, side_by_side)


def summed(
    sizes: Iterable[ChangeSize], by_size: dict[ChangeSize, SizeFigures], side_by_side: int
) -> WorkEstimate:
    """All sizes together; nothing of them where nothing is known of one."""
    each = [figures_of(size, by_size) for size in sizes]
    tokens = [one.tokens for one in each if one.tokens is not None]
    minutes = [one.minutes for one in each if one.minutes is not None]
    if not each or len(tokens) < len(each) or len(minutes) < len(each):
        return WorkEstimate(
            tokens=None, dollars=None, minutes=None, by_size=by_size, side_by_side=side_by_side
        )
    dollars: float | None = 0.0
    for one in each:
        dollars = added(dollars, one.dollars)
    return WorkEstimate(
        tokens=sum(tokens),
        dollars=dollars,
        minutes=-(-sum(minutes) // side_by_side),
        by_size=by_size,
        side_by_side=side_by_side,
    )


def figures_of(size: ChangeSize, by_size: dict[ChangeSize, SizeFigures]) -> SizeFigures:
    """An estimate of before there was a size L has none for it."""
    return by_size.get(size) or by_size[ChangeSize.M]


def _figures(
    size: ChangeSize, policy: Policy, server: ServerModels, known: Learned | None
) -> SizeFigures:
    agent = agent_settings(policy, server, size)
    has_price = price_of(agent.model, policy.file.prices) is not None
    return SizeFigures(
        tokens_max=agent.limits.tokens_max,
        dollars_max=agent.limits.dollars_max if has_price else None,
        model=agent.model,
        tokens=known.tokens if known else None,
        dollars=known.dollars if known else None,
        minutes=known.minutes if known else None,
        runs=known.runs if known else 0,
    )
