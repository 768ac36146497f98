"""Which epic each requirement belongs to: a coverage map (`FR1 → Epic 2`), or what an epic says it covers."""

import re

from bot.core.spec.reading import Source
from bot.core.values.spec_model import EpicOf

_WORD = r"(?:epic|épopée|épica|épico|эпик|史诗|エピック|에픽)"
# `FR1`, `FR-4.1`, `UX-DR2`.
_NAME = r"(?:[A-Z]{1,6}-)?[A-Z]{1,6}-?\d{1,4}(?:\.\d{1,3}){0,2}"
# `FR-1 (Create an order): Epic 2`
_TO = rf"^[\s|*_-]*(?P<id>{_NAME})[*_]*\s*(?:\([^()]{{1,80}}\)\s*)?(?:→|->|=>|[:|–—-])\s*\**"
_MAPPED = re.compile(
    rf"{_TO}{_WORD}\s*(?P<epic>\d{{1,3}})\b",
    re.IGNORECASE,
)
_PUT_OFF = re.compile(
    rf"{_TO}(?:deferred|postponed|later|future|backlog|out of scope|post-?mvp|not in (?:mvp|v1)|zurückgestellt|reporté|aplazado|"
    r"adiado|отложено|推迟|延期|後日|将来|연기)\b[^.]{0,40}$",
    re.IGNORECASE,
)
_HEADING = re.compile(rf"^#{{2,4}}\s+\**{_WORD}\s*(?P<epic>\d{{1,3}})\b", re.IGNORECASE)
_COVERS = re.compile(
    r"^\W*(?:FRs?|requirements?|exigences|requisitos)\s+(?:covered|couvert\w*|cubiert\w*|cobert\w*)\W",
    re.IGNORECASE,
)
_ID = re.compile(rf"\b{_NAME}\b")


def epics_of(source: Source) -> tuple[EpicOf, ...]:
    """The first that is said of an id counts."""
    found: dict[str, EpicOf] = {}
    epic = ""
    for text in source.visible:
        if heading := _HEADING.match(text):
            epic = heading["epic"]
        elif mapped := _MAPPED.match(text):
            one = EpicOf(id=mapped["id"], epic=mapped["epic"], words=text[mapped.end() :])
            found.setdefault(one.id, one)
        elif epic and _COVERS.match(text):
            for id_ in _ID.findall(text):
                found.setdefault(id_, EpicOf(id=id_, epic=epic))
    return tuple(found.values())


def put_off_in_map(source: Source) -> frozenset[str]:
    """What a page with a coverage map leaves for later there: `FR-9 (Alerts): DEFERRED - Future Phase`."""
    # Such a map often stands in a fence.
    if not any(map(_MAPPED.match, source.lines)):
        return frozenset()
    return frozenset(found["id"] for text in source.lines if (found := _PUT_OFF.match(text)))
