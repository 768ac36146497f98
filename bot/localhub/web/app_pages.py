"""Pages on which a person makes an App from a manifest, changes its webhook, and installs it.

A person who is not signed in must sign in first, as on GitHub.
"""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec
from urllib.parse import urlencode, urlsplit

from flask import Blueprint, Response, redirect, render_template, request

from bot.localhub.app_manifest import ManifestRefused, draft_of, read_manifest, require_name
from bot.localhub.errors import ApiError, not_found
from bot.localhub.model import Account, AccountType, Actor, App, Repository
from bot.localhub.request_body import Body
from bot.localhub.routes import api
from bot.localhub.sessions import COOKIE

blueprint = Blueprint("app_pages", __name__)

P = ParamSpec("P")
Page = str | Response | tuple[str, int]


def missing_page(error: ApiError) -> tuple[str, int]:
    return render_template("missing.html", error=error), error.status


blueprint.register_error_handler(ApiError, missing_page)


def person() -> Actor | None:
    return api.hub().sessions.actor(request.cookies.get(COOKIE))


def signed_in(view: Callable[P, Page]) -> Callable[P, Page]:
    """Send somebody who is not signed in to the page for that."""

    @wraps(view)
    def seen(*args: P.args, **named: P.kwargs) -> Page:
        if person() is None:
            return send_to(f"/login?{urlencode({'return_to': request.full_path.rstrip('?')})}")
        return view(*args, **named)

    return seen


def the_person() -> Actor:
    """Who is signed in, on a page that asks for it."""
    found = person()
    if found is None:
        raise TypeError("a page without `signed_in` asks who is there")
    return found


def send_to(url: str) -> Response:
    made = redirect(url)
    return Response(made.get_data(), made.status_code, dict(made.headers))


@blueprint.get("/login")
def show_login() -> Page:
    return render_template("login.html", return_to=request.args.get("return_to", "/"), problem="")


@blueprint.post("/login")
def sign_in() -> Page:
    target = request.form.get("return_to", "/")
    if urlsplit(target).netloc or not target.startswith("/"):
        target = "/"
    try:
        cookie = api.hub().sessions.sign_in(
            request.form.get("login", ""), request.form.get("password", "")
        )
    except ApiError:
        problem = "Incorrect username or password."
        return render_template("login.html", return_to=target, problem=problem), 401
    response = send_to(target)
    response.set_cookie(COOKIE, cookie, httponly=True, samesite="Lax")
    return response


@blueprint.post("/settings/apps/new")
@blueprint.post("/organizations/<login>/settings/apps/new")
@signed_in
def confirm_manifest(login: str = "") -> Page:
    raw = request.form.get("manifest", "")
    owner = _owner(login)
    try:
        manifest = read_manifest(raw)
        name = manifest.maybe_text("name") or ""
        draft_of(manifest, name, "")
    except (ManifestRefused, ApiError) as error:
        return render_template("manifest_refused.html", problem=error), 422
    return _manifest_page(manifest, raw, owner, name, "")


def _manifest_page(manifest: Body, raw: str, owner: Account, name: str, problem: str) -> str:
    return render_template(
        "manifest.html",
        manifest_text=raw,
        name=name,
        permissions=manifest.text_map("default_permissions") or {},
        events=manifest.texts("default_events"),
        owner=owner,
        login=owner.login if owner.type is AccountType.ORGANIZATION else "",
        state=request.values.get("state", ""),
        problem=problem,
    )


def _owner(login: str) -> Account:
    """The account that an App is made for: the person, or an organization that they own."""
    account = the_person().account
    if account is None:
        raise not_found()
    if not login:
        return account
    organization = api.hub().account(login)
    if not _owns(account, organization):
        raise not_found()
    return organization


def _owns(person: Account, account: Account) -> bool:
    return account is person or person.login in account.owners


@blueprint.post("/settings/apps/confirm")
@signed_in
def create_from_manifest() -> Page:
    hub = api.hub()
    raw = request.form.get("manifest", "")
    owner = _owner(request.form.get("login", ""))
    name = request.form.get("name", "").strip()
    try:
        manifest = read_manifest(raw)
        draft = draft_of(manifest, name, hub.apps.new_secret())
    except (ManifestRefused, ApiError) as error:
        return render_template("manifest_refused.html", problem=error), 422
    try:
        require_name(name, list(hub.state.apps.values()))
        credentials = hub.apps.register(owner, draft)
    except (ManifestRefused, ValueError) as error:
        return _manifest_page(manifest, raw, owner, name, str(error)), 422
    target = manifest.maybe_text("redirect_url")
    if not target:
        return send_to(f"/settings/apps/{credentials.slug}")
    query = {"code": hub.apps.create_conversion_code(credentials)}
    if state := request.form.get("state", ""):
        query["state"] = state
    return send_to(f"{target}{'&' if '?' in target else '?'}{urlencode(query)}")


def _app(slug: str) -> App:
    for app in list(api.hub().state.apps.values()):
        if app.slug == slug:
            return app
    raise not_found()


@blueprint.get("/settings/apps/<slug>")
@blueprint.get("/organizations/<login>/settings/apps/<slug>")
@signed_in
def show_app_settings(slug: str, login: str = "") -> Page:
    return render_template("app_settings.html", app=_owned(slug, login))


@blueprint.post("/settings/apps/<slug>")
@blueprint.post("/organizations/<login>/settings/apps/<slug>")
@signed_in
def change_app_settings(slug: str, login: str = "") -> Page:
    """Only its owner turns an App's webhook on or off."""
    app = _owned(slug, login)
    with api.hub().state.lock:
        app.is_hook_active = request.form.get("active") == "1"
    return send_to(request.path)


def _owned(slug: str, login: str) -> App:
    app = _app(slug)
    if app.owner is not _owner(login):
        raise not_found()
    return app


@blueprint.get("/apps/<slug>/installations/new")
@signed_in
def choose_repositories(slug: str) -> Page:
    app = _app(slug)
    account = _place_of(app, request.args.get("target", ""))
    return render_template("install_app.html", app=app, account=account, repositories=_of(account))


@blueprint.post("/apps/<slug>/installations/new")
@signed_in
def install(slug: str) -> Page:
    hub, app = api.hub(), _app(slug)
    account = _place_of(app, request.form.get("target", ""))
    chosen = None
    if request.form.get("install_target") == "selected":
        ids = request.form.getlist("repository_ids")
        chosen = [held for held in _of(account) if str(held.id) in ids]
        if not chosen:
            problem = "Choose at least one repository."
            return (
                render_template(
                    "install_app.html",
                    app=app,
                    account=account,
                    repositories=_of(account),
                    problem=problem,
                ),
                422,
            )
    installation = hub.apps.install(app, account, chosen)
    if not app.setup_url:
        return send_to(f"/{account.login}")
    query = urlencode({"installation_id": installation.id, "setup_action": "install"})
    return send_to(f"{app.setup_url}{'&' if '?' in app.setup_url else '?'}{query}")


def _of(account: Account) -> list[Repository]:
    every = list(api.hub().state.repositories.values())
    return [held for held in every if held.owner is account]


def _place_of(app: App, target: str) -> Account:
    """Where the person may install an App: a private one only on its owner's account."""
    person = the_person().account
    if person is None:
        raise not_found()
    default = app.owner if _owns(person, app.owner) else person
    account = api.hub().account(target) if target else default
    if not _owns(person, account) or not (app.is_public or account is app.owner):
        raise not_found()
    return account
