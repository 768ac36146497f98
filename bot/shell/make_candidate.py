"""Makes a candidate's commit from its recipe, and from nothing else (law 9).

Whoever has the recipe, its base and its heads gets the same commit, on any machine and at any time.
"""

from dataclasses import dataclass

from bot.core.journal.candidate_facts import Recipe, Shape
from bot.core.journal.effects import ArchiveOrder
from bot.core.spec.archive.folding import DeltaConflict
from bot.core.values.candidate import CommitRecipe, MergeConflict
from bot.core.values.ids import Sha
from bot.core.values.repository import RepositoryFacts
from bot.ports import Git
from bot.shell.archiving import archive_edits, as_it_is_now, register_edits
from bot.shell.own_pushes import by_author


@dataclass(frozen=True, kw_only=True)
class Made:
    """The commit, and what makes it; `archive` is what was folded, `archive_paths` all that Headgate
    itself wrote.
    """

    commit: CommitRecipe
    sha: Sha
    tree: Sha
    archive: ArchiveOrder | None
    archive_paths: tuple[str, ...]


def make(git: Git, facts: RepositoryFacts, recipe: Recipe) -> Made | MergeConflict | DeltaConflict:
    """Merge the head on the base, add what Headgate writes, and commit; nothing is pushed."""
    (step,) = recipe.steps
    merged = git.merge(facts, recipe.base, step.head, recipe.union)
    if isinstance(merged, MergeConflict):
        return merged
    tree = merged.tree
    archive_paths: tuple[str, ...] = ()
    archive = step.archive
    if archive is not None:
        archive = as_it_is_now(git, facts, tree, archive)
        edits = archive_edits(git, facts, tree, archive)
        if isinstance(edits, DeltaConflict):
            return edits
        tree = git.edit_tree(facts, tree, edits)
        archive_paths = tuple(sorted(edits))
    register = register_edits(git, facts, tree, step.register)
    if register:
        tree = git.edit_tree(facts, tree, register)
        archive_paths = (*archive_paths, *register)
    parents = (recipe.base,) if recipe.shape is Shape.LINEAR else (recipe.base, step.head)
    made = by_author(facts, recipe.at, tree, parents, step.message, step.author)
    return Made(
        commit=made,
        sha=git.commit(facts, made),
        tree=tree,
        archive=archive,
        archive_paths=archive_paths,
    )
