"""What an agent is told of the tests that its work needs."""

from bot.core.spec.policy import Policy
from gates.proof import ProofLevel

_BEYOND = {
    ProofLevel.L3: "It runs lines that your work adds.",
    ProofLevel.L4: "It runs lines that your work adds, and fails by an assertion without them.",
}


def planned_tests(policy: Policy) -> tuple[str, ...]:
    """One line for each thing that the gate `spec_verify` asks; none where there is no such gate."""
    if policy.level is ProofLevel.NONE:
        return ()
    lines = [
        "Each requirement has a test that names its id (in the test's name, or in a comment or a string in "
        "it), asserts something and passes."
    ]
    if policy.level in _BEYOND:
        lines.append(_BEYOND[policy.level])
    if wanted := policy.tests_per_scenario:
        tests = "a test that passes" if wanted == 1 else f"{wanted} tests that pass"
        lines.append(f"Each scenario has {tests} and whose words hold the scenario's name.")
    return tuple(lines)
