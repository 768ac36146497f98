"""Self-tests that people ask for in comments, made outside of every lease.

`reconcile` rings for an open one and tells what was found; a worker without a lease makes it, and keeps
that until it is told. One that has no end in time is told as that, and not made again.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from pydantic import TypeAdapter

from bot.core.journal.effects import PostComment, RunSelfTest
from bot.core.journal.events import Event
from bot.core.journal.state import RepositoryState
from bot.core.state.observed import Hint, HintKind
from bot.core.talk import selftest_text
from bot.core.values.ids import EffectKey, RepositoryId
from bot.core.values.selftest import SELF_TEST_WITHIN, TestLine
from bot.shell.observe import Observer
from bot.shell.perform_github import post_comment
from bot.shell.perform_task import Task
from bot.shell.process_ports import Ports
from bot.shell.selftest import SelfTest

# A ring that was lost is repeated after this long.
_RING_AGAIN = timedelta(seconds=10)

_LINES = TypeAdapter(tuple[TestLine, ...])


def _kept_as(repository: RepositoryId, effect: RunSelfTest) -> str:
    return f"{effect.subject}:{repository}"


def without_result(ports: Ports, state: RepositoryState) -> frozenset[EffectKey]:
    """The open self-tests that may still come to an end, and have not."""
    now = ports.clock.now()
    return frozenset(
        key
        for key, effect in state.open_effects.items()
        if isinstance(effect, RunSelfTest)
        and state.facts is not None
        and now < effect.asked_at + SELF_TEST_WITHIN
        and ports.readings.get(_kept_as(state.facts.id, effect)) is None
    )


def ring_for_open(ports: Ports, state: RepositoryState) -> datetime | None:
    """Ring for those without a result; returns when to look again, None where there is none."""
    open_ = without_result(ports, state)
    if state.facts is None or not open_:
        return None
    for key in open_:
        ports.doorbell.ring_self_test(state.facts.id, key)
    return ports.clock.now() + _RING_AGAIN


def make(
    ports: Ports,
    observer: Observer,
    repository: RepositoryId,
    key: EffectKey,
    wait: Callable[[float], None],
) -> None:
    """Make one that is open, unless it was begun before; keep what was found, and ring."""
    state = ports.journal.load(repository)
    effect, facts, main = state.open_effects.get(key), state.facts, state.main
    if not isinstance(effect, RunSelfTest) or facts is None or main is None:
        return
    kept_as = _kept_as(repository, effect)
    if ports.readings.begin(kept_as, ports.clock.now()) != 1:
        return
    policy = observer.policy_at(facts, state, main)
    lines = SelfTest(ports, facts, policy, wait).run()
    ports.readings.put(kept_as, _LINES.dump_json(lines), ports.clock.now())
    ports.journal.put_hints(repository, (Hint(kind=HintKind.AGAIN),))
    ports.doorbell.ring_repository(repository)


def tell(task: Task[RunSelfTest]) -> tuple[Event, ...]:
    """Comment what was found, once."""
    effect = task.effect
    kept = task.ports.readings.get(_kept_as(task.facts.id, effect))
    found = _LINES.validate_json(kept) if kept is not None else None
    text = selftest_text.no_end() if found is None else selftest_text.answer(found)
    comment = PostComment(issue=effect.issue, subject=effect.subject, text=text)
    return post_comment(
        Task(task.ports, task.facts, task.state, comment, (comment,), task.look_first)
    )
