"""A fault for every guard of the gate `secrets`, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

SECRETS = "test_secrets_gate.py::"
GATE = "secrets_gate.py"

FAULTS = [
    PlantedFault(
        "secret_rules.py",
        "if secret.value not in known and secret.value",
        "if secret.value",
        "test_secrets_gate.py::test_a_file_of_keys_is_looked_through_in_linear_time",
    ),
    PlantedFault(
        "registry.py",
        "BuiltinGate(Judges.DIFF, check_secrets)",
        "BuiltinGate(Judges.DIFF, check_junk)",
        "scenarios/test_secrets_in_pulls.py::test_a_pull_with_a_key_leaves_the_queue",
    ),
    PlantedFault(
        GATE,
        "        Ending.FAILED,\n",
        "        Ending.PASSED,\n",
        SECRETS + "test_a_key_that_is_added_is_red_at_its_line",
    ),
    PlantedFault(
        GATE,
        "if text[at.start() : end] in earlier or",
        "if",
        SECRETS + "test_a_secret_that_is_already_on_base_is_not_reported",
    ),
    PlantedFault(
        GATE,
        "subject.before([path, *deleted])",
        "subject.before([path])",
        SECRETS + "test_a_secret_that_is_already_on_base_is_not_reported",
    ),
    PlantedFault(
        GATE,
        'end = at.end() + (_OF_A_KEY if "PRIVATE KEY" in value else 0)',
        "end = at.end()",
        SECRETS + "test_another_private_key_in_its_place_is_found",
    ),
    PlantedFault(
        GATE,
        "if not (one.is_allowed and subject.settings.is_of_person)]",
        "if not one.is_allowed]",
        SECRETS + "test_a_person_may_mark_the_line_of_a_made_up_key",
    ),
    PlantedFault(
        GATE,
        "ALLOWED in whole)",
        "ALLOWED in text)",
        SECRETS + "test_a_mark_is_for_its_own_line",
    ),
    PlantedFault(
        GATE,
        "    unread = [path for path in paths if path not in read]\n",
        "    unread: list[str] = []\n",
        SECRETS + "test_files_too_large_to_scan_are_named",
    ),
    PlantedFault(
        "secret_rules.py",
        '.decode("utf-8", "replace").replace("\\0", "")',
        '.decode("utf-8", "replace")',
        SECRETS + "test_a_key_that_is_added_is_red_at_its_line",
    ),
    PlantedFault(
        "profiles/profile.py",
        '("scope_check", "secrets", ',
        '("scope_check", ',
        "test_profiles.py::test_a_first_policy_has_gates_of_headgates_own",
    ),
    PlantedFault(
        "profiles/profile.py",
        '"guardrails", "base_tests", ',
        '"guardrails", ',
        "test_profiles.py::test_a_first_policy_has_gates_of_headgates_own",
    ),
    PlantedFault(
        "profiles/profile.py",
        '"tests", "guardrails", ',
        '"tests", ',
        "test_profiles.py::test_a_first_policy_has_gates_of_headgates_own",
    ),
]
