"""How much a model may think before it answers, by its name and by what is left to spend.

From version 4.6 on a model decides that itself; those before it are given a number of tokens; what is no model
of Claude's is not asked to.
"""

import re

from anthropic.types import (
    ThinkingConfigAdaptiveParam,
    ThinkingConfigEnabledParam,
    ThinkingConfigParam,
)

# With less room for an answer, thinking would leave too little of it for the work.
ROOM_TOKENS_MIN = 6_000
# The part of an answer that an older model may think.
_SHARE = 4
_FAMILY = re.compile(r"claude-(?P<family>[a-z]+)-(?P<major>\d{1,2})(?:-(?P<minor>\d{1,2}))?(?!\d)")
_ADAPTIVE_FROM = (4, 6)
_FIRST = (4, 0)


def thinking_for(model: str, answer_tokens: int) -> ThinkingConfigParam | None:
    """What to send with a request whose answer may be so long; None: do not mention it."""
    found = _FAMILY.match(model)
    if found is None or answer_tokens < ROOM_TOKENS_MIN:
        return None
    version = int(found["major"]), int(found["minor"] or 0)
    if version >= _ADAPTIVE_FROM:
        return ThinkingConfigAdaptiveParam(type="adaptive")
    if version >= _FIRST:
        return ThinkingConfigEnabledParam(type="enabled", budget_tokens=answer_tokens // _SHARE)
    return None
