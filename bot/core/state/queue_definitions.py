"""By which gates a person's pull is judged: main's and, where it brings a policy, those of that, too.

Nobody weakens the gates by which a pull is judged with the pull itself, and no gate comes to main that
fails on it.
"""

from bot.core.journal.state import Candidate, QueuedPull
from bot.core.spec.policy import Policy, PolicyRefusal, read_policy
from bot.core.state.evidence import Judged


def brought_policy(policy: Policy, candidate: Candidate) -> Policy | PolicyRefusal | None:
    """The policy that main would have with the candidate; None where it has that already.

    Orders go to the workflows of main, and tests of main that are in quarantine stay there.
    """
    if candidate.policy_after is None:
        return None
    brought = read_policy(candidate.policy_after)
    if isinstance(brought, PolicyRefusal):
        return brought
    file = brought.file.replace(gates_workflow=policy.file.gates_workflow)
    return brought.replace(file=file, quarantine=policy.quarantine)


def policy_of(policy: Policy, pull: QueuedPull) -> Policy:
    """The policy with the gates of a person's pull, as its code may run."""
    return policy.of_forks() if pull.is_from_fork else policy.of_pulls()


def definitions_of(policy: Policy, pull: QueuedPull, candidate: Candidate) -> tuple[Policy, ...]:
    """What must pass on a pull's candidate, main's definitions first. A fork brings none."""
    brought = None if pull.is_from_fork else brought_policy(policy, candidate)
    others = (brought.of_pulls(),) if isinstance(brought, Policy) else ()
    return (policy_of(policy, pull), *others)


def judged_pull(candidate: Candidate) -> Judged:
    """A pull's candidate, as its gates are given it."""
    return Judged(commit=candidate.sha, tree=candidate.tree, diff=candidate.diff_digest)
