"""Which landings main does not contain any more, because somebody moved it back."""

from bot.core.journal.state import ChangeFacts, LedgerLine, RepositoryState
from bot.core.values.ids import Sha


def is_off_main(state: RepositoryState, change: ChangeFacts) -> bool:
    """Whether a change has landed, and its landing is not in main's line by our ledger.

    A landing that is older than the ledger that we keep counts as there.
    """
    landed = change.landed
    if landed is None or landed in state.on_line:
        return False
    if all(line.sha != landed for line in state.ledger):
        return False
    return landed not in _commits_of_main(state.ledger)


def was_moved_back(state: RepositoryState) -> bool:
    """Whether somebody has moved main back, within the ledger that we keep."""
    return any(line.previous is None for line in state.ledger[1:])


def _commits_of_main(ledger: tuple[LedgerLine, ...]) -> frozenset[Sha]:
    """What the newest line goes back to; where main was moved to a commit it had, through that."""
    found: set[Sha] = set()
    at = len(ledger) - 1
    while at >= 0:
        line = ledger[at]
        found.add(line.sha)
        if line.previous is not None:
            at -= 1
            continue
        earlier = [n for n in range(at) if ledger[n].sha == line.sha]
        at = earlier[-1] if earlier else -1
    return frozenset(found)
