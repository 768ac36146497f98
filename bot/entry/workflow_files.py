"""The workflow files that this installation proposes, and the commit that they take the action from.

A checkout knows its commit from git; a package that pip took from git, from `direct_url.json`
(PEP 610); a release's package and images, from a file that the release workflow wrote.
"""

import json
import re
import shutil
import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path

from bot.core.talk import workflow_file
from bot.core.talk.workflow_file import ActionSource
from bot.entry.settings import Settings

ROOT = Path(__file__).parents[2]
RELEASED_SHA = Path(__file__).with_name("released_sha.txt")

_SHA = re.compile(r"[0-9a-f]{40}")


def workflow_files(settings: Settings | None = None) -> dict[str, str]:
    return workflow_file.workflow_files(action_source(settings or Settings()))


def action_source(settings: Settings) -> ActionSource | None:
    """None where no action may be fetched or its commit is not known: the jobs then call the
    program of their runner's image.
    """
    if not settings.action_repository:
        return None
    sha = settings.action_sha or own_commit()
    if _SHA.fullmatch(sha) is None:
        return None
    return ActionSource(repository=settings.action_repository, sha=sha)


def release() -> str:
    """The version, and the commit where it is known."""
    try:
        number = version("headgate")
    except PackageNotFoundError:
        number = "of no package"
    commit = own_commit()
    return f"{number} ({commit})" if commit else number


def own_commit() -> str:
    """Of the code that runs; empty where nothing says it."""
    return _released() or _installed_from_git() or _checked_out(ROOT)


def _released() -> str:
    return RELEASED_SHA.read_text().strip() if RELEASED_SHA.is_file() else ""


def _installed_from_git() -> str:
    try:
        text = distribution("headgate").read_text("direct_url.json")
    except PackageNotFoundError:
        return ""
    found = json.loads(text).get("vcs_info", {}).get("commit_id") if text else None
    return str(found or "")


@cache
def _checked_out(folder: Path) -> str:
    if not (folder / ".git").exists() or shutil.which("git") is None:
        return ""
    argv = ["git", "rev-parse", "HEAD"]
    done = subprocess.run(argv, cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout.strip()
