"""Pages in a browser: an App from a manifest, its installation, a new file, a merge."""

import json
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from bot.localhub.model import App, Role
from tests.localhub.kit import Box

MANIFEST = {
    "name": "Made",
    "url": "https://example.org",
    "redirect_url": "http://127.0.0.1:1/back",
    "setup_url": "http://127.0.0.1:1/installed",
    "hook_attributes": {"url": "https://example.org/hook", "active": False},
    "default_permissions": {"issues": "write"},
    "default_events": ["issues"],
}


def make(box: Box, login: str = "", **changed: object) -> str:
    """Make an App of a manifest in octo's browser; the code."""
    raw = json.dumps({**MANIFEST, **changed})
    where = f"/organizations/{login}/settings/apps/new" if login else "/settings/apps/new"
    with box.browser() as browser:
        page = browser.post(f"{where}?state=abc", data={"manifest": raw})
        assert page.status_code == 200, page.text
        form = {"manifest": raw, "state": "abc", "login": login, "name": "Made"}
        back = browser.post("/settings/apps/confirm", data=form)
    assert back.status_code == 302, back.text
    target = back.headers["Location"]
    assert target.startswith("http://127.0.0.1:1/back?code=")
    query = parse_qs(urlsplit(target).query)
    assert query["state"] == ["abc"]
    return query["code"][0]


def made_app(box: Box) -> App:
    return next(app for app in box.hub.state.apps.values() if app.slug == "made")


def test_a_manifest_code_creates_an_app_and_works_once(box: Box) -> None:
    code = make(box)
    with box.rest() as anybody:
        made = anybody.post(f"/api/v3/app-manifests/{code}/conversions")
        assert made.status_code == 201
        assert made.json()["pem"].startswith("-----BEGIN RSA PRIVATE KEY-----")
        assert made.json()["permissions"] == {"issues": "write", "metadata": "read"}
        assert made.json()["owner"]["login"] == "octo"
        assert anybody.post(f"/app-manifests/{code}/conversions").status_code == 404


def test_a_manifest_code_expires_after_an_hour(box: Box) -> None:
    code = make(box)
    box.hub.state.clock = lambda: datetime.now(UTC) + timedelta(minutes=61)
    with box.rest() as anybody:
        assert anybody.post(f"/app-manifests/{code}/conversions").status_code == 404


def test_only_owners_make_an_app_for_an_organization(box: Box) -> None:
    box.hub.add_organization("guild", owners=("octo",))
    box.hub.add_organization("others")
    make(box, "guild")
    assert made_app(box).owner.login == "guild"
    with box.browser() as browser:
        form = {"manifest": json.dumps(MANIFEST)}
        assert browser.post("/organizations/others/settings/apps/new", data=form).status_code == 404


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"url": None}, "&#34;url&#34; wasn&#39;t supplied."),
        ({"hook_attributes": {"active": False}}, "&#34;url&#34; wasn&#39;t supplied."),
        ({"hook_attributes": {"url": "http://localhost:1/"}}, "public Internet"),
        ({"default_events": ["installation"]}, "Default events unsupported: installation"),
        (
            {"default_events": ["push"]},
            "Default events are not supported by permissions: push",
        ),
        ({"default_permissions": {"issues": "full"}}, "issues: full is not a level"),
        ({"webhook": "x"}, "webhook is not a known field"),
    ],
)
def test_a_manifest_that_github_would_refuse_is_refused(
    box: Box, changed: dict[str, object], said: str
) -> None:
    with box.browser() as browser:
        form = {"manifest": json.dumps({**MANIFEST, **changed}), "name": "Made"}
        for path in ("/settings/apps/new", "/settings/apps/confirm"):
            answer = browser.post(path, data=form)
            assert answer.status_code == 422
            assert said in answer.text
    assert all(app.slug != "made" for app in box.hub.state.apps.values())


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Headgate Test", "Name is already in use"),
        ("x" * 35, "Name is too long"),
        ("GitHub helper", "Name cannot begin"),
        ("", "Name can&#39;t be blank"),
    ],
)
def test_an_invalid_or_used_app_name_is_refused(box: Box, name: str, said: str) -> None:
    with box.browser() as browser:
        form = {"manifest": json.dumps(MANIFEST), "name": name}
        answer = browser.post("/settings/apps/confirm", data=form)
    assert answer.status_code == 422
    assert said in answer.text


def test_an_inactive_webhook_gets_no_deliveries_until_its_owner_enables_it(box: Box) -> None:
    make(box, hook_attributes={"url": box.receiver.url, "active": False})
    app = made_app(box)
    box.hub.install_app(app.id, "octo")
    box.settle()
    assert box.receiver.received == []
    with box.browser() as browser:
        assert browser.post("/settings/apps/made", data={"active": "1"}).status_code == 302
    box.hub.add_repository("octo", "more")
    box.as_user().get_repo("octo/more").create_issue("A plan")
    box.settle()
    assert "issues.opened" in box.receiver.names()


def test_a_person_installs_an_app_and_comes_back(box: Box) -> None:
    make(box)
    with box.browser() as browser:
        page = browser.get("/apps/made/installations/new")
        assert "demo" in page.text
        assert "issues" in page.text
        nothing = browser.post("/apps/made/installations/new", data={"install_target": "selected"})
        assert nothing.status_code == 422
        done = browser.post("/apps/made/installations/new", data={"install_target": "all"})
    target = urlsplit(done.headers["Location"])
    assert target.path == "/installed"
    query = parse_qs(target.query)
    assert query["setup_action"] == ["install"]
    installed = box.hub.state.installations[int(query["installation_id"][0])]
    assert (installed.app, installed.account.login) == (made_app(box), "octo")


def test_a_private_app_can_be_installed_only_by_its_owner(box: Box) -> None:
    make(box)
    token = box.hub.add_user("stranger")
    with box.browser("stranger", token) as browser:
        assert browser.get("/apps/made/installations/new").status_code == 404


def test_pages_require_a_signed_in_user(box: Box) -> None:
    with box.rest() as nobody:
        for path in ("/apps/headgate-test/installations/new", "/octo/demo/new/main"):
            sent = nobody.get(path)
            assert sent.headers["Location"].startswith("/login?return_to=")
        assert nobody.post("/octo/demo/new/main", data={"filename": "x"}).status_code == 302
        wrong = nobody.post("/login", data={"login": "octo", "password": "wrong"})
        assert wrong.status_code == 401
    assert box.as_user().get_repo("octo/demo").get_contents("") is not None


def test_a_link_opens_a_new_file_that_is_filled_in(box: Box) -> None:
    with box.browser() as browser:
        query = {"filename": ".github/workflows/a.yml", "value": "on: push\n# <b>\n"}
        page = browser.get("/octo/demo/new/main", params=query)
        assert 'value=".github/workflows/a.yml"' in page.text
        assert "on: push\n# &lt;b&gt;\n" in page.text
        form = {"filename": query["filename"], "value": "on: push\r\n# <b>\r\n"}
        assert browser.post("/octo/demo/new/main", data=form).status_code == 302
        again = browser.post("/octo/demo/new/main", data=form)
        assert again.status_code == 422
        assert "A file with the same name already exists." in again.text
        assert browser.get("/octo/demo/new/nowhere").status_code == 404
    written = box.as_user().get_repo("octo/demo").get_contents(".github/workflows/a.yml")
    assert not isinstance(written, list)
    assert written.decoded_content == b"on: push\n# <b>\n"


def test_only_writers_see_the_file_form_and_the_merge_button(box: Box) -> None:
    repository = box.as_user().get_repo("octo/demo")
    repository.create_git_ref("refs/heads/more", repository.get_branch("main").commit.sha)
    repository.create_file("b.txt", "Add b", "b\n", branch="more")
    number = repository.create_pull("main", "more", title="More").number
    token = box.hub.add_user("reader")
    box.hub.add_collaborator("octo/demo", "reader", Role.READ)
    with box.browser("reader", token) as reader:
        assert reader.get("/octo/demo/new/main").status_code == 404
        assert "Merge pull request" not in reader.get(f"/octo/demo/pull/{number}").text
        assert reader.post(f"/octo/demo/pull/{number}/merge").status_code == 404
    with box.browser() as owner:
        assert "Merge pull request" in owner.get(f"/octo/demo/pull/{number}").text
        assert owner.post(f"/octo/demo/pull/{number}/merge").status_code == 302
        assert "Merge pull request" not in owner.get(f"/octo/demo/pull/{number}").text
    assert repository.get_pull(number).merged


def test_a_webhook_needs_a_valid_address(box: Box) -> None:
    from tests.localhub.test_apps import app_jwt

    with box.rest(app_jwt(box)) as app:
        refused = app.patch("/app/hook/config", json={"url": "ftp://example.org"})
        assert refused.status_code == 422
        changed = app.patch("/app/hook/config", json={"url": "https://example.org/webhook"})
        assert changed.json()["url"] == "https://example.org/webhook"
