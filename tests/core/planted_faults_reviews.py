"""A fault for every guard of reviews: who is heard, once, and what is asked of GitHub."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_reviews.py::"
HEAR = "core/decide/people/hear_reviews.py"
REVIEWS = "core/state/reviews.py"

REVIEW_FAULTS = [
    PlantedFault(
        HEAR,
        "if not found.role.covers(ROWS[Verb.TELL].role or Role.WRITE):",
        "if False:",
        STORIES + "test_who_may_not_write_is_not_obeyed_and_not_answered",
    ),
    PlantedFault(
        HEAR,
        "role or Role.WRITE):\n        return\n",
        "role or Role.WRITE):\n        decision.emit(ReviewCommentRead(change=change.id, comment=comment.id, "
        "author=comment.author, outcome='not_permitted'))\n        return\n",
        STORIES + "test_the_journal_does_not_grow_by_what_strangers_say_in_reviews",
    ),
    PlantedFault(
        HEAR,
        'told_text.command_in_review() if read_commands(comment.body) else ""',
        '""',
        STORIES + "test_what_no_agent_is_told_is_refused_with_one_sentence",
    ),
    PlantedFault(
        "core/decide/decision.py",
        "if comment.key not in self.state.published:",
        "if subject:",
        STORIES + "test_a_review_without_a_run_that_hears_is_answered_once",
    ),
    PlantedFault(
        HEAR,
        "    elif not hears(decision, change):",
        "    elif False:",
        STORIES + "test_a_program_reads_it_with_its_next_attempt",
    ),
    PlantedFault(
        "core/decide/changes/tell_agents.py",
        "    if len(change.told) >= TOLD_MAX:",
        "    if False:",
        STORIES + "test_no_change_is_told_more_than_fifty_things_by_reviews",
    ),
    PlantedFault(
        "core/decide/changes/tell_agents.py",
        "if len(comment.body) > TEXT_CHARACTERS_MAX:",
        "if False:",
        STORIES + "test_what_no_agent_is_told_is_refused_with_one_sentence",
    ),
    PlantedFault(
        REVIEWS,
        "return comment.author_is_person and change is not None and",
        "return change is not None and",
        STORIES + "test_comments_of_bots_and_apps_are_not_commands",
    ),
    PlantedFault(
        REVIEWS,
        "change is not None and comment.id not in change.reviews_read\n\n\ndef",
        "change is not None\n\n\ndef",
        STORIES + "test_a_comment_is_read_once_however_often_it_is_seen",
    ),
    PlantedFault(
        REVIEWS,
        " and change.state is not ChangeState.LANDED",
        "",
        STORIES + "test_a_change_that_landed_is_told_nothing_by_reviews",
    ),
    PlantedFault(
        REVIEWS,
        "    if not any(reviewed_change(state, pull) for pull in state.open_pulls):\n        return None\n",
        "",
        STORIES + "TestLooks::test_without_a_pull_nothing_is_listed",
    ),
    PlantedFault(
        REVIEWS,
        ".replace(hour=0, minute=0, second=0, microsecond=0)",
        "",
        STORIES + "TestLooks::test_with_a_pull_a_look_at_everything_lists_those_of_a_day",
    ),
    PlantedFault(
        REVIEWS,
        "        return state.reviews_seen_to - _OVERLAP",
        "        return state.reviews_seen_to",
        STORIES + "TestLooks::test_what_was_listed_is_not_listed_again_but_for_five_minutes",
    ),
    PlantedFault(
        "core/state/webhook.py",
        '{("issue_comment", "created"), (',
        "{(",
        "core/test_webhook.py::test_what_a_delivery_points_at",
    ),
    PlantedFault(
        "core/state/webhook.py",
        ', ("issues", "edited")})',
        "})",
        "core/test_webhook.py::test_what_a_delivery_points_at",
    ),
    PlantedFault(
        "core/state/webhook.py",
        'case "pull_request_review_comment" if action == "created":',
        'case "pull_request_review_comment":',
        "core/test_webhook.py::test_what_a_delivery_points_at",
    ),
    PlantedFault(
        "adapters/github/shapes.py",
        'has_line = self.side != "LEFT" and',
        "has_line =",
        "adapters/test_github_answers.py::"
        "test_a_comment_of_a_review_names_a_line_of_the_file_as_the_pull_has_it",
    ),
    PlantedFault(
        "agents/prompt.py",
        '    return f", in a review of `{_one_line(one.path)}`{line}{thread}"',
        '    return f", in a review of `{one.path}`{line}{thread}"',
        "action/test_order_texts.py::test_a_path_in_a_review_cannot_start_a_line",
    ),
]
