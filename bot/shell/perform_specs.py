"""The deeds for specs that are issues: commit the text on a branch of ours, keep one pull open.

The rule: the branch is nobody's but ours and shows the newest text; GitHub allows one open pull a
branch, which is how it is found again. Only an open pull is closed. Deliberately absent: merging.
"""

from bot.core.journal import effects as ef
from bot.core.journal.events import Event, SpecProposed, SpecWithdrawn
from bot.core.values.candidate import CommitRecipe, PushOutcome, RefUpdate
from bot.core.values.ids import Ref
from bot.core.values.repository import PullState, RepositoryFacts
from bot.ports import Retryable, UserError
from bot.shell.process_ports import Ports


def propose_spec(ports: Ports, facts: RepositoryFacts, effect: ef.ProposeSpec) -> tuple[Event, ...]:
    """Put the text on the branch, on main as it was; open the pull where none is open."""
    git = ports.git
    tree = git.edit_tree(facts, effect.base, {effect.path: effect.text.encode()})
    recipe = CommitRecipe(
        tree=tree,
        parents=(effect.base,),
        message=effect.message,
        author_name="headgate[bot]",
        author_email=f"headgate[bot]@{facts.mail_domain}",
        at=effect.at.replace(microsecond=0),
    )
    commit = git.commit(facts, recipe)
    ref = Ref(f"refs/heads/{effect.branch}")
    there = git.remote_ref(facts, ref)
    if there != commit:
        _move(ports, facts, RefUpdate(ref=ref, old=there, new=commit))
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


def withdraw_spec(
    ports: Ports, facts: RepositoryFacts, effect: ef.WithdrawSpec
) -> tuple[Event, ...]:
    """Close the pull, where it is open; one that was merged or closed is left as it is."""
    pull = ports.forge.pull(facts, effect.pull)
    if pull is not None and pull.state is PullState.OPEN:
        ports.forge.close_pull(facts, effect.pull)
    return (SpecWithdrawn(issue=effect.issue),)


def _move(ports: Ports, facts: RepositoryFacts, update: RefUpdate) -> None:
    result = ports.git.push(facts, (update,))
    if result.outcome is PushOutcome.STALE:
        raise Retryable(f"A ref moved under a push: {result.sentence}")
    if result.outcome is PushOutcome.REFUSED:
        raise UserError(f"GitHub refused a push: {result.sentence}")
