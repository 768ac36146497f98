"""`headgate queue`: who is in the queue of each repository, and what each waits for."""

import json
from datetime import UTC, datetime

from bot.core.state.queue_view import not_begun, queue_view
from bot.core.talk.queue_text import waits_text
from bot.entry.local_journal import open_journal, print_unreadable, repositories_named
from bot.entry.terminal import Terminal


def print_queue(name: str, as_json: bool) -> int:
    """Returns 1 if a journal cannot be read or no repository has that name."""
    journal = open_journal()
    console = Terminal(soft_wrap=True, highlight=False)
    repositories = repositories_named(journal, name)
    now = datetime.now(UTC)
    found = {}
    merged_by_github = set()
    for repository in repositories:
        state = journal.load(repository)
        if state.facts is not None:
            found[state.facts.full_name] = (*queue_view(state, now), *not_begun(state))
            if state.ledger and state.ledger[-1].through is not None:
                merged_by_github.add(state.facts.full_name)
    if name and not found:
        Terminal(stderr=True, soft_wrap=True).out(f"The journal has no repository {name}.")
        return 1
    if as_json:
        shown = {name: [p.model_dump(mode="json") for p in view] for name, view in found.items()}
        console.out(json.dumps(shown, ensure_ascii=False))
        return print_unreadable(journal, repositories)
    if not found:
        console.out("The journal is empty.")
        return 0
    for full_name, view in found.items():
        console.out(f"{full_name}: {sum(one.place > 0 for one in view)} in the queue")
        if full_name in merged_by_github:
            console.out(
                "  GitHub merges what lands here: docs/rules.md says what is not promised then"
            )
        for one in view:
            number = f"#{one.number} " if one.number else ""
            where = f" (on {one.branch})" if one.branch else ""
            place = f"{one.place}." if one.place else "–"
            console.out(f"  {place} {number}{one.title}: {waits_text(one)}{where}")
    return print_unreadable(journal, repositories)
