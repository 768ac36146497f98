"""Arrival: what is there when Headgate is given a repository is known, and no work.

The first event of a journal names main and every spec on it. Twice does no harm.
"""

from bot.core.journal.events import RepositoryInstalled
from bot.core.spec.policy_file import WATCHED
from bot.core.state.observed import Hint, HintKind
from bot.core.state.webhook import Arrival
from bot.ports import Retryable
from bot.shell.bench import Bench
from bot.shell.observe import specs_on


def install(bench: Bench, arrival: Arrival) -> None:
    """Begin the journal of a repository, unless it has begun."""
    known = bench.journal.load(arrival.repository)
    if known.facts is not None or known.unreadable is not None:
        return
    facts = bench.forge.repository(arrival.installation, arrival.full_name)
    if facts is None:
        return
    bench.git.fetch(facts)
    main = bench.git.remote_ref(facts, facts.main_ref)
    if main is None:
        return
    now = bench.clock.now()
    lease = bench.journal.acquire(facts.id, bench.holder, now)
    if lease is None:
        raise Retryable(f"{facts.full_name} is being written by another worker")
    event = RepositoryInstalled(
        facts=facts,
        main=main,
        tree=bench.git.tree_of(facts, main),
        known_specs=specs_on(bench, facts, main, WATCHED),
        installed_at=now,
    )
    bench.journal.append(lease, (event,), now)
    bench.journal.release(lease)
    bench.journal.put_hints(facts.id, (Hint(kind=HintKind.MAIN),))
    bench.doorbell.ring_repository(facts.id)
