"""Apps: JWTs, tokens, deliveries, OIDC; `test_app_pages` has the manifest flow."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import jwt
import pytest
from github import GithubException

from bot.localhub.hub import Hub
from bot.localhub.server import running
from tests.localhub.kit import Box, at


def app_jwt(box: Box, issued_seconds: int = -60, lifetime_seconds: int = 540) -> str:
    """A JWT of the App, issued so many seconds from now."""
    issued = int(datetime.now(UTC).timestamp()) + issued_seconds
    claims = {
        "iss": str(box.app.app_id),
        "iat": issued,
        "exp": issued + lifetime_seconds,
    }
    return jwt.encode(claims, box.app.private_key_pem, algorithm="RS256")


def test_an_app_finds_its_installation_and_mints_a_token(box: Box) -> None:
    with box.integration() as integration:
        assert integration.get_app().slug == "headgate-test"
        installation = integration.get_repo_installation("octo", "demo")
        assert installation.id == box.installation_id
        token = integration.get_access_token(installation.id, {"contents": "read"})
    assert token.token.startswith(f"ghs_{box.app.app_id}_")
    assert 380 <= len(token.token) <= 420
    assert token.permissions == {"contents": "read", "metadata": "read"}


def test_an_invalid_jwt_is_refused(box: Box) -> None:
    foreign = jwt.encode({"iss": "1"}, "x" * 32, algorithm="HS256")
    for token in (
        app_jwt(box, lifetime_seconds=1200),
        app_jwt(box, issued_seconds=-900),
        app_jwt(box, issued_seconds=300),
        app_jwt(box)[:-8] + "AAAAAAAA",
        foreign,
    ):
        with box.rest(token) as client:
            assert client.get("/app").status_code in (401, 404)
    with box.rest(app_jwt(box)) as client:
        assert client.get("/app").status_code == 200
        assert client.get("/repos/octo/demo").status_code == 401
    with box.rest(box.installation_token()) as client:
        assert client.get("/app").status_code == 401


def test_a_token_never_exceeds_its_installation(box: Box) -> None:
    path = f"/app/installations/{box.installation_id}/access_tokens"
    with box.rest(app_jwt(box)) as client:
        assert client.post(path, json={"permissions": {"workflows": "write"}}).status_code == 422
        assert client.post(path, json={"repository_ids": [999_999]}).status_code == 422
        everything = client.post(path, json={"permissions": {}}).json()
        assert everything["permissions"]["checks"] == "write"


def test_a_missing_permission_is_403_and_an_invisible_repository_404(box: Box) -> None:
    repository = box.as_app(issues="read").get_repo("octo/demo")
    with pytest.raises(GithubException, match="Resource not accessible by integration") as missing:
        repository.create_issue("No")
    assert missing.value.status == 403
    box.hub.add_repository("octo", "other")
    with pytest.raises(GithubException) as foreign:
        box.as_app().get_repo("octo/other").create_issue("No")
    assert foreign.value.status == 403
    with box.rest() as nobody:
        assert nobody.get("/repos/octo/demo").status_code == 404
        assert nobody.get("/repos/octo/other").status_code == 200
        assert nobody.post("/repos/octo/other/issues", json={"title": "x"}).status_code == 401


def test_a_token_expires_after_an_hour_or_when_revoked(tmp_path: Path) -> None:
    moments = [datetime(2026, 1, 1, tzinfo=UTC)]
    hub = Hub(tmp_path, lambda: moments[0])
    with running(hub) as url:
        hub.add_user("octo")
        hub.add_repository("octo", "demo")
        app = hub.register_app("Bot", None, "", {"contents": "read"}, ())
        installation = hub.state.installations[hub.install_app(app.app_id, "octo")]
        first = hub.apps.mint_token(installation, None, None).secret
        second = hub.apps.mint_token(installation, None, None).secret

        def status(
            token: str, method: str = "GET", path: str = "/installation/repositories"
        ) -> int:
            headers = {"Authorization": f"token {token}"}
            return httpx.request(method, url + path, headers=headers, trust_env=False).status_code

        assert status(first) == 200
        assert status(second, "DELETE", "/installation/token") == 204
        assert status(second) == 401
        moments[0] += timedelta(minutes=61)
        assert status(first) == 401


def test_tokens_of_a_suspended_or_removed_installation_are_invalid(box: Box) -> None:
    installation = box.hub.state.installations[box.installation_id]
    token = box.installation_token()
    with box.rest(token) as client:
        box.hub.apps.suspend(installation)
        assert client.get("/repos/octo/demo").status_code == 403
        box.hub.apps.unsuspend(installation)
        assert client.get("/repos/octo/demo").status_code == 200
        box.hub.apps.uninstall(installation)
        assert client.get("/repos/octo/demo").status_code == 401
    box.settle()
    assert box.receiver.names() == [
        "installation.suspend",
        "installation.unsuspend",
        "installation.deleted",
    ]


def test_repositories_are_added_to_and_removed_from_an_installation(box: Box) -> None:
    apps, installation = box.hub.apps, box.hub.state.installations[box.installation_id]
    demo = box.hub.repository("octo/demo")
    installation.repository_ids = set()
    apps.add_repositories(installation, [demo])
    token = box.installation_token()
    with box.rest(token) as client:
        apps.remove_repositories(installation, [demo])
        assert client.get("/repos/octo/demo/contents/").status_code == 404
        apps.add_repositories(installation, [demo])
        assert client.get("/repos/octo/demo/contents/").status_code == 200
    box.settle()
    added, removed = "installation_repositories.added", "installation_repositories.removed"
    assert box.receiver.names() == [added, removed, added]


def test_a_failed_delivery_can_be_redelivered_with_the_same_guid(box: Box) -> None:
    box.receiver.status = 500
    box.as_app().get_repo("octo/demo").create_issue("One")
    box.settle()
    box.receiver.status = 202
    # GitHub never retries a delivery by itself.
    box.hub.state.drift += timedelta(hours=1)
    box.settle()
    assert len(box.receiver.received) == 1
    box.hub.state.drift -= timedelta(hours=1)
    with box.rest(app_jwt(box)) as client:
        (failed, *_) = client.get("/app/hook/deliveries").json()
        assert (failed["event"], failed["status_code"]) == ("issues", 500)
        assert client.post(f"/app/hook/deliveries/{failed['id']}/attempts").status_code == 202
        box.settle()
        (again, *_) = client.get("/app/hook/deliveries").json()
        shown = client.get(f"/app/hook/deliveries/{again['id']}").json()
    assert (again["guid"], again["redelivery"], again["status"]) == (failed["guid"], True, "OK")
    assert at(shown, "request", "payload", "issue", "title") == "One"
    assert {one.guid for one in box.receiver.received} == {failed["guid"]}


def test_deliveries_are_paged_by_a_cursor(box: Box) -> None:
    repository = box.as_app().get_repo("octo/demo")
    for number in range(4):
        repository.create_issue(f"Issue {number}")
    box.settle()
    seen: list[int] = []
    with box.rest(app_jwt(box)) as client:
        page = client.get("/app/hook/deliveries", params={"per_page": 2})
        seen.extend(one["id"] for one in page.json())
        while "next" in page.links:
            page = client.get(page.links["next"]["url"])
            seen.extend(one["id"] for one in page.json())
    assert seen == sorted(set(seen), reverse=True)
    assert len(seen) == 5


def test_subscribing_to_an_event_requires_its_permission(box: Box) -> None:
    with pytest.raises(ValueError, match="needs the permission checks: read"):
        box.hub.register_app("Bad", None, "", {"issues": "read"}, ["check_run"])


def test_id_tokens_can_be_verified_with_the_published_keys(box: Box) -> None:
    token = box.hub.mint_id_token({"iss": box.hub.oidc_issuer, "aud": "me", "sub": "x"})
    with box.rest() as client:
        found = client.get("/_oidc/.well-known/openid-configuration").json()
        keys = jwt.PyJWKSet.from_dict(client.get(found["jwks_uri"]).json())
    key = keys[jwt.get_unverified_header(token)["kid"]]
    claims = jwt.decode(token, key, algorithms=["RS256"], audience="me", issuer=found["issuer"])
    assert claims["sub"] == "x"


def test_an_unchanged_answer_is_304_and_costs_nothing(box: Box) -> None:
    with box.rest(box.installation_token()) as client:
        first = client.get("/repos/octo/demo")
        again = client.get("/repos/octo/demo", headers={"If-None-Match": first.headers["ETag"]})
        after = client.get("/rate_limit").json()["resources"]["core"]
    assert again.status_code == 304
    assert again.content == b""
    assert after["used"] == int(first.headers["X-RateLimit-Used"])
    assert first.headers["X-GitHub-Media-Type"].startswith("github.v3")


def test_the_hourly_limit_is_enforced(box: Box) -> None:
    kind = box.hub.access.identify(f"token {box.user_token}").kind
    box.hub.limits.hourly[kind] = 3
    with box.rest(box.user_token) as client:
        answers = [client.get("/user") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 403]
    assert answers[-1].headers["X-RateLimit-Remaining"] == "0"
    assert "rate limit" in answers[-1].json()["message"]


def test_a_private_app_is_hidden_from_strangers(box: Box) -> None:
    (app,) = (app for app in box.hub.state.apps.values() if app.slug == "headgate-test")
    where = f"{box.url}/api/v3/apps/headgate-test"
    with httpx.Client(trust_env=False) as stranger:
        assert stranger.get(where).status_code == 200
        app.is_public = False
        assert stranger.get(where).status_code == 404
        token = {"Authorization": f"Bearer {box.user_token}"}
        assert stranger.get(where, headers=token).status_code == 200
