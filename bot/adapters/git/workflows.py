"""Heads carry the default branch's workflows, which are nothing of their own: a merge leaves them out."""

from datetime import UTC, datetime
from pathlib import Path

from bot.adapters.git.commits import Commits
from bot.adapters.git.process import GitProgram
from bot.adapters.git.trees import Trees
from bot.core.values.candidate import WORKFLOWS_FOLDER, CommitRecipe
from bot.core.values.ids import Sha


def without_workflows(git: GitProgram, mirror: Path, base: Sha, head: Sha) -> Sha:
    """The head as if it had never touched a workflow; the same each time.

    Its workflows may be newer than its base's, and older than those that `base` has by now: a merge
    would call that a conflict.
    """
    compared = ["diff-tree", "--quiet", base, head, "--", WORKFLOWS_FOLDER]
    if git.attempt(mirror, compared).code == 0:
        return head
    commits = Commits(git, mirror)
    fork = commits.fork(base, head)
    if fork is None:
        return head
    tree = Trees(git, mirror).with_folder_of(head, fork, WORKFLOWS_FOLDER)
    if tree == commits.tree_of(head):
        return head
    recipe = CommitRecipe(
        tree=tree,
        parents=(head,),
        message="Without workflows\n",
        author_name="headgate",
        author_email="headgate@localhost",
        at=datetime.fromtimestamp(0, UTC),
    )
    return commits.commit(recipe)
