"""The requirement in which a finding is.

Every line is looked up once for a spec, so that the cost is the sum of findings and requirements,
not their product. If requirements overlap, the first in the file owns the line.
"""

from bot.core.values.spec_model import Finding, Requirement, Spec


class Owners:
    def __init__(self, spec: Spec) -> None:
        self._at: dict[tuple[str, int], Requirement] = {}
        for requirement in spec.requirements:
            for line in range(requirement.line_start, requirement.line_end + 1):
                self._at.setdefault((requirement.path, line), requirement)

    def of(self, finding: Finding) -> Requirement | None:
        """None if the finding is about the whole file."""
        return self._at.get((finding.path, finding.line))
