"""Reads the manifest of an App as strictly as GitHub does.

Source: "Registering a GitHub App from a manifest", and what its users report of refusals: `url` is
required, `hook_attributes` needs a `url` of its own even where it is not active, and an event that
cannot be chosen, or that no permission covers, refuses the whole manifest.
"""

import json
from urllib.parse import urlsplit

from bot.localhub.access import grants
from bot.localhub.apps import AppDraft
from bot.localhub.model import App
from bot.localhub.request_body import Body
from bot.localhub.webhooks import EVENT_PERMISSIONS

# GitHub: "Name is too long (maximum is 34 characters)".
NAME_MAX = 34
_CALLBACKS_MAX = 10
_LEVELS = {"read", "write", "admin"}
_KNOWN = {
    *("name", "url", "hook_attributes", "redirect_url", "callback_urls", "setup_url"),
    *("description", "public", "default_events", "default_permissions"),
    *("request_oauth_on_install", "setup_on_update"),
}


class ManifestRefused(Exception):
    """Why GitHub does not take a manifest; nothing was made."""


def is_web_address(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in {"http", "https"} and bool(parts.hostname)


def read_manifest(raw: str) -> Body:
    """The manifest of a form; raises `ManifestRefused`."""
    try:
        loaded = json.loads(raw)
    except ValueError as error:
        raise ManifestRefused("The manifest is not JSON.") from error
    if not isinstance(loaded, dict):
        raise ManifestRefused("The manifest is not a JSON object.")
    return Body(loaded, "Manifest")


def draft_of(manifest: Body, name: str, secret: str) -> AppDraft:
    """The App that a manifest asks for; raises `ManifestRefused` or `ApiError`."""
    _require_url(manifest, "url")
    hook = manifest.part("hook_attributes")
    if hook is not None:
        _require_url(hook, "url")
    for field in ("redirect_url", "setup_url"):
        if manifest.has(field) and not is_web_address(manifest.maybe_text(field) or ""):
            raise ManifestRefused(f"{field} is not a URL")
    if len(manifest.items("callback_urls")) > _CALLBACKS_MAX:
        raise ManifestRefused(f"callback_urls has more than {_CALLBACKS_MAX} items")
    if unknown := sorted(set(manifest.json_keys()) - _KNOWN):
        raise ManifestRefused(f"{unknown[0]} is not a known field")
    permissions = manifest.text_map("default_permissions") or {}
    for permission, level in permissions.items():
        if level not in _LEVELS:
            raise ManifestRefused(f"{permission}: {level} is not a level")
    events = manifest.texts("default_events")
    _require_events(events, permissions)
    return AppDraft(
        name=name,
        webhook_url=None if hook is None else hook.maybe_text("url"),
        webhook_secret=secret if hook is not None else "",
        permissions=permissions,
        events=events,
        external_url=manifest.text("url"),
        description=manifest.maybe_text("description") or "",
        setup_url=manifest.maybe_text("setup_url") or "",
        is_hook_active=hook is not None and (not hook.has("active") or hook.flag("active")),
        # An App from a manifest is private unless it says otherwise.
        is_public=manifest.flag("public"),
    )


def _require_url(part: Body, field: str) -> None:
    value = part.maybe_text(field)
    if not value:
        # GitHub names the field without what it is a part of.
        raise ManifestRefused(f'"{field}" wasn\'t supplied.')
    if not is_web_address(value):
        raise ManifestRefused(f"{field} must be an http or https URL")
    if urlsplit(value).hostname == "localhost":
        raise ManifestRefused(
            f"{field} is not supported because it isn't reachable over the public Internet "
            "(localhost)"
        )


def _require_events(events: list[str], permissions: dict[str, str]) -> None:
    unsupported = [event for event in events if event not in EVENT_PERMISSIONS]
    if unsupported:
        raise ManifestRefused(f"Default events unsupported: {', '.join(unsupported)}")
    uncovered = [event for event in events if not _is_covered(event, permissions)]
    if uncovered:
        raise ManifestRefused(
            f"Default events are not supported by permissions: {', '.join(uncovered)}"
        )


def _is_covered(event: str, permissions: dict[str, str]) -> bool:
    needed = EVENT_PERMISSIONS[event]
    if event == "issue_comment" and grants(permissions, "pull_requests", "read"):
        return True
    return needed is None or grants(permissions, needed, "read")


def require_name(name: str, apps: list[App]) -> None:
    """GitHub's rules for the name of an App."""
    if not name.strip():
        raise ManifestRefused("Name can't be blank")
    if len(name) > NAME_MAX:
        raise ManifestRefused(f"Name is too long (maximum is {NAME_MAX} characters)")
    if name.lower().startswith(("github", "gist")):
        raise ManifestRefused("Name cannot begin with 'GitHub' or 'Gist'")
    if name.lower() in {app.name.lower() for app in apps}:
        raise ManifestRefused("Name is already in use")
