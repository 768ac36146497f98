"""Crash points and fault injection: a worker dies at a chosen write, and a new one goes on.

Each write of a port (journal, stores, inbox, GitHub, git) has a crash point before it and one after
it. A `FaultInjector` is called at each; it may raise `Killed`, which nothing catches, or do something
else, such as waking a second worker. A new write of a port needs no line here.
"""

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from functools import cache
from typing import cast

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from bot.adapters.github.api import Api
from bot.adapters.github.app_tokens import AppTokens
from bot.adapters.github.forge import GitHubForge
from bot.adapters.github.writes import Writes
from bot.core.journal.events import EffectDelayed, EffectDone, EffectIntended, EffectRefused, Event
from bot.core.values.candidate import RefUpdate
from bot.core.values.ids import EffectKey
from bot.core.values.trouble import TroubleKind
from bot.order_ports import OrderStore
from bot.ports import (
    Forge,
    Git,
    Inbox,
    Journal,
    Model,
    PromptStore,
    Retryable,
    UserError,
)
from bot.shell.process_ports import Ports
from bot.shell.sweep import SweepState, sweep
from tests.testkit.house import House, make_house_ports

# The positional arguments of a call, from which a crash point gets its names.
_Arguments = tuple[object, ...]
_NameOf = Callable[[_Arguments], tuple[str, ...]]


class Killed(SystemExit):
    """Ends the worker process, or the thread that calls a model."""


class Side(StrEnum):
    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True)
class CrashPoint:
    """One side of one write; an append has a name for each of its events."""

    names: tuple[str, ...]
    side: Side

    def __str__(self) -> str:
        return f"{self.side} {' + '.join(self.names)}"


@dataclass
class FaultInjector:
    """Calls `on_point` at every crash point and records it; outlives the workers."""

    on_point: Callable[[CrashPoint], None] = lambda _: None
    reached: list[CrashPoint] = field(default_factory=list)
    effects: dict[EffectKey, str] = field(default_factory=dict)

    def reach(self, names: tuple[str, ...], side: Side) -> None:
        point = CrashPoint(names, side)
        self.reached.append(point)
        self.on_point(point)

    def names_of(self, events: tuple[Event, ...]) -> tuple[str, ...]:
        """The names of an append; an outcome is named after the type of its effect."""
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


def crash_at_number(number: int) -> Callable[[CrashPoint], None]:
    """Crash once, at the point with this number, counted from 0."""
    left = [number]

    def on_point(point: CrashPoint) -> None:
        left[0] -= 1
        if left[0] == -1:
            raise Killed(str(point))

    return on_point


def crash_at(moment: str) -> Callable[[CrashPoint], None]:
    """Crash once, at the first point of this name."""
    seen: list[str] = []

    def on_point(point: CrashPoint) -> None:
        if str(point) == moment and not seen:
            seen.append(moment)
            raise Killed(moment)

    return on_point


def crash_at_first_of_each(side: Side) -> Callable[[CrashPoint], None]:
    """Crash at the first write of each kind, on one side of it."""
    seen: set[str] = set()

    def on_point(point: CrashPoint) -> None:
        fresh = set(point.names) - seen
        if point.side is side and fresh:
            seen.update(fresh)
            raise Killed(str(point))

    return on_point


class _InjectedPort:
    """A port with crash points at its writes; all other calls are passed on."""

    def __init__(
        self, port: object, injector: FaultInjector, writes: Mapping[str, _NameOf]
    ) -> None:
        self._port = port
        self._injector = injector
        self._writes = writes

    def __getattr__(self, name: str) -> object:
        found: object = getattr(self._port, name)
        name_of = self._writes.get(name)
        if name_of is None or not callable(found):
            return found
        write = found

        def call(*arguments: object, **keywords: object) -> object:
            names = name_of(arguments)
            self._injector.reach(names, Side.BEFORE)
            result: object = write(*arguments, **keywords)
            self._injector.reach(names, Side.AFTER)
            return result

        return call


def inject_faults(ports: Ports, injector: FaultInjector) -> Ports:
    """The ports with crash points at every write."""

    def appended(arguments: _Arguments) -> tuple[str, ...]:
        return injector.names_of(cast("tuple[Event, ...]", arguments[1]))

    journal = {
        **_plain("acquire", "release", "put_hints", "drop_hints", "set_wake_at"),
        # The same write, for several repositories at once.
        "put_hints_of": lambda _: ("put_hints",),
        "append": appended,
        "rest": appended,
    }
    injected: dict[str, object] = {
        "forge": cast("Forge", _InjectedPort(ports.forge, injector, _plain(*_writes_of_forge()))),
        "git": cast("Git", _InjectedPort(ports.git, injector, {"push": _pushed})),
        "journal": cast("Journal", _InjectedPort(ports.journal, injector, journal)),
        "inbox": cast("Inbox", _InjectedPort(ports.inbox, injector, _plain("mark_read"))),
        "order_store": cast(
            "OrderStore",
            _InjectedPort(ports.order_store, injector, _plain("place", "bind", "revoke")),
        ),
        "prompt_store": cast(
            "PromptStore",
            _InjectedPort(ports.prompt_store, injector, _plain("claim", "keep", "forget")),
        ),
        "model": ports.model and cast("Model", _InjectedPort(ports.model, injector, _plain("ask"))),
    }
    return Ports(**{**ports.__dict__, **injected})


def _writes_of_forge() -> tuple[str, ...]:
    return tuple(name for name in vars(Writes) if not name.startswith("_"))


def _plain(*names: str) -> dict[str, _NameOf]:
    def name_of(name: str) -> _NameOf:
        return lambda _: (name,)

    return {name: name_of(name) for name in names}


def _pushed(arguments: _Arguments) -> tuple[str, ...]:
    """A push is named after the folder of the first ref that it moves."""
    updates = cast("tuple[RefUpdate, ...]", arguments[1])
    return (f"push {'/'.join(updates[0].ref.split('/')[1:3])}",)


@cache
def _read_key(pem: str) -> PrivateKeyTypes:
    """Once for a key: OpenSSL tests whether its numbers are prime, for a tenth of a second."""
    return load_pem_private_key(pem.encode(), None)


class _TokensOnStoryClock(AppTokens):
    """Creates tokens by the story's clock, which localhub uses, too."""

    def __init__(self, api: Api, story: House) -> None:
        self._story = story
        settings = story.settings
        super().__init__(api, settings.app_id, settings.app_key(), story.clock.now)
        self._key = _read_key(settings.app_key())

    def app_token(self) -> str:
        now = int(self._story.clock.now().timestamp())
        claims = {"iat": now - 60, "exp": now + 300, "iss": str(self.app_id)}
        assert isinstance(self._key, RSAPrivateKey)
        return jwt.encode(claims, self._key, algorithm="RS256")


def ports_on_story_clock(story: House, holder: str = "") -> Ports:
    """The ports of a new worker, with the story's clock everywhere; `holder` names the worker."""
    ports = make_house_ports(story.settings, story.bell, story.clock)
    forge = ports.forge
    assert isinstance(forge, GitHubForge)
    forge.tokens = _TokensOnStoryClock(forge.api, story)
    return Ports(**{**ports.__dict__, "holder": holder or ports.holder})


@dataclass
class Supervisor:
    """Restarts a house's worker after each crash, which `crashes` records.

    `wrap_ports` is applied to the ports of each new worker.
    """

    story: House
    injector: FaultInjector
    wrap_ports: Callable[[Ports], Ports] = lambda ports: ports
    beats: SweepState = field(default_factory=SweepState)
    crashes: list[str] = field(default_factory=list)
    sweeper: Ports = field(init=False)

    def __post_init__(self) -> None:
        never = self.story.clock.now() + timedelta(days=3_650)
        self.beats.full_look_at = self.beats.installations_listed_at = self.beats.deliveries_at = (
            never
        )
        self.sweeper = ports_on_story_clock(self.story, "sweep")
        self.start_again()

    def work(self) -> None:
        """`House.work`, with restarts."""
        self._with_restarts(self.story.work)

    def work_without_runners(self) -> None:
        """`House.settle`, with restarts: no order is taken."""
        self._with_restarts(self.story.settle)

    def _with_restarts(self, job: Callable[[], None]) -> None:
        while True:
            try:
                job()
            except Killed as crash:
                self.crashes.append(str(crash))
                self.start_again()
            except Retryable as failure:
                # As in `entry.worker`: left for the sweep.
                self.crashes.append(failure.sentence)
                return
            else:
                if not self._outlast_rests():
                    return

    def _outlast_rests(self) -> bool:
        """Whether a repository rested because processes died at it; time goes on until that ends."""
        now = self.story.clock.now()
        found = self.sweeper.troubles.all()
        rests = [t.until for t in found if t.kind is TroubleKind.DIED and t.until > now]
        if rests:
            self.story.forward(seconds=(max(rests) - now).total_seconds() + 1)
            self.beat()
        return bool(rests)

    def finish(self, is_over: Callable[[], bool], beats_max: int = 60) -> None:
        """Work and move the clock forward, until it is over."""
        for _ in range(beats_max):
            self.work()
            if is_over():
                return
            self.story.forward(seconds=20)
            self.beat()
        raise AssertionError("the work does not end")

    def beat(self) -> None:
        """One beat of the sweep, without full looks.

        A failed request waits for the next beat, as in `entry.worker.keep_sweeping`.
        """
        with contextlib.suppress(Retryable, UserError):
            sweep(self.sweeper, self.beats)

    def start_again(self) -> None:
        """As `entry.worker.work` does; the rings before the crash are lost."""
        self.story.bell.deliveries.clear()
        self.story.bell.repositories.clear()
        self.story.restart(
            inject_faults(self.wrap_ports(ports_on_story_clock(self.story)), self.injector)
        )
        for repository in self.story.ports.journal.repositories():
            self.story.bell.ring_repository(repository)
        # The sweep is another process and does not crash: it finds unread deliveries.
        self.story.forward(seconds=3)
        self.beat()
