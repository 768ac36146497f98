"""Files that merge by rule: the lines of both sides, as for a changelog or a list of routes."""

import tempfile
from pathlib import Path

from bot.adapters.git.process import GitProgram
from bot.adapters.git.trees import Trees
from bot.core.spec.roots import paths_under
from bot.core.values.candidate import MergeConflict, MergedTree
from bot.core.values.ids import Sha


def with_lines_of_both(
    git: GitProgram,
    mirror: Path,
    conflict: MergeConflict,
    sides: tuple[Sha, Sha],
    union: tuple[str, ...],
) -> MergedTree | MergeConflict:
    """The conflict without the files that the rule resolves; a tree where none is left.

    A file that one side removed stays in conflict: there are no two versions to join.
    """
    base, head = sides
    fork = Sha(git.run(mirror, ["merge-base", base, head]).decode().strip())
    trees = Trees(git, mirror)
    resolved: dict[str, bytes] = {}
    for path in paths_under(conflict.files, union):
        ours, theirs = (trees.files(side, (path,)).get(path) for side in sides)
        if ours is not None and theirs is not None:
            before = trees.files(fork, (path,)).get(path, b"")
            resolved[path] = _joined(git, mirror, ours, before, theirs)
    tree = trees.edit(conflict.tree, resolved) if resolved else conflict.tree
    left = tuple(file for file in conflict.files if file not in resolved)
    return MergeConflict(tree=tree, files=left) if left else MergedTree(tree=tree)


def _joined(git: GitProgram, mirror: Path, ours: bytes, before: bytes, theirs: bytes) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for name, text in (("ours", ours), ("before", before), ("theirs", theirs)):
            names.append(str(Path(folder) / name))
            Path(names[-1]).write_bytes(text)
        return git.run(mirror, ["merge-file", "-p", "--union", *names])
