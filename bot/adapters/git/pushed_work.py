"""Reads what a person pushed to a change's branch as work that stands on a commit of main.

A push stands on a candidate of ours, which also holds what only Headgate writes: folded specs, the
register. All of that is on protected paths, so every protected path is set back to main's, and a
push that has anything of its own there is refused. The change's tasks and design are people's to edit,
and go back to where an agent finds them.
"""

from collections.abc import Mapping
from pathlib import Path

from pathspec import GitIgnoreSpec

from bot.adapters.git.commits import Commits
from bot.adapters.git.process import GitProgram
from bot.adapters.git.trees import Trees
from bot.core.values.candidate import PushedWork, PushRefusal, PushRules
from bot.core.values.ids import Sha

_PATHS_SHOWN = 5
_PLAIN = "100644 "


def pushed_work(
    git: GitProgram, mirror: Path, pushed: Sha, rules: PushRules
) -> PushedWork | PushRefusal:
    """The work, or why it cannot be taken over. Raises `GitFailed` where a commit is missing."""
    commits, trees = Commits(git, mirror), Trees(git, mirror)
    authors = _authors(git, mirror, pushed, rules)
    base = commits.fork(rules.main, pushed)
    if base is None:
        return PushRefusal(author=authors[0], sentence="It has no history in common with main.")
    below = next((c for c in commits.since(rules.main, pushed) if c in rules.candidates), None)
    # What the branch would have without the person: our candidate, with main where they merged it.
    expected = commits.merge(base, below).tree if below else commits.tree_of(base)
    tree = commits.tree_of(pushed)
    changed = commits.changed_paths(base, pushed)
    protected = tuple(GitIgnoreSpec.from_lines(rules.protected).match_files(changed))
    now = trees.entries(pushed, protected)
    known = [trees.entries(t, protected) for t in (base, below, expected) if t is not None]
    shown = _artefacts(now, rules)
    own = [
        path
        for path in protected
        if path not in shown and all(now.get(path) != k.get(path) for k in known)
    ]
    if own:
        listed = ", ".join(own[:_PATHS_SHOWN])
        more = f" and {len(own) - _PATHS_SHOWN} more" if len(own) > _PATHS_SHOWN else ""
        return PushRefusal(
            author=authors[0],
            sentence=f"It changes files that the policy protects: {listed}{more}.",
        )
    on_base = trees.files(base, protected) if protected else {}
    stripped = trees.edit(tree, {path: on_base.get(path) for path in protected})
    paths = commits.changed_paths(base, stripped)
    if not paths:
        return PushRefusal(author=authors[0], sentence="It has no changes compared with main.")
    texts = trees.files(pushed, shown) if shown else {}
    stripped = trees.edit(stripped, {rules.artefacts[path]: texts[path] for path in shown})
    is_own = below is None or tree != expected
    return PushedWork(base=base, tree=stripped, paths=paths, authors=authors, is_own=is_own)


def _artefacts(now: Mapping[str, str], rules: PushRules) -> tuple[str, ...]:
    """Where the change's own files stand as plain files."""
    return tuple(path for path in rules.artefacts if now.get(path, "").startswith(_PLAIN))


def _authors(git: GitProgram, mirror: Path, pushed: Sha, rules: PushRules) -> tuple[str, ...]:
    """Who wrote the commits that are neither on main nor ours, the newest first; at least one."""
    log = ["log", "--no-show-signature", "--encoding=UTF-8", "--format=tformat:%H%x00%an <%ae>"]
    output = git.run(mirror, [*log, pushed, f"^{rules.main}", "--"])
    rows = [row.split("\0") for row in output.decode("utf-8", errors="replace").splitlines()]
    found = [author for sha, author in rows if sha not in rules.candidates]
    if not found:
        newest = git.run(mirror, [*log, "--max-count=1", pushed, "--"])
        found = [newest.decode("utf-8", errors="replace").strip().split("\0")[1]]
    return tuple(dict.fromkeys(found))
