"""What a change's plan declares that it touches, as `scope_check` is told of it."""

from bot.core.spec.gate_entry import GateMode
from bot.core.spec.policy import Policy
from bot.core.spec.roots import paths_under
from bot.core.values.plan_model import PlannedChange
from gates.declared import NOTHING_DECLARED, DeclaredScope


def declared_scope(policy: Policy, planned: PlannedChange) -> DeclaredScope:
    """Empty where the policy asks nothing of it, or the plan names neither files nor a module.

    Files that merge by a rule count as generated: every change may add its lines to them.
    """
    mode = _mode(policy)
    modules = tuple(
        path
        for name, paths in policy.file.modules.items()
        if name.casefold() == planned.domain.casefold() or paths_under(planned.files, paths)
        for path in paths
    )
    if mode is GateMode.OFF or not (planned.files or modules):
        return NOTHING_DECLARED
    return DeclaredScope(
        files=planned.files,
        modules=modules,
        generated=(*policy.file.generated, *(f"/{path.lstrip('/')}" for path in policy.file.merge)),
        is_binding=mode is GateMode.REQUIRED,
    )


def held_to(policy: Policy, planned: PlannedChange) -> tuple[str, ...]:
    """The files and patterns within which an agent must keep its change."""
    scope = declared_scope(policy, planned)
    return (*scope.files, *scope.modules, *scope.generated) if scope.is_binding else ()


def _mode(policy: Policy) -> GateMode:
    asked = (e.declared for e in policy.file.gates.values() if e.builtin == "scope_check")
    return next(asked, GateMode.OFF)
