"""A fault for every guard of planning by a model, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

AGAIN = "core/test_stories_of_replanning_by_a_model.py::"
MISSING = AGAIN + "TestWhatIsMissing::"
EDIT = AGAIN + "TestAnEdit::"

PLANNING_FAULTS = [
    PlantedFault(
        "core/plan/asking/law.py",
        "if set(failed) <= set(change.requirements)",
        "if set(failed) < set()",
        MISSING + "test_what_failed_together_is_not_accepted_together_once_more",
    ),
    PlantedFault(
        "core/spec/replan.py",
        "if row.status not in _FOR_A_TEST]",
        "if row.status]",
        MISSING + "test_a_missing_test_is_nobodys_question",
    ),
    PlantedFault(
        "core/spec/replan.py",
        "    if failure:\n        return nobody",
        "    if not failure:\n        return nobody",
        MISSING + "test_a_model_that_is_away_keeps_nobody_waiting",
    ),
    PlantedFault(
        "core/spec/replan.py",
        "run.replanning is not None and run.replanning.edit is not None",
        "run.replanning is None and run.amendment is not None",
        EDIT + "test_meanwhile_the_rest_goes_on_and_nothing_can_be_approved",
    ),
    PlantedFault(
        "core/talk/answers.py",
        "    if run.replanning is not None and run.replanning.edit is not None:\n",
        "    if run.planning is not None and run.replanning is not None:\n",
        EDIT + "test_meanwhile_the_rest_goes_on_and_nothing_can_be_approved",
    ),
    PlantedFault(
        "core/spec/amending.py",
        "    if run.amendment is not None or is_edited:\n",
        "    if run.amendment is not None:\n",
        EDIT + "test_an_edit_that_is_taken_back_meanwhile_goes_on_as_approved",
    ),
    PlantedFault(
        "core/spec/amending.py",
        "    if rest.requirements and planning.is_for_model(draft):\n",
        "    if planning.is_for_model(draft):\n",
        EDIT + "test_an_edit_that_only_takes_away_asks_nothing",
    ),
    PlantedFault(
        "core/journal/evolve_planning.py",
        "        case _ if isinstance(event, _Ended) and run.replanning is not None:\n",
        "        case ev.UncoveredReplanned() if run.replanning is not None:\n",
        EDIT + "test_a_run_that_is_stopped_meanwhile_waits_for_no_answer",
    ),
]
