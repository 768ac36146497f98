"""Performs the effects for specs that are issues: a branch with the text, and one open pull.

Only we write the branch, and it shows the newest text. GitHub allows one open pull a branch, which
is how the pull is found again.
"""

from bot.core.journal import effects as ef
from bot.core.journal.events import Event, SpecProposed, SpecWithdrawn
from bot.core.values.ids import Ref
from bot.core.values.repository import PullState
from bot.shell.own_pushes import recipe, with_mains_workflows
from bot.shell.perform_task import Task
from bot.shell.sign_commit import put_on_branch


def propose_spec(task: Task[ef.ProposeSpec]) -> tuple[Event, ...]:
    """Push the text as one commit on `base`; open a pull unless one is open."""
    ports, facts, effect = task.ports, task.facts, task.effect
    edited = ports.git.edit_tree(facts, effect.base, {effect.path: effect.text.encode()})
    tree = with_mains_workflows(ports, facts, edited)
    made = recipe(facts, effect.at, tree, (effect.base,), effect.message)
    put_on_branch(ports, facts, task.state, Ref(f"refs/heads/{effect.branch}"), made)
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
    ports, facts, effect = task.ports, task.facts, task.effect
    pull = ports.forge.pull(facts, effect.pull)
    if pull is not None and pull.state is PullState.OPEN:
        ports.forge.close_pull(facts, effect.pull)
    return (SpecWithdrawn(issue=effect.issue),)
