"""Importing an agent's bundle: its tree becomes a commit of Headgate's own.

A bundle is checked once, before anything is built from it; a refused bundle fails its change.
"""

from bot.core.decide.changes.end_without_landing import intend_for
from bot.core.decide.decision import Decision
from bot.core.journal.effects import ImportBundle
from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.state.artefacts import artefact_paths
from bot.core.talk.commit import head_message


def import_work(decision: Decision, run: SpecRun, change: ChangeFacts) -> None:
    order = decision.state.orders.get(change.order) if change.order else None
    if order is None or change.bundle is None:
        return
    intend_for(
        decision,
        change,
        ImportBundle(
            change=change.id,
            order=order.id,
            attempt=change.attempt,
            bundle=change.bundle,
            start=order.commit,
            protected=decision.policy.protected,
            message=head_message(run, change),
            at=decision.now,
            only=change.remaking,
            artefacts=artefact_paths(run, change),
        ),
    )
