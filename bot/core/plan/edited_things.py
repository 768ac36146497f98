"""What a change makes or changes that a change of another spec could edit, too.

A file or an endpoint that its requirements name, a table or another contract that they define, and a
requirement of the main specs that its delta claims. Where two specs are at work at once, this tells
which of their changes meet (`bot.core.state.rivals`); within one spec the plan's order tells it.
"""

import re
from collections.abc import Iterable

from bot.core.plan.hot_spots import ResourceKind, defines, kind_of, place_of, signed
from bot.core.plan.interfaces import offers
from bot.core.plan.vocabulary import fold
from bot.core.spec.archive.claims import claimed
from bot.core.values.spec_model import Requirement

# An everyday word is a thing of its own only where it is called one that outlives the sentence.
_LASTING = (
    r"(?:schema|tables?|endpoints?|contract|protocol|topic|queue|api|webhook|migration|collection)"
)
_CALLED = re.compile(rf"\b{_LASTING}\s+\x00(?!\w)|(?<!\w)\x00\s+{_LASTING}\b")
# A requirement that names more is a list, and meets everybody.
_THINGS_MAX = 20


def edited_things(requirements: Iterable[Requirement]) -> tuple[str, ...]:
    """The names as the spec spells them, in its order; at most 20."""
    found: dict[str, str] = {}
    for requirement in requirements:
        named = [place_of(r) for r in requirement.resources]
        # A route with its method is named without it, too: `GET /orders` does not meet `POST /orders`.
        bare = {route for name in named for _, blank, route in [name.partition(" ")] if blank}
        edited = [n for n in named if n and n not in bare and _edits(requirement, n)]
        for name in (*edited, *claimed(requirement)):
            found.setdefault(fold(name), name)
    return tuple(found.values())[:_THINGS_MAX]


def _edits(requirement: Requirement, name: str) -> bool:
    match kind_of(name):
        case ResourceKind.SHARED_FILE:
            return True
        case ResourceKind.FILE:
            return name in f"{requirement.title}\n{requirement.statement}"
        case ResourceKind.ROUTE:
            return offers(requirement, name) or defines(requirement, name)
        case ResourceKind.NAME:
            return defines(requirement, name)
        case ResourceKind.WORD:
            said = (requirement.title, requirement.statement)
            return any(_CALLED.search(signed(text, fold(name))) for text in said)
        case ResourceKind.DOCUMENT:
            return False
