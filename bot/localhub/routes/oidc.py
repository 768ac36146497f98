"""The OIDC issuer of Actions: the discovery document and the public keys."""

from flask import Blueprint, Response

from bot.localhub.routes import api

blueprint = Blueprint("oidc", __name__)


@blueprint.get("/_oidc/.well-known/openid-configuration")
def show_configuration() -> Response:
    hub = api.hub()
    return api.answer(hub.issuer.configuration(hub.oidc_issuer))


@blueprint.get("/_oidc/.well-known/jwks")
def show_keys() -> Response:
    return api.answer(api.hub().issuer.jwks())
