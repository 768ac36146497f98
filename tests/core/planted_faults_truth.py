"""A fault for every guard of coverage, replan, register and stale deltas, and the test that dies."""

from tests.testkit.planting import PlantedFault

COVERAGE = "core/state/test_coverage.py::"
MENTIONS = "core/spec/test_mentions.py::"
STALE = "core/spec/test_stale.py::"
REPLANS = "core/test_stories_of_replans.py::"
IDS = "core/test_stories_of_ids.py::"

TRUTH_FAULTS = [
    PlantedFault(
        "core/state/coverage.py",
        "if not m.version or m.version[:_VERSION_DIGITS] == version]",
        "if m.test]",
        COVERAGE + "test_each_coverage_status_is_distinguished",
    ),
    PlantedFault(
        "core/state/coverage.py",
        "    if passed.is_whole:\n",
        "    if passed.names:\n",
        COVERAGE + "test_each_coverage_status_is_distinguished",
    ),
    PlantedFault(
        "core/state/coverage.py",
        " and _may_stand_in(mention.path, stem, name)",
        "",
        COVERAGE + "test_a_test_of_another_file_with_the_same_name_does_not_count",
    ),
    PlantedFault(
        "core/state/coverage.py",
        'if alike[m.id.partition("#")[2]] == 1 or',
        "if alike or",
        COVERAGE + "test_an_id_used_in_two_specs_needs_its_spec_name_or_path",
    ),
    PlantedFault(
        "core/spec/triage/mentions.py",
        "        if test is None or not test.is_hollow:\n",
        "        if token.string:\n",
        MENTIONS + "test_python_tests_name_requirements_in_strings_and_comments",
    ),
    PlantedFault(
        "core/state/outlook.py",
        "    if cycles and missing.issuperset(cycles[-1].requirements):\n",
        "    if cycles and not missing:\n",
        REPLANS
        + "TestUntestedRequirements::test_at_most_three_cycles_and_each_must_cover_something",
    ),
    PlantedFault(
        "core/state/outlook.py",
        "    return failed_at_work and len(change.planned.requirements) > 1\n",
        "    return failed_at_work\n",
        REPLANS + "TestFailedRequirements::test_a_single_failed_requirement_is_not_planned_again",
    ),
    PlantedFault(
        "core/decide/specs/replan_uncovered.py",
        "    if main is None or tests is None or tests.commit != main:\n",
        "    if main is None or tests is None:\n",
        REPLANS + "TestUntestedRequirements::test_tests_of_an_older_main_do_not_count",
    ),
    PlantedFault(
        "core/state/outlook.py",
        "    if at_end.cycles_max == 0:\n        return Outlook.SWITCHED_OFF\n",
        "",
        REPLANS
        + "TestFailedRequirements::test_no_requirement_is_planned_again_if_the_policy_says_never",
    ),
    PlantedFault(
        "core/journal/transitions.py",
        "_on(ev.UncoveredReplanned, _in_place(_R.RUNNING), no_plan, another_cycle)",
        "_on(ev.UncoveredReplanned, _in_place(_R.RUNNING), no_plan)",
        REPLANS + "test_a_repeated_cycle_event_counts_once",
    ),
    PlantedFault(
        "core/decide/people/retry_and_stop.py",
        "    if ended and all(decision.state.is_replaced(c) for c in ended):\n",
        "    if not ended:\n",
        REPLANS
        + "TestFailedRequirements::test_the_replaced_change_is_not_retried_and_its_issue_is_closed",
    ),
    PlantedFault(
        "core/decide/specs/register_ids.py",
        "shares[best] >= _MOVED_SHARE else None",
        "shares[best] >= 0 else None",
        IDS + "test_a_file_that_was_moved_keeps_its_ids_and_another_new_file_gets_its_own",
    ),
    PlantedFault(
        "core/state/observed.py",
        "registered_ids=not state.register_now.entries,",
        "registered_ids=True,",
        IDS + "test_a_journal_with_ids_reads_none_from_main",
    ),
    PlantedFault(
        "core/talk/candidate_content.py",
        "    return () if is_filed else entries\n",
        "    return entries if entries or is_filed else ()\n",
        IDS + "test_candidates_carry_the_ids_until_one_has_landed",
    ),
    PlantedFault(
        "core/journal/evolve_change.py",
        "{**change.accepted_blocks, **change.edited_blocks}",
        "{**change.accepted_blocks}",
        IDS + "test_a_retry_accepts_only_the_edits_that_were_shown",
    ),
    PlantedFault(
        "core/spec/archive/stale.py",
        "            if now not in {base, _hash(operation.text)}:\n",
        "            if now != base:\n",
        STALE + "test_only_an_edit_of_the_block_itself_counts",
    ),
    PlantedFault(
        "core/spec/archive/stale.py",
        " or not owned.intersection(operation.names):",
        ":",
        STALE + "test_operations_of_other_changes_are_not_looked_at",
    ),
]
