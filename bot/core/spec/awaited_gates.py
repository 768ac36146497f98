"""Gates that no runner runs: checks of other Apps, a model's review, and what a person says."""

from collections.abc import Mapping

from bot.core.spec.gate_entry import GateEntry
from bot.core.values.ids import Frozen
from bot.core.values.repository import Role
from gates.graded.findings import Grade


class ExternalGate(Frozen):
    """A check of another App that is awaited on each candidate; `app` is its id or slug."""

    name: str
    check: str
    app: int | str | None = None
    deadline_seconds: int
    required: bool

    def is_of(self, app_id: int, app_slug: str) -> bool:
        """Whether this App's check counts."""
        return self.app is None or self.app in {app_id, app_slug}


class AcceptanceGate(Frozen):
    """A person with this role, or more, accepts or rejects what a candidate changes."""

    name: str
    role: Role
    required: bool


class ReviewGate(Frozen):
    """A model reads what a candidate changes; `block` is the least severity that is red, `dollars_max` what
    it may cost."""

    name: str
    block: Grade
    dollars_max: float
    deadline_seconds: int
    required: bool


def external_gates(entries: Mapping[str, GateEntry]) -> tuple[ExternalGate, ...]:
    return tuple(
        ExternalGate(
            name=name,
            check=entry.external.check,
            app=entry.external.app,
            deadline_seconds=entry.timeout_seconds,
            required=entry.required,
        )
        for name, entry in entries.items()
        if entry.external is not None
    )


def acceptance_gates(entries: Mapping[str, GateEntry]) -> tuple[AcceptanceGate, ...]:
    return tuple(
        AcceptanceGate(name=name, role=Role(entry.acceptance), required=entry.required)
        for name, entry in entries.items()
        if entry.acceptance is not None
    )


def review_gates(entries: Mapping[str, GateEntry]) -> tuple[ReviewGate, ...]:
    return tuple(
        ReviewGate(
            name=name,
            block=entry.review.block,
            dollars_max=entry.review.dollars_max,
            deadline_seconds=entry.timeout_seconds,
            required=entry.is_needed,
        )
        for name, entry in entries.items()
        if entry.review is not None
    )
