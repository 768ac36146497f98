"""What each gate means for a change of one type, and which line of the policy says so."""

from collections.abc import Collection

from bot.core.spec.gate_entry import GateEntry, GateMode
from bot.core.spec.policy import Policy, mode_of
from bot.core.values.ids import Frozen
from bot.core.values.plan_model import ChangeType


class ExplainedGate(Frozen):
    """`where` is the line of the policy that gives the mode; `when` the paths that it is about."""

    name: str
    what: str
    mode: GateMode
    where: str
    when: tuple[str, ...] = ()


def explained_gates(
    policy: Policy, type_: ChangeType, raised: Collection[str] = ()
) -> tuple[ExplainedGate, ...]:
    """Every gate of the policy, those that are off included; the `raised` are required for what is touched."""
    return tuple(
        ExplainedGate(
            name=name,
            what=_what(entry),
            mode=mode_of(entry, type_, is_raised=name in raised),
            where=_where(policy, name, "required_for" if name in raised else _key(entry, type_)),
            when=entry.when,
        )
        for name, entry in policy.file.gates.items()
    )


def _what(entry: GateEntry) -> str:
    if entry.external is not None:
        return f"the check {entry.external.check}"
    if entry.review is not None:
        return f"a model's review, red from {entry.review.block}"
    if entry.acceptance is not None:
        return f"a person with the role {entry.acceptance}"
    return f"builtin {entry.builtin}" if entry.builtin else "its line"


def _key(entry: GateEntry, type_: ChangeType) -> str:
    return f"modes.{type_}" if type_ in entry.modes else "required"


def _where(policy: Policy, name: str, key: str) -> str:
    line = policy.gate_lines.get(f"{name}.{key}")
    return "default" if line is None else f"line {line} (`{key}`)"
