"""Actions of other repositories, fetched by git and cached by commit.

A checkout is made in a temporary folder and then moved, so that it is complete or absent. The token
goes to git in the environment, never in a URL or on a command line.
"""

import base64
import os
import shutil
import subprocess
import threading
import uuid
from dataclasses import dataclass, replace
from pathlib import Path

from bot.localhub.actions.client import RefusedError, ServiceClient
from bot.localhub.actions.document import DocumentError
from bot.localhub.actions.parse_steps import read_action
from bot.localhub.actions.runner_messages import ActionLocation
from bot.localhub.actions.workflow import ActionFile

_FETCH_TIMEOUT_SECONDS = 120


class ActionMissingError(Exception):
    """An action that cannot be fetched or read, in a sentence."""


@dataclass(frozen=True)
class FoundAction:
    """An action on disk; `repository` and `ref` are empty for a local one."""

    file: ActionFile
    folder: Path
    repository: str = ""
    ref: str = ""


class ActionStore:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()

    def fetch(self, client: ServiceClient, job_id: int, uses: str, token: str) -> FoundAction:
        """An action by `owner/repo[/path]@ref`. Raises ActionMissingError."""
        try:
            place = client.find_action(job_id, uses)
        except RefusedError as error:
            raise ActionMissingError(str(error)) from error
        checkout = self._folder / place.repository / place.sha
        with self._lock:
            if not checkout.is_dir():
                self._check_out(place, checkout, token)
        root = checkout.resolve()
        folder = (checkout / place.path).resolve()
        if folder != root and root not in folder.parents:
            raise ActionMissingError(f"The path of '{uses}' leaves its repository")
        found = load_action(folder, uses, place.repository, place.ref)
        return replace(found, file=_within(found.file, place))

    def _check_out(self, place: ActionLocation, checkout: Path, token: str) -> None:
        fresh = checkout.with_name(f"{checkout.name}.{uuid.uuid4().hex}")
        fresh.mkdir(parents=True)
        try:
            _git(["init", "--quiet"], fresh, "")
            # A job's token may have no access to the action's repository although it is public.
            if not _fetches(place, fresh, token) and not _fetches(place, fresh, ""):
                raise ActionMissingError(
                    f"{place.repository} cannot be fetched at {place.sha}; may this job read it?"
                )
            _git(["checkout", "--quiet", "--detach", place.sha], fresh, "")
            fresh.rename(checkout)
        except (subprocess.SubprocessError, OSError) as error:
            raise ActionMissingError(f"{place.repository} cannot be fetched: {error}") from error
        finally:
            shutil.rmtree(fresh, ignore_errors=True)


def _within(action: ActionFile, place: ActionLocation) -> ActionFile:
    """`$/` in the steps of an action is the repository of that action, at the same ref."""
    steps = tuple(
        step.replace(uses=f"{place.repository}/{step.uses[2:]}@{place.ref}")
        if step.uses is not None and step.uses.startswith("$/")
        else step
        for step in action.steps
    )
    return action.replace(steps=steps)


def load_action(folder: Path, uses: str, repository: str = "", ref: str = "") -> FoundAction:
    for name in ("action.yml", "action.yaml"):
        path = folder / name
        if path.is_file():
            try:
                return FoundAction(read_action(path.read_text()), folder, repository, ref)
            except (DocumentError, UnicodeDecodeError) as error:
                raise ActionMissingError(f"{uses}/{name} {error}") from error
    raise ActionMissingError(
        f"Can't find 'action.yml' or 'action.yaml' for action '{uses}'. Did you forget to check "
        "out the repository before running a local action?"
    )


def _fetches(place: ActionLocation, folder: Path, token: str) -> bool:
    fetch = ["fetch", "--quiet", "--depth", "1", "--no-tags", place.clone_url, place.sha]
    return _git(fetch, folder, token, check=False) == 0


def _git(arguments: list[str], folder: Path, token: str, *, check: bool = True) -> int:
    settings = {"core.hooksPath": os.devnull, "advice.detachedHead": "false"}
    if token:
        basic = base64.b64encode(f"x-access-token:{token}".encode()).decode()
        settings["http.extraHeader"] = f"Authorization: Basic {basic}"
    env = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(folder),
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_COUNT": str(len(settings)),
    }
    for number, (key, value) in enumerate(settings.items()):
        env |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    done = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env=env,
        check=check,
        capture_output=True,
        timeout=_FETCH_TIMEOUT_SECONDS,
    )
    return done.returncode
