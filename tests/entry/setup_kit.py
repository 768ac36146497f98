"""A localhub with a person who sits at a browser, and a server that is being set up."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from bot.localhub.hub import Hub
from bot.localhub.mount import actions_of, extension
from bot.localhub.server import running

PACKAGE = b'{"scripts": {"test": "node --test"}}'


@dataclass
class Town:
    """ada owns `ada/shop` and the organisation team with `team/shop`; eve owns nothing."""

    hub: Hub
    url: str
    folder: Path
    tokens: dict[str, str]

    @property
    def settings_file(self) -> Path:
        return self.folder / "config" / "settings.env"

    def environment(self, **more: str) -> dict[str, str]:
        """A server's environment before it is set up."""
        return {
            "HEADGATE_SETTINGS": str(self.settings_file),
            "HEADGATE_VAR": str(self.folder / "var"),
            "HEADGATE_GITHUB_API_URL": f"{self.url}/api/v3",
            "HEADGATE_OIDC_ISSUER": f"{self.url}/_oidc",
            **more,
        }

    @contextmanager
    def browser(self, login: str = "ada") -> Iterator[httpx.Client]:
        """A browser without JavaScript, signed in on GitHub."""
        with httpx.Client(trust_env=False, timeout=30) as client:
            form = {"login": login, "password": self.tokens[login]}
            assert client.post(f"{self.url}/login", data=form).status_code == 302
            yield client


@contextmanager
def town(folder: Path) -> Iterator[Town]:
    hub = Hub(folder / "hub")
    service = actions_of(hub)
    with running(hub, extensions=[extension(service)]) as url:
        tokens = {login: hub.add_user(login) for login in ("ada", "eve")}
        hub.add_organization("team", owners=("ada",))
        for owner in ("ada", "team"):
            hub.add_repository(owner, "shop")
            files = {"package.json": PACKAGE, "package-lock.json": b"{}\n"}
            hub.commit_files(f"{owner}/shop", dict(files), "Begin", "ada")
        try:
            yield Town(hub, url, folder, tokens)
        finally:
            service.close()


def own_environment(values: Mapping[str, str]) -> dict[str, str]:
    """The machine's environment without settings of a Headgate that may run here."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("HEADGATE_", "ANTHROPIC_"))}
    return {**{k: v for k, v in kept.items() if k not in {"DATABASE_URL", "REDIS_URL"}}, **values}
