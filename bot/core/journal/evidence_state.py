"""What gates have said in a repository, kept by what they judged and not by who asked."""

from dataclasses import dataclass

from bot.core.values.evidence_key import EvidenceKey
from bot.core.values.ids import OrderId
from gates.result import GateResult


@dataclass(frozen=True, kw_only=True, slots=True)
class Evidence:
    """A result that kept nothing from passing, and the order that found it."""

    key: EvidenceKey
    result: GateResult
    order: OrderId
