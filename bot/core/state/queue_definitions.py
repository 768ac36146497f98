"""By which gates a person's pull is judged: main's and, where it brings a policy, those of that, too.

Nobody weakens the gates by which a pull is judged with the pull itself, and no gate comes to main that
fails on it.
"""

from bot.core.journal.state import Candidate
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


def definitions_of(policy: Policy, candidate: Candidate) -> tuple[Policy, ...]:
    """What must pass on a pull's candidate, main's definitions first."""
    brought = brought_policy(policy, candidate)
    others = (brought.of_pulls(),) if isinstance(brought, Policy) else ()
    return (policy.of_pulls(), *others)


def judged_pull(candidate: Candidate) -> Judged:
    """A pull's candidate, as its gates are given it."""
    return Judged(commit=candidate.sha, tree=candidate.tree, diff=candidate.diff_digest)
