"""A fault for every guard of `headgate gates run`, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

GATES = "test_command_line_gates.py::"
PROVEN = "test_command_line_gates.py::test_requirements_are_proven_on_a_local_machine"

STEERED = (
    "test_command_line_gates.py::test_changes_to_steering_files_are_reported_on_a_local_machine"
)

GATES_RUN_FAULTS = [
    PlantedFault(
        "entry/commands/gates_run.py",
        "if here.steering.shadows:",
        "if not here:",
        STEERED,
    ),
    PlantedFault(
        "entry/commands/gates_run.py",
        "        say(steered_here_text(steering))\n",
        "        pass\n",
        STEERED,
    ),
    PlantedFault(
        "entry/commands/gates_run.py",
        "with_proof(report, here.policy, here.asked).results",
        "report.results",
        PROVEN,
    ),
    PlantedFault(
        "entry/commands/gates_run.py",
        "        requirements=here.asked.asked,\n",
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
    PlantedFault(
        "entry/commands/gates_run.py",
        "            errors.print(plain_text(order.sentence))\n",
        "",
        GATES + "test_a_failing_setup_is_reported_and_no_gate_runs",
    ),
    PlantedFault(
        "entry/commands/gates_run.py",
        "                judge.terminate()\n",
        "                judge.kill()\n",
        GATES + "test_an_interrupted_run_leaves_no_files",
    ),
    PlantedFault(
        "action/command_line.py",
        "    _end_with_parent()\n",
        "",
        GATES + "test_an_interrupted_run_leaves_no_files",
    ),
    PlantedFault(
        "action/harness/local.py",
        "    except (HaltedError, SandboxEndedError):\n",
        "    except ZeroDivisionError:\n",
        GATES + "test_an_interrupted_run_leaves_no_files",
    ),
    PlantedFault(
        "entry/commands/gates_run.py",
        'builtin == "scope_check" and here.left == here.head',
        "False",
        GATES + "test_on_main_gates_that_need_a_diff_are_skipped",
    ),
]
