"""A fault for every guard of which workflow files may hold leases."""

from tests.testkit.planting import PlantedFault

FILES = "security/test_lease_workflows.py::"
WHO = FILES + "test_only_a_maintainer_can_approve_a_workflow_file"
LEASE = FILES + "test_a_lease_checks_the_workflow_file_that_runs"
LATER = FILES + "test_a_lease_is_retried_if_github_does_not_answer"
SELDOM = FILES + "test_an_unapproved_workflow_gets_no_order"
EARLY = FILES + "test_a_runner_may_lease_before_the_journal_is_updated"
AGAIN = "adapters_store/test_order_store.py::TestLeasing::test_an_order_belongs_to_the_workflow_file_of_its_last_placement"
TRUST = "shell/workflow_trust.py"
ORDERS = "shell/orders.py"
STORE = "adapters/store/order_store.py"

DOOR_FILES_FAULTS = [
    PlantedFault(TRUST, "    if not _is_approved(", "    if not found and _is_approved(", WHO),
    PlantedFault(TRUST, "    if found == state.workflows.get(path) or _is", "    if _is", WHO),
    PlantedFault(TRUST, "(path) or _is_older(state, path):", "(path):", WHO),
    PlantedFault(TRUST, "worked and path not in state.workflows", "worked", WHO),
    PlantedFault(TRUST, "o.dispatched_at and not o.dispatched_with", "o.dispatched_at", WHO),
    PlantedFault(TRUST, "    if _is_offered(", "    if found and not _is_offered(", WHO),
    PlantedFault(TRUST, "== content != at(move.before)", "== content", WHO),
    PlantedFault(TRUST, "covers(Role.MAINTAIN)", "covers(Role.WRITE)", WHO),
    PlantedFault(TRUST, "covers(Role.MAINTAIN)", "covers(Role.ADMIN)", WHO),
    PlantedFault(TRUST, "next(filter(brought, ", "next(iter(", WHO),
    PlantedFault(TRUST, "commit == approved.commit or ", "", SELDOM),
    PlantedFault(TRUST, "    if path != approved.path:\n        return False\n", "", LEASE),
    PlantedFault(TRUST, "ports.forge.blob(facts, commit, path) == approved.content", "True", EARLY),
    PlantedFault("shell/perform_github.py", "effect.order), approved)", "effect.order))", EARLY),
    PlantedFault(
        "core/decide/changes/settle_orders.py",
        " or DispatchOrder.key_of(id_) in state.refused",
        "",
        SELDOM,
    ),
    PlantedFault(STORE, "orders.c.order_id == order.order_id)", "sa.true())", AGAIN),
    PlantedFault(STORE, "                connection.execute(again)", "                pass", AGAIN),
    PlantedFault(ORDERS, "    _check_workflow(ports, facts, claims, order_id, known)\n", "", LEASE),
    PlantedFault(ORDERS, "claims.workflow_sha or claims.sha", "claims.sha", LEASE),
    PlantedFault(ORDERS, "claims.workflow_sha or claims.sha", "claims.workflow_sha", LEASE),
    PlantedFault(ORDERS, "order.dispatched_at and not order.dispatched_with", "order", LEASE),
    PlantedFault(ORDERS, "_unsure(failure.sentence, failure.after)", "failure", LATER),
    PlantedFault(ORDERS, "_unsure(failure.sentence, None)", "failure", LATER),
    PlantedFault(ORDERS, "*([after] if after else [])", "", LATER),
    PlantedFault(
        "entry/web/runner_api.py", "RefusalKind.LATER: 503", "RefusalKind.LATER: 403", LATER
    ),
]
