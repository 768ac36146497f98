"""The folder in which a job works; it is removed afterwards.

`_jobs/<id>/<repository>` is the workspace, `_jobs/<id>/_temp` holds scripts and command files.
Actions are kept in `_actions/`, by commit, for all jobs of the runner.
"""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue


@dataclass(frozen=True)
class Folders:
    root: Path
    workspace: Path
    temp: Path
    tools: Path
    event: Path


def make_folders(work: Path, job_id: int, repository: str, event: JsonValue) -> Folders:
    root = work / "_jobs" / str(job_id)
    shutil.rmtree(root, ignore_errors=True)
    folders = Folders(
        root=root,
        workspace=root / repository.rpartition("/")[2],
        temp=root / "_temp",
        tools=work / "_tool",
        event=root / "_temp" / "_github_workflow" / "event.json",
    )
    for folder in (folders.workspace, folders.temp, folders.tools, folders.event.parent):
        folder.mkdir(parents=True, exist_ok=True)
    folders.event.write_text(json.dumps(event, indent=2))
    return folders


def clear(folders: Folders) -> None:
    shutil.rmtree(folders.root, ignore_errors=True)
