"""What the harness imports before it knows its order, and what waits until an order needs it."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.testkit.imports import imported_by

ROOT = Path(__file__).parents[2]

# Each costs every order processor time; it is imported where an order needs it.
NOT_AT_START = {
    *("anthropic", "httpx", "httpx2", "http.server", "asyncio"),
    *("junitparser", "defusedxml", "pathspec", "ruamel"),
    *("detect_secrets", "requests", "yaml", "gates.secret_rules"),
    *("gates.judge", "gates.junit", "gates.scope_check"),
    *("action.agents.builtin", "action.harness.model_proxy"),
    *("action.harness.agent_order", "action.harness.gate_order"),
}


def test_the_harness_starts_without_imports_that_only_some_orders_need() -> None:
    imported = imported_by("import action.command_line")
    assert "action.harness.session" in imported
    assert imported & NOT_AT_START == set()


def test_a_gate_order_needs_no_agent() -> None:
    imported = imported_by("import action.command_line, action.harness.gate_order")
    agents = NOT_AT_START - {"action.harness.gate_order"}
    assert imported & (agents | {"action.agents.prompt", "action.agents.command"}) == set()


def test_an_agent_order_imports_no_model_client_before_it_knows_its_agent() -> None:
    imported = imported_by("import action.command_line, action.harness.agent_order")
    assert imported & (NOT_AT_START - {"action.harness.agent_order"}) == set()


def test_rules_for_secrets_import_no_network_client() -> None:
    imported = imported_by("import gates.secret_rules")
    assert "detect_secrets.plugins.aws" in imported
    assert imported & {"requests", "urllib3"} == set()
    assert "requests.api" in imported_by("import gates.secret_rules, requests")


def test_models_of_orders_and_reports_are_built_on_first_use() -> None:
    """A gate order does not need the models of agent orders."""
    program = (
        "import action.command_line; from action.order import AgentOrder as O; "
        "from action.report import AgentReport as R; "
        "print(O.__pydantic_complete__, R.__pydantic_complete__)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "False"]


@pytest.mark.parametrize("program", ["enter", "inside"])
def test_a_sandboxed_command_waits_for_few_imports(program: str) -> None:
    """Two of these processes start for each command of an agent."""
    place = ROOT / "action" / "sandbox"
    imported = imported_by(
        f"import sys; sys.path.insert(0, {str(place)!r}); import {program}", "-I", "-S"
    )
    unwanted = {"json", "re", "pathlib", "typing", "socket", "threading", "shutil", "urllib"}
    assert imported & unwanted == set()


def test_garbage_is_not_collected_at_the_end() -> None:
    program = (
        "import atexit, gc; from action.__main__ import main; "
        "atexit.register(lambda: print(gc.get_freeze_count() > 10_000)); main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "--help"], capture_output=True, text=True, check=True
    )
    assert done.stdout.endswith("True\n")
