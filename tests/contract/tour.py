"""Calls every operation of localhub's REST API once, with success.

The exchange recorder of all tests checks the exchanges; this module only puts the calls in an order in
which each finds what it needs. The steps that need no more than one repository are a class of their
own, which `make truth` takes to a real GitHub.
"""

import base64
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import httpx
import jwt

from bot.localhub.model import Role
from tests.localhub.kit import Box

WORKFLOW = b"""
name: Greet
on:
  workflow_dispatch: {}
jobs:
  greet:
    runs-on: [self-hosted]
    steps:
      - run: echo hello
"""
WORKFLOW_PATH = ".github/workflows/greet.yml"
MANIFEST = (
    '{"name": "Second", "url": "http://127.0.0.1/", "redirect_url": "http://127.0.0.1/made",'
    ' "hook_attributes": {"url": "http://127.0.0.1:9/"}, "default_permissions": {},'
    ' "default_events": []}'
)

Answer = dict[str, object]


# The labels that the steps make.
LABELS = ("on/hold", "held", "gone", "new", "wet")

# How long GitHub may take until a run is what was asked of it.
PATIENCE_SECONDS = 90.0


def granted(answer: httpx.Response) -> httpx.Response:
    """The answer, which must be a success."""
    if answer.status_code >= 400:
        raise AssertionError(f"{answer.request.method} {answer.request.url}: {answer.text}")
    return answer


@dataclass(frozen=True)
class Caller:
    """A caller with a credential; each answer goes through `heard`, by default as a success."""

    client: httpx.Client
    heard: Callable[[httpx.Response], httpx.Response] = granted

    def get(self, path: str, **query: str) -> httpx.Response:
        return self.heard(self.client.get(path, params=query))

    def get_diff(self, path: str) -> httpx.Response:
        diff = {"Accept": "application/vnd.github.diff"}
        return self.heard(self.client.get(path, headers=diff))

    def get_ended(self, path: str) -> httpx.Response:
        """A workflow run that has ended, which takes GitHub a moment; earlier answers are not heard."""
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            answer = self.client.get(path)
            is_under_way = answer.status_code < 400 and answer.json().get("status") != "completed"
            if not is_under_way or time.monotonic() > until:
                return self.heard(answer)
            time.sleep(1)

    def send(self, method: str, path: str, body: Mapping[str, object] | None = None) -> Answer:
        """Send a write; returns the answer's object, or an empty one."""
        answer = self.heard(self.client.request(method, path, json=body))
        value: object = answer.json() if answer.content else {}
        return value if isinstance(value, dict) else {}


class Steps:
    """Steps inside one repository; each leaves it as the next one needs it.

    `person` and `bot` may be one caller, and `other` the owner: then nobody reviews.
    """

    def __init__(self, full_name: str, person: Caller, bot: Caller, other: str) -> None:
        self.repo = f"/repos/{full_name}"
        self.owner = full_name.partition("/")[0]
        self.person = person
        self.bot = bot
        self.other = other

    def see_the_repository(self) -> None:
        """The repository, its people, its branches and labels."""
        person, repo = self.person, self.repo
        number = person.get(repo).json()["id"]
        for path in (
            f"/repositories/{number}",
            "/user",
            f"/users/{self.owner}",
            "/rate_limit",
            "/meta",
            f"{repo}/branches",
            f"{repo}/branches/main",
            f"{repo}/rules/branches/main",
            f"{repo}/collaborators",
            f"{repo}/collaborators/{self.other}",
            f"{repo}/collaborators/{self.other}/permission",
            f"{repo}/labels",
        ):
            person.get(path)
        label = {"name": "on/hold", "color": "ff0000", "description": "Later"}
        person.send("POST", f"{repo}/labels", label)
        person.get(f"{repo}/labels/on%2Fhold")
        person.send("PATCH", f"{repo}/labels/on%2Fhold", {"new_name": "held"})
        person.send("POST", f"{repo}/labels", {"name": "gone", "color": "000000"})
        person.send("DELETE", f"{repo}/labels/gone")

    def make_objects(self) -> None:
        """Blobs, trees, commits, refs, comparisons and merges."""
        bot, repo, main = self.bot, self.repo, self._main()
        blob = bot.send("POST", f"{repo}/git/blobs", {"content": "a\n", "encoding": "utf-8"})
        bot.get(f"{repo}/git/blobs/{blob['sha']}")
        entry = {"path": "a.txt", "mode": "100644", "type": "blob", "sha": blob["sha"]}
        tree = bot.send("POST", f"{repo}/git/trees", {"base_tree": main, "tree": [entry]})
        bot.get(f"{repo}/git/trees/{tree['sha']}", recursive="1")
        wanted = {"message": "A", "tree": tree["sha"], "parents": [main]}
        commit = bot.send("POST", f"{repo}/git/commits", wanted)
        bot.get(f"{repo}/git/commits/{commit['sha']}")
        ref = {"ref": "refs/heads/side", "sha": main}
        bot.send("POST", f"{repo}/git/refs", ref)
        bot.send("PATCH", f"{repo}/git/refs/heads/side", {"sha": commit["sha"], "force": False})
        bot.get(f"{repo}/git/matching-refs/heads/")
        bot.get(f"{repo}/compare/main...side")
        merge = {"base": "main", "head": "side", "commit_message": "Join"}
        bot.send("POST", f"{repo}/merges", merge)
        bot.send("DELETE", f"{repo}/git/refs/heads/side")
        bot.get(f"{repo}/commits", per_page="1", page="2")
        bot.get(f"{repo}/commits/main")

    def write_contents(self) -> None:
        """Files by their paths."""
        bot, repo = self.bot, self.repo
        text = base64.b64encode(b"b\n").decode()
        made = bot.send("PUT", f"{repo}/contents/d/b.txt", {"message": "B", "content": text})
        content = made["content"]
        bot.get(f"{repo}/contents/d/b.txt", ref="main")
        bot.get(f"{repo}/contents/")
        bot.get(f"{repo}/contents/d")
        sha = content["sha"] if isinstance(content, dict) else ""
        bot.send("DELETE", f"{repo}/contents/d/b.txt", {"message": "Away", "sha": sha})

    def write_on_issues(self) -> None:
        """Issues, labels, assignees, comments and reactions."""
        bot, repo = self.bot, self.repo
        draft = {"title": "A leak", "body": "Drip.", "labels": ["held"], "assignees": [self.owner]}
        issue = f"{repo}/issues/{bot.send('POST', f'{repo}/issues', draft)['number']}"
        bot.get(f"{repo}/issues", state="all", labels="held", per_page="5")
        bot.get(issue)
        bot.send("PATCH", issue, {"title": "A flood", "body": "Splash."})
        bot.send("POST", f"{issue}/labels", {"labels": ["new"]})
        bot.get(f"{issue}/labels")
        bot.get(f"{issue}/events", per_page="100")
        bot.send("DELETE", f"{issue}/labels/new")
        bot.send("PUT", f"{issue}/labels", {"labels": ["held", "wet"]})
        bot.send("DELETE", f"{issue}/labels")
        bot.send("DELETE", f"{issue}/assignees", {"assignees": [self.owner]})
        bot.send("POST", f"{issue}/assignees", {"assignees": [self.other]})
        comment = bot.send("POST", f"{issue}/comments", {"body": "Seen."})["id"]
        held = f"{repo}/issues/comments/{comment}"
        bot.get(f"{issue}/comments", since="2020-01-01T00:00:00Z")
        bot.get(f"{repo}/issues/comments", sort="updated", direction="desc")
        bot.get(held)
        bot.send("PATCH", held, {"body": "Seen, and mended."})
        for thing in (issue, held):
            reaction = bot.send("POST", f"{thing}/reactions", {"content": "eyes"})["id"]
            bot.send("POST", f"{thing}/reactions", {"content": "eyes"})
            bot.get(f"{thing}/reactions")
            bot.send("DELETE", f"{thing}/reactions/{reaction}")
        bot.send("DELETE", held)
        bot.send("PUT", f"{issue}/lock", {"lock_reason": "resolved"})
        bot.send("DELETE", f"{issue}/lock")
        bot.send("PATCH", issue, {"state": "closed", "state_reason": "not_planned"})
        bot.send("PATCH", issue, {"state": "open"})
        on_commit = f"{repo}/commits/{self._main()}/comments"
        made = bot.send("POST", on_commit, {"body": "Nice.", "path": "a.txt", "position": 1})["id"]
        bot.get(on_commit)
        bot.get(f"{repo}/comments")
        bot.get(f"{repo}/comments/{made}")
        bot.send("PATCH", f"{repo}/comments/{made}", {"body": "Very nice."})
        bot.send("DELETE", f"{repo}/comments/{made}")

    def relate_issues(self) -> None:
        """Sub-issues and dependencies."""
        bot, repo = self.bot, self.repo
        made = [bot.send("POST", f"{repo}/issues", {"title": t}) for t in ("Whole", "Part")]
        whole, part = (f"{repo}/issues/{one['number']}" for one in made)
        part_id = made[1]["id"]
        bot.send("POST", f"{whole}/sub_issues", {"sub_issue_id": part_id})
        bot.get(f"{whole}/sub_issues")
        bot.get(f"{part}/parent")
        bot.get(part)
        bot.send("DELETE", f"{whole}/sub_issue", {"sub_issue_id": part_id})
        blocked = f"{whole}/dependencies/blocked_by"
        bot.send("POST", blocked, {"issue_id": part_id})
        bot.get(blocked)
        bot.get(f"{part}/dependencies/blocking")
        bot.send("DELETE", f"{blocked}/{part_id}")

    def propose(self) -> None:
        """A pull, its reviews and its merge."""
        bot, person, repo = self.bot, self.person, self.repo
        bot.send("POST", f"{repo}/git/refs", {"ref": "refs/heads/topic", "sha": self._main()})
        text = base64.b64encode(b"c\n").decode()
        body = {"message": "C", "content": text, "branch": "topic"}
        bot.send("PUT", f"{repo}/contents/c.txt", body)
        draft = {"title": "C", "head": "topic", "base": "main", "body": "Closes #1", "draft": False}
        pull = f"{repo}/pulls/{bot.send('POST', f'{repo}/pulls', draft)['number']}"
        bot.get(f"{repo}/pulls", state="open", head=f"{self.owner}:topic", sort="created")
        bot.get(pull)
        bot.send("PATCH", pull, {"title": "See", "body": "Closes #1"})
        bot.send("PATCH", pull, {"state": "closed"})
        bot.send("PATCH", pull, {"state": "open"})
        bot.get(f"{pull}/files")
        listed = bot.get(f"{pull}/commits").json()
        head = listed[0]["sha"]
        bot.get(f"{repo}/commits/{head}/pulls")
        bot.get(f"{pull}/reviews")
        if person is not bot:
            self._review(pull)
        bot.get_diff(pull)
        bot.send("PUT", f"{pull}/merge", {"sha": head, "merge_method": "merge"})
        bot.get(f"{pull}/merge")
        bot.get(f"{repo}/activity", ref="refs/heads/main", per_page="1")

    def _review(self, pull: str) -> None:
        """An approval that is dismissed; nobody may approve a pull of their own."""
        reviews = f"{pull}/reviews"
        verdict = {"event": "APPROVE", "body": "Good"}
        review = f"{reviews}/{self.person.send('POST', reviews, verdict)['id']}"
        self.bot.get(review)
        self.bot.send("PUT", f"{review}/dismissals", {"message": "Look again"})
        head = self.bot.get(pull).json()["head"]["sha"]
        place = {"path": "c.txt", "line": 1, "side": "RIGHT", "commit_id": head}
        said = self.person.send("POST", f"{pull}/comments", {"body": "Why c?", **place})
        comment = f"{self.repo}/pulls/comments/{said['id']}"
        self.bot.get(comment)
        self.bot.send("POST", f"{pull}/comments/{said['id']}/replies", {"body": "For b."})
        self.bot.get(f"{pull}/comments")
        self.bot.get(f"{self.repo}/pulls/comments", sort="updated", direction="asc")
        self.bot.send("POST", f"{comment}/reactions", {"content": "rocket"})
        self.bot.get(f"{comment}/reactions")

    def check(self) -> None:
        """Check runs, check suites and statuses."""
        bot, repo, sha = self.bot, self.repo, self._main()
        note = {"path": "a.txt", "start_line": 1, "end_line": 1, "annotation_level": "notice"}
        output = {"title": "T", "summary": "S", "annotations": [{**note, "message": "Hm"}]}
        begun = {"name": "gate", "head_sha": sha, "status": "in_progress"}
        held = f"{repo}/check-runs/{bot.send('POST', f'{repo}/check-runs', begun)['id']}"
        button = {"label": "Again", "description": "Once more", "identifier": "again"}
        ended = {"conclusion": "success", "output": output, "actions": [button]}
        bot.send("PATCH", held, {"status": "completed", **ended})
        suite = bot.get(held).json()["check_suite"]["id"]
        bot.get(f"{held}/annotations")
        bot.get(f"{repo}/commits/{sha}/check-runs", filter="latest")
        bot.get(f"{repo}/commits/main/check-suites")
        bot.get(f"{repo}/check-suites/{suite}")
        bot.get(f"{repo}/check-suites/{suite}/check-runs")
        bot.send("POST", f"{held}/rerequest")
        bot.send("POST", f"{repo}/check-suites/{suite}/rerequest")
        bot.send("POST", f"{repo}/check-suites", {"head_sha": sha})
        status = {"state": "success", "context": "elsewhere", "description": "Fine"}
        bot.send("POST", f"{repo}/statuses/{sha}", status)
        bot.get(f"{repo}/commits/{sha}/statuses")
        bot.get(f"{repo}/statuses/{sha}")
        bot.get(f"{repo}/commits/main/status")

    def run_workflows(self) -> None:
        """Workflows, runs, jobs and runners."""
        person, actions = self.person, f"{self.repo}/actions"
        file = {"message": "Greet", "content": base64.b64encode(WORKFLOW).decode()}
        person.send("PUT", f"{self.repo}/contents/{WORKFLOW_PATH}", file)
        person.get(f"{actions}/workflows")
        flow = f"{actions}/workflows/greet.yml"
        person.get(flow)
        person.send("POST", f"{flow}/dispatches", {"ref": "main"})
        asked = {"ref": "main", "return_run_details": True}
        made = person.send("POST", f"{flow}/dispatches", asked)["workflow_run_id"]
        held = f"{actions}/runs/{made}"
        happened = {"event_type": "shipped", "client_payload": {"version": 2}}
        person.send("POST", f"{self.repo}/dispatches", happened)
        person.get(f"{flow}/runs", event="workflow_dispatch")
        person.get(f"{actions}/runs", status="queued", per_page="3")
        person.get(held)
        job = person.get(f"{held}/jobs", filter="latest").json()["jobs"][0]["id"]
        person.get(f"{actions}/jobs/{job}")
        person.get(f"{held}/artifacts")
        person.send("POST", f"{held}/cancel")
        person.get_ended(held)
        person.get(f"{actions}/jobs/{job}/logs")
        person.send("POST", f"{held}/rerun")
        person.send("POST", f"{held}/force-cancel")
        person.get_ended(held)
        person.send("POST", f"{held}/rerun-failed-jobs")
        person.get(f"{held}/attempts/1")
        person.get(f"{held}/attempts/2/jobs")
        person.send("POST", f"{actions}/runners/registration-token")
        wish = {"name": "one", "runner_group_id": 1, "labels": ["self-hosted"]}
        runner = person.send("POST", f"{actions}/runners/generate-jitconfig", wish)["runner"]
        number = runner["id"] if isinstance(runner, dict) else 0
        person.get(f"{actions}/runners")
        person.get(f"{actions}/runners/{number}")
        person.send("DELETE", f"{actions}/runners/{number}")

    def _main(self) -> str:
        """The commit that main is at."""
        return str(self.bot.get(f"{self.repo}/git/ref/heads/main").json()["object"]["sha"])


class Tour(Steps):
    """Every operation, by an owner, an App and its installation."""

    def __init__(self, box: Box) -> None:
        self.box = box
        now = int(box.hub.state.now().timestamp())
        claims = {"iat": now - 60, "exp": now + 300, "iss": str(box.app.app_id)}
        secret = jwt.encode(claims, box.app.private_key_pem, algorithm="RS256")
        person, bot = (Caller(box.rest(t)) for t in (box.user_token, box.installation_token()))
        super().__init__("octo/demo", person, bot, "eve")
        self.app = Caller(box.rest(secret))

    def close(self) -> None:
        for caller in (self.person, self.bot, self.app):
            caller.client.close()

    def go(self) -> None:
        """Every step, in order."""
        self.meet()
        self.see_the_repository()
        self.make_objects()
        self.write_contents()
        self.write_on_issues()
        self.relate_issues()
        self.propose()
        self.check()
        self.run_workflows()
        self.fork()
        self.be_an_app()

    def meet(self) -> None:
        """Another person, and an organization."""
        self.box.hub.add_user("eve")
        self.box.hub.add_collaborator("octo/demo", "eve")
        self.box.hub.add_organization("guild")
        self.person.get("/orgs/guild")

    def fork(self) -> None:
        """A reader's fork, and a pull from it that follows its branch."""
        hub = self.box.hub
        token = hub.add_user("reader")
        hub.add_collaborator("octo/demo", "reader", Role.READ)
        reader = Caller(self.box.rest(token))
        reader.send("POST", f"{self.repo}/forks", {"name": "demo"})
        reader.get("/repos/reader/demo")
        hub.commit_files("reader/demo", {"d.txt": b"d\n"}, "D", "reader")
        draft = {"title": "D", "head": "reader:main", "base": "main"}
        number = reader.send("POST", f"{self.repo}/pulls", draft)["number"]
        hub.commit_files("reader/demo", {"e.txt": b"e\n"}, "E", "reader")
        self.person.get(f"{self.repo}/pulls/{number}")
        reader.client.close()

    def be_an_app(self) -> None:
        """The App and its installations, its hook, and a second App by manifest."""
        app, hub = self.app, self.box.hub
        slug = app.get("/app").json()["slug"]
        hub.install_app(self.box.app.app_id, "guild")
        for path in (
            f"/apps/{slug}",
            "/app/installations",
            f"{self.repo}/installation",
            "/users/octo/installation",
            "/orgs/guild/installation",
            "/app/hook/config",
        ):
            app.get(path)
        held = f"/app/installations/{self.box.installation_id}"
        app.get(held)
        for asked in ({"repositories": ["demo"], "permissions": {"issues": "read"}}, {}):
            minted = app.send("POST", f"{held}/access_tokens", asked)
            with self.box.rest(str(minted["token"])) as client:
                caller = Caller(client)
                caller.get("/installation/repositories")
                caller.send("DELETE", "/installation/token")
        self.box.settle()
        deliveries = app.get("/app/hook/deliveries", per_page="1")
        delivery = f"/app/hook/deliveries/{deliveries.json()[0]['id']}"
        app.get(deliveries.links["next"]["url"])
        app.get(delivery)
        app.send("POST", f"{delivery}/attempts")
        app.send("PATCH", "/app/hook/config", {"url": self.box.receiver.url})
        self._make_an_app_by_manifest()
        self.box.settle()
        app.send("DELETE", held)

    def _make_an_app_by_manifest(self) -> None:
        with self.box.browser() as browser:
            form = {"manifest": MANIFEST, "name": "Second"}
            made = browser.post("/settings/apps/confirm", data=form)
        code = made.headers["Location"].partition("code=")[2]
        self.person.send("POST", f"/app-manifests/{code}/conversions")
