"""A state with ever so many more things in it, none of which the next event is about."""

import dis
import sys
from collections.abc import (
    Callable,
    ItemsView,
    Iterable,
    Iterator,
    KeysView,
    Mapping,
    Set,
    ValuesView,
)
from datetime import timedelta
from functools import lru_cache
from types import FrameType
from typing import Any

from bot.core.journal.candidate_facts import Recipe, Shape, Step
from bot.core.journal.effects import React
from bot.core.journal.evidence_state import Evidence
from bot.core.journal.model_advice_state import ModelAdvice
from bot.core.journal.state import (
    Adoption,
    Candidate,
    ChangeFacts,
    Delay,
    Dialogue,
    Entry,
    HeardComment,
    LedgerKind,
    LedgerLine,
    OrderFacts,
    OrderKind,
    OrderState,
    PullDigest,
    QueuedPull,
    RepositoryState,
    SpecIssue,
    SpecRefusal,
    SpecRun,
    SpecRunState,
    Waiver,
)
from bot.core.spec.identity.id_changes import Rematched
from bot.core.values.evidence_key import EvidenceKey
from bot.core.values.ids import (
    CandidateId,
    ChangeId,
    CommentId,
    EntryId,
    IssueNumber,
    OrderId,
    PullNumber,
    Sha,
    SpecRunId,
)
from bot.core.values.lifecycle import (
    CandidateState,
    ChangeState,
    DialoguePhase,
    EntryState,
    QueuedPullState,
)
from bot.core.values.question import Answer, AskedQuestions
from bot.core.values.replacement import replace
from gates.result import Ending
from tests.core.plan.kit import change as planned
from tests.core.values import START, result, sha

# Numbers and times of the crowd are far from those of any story.
_FIRST = 7_000_000
_AT = START - timedelta(days=1)


def _sha(n: int) -> Sha:
    return sha(f"crowd {n}")


def _run(n: int) -> SpecRunId:
    return SpecRunId(f"crowd-{n}@{n:08}")


def _change(n: int) -> ChangeId:
    return ChangeId(f"{_run(n)}/x")


def _order(n: int) -> OrderId:
    return OrderId(f"o{_FIRST + n}")


def _pull(n: int) -> PullNumber:
    return PullNumber(_FIRST + n)


def _issue(n: int) -> IssueNumber:
    return IssueNumber(2 * _FIRST + n)


def _path(n: int) -> str:
    return f"specs/crowd-{n}.md"


def _react(n: int) -> React:
    return React(comment=CommentId(_FIRST + n), content="eyes")


def _candidate(n: int) -> Candidate:
    step = Step(entry=EntryId(f"change:{_change(n)}"), head=_sha(n), message="")
    recipe = Recipe(base=_sha(n), steps=(step,), shape=Shape.LINEAR, at=_AT)
    return Candidate(
        id=CandidateId(_FIRST + n), number=1, recipe=recipe, state=CandidateState.LANDED
    )


def _evidence(n: int) -> Evidence:
    key = EvidenceKey(gate="test", definition="d", judged=_sha(n))
    return Evidence(key=key, result=result("test", Ending.PASSED), order=_order(n))


def _texts(n: int) -> dict[str, str]:
    """Of each series one."""
    minute = (_AT + timedelta(minutes=n)).strftime("%Y%m%dT%H%M%S")
    return {
        f"issue:{_issue(n)}:plan": "d",
        f"check:{_change(n)}:1": "d",
        f"check:main:{_sha(n)}": "d",
        f"check:onboarding:{_sha(n)}": "d",
        f"check:refused:{_path(n)}@{n:012}": "d",
        f"check:rules:crowd-{n}:{minute}": "d",
        f"comment:dialogue {_issue(n)} 1": "d",
        f"comment:pull-{_pull(n)}: out": "d",
        f"revoke:{_order(n)}": "d",
    }


# One thing of each map, by its number.
OF_MAPS: Mapping[str, Callable[[int], dict[Any, Any]]] = {
    "on_line": lambda n: {_sha(n): -1 - n},
    "adoptions": lambda n: {_sha(n): Adoption(sha=_sha(n), green=True)},
    "queued_pulls": lambda n: {
        _pull(n): QueuedPull(
            number=_pull(n),
            state=QueuedPullState.WAITING,
            head=_sha(n),
            title="",
            by="ann",
            queued_at=_AT,
        )
    },
    "kept_out": lambda n: {_pull(n): _sha(n)},
    "entries": lambda n: {
        EntryId(f"change:{_change(n)}"): Entry(
            id=EntryId(f"change:{_change(n)}"),
            state=EntryState.LANDED,
            candidate=CandidateId(_FIRST + n),
        )
    },
    "changes": lambda n: {
        _change(n): ChangeFacts(
            id=_change(n),
            spec_run=_run(n),
            planned=planned("x", "A"),
            state=ChangeState.LANDED,
            landed=_sha(n),
        )
    },
    "spec_runs": lambda n: {
        _run(n): SpecRun(
            id=_run(n),
            path=_path(n),
            key=f"crowd-{n}",
            title="",
            state=SpecRunState.ENDED,
            opened_at=_AT,
        )
    },
    "spec_versions": lambda n: {_path(n): f"{n:040}"},
    "spec_keys": lambda n: {_path(n): f"crowd-{n}"},
    "refusals": lambda n: {_path(n): SpecRefusal(version=f"{n:040}", commit=_sha(n), findings=())},
    "candidates": lambda n: {CandidateId(_FIRST + n): _candidate(n)},
    "incidents": lambda n: {f"incident-{n}": _issue(n)},
    "orders": lambda n: {
        _order(n): OrderFacts(
            id=_order(n),
            kind=OrderKind.GATE,
            state=OrderState.REPORTED,
            change=_change(n),
            commit=_sha(n),
            placed_at=_AT,
        )
    },
    "workflows": lambda n: {f".github/workflows/{n}.yml": _sha(n)},
    "open_pulls": lambda n: {_pull(n): _change(n)},
    "run_of_issue": lambda n: {_issue(n): _run(n)},
    "change_of_number": lambda n: {_issue(n): _change(n)},
    "evidence": lambda n: {_evidence(n).key.name: _evidence(n)},
    "covered": lambda n: {f"CROWD-{n}": "d"},
    "waivers": lambda n: {f"tests/t.py::t{n}": Waiver(until=None, by="ann")},
    "flaky": lambda n: {f"tests/t.py::flaky{n}": (START,)},
    "register_filed": lambda n: {f"crowd-{n}": "d"},
    "rematched": lambda n: {f"crowd-{n}": Rematched()},
    "asked": lambda n: {_path(n): AskedQuestions()},
    "decisions": lambda n: {f"crowd {n}": Answer(text="two", author="ann")},
    "spec_issues": lambda n: {
        _issue(n): SpecIssue(path=_path(n), pull=_pull(n), digest="d", round=1, is_withdrawn=True)
    },
    "dialogues": lambda n: {
        _issue(n): Dialogue(
            issue=_issue(n),
            begun=1,
            labelling=1,
            asked_by="ann",
            title="",
            digest="d",
            phase=DialoguePhase.ENDED,
            is_told=True,
        )
    },
    "pull_digests": lambda n: {_pull(n): PullDigest(head=_sha(n), round=1, digest="d")},
    "model_advice": lambda n: {f"digest:crowd {n}": ModelAdvice()},
    "review_places": lambda n: {_change(n): (f"review:{_change(n)}:x",)},
    "noticed": lambda n: {f"crowd {n}": ()},
    "heard": lambda n: {
        CommentId(_FIRST + n): HeardComment(comment=CommentId(_FIRST + n), issue=_issue(n))
    },
    "answered": lambda n: {CommentId(_FIRST + n): START},
    "published": lambda n: dict(_texts(n)),
    "series": lambda n: {f"check:{_change(n)}:": (f"check:{_change(n)}:1",)},
    "open_effects": lambda n: {_react(n).key: _react(n)},
    "delays": lambda n: {_react(n).key: Delay(until=START, sentence="", tries=1)},
    "refused": lambda n: {f"dispatch:{_order(n)}": "No."},
}

# Lists of the state, of which each may hold as many.
OF_LISTS: Mapping[str, Callable[[int], object]] = {
    "open_orders": _order,
    "lost_orders": lambda n: _order(_FIRST + n),
    "open_checks": lambda n: f"check:{_change(n)}:1",
    "strangers_asked": lambda n: ("cyd", START),
    "left_pulls": _pull,
    "ledger": lambda n: LedgerLine(
        number=n - 1_000, kind=LedgerKind.LANDED, sha=_sha(n), tree=_sha(n), previous=_sha(n - 1)
    ),
}

# What is as large as the code, the policy or the queue says, and what an event is about itself.
NARROW = {
    "freezes": "one for each cause",
    "pauses": "one for each cause",
    "branches": "those that the policy names",
    "in_line": "what is in the queue: each that came before it is overtaken by what lands",
    "register_now": "looked up by its order",
    "retired": "a text",
    "retired_issues": "a text",
}


class Watched(dict[Any, Any]):
    """A map that is walked by instructions, also where `sorted`, `set` or `dict` walk it; `{**it}` copies it."""

    def __iter__(self) -> Iterator[Any]:
        yield from _one_by_one(super().__iter__())

    def __reversed__(self) -> Iterator[Any]:
        yield from _one_by_one(super().__reversed__())

    def keys(self) -> KeysView[Any]:  # type: ignore[override]
        caller = sys._getframe(1)
        is_copied = caller.f_code.co_code[caller.f_lasti] == _COPIES
        return super().keys() if is_copied else _Keys(self)

    def values(self) -> ValuesView[Any]:  # type: ignore[override]
        return ValuesView(self)

    def items(self) -> ItemsView[Any, Any]:  # type: ignore[override]
        return ItemsView(self)


class _Keys(KeysView[Any]):
    def __rsub__(self, other: Iterable[Any]) -> set[Any]:
        return set(other).difference(iter(self))


def _one_by_one(keys: Iterator[Any]) -> Iterator[Any]:
    return (key for key in keys)


_COPIES = dis.opmap["DICT_UPDATE"]


@lru_cache
def _crowd(name: str, count: int) -> dict[Any, Any]:
    return {k: v for n in range(count) for k, v in OF_MAPS[name](n).items()}


@lru_cache
def _list(name: str, count: int) -> tuple[object, ...]:
    return tuple(OF_LISTS[name](n) for n in range(count))


def crowded(state: RepositoryState, count: int, but: Set[str] = frozenset()) -> RepositoryState:
    """The state with so many more of everything, but not of these; every map of it is watched."""
    many = {name: 0 if name in but else count for name in (*OF_MAPS, *OF_LISTS)}
    more: dict[str, Any] = {
        name: Watched({**_crowd(name, many[name]), **getattr(state, name)}) for name in OF_MAPS
    }
    more |= {name: (*_list(name, many[name]), *getattr(state, name)) for name in OF_LISTS}
    return replace(state, **more)


TraceFunction = Callable[[FrameType, str, Any], Any]


def instructions(deed: Callable[[], object]) -> int:
    """How many instructions of Python a deed takes: the same on every machine."""
    found = 0

    def note(frame: FrameType, what: str, _of: object) -> TraceFunction:
        nonlocal found
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        found += what == "opcode"
        return note

    before = sys.gettrace()
    sys.settrace(note)
    try:
        deed()
    finally:
        sys.settrace(before)
    return found
