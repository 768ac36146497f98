"""What the letters of an author's id say: `FR` asks for a function, `NFR` for a quality, `SC` for neither."""

import re
from enum import StrEnum

_PREFIX = re.compile(r"[A-Z][A-Z0-9]*?(?=[-.]|\d)")
# `US1-FR2`: the second requirement of a story.
_WITHIN = re.compile(r"[A-Z]{1,5}\d{1,3}-([A-Z]{2,8})-?\d")
_OF_QUALITY = re.compile(r"(?:REQ|RQ|R|REQUIREMENT|EX|EXG|SRS)-(?:NFR|NF|RNF|ENF|NFUN)-")


class ItemKind(StrEnum):
    FUNCTIONAL = "functional"
    RULE = "rule"
    STORY = "story"
    CRITERION = "criterion"
    NONFUNCTIONAL = "nonfunctional"
    OTHER = "other"


_KINDS = {
    ItemKind.FUNCTIONAL: "FR REQ R RF LF F FN FUN FUNC EF SR SYS UR SRS IR FREQ FEAT FEATURE ФТ TR DR UIR SEC API UI",
    ItemKind.RULE: "RULE BR RN RG RM BIZ",
    ItemKind.STORY: "US HU STORY UC CU",
    ItemKind.CRITERION: "AC CA SCENE SCN SCENARIO",
    ItemKind.NONFUNCTIONAL: "NFR RNF NF NFA ENF QR QAR NFREQ C CON CONSTRAINT PERF INV INVARIANT",
    ItemKind.OTHER: (
        "SC CHK T TASK EC OQ UJ SM KPI ADR PA A ASM OBJ G GOAL RISK RSK TC TEST AMB Q DEC D M K BUG ISSUE PR "
        "CVE CWE ISO RFC UTF SHA HTTP WP NG DEP ENT P PROP EP EPIC V PRD SPEC WCAG E S PHASE STEP H O X IEEE AES MD "
        "TLS B L LD LL N W NOTE AP"
    ),
}
_KIND_OF_PREFIX = {prefix: kind for kind, names in _KINDS.items() for prefix in names.split()}


def item_kind(identifier: str) -> ItemKind:
    """The kind of an id by its first letters; unknown letters with a hyphen are functional."""
    first = _PREFIX.match(identifier)
    prefix = first.group() if first else identifier
    # `REQ-NF-001`: which requirements they are stands behind.
    if _OF_QUALITY.match(identifier):
        return ItemKind.NONFUNCTIONAL
    within = _WITHIN.match(identifier)
    known = (within and _KIND_OF_PREFIX.get(within[1])) or _KIND_OF_PREFIX.get(prefix)
    if known is not None:
        return known
    is_divided = "-" in identifier or re.match(r"[A-Z]+\.", identifier)
    return ItemKind.FUNCTIONAL if is_divided else ItemKind.OTHER


def is_known_kind(identifier: str) -> bool:
    first = _PREFIX.match(identifier)
    return (first.group() if first else identifier) in _KIND_OF_PREFIX
