"""Evolve main: its line of commits with their reasons, adopted commits, and the freeze.

The rule (law 10): a commit has one line since main began or was last rewound; a late event about a
commit that is on the line moves nothing back. Frozen or not follows from what main rests on now.
"""

from dataclasses import replace

from bot.core.journal import events as ev
from bot.core.journal.fold_table import folds, on
from bot.core.journal.state import Adoption, LedgerKind, LedgerLine, RepositoryState
from bot.core.journal.transitions import ORDERS
from bot.core.values.ids import ChangeId, Sha
from gates.result import Ending

# How many lines back a late event may be about: one event must not cost a walk over all of main.
_LATE_MAX = 1_000


def _installed(state: RepositoryState, event: ev.RepositoryInstalled) -> RepositoryState:
    if state.facts is not None:
        return replace(state, facts=event.facts)
    return replace(
        state,
        facts=event.facts,
        main=event.main,
        main_tree=event.tree,
        spec_versions=dict(event.known_specs),
        ledger=(_line(state, event),),
        comments_seen_to=event.installed_at,
    )


def _with_commit(
    state: RepositoryState, event: ev.CommitAdmitted | ev.CommitAdopted | ev.Landed
) -> RepositoryState:
    if _is_on_line(state, event.sha):
        return state
    moved = replace(
        state,
        main=event.sha,
        main_tree=event.tree,
        ledger=(*state.ledger, _line(state, event)),
    )
    return replace(moved, rests_on=_rests_on(moved))


def _admitted(state: RepositoryState, event: ev.CommitAdmitted) -> RepositoryState:
    moved = _with_commit(state, event)
    return moved if moved is state else replace(moved, main_seen_at=event.seen_at)


def _adopted(state: RepositoryState, event: ev.CommitAdopted) -> RepositoryState:
    moved = _with_commit(state, event)
    if moved is state:
        return state
    adopted = _with_adoption(moved, Adoption(sha=event.judge_at))
    return replace(adopted, main_seen_at=event.seen_at, rests_on=_rests_on(adopted))


def _ordered(state: RepositoryState, event: ev.AdoptionOrdered) -> RepositoryState:
    adoption = state.adoptions.get(event.sha)
    if adoption is None or ORDERS.after(state.orders.get(event.order), event) is None:
        return state
    ordered = replace(adoption, order=event.order, orders=adoption.orders + 1)
    return _with_adoption(state, ordered)


def _judged(state: RepositoryState, event: ev.AdoptionJudged) -> RepositoryState:
    adoption = state.adoptions.get(event.sha)
    if adoption is None or adoption.green is not None or adoption.order != event.order:
        return state
    judged = replace(adoption, green=event.green, sentence=event.sentence, results=event.results)
    return _with_freeze(_with_adoption(state, judged))


def _published(state: RepositoryState, event: ev.LedgerPublished) -> RepositoryState:
    if event.lines <= state.ledger_published:
        return state
    return replace(state, ledger_published=event.lines, ledger_commit=event.commit)


def _rewound(state: RepositoryState, event: ev.MainRewound) -> RepositoryState:
    if event.expected != state.main:
        return state
    sentence = (
        f"main was moved from {event.expected[:12]} to {event.found[:12]}, "
        "which does not contain it"
    )
    return replace(
        _with_adoption(state, Adoption(sha=event.found)),
        main=event.found,
        main_tree=event.tree,
        frozen=sentence,
        main_seen_at=event.seen_at,
        ledger=(*state.ledger, _line(state, event)),
        rests_on=event.found,
    )


def _rests_on(state: RepositoryState) -> Sha | None:
    """The adopted commit that main rests on, given what it rested on before its newest line."""
    newest = state.ledger[-1]
    if newest.sha in state.adoptions:
        return newest.sha
    return None if newest.kind is LedgerKind.LANDED else state.rests_on


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
    for line in reversed(state.ledger[-_LATE_MAX:]):
        if line.sha == sha:
            return True
        if line.previous is None:
            return False
    return False


def _with_freeze(state: RepositoryState) -> RepositoryState:
    """Frozen or not by what main rests on now; an older commit's verdict says nothing of main."""
    under = state.adoption_under(state.main) if state.main else None
    if under is not None and under.green is None:
        return state
    frozen = under.sentence if under is not None and not under.green else None
    return replace(state, frozen=frozen)


def _with_adoption(state: RepositoryState, adoption: Adoption) -> RepositoryState:
    return replace(state, adoptions={**state.adoptions, adoption.sha: adoption})


MAIN_FOLDS = folds(
    on(ev.RepositoryInstalled, _installed),
    on(ev.CommitAdmitted, _admitted),
    on(ev.CommitAdopted, _adopted),
    on(ev.Landed, _with_commit),
    on(ev.AdoptionOrdered, _ordered),
    on(ev.AdoptionJudged, _judged),
    on(ev.MainRewound, _rewound),
    on(ev.LedgerPublished, _published),
)
