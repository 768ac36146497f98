"""Ada's push of a few texts to main, without a clone and a git client."""

from collections.abc import Mapping
from datetime import UTC, datetime

from bot.localhub.git_store import GitStore, Signature
from bot.localhub.hub import Hub
from bot.localhub.rules import MoveVia, RefMove
from bot.localhub.tree_edits import FileChange

_MAIN = "refs/heads/main"
# They say what a checkout holds, and what is committed of it.
_STEERING = (".gitignore", ".gitattributes", ".gitmodules")


def pushed_by_hub(
    hub: Hub, full_name: str, files: Mapping[str, str | None], message: str
) -> str | None:
    """The new commit; None where rules or git's own ways with files might matter."""
    repository = hub.repository(full_name)
    git = repository.git
    with repository.push_lock:
        before = repository.refs.get(_MAIN)
        is_usual = repository.default_branch == "main" and not repository.rulesets
        if before is None or not is_usual or message != " ".join(message.split()):
            return None
        changes = _changes(git, before, files)
        if changes is None:
            return None
        tree = git.changed_tree(before, changes)
        if tree == git.commit(before).tree:
            return None
        ada = Signature("Ada", "ada@example.com", datetime.now(UTC))
        made = git.commit_tree(tree, [before], f"{message}\n", ada, ada)
        move = RefMove(_MAIN, before, made)
        hub.refs.move(repository, hub.as_user("ada"), move, MoveVia.PUSH)
        return made


def _changes(
    git: GitStore, before: str, files: Mapping[str, str | None]
) -> list[FileChange] | None:
    if any(git.entry(before, name) for name in _STEERING):
        return None
    changes = []
    for path, text in files.items():
        held = git.entry(before, path)
        mode = "100644" if held is None else held.mode
        is_steering = path.rpartition("/")[2] in _STEERING
        if is_steering or not mode.startswith("100") or (held is None and text is None):
            return None
        changes.append(FileChange(path, None if text is None else text.encode(), mode))
    return changes
