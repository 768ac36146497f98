"""The declared scope of a plan is in the gate order and, if binding, in the agent order."""

import pytest

from action.order import AgentOrder
from bot.core.state.declared_scope import declared_scope
from bot.core.values.plan_model import ChangeType, PlannedChange
from gates.declared import DeclaredScope
from tests.core.kit import World, approved
from tests.core.values import GATES, beside, policy

MODULES = "modules: {domain0: [src/zero/], domain1: [src/one/]}\n"
BINDING = GATES.replace("builtin: scope_check\n", "builtin: scope_check\n    declared: required\n")
OFF = BINDING.replace("required\n  lint", "'off'\n  lint")
RULES = "merge: {CHANGELOG.md: union}\ngenerated: ['*.pb.go']\n"


def judged(policy_text: str) -> World:
    world = approved(beside(1), policy_text)
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    return world


def test_a_gate_order_contains_the_declared_scope_of_the_plan() -> None:
    world = judged(GATES + MODULES + RULES)
    assert world.gate_order().declared == DeclaredScope(
        modules=("src/zero/",), generated=("*.pb.go", "/CHANGELOG.md")
    )


def test_an_agent_order_contains_binding_declarations() -> None:
    assert approved(beside(1), GATES + MODULES).agent_order().brief.held_to == ()
    assert approved(beside(1), BINDING + MODULES).agent_order().brief.held_to == ("src/zero/",)


@pytest.mark.parametrize("rules", [OFF + MODULES, "version: 1\ngates: {t: {run: x}}\n" + MODULES])
def test_without_a_rule_no_scope_is_declared(rules: str) -> None:
    planned = approved(beside(1), GATES).change("R0").planned
    assert declared_scope(policy(rules), planned) == DeclaredScope()


def test_a_plan_without_files_and_modules_declares_no_scope() -> None:
    assert judged(BINDING + RULES).gate_order().declared == DeclaredScope()


def test_a_file_declares_its_module() -> None:
    planned = PlannedChange(
        slug="pay",
        title="Pay",
        type=ChangeType.FEATURE,
        domain="shop",
        requirements=(),
        files=("src/one/pay.py",),
    )
    found = declared_scope(policy(BINDING + MODULES), planned)
    assert (found.files, found.modules) == (("src/one/pay.py",), ("src/one/",))
    assert found.is_binding


def test_a_result_is_reused_only_for_the_same_declaration() -> None:
    world = judged(GATES + MODULES)
    before = set(world.state.orders[world.change("R0").order].keys)  # type: ignore[index]
    other = judged(GATES + MODULES.replace("zero", "two"))
    after = set(other.state.orders[other.change("R0").order].keys)  # type: ignore[index]
    assert {key.gate for key in before - after} == {"scope_check"}
