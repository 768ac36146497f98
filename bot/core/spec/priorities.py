"""How urgent a requirement is, in the words of several languages."""

import re
from collections.abc import Iterable

from bot.core.spec.triage.words import halfwidth

# What is written down and not asked for now.
LATER = "later"
_PRIORITIES = [
    (re.compile(r"^\W*P([0-3])\b", re.I), None),
    (
        re.compile(
            r"^\W*(?:must|critical|crítica|haute?|alta|高|必须|必須|必要|필수|높음|высок|wysok)",
            re.I,
        ),
        "P1",
    ),
    (re.compile(r"^\W*(?:should|high|media|moyenne|medium|中|중간|средн|średni)", re.I), "P2"),
    (
        re.compile(
            r"^\W*(?:could|low|baja|baixa|basse|nice|optional|option(?:al|nel)|低|任意|可选|可選|선택|낮음|низк|niski)",
            re.I,
        ),
        "P3",
    ),
]
_PRIORITY = re.compile(
    r"\((?:priority|priorité|prioridad|优先级)?\s*+[:：]?+\s*+(P[0-9])\s*+\)", re.IGNORECASE
)


def normal_priority(text: str) -> str | None:
    """P0 to P3 for a priority in any known words, or None."""
    for pattern, priority in _PRIORITIES:
        found = pattern.match(text.strip())
        if found:
            return priority or f"P{found.group(1)}"
    return None


def priority_in(text: str) -> str | None:
    """A priority in parentheses, such as `(Priority: P1)`."""
    found = _PRIORITY.search(halfwidth(text))
    return found.group(1).upper() if found else None


def urgencies_among(ids: Iterable[str]) -> frozenset[str]:
    """`P0` to `P4`; nothing where no `P0` is: `P1` and `P2` alone number something else."""
    said = frozenset(one for one in ids if re.fullmatch(r"P[0-4]", one))
    return said if "P0" in said else frozenset()
