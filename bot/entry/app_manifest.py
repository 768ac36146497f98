"""The manifest of our App: the permissions that tokens ask for and the events that are read.

Source: "Registering a GitHub App from a manifest". Both lists are the code's own
(`app_permissions`, `EVENTS`), so that the App can do what Headgate does and nothing else.
"""

import secrets
from dataclasses import dataclass

from bot.adapters.github.app_tokens import app_permissions
from bot.core.state.webhook import EVENTS

HOMEPAGE = "https://github.com/headgate/headgate"

# GitHub wants an address of every webhook, one that is not active included; this one is reserved
# for examples (RFC 2606), and nothing is sent there.
NO_WEBHOOK = "https://example.com/headgate/webhook"


@dataclass(frozen=True)
class AppOptions:
    """What a person chooses; without a webhook's address the App has none that is active."""

    organization: str = ""
    name: str = ""
    webhook: str = ""


def new_name() -> str:
    """A name that nobody has: names of Apps are unique on all of GitHub."""
    return f"headgate-{secrets.token_hex(3)}"


def manifest(app_options: AppOptions, own_url: str) -> dict[str, object]:
    """`own_url` is where the person's browser sees this server."""
    return {
        "name": app_options.name or new_name(),
        "url": HOMEPAGE,
        "description": "Turns committed specs into gated, merged code.",
        "public": False,
        "redirect_url": f"{own_url}/setup/created",
        "setup_url": f"{own_url}/setup/installed",
        "hook_attributes": {
            "url": app_options.webhook or NO_WEBHOOK,
            "active": bool(app_options.webhook),
        },
        "default_permissions": app_permissions(),
        "default_events": list(EVENTS),
    }


def creation_url(github_url: str, app_options: AppOptions) -> str:
    """The page that takes the manifest, of the person's account or of an organisation."""
    place = f"organizations/{app_options.organization}/" if app_options.organization else ""
    return f"{github_url}/{place}settings/apps/new"
