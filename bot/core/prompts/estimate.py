"""Estimates of planning and work, shown before they begin.

Computed from lengths; the report compares them with the real figures. An unknown price makes the
whole sum unknown.
"""

from collections.abc import Iterable, Mapping, Sequence

from action.order import AgentLimits, Price
from action.report import TokenUse
from bot.core.plan.vocabulary import distinct
from bot.core.prompts.figures import Estimate, SizeFigures, WorkEstimate
from bot.core.prompts.plan_layout import Layout, layout_of, text_of, tokens_of
from bot.core.prompts.repository_context import tokens_beside
from bot.core.spec.agent_budget import agent_settings
from bot.core.spec.model_choice import ModelRefusal, ServerModels, resolve
from bot.core.spec.policy import Policy
from bot.core.values.ids import RequirementId
from bot.core.values.model_roles import ModelRole
from bot.core.values.plan_input import ROLE_OF, Phase
from bot.core.values.plan_model import ChangeSize, Plan
from bot.core.values.price import added, agent_use, cost, price_of
from bot.core.values.spec_model import Spec

# Measured on questions as they are asked (`make bench-plan`): the rules and the form of the answer,
# and what frames each requirement.
_RULES_TOKENS = 900
_FRAME_TOKENS = 28
# A requirement in a brief is its id and title; in a merge, its title and its share of a change.
_LINE_TOKENS = 22
# A change in an answer takes some 200 tokens and has two to three requirements.
_ANSWER_TOKENS_PER_REQUIREMENT = 85

# Not measured on a real model yet: below half of the default budget.
_AGENT_TURNS = {ChangeSize.S: 20, ChangeSize.M: 50}
_AGENT_MINUTES = {ChangeSize.S: 4, ChangeSize.M: 10}


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


def work_estimate(plan: Plan, policy: Policy, server: ServerModels) -> WorkEstimate:
    """Tokens and cost of one attempt a change; minutes with `max_parallel` agents at a time."""
    by_size = {size: _figures(size, policy, server) for size in ChangeSize}
    side_by_side = max(1, min(policy.file.max_parallel, len(plan.changes)))
    return summed([c.size for c in plan.changes], by_size, side_by_side)


def summed(
    sizes: Iterable[ChangeSize], by_size: dict[ChangeSize, SizeFigures], side_by_side: int
) -> WorkEstimate:
    each = [by_size[size] for size in sizes]
    dollars: float | None = 0.0
    for one in each:
        dollars = added(dollars, one.dollars)
    return WorkEstimate(
        tokens=sum(one.tokens for one in each),
        dollars=dollars,
        minutes=-(-sum(one.minutes for one in each) // side_by_side),
        by_size=by_size,
        side_by_side=side_by_side,
    )


def _figures(size: ChangeSize, policy: Policy, server: ServerModels) -> SizeFigures:
    agent = agent_settings(policy, server, size)
    limits = agent.limits
    price = price_of(agent.model, policy.file.prices)
    turns = min(_AGENT_TURNS[size], limits.turns_max)
    while turns > 1 and _is_beyond(limits, agent_use(turns), price):
        turns -= 1
    use = agent_use(turns)
    dollars = cost(use, price)
    return SizeFigures(
        tokens_max=limits.tokens_max,
        dollars_max=None if dollars is None else limits.dollars_max,
        model=agent.model,
        tokens=use.total,
        dollars=dollars,
        minutes=_AGENT_MINUTES[size],
    )


def _is_beyond(limits: AgentLimits, use: TokenUse, price: Price | None) -> bool:
    dollars = cost(use, price)
    if dollars is not None and limits.dollars_max is not None and dollars > limits.dollars_max:
        return True
    return use.weighted > limits.tokens_max
