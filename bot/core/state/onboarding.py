"""Whether a repository is being onboarded: its first pull is not merged, or files are missing."""

from bot.core.journal.state import RepositoryState
from bot.core.values.ids import PullNumber

OFFERED = "offer:onboarding"
GREETING = "onboarding greeting"
# A person has closed the pull without a merge.
DECLINED = "onboarding declined"


def onboarding_pull(state: RepositoryState) -> PullNumber | None:
    number = state.published.get(OFFERED, "").removeprefix("pull ")
    return PullNumber(int(number)) if number.isdecimal() else None


def is_onboarding(state: RepositoryState) -> bool:
    """Whether the first pull is still followed."""
    is_over = f"comment:{GREETING}" in state.published or DECLINED in state.published
    return onboarding_pull(state) is not None and not is_over
