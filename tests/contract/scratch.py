"""The throw-away repository of `make truth`: nothing else may be in it, and it is tidied up.

A tag keeps where main was before, so that a run that was killed is tidied up by the next one.
GitHub deletes no issue, pull or check run for a token: issues and pulls are closed.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx

from tests.contract.differences import message
from tests.contract.tour import LABELS

MARK = "tags/headgate-truth"


class NotReady(Exception):
    """It cannot be gone; the text is a sentence with the next step."""


class Scratch:
    """One repository of the other side."""

    def __init__(self, client: httpx.Client, full_name: str, say: Callable[[str], None]) -> None:
        self._client = client
        self._name = full_name
        self._repo = f"/repos/{full_name}"
        self._say = say
        self._begin = ""

    def look(self) -> bool:
        """Whether the repository is private; tidies up after an earlier run. Raises NotReady."""
        found = self._client.get(self._repo)
        if found.status_code == 401:
            raise NotReady("The token is not known (401): make a new one, and run again.")
        if found.status_code != 200:
            raise NotReady(
                f"{self._name} cannot be read ({found.status_code} {message(found)}): make the "
                "repository, with a README, and give the token access to it."
            )
        facts = found.json()
        self._refuse_what_may_be_in_use(facts)
        mark = self._client.get(f"{self._repo}/git/ref/{MARK}")
        if mark.status_code == 200:
            self._say("An earlier run was interrupted; tidying up after it.")
            self._tidy(str(mark.json()["object"]["sha"]))
        self._refuse_what_is_not_empty()
        tip = self._client.get(f"{self._repo}/git/ref/heads/main")
        if tip.status_code != 200:
            raise NotReady(f"{self._name} has no commit: add a README to it, and run again.")
        self._begin = str(tip.json()["object"]["sha"])
        return bool(facts.get("private"))

    def _refuse_what_may_be_in_use(self, facts: dict[str, object]) -> None:
        if "truth" not in self._name.partition("/")[2]:
            raise NotReady(
                f"{self._name} may be in use, and its main branch would be rewritten: make a "
                "repository for this alone whose name has the word truth, like headgate-truth."
            )
        if facts.get("default_branch") != "main":
            raise NotReady(
                f"The default branch of {self._name} is {facts.get('default_branch')}: rename it "
                "to main, and run again."
            )

    def _refuse_what_is_not_empty(self) -> None:
        if self._others():
            raise NotReady(
                f"{self._name} has more branches than main: delete them, or take an empty one."
            )
        if self._open():
            raise NotReady(
                f"{self._name} has open issues or pulls: close them, or take an empty one."
            )

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Marks where main is, and comes back to it, however this ends."""
        body = {"ref": f"refs/{MARK}", "sha": self._begin}
        made = self._client.post(f"{self._repo}/git/refs", json=body)
        if made.status_code != 201:
            raise NotReady(
                f"The token may not write refs of {self._name} ({made.status_code} "
                f"{message(made)}): give it the permission contents: write."
            )
        try:
            yield
        finally:
            self._tidy(self._begin)

    def _tidy(self, begin: str) -> None:
        """Undo what the steps may have left; the mark goes last, so that this can be interrupted."""
        repo = self._repo
        left: list[str] = []

        def ask(method: str, path: str, body: object = None) -> None:
            answer = self._client.request(method, f"{repo}/{path}", json=body)
            if answer.status_code >= 400 and answer.status_code != 404:
                left.append(f"{method} {path}: {answer.status_code} {message(answer)}")

        for number in self._open():
            ask("PATCH", f"issues/{number}", {"state": "closed"})
        for branch in self._others():
            ask("DELETE", f"git/refs/heads/{branch}")
        for comment in self._list("comments"):
            ask("DELETE", f"comments/{comment['id']}")
        for label in LABELS:
            ask("DELETE", f"labels/{label.replace('/', '%2F')}")
        for run in self._list("actions/runs", "workflow_runs", status="queued"):
            ask("POST", f"actions/runs/{run['id']}/force-cancel")
        for runner in self._list("actions/runners", "runners"):
            if runner["name"] == "one":
                ask("DELETE", f"actions/runners/{runner['id']}")
        ask("PATCH", "git/refs/heads/main", {"sha": begin, "force": True})
        if not left:
            ask("DELETE", f"git/refs/{MARK}")
        if left:
            self._say(
                f"{self._name} could not be tidied up: {'; '.join(left)}. Run it again, or delete "
                "the repository."
            )

    def _others(self) -> list[str]:
        return [str(one["name"]) for one in self._list("branches") if one["name"] != "main"]

    def _open(self) -> list[object]:
        return [one["number"] for one in self._list("issues", state="open")]

    def _list(self, path: str, key: str = "", **query: str) -> list[dict[str, object]]:
        """The first hundred of a list; none where the token may not read it."""
        found = self._client.get(f"{self._repo}/{path}", params={**query, "per_page": "100"})
        if found.status_code != 200:
            return []
        listed: list[dict[str, object]] = found.json()[key] if key else found.json()
        return listed
