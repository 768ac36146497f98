"""Has GitHub make a commit of ours, and so sign it, where a rule asks for signatures.

Everything but author, committer and time is ours: tree and parents are compared in git itself. What
becomes of the commit goes by the SHA that the journal keeps, not by making it again.
"""

from bot.core.journal.state import RepositoryState
from bot.core.state.refusing_rules import needs_signatures
from bot.core.talk.refusal_text import not_signed
from bot.core.values.candidate import CommitRecipe, RefUpdate
from bot.core.values.ids import Ref, Sha
from bot.core.values.repository import RepositoryFacts
from bot.ports import Retryable
from bot.shell.failure import NotPushed
from bot.shell.own_pushes import push_all
from bot.shell.process_ports import Ports


def sign(ports: Ports, facts: RepositoryFacts, ref: Ref, recipe: CommitRecipe) -> tuple[Sha, Sha]:
    """What `ref`, which is ours, names now, and the signed commit that it is to name.

    Until then it names the unsigned one, because GitHub signs only a tree that it has. A second time,
    what the ref names is taken if it is signed; a signed commit that no ref names is nothing.
    """
    ours = ports.git.commit(facts, recipe)
    there = ports.git.remote_ref(facts, ref)
    if there is not None and there != ours and _is_signed(ports, facts, there, recipe):
        return there, there
    if there != ours:
        push_all(ports, facts, RefUpdate(ref=ref, old=there, new=ours))
    made = ports.forge.sign_commit(facts, recipe.tree, recipe.parents, recipe.message)
    if not made.is_verified:
        raise NotPushed(not_signed(made.reason))
    if not _is_made_of(ports, facts, made.sha, recipe):
        raise Retryable(f"GitHub signed another commit than the one asked for: {made.sha}")
    return ours, made.sha


def put_on_branch(
    ports: Ports, facts: RepositoryFacts, state: RepositoryState, branch: Ref, recipe: CommitRecipe
) -> None:
    """Have a branch that only we write name the commit of a recipe, whatever it names now.

    It is signed where main asks for that, and where this branch alone does: only its refusal tells.
    """
    ours = ports.git.commit(facts, recipe)
    there = ports.git.remote_ref(facts, branch)
    if not needs_signatures(state):
        try:
            if there != ours:
                push_all(ports, facts, RefUpdate(ref=branch, old=there, new=ours))
        except NotPushed as refused:
            if not refused.refusal.asks_for_signatures:
                raise
        else:
            return
    if there is not None and _is_signed(ports, facts, there, recipe):
        return
    # GitHub signs a tree that it has, and the branch takes no unsigned commit: it comes by another ref.
    by = Ref(f"refs/headgate/signing/{branch.removeprefix('refs/heads/')}")
    on_the_way, signed = sign(ports, facts, by, recipe)
    gone = RefUpdate(ref=by, old=on_the_way, new=None)
    push_all(ports, facts, RefUpdate(ref=branch, old=there, new=signed), gone)


def _is_signed(ports: Ports, facts: RepositoryFacts, sha: Sha, recipe: CommitRecipe) -> bool:
    known = ports.forge.signed_commit(facts, sha)
    return known is not None and known.is_verified and _is_made_of(ports, facts, sha, recipe)


def _is_made_of(ports: Ports, facts: RepositoryFacts, sha: Sha, recipe: CommitRecipe) -> bool:
    """Whether a commit of GitHub's has exactly the tree and the parents of the recipe."""
    if not ports.git.has(facts, sha):
        ports.git.fetch_commit(facts, sha)
    if ports.git.tree_of(facts, sha) != recipe.tree:
        return False
    line = ports.git.history(facts, recipe.parents[0], sha) or ()
    return [commit.parents for commit in line] == [recipe.parents]
