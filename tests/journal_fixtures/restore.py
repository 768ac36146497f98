"""A house that was left in the middle of its work: its journal, and the GitHub that it had.

`mid_demo` was written by a demo that was stopped while changes were at work and being judged: rows
of the store as JSON lines, localhub's records by the names of their fields, the team's repository as
a git bundle, and the blobs that the journal names. Two things are said anew when it is read: the
address of localhub, and the App's key. Workflow runs are not kept: their runners are gone.
"""

import contextlib
import json
import shutil
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import sqlalchemy as sa
from pydantic import SecretStr

from bot.adapters.store.engine import note_repositories, open_engine
from bot.adapters.store.tables import metadata
from bot.core.talk.workflow_file import workflow_files
from bot.entry.settings import Settings
from bot.entry.wiring import prepare_store
from bot.localhub import keys, model as m
from bot.localhub.hub import Hub
from bot.localhub.mount import actions_of, extension
from bot.localhub.server import running
from tests.testkit.house import House, RecordingDoorbell, TestClock, make_house_ports, serving
from tests.testkit.hub_setup import SECRET, commit_harness
from tests.testkit.runner import Runner

MID_DEMO = Path(__file__).parent / "mid_demo"

# What stands in the kept files for localhub's address.
_ADDRESS = "http://localhub.invalid"

Row = dict[str, Any]


@contextlib.contextmanager
def restored_house(folder: Path, kept: Path = MID_DEMO) -> Iterator[House]:
    """The house as it was left. Its clock is the machine's: an App signs with that."""
    left = json.loads((kept / "localhub.json").read_text())
    clock = TestClock()
    hub = Hub(folder / "hub", clock)
    service = actions_of(hub)
    (folder / "clones").mkdir(parents=True)
    with running(hub, extensions=[extension(service)]) as url, contextlib.ExitStack() as stack:
        stack.callback(service.close)
        app_key = _Records(hub, _said_anew(left, url)).put_all(kept / "tidepool.bundle")
        # What that release called, another owner's workflow, starts nowhere any more.
        files = {p: t.encode() for p, t in workflow_files(commit_harness(hub)).items()}
        hub.commit_files("coast/tidepool", files, "Renew Headgate's workflows", "marta")
        settings = _settings(folder, hub, url, app_key)
        prepare_store(settings)
        fill_store(open_engine(settings.journal_url), store_rows(kept, url))
        for blob in (kept / "blobs").iterdir():
            place = folder / "var" / "blobs" / blob.name[:2] / blob.name
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(blob, place)
        bell = RecordingDoorbell()
        public_url = stack.enter_context(serving(settings, bell, clock))
        settings = settings.model_copy(update={"public_url": public_url})
        hub.set_webhook_url(settings.app_id, f"{public_url}/webhook")
        ports = make_house_ports(settings, bell, clock)
        http = stack.enter_context(httpx.Client(trust_env=False, timeout=30))
        tokens = {"ada": hub.mint_user_token("marta")}
        runner = Runner(url, folder / "runner", http)
        yield House(
            *(hub, url, folder, settings, ports, bell, clock, tokens, http, runner, service),
            full_name="coast/tidepool",
        )


def store_rows(kept: Path, url: str = _ADDRESS) -> list[tuple[str, Row]]:
    """Every row that the store held, with its table; snapshots and leases were not kept."""
    lines = (kept / "journal.jsonl").read_text().splitlines()[1:]
    found = [_said_anew(json.loads(line), url) for line in lines]
    return [(line["table"], line["row"]) for line in found]


def fill_store(engine: sa.Engine, rows: list[tuple[str, Row]]) -> None:
    """Write rows into the store; a column that a row does not have keeps its default."""
    with engine.begin() as connection:
        for name, row in rows:
            table = metadata.tables[name]
            texts = {k: json.dumps(v) if isinstance(v, dict | list) else v for k, v in row.items()}
            connection.execute(table.insert().values(**texts))
        note_repositories(connection)
    engine.dispose()


def _said_anew(kept: Row, url: str) -> Row:
    said: Row = json.loads(json.dumps(kept).replace(_ADDRESS, url))
    return said


def _settings(folder: Path, hub: Hub, url: str, key: str) -> Settings:
    app = next(app for app in hub.state.apps.values() if app.slug == "headgate")
    return Settings(
        var=folder / "var",
        github_api_url=f"{url}/api/v3",
        oidc_issuer=hub.oidc_issuer,
        app_id=app.id,
        private_key=SecretStr(key),
        webhook_secret=SecretStr(SECRET),
        public_url="http://127.0.0.1:1",
        model_key=SecretStr("model-key-of-the-house"),
        model_base_url="https://api.anthropic.com",
    )


class _Records:
    """Puts kept records into a fresh hub."""

    def __init__(self, hub: Hub, left: Row) -> None:
        self.hub, self.state, self.left = hub, hub.state, left

    def put_all(self, bundle: Path) -> str:
        """Put everything; the App's new private key."""
        for row in self.left["accounts"]:
            self._account(row)
        self.apps = {a.slug: a for a in self.state.apps.values()}
        key = keys.new_key()
        for row in self.left["apps"]:
            if row["slug"] not in self.apps:
                self.apps[row["slug"]] = self._app(row, keys.public_key_pem(key))
        for row in self.left["installations"]:
            self._installation(row)
        for row in self.left["repositories"]:
            self._repository(row, bundle)
        self._checks()
        while self.state.next_id() < self.left["next_id"]:
            pass
        return keys.private_key_pem(key)

    def _account(self, row: Row) -> None:
        login = row["login"].lower()
        kind = m.AccountType(row["type"])
        known = self.state.accounts.get(login) or m.Account(
            row["id"], row["login"], kind, _at(row["created_at"])
        )
        known.id = row["id"]
        self.state.accounts[login] = known

    def _who(self, login: str | None) -> m.Account | None:
        return None if login is None else self.state.account(login)

    def _app(self, row: Row, public_key: str) -> m.App:
        app = m.App(
            id=row["id"],
            slug=row["slug"],
            name=row["name"],
            owner=self.state.account(row["owner"]),
            bot=self.state.account(row["bot"]),
            public_key_pem=public_key,
            client_id=row["client_id"],
            client_secret="",
            webhook_url=None,
            webhook_secret=SECRET,
            permissions=row["permissions"],
            events=tuple(row["events"]),
            created_at=_at(row["created_at"]),
            external_url=row["external_url"],
        )
        self.state.apps[app.id] = app
        return app

    def _installation(self, row: Row) -> None:
        self.state.installations[row["id"]] = m.Installation(
            id=row["id"],
            app=self.apps[row["app"]],
            account=self.state.account(row["account"]),
            repository_ids=None,
            permissions=row["permissions"],
            created_at=_at(row["created_at"]),
            updated_at=_at(row["updated_at"]),
        )

    def _repository(self, row: Row, bundle: Path) -> None:
        repository = self.hub.add_repository(row["owner"], row["name"])
        repository.id = row["id"]
        repository.created_at = _at(row["created_at"])
        repository.pushed_at = _at(row["pushed_at"])
        for login, role in row["collaborators"].items():
            repository.collaborators[login] = m.Role(role)
        repository.labels = [
            m.Label(lb["id"], lb["name"], lb["color"], lb["description"]) for lb in row["labels"]
        ]
        if not row["issues"]:
            return
        repository.git.run(["fetch", "--quiet", str(bundle), "+refs/*:refs/*"])
        repository.refs = repository.git.read_refs()
        for kept in row["issues"]:
            issue = self._issue(kept, repository)
            repository.issues[issue.number] = self.state.issues[issue.id] = issue
        for kept in row["issues"]:
            self._relate(kept, repository)

    def _issue(self, row: Row, repository: m.Repository) -> m.Issue:
        labels = {label.name: label for label in repository.labels}
        issue = m.Issue(
            id=row["id"],
            number=row["number"],
            repository=repository,
            title=row["title"],
            body=row["body"],
            user=self.state.account(row["user"]),
            created_at=_at(row["created_at"]),
            updated_at=_at(row["updated_at"]),
            app=self.apps.get(row["app"]),
            state=row["state"],
            state_reason=row["state_reason"],
            closed_at=_maybe_at(row["closed_at"]),
            closed_by=self._who(row["closed_by"]),
            labels=[labels[name] for name in row["labels"]],
            pull=self._pull(row["pull"]) if row["pull"] else None,
        )
        issue.comments = [self._comment(kept, issue) for kept in row["comments"]]
        issue.label_events = [self._label_event(e, labels[e["label"]]) for e in row["label_events"]]
        return issue

    def _label_event(self, row: Row, label: m.Label) -> m.LabelEvent:
        return m.LabelEvent(
            id=row["id"],
            event=row["event"],
            label=label,
            actor=self.state.account(row["actor"]),
            app=self.apps.get(row["app"]),
            created_at=_at(row["created_at"]),
        )

    def _pull(self, row: Row) -> m.Pull:
        return m.Pull(
            id=row["id"],
            head_ref=row["head_ref"],
            base_ref=row["base_ref"],
            head_sha=row["head_sha"],
            base_sha=row["base_sha"],
            draft=row["draft"],
            merged_at=_maybe_at(row["merged_at"]),
            merged_by=self._who(row["merged_by"]),
            merge_commit_sha=row["merge_commit_sha"],
        )

    def _comment(self, row: Row, issue: m.Issue) -> m.Comment:
        comment = m.Comment(
            id=row["id"],
            issue=issue,
            user=self.state.account(row["user"]),
            body=row["body"],
            created_at=_at(row["created_at"]),
            updated_at=_at(row["updated_at"]),
            app=self.apps.get(row["app"]),
            reactions=[
                m.Reaction(
                    r["id"], self.state.account(r["user"]), r["content"], _at(r["created_at"])
                )
                for r in row["reactions"]
            ],
        )
        self.state.comments[comment.id] = comment
        return comment

    def _relate(self, row: Row, repository: m.Repository) -> None:
        issue, issues = repository.issues[row["number"]], repository.issues
        issue.parent = issues[row["parent"]] if row["parent"] else None
        issue.sub_issues = [issues[n] for n in row["sub_issues"]]
        issue.blocked_by = [issues[n] for n in row["blocked_by"]]
        issue.blocking = [issues[n] for n in row["blocking"]]

    def _checks(self) -> None:
        for row in self.left["suites"]:
            repository = self.state.repository(row["repository"])
            suite = m.CheckSuite(
                id=row["id"],
                app=self.apps[row["app"]],
                repository=repository,
                head_sha=row["head_sha"],
                head_branch=row["head_branch"],
                before=row["before"],
                after=row["after"],
                created_at=_at(row["created_at"]),
                updated_at=_at(row["updated_at"]),
            )
            repository.suites.append(suite)
            self.state.suites[suite.id] = suite
        for row in self.left["check_runs"]:
            self._check_run(row)

    def _check_run(self, row: Row) -> None:
        suite = self.state.suites[row["suite"]]
        run = m.CheckRun(
            id=row["id"],
            suite=suite,
            name=row["name"],
            status=row["status"],
            conclusion=row["conclusion"],
            started_at=_at(row["started_at"]),
            completed_at=_maybe_at(row["completed_at"]),
            external_id=row["external_id"],
            details_url=row["details_url"],
            title=row["title"],
            summary=row["summary"],
            text=row["text"],
            annotations=[m.Annotation(**a) for a in row["annotations"]],
        )
        suite.repository.check_runs[run.id] = self.state.check_runs[run.id] = run


def _at(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _maybe_at(text: str | None) -> datetime | None:
    return None if text is None else _at(text)
