"""The check runs on commits that others brought to main, or to a further branch: what its gates said."""

from bot.core.decide.decision import Decision
from bot.core.decide.people.check_runs import publish_check
from bot.core.decide.people.replaced_checks import shown_open
from bot.core.journal.evolve_forgotten import OPEN
from bot.core.journal.evolve_main import check_of_main
from bot.core.state.queue_order import blocked_by
from bot.core.talk import checks
from bot.core.values.freeze import OF_PEOPLE


def next_steps(decision: Decision) -> None:
    """Each once; a person who asks again gets another. What waits in GitHub's merge queue has its green verdict
    when no freeze of people is in the way: GitHub would merge it at once.
    """
    is_frozen = any(cause in decision.state.freezes for cause in OF_PEOPLE)
    for adoption in decision.state.adoptions.values():
        external_id = check_of_main(decision.state, adoption.sha)
        if adoption.green is None:
            continue
        if adoption.green and adoption.group is not None and is_frozen:
            text = checks.kept_back(blocked_by(decision.state) or "")
        elif _is_told(decision, external_id):
            continue
        else:
            text = checks.verdict(decision.policy, adoption.results)
        publish_check(decision, adoption.sha, external_id, text)
    _conclude_dropped(decision)


def _is_told(decision: Decision, external_id: str) -> bool:
    known = decision.state.published.get(f"check:{external_id}")
    return known is not None and not known.startswith(OPEN)


def _conclude_dropped(decision: Decision) -> None:
    """A verdict that was kept back, and whose merge group is gone, does not stay in progress."""
    for subject, sha in shown_open(decision.state):
        if sha in decision.state.adoptions:
            continue
        external_id = check_of_main(decision.state, sha)
        if subject == f"check:{external_id}":
            publish_check(decision, sha, external_id, checks.dropped())
