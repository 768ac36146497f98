"""`GitHubForge`: the port `Forge`, fulfilled by GitHub's REST API.

Its tokens are those that git pushes with, too: wiring builds `MirrorGit`'s credentials from
`tokens.token_for(repository, Purpose.PUSH)`.
"""

from bot.adapters.github.api import Api
from bot.adapters.github.app_tokens import AppTokens
from bot.adapters.github.reads import Reads
from bot.adapters.github.writes import Writes
from bot.core.values.github_cost import Cost
from bot.ports import Answers

# Pinned: another version answers in other shapes. GitHub supports one for two years at least.
API_VERSION = "2022-11-28"


class GitHubForge(Reads, Writes):
    """GitHub at `base_url` as one App sees it; safe for many threads, made anew after a fork."""

    def __init__(
        self, base_url: str, app_id: int, private_key: str, answers: Answers | None = None
    ) -> None:
        api = Api(base_url, API_VERSION, answers)
        super().__init__(api, AppTokens(api, app_id, private_key))

    def take_reads(self) -> Cost:
        """What the reads of this thread have cost since this was last asked."""
        return self.api.take_reads()
