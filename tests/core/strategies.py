"""Hypothesis strategies for any event and any state.

A few ids are shared by all, so that random events meet: one run, two changes, three orders, four
SHAs. Times are aware, as everywhere.
"""

from datetime import datetime, timedelta
from typing import cast, get_args, get_origin

from hypothesis import strategies as st
from pydantic import BaseModel

from action.order import AgentOrder
from bot.core.journal import effects as ef, events as ev
from bot.core.values.ids import SpecRunId
from gates.result import Ending, GateResult, Judges
from tests.core.plan.kit import change, plan_of, waits
from tests.core.values import FACTS, START, sha

RUN = "shop@1"
_SLUGS = ("one", "two")
_SHAS = tuple(sha(str(n)) for n in range(4))
_ORDERS = ("o1", "o2", "o3")

_PLANS = (
    plan_of(change("one", "A"), change("two", "B", waits("one"))),
    plan_of(change("two", "B")),
    plan_of(change("one", "A"), change("two", "B")).model_copy(update={"revision": 2}),
    plan_of(change("one", "A")).model_copy(update={"revision": 3}),
)

# Fields of events by name: values that meet.
_FIELDS: dict[str, st.SearchStrategy[object]] = {
    "spec_run": st.sampled_from([RUN, "other@2"]),
    "slug": st.sampled_from(["", *_SLUGS, "unknown"]),
    "on": st.sampled_from(_SLUGS),
    "order": st.sampled_from(_ORDERS),
    "path": st.sampled_from(["specs/a.md", "specs/b.md"]),
    "plan": st.sampled_from(_PLANS),
    "revision": st.integers(0, 3),
    "attempt": st.integers(0, 3),
    "number": st.integers(1, 3),
    "comment": st.integers(1, 3),
    "issue": st.integers(1, 4),
    "facts": st.just(FACTS),
    "subject": st.sampled_from(["issue:1:plan", "late:o1", "x"]),
    "key": st.sampled_from([f"dispatch:{o}" for o in _ORDERS] + ["revoke:o1"]),
    "seconds": st.floats(0, 1e6),
    **dict.fromkeys(
        (
            "sha",
            "main",
            "candidate",
            "base",
            "head",
            "start",
            "judge_at",
            "expected",
            "found",
            "tree",
            "commit",
        ),
        st.sampled_from(_SHAS),
    ),
}
_CHANGES = st.sampled_from([f"{RUN}/one", f"{RUN}/two", "unknown/x"])
_TIMES = st.integers(0, 10**7).map(lambda seconds: START + timedelta(seconds=seconds))
st.register_type_strategy(
    GateResult,
    st.builds(
        GateResult,
        gate=st.sampled_from(["test", "lint"]),
        judges=st.sampled_from(Judges),
        ending=st.sampled_from(Ending),
        sentence=st.text(max_size=5),
        seconds=st.floats(0, 1e6),
    ),
)


def _build_schemas(model: type[BaseModel]) -> None:
    """What waits for its first value has no signature, and so nothing that could be drawn."""
    for kind in model.__subclasses__():
        if not kind.__pydantic_complete__:
            kind.model_rebuild(raise_errors=False)
        _build_schemas(kind)


_build_schemas(BaseModel)

EVENT_TYPES: tuple[type[BaseModel], ...] = get_args(get_args(ev.Event)[0])
EFFECT_TYPES: tuple[type[BaseModel], ...] = get_args(get_args(ef.Effect)[0])


def _built(model: type[BaseModel]) -> st.SearchStrategy[BaseModel]:
    """Any value of a model, its ids drawn from the few."""
    given: dict[str, st.SearchStrategy[object]] = {}
    for name, field in model.model_fields.items():
        if name == "type":
            continue
        if name == "change":
            optional = type(None) in get_args(field.annotation)
            given[name] = _CHANGES | st.none() if optional else _CHANGES
        elif name == "effect":
            given[name] = EFFECTS
        elif field.annotation is datetime:
            given[name] = _TIMES
        elif name in _FIELDS and get_origin(field.annotation) is not dict:
            optional = type(None) in get_args(field.annotation)
            given[name] = _FIELDS[name] | st.none() if optional else _FIELDS[name]
        elif field.annotation is not None:
            given[name] = st.from_type(cast(type[object], field.annotation))
    return st.builds(model, **given)


_dispatch = st.builds(
    ef.DispatchOrder,
    order=st.builds(
        AgentOrder,
        order_id=st.sampled_from(_ORDERS),
        kind=st.just("agent"),
        retry=st.none(),
    ),
    change=_CHANGES,
)
EFFECTS: st.SearchStrategy[BaseModel] = st.one_of(
    *(_dispatch if t is ef.DispatchOrder else _built(t) for t in EFFECT_TYPES)
)
EVENTS_OF: dict[str, st.SearchStrategy[BaseModel]] = {t.__name__: _built(t) for t in EVENT_TYPES}
ANY_EVENT: st.SearchStrategy[BaseModel] = st.one_of(*EVENTS_OF.values())

# A journal's beginning that the few ids belong to, so that what is drawn finds something to move.
OPENING: tuple[ev.Event, ...] = (
    ev.RepositoryInstalled(facts=FACTS, main=_SHAS[0], tree=_SHAS[0], known_specs={}),
    ev.SpecRunOpened(
        spec_run=SpecRunId(RUN), path="specs/a.md", key="shop", title="Shop", opened_at=START
    ),
    ev.PlanMade(
        spec_run=SpecRunId(RUN), version="v1", commit=_SHAS[0], plan=_PLANS[0], requirements={}
    ),
    ev.PlanApproved(
        spec_run=SpecRunId(RUN),
        revision=1,
        plan_hash="",
        approved_by="ann",
        archive_date=START.date(),
    ),
)
