"""How far each requirement is to be proven, and how many tests its scenarios need: by its risk."""

from collections.abc import Mapping
from enum import StrEnum
from fnmatch import fnmatchcase

from bot.core.values.ids import Frozen
from bot.core.values.spec_model import Modality, Requirement
from gates.proof import ProofLevel


class Risk(StrEnum):
    """How much it would harm if a requirement did not hold."""

    HIGH = "high"
    NORMAL = "normal"
    LOW = "low"


# As MoSCoW and most trackers say it.
_BY_PRIORITY = {
    **dict.fromkeys(("p0", "p1", "critical", "highest", "high", "must", "must have"), Risk.HIGH),
    **dict.fromkeys(("p3", "p4", "low", "lowest", "could", "could have"), Risk.LOW),
}
_OPTIONAL = frozenset({Modality.SHOULD, Modality.MAY})


class TestPlan(Frozen):
    """What a policy asks for each risk; `risks` names requirements by patterns of their ids."""

    __test__ = False

    levels: Mapping[Risk, ProofLevel] = {}
    scenarios: Mapping[Risk, int] = {}
    risks: Mapping[str, Risk] = {}

    def risk_of(self, requirement: Requirement) -> Risk:
        """What the policy says of its id, else the author's priority, else how binding it is."""
        for pattern, risk in self.risks.items():
            if fnmatchcase(requirement.id, pattern):
                return risk
        said = (requirement.priority or "").strip().casefold()
        if said in _BY_PRIORITY:
            return _BY_PRIORITY[said]
        return Risk.LOW if requirement.modality in _OPTIONAL else Risk.NORMAL

    def level_of(self, requirement: Requirement | None) -> ProofLevel:
        risk = self.risk_of(requirement) if requirement else Risk.NORMAL
        return self.levels.get(risk, ProofLevel.NONE)

    def tests_per_scenario(self, requirement: Requirement | None) -> int:
        risk = self.risk_of(requirement) if requirement else Risk.NORMAL
        return self.scenarios.get(risk, 0)

    @property
    def highest(self) -> ProofLevel:
        return max(self.levels.values(), key=lambda level: level.rank, default=ProofLevel.NONE)
