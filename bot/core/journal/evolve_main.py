"""Evolve main: its line of commits with their reasons, adopted commits, and the freeze.

The rule (law 10): a commit has one line since main began or was last rewound; a late event about a
commit that is on the line moves nothing back. Frozen or not follows from what main rests on now.
"""

from bot.core.journal import events as ev
from bot.core.journal.state import Adoption, LedgerKind, LedgerLine, RepositoryState
from bot.core.values.ids import ChangeId, Sha
from gates.result import Ending


def evolve_main(state: RepositoryState, event: ev.Event) -> RepositoryState:
    """The state after what the event says of main."""
    match event:
        case ev.RepositoryInstalled():
            if state.facts is not None:
                return state.model_copy(update={"facts": event.facts})
            return state.model_copy(
                update={
                    "facts": event.facts,
                    "main": event.main,
                    "main_tree": event.tree,
                    "spec_versions": dict(event.known_specs),
                    "ledger": (_line(state, event),),
                    "comments_seen_to": event.installed_at,
                }
            )
        case ev.CommitAdmitted() | ev.CommitAdopted() | ev.Landed():
            if _is_on_line(state, event.sha):
                return state
            moved = state.model_copy(
                update={
                    "main": event.sha,
                    "main_tree": event.tree,
                    "ledger": (*state.ledger, _line(state, event)),
                }
            )
            if isinstance(event, ev.Landed):
                return moved
            moved = moved.model_copy(update={"main_seen_at": event.seen_at})
            if isinstance(event, ev.CommitAdopted):
                adoption = Adoption(sha=event.judge_at)
                return moved.model_copy(
                    update={"adoptions": {**moved.adoptions, event.judge_at: adoption}}
                )
            return moved
        case ev.AdoptionOrdered() if event.order not in state.orders:
            return _with_adoption(
                state, event.sha, order=event.order, orders=_orders_of(state, event.sha) + 1
            )
        case ev.AdoptionJudged() if _is_awaited(state, event):
            judged = _with_adoption(
                state,
                event.sha,
                green=event.green,
                sentence=event.sentence,
                results=event.results,
            )
            return _with_freeze(judged)
        case ev.MainRewound() if event.expected == state.main:
            return _rewound(state, event)
        case ev.LedgerPublished() if event.lines > state.ledger_published:
            return state.model_copy(
                update={"ledger_published": event.lines, "ledger_commit": event.commit}
            )
        case _:
            return state


def _rewound(state: RepositoryState, event: ev.MainRewound) -> RepositoryState:
    sentence = (
        f"main was moved from {event.expected[:12]} to {event.found[:12]}, "
        "which does not contain it"
    )
    return state.model_copy(
        update={
            "main": event.found,
            "main_tree": event.tree,
            "frozen": sentence,
            "main_seen_at": event.seen_at,
            "adoptions": {**state.adoptions, event.found: Adoption(sha=event.found)},
            "ledger": (*state.ledger, _line(state, event)),
        }
    )


def _line(
    state: RepositoryState,
    event: ev.RepositoryInstalled
    | ev.CommitAdmitted
    | ev.CommitAdopted
    | ev.Landed
    | ev.MainRewound,
) -> LedgerLine:
    change: ChangeId | None = None
    gates: tuple[str, ...] = ()
    author = ""
    match event:
        case ev.RepositoryInstalled():
            kind, sha = LedgerKind.GENESIS, event.main
        case ev.CommitAdmitted():
            kind, sha, author = LedgerKind.ADMITTED, event.sha, event.author
        case ev.CommitAdopted():
            kind, sha, author = LedgerKind.ADOPTED, event.sha, event.author
        case ev.MainRewound():
            kind, sha = LedgerKind.ADOPTED, event.found
        case ev.Landed():
            kind, sha, change = LedgerKind.LANDED, event.sha, event.change
            known = state.changes.get(event.change)
            results = known.results if known else ()
            gates = tuple(r.gate for r in results if r.ending is Ending.PASSED)
    rewound = not state.ledger or isinstance(event, ev.MainRewound)
    previous = None if rewound else state.ledger[-1].sha
    return LedgerLine(
        number=len(state.ledger),
        kind=kind,
        sha=sha,
        tree=event.tree,
        previous=previous,
        change=change,
        author=author,
        gates=gates,
    )


def _is_on_line(state: RepositoryState, sha: Sha) -> bool:
    """Whether main has had this commit since it began or was last rewound."""
    for line in reversed(state.ledger):
        if line.sha == sha:
            return True
        if line.previous is None:
            return False
    return False


def _is_awaited(state: RepositoryState, event: ev.AdoptionJudged) -> bool:
    adoption = state.adoptions.get(event.sha)
    return adoption is not None and adoption.green is None and adoption.order == event.order


def _with_freeze(state: RepositoryState) -> RepositoryState:
    """Frozen or not by what main rests on now; an older commit's verdict says nothing of main."""
    under = state.adoption_under(state.main) if state.main else None
    if under is not None and under.green is None:
        return state
    frozen = under.sentence if under is not None and not under.green else None
    return state.model_copy(update={"frozen": frozen})


def _orders_of(state: RepositoryState, sha: Sha) -> int:
    adoption = state.adoptions.get(sha)
    return adoption.orders if adoption else 0


def _with_adoption(state: RepositoryState, sha: Sha, **update: object) -> RepositoryState:
    adoption = state.adoptions.get(sha)
    if adoption is None:
        return state
    changed = adoption.model_copy(update=update)
    return state.model_copy(update={"adoptions": {**state.adoptions, sha: changed}})
