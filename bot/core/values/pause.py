"""What orders wait for, because it is nobody's attempt: the causes of a pause."""

from enum import StrEnum

from action.report import Obstacle


class Cause(StrEnum):
    """Why an order ended as deferred, in the order in which an order meets them.

    An order that met one of them got past all before it.
    """

    NO_WORKFLOW = "no_workflow"
    NO_RUNNER = "no_runner"
    SANDBOX_REFUSED = Obstacle.SANDBOX_REFUSED.value
    FETCH_FAILED = Obstacle.FETCH_FAILED.value
    SETUP_FAILED = Obstacle.SETUP_FAILED.value
    GATE_MISSING = "gate_missing"
    PROGRAM_MISSING = Obstacle.PROGRAM_MISSING.value
    PROXY_REFUSED = Obstacle.PROXY_REFUSED.value
    MODEL_REFUSED = Obstacle.MODEL_REFUSED.value
    MODEL_UNPAID = Obstacle.MODEL_UNPAID.value
    MODEL_AWAY = Obstacle.MODEL_AWAY.value

    def is_before(self, other: "Cause") -> bool:
        """Whether an order that met `other` had got past this."""
        met = list(Cause)
        return met.index(self) < met.index(other)


# What a commit may bring upon itself: where main does better, the fault is the commit's.
OF_A_TREE = frozenset({Cause.FETCH_FAILED, Cause.SETUP_FAILED, Cause.GATE_MISSING})

# Nothing that is committed to main ends these.
OF_THE_MODEL = frozenset({Cause.MODEL_REFUSED, Cause.MODEL_UNPAID, Cause.MODEL_AWAY})

# The server's words to a job that gets no order, before the reason. The job repeats them as an error, by which
# we recognise it when we read the job's errors.
NO_LEASE = "No lease: "
