"""The requirement in which a finding is.

Every line is looked up once for a spec, so that the cost is the sum of findings and requirements,
not their product. If requirements overlap, the first in the file owns the line.
"""

from bot.core.spec.line_owners import first_owners
from bot.core.values.spec_model import Finding, Requirement, Spec


class Owners:
    def __init__(self, spec: Spec) -> None:
        self._at: dict[tuple[str, int], Requirement] = {}
        by_path: dict[str, list[Requirement]] = {}
        for requirement in spec.requirements:
            by_path.setdefault(requirement.path, []).append(requirement)
        for path, own in by_path.items():
            owners = first_owners((r.line_start, r.line_end) for r in own)
            self._at |= {(path, line): own[position] for line, position in owners.items()}

    def of(self, finding: Finding) -> Requirement | None:
        """None if the finding is about the whole file."""
        return self._at.get((finding.path, finding.line))

    def all_of(self, finding: Finding) -> tuple[Requirement, ...]:
        """The requirements of all its places, each once."""
        lines = finding.lines or (finding.line,)
        found = (self._at.get((finding.path, line)) for line in lines)
        return tuple({owner.id: owner for owner in found if owner}.values())
