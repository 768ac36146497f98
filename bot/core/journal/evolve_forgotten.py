"""What leaves the state together with what it is about: texts that were published, refusals, orders.

A text is remembered by its subject as long as somebody asks whether it was published. A subject about
a spec run, a person's pull or an issue goes when that leaves (`evolve_retired`, `evolve_pull_queue`,
`evolve_retired_issues`).
"""

import re
from collections.abc import Iterable, Set

from bot.core.journal.state import RepositoryState
from bot.core.values.ids import ChangeId, EffectKey, OrderId, Sha
from bot.core.values.replacement import less, replace, without

# Begins what is remembered of a check run without a conclusion; the commit follows.
OPEN = "open:"

# Decided once, with the event that it is about; nobody asks afterwards whether it was published.
_UNASKED = ("react:", "react-review:", "comment:reply ", "check:spec-pull:")

# Check runs that are named after the time of what they tell, after the commit of main that was tried, or
# after the newest commit of the first pull: of each series only the newest counts.
_TIMED = re.compile(r"(check:(?:rules|pauses):(?:.*:)?)\d{8}T\d{6}")
_OF_COMMIT = ("check:smoke:", "check:onboarding:")

# Acts of labelling a pull that were answered. A webhook comes again within days.
_LABEL = "comment:queue label "
_LABELS_KEPT = 200

_OF_CANDIDATE = re.compile(r"check:(?P<change>[^:]+):(?P<number>\d+)(?::[^:]+)?")
_OF_MAIN = "check:main:"

# What the texts about an order of gates, and the effects on it, begin with; its id follows.
_OF_ORDER = ("dispatch:", "revoke:", "late:")


def is_asked_for(key: str) -> bool:
    """Whether anybody asks for the text, or for the refusal of the effect, with this key."""
    return not key.startswith(_UNASKED)


def with_text(state: RepositoryState, subject: str, digest: str) -> RepositoryState:
    """The state that remembers a published text, where it is one that somebody asks for."""
    if not is_asked_for(subject) or _is_replaced(state, subject, digest):
        return _without_texts(state, series_of(subject), (subject,))
    others = less(state.open_checks, subject)
    open_checks = (*others, subject) if digest.startswith(OPEN) else others
    published = {**state.published, subject: digest}
    known = replace(state, published=published, open_checks=open_checks)
    name = series_of(subject)
    if not name:
        return known
    told = (*less(state.series.get(name, ()), subject), subject)
    known = replace(known, series={**state.series, name: told})
    return _without_texts(known, name, _outdated(name, told))


def series_of(subject: str) -> str:
    """The series of texts of which the newest are remembered; empty where the text is of none."""
    if timed := _TIMED.fullmatch(subject):
        return timed[1]
    if subject.startswith(_LABEL):
        return _LABEL
    if subject.startswith(_OF_COMMIT):
        return f"{subject.rpartition(':')[0]}:"
    of_candidate = _OF_CANDIDATE.fullmatch(subject)
    return series_of_change(ChangeId(of_candidate["change"])) if of_candidate else ""


def series_of_change(change: ChangeId) -> str:
    """The series of the check runs on its candidates."""
    return f"check:{change}:"


def _outdated(name: str, told: tuple[str, ...]) -> tuple[str, ...]:
    if name == _LABEL:
        return told[:-_LABELS_KEPT]
    if _TIMED.fullmatch(told[-1]):
        return tuple(sorted(told)[:-1])
    return told[:-1] if name.startswith(_OF_COMMIT) else ()


def _without_texts(state: RepositoryState, name: str, gone: tuple[str, ...]) -> RepositoryState:
    """The state without these texts of one series."""
    published = without(state.published, *gone)
    if published is state.published:
        return state
    left, open_checks = state.series.get(name, ()), state.open_checks
    for subject in gone:
        left, open_checks = less(left, subject), less(open_checks, subject)
    others = without(state.series, name)
    series = {**others, name: left} if left else others
    return replace(state, published=published, series=series, open_checks=open_checks)


def _is_replaced(state: RepositoryState, subject: str, digest: str) -> bool:
    """Whether it is the last word of a check run on a candidate that has a successor."""
    named = _OF_CANDIDATE.fullmatch(subject)
    change = state.changes.get(ChangeId(named["change"])) if named else None
    candidate = state.candidate_of(change) if change else None
    if named is None or candidate is None or digest.startswith(OPEN):
        return False
    return int(named["number"]) < candidate.number


def without_replaced(state: RepositoryState, change: ChangeId) -> RepositoryState:
    """Forget what was said in the end of candidates before the change's newest one."""
    name = series_of_change(change)
    told = [s for s in state.series.get(name, ()) if s in state.published]
    gone = tuple(s for s in told if _is_replaced(state, s, state.published[s]))
    return _without_texts(state, name, gone)


def without_orders(state: RepositoryState, gone: Set[OrderId]) -> RepositoryState:
    """The state without these orders of gates, and without what was said of them."""
    if not gone:
        return state
    said = [f"{kind}{id_}" for id_ in gone for kind in _OF_ORDER]
    lost = state.lost_orders
    for id_ in gone:
        lost = less(lost, id_)
    return replace(
        state,
        orders=without(state.orders, *gone),
        lost_orders=lost,
        published=without(state.published, *said),
        refused=without(state.refused, *map(EffectKey, said)),
    )


def without_old_main(state: RepositoryState) -> RepositoryState:
    """The state without orders and verdicts about commits of this branch that are not adopted any more."""
    probes = {pause.probe for pause in state.pauses.values()}
    orders = {
        o.id
        for o in state.orders.values()
        if not (o.change or o.pull or o.is_smoke or o.is_open or o.id in probes)
        and o.branch_of_queue == state.on_branch
        and o.commit not in state.adoptions
    }
    begins = f"{_OF_MAIN}{state.on_branch}:" if state.on_branch else _OF_MAIN
    told = {
        subject
        for subject, digest in state.published.items()
        if subject.startswith(begins)
        and Sha(subject.removeprefix(begins)) not in state.adoptions
        and ":" not in subject.removeprefix(begins)
        and not digest.startswith(OPEN)
    }
    kept = {s: d for s, d in state.published.items() if s not in told}
    return without_orders(replace(state, published=kept), orders)


def without_refusal(state: RepositoryState, path: str, version: str = "") -> RepositoryState:
    """The state without the refusal of a spec and what was said of it, unless it is of this version."""
    known = state.refusals.get(path)
    if known is None or known.version == version:
        return state
    named = f"{path}@{known.version[:12]}"
    told = {f"check:refused:{named}", f"commit-comment:{named}"}
    return replace(
        state,
        refusals=without(state.refusals, path),
        published=without(state.published, *told),
    )


def without_gone_specs(state: RepositoryState, paths: Iterable[str]) -> RepositoryState:
    """The state without what was known of specs that are not on main, unless a spec run is about them."""
    gone = {path for path in paths if path not in state.spec_versions}
    gone -= {run.path for run in state.spec_runs.values()} if gone else set()
    if not gone:
        return state
    keys = {state.spec_keys[path] for path in gone if path in state.spec_keys}
    for path in gone:
        state = without_refusal(state, path)
    return replace(
        state,
        spec_keys=without(state.spec_keys, *gone),
        asked=without(state.asked, *gone),
        rematched=without(state.rematched, *keys),
    )
