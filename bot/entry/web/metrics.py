"""`/metrics`: gauges from the state of every repository, counters from what all processes counted."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from bot.core.journal.state import RepositoryState
from bot.core.state.candidates import state_shown
from bot.core.state.liveness import silent
from bot.core.state.queue_order import entries
from bot.core.values.vitals import Count, Part
from bot.ports import Retryable
from bot.shell.perform import budget_of
from bot.shell.process_ports import Ports
from bot.shell.show_runs import spent_at_work

_PREFIX = "headgate_"

_MEANS = {
    "agent_runs": "Agent runs that ended, by how they ended.",
    "agent_seconds": "Time that agents ran.",
    "candidates_judged": "Candidates that all gates have judged, by verdict.",
    "changes_failed": "Changes that failed, by reason.",
    "changes_landed": "Changes that landed.",
    "dollars": "What agents' tokens cost at list prices.",
    "errors": "Warnings and errors in the log, by their event.",
    "gate_runs": "Gates that ran, by how they ended.",
    "gate_seconds": "Time that gates ran.",
    "order_wait_seconds": "Time that orders waited for a runner.",
    "orders_lost": "Orders that no runner took or completed in time.",
    "orders_placed": "Orders that were offered to runners.",
    "orders_taken": "Orders that a runner took.",
    "tokens": "Tokens that agents used.",
}


class HeadgateCollector(Collector):
    """Reads at each scrape; `missing` says which parts do not work."""

    def __init__(self, ports: Ports, missing: Callable[[], Mapping[Part, str]]) -> None:
        self._ports = ports
        self._missing = missing

    def collect(self) -> Iterator[Metric]:
        found = self._missing()
        ready = GaugeMetricFamily(f"{_PREFIX}part_ready", "1 while a part works.", labels=["part"])
        for part in Part:
            ready.add_metric([part.value], float(part not in found))
        yield ready
        if Part.DATABASE in found:
            return
        try:
            yield from self._processes()
            yield from self._repositories()
            yield from _counters(self._ports.vitals.counts())
        except Retryable:
            # The database went away meanwhile; the next scrape says so.
            return

    def _processes(self) -> Iterator[Metric]:
        now = self._ports.clock.now()
        pulses = self._ports.vitals.pulses()
        yield GaugeMetricFamily(
            f"{_PREFIX}processes_silent",
            "Workers and sweeps that have sent no heartbeat for a minute.",
            value=len(silent(pulses, now)),
        )
        seen = GaugeMetricFamily(
            f"{_PREFIX}process_seen_seconds",
            "Seconds since the last heartbeat of a process.",
            labels=["process", "part"],
        )
        for pulse in pulses:
            age = (now - pulse.at).total_seconds()
            seen.add_metric([pulse.process, pulse.part.value], age)
        yield seen
        yield GaugeMetricFamily(
            f"{_PREFIX}deliveries_unread",
            "Webhook deliveries that are not processed yet.",
            value=len(self._ports.inbox.unread(now)),
        )

    def _repositories(self) -> Iterator[Metric]:
        changes: Counter[tuple[str, ...]] = Counter()
        orders: Counter[tuple[str, ...]] = Counter()
        pauses: Counter[tuple[str, ...]] = Counter()
        queued = 0
        oldest = 0.0
        budgets = GaugeMetricFamily(
            f"{_PREFIX}github_budget_left",
            "What GitHub's limits still allow an installation.",
            labels=["installation", "limit"],
        )
        dollars = 0.0
        now = self._ports.clock.now()
        installations: set[str] = set()
        for state in self._states():
            if state.facts is not None:
                installations.add(budget_of(state.facts))
            changes.update((state_shown(state, c),) for c in state.changes.values())
            queued += len(entries(state))
            for id_ in state.open_orders:
                order = state.orders[id_]
                orders[(order.kind.value, order.state.value)] += 1
                if order.leased_at is None:
                    oldest = max(oldest, (now - order.placed_at).total_seconds())
            if state.facts is not None and state.open_orders:
                dollars += sum(spent_at_work(self._ports, state, state.facts).values())
            pauses.update((p.cause.value,) for p in state.pauses.values())
        for whom in sorted(installations):
            for limit, left in self._ports.budget.left(whom, now).items():
                budgets.add_metric([whom, limit], left)
        yield _gauge("changes", "Changes by state, of runs that are kept.", ["state"], changes)
        yield _gauge("orders_open", "Orders that wait or are worked on.", ["kind", "state"], orders)
        yield GaugeMetricFamily(
            f"{_PREFIX}agents_at_work_dollars",
            "The cost that running agents report.",
            value=dollars,
        )
        yield _gauge("pauses", "Pauses, by their cause.", ["cause"], pauses)
        yield GaugeMetricFamily(
            f"{_PREFIX}queue_depth", "Changes in the merge queues.", value=queued
        )
        yield GaugeMetricFamily(
            f"{_PREFIX}order_wait_oldest_seconds",
            "How long the oldest order has waited for a runner.",
            value=oldest,
        )
        yield budgets

    def _states(self) -> Iterator[RepositoryState]:
        for repository in self._ports.journal.repositories():
            yield self._ports.journal.load(repository)


def _gauge(
    name: str, help_: str, labels: list[str], amounts: Mapping[tuple[str, ...], int]
) -> Metric:
    family = GaugeMetricFamily(f"{_PREFIX}{name}", help_, labels=labels)
    for values, amount in sorted(amounts.items()):
        family.add_metric(values, amount)
    return family


def _counters(counts: Mapping[Count, float]) -> Iterator[Metric]:
    for name, group in groupby(sorted(counts), key=lambda count: count.name):
        some = list(group)
        labels = [label for label, _ in some[0].labels]
        family = CounterMetricFamily(f"{_PREFIX}{name}", _MEANS.get(name, name), labels=labels)
        for count in some:
            family.add_metric([value for _, value in count.labels], counts[count])
        yield family
