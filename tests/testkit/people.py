"""What people do on localhub and what they see there, over REST and git as from a script."""

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from bot.localhub.hub import Hub
from bot.localhub.model import Role
from tests.testkit.direct_push import pushed_by_hub

Json = dict[str, Any]

# No repository of a story lives long enough to be tidied by a process after each commit.
UNTIDIED = {
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "maintenance.auto",
    "GIT_CONFIG_VALUE_0": "false",
    "GIT_TEMPLATE_DIR": "",
}


@dataclass(frozen=True)
class SeenCheck:
    """A check run as its page shows it; a remark is `path:line message`."""

    conclusion: str | None
    title: str
    summary: str
    text: str
    remarks: tuple[str, ...]


class People:
    """The people of a repository. Ada maintains it; eve has no role there."""

    hub: Hub
    url: str
    folder: Path
    http: httpx.Client
    tokens: dict[str, str]
    full_name: str

    @property
    def token(self) -> str:
        return self.tokens["ada"]

    # What they do

    def api(self, method: str, path: str, body: object = None, token: str = "") -> httpx.Response:
        """A REST call as the maintainer, or with `token`."""
        return self.http.request(
            method,
            f"{self.url}{path}",
            json=body,
            headers={"Authorization": f"Bearer {token or self.token}"},
        )

    def repo(self, path: str) -> str:
        """A path below the repository's API."""
        return f"/repos/{self.full_name}{path}"

    def push(self, files: Mapping[str, str | None], message: str = "A person's push") -> str:
        """Commit and push to main; returns the new commit.

        A usual one is handed to the hub as `git push` would hand it over: eight processes less.
        """
        return pushed_by_hub(self.hub, self.full_name, files, message) or self.push_by_git(
            files, message
        )

    def push_by_git(self, files: Mapping[str, str | None], message: str) -> str:
        """Clone, commit and push to main."""
        clone = self.clone()
        for path, text in files.items():
            place = clone / path
            if text is None:
                place.unlink()
            else:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(text)
        self.git(clone, "add", "-A")
        self.git(clone, "commit", "-q", "-m", message)
        self.git(clone, "push", "-q", "origin", "HEAD:main")
        return self.git(clone, "rev-parse", "HEAD")

    def clone(self) -> Path:
        """A new clone. It borrows the server's objects, which takes a sixth of the time of a download."""
        target = self.folder / "clones" / str(len(list((self.folder / "clones").glob("*"))))
        stored = self.hub.repository(self.full_name).git.folder
        self.git(self.folder, "clone", "-q", "--shared", str(stored), str(target))
        url = self.url.replace("http://", f"http://x-access-token:{self.token}@")
        config = target / ".git/config"
        address = f"{url}/{self.full_name}.git"
        config.write_text(config.read_text().replace(str(stored), address))
        return target

    def git(self, folder: Path, *arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments],
            cwd=folder,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(self.folder),
                "GIT_CONFIG_NOSYSTEM": "1",
                "GIT_AUTHOR_NAME": "Ada",
                "GIT_AUTHOR_EMAIL": "ada@example.com",
                "GIT_COMMITTER_NAME": "Ada",
                "GIT_COMMITTER_EMAIL": "ada@example.com",
                **UNTIDIED,
            },
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def comment(self, issue: int, text: str, token: str = "") -> int:
        """Returns the comment's id."""
        answer = self.api("POST", self.repo(f"/issues/{issue}/comments"), {"body": text}, token)
        answer.raise_for_status()
        return int(answer.json()["id"])

    def hire(self, login: str, role: Role = Role.WRITE) -> str:
        """A new person with a role in the repository; returns their token."""
        self.tokens[login] = self.hub.add_user(login)
        self.hub.add_collaborator(self.full_name, login, role)
        return self.tokens[login]

    def app_token(self, app_id: int) -> str:
        """An installation token with all permissions of the installation."""
        installation = next(i for i in self.hub.state.installations.values() if i.app.id == app_id)
        return self.hub.apps.mint_token(installation, None, None).secret

    # What they see

    def reply(self, issue: int, comment: int) -> str:
        """Our bot's written answer to a comment; "" where it only reacted."""
        mark = f"<!-- headgate:reply {comment} -->"
        return next((c.partition("\n")[2] for c in self.comments(issue) if mark in c), "")

    def body(self, issue: int) -> str:
        """`issue` may be a pull."""
        return str(self.issue(issue)["body"])

    def number(self, title: str) -> int:
        """The number of the issue with a title."""
        return next(int(i["number"]) for i in self.issues() if i["title"] == title)

    def pull(self, title: str) -> Json:
        """The newest pull with a title."""
        return [p for p in self.pulls() if p["title"] == title][-1]

    def issues(self) -> list[Json]:
        """All issues (not pulls), oldest first."""
        path = self.repo("/issues?state=all&direction=asc&per_page=100")
        return [i for i in self.api("GET", path).json() if "pull_request" not in i]

    def tracking(self) -> Json:
        """The newest tracking issue."""
        labelled = [i for i in self.issues() if "headgate:plan" in [x["name"] for x in i["labels"]]]
        return labelled[-1]

    def issue(self, number: int) -> Json:
        return dict(self.api("GET", self.repo(f"/issues/{number}")).json())

    def comments(self, issue: int) -> list[str]:
        """The bodies of an issue's comments."""
        path = self.repo(f"/issues/{issue}/comments?per_page=100")
        return [c["body"] for c in self.api("GET", path).json()]

    def reactions(self, comment: int) -> list[str]:
        """The reactions to a comment."""
        path = self.repo(f"/issues/comments/{comment}/reactions")
        return [r["content"] for r in self.api("GET", path).json()]

    def review(self, pull: int, path: str, line: int, text: str, token: str = "") -> int:
        """Comment at a line of a pull's newest commit; returns the comment's id."""
        head = self.api("GET", self.repo(f"/pulls/{pull}")).json()["head"]["sha"]
        body = {"body": text, "commit_id": head, "path": path, "line": line}
        answer = self.api("POST", self.repo(f"/pulls/{pull}/comments"), body, token)
        answer.raise_for_status()
        return int(answer.json()["id"])

    def review_reactions(self, comment: int) -> list[str]:
        """The reactions to a comment of a review."""
        path = self.repo(f"/pulls/comments/{comment}/reactions")
        return [r["content"] for r in self.api("GET", path).json()]

    def pulls(self, state: str = "all") -> list[Json]:
        path = self.repo(f"/pulls?state={state}&direction=asc&per_page=100")
        return list(self.api("GET", path).json())

    def check_runs(self, sha: str) -> dict[str, str | None]:
        """The conclusions of our check runs at a commit, by name."""
        return {name: seen.conclusion for name, seen in self.checks(sha).items()}

    def checks(self, sha: str) -> dict[str, SeenCheck]:
        """Our check runs at a commit, by name, as their pages show them."""
        path = self.repo(f"/commits/{sha}/check-runs?per_page=100")
        runs = self.api("GET", path).json()["check_runs"]
        return {r["name"]: self._shown(r) for r in runs if r["app"]["slug"] == "headgate"}

    def _shown(self, run: Json) -> SeenCheck:
        path = self.repo(f"/check-runs/{run['id']}/annotations")
        remarks = self.api("GET", path).json() if run["output"]["annotations_count"] else []
        return SeenCheck(
            conclusion=run["conclusion"],
            title=run["output"]["title"] or "",
            summary=run["output"]["summary"] or "",
            text=run["output"]["text"] or "",
            remarks=tuple(f"{a['path']}:{a['start_line']} {a['message']}" for a in remarks),
        )

    def commit_comments(self, sha: str) -> list[str]:
        return [c["body"] for c in self.api("GET", self.repo(f"/commits/{sha}/comments")).json()]

    def pushes(self) -> int:
        """The number of pushes to GitHub by anybody."""
        return sum(1 for e in self.hub.exchanges if e.path.endswith("/git-receive-pack"))

    def ref(self, name: str = "main") -> str:
        """The commit of a branch or ref."""
        git = self.hub.repository(self.full_name).git
        return self.git(git.folder, "rev-parse", name)

    def commit_text(self, sha: str) -> str:
        """A commit with its message and its patch."""
        git = self.hub.repository(self.full_name).git
        return self.git(git.folder, "show", sha)

    def history(self) -> list[str]:
        """Main's subjects, oldest first."""
        git = self.hub.repository(self.full_name).git
        return self.git(git.folder, "log", "--reverse", "--format=%s", "main").splitlines()

    def main_files(self) -> dict[str, str]:
        """The text of each file on main, by path."""
        git = self.hub.repository(self.full_name).git
        names = self.git(git.folder, "ls-tree", "-r", "-z", "--name-only", "main").split("\0")[:-1]
        rest = subprocess.run(
            ["git", "cat-file", "--batch"],
            cwd=git.folder,
            input="".join(f"main:{name}\n" for name in names).encode(),
            check=True,
            capture_output=True,
        ).stdout
        texts = {}
        for name in names:
            head, _, rest = rest.partition(b"\n")
            size = int(head.split()[-1])
            texts[name], rest = rest[:size].decode(errors="replace").strip(), rest[size + 1 :]
        return texts
