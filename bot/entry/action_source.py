"""Which repository and commit the workflows take the action from: settings, else this installation.

A checkout knows its commit from git; a package that pip took from git, from `direct_url.json`
(PEP 610). The image and the package of a release carry it as a setting and as a file.
"""

import json
import re
import subprocess
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from bot.core.talk.workflow_file import ActionSource
from bot.entry.settings import Settings
from bot.ports import UserError

ROOT = Path(__file__).parents[2]

# Written by the release workflow into the package.
RELEASED_SHA = Path(__file__).with_name("released_sha.txt")

_SHA = re.compile(r"[0-9a-f]{40}")


def action_source(settings: Settings) -> ActionSource | None:
    """None where no action may be fetched: the jobs then use their runner's own program."""
    if settings.action_repository == "":
        return None
    sha = settings.action_sha or _released() or _installed_from_git() or _checked_out()
    if sha is None or _SHA.fullmatch(sha) is None:
        raise UserError(
            "Which commit of the action do your workflows use? Set HEADGATE_ACTION_SHA to a full "
            "SHA of HEADGATE_ACTION_REPOSITORY; or set HEADGATE_ACTION_REPOSITORY to nothing, and "
            "use the runner image's own `headgate-action`."
        )
    return ActionSource(repository=settings.action_repository, sha=sha)


def _released() -> str | None:
    return RELEASED_SHA.read_text().strip() if RELEASED_SHA.is_file() else None


def _installed_from_git() -> str | None:
    try:
        text = distribution("headgate").read_text("direct_url.json")
    except PackageNotFoundError:
        return None
    found = json.loads(text).get("vcs_info", {}).get("commit_id") if text else None
    return str(found) if found else None


def _checked_out() -> str | None:
    if not (ROOT / ".git").exists():
        return None
    done = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() if done.returncode == 0 else None
