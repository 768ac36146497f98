"""Routes of Apps: as the App (JWT), as an installation (token), and a manifest's conversion."""

import json
from collections.abc import Sequence

from flask import Blueprint, Response, request

from bot.localhub.app_manifest import is_web_address
from bot.localhub.errors import ApiError, invalid, not_accessible, not_found, unprocessable
from bot.localhub.github_json import Json, iso
from bot.localhub.model import AccountType, Delivery, Installation, Repository, TokenKind
from bot.localhub.pages import page_size, query_integer
from bot.localhub.request_body import Body
from bot.localhub.routes import api
from bot.localhub.shapes.accounts import (
    app_shape,
    full_account_shape,
    full_organization_shape,
    installation_shape,
    own_app_shape,
)
from bot.localhub.shapes.repositories import repository_shape

blueprint = Blueprint("apps", __name__)


@blueprint.get("/app")
def show_app() -> Response:
    app = api.app_of_jwt()
    return api.answer(own_app_shape(api.hub().state, app))


@blueprint.get("/apps/<slug>")
def show_public_app(slug: str) -> Response:
    """A private App is shown to callers with a token only."""
    is_stranger = api.actor().kind is TokenKind.ANONYMOUS
    for app in list(api.hub().state.apps.values()):
        if app.slug == slug and (app.is_public or not is_stranger):
            return api.answer(app_shape(api.hub().state, app))
    raise not_found()


@blueprint.get("/app/installations")
def list_installations() -> Response:
    app = api.app_of_jwt()
    state = api.hub().state
    held = [found for found in list(state.installations.values()) if found.app is app]
    return api.paged(held, lambda found: installation_shape(state, found))


@blueprint.get("/app/installations/<int:installation_id>")
def show_installation(installation_id: int) -> Response:
    found = api.hub().apps.find_installation(api.app_of_jwt(), installation_id)
    return api.answer(installation_shape(api.hub().state, found))


@blueprint.delete("/app/installations/<int:installation_id>")
def delete_installation(installation_id: int) -> Response:
    found = api.hub().apps.find_installation(api.app_of_jwt(), installation_id)
    api.hub().apps.uninstall(found)
    return api.nothing()


@blueprint.get("/repos/<owner>/<name>/installation")
def show_repository_installation(owner: str, name: str) -> Response:
    app = api.app_of_jwt()
    repository = api.hub().repository(f"{owner}/{name}")
    return _installation_where(
        [held for held in _installations_of(app.id) if held.covers(repository)]
    )


@blueprint.get("/orgs/<login>/installation")
@blueprint.get("/users/<login>/installation")
def show_account_installation(login: str) -> Response:
    app = api.app_of_jwt()
    account = api.hub().state.account(login)
    return _installation_where(
        [held for held in _installations_of(app.id) if held.account is account]
    )


def _installations_of(app_id: int) -> list[Installation]:
    state = api.hub().state
    return [held for held in list(state.installations.values()) if held.app.id == app_id]


def _installation_where(found: Sequence[Installation]) -> Response:
    if not found:
        raise not_found()
    return api.answer(installation_shape(api.hub().state, found[0]))


@blueprint.post("/app/installations/<int:installation_id>/access_tokens")
def create_access_token(installation_id: int) -> Response:
    hub = api.hub()
    installation = hub.apps.find_installation(api.app_of_jwt(), installation_id)
    asked = api.body("InstallationToken")
    minted = hub.apps.mint_token(
        installation, _repositories_asked(asked, installation), asked.text_map("permissions")
    )
    expires_at = minted.token.expires_at
    if expires_at is None:
        raise TypeError("an installation token must expire")
    shape: Json = {
        "token": minted.secret,
        "expires_at": iso(expires_at),
        "permissions": minted.permissions,
        "repository_selection": "all"
        if minted.repositories is None and installation.repository_ids is None
        else "selected",
    }
    if minted.repositories is not None:
        shape["repositories"] = [repository_shape(hub.state, held) for held in minted.repositories]
    return api.answer(shape, 201)


def _repositories_asked(asked: Body, installation: Installation) -> list[Repository] | None:
    """The repositories of a body; names are those of the installation's own account."""
    ids, names = asked.integers("repository_ids"), asked.texts("repositories")
    if not ids and not names:
        return None
    every = list(api.hub().state.repositories.values())
    found = [
        held
        for held in every
        if held.id in ids or (held.name in names and held.owner is installation.account)
    ]
    if len(found) < len(set(ids)) or len(found) < len(set(names)):
        raise unprocessable(
            "There is at least one repository that does not exist or is not accessible to the "
            "parent installation."
        )
    return found


@blueprint.get("/installation/repositories")
def list_installation_repositories() -> Response:
    hub, actor = api.hub(), api.actor()
    if actor.kind is not TokenKind.INSTALLATION or actor.installation is None:
        raise not_accessible()
    covered = [
        held
        for held in hub.apps.repositories_of(actor.installation)
        if actor.repository_ids is None or held.id in actor.repository_ids
    ]
    return api.counted(covered, lambda held: repository_shape(hub.state, held), "repositories")


@blueprint.delete("/installation/token")
def revoke_installation_token() -> Response:
    actor = api.actor()
    if actor.kind not in (TokenKind.INSTALLATION, TokenKind.JOB):
        raise not_accessible()
    api.hub().access.revoke(actor.token)
    return api.nothing()


@blueprint.get("/user")
def show_user() -> Response:
    actor = api.actor()
    if actor.account is None:
        raise ApiError(401, "Requires authentication")
    if actor.kind is not TokenKind.USER:
        raise not_accessible()
    return api.answer(full_account_shape(api.hub().state, actor.account))


@blueprint.get("/users/<login>")
def show_account(login: str) -> Response:
    state = api.hub().state
    return api.answer(full_account_shape(state, state.account(login)))


def _delivery_item(delivery: Delivery) -> Json:
    return {
        "id": delivery.id,
        "guid": delivery.guid,
        "delivered_at": iso(delivery.delivered_at or delivery.created_at),
        "redelivery": delivery.is_redelivery,
        "duration": delivery.duration_seconds,
        "status": delivery.status,
        "status_code": delivery.status_code,
        "event": delivery.event,
        "action": delivery.action,
        "installation_id": delivery.installation_id,
        "repository_id": delivery.repository_id,
        "throttled_at": None,
    }


def _deliveries() -> list[Delivery]:
    app = api.app_of_jwt()
    with api.hub().state.lock:
        newest_first = list(reversed(api.hub().state.deliveries))
    return [held for held in newest_first if held.app is app and held.status != "pending"]


@blueprint.get("/app/hook/deliveries")
def list_deliveries() -> Response:
    size = page_size()
    # The cursor is the id of the last delivery seen: pages do not shift when new ones arrive.
    cursor = query_integer("cursor", 0)
    held = [found for found in _deliveries() if not cursor or found.id < cursor]
    page = held[:size]
    response = api.answer([_delivery_item(found) for found in page])
    if len(held) > size:
        url = f"{request.base_url}?per_page={size}&cursor={page[-1].id}"
        response.headers["Link"] = f'<{url}>; rel="next"'
    return response


def _find_delivery(delivery_id: int) -> Delivery:
    for held in _deliveries():
        if held.id == delivery_id:
            return held
    raise not_found()


@blueprint.get("/app/hook/deliveries/<int:delivery_id>")
def show_delivery(delivery_id: int) -> Response:
    held = _find_delivery(delivery_id)
    payload: object = json.loads(held.payload)
    shape: Json = {
        **_delivery_item(held),
        "url": held.app.webhook_url or "",
        "request": {"headers": held.request_headers, "payload": payload},
        "response": {"headers": held.response_headers, "payload": held.response_body},
    }
    return api.answer(shape)


@blueprint.post("/app/hook/deliveries/<int:delivery_id>/attempts")
def redeliver(delivery_id: int) -> Response:
    api.hub().webhooks.redeliver(_find_delivery(delivery_id))
    return api.answer({}, 202)


@blueprint.get("/app/hook/config")
def show_hook_config() -> Response:
    app = api.app_of_jwt()
    secret = "********" if app.webhook_secret else ""
    return api.answer(
        {
            "content_type": "json",
            "insecure_ssl": "0",
            "secret": secret,
            "url": app.webhook_url or "",
        }
    )


@blueprint.patch("/app/hook/config")
def edit_hook_config() -> Response:
    app = api.app_of_jwt()
    asked = api.body("Hook")
    url = asked.maybe_text("url")
    if url is not None and not is_web_address(url):
        raise invalid("Hook", "url", "custom", "url must be an http or https URL")
    with api.hub().state.lock:
        app.webhook_url = url or app.webhook_url
        app.webhook_secret = asked.maybe_text("secret") or app.webhook_secret
    return show_hook_config()


# The manifest flow: what its owner does in a browser is in `web.app_pages`


@blueprint.post("/app-manifests/<code>/conversions")
def convert_manifest(code: str) -> Response:
    hub = api.hub()
    credentials = hub.apps.convert(code)
    shape = {
        **app_shape(hub.state, hub.state.apps[credentials.app_id]),
        "client_secret": credentials.client_secret,
        "webhook_secret": credentials.webhook_secret or None,
        "pem": credentials.private_key_pem,
    }
    return api.answer(shape, 201)


@blueprint.get("/orgs/<login>")
def show_organization(login: str) -> Response:
    state = api.hub().state
    account = state.account(login)
    if account.type is not AccountType.ORGANIZATION:
        raise not_found()
    return api.answer(full_organization_shape(state, account))


@blueprint.get("/rate_limit")
def show_rate_limit() -> Response:
    return api.answer(api.hub().limits.overview(api.actor()))


@blueprint.get("/meta")
def show_meta() -> Response:
    return api.answer({"verifiable_password_authentication": False, "hooks": ["127.0.0.0/8"]})
