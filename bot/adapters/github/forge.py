"""The port `Forge` over GitHub's REST and GraphQL APIs."""

from bot.adapters.github.api import Api
from bot.adapters.github.app_tokens import AppTokens
from bot.adapters.github.check_reads import CheckReads
from bot.adapters.github.reads import Reads
from bot.adapters.github.review_reads import ReviewReads
from bot.adapters.github.rule_reads import RuleReads
from bot.adapters.github.tip_reads import TipReads
from bot.adapters.github.writes import Writes
from bot.core.state.webhook import Installation
from bot.core.values.github_cost import Cost
from bot.core.values.repository import AwayReason, RepositoryFacts, Standing
from bot.ports import ResponseCache

# Pinned, because responses differ by version. GitHub supports a version for at least two years.
API_VERSION = "2022-11-28"


class GitHubForge(Reads, RuleReads, CheckReads, ReviewReads, TipReads, Writes):
    """GitHub as one App sees it; safe for many threads, but not across a fork."""

    def __init__(
        self, base_url: str, app_id: int, private_key: str, cache: ResponseCache | None = None
    ) -> None:
        api = Api(base_url, API_VERSION, cache)
        super().__init__(api, AppTokens(api, app_id, private_key))

    def serves(self, full_name: str) -> bool:
        """Everybody who installs the App."""
        return True

    def pop_read_cost(self) -> Cost:
        return self.api.pop_read_cost()


class ServingForge(GitHubForge):
    """GitHub as far as it belongs to these owners (lower case): a public App is anybody's to install."""

    owners: frozenset[str] = frozenset()

    def serves(self, full_name: str) -> bool:
        return full_name.partition("/")[0].lower() in self.owners

    def installations(self) -> tuple[Installation, ...]:
        return tuple(one for one in super().installations() if self.serves(one.full_name))

    def standing(self, repository: RepositoryFacts, is_doubted: bool) -> Standing:
        """We are away if its owner is somebody whom we do not serve, or has become so."""
        found = super().standing(repository, is_doubted)
        if found.facts is not None and not self.serves(found.facts.full_name):
            return Standing(away=AwayReason.NOT_SERVED)
        return found
