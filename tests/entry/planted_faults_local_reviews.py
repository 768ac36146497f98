"""A fault for every guard of a model's review on one's own machine, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

REVIEW = "entry/commands/gates_review.py"
RUN = "entry/commands/gates_run.py"
UNIT = "entry/test_local_reviews.py::"
COMMAND = "test_command_line_reviews.py::"

LOCAL_REVIEW_FAULTS = [
    PlantedFault(
        REVIEW,
        "    settings = Settings(_env_file=None)\n",
        "    settings = Settings()\n",
        "security/test_keys_on_laptops.py::test_an_env_file_in_the_clone_cannot_redirect_the_model_key",
    ),
    PlantedFault(
        REVIEW,
        "            why = over_budget(upper, self.use.dollars, self._gate.dollars_max)\n",
        '            why = ""\n',
        UNIT + "test_a_review_that_may_exceed_the_cost_limit_is_not_requested",
    ),
    PlantedFault(
        REVIEW,
        "            if left <= 0:\n",
        "            if False:\n",
        UNIT + "test_a_busy_model_is_asked_again_until_the_gates_time_is_over",
    ),
    PlantedFault(
        REVIEW,
        "                self._keep(self._kept.replace(answers=dict(answers)))\n",
        "",
        UNIT + "test_no_answer_is_paid_for_twice",
    ),
    PlantedFault(
        REVIEW,
        "                        ledger=step.ledger,\n",
        "",
        UNIT + "test_the_next_review_asks_first_whether_the_findings_are_closed",
    ),
    PlantedFault(
        REVIEW,
        "        is_same = self._kept.passed_of == self._name_of_diff()\n",
        "        is_same = True\n",
        UNIT + "test_a_passed_review_is_reused_until_the_diff_or_the_policy_changes",
    ),
    PlantedFault(
        REVIEW,
        "                is_pass = step.result.ending is Ending.PASSED\n",
        "                is_pass = True\n",
        UNIT + "test_a_file_missing_in_the_answer_does_not_pass_and_is_reviewed_again",
    ),
    PlantedFault(
        REVIEW,
        "mode=0o700, parents=True",
        "parents=True",
        UNIT + "test_an_unreadable_cached_review_is_ignored",
    ),
    PlantedFault(
        "gates/graded/chunks.py",
        " if len(paths) <= FILES_MAX else ({}, {})",
        "",
        UNIT + "test_the_diff_is_read_as_on_a_server",
    ),
    PlantedFault(
        "gates/graded/rounds.py",
        "        if not self._subject.files:\n",
        "        if False:\n",
        UNIT + "test_an_empty_diff_is_not_sent_to_a_model",
    ),
    PlantedFault(
        RUN,
        "    if reviews and _is_red(gates, results):\n",
        "    if False:\n",
        COMMAND + "test_a_model_is_called_after_the_other_gates_passed",
    ),
    PlantedFault(
        RUN,
        "if options.review or g.name in options.only)",
        "if g.name)",
        COMMAND + "test_no_model_is_called_without_an_explicit_option",
    ),
    PlantedFault(
        RUN,
        "    return 0 if said else 2\n",
        "    return 0\n",
        COMMAND + "test_a_review_without_a_key_could_not_run",
    ),
    PlantedFault(
        REVIEW,
        "            return None\n        texts = [chunk.text for chunk in chunks]\n",
        "            chunks = ()\n        texts = [chunk.text for chunk in chunks]\n",
        UNIT + "test_a_diff_that_is_too_long_is_not_treated_as_empty",
    ),
]
