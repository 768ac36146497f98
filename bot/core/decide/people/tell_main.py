"""The check runs on commits that others brought to main, or to a further branch: what its gates said."""

from bot.core.decide.decision import Decision
from bot.core.decide.people.check_runs import publish_check
from bot.core.journal.evolve_main import check_of_main
from bot.core.talk import checks


def next_steps(decision: Decision) -> None:
    """Each once; a person who asks again gets another."""
    for adoption in decision.state.adoptions.values():
        external_id = check_of_main(decision.state, adoption.sha)
        if adoption.green is None or f"check:{external_id}" in decision.state.published:
            continue
        text = checks.verdict(decision.policy, adoption.results)
        publish_check(decision, adoption.sha, external_id, text)
