"""Who offers an endpoint comes before who calls it.

A requirement offers the route that its own text names, unless it says that it calls it; the others
name it in their scenarios, or as what they call. Where more than one offers it, nothing is said.
"""

import re
from collections import defaultdict

from bot.core.plan.hot_spots import ResourceKind, kind_of
from bot.core.plan.stated_dependencies import Need
from bot.core.plan.vocabulary import distinct, evidence
from bot.core.values.ids import RequirementId
from bot.core.values.plan_model import DependencyKind
from bot.core.values.spec_model import Requirement, Spec

INTERFACE_CONFIDENCE = 65
# A route of more requirements is the whole product's.
_NAMERS_MAX = 6
_CALLS = re.compile(
    r"(?:\b(?:call|request|use|invoke|consume|fetch|quer(?:y|ie)|llama|invoca|appel|ruf|вызыва|wywoł)\w*|"
    r"调用|請求|请求|呼び出|호출)[^.。\n]{0,40}$",
    re.IGNORECASE,
)
_METHOD = re.compile(r"^(?:GET|POST|PUT|PATCH|DELETE)\s+")
_BEFORE = 60


def interface_needs(spec: Spec) -> tuple[Need, ...]:
    namers: defaultdict[str, list[Requirement]] = defaultdict(list)
    for requirement in distinct(spec):
        for resource in requirement.resources:
            if kind_of(resource) is ResourceKind.ROUTE and _METHOD.match(resource):
                namers[resource].append(requirement)
    needs: dict[tuple[RequirementId, RequirementId], Need] = {}
    for route, members in namers.items():
        offered_by = [r for r in members if offers(r, route)]
        if len(offered_by) != 1 or not 1 < len(members) <= _NAMERS_MAX:
            continue
        owner = offered_by[0]
        for user in members:
            if user is not owner:
                words = evidence(user.path, user.line_start, f"`{route}`, offered by {owner.title}")
                needs.setdefault(
                    (user.id, owner.id),
                    Need(user.id, owner.id, DependencyKind.SHARES, words, INTERFACE_CONFIDENCE),
                )
    return tuple(needs.values())


def offers(requirement: Requirement, route: str) -> bool:
    """Whether its own text names the route, and not as one that it calls."""
    at = requirement.statement.find(route)
    return at >= 0 and not _CALLS.search(
        requirement.statement[max(at - _BEFORE, 0) : at].rstrip("`")
    )
