"""The branches that entries land on, each with its tip as the journal knows it."""

from bot.core.journal.state import RepositoryState
from bot.core.values.ids import Sha


def served_tips(state: RepositoryState) -> dict[str, Sha]:
    """By the branch's name, of the default branch and the further ones; without what was never seen."""
    if state.facts is None:
        return {}
    tips = {state.facts.default_branch: state.main}
    tips |= {name: branch.main for name, branch in state.branches.items()}
    return {name: tip for name, tip in tips.items() if tip is not None}
