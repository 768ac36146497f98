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
        STORIES + "test_a_thread_resolved_by_a_person_is_not_sent_to_agents",
    ),
    PlantedFault(
        ANSWER,
        "        if thread.is_open and said.get(thread.number)\n",
        "        if thread.is_open and said.get(thread.number, 'Mended.')\n",
        STORIES + "test_only_threads_that_the_agent_answers_are_resolved",
    ),
    PlantedFault(
        ANSWER,
        "[:ACCOUNT_CHARACTERS_MAX]",
        "",
        STORIES + "test_thread_answers_of_agents_are_escaped",
    ),
    PlantedFault(
        ANSWER,
        "is_shown = candidate.head == head.sha and change.shown == candidate.sha",
        "is_shown = True",
        STORIES + "test_only_threads_that_the_agent_answers_are_resolved",
    ),
    PlantedFault(
        ANSWER,
        "resolves=thread.is_touched,",
        "resolves=True,",
        STORIES + "test_a_thread_on_an_unchanged_file_is_answered_and_stays_open",
    ),
    PlantedFault(
        ANSWER,
        "if thread is not None and thread.is_resolved != seen.is_resolved:",
        "if thread is not None and seen.is_resolved and not thread.is_resolved:",
        STORIES + "test_a_thread_reopened_by_a_person_is_sent_to_the_next_agent",
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
        STORIES + "test_answers_of_refused_work_are_not_published",
    ),
    PlantedFault(
        FACTS,
        "return self.work is not None and self.order != self.answered and self.is_open",
        "return self.work is not None",
        STORIES + "test_a_thread_is_answered_once",
    ),
    PlantedFault(
        FOLDS,
        "        number=number,\n",
        "        number=known.number if known else number,\n",
        STORIES + "test_an_answer_does_not_cover_later_comments",
    ),
    PlantedFault(
        FOLDS,
        "            is_touched = thread.path in event.paths\n",
        "            is_touched = True\n",
        STORIES + "test_a_thread_on_an_unchanged_file_is_answered_and_stays_open",
    ),
    PlantedFault(
        "core/decide/changes/settle_orders.py",
        "        take_accounts(decision, order, report)\n        return\n    decision.emit(\n",
        "        take_accounts(decision, order, report)\n        return\n"
        "    take_accounts(decision, order, report)\n    decision.emit(\n",
        STORIES + "test_an_unfinished_agent_answers_no_thread",
    ),
    PlantedFault(
        TOLD,
        "    if thread is None or thread.number != number:\n",
        "    if thread is None:\n",
        STORIES + "test_an_answer_does_not_cover_later_comments",
    ),
    PlantedFault(
        TOLD,
        "    if thread.is_open:\n",
        "    if True:\n",
        STORIES + "test_the_next_agent_gets_open_threads_and_answers_of_resolved_ones",
    ),
    PlantedFault(
        "core/talk/thread_text.py",
        "said = quoted(thread.account)",
        "said = f'> {thread.account}'",
        STORIES + "test_thread_answers_of_agents_are_escaped",
    ),
    PlantedFault(
        "core/state/reviews.py",
        "    return change is not None and bool(change.threads)\n",
        "    return True\n",
        STORIES + "test_threads_are_read_only_before_the_landing_and_if_agents_got_some",
    ),
    PlantedFault(
        "core/state/webhook.py",
        "return () if _is_by_bot(payload) else _hint(HintKind.THREAD, number)",
        "return _hint(HintKind.THREAD, number)",
        "core/test_webhook.py::test_a_delivery_is_read_as_hints",
    ),
]
