"""Check runs of candidates that are not judged any more: what was announced there is cancelled.

A newer candidate, or none at all, has taken their place. What has a conclusion keeps it.
"""

import re

from bot.core.decide.decision import Decision
from bot.core.decide.people.check_runs import publish_check
from bot.core.journal.evolve_forgotten import OPEN
from bot.core.journal.state import RepositoryState
from bot.core.talk import checks
from bot.core.values.ids import ChangeId, Sha

_SUBJECT = re.compile(r"check:(?P<id>(?P<change>.+?):(?P<number>[0-9]+)(?::(?P<gate>[^:]+))?)")
_SHOWN_AT = re.compile(rf"{OPEN}(?P<sha>[0-9a-f]{{40}}):")


def conclude_replaced(decision: Decision) -> None:
    """Cancel what stands open at the commits of earlier candidates."""
    for subject, at in shown_open(decision.state):
        named = _SUBJECT.fullmatch(subject)
        change = decision.state.changes.get(ChangeId(named["change"])) if named else None
        if named is None or change is None:
            continue
        candidate = decision.state.candidate_of(change)
        if candidate is None or candidate.number != int(named["number"]):
            text = checks.of_change(
                checks.replaced(change, named["gate"] or ""), decision.state.facts, change
            )
            publish_check(decision, at, named["id"], text)


def shown_open(state: RepositoryState) -> tuple[tuple[str, Sha], ...]:
    """The subjects of check runs without a conclusion, each with its commit."""
    told = ((subject, state.published.get(subject, "")) for subject in state.open_checks)
    found = ((subject, _SHOWN_AT.match(digest)) for subject, digest in told)
    return tuple((subject, Sha(at["sha"])) for subject, at in found if at)
