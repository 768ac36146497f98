"""The check run of the smoke gates, on the commit of main that they were asked about."""

from bot.core.decide.decision import Decision
from bot.core.decide.people.check_runs import publish_check
from bot.core.journal.evolve_smoke import check_of_smoke
from bot.core.talk.smoke_text import smoke_check
from bot.core.values.smoke import SmokeOutcome


def next_steps(decision: Decision) -> None:
    smoke = decision.state.smoke
    if smoke is None or smoke.outcome is None or smoke.outcome is SmokeOutcome.REPEATED:
        return
    external_id = check_of_smoke(decision.state, smoke.sha)
    publish_check(decision, smoke.sha, external_id, smoke_check(smoke, smoke.outcome))
