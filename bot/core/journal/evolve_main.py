"""Evolve main: its line of commits with their reasons, adopted commits, and the freeze.

By law 10 a commit has one line since main began or was last rewound; a late event about a
commit that is on the line moves nothing back. Frozen or not follows from what main rests on now.
"""

from datetime import date, datetime, timedelta

from bot.core.journal import events as ev
from bot.core.journal.change_state import ChangeFacts
from bot.core.journal.evolve_forgotten import without_old_main
from bot.core.journal.fold_table import folds, on
from bot.core.journal.state import (
    Adoption,
    Freeze,
    LedgerKind,
    LedgerLine,
    QueuedPull,
    RepositoryState,
    Waiver,
)
from bot.core.journal.transitions import ORDERS
from bot.core.values.candidate import MovedBy
from bot.core.values.freeze import OF_MAIN, FreezeCause
from bot.core.values.ids import ChangeId, PullNumber, Sha
from bot.core.values.replacement import newest, replace, without
from gates.proof import proof_digest
from gates.result import Ending, GateResult

# So many lines stay in the state at least: how far back a late event may be about a commit. At
# twice as many the older half goes.
LINES_KEPT = 100

# So long a test whose waiver is over can be waived again while it is green.
EXPIRED_WAIVERS_KEPT = timedelta(days=30)

# How long a flake is remembered, and of how many tests.
FLAKES_KEPT = timedelta(days=30)
_FLAKY_MAX = 200

_Moved = (
    ev.RepositoryInstalled
    | ev.BranchServed
    | ev.CommitAdmitted
    | ev.CommitAdopted
    | ev.Landed
    | ev.PullLanded
    | ev.MainRewound
)


def _installed(state: RepositoryState, event: ev.RepositoryInstalled) -> RepositoryState:
    if state.facts is not None:
        return replace(state, facts=event.facts)
    return replace(
        _with_line(state, event),
        facts=event.facts,
        main=event.main,
        spec_versions=dict(event.known_specs),
        comments_seen_to=event.installed_at,
    )


def _served(state: RepositoryState, event: ev.BranchServed) -> RepositoryState:
    if state.ledger:
        return state
    return replace(_with_line(state, event), main=event.sha, main_seen_at=event.seen_at)


def _with_commit(
    state: RepositoryState,
    event: ev.CommitAdmitted | ev.CommitAdopted | ev.Landed | ev.PullLanded,
) -> RepositoryState:
    if _is_on_line(state, event.sha):
        return state
    moved = replace(_with_line(state, event), main=event.sha)
    return _without_old_lines(replace(moved, rests_on=_rests_on(moved)))


def _landed(state: RepositoryState, event: ev.Landed) -> RepositoryState:
    return replace(_with_commit(state, event), is_main_known=True)


def _pull_landed(state: RepositoryState, event: ev.PullLanded) -> RepositoryState:
    """What a person brought may hold specs, which are read when main has come to rest."""
    moved = _with_commit(state, event)
    if moved is state:
        return state
    return replace(moved, is_main_known=True, main_seen_at=event.landed_at)


def _without_old_lines(state: RepositoryState) -> RepositoryState:
    """Drop what is not needed any more: old published lines, and adopted commits before them."""
    if len(state.ledger) < 2 * LINES_KEPT:
        return state
    first = min(state.ledger_lines - LINES_KEPT, state.ledger_published)
    kept = state.ledger_from(first)
    if len(kept) == len(state.ledger):
        return state
    shas = {line.sha for line in kept}
    adoptions = {
        sha: adoption
        for sha, adoption in state.adoptions.items()
        if adoption.green is None or sha in shas or sha == state.rests_on
    }
    on_line = {sha: number for sha, number in state.on_line.items() if number >= first}
    return without_old_main(replace(state, ledger=kept, on_line=on_line, adoptions=adoptions))


def _admitted(state: RepositoryState, event: ev.CommitAdmitted) -> RepositoryState:
    moved = _with_commit(state, event)
    return moved if moved is state else replace(moved, main_seen_at=event.seen_at)


def _adopted(state: RepositoryState, event: ev.CommitAdopted) -> RepositoryState:
    moved = _with_commit(state, event)
    if moved is state:
        return state
    known = state.adoptions.get(event.judge_at)
    if known is not None and known.group is not None:
        # It was judged as a merge group, or is being judged.
        kept = _with_adoption(moved, replace(known, group=None))
        rested = replace(kept, main_seen_at=event.seen_at, rests_on=_rests_on(kept))
        return rested if known.green is None else _with_freeze(rested)
    adopted = _with_adoption(moved, Adoption(sha=event.judge_at))
    return replace(adopted, main_seen_at=event.seen_at, rests_on=_rests_on(adopted))


def _group_seen(state: RepositoryState, event: ev.GroupSeen) -> RepositoryState:
    group = event.group
    if group.sha in state.adoptions or _is_on_line(state, group.sha):
        return state
    return _with_adoption(state, Adoption(sha=group.sha, group=group))


def _group_gone(state: RepositoryState, event: ev.GroupGone) -> RepositoryState:
    """Drop a group's commit, unless it is on main now."""
    known = state.adoptions.get(event.sha)
    if known is None or known.group is None:
        return state
    if _is_on_line(state, event.sha):
        return _with_adoption(state, replace(known, group=None))
    return replace(state, adoptions=without(state.adoptions, event.sha))


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
    if adoption.is_first and event.green:
        # As if nobody had asked.
        others = without(state.adoptions, event.sha)
        under = None if state.rests_on == event.sha else state.rests_on
        return replace(state, adoptions=others, rests_on=under)
    judged = replace(adoption, green=event.green, sentence=event.sentence, results=event.results)
    return _with_freeze(_with_adoption(replace(state, is_main_known=True), judged))


def _asked(state: RepositoryState, event: ev.MainAsked) -> RepositoryState:
    if event.sha != state.main or (event.because is None and _is_known(state, event.sha)):
        return state
    under = state.adoption_under(event.sha)
    if under is not None and under.green is not True:
        return state
    first = _with_adoption(state, Adoption(sha=event.sha, is_first=True))
    return replace(first, rests_on=event.sha, is_main_known=True)


def _is_known(state: RepositoryState, sha: Sha) -> bool:
    return state.is_main_known or sha in state.adoptions


def _deferred(state: RepositoryState, event: ev.OrderDeferred) -> RepositoryState:
    """It was no order to judge main, as far as main's judgement is concerned."""
    order = state.orders.get(event.order)
    is_of_main = order is not None and order.change is None and not order.is_smoke
    adoption = state.adoptions.get(order.commit) if order and is_of_main else None
    if adoption is None or ORDERS.after(order, event) is None:
        return state
    return _with_adoption(state, replace(adoption, orders=max(0, adoption.orders - 1)))


def _accepted(state: RepositoryState, event: ev.AdoptionAccepted) -> RepositoryState:
    adoption = state.adoptions.get(event.sha)
    if adoption is None or adoption.green is not False:
        return state
    accepted = replace(adoption, green=True, sentence=event.sentence, results=event.results)
    return _with_freeze(_with_adoption(state, accepted))


def _waived(state: RepositoryState, event: ev.TestsWaived) -> RepositoryState:
    waiver = Waiver(until=event.until, by=event.waived_by)
    # By the time of the newest comment that is known: the event itself has none.
    now = state.comments_seen_to
    since = (now - EXPIRED_WAIVERS_KEPT).date() if now else date.min
    known = {t: w for t, w in state.waivers.items() if w.until is None or w.until >= since}
    return replace(state, waivers={**known, **dict.fromkeys(event.tests, waiver)})


def _doubted(state: RepositoryState, event: ev.GatesDoubted) -> RepositoryState:
    adoption = state.adoptions.get(event.candidate) if event.change is None else None
    if adoption is None or adoption.green is not None or adoption.order != event.order:
        return state
    red = tuple(r for r in event.results if r.ending is not Ending.PASSED)
    return _with_adoption(state, replace(adoption, order=None, doubts=(*adoption.doubts, *red)))


def check_of_main(state: RepositoryState, sha: Sha) -> str:
    """The external id of the check run on a commit that others brought to main, or to a further branch."""
    return f"main:{state.on_branch}:{sha}" if state.on_branch else f"main:{sha}"


def _asked_again(state: RepositoryState, event: ev.GatesAskedAgain) -> RepositoryState:
    adoption = state.adoptions.get(event.candidate) if event.change is None else None
    if adoption is None or adoption.green is None or event.candidate != state.main:
        return state
    again = Adoption(sha=adoption.sha, is_first=adoption.is_first)
    told = f"check:{check_of_main(state, adoption.sha)}"
    return _with_adoption(replace(state, published=without(state.published, told)), again)


def _flaked(state: RepositoryState, event: ev.GateFlaked) -> RepositoryState:
    since = event.seen_at - FLAKES_KEPT
    flaky = {name: kept for name, ats in state.flaky.items() if (kept := _after(ats, since))}
    for name in event.tests or (event.gate,):
        flaky[name] = tuple(dict.fromkeys((*flaky.pop(name, ()), event.seen_at)))
    return replace(state, flaky=newest(flaky, _FLAKY_MAX))


def _after(times: tuple[datetime, ...], since: datetime) -> tuple[datetime, ...]:
    return tuple(at for at in times if at > since)


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
        _with_adoption(_with_line(state, event), Adoption(sha=event.found)),
        main=event.found,
        freezes={**state.freezes, FreezeCause.REWOUND: Freeze(why=sentence)},
        main_seen_at=event.seen_at,
        rests_on=event.found,
    )


def _rests_on(state: RepositoryState) -> Sha | None:
    """The adopted commit that main rests on, given what it rested on before its newest line."""
    newest = state.ledger[-1]
    if newest.sha in state.adoptions:
        return newest.sha
    return None if newest.kind is LedgerKind.LANDED else state.rests_on


def _with_line(state: RepositoryState, event: _Moved) -> RepositoryState:
    line = _line(state, event)
    before = {} if line.previous is None else state.on_line
    on_line = {**before, line.sha: line.number}
    return replace(state, ledger=(*state.ledger, line), on_line=on_line)


def _line(state: RepositoryState, event: _Moved) -> LedgerLine:
    change: ChangeId | None = None
    pull: PullNumber | None = None
    gates: tuple[str, ...] = ()
    waived = allowed = gates
    author = proof = ""
    match event:
        case ev.RepositoryInstalled():
            kind, sha = LedgerKind.GENESIS, event.main
        case ev.BranchServed():
            kind, sha = LedgerKind.GENESIS, event.sha
        case ev.CommitAdmitted():
            kind, sha, author = LedgerKind.ADMITTED, event.sha, event.author
        case ev.CommitAdopted():
            kind, sha, author = LedgerKind.ADOPTED, event.sha, event.author
        case ev.MainRewound():
            kind, sha = LedgerKind.ADOPTED, event.found
        case ev.Landed():
            kind, sha, change = LedgerKind.LANDED, event.sha, event.change
            known = state.changes.get(event.change)
            results = state.results_of(known) if known else ()
            gates = _passed(results)
            lost = known.may_lose if known else {}
            waived = tuple(t for r in results for t in r.waived_tests if t not in lost)
            proof = proof_digest([one for r in results for one in r.proof])
            allowed = _allowed(state, known)
        case ev.PullLanded():
            kind, sha, pull = LedgerKind.LANDED, event.sha, event.number
            queued = state.queued_pulls.get(event.number)
            author = queued.by if queued else ""
            results = state.results_of(queued) if queued else ()
            gates = _passed(results)
            waived = tuple(test for r in results for test in r.waived_tests)
            allowed = _steered_by(state, queued)
    rewound = not state.ledger or isinstance(event, ev.MainRewound)
    previous = None if rewound else state.ledger[-1].sha
    return LedgerLine(
        number=state.ledger_lines,
        kind=kind,
        sha=sha,
        tree=event.tree,
        previous=previous,
        change=change,
        author=author,
        gates=gates,
        waived=waived,
        proof=proof,
        allowed=allowed,
        pull=pull,
        through=_through(event),
    )


def _through(event: ev.Event) -> MovedBy | None:
    """What of GitHub's moved main, where it did not move to exactly the candidate."""
    if not isinstance(event, ev.Landed | ev.PullLanded) or event.candidate is None:
        return None
    return event.moved_by


def _passed(results: tuple[GateResult, ...]) -> tuple[str, ...]:
    return tuple(r.gate for r in results if r.ending is Ending.PASSED)


def _allowed(state: RepositoryState, change: ChangeFacts | None) -> tuple[str, ...]:
    """What a person allowed, and who that was: files that steer the judgement, tests of main that went."""
    candidate = state.candidate_of(change) if change else None
    if change is None or candidate is None:
        return ()
    person = change.allowed.get(candidate.steering.digest, "")
    went = dict.fromkeys(
        t for r in candidate.results for t in r.waived_tests if t in change.may_lose
    )
    return (
        *(f"{path} by @{person}" for path in candidate.steering.files if person),
        *(f"test {test} by @{change.may_lose[test]}" for test in went),
    )


def _steered_by(state: RepositoryState, pull: QueuedPull | None) -> tuple[str, ...]:
    """Files of a pull that steer the judgement, whoever queued this head; and those by which others are
    judged, whoever allowed them.
    """
    candidate = state.candidate_of(pull) if pull else None
    if pull is None or candidate is None:
        return ()
    steered = tuple(f"{path} by @{pull.by}" for path in candidate.steering.files)
    rules = pull.rules if pull.allowed_by else ()
    return (*steered, *(f"{path} by @{pull.allowed_by}" for path in rules))


def _is_on_line(state: RepositoryState, sha: Sha) -> bool:
    """Whether main has had this commit since it began or was last rewound."""
    return sha in state.on_line


def _with_freeze(state: RepositoryState) -> RepositoryState:
    """Frozen or not by what main rests on now; an older commit's verdict says nothing of main.

    What a person froze stays frozen, however green main is.
    """
    under = state.adoption_under(state.main) if state.main else None
    if under is not None and under.green is None:
        return state
    kept = {cause: f for cause, f in state.freezes.items() if cause not in OF_MAIN}
    if under is not None and not under.green:
        kept[FreezeCause.RED_MAIN] = Freeze(why=under.sentence)
    return replace(state, freezes=kept)


def _with_adoption(state: RepositoryState, adoption: Adoption) -> RepositoryState:
    return replace(state, adoptions={**state.adoptions, adoption.sha: adoption})


MAIN_FOLDS = folds(
    on(ev.RepositoryInstalled, _installed),
    on(ev.BranchServed, _served),
    on(ev.CommitAdmitted, _admitted),
    on(ev.CommitAdopted, _adopted),
    on(ev.Landed, _landed),
    on(ev.PullLanded, _pull_landed),
    on(ev.GroupSeen, _group_seen),
    on(ev.GroupGone, _group_gone),
    on(ev.AdoptionOrdered, _ordered),
    on(ev.AdoptionJudged, _judged),
    on(ev.MainAsked, _asked),
    on(ev.OrderDeferred, _deferred),
    on(ev.TestsWaived, _waived),
    on(ev.AdoptionAccepted, _accepted),
    on(ev.GatesDoubted, _doubted),
    on(ev.GatesAskedAgain, _asked_again),
    on(ev.GateFlaked, _flaked),
    on(ev.MainRewound, _rewound),
    on(ev.LedgerPublished, _published),
)
