"""What the harness imports before it knows its order, and what waits until an order needs it."""

from tests.testkit.imports import imported_by

# Each costs every order processor time; it is imported where an order needs it.
NOT_AT_START = {
    *("anthropic", "httpx", "httpx2", "http.server", "asyncio"),
    *("junitparser", "defusedxml", "pathspec", "ruamel"),
    *("detect_secrets", "requests", "yaml", "action.secret_rules"),
    *("gates.judge", "gates.junit", "gates.scope_check"),
    *("action.agents.builtin", "action.harness.model_proxy"),
    *("action.harness.agent_order", "action.harness.gate_order"),
}


def test_the_harness_starts_without_what_only_some_orders_need() -> None:
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
