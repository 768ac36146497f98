"""Performs the effects for specs that are issues: a branch with the text, and one open pull.

Only we write the branch, and it shows the newest text. GitHub allows one open pull a branch, which
is how the pull is found again.
"""

from bot.core.journal import effects as ef
from bot.core.journal.events import Event, SpecProposed, SpecWithdrawn
from bot.core.values.candidate import CommitRecipe, RefUpdate
from bot.core.values.ids import Ref
from bot.core.values.repository import PullState
from bot.shell.own_pushes import push_all, with_mains_workflows
from bot.shell.perform_task import Task


def propose_spec(task: Task[ef.ProposeSpec]) -> tuple[Event, ...]:
    """Push the text as one commit on `base`; open a pull unless one is open."""
    ports, facts, effect = task.ports, task.facts, task.effect
    git = ports.git
    edited = git.edit_tree(facts, effect.base, {effect.path: effect.text.encode()})
    tree = with_mains_workflows(ports, facts, edited)
    recipe = CommitRecipe(
        tree=tree,
        parents=(effect.base,),
        message=effect.message,
        author_name="headgate[bot]",
        author_email=facts.our_address,
        at=effect.at.replace(microsecond=0),
    )
    commit = git.commit(facts, recipe)
    ref = Ref(f"refs/heads/{effect.branch}")
    there = git.remote_ref(facts, ref)
    if there != commit:
        push_all(ports, facts, RefUpdate(ref=ref, old=there, new=commit))
    pull = ports.forge.pull_of_branch(facts, effect.branch)
    if pull is None or pull.state is not PullState.OPEN:
        pull = ports.forge.open_pull(facts, effect.branch, effect.title, effect.body)
    else:
        ports.forge.edit_pull_body(facts, pull.number, effect.body)
    return (
        SpecProposed(
            issue=effect.issue,
            pull=pull.number,
            path=effect.path,
            digest=effect.digest,
            round=effect.round,
            dialogue=effect.dialogue,
        ),
    )


def withdraw_spec(task: Task[ef.WithdrawSpec]) -> tuple[Event, ...]:
    """Close the pull if it is open."""
    ports, facts, effect = task.ports, task.facts, task.effect
    pull = ports.forge.pull(facts, effect.pull)
    if pull is not None and pull.state is PullState.OPEN:
        ports.forge.close_pull(facts, effect.pull)
    return (SpecWithdrawn(issue=effect.issue),)
