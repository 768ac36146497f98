"""A fault for every guard of planning by a model, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

AGAIN = "core/test_stories_of_replanning_by_a_model.py::"
MISSING = AGAIN + "TestMissingRequirements::"
EDIT = AGAIN + "TestEdits::"

PARTS = "core/test_stories_of_planning_in_parts.py::"
SIZES = "core/test_stories_of_sizes.py::"
AROUND = "core/prompts/test_repository_context.py::"

CHAIN = "adapters/test_model_fallback.py::"

PLANNING_FAULTS = [
    PlantedFault(
        "shell/model_fallback.py",
        "        if longest > _RETRY_AFTER_LONGEST:\n",
        "        if longest < timedelta():\n",
        CHAIN + "test_a_requested_wait_of_hours_fails_the_prompt",
    ),
    PlantedFault(
        "shell/model_fallback.py",
        "        after = max(delay_seconds(self._effect, tries), longest.total_seconds())\n",
        "        after = delay_seconds(self._effect, tries)\n",
        CHAIN + "test_the_longest_requested_wait_is_used",
    ),
    PlantedFault(
        "shell/model_fallback.py",
        "                return self._ended(PromptOutcome.FAILED, failure.sentence)\n        if longest",
        "                sentence = failure.sentence\n        if longest",
        CHAIN + "test_permanent_error_stops_fallback",
    ),
    PlantedFault(
        "shell/model_fallback.py",
        "min(_DELAY_FIRST_SECONDS * 2**tries, _DELAY_LONGEST_SECONDS)",
        "_DELAY_FIRST_SECONDS * 2**tries",
        CHAIN + "test_the_delay_doubles_up_to_a_bound_and_is_spread",
    ),
    PlantedFault(
        "core/decide/changes/size_from_label.py",
        "if snapshot is not None and snapshot.role.covers(Role.WRITE):",
        "if snapshot is not None:",
        SIZES + "test_a_size_label_without_write_permission_is_refused_once",
    ),
    PlantedFault(
        "core/decide/changes/size_from_label.py",
        "if change.issue == number and change.landed is None:",
        "if change.issue == number:",
        SIZES + "test_a_label_on_a_landed_change_is_ignored",
    ),
    PlantedFault(
        "core/decide/changes/agent_order.py",
        "agent_settings(decision.policy, decision.observed.models, change.size)",
        "agent_settings(decision.policy, decision.observed.models, change.planned.size)",
        SIZES + "test_a_label_sets_the_next_orders_budget_and_appears_in_the_plan",
    ),
    PlantedFault(
        "core/decide/specs/next_plan_prompt.py",
        "        content = (self._answer_of_brief(), *_lines_of(self._spec, parts))\n",
        "        content = (self._answer_of_brief(),)\n",
        PARTS + "test_different_changes_repeat_the_merge",
    ),
    PlantedFault(
        "core/decide/specs/next_plan_prompt.py",
        "        if self._is_waiting:\n            return None\n",
        "",
        PARTS + "test_a_large_spec_takes_a_brief_parallel_parts_and_a_merge",
    ),
    PlantedFault(
        "core/journal/evolve_planning.py",
        'stems += () if beside else (f"{Phase.MERGE}:",)',
        'stems += (f"{Phase.MERGE}:",)',
        PARTS + "test_a_rejected_merge_is_repeated_after_an_edit",
    ),
    PlantedFault(
        "core/prompts/repository_context.py",
        "        if room < 0:\n            break\n",
        "",
        AROUND + "test_the_context_grows_with_the_requirements_up_to_a_limit",
    ),
    PlantedFault(
        "core/prompts/repository_context.py",
        "    except (SyntaxError, ValueError, RecursionError, MemoryError):\n",
        "    except RecursionError:\n",
        AROUND + "test_python_that_does_not_parse_has_no_symbols",
    ),
    PlantedFault(
        "core/prompts/repository_context.py",
        "root_of(p) not in (None, own)]",
        "root_of(p) is not None]",
        AROUND + "test_only_main_specs_and_neighbouring_specs_are_related",
    ),
    PlantedFault(
        "core/prompts/plan_law.py",
        "if set(failed) <= set(change.requirements)",
        "if set(failed) < set()",
        MISSING + "test_requirements_that_failed_together_are_not_accepted_together_again",
    ),
    PlantedFault(
        "core/decide/specs/replan_uncovered.py",
        "if row.status not in NEEDS_A_TEST]",
        "if row.status]",
        MISSING + "test_a_missing_test_is_not_sent_to_a_model",
    ),
    PlantedFault(
        "core/decide/specs/replan_uncovered.py",
        "    if failure:\n        return no_model_plan",
        "    if not failure:\n        return no_model_plan",
        MISSING + "test_an_unavailable_model_does_not_delay_the_replan",
    ),
    PlantedFault(
        "core/decide/specs/replan_uncovered.py",
        "run.replanning is not None and run.replanning.edit is not None",
        "run.replanning is None and run.proposed_edit is not None",
        EDIT + "test_other_changes_continue_before_the_revision_can_be_approved",
    ),
    PlantedFault(
        "core/decide/people/approve_plan.py",
        "run.replanning is not None and run.replanning.edit is not None",
        "run.planning is not None and run.replanning is not None",
        EDIT + "test_other_changes_continue_before_the_revision_can_be_approved",
    ),
    PlantedFault(
        "core/decide/specs/spec_edit.py",
        "    if run.proposed_edit is not None or is_edited:\n",
        "    if run.proposed_edit is not None:\n",
        EDIT + "test_an_edit_reverted_during_planning_continues_as_approved",
    ),
    PlantedFault(
        "core/decide/specs/spec_edit.py",
        "    if rest.requirements and plan_by_model.is_for_model(decision):\n",
        "    if planning.is_for_model(decision):\n",
        EDIT + "test_an_edit_that_only_removes_needs_no_model",
    ),
    PlantedFault(
        "core/journal/evolve_runs.py",
        "_event: ev.SpecRunStopped) -> SpecRun:\n    return _without_replanning(run)\n",
        "_event: ev.SpecRunStopped) -> SpecRun:\n    return run\n",
        EDIT + "test_a_run_stopped_during_planning_does_not_wait_for_the_reply",
    ),
]
