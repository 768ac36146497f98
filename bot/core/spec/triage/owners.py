"""Whose line it is: the requirement in which a finding stands.

Every line is looked up once for a spec, so that many findings in many requirements cost no more than
their sum. Where requirements overlap, the first in the file owns the line.
"""

from bot.core.values.spec_model import Finding, Requirement, Spec


class Owners:
    """The requirements of one spec by path and line."""

    def __init__(self, spec: Spec) -> None:
        self._at: dict[tuple[str, int], Requirement] = {}
        for requirement in spec.requirements:
            for line in range(requirement.line_start, requirement.line_end + 1):
                self._at.setdefault((requirement.path, line), requirement)

    def of(self, finding: Finding) -> Requirement | None:
        """The requirement that a finding is in; None for one about the file."""
        return self._at.get((finding.path, finding.line))
