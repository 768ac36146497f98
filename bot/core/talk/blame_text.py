"""Whose failure it is, in sentences: introduced by a change, inherited from main."""

from collections.abc import Iterable

from bot.core.journal.state import Adoption, LedgerKind, RepositoryState
from bot.core.state.blame import Blame, Failure, failures
from bot.core.talk.text import cell, code
from gates.result import GateResult

_NAMED = 10


def blame_lines(results: Iterable[GateResult]) -> list[str]:
    """What the change introduced and what it inherited, a line each; empty where nothing failed."""
    found = failures(results)
    lines = (
        ("Introduced by this change", [f for f in found if f.blame is Blame.INTRODUCED]),
        ("Inherited from main", [f for f in found if f.blame is Blame.INHERITED]),
    )
    return [f"**{head}:** {_named(ours)}." for head, ours in lines if ours]


def _named(found: list[Failure]) -> str:
    said = [
        ("the gate " if f.name == f.gate else "")
        + code(f.name)
        + (" (accepted)" if f.is_accepted else "")
        for f in found[:_NAMED]
    ]
    more = len(found) - _NAMED
    return ", ".join(said) + (f" and {more} more" if more > 0 else "")


def whose_failure(state: RepositoryState, main: Adoption) -> str:
    """One sentence in plain text: who caused a red main. A change that fails for it is not to blame."""
    line = next((one for one in reversed(state.ledger) if one.sha == main.sha), None)
    if line is not None and line.kind is LedgerKind.ADOPTED and not main.is_first:
        by = f" by {cell(line.author, 60)}" if line.author else ""
        return f"It comes from a commit{by} that Headgate did not land."
    if any(one.kind is LedgerKind.LANDED for one in state.ledger):
        return "It was on main before the current changes started."
    return "It was there before Headgate's first change."
