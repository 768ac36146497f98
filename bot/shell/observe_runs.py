"""Looks at the workflow runs of open orders, and at what jobs say that handed nothing in."""

from collections.abc import Mapping

from bot.core.journal.state import RepositoryState
from bot.core.state.observed import Looks, OrderEntry
from bot.core.values.ids import OrderId
from bot.core.values.repository import RepositoryFacts, WorkflowRun, WorkflowRunState
from bot.shell.process_ports import Ports


def workflow_runs(
    ports: Ports, facts: RepositoryFacts, state: RepositoryState, looks: Looks
) -> dict[OrderId, WorkflowRun | None]:
    return {
        id_: ports.forge.workflow_run(facts, run)
        for id_ in looks.workflow_runs
        if (run := state.orders[id_].workflow_run) is not None
    }


def with_errors(
    ports: Ports,
    facts: RepositoryFacts,
    runs: Mapping[OrderId, WorkflowRun | None],
    order_store: Mapping[OrderId, OrderEntry],
) -> dict[OrderId, WorkflowRun | None]:
    """The runs, with their jobs' own words where a run has ended and handed nothing in."""
    silent = {
        id_: run
        for id_, run in runs.items()
        if run is not None
        and run.state is WorkflowRunState.COMPLETED
        and (entry := order_store.get(id_)) is not None
        and entry.report is None
    }
    told = {
        id_: run.replace(errors=ports.forge.job_errors(facts, run.id))
        for id_, run in silent.items()
    }
    return {**runs, **told}
