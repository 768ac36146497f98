"""A fault for every guard of `headgate gates run`, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

PROVEN = "test_command_line_gates.py::test_requirements_are_proven_on_ones_own_machine"

GATES_RUN_FAULTS = [
    PlantedFault(
        "entry/commands/gates_run.py",
        "    judged = with_proof(report.report, policy, asked)\n",
        "    judged = report.report\n",
        PROVEN,
    ),
    PlantedFault(
        "entry/commands/gates_run.py",
        "        requirements=asked.asked,\n",
        "",
        PROVEN,
    ),
    PlantedFault(
        "entry/commands/gates_run.py",
        '            errors="replace",\n',
        "",
        PROVEN,
    ),
    PlantedFault(
        "entry/commands/gates_asked.py",
        "            if not of_it:\n",
        "            if False:\n",
        PROVEN,
    ),
    PlantedFault(
        "entry/commands/gates_asked.py",
        "if id_ in named or _text(then, id_) != r.text_hash",
        "if _text(then, id_) != r.text_hash",
        PROVEN,
    ),
]
