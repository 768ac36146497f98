"""`make truth REPO=… TOKEN=…`: the exchanges of the contract tests with a real GitHub.

Each step of the tour is gone twice, against localhub in this process and against a repository of
GitHub. Every difference is a line of JSON on the standard output, once; sentences for a person are on
the standard error. Ends with 0 (no difference), 1 (differences) or 2 (it could not be gone).
"""

import json
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import httpx

from bot.localhub.model import Visibility
from tests.contract.differences import difference, message, operation
from tests.contract.scratch import NotReady, Scratch
from tests.contract.tour import Caller, Steps
from tests.localhub.kit import Box, served_box

STEPS: tuple[Callable[[Steps], None], ...] = (
    Steps.see_the_repository,
    Steps.make_objects,
    Steps.write_contents,
    Steps.write_on_issues,
    Steps.relate_issues,
    Steps.propose,
    Steps.check,
    Steps.run_workflows,
)
HEADERS = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}

# "Best practices for using the REST API": at least one second between writes.
PACE_SECONDS = 1.0
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_NO_PERMISSION = ("Resource not accessible by integration", "Resource not accessible by personal")

Print = Callable[[str], None]


@dataclass(frozen=True)
class Asked:
    """A repository of a GitHub, and how it is reached."""

    repository: str
    token: str
    api: str = "https://api.github.com"
    pace_seconds: float = PACE_SECONDS

    def check(self) -> None:
        """Raises NotReady."""
        if not re.fullmatch(r"[\w.-]+/[\w.-]+", self.repository):
            raise NotReady("REPO is OWNER/NAME: make truth REPO=you/headgate-truth TOKEN=…")
        if not self.token:
            raise NotReady(
                "TOKEN is missing: give a token that may write contents, issues, pull requests, "
                "workflows, Actions and administration of that repository alone."
            )
        address = urlsplit(self.api)
        if address.scheme != "https" and address.hostname not in _LOOPBACK:
            raise NotReady(f"{self.api} would see the token in the clear: use https://.")

    def client(self) -> httpx.Client:
        # No proxy of the machine is asked for its own addresses.
        is_near = urlsplit(self.api).hostname in _LOOPBACK
        headers = {**HEADERS, "Authorization": f"Bearer {self.token}"}
        client = httpx.Client(base_url=self.api, headers=headers, timeout=60, trust_env=not is_near)
        client.event_hooks["request"].append(self._wait)
        return client

    def _wait(self, request: httpx.Request) -> None:
        if request.method != "GET":
            time.sleep(self.pace_seconds)


@dataclass
class Side:
    """One of the two, and what it has answered to the current step."""

    steps: Steps
    heard: list[httpx.Response] = field(default_factory=list)

    @classmethod
    def of(cls, client: httpx.Client, full_name: str) -> "Side":
        heard: list[httpx.Response] = []

        def hear(answer: httpx.Response) -> httpx.Response:
            heard.append(answer)
            return answer

        caller = Caller(client, hear)
        return cls(Steps(full_name, caller, caller, full_name.partition("/")[0]), heard)

    def go(self, step: Callable[[Steps], None]) -> list[httpx.Response]:
        """The answers of a step, up to one without which it cannot go on."""
        self.heard.clear()
        # An answer may lack what the next request needs; it is among those that were heard.
        with suppress(KeyError, IndexError, TypeError, ValueError):
            step(self.steps)
        return list(self.heard)


def run(asked: Asked, tell: Print, say: Print, steps: tuple[Callable[[Steps], None], ...]) -> int:
    """Go the steps on both sides: `tell` takes lines of data, `say` sentences."""
    try:
        asked.check()
        with asked.client() as client, TemporaryDirectory() as folder:
            scratch = Scratch(client, asked.repository, say)
            is_private = scratch.look()
            with (
                served_box(Path(folder), _visibility(is_private)) as box,
                _ours(box, asked) as ours,
            ):
                sides = Side.of(ours, "octo/demo"), Side.of(client, asked.repository)
                return 1 if _compare(sides, scratch, steps, tell, say) else 0
    except NotReady as reason:
        say(str(reason))
    except httpx.TransportError as error:
        say(
            f"{asked.api} does not answer ({error}). Look at the address and the network, run again."
        )
    except KeyboardInterrupt:
        say("Interrupted. Run it again: it tidies up first where something was left.")
    return 2


def _compare(
    sides: tuple[Side, Side],
    scratch: Scratch,
    steps: tuple[Callable[[Steps], None], ...],
    tell: Print,
    say: Print,
) -> int:
    """The number of differences."""
    told: set[str] = set()
    with scratch.kept():
        for step in steps:
            ours, theirs = (side.go(step) for side in sides)
            for mine, yours in zip(ours, theirs, strict=False):
                if yours.status_code == 403 and message(yours).startswith(_NO_PERMISSION):
                    say(_no_permission(yours))
                    continue
                line = json.dumps(found) if (found := difference(mine, yours)) else ""
                if line and line not in told:
                    told.add(line)
                    tell(line)
            unasked = ours[len(theirs) :] + theirs[len(ours) :]
            if unasked:
                say(
                    f"{step.__name__}: {len(unasked)} requests were sent to one side only, from "
                    f"{operation(unasked[0])} on; the answer before them says why."
                )
    say(f"{len(told)} differences." if told else "No difference.")
    return len(told)


def _no_permission(answer: httpx.Response) -> str:
    wanted = answer.headers.get("X-Accepted-GitHub-Permissions", "")
    which = f"the permission {wanted}" if wanted else "the permission that it needs"
    return f"The token may not {operation(answer)}: give it {which}, and run again."


@contextmanager
def _ours(box: Box, asked: Asked) -> Iterator[httpx.Client]:
    """A caller of localhub of the same kind: a person, or an installation of an App."""
    is_app = asked.token.startswith("ghs_")
    with box.rest(box.installation_token() if is_app else box.user_token) as client:
        client.headers.update(HEADERS)
        yield client


def _visibility(is_private: bool) -> Visibility:
    return Visibility.PRIVATE if is_private else Visibility.PUBLIC


def main(environment: Mapping[str, str]) -> int:
    """What `make truth` runs; the token comes by the environment, which no list of processes shows."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    api = environment.get("API") or Asked.api
    asked = Asked(environment.get("REPO", ""), environment.get("TOKEN", ""), api)

    def tell(line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    def say(sentence: str) -> None:
        sys.stderr.write(f"{sentence}\n")

    return run(asked, tell, say, STEPS)


if __name__ == "__main__":
    raise SystemExit(main(os.environ))
