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
        STORIES + "test_reviews_without_write_permission_are_ignored",
    ),
    PlantedFault(
        HEAR,
        "role or Role.WRITE):\n        return\n",
        "role or Role.WRITE):\n        decision.emit(ReviewCommentRead(change=change.id, comment=comment.id, "
        "author=comment.author, outcome='not_permitted'))\n        return\n",
        STORIES + "test_reviews_by_strangers_do_not_grow_the_journal",
    ),
    PlantedFault(
        HEAR,
        'told_text.command_in_review() if read_commands(comment.body) else ""',
        '""',
        STORIES + "test_an_unusable_review_text_is_refused_once",
    ),
    PlantedFault(
        "core/decide/decision.py",
        "if comment.key not in self.state.published:",
        "if subject:",
        STORIES + "test_a_review_without_a_running_agent_is_answered_once",
    ),
    PlantedFault(
        HEAR,
        "    elif not hears(decision, change):",
        "    elif False:",
        STORIES + "test_a_program_gets_the_review_with_its_next_attempt",
    ),
    PlantedFault(
        "core/decide/changes/tell_agents.py",
        "    if len(change.told) >= TOLD_MAX:",
        "    if False:",
        STORIES + "test_at_most_fifty_review_comments_reach_a_change",
    ),
    PlantedFault(
        "core/decide/changes/tell_agents.py",
        "if len(comment.body) > TEXT_CHARACTERS_MAX:",
        "if False:",
        STORIES + "test_an_unusable_review_text_is_refused_once",
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
        STORIES + "test_a_review_comment_is_read_once",
    ),
    PlantedFault(
        REVIEWS,
        " and change.state is not ChangeState.LANDED",
        "",
        STORIES + "test_reviews_of_a_landed_change_are_ignored",
    ),
    PlantedFault(
        REVIEWS,
        "    if not any(reviewed_change(state, pull) for pull in state.open_pulls):\n        return None\n",
        "",
        STORIES + "TestLooks::test_without_a_pull_no_reviews_are_listed",
    ),
    PlantedFault(
        REVIEWS,
        ".replace(hour=0, minute=0, second=0, microsecond=0)",
        "",
        STORIES + "TestLooks::test_a_full_look_lists_review_comments_of_the_last_day",
    ),
    PlantedFault(
        REVIEWS,
        "        return state.reviews_seen_to - _OVERLAP",
        "        return state.reviews_seen_to",
        STORIES + "TestLooks::test_listed_reviews_are_read_again_for_five_minutes",
    ),
    PlantedFault(
        "core/state/webhook.py",
        '{("issue_comment", "created"), (',
        "{(",
        "core/test_webhook.py::test_a_delivery_is_read_as_hints",
    ),
    PlantedFault(
        "core/state/webhook.py",
        ', ("issues", "edited")})',
        "})",
        "core/test_webhook.py::test_a_delivery_is_read_as_hints",
    ),
    PlantedFault(
        "core/state/webhook.py",
        'case "pull_request_review_comment" if action == "created":',
        'case "pull_request_review_comment":',
        "core/test_webhook.py::test_a_delivery_is_read_as_hints",
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
