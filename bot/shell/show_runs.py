"""Shows in a change's issue what its run does, at most once a minute, and in the end what it said last.

The change's state is said with it, in the same edit. The tracking issue shows with it what the agents at work have spent so far.

Not by the journal: it would grow with every heartbeat. What is lost with a crash is shown a minute later.
"""

from collections.abc import Mapping
from datetime import timedelta

from bot.core.journal.state import ChangeFacts, OrderKind, RepositoryState
from bot.core.state.newest_run import newest_run
from bot.core.state.rate_limits import Priority
from bot.core.talk.activity_text import DOING, activity_line, tail_text
from bot.core.talk.issues import STATUS, status_text
from bot.core.talk.money_text import SPENDING, working_line
from bot.core.talk.text import cut, marker, with_region
from bot.core.values.agent_activity import UnshownRun
from bot.core.values.github_cost import WRITE
from bot.core.values.ids import IssueNumber, OrderId, SpecRunId
from bot.core.values.repository import IssueEdit, RepositoryFacts
from bot.ports import Limited, Retryable, UserError
from bot.shell.perform import budget_of
from bot.shell.process_ports import Ports

EVERY = timedelta(seconds=60)


def show_runs(ports: Ports, state: RepositoryState) -> None:
    """Show what runs do now. Called under the repository's lease when nothing else is left; raises `Limited`."""
    facts = state.facts
    if facts is None or state.away is not None:
        return
    now = ports.clock.now()
    told: dict[SpecRunId, IssueNumber] = {}
    for run in ports.transcripts.unshown(facts.id):
        change = _change_of(state, run)
        is_open = run.order in state.open_orders
        if is_open and run.shown_at is not None and now - run.shown_at < EVERY:
            continue
        if change is not None and change.issue is not None:
            lines = () if is_open else _lines(ports, facts, run)
            text = activity_line(run.doing) if is_open else tail_text(run.doing, lines)
            regions = {STATUS: status_text(state, change), DOING: text}
            if not _show(ports, facts, change.issue, regions):
                return
            told |= _tracking(state, run.order)
        ports.transcripts.shown(facts.id, run.order, now, is_end=not is_open)
    at_work = spent_at_work(ports, state, facts)
    for spec_run, tracking in told.items():
        mine = [d for order, d in at_work.items() if spec_run in _tracking(state, order)]
        text = working_line(sum(mine), len(mine)) if mine else ""
        if not _show(ports, facts, tracking, {SPENDING: text}):
            return


def spent_at_work(
    ports: Ports, state: RepositoryState, facts: RepositoryFacts
) -> dict[OrderId, float]:
    """What each run that has not ended says that it has cost, in US dollars."""
    return {
        run.order: run.doing.status.dollars
        for run in ports.transcripts.unshown(facts.id)
        if run.order in state.open_orders and run.doing.status.dollars is not None
    }


def _tracking(state: RepositoryState, id_: OrderId) -> dict[SpecRunId, IssueNumber]:
    order = state.orders.get(id_)
    change = state.changes.get(order.change) if order and order.change else None
    run = state.spec_runs.get(change.spec_run) if change else None
    return {run.id: run.issue} if run is not None and run.issue is not None else {}


def _lines(ports: Ports, facts: RepositoryFacts, run: UnshownRun) -> tuple[str, ...]:
    return tuple(line for _, line in ports.transcripts.lines(facts.id, run.order))


def _change_of(state: RepositoryState, run: UnshownRun) -> ChangeFacts | None:
    """In whose issue the run is shown: a newer run of the same change takes its place."""
    order = state.orders.get(run.order)
    change = state.changes.get(order.change) if order and order.change else None
    if order is None or change is None or order.kind is not OrderKind.AGENT:
        return None
    return change if newest_run(state, change) == run.order else None


def _show(
    ports: Ports, facts: RepositoryFacts, number: IssueNumber, regions: Mapping[str, str]
) -> bool:
    """False where GitHub takes nothing now."""
    now = ports.clock.now()
    if ports.budget.spend(budget_of(facts), WRITE, Priority.PROGRESS, now) is not None:
        return False
    try:
        issue = ports.forge.issue(facts, number)
        body = issue.body if issue is not None else ""
        for region, text in regions.items():
            if text or marker(f"{region} begins") in body:
                body = cut(with_region(body, region, text))
        if issue is not None and body != issue.body:
            ports.forge.edit_issue(facts, number, IssueEdit(body=body))
    except Limited:
        raise
    except (Retryable, UserError):
        return False
    return True
