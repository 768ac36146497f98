"""How a spec is divided for planning: into one prompt, or into parts.

The same spec is always divided in the same way, and an edit of one requirement changes only its own
part. Tokens are estimated from the number of letters.
"""

from collections import defaultdict

from bot.core.plan.vocabulary import distinct, domain_of
from bot.core.values.ids import Frozen, RequirementId
from bot.core.values.spec_model import Requirement, Spec

# English and code have about four characters a token; other scripts about one and a half.
_CHARACTERS_PER_TOKEN = 4
_BEYOND_LATIN = "\u0250"
_TOKENS_BEYOND_LATIN = 2 / 3

# The part of a spec in one prompt: with more, answers lose requirements, and one long answer
# takes longer than several side by side.
WHOLE_TOKENS_MAX = 8_000
# Enough requirements to justify the context that every part repeats, and few enough to lose none.
PART_REQUIREMENTS_MAX = 24
_PART_REQUIREMENTS_MIN = 8


class Part(Frozen):
    name: str
    requirements: tuple[RequirementId, ...]


class Layout(Frozen):
    """One part means that the spec is planned as a whole."""

    parts: tuple[Part, ...]

    @property
    def is_whole(self) -> bool:
        return len(self.parts) == 1


def tokens_of(text: str) -> int:
    """An estimate."""
    beyond = sum(1 for c in text if c >= _BEYOND_LATIN)
    return round((len(text) - beyond) / _CHARACTERS_PER_TOKEN + beyond * _TOKENS_BEYOND_LATIN)


def text_of(requirement: Requirement) -> str:
    """The requirement with its scenarios, as a model gets it."""
    scenarios = [f"Scenario: {s.name}\n{s.text}" for s in requirement.scenarios]
    return "\n".join((requirement.title, requirement.statement, *scenarios))


def layout_of(spec: Spec) -> Layout:
    requirements = distinct(spec)
    total = sum(tokens_of(text_of(r)) for r in requirements)
    if total <= WHOLE_TOKENS_MAX:
        whole = Part(name=spec.key, requirements=tuple(r.id for r in requirements))
        return Layout(parts=(whole,))
    domains: defaultdict[str, list[RequirementId]] = defaultdict(list)
    for requirement in requirements:
        domains[domain_of(requirement, spec)].append(requirement.id)
    return Layout(parts=tuple(_packed(domains)))


def _packed(domains: dict[str, list[RequirementId]]) -> list[Part]:
    """Large domains are split evenly, small neighbours joined."""
    parts: list[Part] = []
    for name, ids in domains.items():
        pieces = -(-len(ids) // PART_REQUIREMENTS_MAX)
        if pieces > 1:
            size = -(-len(ids) // pieces)
            cuts = [ids[at : at + size] for at in range(0, len(ids), size)]
            parts += [
                Part(name=f"{name} {at}", requirements=tuple(cut)) for at, cut in enumerate(cuts, 1)
            ]
            continue
        last = parts[-1] if parts else None
        together = len(last.requirements) + len(ids) if last else 0
        is_small = last is not None and (
            min(len(last.requirements), len(ids)) < _PART_REQUIREMENTS_MIN
        )
        if last is not None and is_small and together <= PART_REQUIREMENTS_MAX:
            parts[-1] = Part(name=f"{last.name}, {name}", requirements=(*last.requirements, *ids))
        else:
            parts.append(Part(name=name, requirements=tuple(ids)))
    return parts
