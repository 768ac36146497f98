"""The pull that a repository begins with, as it is on GitHub."""

from bot.core.values.ids import Frozen, PullNumber, Sha
from bot.core.values.repository import PullState


class OnboardingSnapshot(Frozen):
    """`missing` are files that Headgate needs and that the pull's head (once it is merged, main) does
    not have, each with the text that it should have; only a person can write them.
    """

    pull: PullNumber
    state: PullState
    head: Sha
    missing: dict[str, str]
