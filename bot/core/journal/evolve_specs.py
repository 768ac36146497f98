"""How specs and the policy evolve as texts: versions, refusals, ids, pulls, issues."""

from bisect import bisect_left
from collections.abc import Collection, Iterable
from operator import attrgetter

from bot.core.journal import events as ev
from bot.core.journal.evolve_forgotten import without_gone_specs, without_refusal
from bot.core.journal.fold_table import folds, on
from bot.core.journal.state import (
    PullDigest,
    RepositoryState,
    SpecIssue,
    SpecRefusal,
    pull_place,
)
from bot.core.spec.archive.claims import overlap
from bot.core.spec.identity.register import Entry, Register
from bot.core.spec.policy_file import POLICY_PATH
from bot.core.values.ids import IssueNumber, PullNumber
from bot.core.values.replacement import replace, without


def _noted(state: RepositoryState, event: ev.SpecsNoted) -> RepositoryState:
    gone = [path for path, version in event.versions.items() if not version]
    noted = replace(
        state,
        spec_versions=without({**state.spec_versions, **event.versions}, *gone),
        main_seen_at=None if event.main_rested else state.main_seen_at,
    )
    return without_gone_specs(noted, gone)


def _refused(state: RepositoryState, event: ev.SpecRefused | ev.PolicyRefused) -> RepositoryState:
    path = event.path if isinstance(event, ev.SpecRefused) else POLICY_PATH
    refusal = SpecRefusal(version=event.version, commit=event.commit, findings=event.findings)
    others = without_refusal(state, path, event.version)
    return replace(others, refusals={**others.refusals, path: refusal})


def _policy_read(state: RepositoryState, event: ev.PolicyRead) -> RepositoryState:
    if event.branch_of_queue:
        return replace(state, policy_landing=event.landing)
    return replace(
        without_refusal(state, POLICY_PATH),
        policy_version=event.version,
        policy_commit=event.commit,
        policy_landing=event.landing,
    )


def _registered(state: RepositoryState, event: ev.RequirementsRegistered) -> RepositoryState:
    rematched = {**state.rematched, event.spec: event.rematched} if event.spec else state.rematched
    return replace(
        state,
        decided=state.decided + 1,
        register_now=_with_entries(state.register_now, event.entries),
        rematched=rematched,
    )


def _with_entries(register: Register, entries: Iterable[Entry]) -> Register:
    """The register, which is in the order of its ids, with these in the place of those with their ids."""
    found = [*register.entries]
    for entry in entries:
        place = bisect_left(found, entry.rid, key=attrgetter("rid"))
        is_known = place < len(found) and found[place].rid == entry.rid
        found[place : place + is_known] = [entry]
    return register.replace(entries=tuple(found))


def _digested(state: RepositoryState, event: ev.SpecPullDigested) -> RepositoryState:
    digest = PullDigest(
        head=event.head,
        round=event.round,
        digest=event.digest,
        claims=event.claims,
        lost=event.lost,
        decided=state.decided,
    )
    before = state.pull_digests.get(event.pull)
    changed = frozenset(before.claims if before else ()) ^ frozenset(event.claims)
    pulls = _with_stale_rivals(state, event.pull, changed)
    return replace(state, pull_digests={**pulls, event.pull: digest})


def _with_stale_rivals(
    state: RepositoryState, pull: PullNumber, changed: Collection[str]
) -> dict[PullNumber, PullDigest]:
    """Mark other pulls' digests as outdated where this one has begun or ceased to claim the same."""
    if not changed:
        return state.pull_digests
    return {
        number: replace(known, is_stale=True)
        if number != pull and overlap(known.claims, changed)
        else known
        for number, known in state.pull_digests.items()
    }


def _forgotten(state: RepositoryState, event: ev.SpecPullForgotten) -> RepositoryState:
    before = state.pull_digests.get(event.pull)
    pulls = _with_stale_rivals(state, event.pull, before.claims if before else ())
    return replace(
        state,
        pull_digests=without(pulls, event.pull),
        asked=without(state.asked, pull_place(event.pull)),
    )


def _proposed(state: RepositoryState, event: ev.SpecProposed) -> RepositoryState:
    proposed = SpecIssue(path=event.path, pull=event.pull, digest=event.digest, round=event.round)
    return _with_issue(state, event.issue, proposed)


def _withdrawn(state: RepositoryState, event: ev.SpecWithdrawn) -> RepositoryState:
    known = state.spec_issues.get(event.issue)
    return _with_issue(state, event.issue, replace(known, is_withdrawn=True)) if known else state


def _with_issue(state: RepositoryState, number: IssueNumber, spec: SpecIssue) -> RepositoryState:
    return replace(state, spec_issues={**state.spec_issues, number: spec})


SPEC_FOLDS = folds(
    on(ev.SpecsNoted, _noted),
    on(ev.SpecRefused, _refused),
    on(ev.PolicyRead, _policy_read),
    on(ev.PolicyRefused, _refused),
    on(ev.RequirementsRegistered, _registered),
    on(ev.SpecPullDigested, _digested),
    on(ev.SpecPullForgotten, _forgotten),
    on(ev.SpecProposed, _proposed),
    on(ev.SpecWithdrawn, _withdrawn),
)
