"""Candidates: the exact commits that main would become, each with what rebuilds it and what it brings.

A part of `state`, where each lies under its id; never changed but by `evolve_candidate`. The newest
of a change or of a pull is kept, and the one that is being built; no other.
"""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from bot.core.journal.acceptance_events import CandidateAnswered
from bot.core.journal.effects_queue import BuildPull
from bot.core.journal.effects_work import ArchiveOrder, BuildCandidate
from bot.core.spec.identity.register import Entry as RegisterEntry
from bot.core.values.ids import CandidateId, ChangeId, EntryId, OrderId, Sha
from bot.core.values.lifecycle import CandidateState
from bot.core.values.steering import Steering
from gates.result import GateResult


class Shape(StrEnum):
    """Which parents a candidate has: its base alone, or the head as well."""

    LINEAR = "linear"
    MERGE = "merge"


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One member of a candidate: which work is merged, and what Headgate adds to it."""

    entry: EntryId
    head: Sha
    message: str
    author: str = ""
    archive: ArchiveOrder | None = None
    register: tuple[RegisterEntry, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Recipe:
    """All that makes a candidate again byte for byte; `archiver` is known when it was built (law 9)."""

    base: Sha
    steps: tuple[Step, ...]
    shape: Shape
    at: datetime
    union: tuple[str, ...] = ()
    archiver: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Carried:
    """What main has once a candidate is on it: requirements with the hash of their text, changes that
    have landed, and the digest of each run's entries in the register.
    """

    covers: dict[str, str] = field(default_factory=dict)
    lands: tuple[ChangeId, ...] = ()
    files: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Awaited:
    """A candidate that our own gates passed (`results`) and that waits for others; `answers` are people's."""

    candidate: Sha
    order: OrderId
    definition_hash: str
    results: tuple[GateResult, ...]
    since: datetime
    answers: tuple[CandidateAnswered, ...] = ()
    asks_people: bool = False
    reviews: tuple[str, ...] = ()


_NOT_BUILT = Sha("")


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """`number` counts those of its entry.

    All from `sha` on is empty until it is built. `order` has its gates judged, `results` are what they
    said; `doubts` are red results that do not count yet. `policy_after`: as in `PullCandidateBuilt`.
    """

    id: CandidateId
    number: int
    recipe: Recipe
    state: CandidateState
    carried: Carried = field(default_factory=Carried)
    sha: Sha = _NOT_BUILT
    tree: Sha = _NOT_BUILT
    diff_digest: str = ""
    archive_paths: tuple[str, ...] = ()
    folder_version: str = ""
    steering: Steering = field(default_factory=Steering)
    beside: tuple[str, ...] = ()
    raised: tuple[str, ...] = ()
    is_signed: bool = False
    policy_after: str | None = None
    order: OrderId | None = None
    results: tuple[GateResult, ...] = ()
    doubts: tuple[GateResult, ...] = ()
    awaited: Awaited | None = None

    @property
    def base(self) -> Sha:
        return self.recipe.base

    @property
    def head(self) -> Sha:
        return self.recipe.steps[-1].head


def recipe_of(effect: BuildCandidate | BuildPull) -> Recipe:
    if isinstance(effect, BuildPull):
        step = Step(
            entry=EntryId(f"pull:{effect.number}"), head=effect.head, message=effect.message
        )
        shape = Shape.MERGE
    else:
        step = Step(
            entry=EntryId(f"change:{effect.change}"),
            head=effect.head,
            message=effect.message,
            author=effect.author,
            archive=effect.archive,
            register=effect.register_entries,
        )
        shape = Shape.LINEAR
    return Recipe(base=effect.base, steps=(step,), shape=shape, at=effect.at, union=effect.union)
