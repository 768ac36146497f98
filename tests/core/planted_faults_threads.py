"""A fault for every guard of threads of reviews: which are answered, resolved, and opened again."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_threads.py::"
ANSWER = "core/decide/changes/answer_threads.py"
FOLDS = "core/journal/evolve_threads.py"
FACTS = "core/journal/thread_state.py"
TOLD = "core/state/told.py"

FAULTS = [
    PlantedFault(
        ANSWER,
        "        if thread.is_open and said.get(thread.number)\n",
        "        if said.get(thread.number)\n",
        STORIES + "test_a_thread_that_a_person_resolved_is_no_agents_business",
    ),
    PlantedFault(
        ANSWER,
        "        if thread.is_open and said.get(thread.number)\n",
        "        if thread.is_open and said.get(thread.number, 'Mended.')\n",
        STORIES + "test_a_thread_that_the_agent_accounts_for_is_answered_and_resolved_and_no_other",
    ),
    PlantedFault(
        ANSWER,
        "[:ACCOUNT_CHARACTERS_MAX]",
        "",
        STORIES + "test_agents_words_in_a_thread_mention_nobody_and_close_nothing",
    ),
    PlantedFault(
        ANSWER,
        "is_shown = candidate.head == head.sha and change.shown == candidate.sha",
        "is_shown = True",
        STORIES + "test_a_thread_that_the_agent_accounts_for_is_answered_and_resolved_and_no_other",
    ),
    PlantedFault(
        ANSWER,
        "resolves=thread.is_touched,",
        "resolves=True,",
        STORIES + "test_a_thread_whose_file_the_work_leaves_as_it_was_is_answered_and_stays_open",
    ),
    PlantedFault(
        ANSWER,
        "if thread is not None and thread.is_resolved != seen.is_resolved:",
        "if thread is not None and seen.is_resolved and not thread.is_resolved:",
        STORIES + "test_a_thread_that_a_person_opens_again_is_told_to_the_next_agent",
    ),
    PlantedFault(
        ANSWER,
        "if thread is not None and thread.is_resolved != seen.is_resolved:",
        "if thread is not None and (thread.is_resolved or seen.is_resolved):",
        STORIES + "test_a_new_comment_opens_a_resolved_thread_and_the_next_answer_settles_it",
    ),
    PlantedFault(
        FACTS,
        "return not self.is_resolved or self.newest != self.settled",
        "return not self.is_resolved",
        STORIES + "test_a_new_comment_opens_a_resolved_thread_and_the_next_answer_settles_it",
    ),
    PlantedFault(
        FACTS,
        "return self.work is not None and self.order != self.answered and self.is_open",
        "return self.order is not None and self.order != self.answered and self.is_open",
        STORIES + "test_an_account_of_work_that_was_refused_is_told_to_nobody",
    ),
    PlantedFault(
        FACTS,
        "return self.work is not None and self.order != self.answered and self.is_open",
        "return self.work is not None",
        STORIES + "test_a_thread_is_answered_once_however_often_the_world_is_looked_at",
    ),
    PlantedFault(
        FOLDS,
        "        number=number,\n",
        "        number=known.number if known else number,\n",
        STORIES + "test_an_answer_to_what_was_said_before_answers_nothing_that_was_said_since",
    ),
    PlantedFault(
        FOLDS,
        "            is_touched = thread.path in event.paths\n",
        "            is_touched = True\n",
        STORIES + "test_a_thread_whose_file_the_work_leaves_as_it_was_is_answered_and_stays_open",
    ),
    PlantedFault(
        "core/decide/changes/settle_orders.py",
        "        take_accounts(decision, order, report)\n        return\n    decision.emit(\n",
        "        take_accounts(decision, order, report)\n        return\n"
        "    take_accounts(decision, order, report)\n    decision.emit(\n",
        STORIES + "test_an_agent_that_does_not_finish_answers_nothing",
    ),
    PlantedFault(
        TOLD,
        "    if thread is None or thread.number != number:\n",
        "    if thread is None:\n",
        STORIES + "test_an_answer_to_what_was_said_before_answers_nothing_that_was_said_since",
    ),
    PlantedFault(
        TOLD,
        "    if thread.is_open:\n",
        "    if True:\n",
        STORIES
        + "test_what_stays_open_is_told_to_the_next_agent_and_what_is_resolved_with_its_answer",
    ),
    PlantedFault(
        "core/talk/thread_text.py",
        "said = quoted(thread.account)",
        "said = f'> {thread.account}'",
        STORIES + "test_agents_words_in_a_thread_mention_nobody_and_close_nothing",
    ),
    PlantedFault(
        "core/state/reviews.py",
        "    return change is not None and bool(change.threads)\n",
        "    return True\n",
        STORIES + "test_threads_are_read_where_agents_were_told_of_some_and_not_after_the_landing",
    ),
    PlantedFault(
        "core/state/webhook.py",
        "return () if _is_by_bot(payload) else _hint(HintKind.THREAD, number)",
        "return _hint(HintKind.THREAD, number)",
        "core/test_webhook.py::test_what_a_delivery_points_at",
    ),
]
