"""Faults in what keeps two specs from one key, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

KEY = "test_stories_of_duplicate_keys.py::"
READINESS = "core/plan/readiness.py"
ONE_PUSH = KEY + "test_one_of_two_specs_with_the_same_key_is_planned"

PLANTED_FAULTS = [
    PlantedFault(READINESS, "    if older == path:\n", "    if True:\n", ONE_PUSH),
    PlantedFault(
        READINESS,
        " if taken == key and one in there)",
        " if taken == key)",
        KEY + "test_a_spec_that_takes_the_place_of_another_keeps_its_name",
    ),
    PlantedFault(
        READINESS,
        " if taken == key and one in there)",
        " if taken == key and one in there and one != path)",
        KEY + "test_the_first_of_two_old_specs_keeps_a_shared_key",
    ),
    PlantedFault(
        "core/decide/specs/plan_new_spec.py",
        " + same_key(path, decision.state.spec_keys, there)\n",
        "\n",
        KEY + "test_the_newer_spec_with_the_same_key_is_refused_with_the_fix[DOOR]",
    ),
    PlantedFault(
        "core/decide/specs/check_spec_pull.py",
        " - {path for path, merged in brought.items() if merged is None}\n",
        "\n",
        KEY + "test_a_pull_that_renames_the_older_spec_reports_no_duplicate",
    ),
    PlantedFault(
        "core/decide/specs/check_spec_pull.py",
        "    named = {**state.spec_keys, **{path: key_of(path) for path in new}}\n",
        "    named = {**state.spec_keys}\n",
        KEY + "test_a_pull_with_both_specs_reports_the_duplicate_key",
    ),
    PlantedFault(
        "core/plan/digest.py",
        "(*blocking(one.head), *main.blocks, *refused)",
        "(*blocking(one.head), *refused)",
        KEY + "test_a_pull_reports_a_duplicate_key_before_the_merge",
    ),
]
