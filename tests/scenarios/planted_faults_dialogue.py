"""A fault for each guard of issues that ask for work that only stories show."""

from tests.testkit.planting import PlantedFault

STORIES = "scenarios/test_issues_that_ask_for_work.py::TestWithAModel::"

DIALOGUE_FAULTS = [
    # What others say below an issue reaches no model.
    PlantedFault(
        "shell/observe_issues.py",
        "            if c.author in may\n",
        "",
        STORIES + "test_only_comments_with_write_permission_reach_the_model",
    ),
    # A reply that was written down does not lie ready for good.
    PlantedFault(
        "shell/model_calls.py",
        "    if state.model_calls:\n",
        "    if False:\n",
        STORIES + "test_the_dialogue_waits_for_an_overloaded_model_and_then_uses_rules",
    ),
    # That a text is being read is no attempt at a model.
    PlantedFault(
        "shell/model_calls.py",
        "    except Unread:\n        raise\n",
        "",
        "scenarios/test_planning_by_a_model.py::test_a_prompt_is_sent_as_soon_as_other_specs_are_parsed",
    ),
]
