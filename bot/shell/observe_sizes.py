"""Looks at the labels that give changes their sizes, and who set them."""

from bot.core.decide.changes.size_from_label import SIZE_LABELS, size_of_label
from bot.core.journal.state import RepositoryState
from bot.core.state.observed import Looks, SizeSnapshot
from bot.core.values.ids import IssueNumber
from bot.core.values.repository import Issue, RepositoryFacts
from bot.shell.process_ports import Ports


def size_snapshots(
    ports: Ports, facts: RepositoryFacts, state: RepositoryState, looks: Looks
) -> dict[IssueNumber, SizeSnapshot | None]:
    """The issues that are asked about; where all are, those that have or had a size label."""
    wanted = set(looks.sizes)
    found: dict[IssueNumber, Issue | None] = {}
    open_to_it = {n for c in state.changes.values() if c.landed is None and (n := c.issue)}
    if looks.is_full and open_to_it:
        for label in SIZE_LABELS:
            found |= {i.number: i for i in ports.forge.labelled_issues(facts, label)}
        wanted |= {n for c in state.changes.values() if c.said_size and (n := c.issue)}
    for number in (wanted & open_to_it) - set(found):
        found[number] = ports.forge.issue(facts, number)
    return {n: _snapshot(ports, facts, issue) for n, issue in found.items() if n in open_to_it}


def _snapshot(ports: Ports, facts: RepositoryFacts, issue: Issue | None) -> SizeSnapshot | None:
    if issue is None:
        return None
    sizes = {name: size for name in issue.labels if (size := size_of_label(name)) is not None}
    if not sizes:
        return SizeSnapshot()
    acts = {
        name: act
        for name in sizes
        if (act := ports.forge.labelling(facts, issue.number, name)) is not None
    }
    if not acts:
        # Nobody whom we could ask what they may do.
        return SizeSnapshot()
    newest = max(acts, key=lambda name: acts[name].id)
    by = acts[newest].by
    return SizeSnapshot(size=sizes[newest], labelled_by=by, role=ports.forge.role(facts, by))
