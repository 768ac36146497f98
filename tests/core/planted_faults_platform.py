"""Faults in what owners are told of their mistakes, and the story that each must make fail."""

from tests.testkit.planting import PlantedFault

BAD_INPUT = "core/test_stories_of_bad_input.py::"

BAD_INPUT_FAULTS = [
    PlantedFault(
        "core/decide/main/tell_pauses.py",
        'external_id = red or f"',
        'external_id = f"',
        BAD_INPUT + "test_further_problems_are_added_to_the_same_check_run",
    ),
    PlantedFault(
        "core/decide/main/tell_pauses.py",
        "(digest == over and red is None)",
        "digest == over",
        BAD_INPUT + "test_a_missing_runner_is_reported_until_one_is_online",
    ),
    PlantedFault(
        "core/talk/pause_text.py",
        "[_wrong(p) for p in state.pauses.values() if p.cause is not Cause.MODEL_AWAY]",
        "[_wrong(p) for p in state.pauses.values()]",
        BAD_INPUT + "test_an_unreachable_model_is_not_reported_as_bad_input",
    ),
    PlantedFault(
        "shell/orders.py",
        "    runner_taken(ports, repository)\n",
        "",
        "scenarios/test_runner_selection.py::test_a_job_of_another_workflow_gets_no_lease",
    ),
    PlantedFault(
        "adapters/github/classify.py",
        "    if status == 401 and abs(",
        "    if status == 402 and abs(",
        "adapters/test_github_classify.py::test_a_token_rejected_because_of_our_clock_names_the_clock",
    ),
]

ENVIRONMENT = "core/test_stories_of_environment.py::"
SETUP = "action/test_setup_environment.py::"

ENVIRONMENT_FAULTS = [
    PlantedFault(
        "core/spec/environment_entry.py",
        "    if name in _OF_THE_SANDBOX or name.upper().startswith(_NOBODYS):\n",
        "    if False:\n",
        ENVIRONMENT + "test_variables_of_github_and_headgate_cannot_be_named",
    ),
    PlantedFault(
        "core/state/evidence.py",
        "        *_environment(policy),\n",
        "",
        ENVIRONMENT + "test_a_result_under_another_environment_is_not_reused",
    ),
    PlantedFault(
        "action/harness/order_context.py",
        "redacted(failed, given.secrets)",
        "failed",
        SETUP + "test_a_secret_that_setup_prints_is_not_shown",
    ),
    PlantedFault(
        "action/harness/session.py",
        "    workflow.mask_variables(grant.order.environment.variables)\n",
        "",
        SETUP + "test_a_secret_that_setup_prints_is_not_shown",
    ),
    PlantedFault(
        "action/harness/setup_environment.py",
        "        if any(value in content for value in values):\n",
        "        if False:\n",
        SETUP + "test_setup_that_leaves_a_secret_for_agents_fails",
    ),
    PlantedFault(
        "action/harness/setup_environment.py",
        "    found = _CERTIFICATE.findall(text)\n",
        "    found = [text]\n",
        SETUP + "test_only_certificates_are_read_from_a_ca_file",
    ),
    PlantedFault(
        "action/harness/setup_environment.py",
        "if not outer.get(name)]",
        "if False]",
        SETUP + "test_variables_missing_on_the_runner_are_named",
    ),
]

PUSH_FAULTS = [
    PlantedFault(
        "localhub/rules.py",
        "    for ruleset in repository.rulesets if not move.deletes else []:\n",
        "    for ruleset in []:\n",
        "localhub/test_strictness.py::test_rules_refuse_pushes_and_are_listed",
    ),
    PlantedFault(
        "localhub/code_owners.py",
        "reversed(lines)",
        "lines",
        "localhub/test_pulls.py::test_a_pull_needs_the_review_of_its_code_owners",
    ),
    PlantedFault(
        "localhub/code_owners.py",
        'return (pattern, f"!{pattern}/**") if is_flat else (pattern,)',
        "return (pattern,)",
        "localhub/test_pulls.py::test_code_owner_patterns_match_as_on_github",
    ),
    PlantedFault(
        "localhub/code_owners.py",
        "contextlib.suppress(ValueError)",
        "contextlib.suppress()",
        "localhub/test_pulls.py::test_code_owner_patterns_match_as_on_github",
    ),
    PlantedFault(
        "adapters/github/rule_shapes.py",
        "            limits=with_.limits,\n",
        "",
        "adapters/test_github_rules.py::test_a_push_rule_lists_refused_paths_and_sizes",
    ),
]
