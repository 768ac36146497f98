"""A fault for what guardrails rest on alone, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

FAULTS = [
    PlantedFault(
        "core/spec/policy_file.py",
        'ALWAYS_PROTECTED = ("/.github/", "/.headgate/")',
        'ALWAYS_PROTECTED = ("/.github/headgate.yml",)',
        "test_guardrails.py::test_a_change_cannot_weaken_its_own_guardrails",
    ),
    PlantedFault(
        "guardrails.py",
        "Ending.FAILED if is_red else Ending.PASSED",
        "Ending.PASSED",
        "test_guardrails.py::test_a_change_cannot_weaken_its_own_guardrails",
    ),
    PlantedFault(
        "shell/perform_git.py",
        "raised=gates_raised(ports, facts, effect, sha)",
        "raised=()",
        "test_guardrails.py::test_a_gate_required_for_its_paths_stops_the_work",
    ),
]
