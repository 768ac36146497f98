"""`GitHubForge`: the port `Forge`, fulfilled by GitHub's REST API.

Its tokens are those that git pushes with, too: wiring builds `MirrorGit`'s credentials from
`tokens.token_for(repository, Purpose.PUSH)`.
"""

from bot.adapters.github.api import Api
from bot.adapters.github.app_tokens import AppTokens
from bot.adapters.github.doing import Doing
from bot.adapters.github.looking import Looking


class GitHubForge(Looking, Doing):
    """GitHub at `base_url` as one App sees it; safe for many threads, made anew after a fork."""

    def __init__(
        self, base_url: str, app_id: int, private_key: str, api_version: str = "2022-11-28"
    ) -> None:
        api = Api(base_url, api_version)
        super().__init__(api, AppTokens(api, app_id, private_key))
