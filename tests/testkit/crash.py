"""A worker that dies, on purpose and at a chosen moment; and the fresh one that goes on.

Every write that a worker makes (journal, desk, inbox, GitHub, git) has a moment before it and a
moment after it. A `Hazard` is told of each and may end the worker there by raising `Killed`, which
nothing catches, or do something else: wake a second worker, push as a person. The rule: a new write
of a port is a new moment without a line here. Deliberately absent: what must hold afterwards.
"""

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import cast

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from bot.adapters.github.api import Api
from bot.adapters.github.app_tokens import AppTokens
from bot.adapters.github.forge import GitHubForge
from bot.adapters.github.writes import Writes
from bot.core.journal.events import EffectDelayed, EffectDone, EffectIntended, EffectRefused, Event
from bot.core.values.candidate import RefUpdate
from bot.core.values.ids import EffectKey
from bot.ports import (
    Forge,
    Git,
    Inbox,
    Journal,
    Model,
    OrderStore,
    PromptStore,
    Retryable,
    UserError,
)
from bot.shell.process_ports import Ports
from bot.shell.sweep import Beats, sweep
from tests.testkit.house import House, make_house_ports

# A call's arguments, as the naming of its moment sees them.
_Arguments = tuple[object, ...]
_Naming = Callable[[_Arguments], tuple[str, ...]]


class Killed(SystemExit):
    """The worker's process ended here, or the asker's."""


class Side(StrEnum):
    """Which side of a write a moment is on."""

    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True)
class Moment:
    """One side of one write. An append of several events has a name for each."""

    names: tuple[str, ...]
    side: Side

    def __str__(self) -> str:
        return f"{self.side} {' + '.join(self.names)}"


@dataclass
class Hazard:
    """Meets every moment in order; `strike` says what happens there. Outlives the workers."""

    strike: Callable[[Moment], None] = lambda _: None
    met: list[Moment] = field(default_factory=list)
    effects: dict[EffectKey, str] = field(default_factory=dict)

    def meet(self, names: tuple[str, ...], side: Side) -> None:
        """A moment has come."""
        moment = Moment(names, side)
        self.met.append(moment)
        self.strike(moment)

    def names_of(self, events: tuple[Event, ...]) -> tuple[str, ...]:
        """The names of an append; an effect's outcome is named after the effect's type."""
        names = []
        for event in events:
            match event:
                case EffectIntended():
                    self.effects[event.effect.key] = event.effect.type
                    names.append(f"intend {event.effect.type}")
                case EffectDone() | EffectDelayed() | EffectRefused():
                    names.append(f"{event.type} {self.effects.get(event.key, '')}".strip())
                case _:
                    names.append(event.type)
        return tuple(dict.fromkeys(names)) or ("renew",)


def at_number(number: int) -> Callable[[Moment], None]:
    """Die once, at the moment of this number, counted from 0."""
    left = [number]

    def strike(moment: Moment) -> None:
        left[0] -= 1
        if left[0] == -1:
            raise Killed(str(moment))

    return strike


def at_each_first(side: Side) -> Callable[[Moment], None]:
    """Die at every kind of write, on one side of the first of its kind."""
    seen: set[str] = set()

    def strike(moment: Moment) -> None:
        fresh = set(moment.names) - seen
        if moment.side is side and fresh:
            seen.update(fresh)
            raise Killed(str(moment))

    return strike


class _Hazardous:
    """A port whose writes are moments; everything else goes straight through."""

    def __init__(self, port: object, hazard: Hazard, writes: Mapping[str, _Naming]) -> None:
        self._port = port
        self._hazard = hazard
        self._writes = writes

    def __getattr__(self, name: str) -> object:
        found: object = getattr(self._port, name)
        naming = self._writes.get(name)
        if naming is None or not callable(found):
            return found
        write = found

        def call(*arguments: object, **keywords: object) -> object:
            names = naming(arguments)
            self._hazard.meet(names, Side.BEFORE)
            result: object = write(*arguments, **keywords)
            self._hazard.meet(names, Side.AFTER)
            return result

        return call


def hazardous(ports: Ports, hazard: Hazard) -> Ports:
    """The ports with every write of it a moment of the hazard."""

    def appended(arguments: _Arguments) -> tuple[str, ...]:
        return hazard.names_of(cast("tuple[Event, ...]", arguments[1]))

    journal = {
        **_plain("acquire", "release", "put_hints", "drop_hints", "set_wake_at"),
        # The same write, for several repositories at once.
        "put_hints_of": lambda _: ("put_hints",),
        "append": appended,
    }
    struck: dict[str, object] = {
        "forge": cast("Forge", _Hazardous(ports.forge, hazard, _plain(*_writes_of_forge()))),
        "git": cast("Git", _Hazardous(ports.git, hazard, {"push": _pushed})),
        "journal": cast("Journal", _Hazardous(ports.journal, hazard, journal)),
        "inbox": cast("Inbox", _Hazardous(ports.inbox, hazard, _plain("mark_read"))),
        "order_store": cast(
            "OrderStore", _Hazardous(ports.order_store, hazard, _plain("place", "bind", "revoke"))
        ),
        "prompt_store": cast(
            "PromptStore", _Hazardous(ports.prompt_store, hazard, _plain("claim", "keep", "forget"))
        ),
        "model": ports.model and cast("Model", _Hazardous(ports.model, hazard, _plain("ask"))),
    }
    return Ports(**{**ports.__dict__, **struck})


def _writes_of_forge() -> tuple[str, ...]:
    return tuple(name for name in vars(Writes) if not name.startswith("_"))


def _plain(*names: str) -> dict[str, _Naming]:
    def naming(name: str) -> _Naming:
        return lambda _: (name,)

    return {name: naming(name) for name in names}


def _pushed(arguments: _Arguments) -> tuple[str, ...]:
    """A push is named after the first folder of refs that it moves."""
    updates = cast("tuple[RefUpdate, ...]", arguments[1])
    return (f"push {'/'.join(updates[0].ref.split('/')[1:3])}",)


class _TokensInTime(AppTokens):
    """Tokens of an App whose clock is the story's, as localhub's is."""

    def __init__(self, api: Api, story: House) -> None:
        self._story = story
        settings = story.settings
        super().__init__(api, settings.app_id, settings.app_key(), story.clock.now)
        self._key = load_pem_private_key(settings.app_key().encode(), None)

    def app_token(self) -> str:
        now = int(self._story.clock.now().timestamp())
        claims = {"iat": now - 60, "exp": now + 300, "iss": str(self.app_id)}
        assert isinstance(self._key, RSAPrivateKey)
        return jwt.encode(claims, self._key, algorithm="RS256")


def ports_in_time(story: House, holder: str = "") -> Ports:
    """A fresh worker's bench, all of whose clocks are the story's; `holder` names the worker."""
    ports = make_house_ports(story.settings, story.bell, story.clock)
    forge = ports.forge
    assert isinstance(forge, GitHubForge)
    forge.tokens = _TokensInTime(forge.api, story)
    return Ports(**{**ports.__dict__, "holder": holder or ports.holder})


@dataclass
class Ward:
    """A house whose worker may die. `deaths` says where; `tampered` spoils the benches to come."""

    story: House
    hazard: Hazard
    tampered: Callable[[Ports], Ports] = lambda ports: ports
    beats: Beats = field(default_factory=Beats)
    deaths: list[str] = field(default_factory=list)
    sweeper: Ports = field(init=False)

    def __post_init__(self) -> None:
        never = self.story.clock.now() + timedelta(days=3_650)
        self.beats.full_look_at = self.beats.arrivals_at = self.beats.deliveries_at = never
        self.sweeper = ports_in_time(self.story, "sweep")
        self._start_worker()

    def work(self) -> None:
        """What `House.work` does, through as many deaths as there are."""
        self._through_deaths(self.story.work)

    def work_without_runners(self) -> None:
        """What `House.settle` does: no order is taken."""
        self._through_deaths(self.story.settle)

    def _through_deaths(self, deed: Callable[[], None]) -> None:
        while True:
            try:
                deed()
            except Killed as death:
                self.deaths.append(str(death))
                self._start_worker()
            else:
                return

    def finish(self, is_over: Callable[[], bool], beats_max: int = 60) -> None:
        """Work, and let time pass in steps while something still waits for it."""
        for _ in range(beats_max):
            self.work()
            if is_over():
                return
            self.story.forward(seconds=20)
            self.beat()
        raise AssertionError("it does not come to an end")

    def beat(self) -> None:
        """One beat of the sweep, which looks only at what is due and what nobody has read.

        What the world refuses is left for the next beat, as `entry.worker.keep_sweeping` does.
        """
        with contextlib.suppress(Retryable, UserError):
            sweep(self.sweeper, self.beats)

    def _start_worker(self) -> None:
        """As `entry.worker.work` starts one; what lay in Redis is gone."""
        self.story.bell.deliveries.clear()
        self.story.bell.repositories.clear()
        self.story.restart(hazardous(self.tampered(ports_in_time(self.story)), self.hazard))
        for repository in self.story.ports.journal.repositories():
            self.story.bell.ring_repository(repository)
        # The sweep is another process and does not die: it finds what was left unread.
        self.story.forward(seconds=3)
        self.beat()
