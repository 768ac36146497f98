"""Faults in the runner of localhub, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

PROCESSES = "test_processes.py::"

_OWN = "test_reuse.py::test_the_repository_itself_is_named_by_a_dollar_sign_and_needs_no_checkout"

RUNNER_FAULTS = [
    PlantedFault(
        "localhub/actions/runner_api.py",
        'uses = f"{own.repository}/{uses[2:]}@{own.sha}"',
        'uses = f"{home.full_name}/{uses[2:]}@{own.sha}"',
        _OWN,
    ),
    PlantedFault(
        "localhub/actions/action_store.py",
        "return replace(found, file=_within(found.file, place))",
        "return found",
        _OWN,
    ),
    PlantedFault(
        "localhub/actions/reusable_workflows.py",
        'uses.startswith(("./", "$/"))',
        'uses.startswith("./")',
        _OWN,
    ),
    PlantedFault(
        "localhub/actions/processes.py",
        "            for stop in self._pulled - known:\n                waiting.put(stop)\n",
        "",
        PROCESSES + "test_a_stop_that_comes_while_a_step_starts_ends_it",
    ),
    PlantedFault(
        "localhub/actions/processes.py",
        "self._pulled - known:",
        "self._pulled:",
        PROCESSES + "test_a_step_that_was_wanted_after_a_cancellation_runs",
    ),
    PlantedFault(
        "localhub/actions/step_execution.py",
        "command, log.output, shared.switch, known, limit,",
        "command, log.output, shared.switch, shared.switch.pulled, limit,",
        PROCESSES + "test_a_stop_between_the_decision_for_a_step_and_its_start_ends_it",
    ),
]
