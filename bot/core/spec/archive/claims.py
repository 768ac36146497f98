"""Which requirements of the main specs a delta changes: two open pulls may claim the same one.

Whichever is merged second folds its delta onto a text that its author has not read.
"""

from collections.abc import Iterable, Mapping

from bot.core.spec.drafts import normal
from bot.core.values.ids import PullNumber
from bot.core.values.spec_model import Finding, Requirement, Severity, Spec

_TOLD_MAX = 20


def claims(before: Spec | None, head: Spec) -> tuple[str, ...]:
    """What the head's delta claims and the text on main does not: `till: Sum up`."""
    known = {r.text_hash for r in before.requirements} if before else set()
    found = (claimed(r) for r in head.requirements if r.text_hash not in known)
    return tuple(dict.fromkeys(claim for own in found for claim in own))


def overlap(one: Iterable[str], other: Iterable[str]) -> frozenset[str]:
    """The claims that both make, as they are compared."""
    return frozenset(map(normal, one)) & frozenset(map(normal, other))


def claimed_twice(
    head: Spec, own: Iterable[str], others: Mapping[PullNumber, tuple[str, ...]]
) -> tuple[Finding, ...]:
    """A finding for each requirement that another open pull claims, too."""
    made_by = {n: frozenset(map(normal, made)) for n, made in others.items()}
    both = {
        claim: sorted(n for n, made in made_by.items() if normal(claim) in made) for claim in own
    }
    found = []
    for requirement in head.requirements:
        pulls = sorted({n for claim in claimed(requirement) for n in both.get(claim, ())})
        if not pulls:
            continue
        named = " and ".join(f"Pull {number}" for number in pulls[:3])
        found.append(
            Finding(
                code="claimed_twice",
                severity=Severity.WARN,
                line=requirement.line_start,
                quote=requirement.title[:200],
                question=(
                    f"{named} claims '{requirement.title[:120]}' of {requirement.domain}, too. What is "
                    "merged second must be written on the text of the first: which one waits?"
                ),
                path=requirement.path,
            )
        )
    return tuple(found[:_TOLD_MAX])


def claimed(requirement: Requirement) -> tuple[str, ...]:
    """What a requirement of a delta claims: `till: Sum up`; nothing outside of one."""
    if requirement.operation is None:
        return ()
    titles = (requirement.title, requirement.renamed_from)
    return tuple(f"{requirement.domain}: {title}" for title in titles if title)
