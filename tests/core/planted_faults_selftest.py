"""Faults in self-tests that are asked for in comments, and the story that each must make fail."""

from tests.testkit.planting import PlantedFault

STORY = "scenarios/test_selftest.py::"
HOSTED = "action/test_hosted_machines.py::"
CORE = "core/test_stories_of_self_tests.py::"

SELF_TEST_FAULTS = [
    PlantedFault(
        "core/decide/people/self_test.py",
        "if isinstance(effect, RunSelfTest):",
        "if False:",
        CORE + "test_a_second_self_test_waits_for_the_first",
    ),
    PlantedFault(
        "core/talk/commands.py",
        'place=Place.ANYWHERE,\n        role=Role.WRITE,\n        twice="The reply says if',
        'place=Place.ANYWHERE,\n        role=Role.READ,\n        twice="The reply says if',
        CORE + "test_the_selftest_command_needs_write_permission",
    ),
    PlantedFault(
        "core/talk/selftest_text.py",
        "{inert(line.says)}",
        "{line.says}",
        CORE + "test_the_answer_is_a_table_with_escaped_text",
    ),
    PlantedFault(
        "shell/self_tests.py",
        "ports.readings.begin(kept_as, ports.clock.now()) != 1",
        "ports.readings.begin(kept_as, ports.clock.now()) is None",
        STORY + "test_a_self_test_that_never_ends_is_reported_and_not_repeated",
    ),
    PlantedFault(
        "shell/self_tests.py",
        "        and now < effect.asked_at + SELF_TEST_WITHIN\n",
        "",
        STORY + "test_a_self_test_that_never_ends_is_reported_and_not_repeated",
    ),
    PlantedFault(
        "shell/selftest.py",
        "if any(one.weight is Weight.REFUSES for one in found):",
        "if False:",
        STORY + "test_the_self_test_reports_a_rule_that_refuses_every_landing",
    ),
    PlantedFault(
        "shell/selftest.py",
        'inputs["runs_on"] = json.dumps(asked)',
        "pass",
        STORY + "test_the_self_test_uses_the_runner_of_the_policy",
    ),
    PlantedFault(
        "core/state/refusing_rules.py",
        "rules.labels_online is not None and label in asked and",
        "rules.labels_online is not None and",
        "core/test_stories_of_rules.py::TestFindings::test_a_runner_label_that_is_not_used_is_not_missed",
    ),
    PlantedFault(
        "core/spec/policy_file.py",
        "runs_on: RunnerLabels | dict[RunsOnFor, RunnerLabels] =",
        "runs_on: dict[RunsOnFor, RunnerLabels] =",
        "core/test_policy.py::test_one_choice_of_runner_is_for_all_orders",
    ),
    PlantedFault(
        "hosted.sh",
        "if ! command -v bwrap >/dev/null; then",
        "if true; then",
        HOSTED + "test_installed_tools_of_a_hosted_machine_are_not_replaced",
    ),
    PlantedFault(
        "hosted.sh",
        "exit 2' ERR",
        "exit 0' ERR",
        HOSTED + "test_a_failed_installation_is_an_error_with_the_command",
    ),
    PlantedFault(
        "action.yml",
        ' && [ -z "$HEADGATE_HARNESS" ]',
        "",
        HOSTED + "test_other_machines_are_not_set_up",
    ),
    PlantedFault(
        "shell/reconcile.py",
        "model_calls.without_reply(ports, state) | self_tests.without_result(ports, state)",
        "model_calls.without_reply(ports, state)",
        STORY + "test_a_self_test_command_is_answered_with_the_table",
    ),
    PlantedFault(
        "adapters/doorbell/redis_queue.py",
        "bot.entry.worker.self_test",
        "bot.entry.worker.selftest",
        "entry/test_jobs_of_workers.py::test_every_queued_job_name_exists",
    ),
]
