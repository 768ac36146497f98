"""What this repository's own agents have taken for a change of each size."""

from collections.abc import Iterable
from statistics import median

from bot.core.journal.change_state import FINISHED
from bot.core.journal.state import AgentRun, RepositoryState
from bot.core.prompts.figures import Learned
from bot.core.spec.policy import Policy
from bot.core.values.plan_model import ChangeSize
from bot.core.values.price import cost, price_of

# The middle of fewer says nothing.
RUNS_MIN = 3


def learned(state: RepositoryState, policy: Policy) -> dict[ChangeSize, Learned]:
    """The median of finished attempts, for each size that has enough of them."""
    runs = {
        size: [
            run
            for change in state.changes.values()
            if change.size is size
            for run in change.agent_runs
            if run.outcome == FINISHED and not run.remade and run.tokens.total
        ]
        for size in ChangeSize
    }
    return {size: _middle(of, policy) for size, of in runs.items() if len(of) >= RUNS_MIN}


def _middle(runs: Iterable[AgentRun], policy: Policy) -> Learned:
    known = tuple(runs)
    costs = [cost(r.tokens, price_of(r.model, policy.file.prices)) for r in known]
    priced = [one for one in costs if one is not None]
    return Learned(
        runs=len(known),
        tokens=round(median(r.tokens.total for r in known)),
        dollars=median(priced) if len(priced) == len(known) else None,
        minutes=max(1, round(median(r.seconds for r in known) / 60)),
    )
