"""`headgate queue`: who is in the queue of each repository, and what each waits for."""

import json
from datetime import UTC, datetime

from bot.core.journal.branches import on
from bot.core.journal.state import RepositoryState
from bot.core.state.landing_way import way_of
from bot.core.state.queue_view import not_begun, queue_view
from bot.core.talk.queue_text import waits_text
from bot.core.talk.rules_text import merged
from bot.core.values.candidate import MovedBy
from bot.entry.local_journal import (
    JOURNAL_EMPTY,
    not_in_journal,
    open_journal,
    print_unreadable,
    repositories_named,
)
from bot.entry.terminal import Terminal


def print_queue(name: str, as_json: bool) -> int:
    """Returns 1 if a journal cannot be read or no repository has that name."""
    journal = open_journal()
    console = Terminal(soft_wrap=True, highlight=False)
    repositories = repositories_named(journal, name)
    now = datetime.now(UTC)
    found = {}
    not_promised = {}
    for repository in repositories:
        state = journal.load(repository)
        if state.facts is not None:
            found[state.facts.full_name] = (*queue_view(state, now), *not_begun(state))
            not_promised[state.facts.full_name] = _not_promised(state)
    if name and not found:
        Terminal(stderr=True, soft_wrap=True).out(not_in_journal(name))
        return 1
    if as_json:
        shown = {
            name: {
                "queue": [place.model_dump(mode="json") for place in view],
                "not_promised": not_promised[name],
            }
            for name, view in found.items()
        }
        console.out(json.dumps(shown, ensure_ascii=False))
        return print_unreadable(journal, repositories)
    if not found:
        console.out(JOURNAL_EMPTY)
        return 0
    for full_name, view in found.items():
        console.out(f"{full_name}: {sum(one.place > 0 for one in view)} in the queue")
        for said in not_promised[full_name]:
            console.out(f"  {said}")
        for one in view:
            number = f"#{one.number} " if one.number else ""
            where = f" (on {one.branch})" if one.branch else ""
            place = f"{one.place}." if one.place else "–"
            console.out(f"  {place} {number}{one.title}: {waits_text(one)}{where}")
    return print_unreadable(journal, repositories)


def _not_promised(state: RepositoryState) -> list[str]:
    """Where GitHub merges what lands, by the policy and the rules of each branch."""
    said = []
    for branch in ("", *state.branches):
        there = on(state, branch)
        way = way_of(there.policy_landing, there.rules)
        if way is not None and there.facts is not None:
            is_queue = way is MovedBy.MERGE_QUEUE
            said.append(merged(there.facts.default_branch, is_queue=is_queue))
    return said
