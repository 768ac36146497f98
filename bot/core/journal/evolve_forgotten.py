"""What leaves the state together with what it is about: texts that were published, refusals, orders.

A text is remembered by its subject as long as somebody asks whether it was published. A subject about
a spec run, a person's pull or an issue goes when that leaves (`evolve_retired`, `evolve_pull_queue`,
`evolve_retired_issues`).
"""

import re
from collections.abc import Iterable, Set

from bot.core.journal.state import RepositoryState
from bot.core.values.ids import ChangeId, OrderId, Sha
from bot.core.values.replacement import replace

# Begins what is remembered of a check run without a conclusion; the commit follows.
OPEN = "open:"

# Decided once, with the event that it is about; nobody asks afterwards whether it was published.
_UNASKED = ("react:", "react-review:", "comment:reply ", "check:spec-pull:")

# Check runs that are named after the time of what they tell: of each series only the newest counts.
_TIMED = re.compile(r"(check:(?:rules|pauses):(?:.*:)?)\d{8}T\d{6}")

# Acts of labelling a pull that were answered. A webhook comes again within days.
_LABEL = "comment:queue label "
_LABELS_KEPT = 200

_OF_CANDIDATE = re.compile(r"check:(?P<change>[^:]+):(?P<number>\d+)(?::[^:]+)?")
_OF_MAIN = "check:main:"


def is_asked_for(key: str) -> bool:
    """Whether anybody asks for the text, or for the refusal of the effect, with this key."""
    return not key.startswith(_UNASKED)


def with_text(state: RepositoryState, subject: str, digest: str) -> RepositoryState:
    """The state that remembers a published text, where it is one that somebody asks for."""
    if not is_asked_for(subject) or _is_replaced(state, subject, digest):
        if subject not in state.published:
            return state
        return replace(state, published={s: d for s, d in state.published.items() if s != subject})
    published = {**state.published, subject: digest}
    outdated: Iterable[str] = ()
    if series := _TIMED.fullmatch(subject):
        begins, length = series[1], len(subject)
        outdated = sorted(s for s in published if s.startswith(begins) and len(s) == length)[:-1]
    elif subject.startswith(_LABEL):
        outdated = [s for s in published if s.startswith(_LABEL)][:-_LABELS_KEPT]
    for gone in outdated:
        del published[gone]
    return replace(state, published=published)


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
    begins = f"check:{change}:"
    kept = {
        subject: digest
        for subject, digest in state.published.items()
        if not (subject.startswith(begins) and _is_replaced(state, subject, digest))
    }
    return state if len(kept) == len(state.published) else replace(state, published=kept)


def without_orders(state: RepositoryState, gone: Set[OrderId]) -> RepositoryState:
    """The state without these orders, and without what was said of them."""
    if not gone:
        return state
    return replace(
        state,
        orders={id_: o for id_, o in state.orders.items() if id_ not in gone},
        lost_orders=tuple(id_ for id_ in state.lost_orders if id_ not in gone),
        published={s: d for s, d in state.published.items() if s.rpartition(":")[2] not in gone},
        refused={k: why for k, why in state.refused.items() if k.rpartition(":")[2] not in gone},
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
        refusals={p: r for p, r in state.refusals.items() if p != path},
        published={s: d for s, d in state.published.items() if s not in told},
    )


def without_gone_specs(state: RepositoryState, paths: Iterable[str]) -> RepositoryState:
    """The state without what was known of specs that are not on main, unless a spec run is about them."""
    gone = set(paths) - state.spec_versions.keys()
    gone -= {run.path for run in state.spec_runs.values()} if gone else set()
    if not gone:
        return state
    keys = {state.spec_keys[path] for path in gone if path in state.spec_keys}
    for path in gone:
        state = without_refusal(state, path)
    return replace(
        state,
        spec_keys={p: key for p, key in state.spec_keys.items() if p not in gone},
        asked={place: asked for place, asked in state.asked.items() if place not in gone},
        rematched={key: r for key, r in state.rematched.items() if key not in keys},
    )
