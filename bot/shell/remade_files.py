"""Files in conflict that a command makes anew: until then they are as main has them."""

from bot.core.journal.effects import PrepareStart
from bot.core.spec.roots import paths_under
from bot.core.values.candidate import MergeConflict, MergedTree
from bot.core.values.ids import Sha
from bot.core.values.repository import RepositoryFacts
from bot.ports import Git


def as_on_main(
    git: Git, facts: RepositoryFacts, merged: MergedTree | MergeConflict, effect: PrepareStart
) -> tuple[Sha, tuple[str, ...]]:
    """The merge's tree with these files as on main, and which they are.

    A file that one side removed stays in conflict: nobody said that it should be there.
    """
    conflicting = merged.files if isinstance(merged, MergeConflict) else ()
    under = paths_under(conflicting, effect.remake)
    sides = [git.files(facts, side, under) for side in (effect.base, effect.head)]
    taken = {path: sides[0][path] for path in under if all(path in side for side in sides)}
    if not taken:
        return merged.tree, ()
    return git.edit_tree(facts, merged.tree, taken), tuple(taken)
